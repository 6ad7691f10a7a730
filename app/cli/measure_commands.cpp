// measure, plot, check and trials: what the device does at full size, and whether it is right.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "analysis/simulate.h"
#include "base/help.h"
#include "base/problem.h"
#include "base/ranges.h"
#include "base/text.h"
#include "base/translations.h"
#include "catalogue/form.h"
#include "catalogue/number.h"
#include "catalogue/shape.h"
#include "cli/command.h"
#include "cli/report.h"
#include "device/benchmark_cases.h"
#include "figures/measure_charts.h"
#include "figures/painters/save.h"
#include "figures/scene.h"
#include "results/documents.h"
#include "results/report.h"
#include "results/request.h"
#include "results/result.h"

namespace lab::cli {
namespace {

// --- Charts

std::string charts_help() {
    auto parts =
        mapped<std::string>(figures::measure_charts(), [](const figures::MeasureChart& chart) {
            return fmt::format("{} ({})", chart.id, chart.shows);
        });
    return fmt::format(
        "What is drawn: {} [bandwidth; with one size or --n groups, if there are several, else "
        "speedup]",
        fmt::join(parts, ", "));
}

constexpr const char* kSpeedUp = "speedup";
constexpr int kLeastChart = 300, kMostChart = 10'000;  // points of a chart; others are refused

// "1000x600", in points.
figures::ChartSize size_of(const std::string& text) {
    const auto [width, height] = width_and_height(text).value_or(std::pair(0, 0));
    if (std::min(width, height) < kLeastChart || std::max(width, height) > kMostChart)
        throw Problem(fmt::format("'{}' is no size of a chart", text),
                      fmt::format("It is width x height in points, each from {} to {}", kLeastChart,
                                  kMostChart),
                      "Write --size 1000x600", "--size");
    figures::ChartSize size;
    size.width = static_cast<float>(width);
    size.height = static_cast<float>(height);
    return size;
}

struct ChartOptions {
    std::string chart;  // empty: the most useful one
    std::string baseline, theme = "light", language = "en";
    std::string n, size = "1000x600";
    std::vector<std::string> variants;
    bool documents = true;

    void add_to(CLI::App& app) {
        const auto ids = mapped<std::string>(figures::measure_charts(), &figures::MeasureChart::id);
        manual::add_choice(app, "--chart", chart, ids, charts_help());
        app.add_option("--baseline", baseline,
                       "Id of what speed-ups are against [ladder-1-modulo, else the slowest]");
        add_look(app, theme, language);
        app.add_option("--size", size,
                       "Size of the drawing, in points; a chart is higher if it must be, few bars "
                       "are lower")
            ->type_name("WxH")
            ->capture_default_str();
        app.add_flag("--documents,!--no-documents", documents,
                     "Whether the drawing has what the documents measured, as theirs [yes]");
    }

