#include "results/report.h"

#include <fmt/format.h>

#include "base/json_fields.h"
#include "base/ranges.h"

namespace lab::results {

LAB_JSON_LOCAL_FIELDS(CheckCase, op, type, n, group, result, expected, machine)
LAB_JSON_FIELDS(PassDifference, op, type, n, group, launch, pass, array, in_group, cell, device,
                machine)
// A report from before passes were compared lacks those fields.
LAB_JSON_FIELDS_OR_DEFAULT(CheckLine, variant, set, expect, cases, right, races, wrong, illegal,
                           stuck, not_run, examples, lacks, problems, passes, passes_raced,
                           passes_left, passes_plain, why_left, differences)

std::string text_of(const PassDifference& difference) {
    if (difference.array.empty())
        return fmt::format(
            "launch {}: group {} passed {} barriers on the device, {} on the machine",
            difference.launch, difference.in_group, difference.device, difference.machine);
    const std::string whose =
        difference.in_group < 0 ? "" : fmt::format(" of group {}", difference.in_group);
    const std::string pass = difference.pass == 0 ? "" : fmt::format("pass {}, ", difference.pass);
    return fmt::format("launch {}, {}{}{}, cell {}: the device has {}, the machine {}",
                       difference.launch, pass, difference.array, whose, difference.cell,
                       difference.device, difference.machine);
}

std::uint64_t CheckReport::cases() const {
    return sum_of(lines, &CheckLine::cases);
}

std::uint64_t CheckReport::passes() const {
    return sum_of(lines, &CheckLine::passes);
}

bool CheckReport::passed() const {
    return complete && all_of(lines, [](const CheckLine& line) { return line.passed(); });
}

void to_json(nlohmann::json& json, const CheckReport& report) {
    json = {{"schema", 1},
            {"device", report.device},
            {"driver", report.driver},
            {"complete", report.complete},
            {"lines", report.lines},
            {"passed", report.passed()}};
}

void from_json(const nlohmann::json& json, CheckReport& report) {
    json.at("device").get_to(report.device);
    json.at("driver").get_to(report.driver);
    json.at("lines").get_to(report.lines);
    report.complete = json.value("complete", false);
}

void to_json(nlohmann::json& json, const TrialResult& result);
void from_json(const nlohmann::json& json, TrialResult& result);
LAB_JSON_FIELDS_OR_DEFAULT(TrialResult, result, count, right, delayed)

std::uint64_t Trials::right() const {
    return sum_of(results, [](const TrialResult& of) { return of.right ? of.count : 0; });
}

std::uint64_t Trials::delayed_right() const {
    return sum_of(results, [](const TrialResult& of) { return of.right ? of.delayed : 0; });
}

std::vector<std::string> Trials::unforeseen() const {
    std::vector<std::string> news;
    if (!predicted.complete || !predicted.unwritten.empty()) return news;
    for (const TrialResult& result : results)
        if (!contains(predicted.results, result.result)) news.push_back(result.result);
    return news;
}

LAB_JSON_LOCAL_FIELDS(Prediction, results, faults, complete, states, samples, unwritten, why_not)

LAB_JSON_SOME_FIELDS(DeviceRuns, variant, device, driver, op, type, input, set, expect, n, group,
                     groups, count, expected)

static void put_runs(nlohmann::json& json, const DeviceRuns& runs) {
    put_fields(json, runs);
    if (!runs.launch.empty()) json["launch"] = runs.launch;
    if (runs.delays) json["delays"] = *runs.delays;
}

static void get_runs(const nlohmann::json& json, DeviceRuns& runs) {
    get_fields(json, runs);
    runs.launch = json.value("launch", std::string());
    if (json.contains("delays")) runs.delays = json.at("delays").get<std::uint32_t>();
}

void to_json(nlohmann::json& json, const Trials& trials) {
    json = {{"schema", 1},
            {"predicted", trials.predicted},
            {"unforeseen", trials.unforeseen()},
            {"results", trials.results}};
    put_runs(json, trials);
    if (trials.delays) json["delayed"] = trials.delayed;
}

void from_json(const nlohmann::json& json, Trials& trials) {
    get_runs(json, trials);
    json.at("results").get_to(trials.results);
    trials.predicted = json.value("predicted", Prediction());
    trials.delayed = json.value("delayed", trials.delayed);
}

LAB_JSON_LOCAL_FIELDS(WrongRate, runs, wrong)

LAB_JSON_SOME_FIELDS(Recorded, until, recorded, plain, gave_up, too_long, run, result, right,
                     accesses, barriers, exchanged, slack, turns, difference, tried_all, optimised,
                     order, units, max_group, kernel_group, cpu)

void to_json(nlohmann::json& json, const Recorded& recorded) {
    json = {{"schema", 1}};
    put_runs(json, recorded);
    put_fields(json, recorded);
}

void from_json(const nlohmann::json& json, Recorded& recorded) {
    get_runs(json, recorded);
    get_fields(json, recorded);
}

}  // namespace lab::results
