// check and trials: whether variants keep what their headers promise, and what a broken one gives.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>

#include "catalogue/number.h"
#include "catalogue/shape_options.h"
#include "cli/ask.h"
#include "cli/command.h"
#include "cli/reports/report.h"
#include "cli/shared.h"
#include "cli/subject.h"
#include "manual/help.h"
#include "measure/timing/benchmark_cases.h"
#include "results/report.h"
#include "results/request.h"
#include "simulation/subject.h"

namespace lab::cli {
namespace {

// The longest time without a sign of life: a setting's own, and for the one case that may begin
// just before it is over.
std::chrono::milliseconds limit_of(const results::CheckRequest& request) {
    constexpr auto kLongestCase = std::chrono::minutes(2);
    return kLongestCase +
           std::chrono::milliseconds(static_cast<std::int64_t>(request.limit_s * 1000));
}

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
    measure::check_toggles(all, request.variants, request.shape);
    return request;
}

// A worker for each variant: one that crashes or never ends is a failed line, and the others go on.
results::CheckReport run(const results::CheckRequest& request, const catalogue::Catalogue& all) {
    const OnProgress line = progress_line("variants");
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
                                  limit_of(request))
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
                failed.expect = all.find(id).expect.text;
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

bool nothing_lacks(const results::CheckReport& report) {
    return std::all_of(
        report.lines.begin(), report.lines.end(),
        [](const results::CheckLine& line) { return line.lacks.empty() && line.stuck == 0; });
}

}  // namespace

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
        if (report.complete && report.cases() == 0 && report.passed() && nothing_lacks(report))
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

    // What the worker is asked.
    nlohmann::json request() const {
        results::TrialsRequest trials{subject.variant, subject.shape.shape(),
                                      catalogue::parse_size(count), delays};
        if (trials.count == 0)
            throw Problem("The number of runs must be 1 or more", "", "Write --count 1000",
                          "--count");
        nlohmann::json all = trials;
        const Chosen chosen = choose(subject);
        if (const auto* kernel = std::get_if<simulation::UserKernel>(&chosen))
            all["own"] = *kernel;
        else
            all.update(request_for(subject, std::get<catalogue::Variant>(chosen)));
        return all;
    }
};

Action trials_command(CLI::App& app) {
    auto options = make<TrialsOptions>();
    app.add_option("variant", options->subject.variant,
                   "Id of a variant, which `variants` lists, or the path of a .cl file")
        ->required();
    options->subject.on_device = true;
    options->subject.shape.add_to(app);
    options->subject.launch.add_to(app);
    app.add_option("--count", options->count, "Number of runs")->capture_default_str();
    app.add_option("--delays", options->delays, kDelaysHelp)->type_name("SEED");
    add_json(app, options->json);
    return [options] {
        const nlohmann::json request = options->request();
        const std::uint64_t count = request.at("count");
        const OnProgress line = progress_line("runs");
        results::Trials trials;
        std::optional<Problem> ended;
        try {
            trials = ask("trials", request, [&](const nlohmann::json& so_far) {
                         trials = so_far.get<results::Trials>();
                         if (line) line({{"done", trials.count}, {"total", count}});
                     }).get<results::Trials>();
        } catch (const Problem& problem) {
            if (trials.count == 0) throw;
            ended = problem;  // what came until then is still said
        }
        if (options->json)
            print_json(trials);
        else
            std::cout << text_of(trials);
        if (ended) throw Problem(*ended);
        const bool right =
            trials.right() == trials.count && trials.delayed_right() == trials.delayed;
        return right ? Exit::done : Exit::found;
    };
}

}  // namespace lab::cli
