// check and trials: whether variants keep what their headers promise, and what a broken one gives.
#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <optional>

#include "catalogue/number.h"
#include "catalogue/shape_options.h"
#include "cli/ask.h"
#include "cli/command.h"
#include "cli/report.h"
#include "cli/shared.h"
#include "measure/report.h"
#include "measure/request.h"

namespace lab::cli {
namespace {

constexpr auto kLongestLine = std::chrono::minutes(20);  // without a sign of life

struct CheckOptions {
    std::vector<std::string> variants;
    std::string n, groups, op, type;
    ShapeOptions shape;
    double limit_s = CheckRequest().limit_s;
    bool json = false;
};

CheckRequest request_of(const CheckOptions& options, const Catalogue& all) {
    CheckRequest request;
    request.variants = variant_ids(options.variants, all);
    request.all = options.variants == std::vector<std::string>{"all"};
    request.shape = options.shape.shape();
    request.groups = parse_groups(options.groups);
    request.limit_s = options.limit_s;
    if (!options.n.empty()) request.sizes = parse_sizes(options.n);
    if (!options.op.empty()) request.ops = {parse_op(options.op)};
    if (!options.type.empty()) request.types = {parse_type(options.type)};
    const Input::Kind kind = request.shape.input.kind;
    if (kind == Input::Kind::values || kind == Input::Kind::file)
        throw Problem("check makes inputs of many sizes", "A list of values has only one",
                      "Give ramp, random:SEED or bits:SEED; step and trials take values",
                      "--input");
    return request;
}

}  // namespace

Action check_command(CLI::App& app) {
    auto options = make<CheckOptions>();
    app.add_option("variants", options->variants, "Ids with commas between them, or all")
        ->required()
        ->delimiter(',');
    app.add_option("--n", options->n, "Numbers of elements, as --sizes of measure [14 from 0 on]");
    app.add_option("--group", options->groups, "Work-items a group [8, 64 and what suits]");
    app.add_option("--op", options->op, "Operator [all]");
    app.add_option("--type", options->type, "Element type [all]");
    app.add_option("--limit", options->limit_s,
                   "Seconds for each setting of toggles; the cases after that are not run")
        ->check(CLI::Range(0.0, 1e6))
        ->capture_default_str();
    options->shape.input = "bits:1";
    options->shape.add_input_to(app);
    add_json(app, options->json);
    return [options] {
        const Catalogue all = catalogue();
        const Told line = progress_line("settings");
        CheckReport report;
        std::optional<Problem> ended;
        try {
            report = ask(
                         "check", request_of(*options, all),
                         [&](const nlohmann::json& told) {
                             report.device = told.at("device");
                             report.driver = told.at("driver");
                             report.lines.push_back(told.at("line").get<CheckLine>());
                             if (line) line(told);
                         },
                         kLongestLine)
                         .get<CheckReport>();
        } catch (const Problem& problem) {
            if (report.lines.empty()) throw;
            ended = problem;  // what was found until then is still said
        }
        if (options->json)
            print_json(report);
        else
            std::cout << text_of(report);
        if (ended) throw Problem(*ended);
        return report.passed() ? Exit::done : Exit::found;
    };
}

struct TrialsOptions {
    std::string variant, count = "1000";
    ShapeOptions shape;
    bool json = false;
};

Action trials_command(CLI::App& app) {
    auto options = make<TrialsOptions>();
    app.add_option("variant", options->variant, "Id of a variant; `variants` lists them")
        ->required();
    options->shape.add_to(app);
    app.add_option("--count", options->count, "Number of runs")->capture_default_str();
    add_json(app, options->json);
    return [options] {
        (void)catalogue().find(options->variant);
        TrialsRequest request{options->variant, options->shape.shape(), parse_size(options->count)};
        if (request.count == 0)
            throw Problem("The number of runs must be 1 or more", "", "Write --count 1000",
                          "--count");
        const Told line = progress_line("runs");
        const auto made = ask("trials", request, [&](const nlohmann::json& so_far) {
                              if (line)
                                  line({{"done", so_far.at("count")}, {"total", request.count}});
                          }).get<Trials>();
        if (options->json)
            print_json(made);
        else
            std::cout << text_of(made);
        return made.right() == made.count ? Exit::done : Exit::found;
    };
}

}  // namespace lab::cli
