// step: a variant, or a kernel from any file, pass by pass: a run of the simulator, and whether the
// device has the same rows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <iostream>
#include <optional>

#include "analysis/rows/prints.h"
#include "base/paths.h"
#include "catalogue/shape_options.h"
#include "cli/ask.h"
#include "cli/command.h"
#include "cli/drawing.h"
#include "cli/figure_option.h"
#include "cli/interrupts.h"
#include "cli/reports/insight_report.h"
#include "cli/reports/kernel_report.h"
#include "cli/reports/lineage_report.h"
#include "cli/reports/report.h"
#include "cli/reports/witness_report.h"
#include "cli/shared.h"
#include "cli/subject.h"
#include "figures/figures/pass_figure.h"
#include "figures/painters/save.h"
#include "figures/scene/palette.h"
#include "lang/text/compile.h"
#include "manual/help.h"
#include "simulation/launch_guess.h"
#include "simulation/shown_run.h"
#include "simulation/subject.h"

namespace lab::cli {
namespace {

struct StepOptions {
    SubjectOptions subject;
    std::string source, save_order;
    InsightOptions insight;
    FigureOption figure;
    DrawingOptions drawing;
    bool json = false;

    std::optional<Drawing> drawn(const analysis::StepTable& steps, machine::Run* run,
                                 const simulation::Simulation* variant,
                                 const figures::RunSubject& about) const {
        return cli::drawn(drawing, figure, insight.cell, steps, run, variant, about);
    }