    // Throws Problem for an invalid value; to check before long work.
    void check() const {
        (void)size_of(size);
        if (!n.empty()) (void)catalogue::parse_size(n, "--n");
        if (chart.empty()) return;
        if (!baseline.empty() && chart != kSpeedUp)
            throw Problem(fmt::format("The chart '{}' has no baseline", chart),
                          "Only speed-ups are against one", "Ask for --chart speedup",
                          "--baseline");
        std::vector<std::string> at_one_n;
        for (const figures::MeasureChart& each : figures::measure_charts())
            if (each.at_one_n) at_one_n.emplace_back(each.id);
        if (!n.empty() && !contains(at_one_n, chart))
            throw Problem(
                fmt::format("The chart '{}' shows every n", chart), "",
                fmt::format("Leave --n out, or ask for --chart {}", fmt::join(at_one_n, " or ")),
                "--n");
    }
};

// The chart asked for, else one that has what else was asked for, else what says most.
std::string chart_of(const std::vector<results::Measurements>& results,
                     const ChartOptions& options) {
    if (!options.chart.empty()) return options.chart;
    if (!options.baseline.empty()) return kSpeedUp;
    if (options.n.empty()) return figures::usual_chart(results);
    std::vector<results::Measurements> at_n = results;
    for (results::Measurements& measurements : at_n)
        std::erase_if(measurements.rows, [n = catalogue::parse_size(options.n, "--n")](
                                             const results::Row& row) { return row.n != n; });
    return figures::usual_chart(at_n) == "groups" ? "groups" : kSpeedUp;
}

void draw_chart(const std::vector<results::Measurements>& results, const ChartOptions& options,
                const std::string& file) {
    const figures::Palette palette = figures::load_palette(options.theme);
    const figures::Fonts fonts;
    const std::vector<results::Datasheet> sheets = results::datasheets();
    std::vector<results::DocumentFigure> figures;
    if (options.documents)
        figures = results::without_defaults(results::document_figures(), catalogue());
    figures::MeasureChartOptions asked;
    asked.chart = chart_of(results, options);
    asked.baseline = options.baseline;
    if (!options.n.empty()) asked.n = catalogue::parse_size(options.n, "--n");
    asked.variants = options.variants;
    asked.figures = figures;
    asked.datasheets = sheets;
    const std::vector<catalogue::GainStep> steps = gain_steps(catalogue());
    asked.steps = steps;
    asked.size = size_of(options.size);
    asked.size.text_scale = palette.text_scale;
    figures::save(figures::measure_chart(results, asked, fonts, Translations(options.language)),
                  palette, fonts, file);
}

// Each by `write`; where one cannot be written, the others are all the same.
template <typename Write>
void write_all(const std::vector<std::string>& files, Write&& write) {
    std::optional<Problem> unwritten;
    for (const std::string& file : files)
        if (auto problem = thrown_by([&] { write(file); }))
            unwritten = std::move(problem);
        else
            std::cerr << fmt::format("wrote {}\n", file);
    if (unwritten) throw Problem(*unwritten);
}

// --- measure

constexpr auto kLongestTurn = std::chrono::minutes(10);  // without a sign of life

// Of variants, as far as nothing else is asked for.
constexpr const char *kUsualType = "float", *kUsualInput = "random:1";

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
    if (const auto problem = thrown_by([&] { results::check_result_suffix(file); }))
        throw Problem(problem->what_happened, problem->why,
                      problem->hint + "; a chart is drawn to .svg, .png or .pdf", problem->where);
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

// Throws Problem for several sizes or groups.
GuessedSize guessed_size(const MeasureOptions& options) {
    const auto one = [&](const std::vector<std::uint64_t>& sizes, const char* option) {
        if (sizes.size() > 1)
            throw Problem("A file without a header is timed at one size and group", "",
                          "Write one number", option);
        return sizes.front();
    };
    const std::string& n = options.shape.n.empty() ? options.sizes : options.shape.n;
    return {
        one(catalogue::parse_sizes(n.empty() ? "2^20" : n), "--n, --sizes"),
        one(catalogue::parse_groups(options.groups.empty() ? "256" : options.groups), "--group")};
}

// A kernel without a header, alone: `text` is its file's.
Asked ask_for_kernel(const MeasureOptions& options, std::string text) {
    const catalogue::ShapeOptions& shape = options.shape;
    const std::string& file = options.variants.front();
    if (options.variants.size() > 1)
        throw Problem("A file without a header is timed alone",
                      "Its launch is told by --global, --local and --arg",
                      "Give it a header like those of kernels/, or time it by itself", file);
    const bool told = !options.launch.arguments.empty() || !options.launch.global.empty() ||
                      !options.launch.local.empty();
    const bool sized = !shape.n.empty() || !options.sizes.empty() || !options.groups.empty();
    if ((told && sized) || shape.op_is_given || shape.type_is_given || shape.input != kUsualInput ||
        options.request.batch != 1 || options.request.warm)
        throw Problem(
            "--n, --sizes, --group, --op, --type, --input, --batch and --warm are for variants",
            "A file's launch is all told by --global, --local and --arg, or guessed for one --n "
            "and "
            "--group",
            "Write --arg in:float[1024]=ramp and the like", file);
    Asked asked;
    asked.request = options.request;
    check_limits(asked.request);
    asked.request.shape.device = shape.device;
    asked.parameters = asked.request;
    catalogue::LaunchForm kernel = options.launch.kernel_of(file, std::move(text), shape.set);
    if (!told) kernel = guess_launch_for(std::move(kernel), {}, guessed_size(options));
    const lang::Sources files = catalogue::include_files(kernel.file, kernel.text, kernel.folders);
    kernel.text = catalogue::with_includes(kernel.text, files);
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
        catalogue::Kernel variant = parse_opened(all, each, std::move(text));
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
    if (id.empty() || contains(ids, id)) return;
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

// --- check

struct CheckOptions {
    std::vector<std::string> variants;
    std::string n, groups, op, type;
    catalogue::ShapeOptions shape;
    double limit_s = results::CheckRequest().limit_s;
    bool json = false;
};

results::CheckRequest request_of(const CheckOptions& options, const catalogue::Catalogue& all) {
    results::CheckRequest request;
    request.variants = variant_ids(options.variants, all);
    request.shape = options.shape.shape();
    request.groups = catalogue::parse_groups(options.groups);
    request.limit_s = options.limit_s;
    if (!options.n.empty()) request.sizes = catalogue::parse_sizes(options.n);
    if (!options.op.empty()) request.ops = {catalogue::parse_op(options.op)};
    if (!options.type.empty()) request.types = {catalogue::parse_type(options.type)};
    const catalogue::Input::Kind kind = request.shape.input.kind;
    if (kind == catalogue::Input::Kind::values || kind == catalogue::Input::Kind::file)
        throw Problem("check makes inputs of many sizes", "A list of values has only one",
                      "Give ramp, random:SEED or bits:SEED; step and trials take values",
                      "--input");
    if (!(request.limit_s >= 0))
        throw Problem("The limit is no number of seconds", "", "Write --limit 60", "--limit");
    device::check_toggles(all, request.variants, request.shape);
    return request;
}

// A worker for each variant: one that crashes or never ends is a failed line, and the others go on.
results::CheckReport run(const results::CheckRequest& request, const catalogue::Catalogue& all) {
    const OnProgress line = progress_line("variants");
    // The longest time without a sign of life: a setting's own, and for the one case that may begin
    // just before it is over.
    const auto limit = std::chrono::minutes(2) +
                       std::chrono::milliseconds(static_cast<std::int64_t>(request.limit_s * 1000));
    results::CheckReport report;
    std::size_t done = 0;
    for (const std::string& id : request.variants) {
        results::CheckRequest one = request;
        one.variants = {id};
        std::erase_if(one.shape.set,
                      [&](const auto& set) { return all.find(id).toggle(set.first) == nullptr; });
        std::vector<results::CheckLine> lines;
        bool ended = false;
        try {
            const auto part = ask(
                                  "check", one,
                                  [&](const nlohmann::json& object) {
                                      report.device = object.at("device");
                                      report.driver = object.at("driver");
                                      lines.push_back(object.at("line").get<results::CheckLine>());
                                  },
                                  limit)
                                  .get<results::CheckReport>();
            lines = part.lines;
            report.device = part.device;
            report.driver = part.driver;
        } catch (const Problem& problem) {
            if (problem.exit == Exit::no_device || problem.exit == Exit::usage) throw;
            ended = problem.exit == Exit::interrupted;
            if (ended) {
                warn(problem);
            } else {
                results::CheckLine failed;
                failed.variant = id;
                failed.expect = all.find(id).plan.expect.text;
                failed.problems.push_back(problem);
                lines.push_back(std::move(failed));
            }
        }
        report.lines.insert(report.lines.end(), lines.begin(), lines.end());
        if (ended) return report;
        if (line) line({{"done", ++done}, {"total", request.variants.size()}});
    }
    report.complete = true;
    return report;
}

}  // namespace

Action measure_command(CLI::App& app) {
    auto options = make<MeasureOptions>();
    app.add_option("variants", options->variants,
                   "Ids with commas between them, all, or the path of a .cl or .cu file")
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
        for (const Problem& problem : results.problems)
            warn(problem);
        if (measured.ended) warn(*measured.ended);
        write_all(options->files, [&](const std::string& file) {
            if (figures::is_picture(file))
                draw_chart({results}, options->chart, file);
            else
                write_results(results, file);
        });
        if (measured.ended) return measured.ended->exit;
        if (any_of(results.rows, [](const results::Row& row) {
                return !row.right && row.expect != "races" && row.kind == "variant";
            }))
            return Exit::found;
        return results.problems.empty() ? Exit::done : results.problems.front().exit;
    };
}

Action plot_command(CLI::App& app) {
    auto results = make<std::vector<std::string>>(), files = make<std::vector<std::string>>();
    auto chart = make<ChartOptions>();
    app.add_option("results", *results,
                   "Files that measure -o wrote; those of several devices are overlaid")
        ->required()
        ->type_name("RESULT.json");
    app.add_option("-o,--output", *files, "Draw to a file: svg, png or pdf")
        ->required()
        ->type_name("FILE");
    chart->add_to(app);
    app.add_option("--n", chart->n,
                   "Elements, for charts at one size [the largest that most have]");
    app.add_option("--variants", chart->variants, "Only these, ids with commas between them")
        ->delimiter(',');
    return [results, files, chart] {
        for (const std::string& file : *files)
            figures::check_suffix(file);
        chart->check();
        auto read = mapped<results::Measurements>(
            *results, [](const std::string& file) { return results::read_results(file); });
        write_all(*files, [&](const std::string& file) { draw_chart(read, *chart, file); });
        return Exit::done;
    };
}

Action check_command(CLI::App& app) {
    auto options = make<CheckOptions>();
    app.add_option("variants", options->variants, "Ids with commas between them, or all")
        ->required()
        ->delimiter(',');
    app.add_option("--n", options->n, "Numbers of elements, as --sizes of measure [14 from 0 on]");
    app.add_option("--group", options->groups, "Work-items per group [8, 64 and what suits]");
    app.add_option("--op", options->op, "Operator [all]");
    app.add_option("--type", options->type, "Element type [all]");
    app.add_option("--limit", options->limit_s,
                   "Seconds for each setting of toggles; the cases after that are not run")
        ->check(manual::between(0.0, 1e6))
        ->capture_default_str();
    options->shape.input = "bits:1";
    options->shape.add_input_to(app);
    add_json(app, options->json);
    return [options] {
        const catalogue::Catalogue all = catalogue();
        const results::CheckReport report = run(request_of(*options, all), all);
        const bool nothing_lacks = all_of(report.lines, [](const results::CheckLine& each) {
            return each.lacks.empty() && each.stuck == 0;
        });
        if (report.complete && report.cases() == 0 && report.passed() && nothing_lacks)
            throw Problem("No case could be run", "All are ruled out, by headers, --limit or --n",
                          "Ask for other sizes, groups or a longer limit", "check");
        if (options->json)
            print_json(report);
        else
            std::cout << text_of(report);
        if (!report.complete) return Exit::interrupted;
        return report.passed() ? Exit::done : Exit::found;
    };
}

struct TrialsOptions {
    SubjectOptions subject;
    std::string count = "1000";
    std::optional<std::uint32_t> delays;
    bool json = false;
};

static Exit trials(const TrialsOptions& options) {
    const std::uint64_t count = parse_count(options.count);
    nlohmann::json request = choice_of(options.subject, choose(options.subject));
    request["count"] = count;
    if (options.delays) request["delays"] = *options.delays;
    const OnProgress line = progress_line("runs");
    results::Trials made;
    std::optional<Problem> ended;
    try {
        made = ask("trials", request, [&](const nlohmann::json& so_far) {
                   made = so_far.get<results::Trials>();
                   if (line) line({{"done", made.count}, {"total", count}});
               }).get<results::Trials>();
    } catch (const Problem& problem) {
        if (made.count == 0) throw;
        ended = problem;  // what came until then is still said
    }
    if (options.json)
        print_json(made);
    else
        print_report(options.subject, text_of(made));
    if (ended) throw Problem(*ended);
    const bool right = made.right() == made.count && made.delayed_right() == made.delayed;
    return right ? Exit::done : Exit::found;
}

Action trials_command(CLI::App& app) {
    auto options = make<TrialsOptions>();
    options->subject.add_to(app, true);
    app.add_option("--count", options->count, "Number of runs")->capture_default_str();
    add_delays(app, options->delays);
    add_json(app, options->json);
    return [options] { return in_terms(options->subject, [&] { return trials(*options); }); };
}

}  // namespace lab::cli
