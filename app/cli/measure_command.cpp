// measure: the options, the run with its progress, and what is kept of it whatever happens.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>

#include "catalogue/number.h"
#include "catalogue/shape_options.h"
#include "cli/ask.h"
#include "cli/chart_options.h"
#include "cli/command.h"
#include "cli/reports/report.h"
#include "cli/shared.h"
#include "cli/subject.h"
#include "figures/painters/save.h"
#include "manual/help.h"
#include "results/documents.h"
#include "results/request.h"
#include "results/results_file.h"
#include "simulation/include_files.h"
#include "simulation/subject.h"

namespace lab::cli {
namespace {

constexpr auto kLongestTurn = std::chrono::minutes(10);  // without a sign of life

// Of variants, as far as nothing else is asked for.
constexpr const char *kUsualOp = "add", *kUsualType = "float", *kUsualInput = "random:1";

struct MeasureOptions {
    std::vector<std::string> variants;
    std::string sizes, groups, shapes = name_of(results::LaunchShapes::kept);
    catalogue::ShapeOptions shape;
    LaunchOptions launch;
    results::MeasureRequest request;
    bool no_references = false;
    bool json = false;
    std::vector<std::string> files;
    ChartOptions chart;
};

// Before anything runs.
void check_suffix(const std::string& file) {
    if (figures::is_picture(file)) return;
    try {
        results::check_result_suffix(file);
    } catch (const Problem& problem) {
        throw Problem(problem.what_happened, problem.why,
                      problem.hint + "; a chart is drawn to .svg, .png or .pdf", problem.where);
    }
}

// What the worker is asked: the request, and the kernels of files that it is to know.
struct Asked {
    results::MeasureRequest request;
    nlohmann::json parameters;
};

void check_limits(const results::MeasureRequest& request) {
    if (!(request.limit_s > 0) || !(request.precision > 0))
        throw Problem("The limit or the precision is no number above 0", "",
                      "Write --limit 0.5 --precision 0.01", "--limit, --precision");
}

// A kernel without a header, alone: `text` is its file's.
Asked ask_for_kernel(const MeasureOptions& options, std::string text) {
    const catalogue::ShapeOptions& shape = options.shape;
    const std::string& file = options.variants.front();
    if (options.variants.size() > 1)
        throw Problem("A file without a header is timed alone",
                      "Its launch is told by --global, --local and --arg",
                      "Give it a header like those of kernels/, or time it by itself", file);
    if (!shape.n.empty() || !options.sizes.empty() || !options.groups.empty() ||
        shape.op != kUsualOp || shape.type != kUsualType || shape.input != kUsualInput ||
        options.request.batch != 1 || options.request.warm)
        throw Problem(
            "--n, --sizes, --group, --op, --type, --input, --batch and --warm are for variants",
            "A file's launch is all told by --global, --local and --arg",
            "Write --arg in:float[1024]=ramp and the like", file);
    Asked asked;
    asked.request = options.request;
    check_limits(asked.request);
    asked.request.shape.device = shape.device;
    asked.parameters = asked.request;
    simulation::UserKernel kernel = options.launch.kernel_of(file, std::move(text), shape.set);
    const lang::Sources files = simulation::include_files(kernel.file, kernel.text, kernel.folders);
    kernel.text = simulation::with_includes(kernel.text, files);
    asked.parameters["own"] = kernel;
    return asked;
}

results::MeasureRequest request_of(const MeasureOptions& options,
                                   const std::vector<std::string>& variants,
                                   const catalogue::Catalogue& all) {
    results::MeasureRequest request = options.request;
    request.variants = variant_ids(variants, all);
    request.all = options.variants == std::vector<std::string>{"all"};
    request.shape = options.shape.shape();
    request.groups = catalogue::parse_groups(options.groups);
    request.shapes = results::parse_launch_shapes(options.shapes);
    if (request.shapes == results::LaunchShapes::search && !request.groups.empty())
        throw Problem("A search cannot keep to the groups that are given", "",
                      "Leave --group or --shapes search out", "--shapes");
    request.references = !options.no_references;
    check_limits(request);
    const bool counted = request.shape.input.kind == catalogue::Input::Kind::values ||
                         request.shape.input.kind == catalogue::Input::Kind::file;
    if (!options.sizes.empty() && (request.shape.n || counted))
        throw Problem("The number of elements is given twice",
                      counted ? "The input has as many as it has" : "By --n and by --sizes",
                      "Leave --sizes out", "--sizes");
    request.sizes = request.shape.n
                        ? std::vector{*request.shape.n}
                        : catalogue::parse_sizes(options.sizes.empty() ? "2^20" : options.sizes);
    return request;
}

// Files with a header are variants beside those of the program.
Asked asked_of(const MeasureOptions& options) {
    catalogue::Catalogue all = catalogue();
    std::vector<std::string> variants;
    nlohmann::json opened = nlohmann::json::array();
    for (const std::string& each : options.variants) {
        if (!is_kernel_file(each)) {
            variants.push_back(each);
            continue;
        }
        std::string text = kernel_file_text(each);
        if (needs_launch(text, options.launch)) return ask_for_kernel(options, std::move(text));
        opened.push_back({{"file", each}, {"text", text}});
        catalogue::Variant variant = parse_opened(all, each, std::move(text));
        variants.push_back(variant.id);
        add_opened(all, std::move(variant));
    }
    if (options.launch.any())
        throw Problem("--kernel, --global, --local and --arg are for files",
                      "A variant knows its own launch", "Write --sizes and --group",
                      options.variants.front());
    Asked asked;
    asked.request = request_of(options, variants, all);
    asked.parameters = asked.request;
    if (!opened.empty()) asked.parameters["opened"] = std::move(opened);
    return asked;
}

// A mistake in it would be told when all is measured, and no chart be drawn.
void check_baseline(const std::string& id, const results::MeasureRequest& request) {
    const auto& ids = request.variants;
    if (id.empty() || std::find(ids.begin(), ids.end(), id) != ids.end()) return;
    if (request.references && id.starts_with("cpu-")) return;
    throw Problem(fmt::format("The baseline '{}' is not measured", id), "",
                  "Name it among the variants, or choose one of them", "--baseline");
}

// What was measured, and what ended it early if anything did.
struct Measured {
    results::Measurements results;
    std::optional<Problem> ended;
};

Measured run(const nlohmann::json& parameters) {
    Measured measured;
    const OnProgress line = progress_line("rows");
    try {
        const nlohmann::json result = ask(
            "measure", parameters,
            [&](const nlohmann::json& object) {
                merge(measured.results, object.at("results").get<results::Measurements>());
                if (line) line(object);
            },
            kLongestTurn);
        measured.results = result.get<results::Measurements>();
    } catch (const Problem& problem) {
        if (measured.results.rows.empty()) throw;
        measured.ended = problem;
    }
    return measured;
}

Exit exit_of(const Measured& measured) {
    if (measured.ended) return measured.ended->exit;
    for (const results::Row& row : measured.results.rows)
        if (!row.right && row.expect != "races" && row.kind == "variant") return Exit::found;
    return measured.results.problems.empty() ? Exit::done : measured.results.problems.front().exit;
}

}  // namespace

Action measure_command(CLI::App& app) {
    auto options = make<MeasureOptions>();
    app.add_option("variants", options->variants,
                   "Ids with commas between them, all, or the path of a .cl file")
        ->required()
        ->delimiter(',');
    options->shape.type = kUsualType;
    options->shape.input = kUsualInput;
    options->shape.add_to(app, false);
    app.get_option("--device")
        ->description(
            "Device, as platform:device; `reduction-lab-cli devices` lists them. Several, as "
            "0:0,1:0, "
            "or all: each reduction is split over them")
        ->type_name("P:D,…|all");
    results::MeasureRequest& request = options->request;
    app.add_option(
        "--group", options->groups,
        "Work-items per group, several with commas between them [what suits each variant]");
    app.add_option(
        "--sizes", options->sizes,
        "Numbers of elements: a list, 1000,10Mi; a range by doubling, 2^16..2^26 [2^20]");
    app.add_option("--repeat", request.repeat,
                   "Counted runs a row [until precise, or the limit is used up]")
        ->check(manual::between(1, 1'000'000));
    app.add_option("--precision", request.precision,
                   "Half of the 95 % confidence interval of a row's median, relative, to end it")
        ->check(manual::between(1e-6, 1.0))
        ->capture_default_str();
    app.add_option("--limit", request.limit_s, "Seconds of runs that end a row in any case")
        ->check(manual::between(1e-3, 1e5))
        ->capture_default_str();
    app.add_option("--batch", request.batch,
                   "Reductions enqueued one after another before one wait; a sample is their mean")
        ->check(manual::between(1, 100'000))
        ->capture_default_str();
    manual::add_choice(
        app, "--shapes", options->shapes, {"table", "kept", "search"},
        "Where a group and toggles come from that are not given, of variants that know "
        "what suits a device: table (the kernel's header), kept (what a search found "
        "here before, else the table), or search (now, some seconds a size; kept)")
        ->capture_default_str();
    app.add_flag("--warm", request.warm,
                 "Leave the input in the cache [each run finds another copy of it]");
    app.add_flag("--no-references", options->no_references,
                 "Neither the read ceiling nor the host's own loops");
    app.add_option("-o,--output", options->files,
                   "Write the results to a file: json (every sample) or csv; or a chart of them: "
                   "svg, png or pdf")
        ->type_name("FILE");
    options->launch.add_to(app);
    options->chart.add_to(app);
    add_json(app, options->json);
    return [options] {
        for (const std::string& file : options->files)
            check_suffix(file);
        options->chart.check();
        const Asked asked = asked_of(*options);
        check_baseline(options->chart.baseline, asked.request);
        const Measured measured = run(asked.parameters);
        const results::Measurements& results = measured.results;
        if (options->json)
            print_json(results);
        else
            std::cout << text_of(results) << documents_text(results, results::document_figures());
        std::optional<Problem> unwritten;
        for (const std::string& file : options->files) {
            try {
                if (figures::is_picture(file))
                    draw_chart({results}, options->chart, file);
                else
                    write_results(results, file);
                std::cerr << fmt::format("wrote {}\n", file);
            } catch (const Problem& problem) {
                unwritten = problem;  // the other files are written all the same
            }
        }
        for (const Problem& problem : results.problems)
            warn(problem);
        if (measured.ended) warn(*measured.ended);
        if (unwritten) throw Problem(*unwritten);
        return exit_of(measured);
    };
}

}  // namespace lab::cli
