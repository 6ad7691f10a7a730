// step: a variant, or a kernel from any file, pass by pass, on a device or on the machine.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <iostream>

#include "base/paths.h"
#include "catalogue/number.h"
#include "catalogue/shape_options.h"
#include "cli/ask.h"
#include "cli/command.h"
#include "cli/insight_report.h"
#include "cli/lineage_report.h"
#include "cli/machine_options.h"
#include "cli/report.h"
#include "cli/shared.h"
#include "draw/palette.h"
#include "draw/pass_figure.h"
#include "draw/save.h"
#include "lang/compile.h"
#include "simulation/own_kernel.h"
#include "simulation/simulate.h"

namespace lab::cli {
namespace {

constexpr std::size_t kMostText = std::size_t{1} << 22;  // of a kernel

template <typename Names>
std::vector<std::string> words(const Names& names) {
    return {std::begin(names), std::end(names)};
}

struct StepOptions {
    std::string variant, source, theme = "light", language = "en", save_order;
    ShapeOptions shape;
    MachineOptions machine;
    InsightOptions insight;
    bool json = false;
    std::vector<std::string> files;
    std::string kernel, global, local;
    std::vector<std::string> arguments;

    bool on_machine() const {  // there is something that it alone can do
        return machine.any() || insight.any() || !save_order.empty();
    }
};

void draw_files(const StepOptions& options, const Passes& passes) {
    if (options.files.empty()) return;
    const draw::Fonts fonts;
    const Translations words(options.language);
    const draw::Scene figure = draw::pass_figure(passes, draw::PassFigureOptions{}, fonts, words);
    for (const std::string& file : options.files) {
        draw::save(figure, draw::load_palette(options.theme), fonts, file);
        std::cerr << fmt::format("wrote {}\n", file);
    }
}

// The turns that were taken, findings, and the fault that ended it: the rows so far were shown.
void close(const StepOptions& options, const machine::Run& run) {
    if (!options.save_order.empty()) {
        write_file(options.save_order,
                   fmt::format("# The turns of: step {}\n{}", options.variant,
                               machine::text_of(machine::turns_of(run.trace()))));
        std::cerr << fmt::format("wrote {}\n", options.save_order);
    }
    for (const machine::Finding& finding : run.findings()) {
        std::cerr << "note: " << run.problem(finding).text() << '\n';
        if (finding.count > 1) std::cerr << fmt::format("  times: {}\n", finding.count);
    }
    if (run.fault()) throw run.problem(*run.fault());
}

// What stopped the run and what else is wrong in it, for those who read JSON.
nlohmann::json with_faults(nlohmann::json made, const machine::Run* run) {
    nlohmann::json notes = nlohmann::json::array();
    if (run != nullptr) {
        for (const machine::Finding& finding : run->findings())
            notes.push_back(run->problem(finding));
        if (run->fault()) made["problem"] = run->problem(*run->fault());
    }
    made["notes"] = std::move(notes);
    return made;
}

Exit on_device(const StepOptions& options) {
    const nlohmann::json request{{"variant", options.variant}, {"shape", options.shape.shape()}};
    const auto passes = ask("step", request).get<Passes>();
    if (options.json)
        print_json(passes);
    else
        std::cout << text_of(passes);
    draw_files(options, passes);
    return passes.right ? Exit::done : Exit::found;
}

Exit on_machine(const StepOptions& options, const Variant& variant) {
    const simulation::Options machine = options.machine.options();
    const simulation::Simulation made =
        simulation::simulate(variant, options.shape.shape(), machine, options.insight.recording());
    const Passes passes = simulation::passes_of(variant, made, machine);
    if (options.json) {
        nlohmann::json out = with_faults(passes, made.run.get());
        add_insight(out, options.insight, made.run.get(), &made);
        print_json(out);
    } else {
        std::string text = text_of(passes);
        if (made.outcome && !passes.right) text += why_wrong(made);
        text += insight_text(options.insight, made.run.get(), &made);
        std::cout << text;
    }
    draw_files(options, passes);
    if (made.run) close(options, *made.run);
    return passes.right ? Exit::done : Exit::found;
}

std::string text_of(const simulation::OwnResult& result) {
    constexpr std::size_t kMostShown = 64;
    std::string text =
        result.passes.passes.size() > 1 ? cli::text_of(result.passes) : std::string();
    for (const auto& buffer : result.buffers) {
        const std::size_t shown = std::min(buffer.values.size(), kMostShown);
        text +=
            fmt::format("{} ({}[{}]){}: {}{}\n", buffer.name, buffer.type, buffer.values.size(),
                        buffer.written ? "" : ", unchanged",
                        fmt::join(buffer.values.begin(),
                                  buffer.values.begin() + static_cast<std::ptrdiff_t>(shown), " "),
                        shown < buffer.values.size() ? " …" : "");
    }
    return text;
}

nlohmann::json json_of(const simulation::OwnResult& result) {
    nlohmann::json buffers = nlohmann::json::array();
    for (const auto& buffer : result.buffers)
        buffers.push_back({{"name", buffer.name},
                           {"type", buffer.type},
                           {"written", buffer.written},
                           {"values", buffer.values}});
    return {{"schema", 1}, {"buffers", std::move(buffers)}, {"passes", result.passes}};
}

Exit own_kernel(const StepOptions& options) {
    const ShapeOptions plain;
    if (!options.shape.n.empty() || !options.shape.group.empty() || options.shape.op != plain.op ||
        options.shape.type != plain.type || options.shape.input != plain.input ||
        !options.shape.device.empty())
        throw Problem("--n, --group, --op, --type, --input and --device are for variants",
                      "A file's launch is all told by --global, --local and --arg",
                      "Write --arg in:float[1024]=ramp and the like", "step");
    simulation::OwnKernel own;
    own.file = options.variant;
    own.text = read_file(options.variant, kMostText);
    own.kernel = options.kernel;
    own.defines = options.shape.set;
    own.arguments = options.arguments;
    if (!options.global.empty()) own.global = parse_size(options.global);
    if (!options.local.empty()) own.local = parse_size(options.local);
    const simulation::Options machine = options.machine.options();
    machine::Job job = simulation::job_of(own, machine.config);
    job.budget = machine.budget;
    machine::Run run(std::move(job), machine.order, options.insight.recording());
    const simulation::OwnResult result = simulation::result_of(own, run, machine);
    if (options.json) {
        nlohmann::json out = with_faults(json_of(result), &run);
        add_insight(out, options.insight, &run, nullptr);
        print_json(out);
    } else {
        std::cout << text_of(result) + insight_text(options.insight, &run, nullptr);
    }
    draw_files(options, result.passes);
    close(options, run);
    return Exit::done;
}

bool is_path(const std::string& variant) {
    return variant.find('/') != std::string::npos ||
           (variant.size() > 3 && variant.substr(variant.size() - 3) == ".cl");
}

Exit step(const StepOptions& options) {
    for (const std::string& file : options.files)
        draw::check_suffix(file);
    const bool file = is_path(options.variant);
    const bool own = file && (!options.global.empty() || !options.arguments.empty() ||
                              !options.kernel.empty() || !options.local.empty());
    if (!file && (!options.arguments.empty() || !options.kernel.empty() ||
                  !options.global.empty() || !options.local.empty()))
        throw Problem(
            "--kernel, --global, --local and --arg are for files",
            fmt::format("'{}' is the id of a variant, which knows its own launch", options.variant),
            "Write --n and --group, or the path of a .cl file", "step");
    if (file && options.source == "device")
        throw Problem("A file is stepped on the machine", "Only the variants run on a device here",
                      "Leave --source away", "--source");
    if (own) return own_kernel(options);
    if (file) {
        const std::string text = read_file(options.variant, kMostText);
        // With a header like those of kernels/ it is a variant; else its launch must be told.
        const bool header =
            text.find("title:") != std::string::npos && text.find("entry:") != std::string::npos;
        if (!header) return own_kernel(options);
        return on_machine(options, parse_variant(options.variant, text));
    }
    const Catalogue all = catalogue();
    const Variant& variant = all.find(options.variant);
    const bool device =
        options.source == "device" || (options.source.empty() && !options.on_machine());
    if (device && options.on_machine())
        throw Problem(
            "--lanes, --resident, --order, --machine, --budget, --show and --cell are for "
            "the machine",
            "A device has its own", "Write --source machine", "--source");
    return device ? on_device(options) : on_machine(options, variant);
}

struct TextOptions {
    std::string variant;
    ShapeOptions shape;
    bool expanded = false;
};

}  // namespace

Action step_command(CLI::App& app) {
    auto options = make<StepOptions>();
    app.add_option("variant", options->variant,
                   "Id of a variant, which `variants` lists, or the path of a .cl file")
        ->required();
    options->shape.add_to(app);
    app.add_option("--source", options->source,
                   "Where the states come from: device or machine [machine with any of its options "
                   "and for files, else device]")
        ->check(CLI::IsMember({"device", "machine"}));
    options->machine.add_to(app);
    options->insight.add_to(app);
    app.add_option("--kernel", options->kernel, "Of a file: which of its kernels [the only one]");
    app.add_option("--global", options->global, "Of a file: work-items in all");
    app.add_option("--local", options->local, "Of a file: work-items a group");
    app.add_option("--arg", options->arguments,
                   "Of a file: the next argument, as in:float[1024]=ramp, out:float[4], "
                   "buf:local float[64], 1024, null")
        ->type_name("ARG");
    app.add_option("--save-order", options->save_order,
                   "Write the turns that the warps took, for --order")
        ->type_name("FILE");
    app.add_option("-o,--output", options->files, "Draw the passes to a file: svg, png or pdf")
        ->type_name("FILE");
    app.add_option("--theme", options->theme, "Of the drawing")
        ->check(CLI::IsMember(words(draw::kThemes)))
        ->capture_default_str();
    app.add_option("--lang", options->language, "Of the drawing")
        ->check(CLI::IsMember(words(kLanguages)))
        ->capture_default_str();
    add_json(app, options->json);
    return [options] { return step(*options); };
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
        const Catalogue all = catalogue();
        const Variant variant =
            is_path(options->variant)
                ? parse_variant(options->variant, read_file(options->variant, kMostText))
                : all.find(options->variant);
        const KernelText text = kernel_text(variant, options->shape.shape());
        std::cout << (options->expanded ? lang::expanded({text.file, text.text, text.macros})
                                        : text.text);
        return Exit::done;
    };
}

}  // namespace lab::cli