    // Whether the device is asked what it has to say of the run.
    bool asks_device() const {
        if (!source.empty()) return source == "device";
        return !subject.is_file() && !subject.machine.any() && !insight.any() && !figure.of_run() &&
               save_order.empty();
    }
};

// The turns that were taken, findings, and the fault that ended it: the rows so far were shown.
void close(const StepOptions& options, const machine::Run& run) {
    if (!options.save_order.empty()) {
        write_file(options.save_order,
                   fmt::format("# The turns of: step {}\n{}", options.subject.variant,
                               machine::text_of(machine::turns_of(run.trace()))));
        std::cerr << fmt::format("wrote {}\n", options.save_order);
    }
    for (const machine::Finding& finding : run.findings()) {
        std::cerr << "note: " << run.problem(finding).text() << '\n';
        if (finding.count > 1) std::cerr << fmt::format("  times: {}\n", finding.count);
    }
    if (run.fault()) throw run.problem(*run.fault());
    if (run.cancelled())
        throw Problem("The run was interrupted", "Ctrl+C was pressed, or it was asked to end",
                      "What came until then is above", "", Exit::interrupted);
}

// What the kernel printed, in the order of the schedule.
std::string prints_text(const machine::Run* run) {
    if (run == nullptr || run->prints().empty()) return {};
    std::string text = "printed\n";
    for (const machine::Print& print : run->prints()) {
        std::string shown = print.text;
        if (!shown.empty() && shown.back() == '\n') shown.pop_back();
        for (std::size_t i = 0; (i = shown.find('\n', i)) != std::string::npos; i += 5)
            shown.replace(i, 1, "\n    ");
        text += fmt::format("  work-item {}, line {}: {}\n",
                            run->machine().context(print.launch).item_name(print.item),
                            analysis::line_of(*run, print), shown);
    }
    return text;
}

// What stopped the run and what else is wrong in it, for those who read JSON.
nlohmann::json with_faults(nlohmann::json object, const machine::Run* run) {
    nlohmann::json notes = nlohmann::json::array();
    if (run != nullptr && !run->prints().empty()) {
        nlohmann::json printed = nlohmann::json::array();
        for (const machine::Print& print : run->prints())
            printed.push_back(
                {{"launch", print.launch + 1},
                 {"item", print.item},
                 {"global_id", run->machine().context(print.launch).space.global_id(print.item)},
                 {"line", analysis::line_of(*run, print)},
                 {"time", print.time},
                 {"text", print.text}});
        object["printed"] = std::move(printed);
    }
    if (run != nullptr) {
        for (const machine::Finding& finding : run->findings())
            notes.push_back(run->problem(finding));
        if (run->fault()) object["problem"] = run->problem(*run->fault());
    }
    object["notes"] = std::move(notes);
    return object;
}

// The device's rows; nothing, and why, where there is none or it cannot run this.
std::optional<analysis::StepTable> device_rows(const StepOptions& options,
                                               const catalogue::Variant& variant,
                                               const analysis::MachineUsed& machine,
                                               std::string& why) {
    nlohmann::json request = request_for(options.subject, variant);
    request["machine"] = machine;
    try {
        return ask("step", request).get<analysis::StepTable>();
    } catch (const Problem& problem) {
        if (options.source == "device" || !options.subject.shape.device.empty()) throw;
        why = problem.what_happened;
        if (problem.exit == Exit::no_device && !problem.hint.empty()) why += ". " + problem.hint;
        return std::nullopt;
    }
}

simulation::ShownRun chosen_run(const StepOptions& options, const catalogue::Variant& variant) {
    const simulation::Options asked = options.subject.machine.options();
    const catalogue::Shape shape = options.subject.shape.shape();
    simulation::check_steppable(shape.n.value_or(0));
    std::string why;
    std::optional<analysis::StepTable> device;
    if (options.asks_device())
        device =
            device_rows(options, variant, analysis::machine_used(asked.config, asked.order), why);
    // Who asks for the machine alone gets the run that was asked for, even if it comes out right.
    const bool automatic = options.asks_device() && options.subject.machine.order.empty();
    simulation::ShownRun run = simulation::shown_run(
        variant, shape, asked, automatic, device ? &*device : nullptr, &InterruptsNoted::seen());
    run.witness.why = std::move(why);
    return run;
}

Exit variant_steps(const StepOptions& options, const catalogue::Variant& variant) {
    const catalogue::Shape shape = options.subject.shape.shape();
    const InterruptsNoted noted;
    const simulation::ShownRun shown = chosen_run(options, variant);
    const simulation::Options& machine = shown.options;
    machine::Recording recording = options.insight.recording();
    recording.cancel = &InterruptsNoted::seen();
    options.figure.add_to(recording);
    const simulation::Simulation simulation =
        simulation::simulate(variant, shape, machine, recording);
    const analysis::StepTable steps = simulation::table_of(variant, simulation, machine);
    const auto drawing = options.drawn(steps, simulation.run.get(), &simulation,
                                       run_subject(variant, simulation, machine));
    if (options.json) {
        nlohmann::json out = with_faults(steps, simulation.run.get());
        if (options.asks_device()) out["witness"] = shown.witness;
        if (machine.order.kind == machine::Order::Kind::list)
            out["turns"] = machine::text_of(machine.order.turns);
        add_insight(out, options.insight, simulation.run.get(), &simulation);
        print_json(out);
    } else {
        std::string text = cli::text_of(steps);
        if (simulation.outcome && !steps.right) text += why_wrong(simulation);
        text += prints_text(simulation.run.get());
        text += insight_text(options.insight, simulation.run.get(), &simulation);
        if (options.asks_device()) text += cli::text_of(shown.witness);
        std::cout << text;
    }
    save(options.drawing, drawing);
    if (simulation.run) close(options, *simulation.run);
    const bool news = shown.witness.verdict == analysis::Witness::Verdict::unexplained;
    return steps.right && !news ? Exit::done : Exit::found;
}

nlohmann::json json_of(const simulation::UserKernelResult& result) {
    nlohmann::json buffers = nlohmann::json::array();
    for (const auto& buffer : result.buffers)
        buffers.push_back({{"name", buffer.name},
                           {"type", buffer.type},
                           {"written", buffer.written},
                           {"values", buffer.values}});
    return {{"schema", 1}, {"buffers", std::move(buffers)}, {"passes", result.table}};
}

// Where the device is asked, the run that explains what it did.
simulation::ShownRun chosen_run(const StepOptions& options, const simulation::UserKernel& kernel) {
    simulation::ShownRun run;
    run.options = machine_for(options.subject.machine, kernel);
    if (!options.asks_device()) return run;
    const nlohmann::json request{{"shape", options.subject.shape.shape()}, {"own", kernel}};
    const auto device = ask("step", request).get<analysis::StepTable>();
    return simulation::shown_run(kernel, run.options, options.subject.machine.order.empty(),
                                 &device, &InterruptsNoted::seen());
}

Exit user_kernel(const StepOptions& options, const simulation::UserKernel& kernel) {
    const InterruptsNoted noted;
    const simulation::ShownRun shown = chosen_run(options, kernel);
    const simulation::Options& machine = shown.options;
    machine::Job job = simulation::job_of(kernel, machine.config);
    job.budget = machine.budget;
    machine::Recording recording = options.insight.recording();
    recording.cancel = &InterruptsNoted::seen();
    options.figure.add_to(recording);
    machine::Run run(std::move(job), machine.order, recording);
    const simulation::UserKernelResult result = simulation::result_of(kernel, run, machine);
    const auto drawing = options.drawn(result.table, &run, nullptr, run_subject(kernel, machine));
    if (options.json) {
        nlohmann::json out = with_faults(json_of(result), &run);
        out["launch"] = simulation::launch_text(kernel);
        if (options.asks_device()) {
            out["witness"] = shown.witness;
            if (machine.order.kind == machine::Order::Kind::list)
                out["turns"] = machine::text_of(machine.order.turns);
        }
        add_insight(out, options.insight, &run, nullptr);
        print_json(out);
    } else {
        std::cout << cli::text_of(result) + prints_text(&run) +
                         insight_text(options.insight, &run, nullptr) +
                         (options.asks_device() ? cli::text_of(shown.witness) : std::string());
    }
    save(options.drawing, drawing);
    close(options, run);
    const bool news = shown.witness.verdict == analysis::Witness::Verdict::unexplained;
    return news ? Exit::found : Exit::done;
}

Exit step(const StepOptions& options) {
    options.drawing.check();
    options.figure.check(options.insight.cell, options.drawing.files);
    const Chosen chosen = choose(options.subject);
    if (const auto* own = std::get_if<simulation::UserKernel>(&chosen)) {
        return user_kernel(options, *own);
    }
    return variant_steps(options, std::get<catalogue::Variant>(chosen));
}

struct TextOptions {
    std::string variant;
    catalogue::ShapeOptions shape;
    bool expanded = false;
};

}  // namespace

Action step_command(CLI::App& app) {
    auto options = make<StepOptions>();
    options->subject.add_to(app);
    manual::add_choice(
        app, "--source", options->source, {"device", "machine"},
        "What is shown is a run of the simulator. device: held against the device's "
        "rows; machine: the device is not asked [machine with any of its options and "
        "for files, else device, if there is one]");
    options->insight.add_to(app);
    options->figure.add_to(app);
    app.add_option("--save-order", options->save_order,
                   "Write the turns that the warps took, for --order")
        ->type_name("FILE");
    options->drawing.add_to(app);
    add_json(app, options->json);
    return [options] {
        options->subject.on_device = options->source == "device";
        return step(*options);
    };
}

Action text_command(CLI::App& app) {
    auto options = make<TextOptions>();
    app.add_option("variant", options->variant,
                   "Id of a variant, or the path of a file with such a header")
        ->required();
    options->shape.add_to(app);
    app.add_flag("--expanded", options->expanded,
                 "With T, COMBINE, IDENTITY, toggles and all other macros replaced");
    return [options] {
        const catalogue::Variant variant = variant_named(options->variant);
        const catalogue::KernelText text = kernel_text(variant, options->shape.shape());
        std::cout << (options->expanded ? lang::expanded({text.file, text.text, text.macros})
                                        : text.text);
        return Exit::done;
    };
}

}  // namespace lab::cli
