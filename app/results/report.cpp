#include "results/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_fields.h"

namespace lab::results {

void to_json(nlohmann::json& json, const CheckCase& of);
void from_json(const nlohmann::json& json, CheckCase& of);
LAB_JSON_FIELDS(CheckCase, op, type, n, group, result, expected, machine)
LAB_JSON_FIELDS(PassDifference, op, type, n, group, launch, pass, array, in_group, cell, device,
                machine)
// A report from before passes were compared lacks those fields.
LAB_JSON_FIELDS_OR_DEFAULT(CheckLine, variant, set, expect, cases, right, races, wrong, illegal,
                           stuck, not_run, examples, lacks, problems, passes, passes_raced,
                           passes_left, passes_plain, why_left, differences)

std::string text_of(const PassDifference& of) {
    if (of.array.empty())
        return fmt::format(
            "launch {}: group {} passed {} barriers on the device, {} on the machine", of.launch,
            of.in_group, of.device, of.machine);
    const std::string whose = of.in_group < 0 ? "" : fmt::format(" of group {}", of.in_group);
    return fmt::format("launch {}, pass {}, {}{}, cell {}: the device has {}, the machine {}",
                       of.launch, of.pass, of.array, whose, of.cell, of.device, of.machine);
}

std::uint64_t CheckReport::cases() const {
    std::uint64_t ran = 0;
    for (const CheckLine& line : lines)
        ran += line.cases;
    return ran;
}

std::uint64_t CheckReport::passes() const {
    std::uint64_t compared = 0;
    for (const CheckLine& line : lines)
        compared += line.passes;
    return compared;
}

bool CheckReport::passed() const {
    return complete && std::all_of(lines.begin(), lines.end(),
                                   [](const CheckLine& line) { return line.passed(); });
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

void to_json(nlohmann::json& json, const TrialResult& of);
void from_json(const nlohmann::json& json, TrialResult& of);
LAB_JSON_FIELDS(TrialResult, result, count, right)

std::uint64_t Trials::right() const {
    std::uint64_t runs = 0;
    for (const TrialResult& of : results)
        if (of.right) runs += of.count;
    return runs;
}

std::vector<std::string> Trials::unforeseen() const {
    std::vector<std::string> news;
    if (!predicted.complete || !predicted.unwritten.empty()) return news;
    for (const TrialResult& of : results)
        if (std::find(predicted.results.begin(), predicted.results.end(), of.result) ==
            predicted.results.end())
            news.push_back(of.result);
    return news;
}

void to_json(nlohmann::json& json, const Prediction& of);
void from_json(const nlohmann::json& json, Prediction& of);
LAB_JSON_FIELDS(Prediction, results, faults, complete, states, samples, unwritten, why_not)

LAB_JSON_SOME_FIELDS(Trials, variant, device, driver, op, type, input, set, expect, n, group,
                     groups, count, expected, results)

void to_json(nlohmann::json& json, const Trials& of) {
    json = {{"schema", 1}, {"predicted", of.predicted}, {"unforeseen", of.unforeseen()}};
    put_fields(json, of);
}

void from_json(const nlohmann::json& json, Trials& of) {
    get_fields(json, of);
    of.predicted = json.value("predicted", Prediction());
}

}  // namespace lab::results
