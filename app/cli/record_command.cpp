// record: a run of the device, as it really was: its accesses are recorded, put in order, and
// replayed by the simulator.
#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "base/paths.h"
#include "catalogue/number.h"
#include "cli/ask.h"
#include "cli/command.h"
#include "cli/drawing.h"
#include "cli/interrupts.h"
#include "cli/reports/kernel_report.h"
#include "cli/reports/lineage_report.h"
#include "cli/reports/report.h"
#include "cli/reports/witness_report.h"
#include "cli/shared.h"
#include "cli/subject.h"
#include "results/report.h"
#include "results/request.h"
#include "simulation/launch_guess.h"
#include "simulation/recorded/recorded_run.h"
#include "simulation/shown_run.h"
#include "simulation/subject.h"

namespace lab::cli {
namespace {

struct RecordOptions {
    SubjectOptions subject;
    std::string until = results::RecordRequest().until, count = "10000", save_order, cell;
    std::optional<std::uint32_t> delays;
    FigureOption figure;
    DrawingOptions drawing;
    bool json = false;
};

nlohmann::json plain_request(const RecordOptions& options, const std::string& subject) {
    results::RecordRequest request{subject, options.subject.shape.shape(), options.until,
                                   catalogue::parse_size(options.count), options.delays};
    if (request.count == 0)
        throw Problem("The number of runs must be 1 or more", "", "Write --count 1000", "--count");
    return request;
}

nlohmann::json request_of(const RecordOptions& options, const catalogue::Variant& variant) {
    nlohmann::json all = plain_request(options, variant.id);
    all.update(request_for(options.subject, variant));
    return all;
}

simulation::Options options_of(const results::Recorded& recorded) {
    simulation::Options options = simulation::replay_options(
        {recorded.units, recorded.max_group, recorded.cpu, recorded.kernel_group});
    options.order.kind = machine::Order::Kind::list;
    options.order.turns = machine::parse_turns(recorded.turns, recorded.order);
    options.order.name = recorded.order;
    return options;
}

std::string rate_text(const results::WrongRate& rate) {
    return fmt::format("{} of {} runs", rate.wrong, rate.runs);
}

std::string text_of(const results::Recorded& recorded) {
    const bool own = !recorded.launch.empty();
    std::string text =
        own ? fmt::format("{}, {}, on {}\n", recorded.variant, recorded.launch, recorded.device)
            : fmt::format("{} {}, {} elements in {} groups of {}, {} of {}, on {}\n",
                          recorded.variant, catalogue::settings_text(recorded.set), recorded.n,
                          recorded.groups, recorded.group, recorded.op, recorded.type,
                          recorded.device);
    const std::string waits =
        recorded.delays ? fmt::format(" and with delays (seed {})", *recorded.delays) : "";
    text += fmt::format("{}: in {} with recording{}, in {} without\n",
                        own ? "otherwise than the simulator in its usual order" : "wrong",
                        rate_text(recorded.recorded), waits, rate_text(recorded.plain));
    if (recorded.gave_up > 0)
        text += fmt::format("{} more runs are not counted: a spin of the kernel gave up\n",
                            recorded.gave_up);
    if (recorded.too_long > 0)
        text += fmt::format("{} runs that ended as wanted were too long for the buffer\n",
                            recorded.too_long);
    return text;
}

std::string verdict_text(const results::Recorded& recorded) {
    if (!recorded.launch.empty())
        return recorded.right ? "as the simulator in its usual order"
                              : "OTHERWISE than the simulator in its usual order";
    return recorded.right ? "right" : "WRONG";
}

// How its order was found, and whether the simulator went the same way.
std::string replay_text(const results::Recorded& recorded) {
    std::string text = fmt::format(
        "{}: {}, {}\n{} loads, stores and atomics and {} arrivals at barriers, in the order of "
        "their tickets",
        recorded.order, shortened(recorded.result), verdict_text(recorded), recorded.accesses,
        recorded.barriers);
    if (recorded.exchanged > 0)
        text += fmt::format(", but for {} that were exchanged with neighbours", recorded.exchanged);
    text += '\n';
    if (recorded.slack > 0)
        text += fmt::format(
            "Tickets alone do not explain its loads: accesses were taken to be later than "
            "theirs{}\n",
            recorded.slack < UINT32_MAX ? fmt::format(", by up to {}", recorded.slack) : "");
    if (!recorded.optimised)
        text +=
            "Compiled without optimisation: with it the device's compiler gets the recording "
            "wrong\n";
    if (recorded.difference.empty())
        return text +
               "replayed by the simulator: each access has the same value, and the result is "
               "the same\n";
    return text + fmt::format("the simulator DIFFERS: {}{}\n", recorded.difference,
                              recorded.tried_all ? " (all orders were tried)" : "");
}

std::string none_text(const results::Recorded& recorded) {
    return fmt::format("None of {} recorded runs ended as asked for ({})", recorded.recorded.runs,
                       recorded.until);
}

struct Shown {
    simulation::Options options;
    std::string text;  // what it is
};

// Where none was recorded: a run that explains the device's rows, or one that goes wrong.
Shown looked_for(const RecordOptions& options, const catalogue::Variant& variant,
                 const results::Recorded& recorded) {
    const simulation::Options usual = MachineOptions().options();
    nlohmann::json request = request_for(options.subject, variant);
    request["machine"] = analysis::machine_used(usual.config, usual.order);
    const auto device = ask("step", request).get<analysis::StepTable>();
    const simulation::ShownRun shown = simulation::shown_run(
        variant, options.subject.shape.shape(), usual, true, &device, &InterruptsNoted::seen());
    return {shown.options, none_text(recorded) +
                               ". What is shown was NOT recorded: a run of the simulator\n" +
                               cli::text_of(shown.witness)};
}

void save_order(const RecordOptions& options, const std::string& subject, const std::string& order,
                const machine::Run& run) {
    if (options.save_order.empty()) return;
    write_file(options.save_order,
               fmt::format("# {}: {}\n# step {} --machine independent --order THIS\n{}",
                           options.subject.variant, order, subject,
                           machine::text_of(machine::turns_of(run.trace()))));
    std::cerr << fmt::format("wrote {}\n", options.save_order);
}

// A recorded run that is wrong, or that the simulator does not repeat.
bool is_found(const results::Recorded& recorded) {
    return (recorded.run > 0 && !recorded.right) || !recorded.difference.empty();
}

Exit show(const RecordOptions& options, const catalogue::Variant& variant,
          const results::Recorded& recorded) {
    const InterruptsNoted noted;
    Shown shown;
    if (recorded.run > 0)
        shown = {options_of(recorded), replay_text(recorded)};
    else
        shown = looked_for(options, variant, recorded);
    machine::Recording recording;
    recording.cancel = &InterruptsNoted::seen();
    options.figure.add_to(recording);
    simulation::Simulation simulation;
    try {
        simulation =
            simulation::simulate(variant, options.subject.shape.shape(), shown.options, recording);
    } catch (const Problem&) {
        if (recorded.difference.empty()) throw;
        // Where the simulator cannot go that way there is nothing to show, and it was said why.
        if (options.json)
            print_json(recorded);
        else
            std::cout << text_of(recorded) + shown.text;
        return Exit::found;
    }
    std::optional<Drawing> drawing;
    std::string rows;
    if (recorded.n <= simulation::kMostSteppedElements) {
        const analysis::StepTable steps = simulation::table_of(variant, simulation, shown.options);
        rows = cli::text_of(steps);
        if (simulation.outcome && !steps.right) rows += why_wrong(simulation);
        drawing = drawn(options.drawing, options.figure, options.cell, steps, simulation.run.get(),
                        &simulation, run_subject(variant, simulation, shown.options));
    }
    if (options.json) {
        nlohmann::json out = recorded;
        if (recorded.run == 0) out["turns"] = machine::text_of(shown.options.order.turns);
        print_json(out);
    } else {
        std::cout << rows + text_of(recorded) + shown.text;
    }
    save(options.drawing, drawing);
    save_order(options, options.subject.variant, recorded.run > 0 ? recorded.order : "not recorded",
               *simulation.run);
    return is_found(recorded) ? Exit::found : Exit::done;
}

// Where none was recorded, or the simulator cannot go that way, there is nothing to show.
Exit show(const RecordOptions& options, const simulation::UserKernel& kernel,
          const results::Recorded& recorded) {
    const simulation::Options shown = options_of(recorded);
    const InterruptsNoted noted;
    machine::Recording recording;
    recording.cancel = &InterruptsNoted::seen();
    options.figure.add_to(recording);
    std::optional<machine::Run> run;
    if (recorded.run > 0) try {
            run.emplace(simulation::job_of(kernel, shown.config), shown.order, recording);
        } catch (const Problem&) {
            if (recorded.difference.empty()) throw;
        }
    std::optional<Drawing> drawing;
    std::string rows;
    if (run) {
        const simulation::UserKernelResult result = simulation::result_of(kernel, *run, shown);
        rows = cli::text_of(result);
        drawing = drawn(options.drawing, options.figure, options.cell, result.table, &*run, nullptr,
                        run_subject(kernel, shown));
    }
    if (options.json)
        print_json(recorded);
    else
        std::cout << rows + text_of(recorded) +
                         (recorded.run > 0 ? replay_text(recorded) : none_text(recorded) + '\n');
    save(options.drawing, drawing);
    if (run)
        save_order(options,
                   fmt::format("{} {}", options.subject.variant, simulation::launch_text(kernel)),
                   recorded.order, *run);
    return is_found(recorded) ? Exit::found : Exit::done;
}

Exit record(const RecordOptions& options) {
    options.drawing.check();
    options.figure.check(options.cell, options.drawing.files);
    const Chosen chosen = choose(options.subject);
    const OnProgress line = progress_line("runs");
    if (const auto* kernel = std::get_if<simulation::UserKernel>(&chosen)) {
        nlohmann::json request = plain_request(options, kernel->file);
        request["own"] = *kernel;
        return show(options, *kernel,
                    ask("record", std::move(request), line).get<results::Recorded>());
    }
    const auto& variant = std::get<catalogue::Variant>(chosen);
    return show(options, variant,
                ask("record", request_of(options, variant), line).get<results::Recorded>());
}

}  // namespace

Action record_command(CLI::App& app) {
    auto options = make<RecordOptions>();
    app.add_option("variant", options->subject.variant,
                   "Id of a variant, which `variants` lists, or the path of a .cl file")
        ->required();
    options->subject.on_device = true;
    options->subject.shape.add_to(app);
    options->subject.launch.add_to(app);
    app.add_option(
           "--until", options->until,
           "The run that is wanted: wrong, right, a result, or run:K for the K-th. Of a "
           "file without a header: wrong is otherwise than the simulator in its usual order")
        ->type_name("WHICH")
        ->capture_default_str();
    app.add_option("--count", options->count, "Runs at most")->capture_default_str();
    app.add_option("--delays", options->delays, kDelaysHelp)->type_name("SEED");
    options->figure.add_to(app);
    app.add_option("--cell", options->cell, "With --figure: the cell that it is about");
    app.add_option("--save-order", options->save_order,
                   "Write the turns of its work-items, for `step --machine independent --order`")
        ->type_name("FILE");
    options->drawing.add_to(app);
    add_json(app, options->json);
    return [options] { return record(*options); };
}

}  // namespace lab::cli
