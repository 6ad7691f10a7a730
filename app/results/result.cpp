#include "results/result.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/json_fields.h"

namespace lab::results {
namespace {

constexpr int kResultSchema = 2;

nlohmann::json json_of(const Summary& of) {
    nlohmann::json json{
        {"median", of.median}, {"q1", of.q1}, {"q3", of.q3}, {"p5", of.p5}, {"p95", of.p95}};
    json["precision"] = of.precision ? nlohmann::json(*of.precision) : nlohmann::json();
    return json;
}

// JSON knows no NaN and no infinity: they are written as null.
double number(const nlohmann::json& json) {
    return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

}  // namespace

void to_json(nlohmann::json& json, const Host& host);
void from_json(const nlohmann::json& json, Host& host);
LAB_JSON_FIELDS(Host, processor, system, compiler, processors, memory_bytes)

void to_json(nlohmann::json& json, const RowPart& part);
void from_json(const nlohmann::json& json, RowPart& part);
LAB_JSON_FIELDS(RowPart, device, name, n, group, chosen, device_ms, alone_device_ms, alone_wall_ms)

const std::vector<double>& Row::samples_ms() const {
    return device_ms.empty() ? wall_ms : device_ms;
}

double Row::gigabytes_per_second() const {
    const double ms = device_median();
    return ms > 0 ? static_cast<double>(bytes) / ms * 1e-6 : 0;
}

namespace {

std::optional<double> efficiency(const std::vector<RowPart>& parts,
                                 std::vector<double> RowPart::*alone, double together_ms) {
    double slowest = 0;
    for (const RowPart& part : parts)
        slowest = std::max(slowest, median(part.*alone));
    if (parts.empty() || !(slowest > 0) || !(together_ms > 0)) return {};
    return slowest / together_ms;
}

nlohmann::json json_of(const std::optional<double>& of) {
    return of ? nlohmann::json(*of) : nlohmann::json();
}

}  // namespace

std::optional<double> Row::device_efficiency() const {
    return efficiency(parts, &RowPart::alone_device_ms, median(device_ms));
}

std::optional<double> Row::wall_efficiency() const {
    return efficiency(parts, &RowPart::alone_wall_ms, wall_median());
}

void put(std::vector<Row>& rows, Row row) {
    const auto key = [](const Row& of) { return std::tie(of.variant, of.set, of.n, of.group); };
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const Row& of) { return key(of) == key(row); });
    if (found == rows.end())
        rows.push_back(std::move(row));
    else
        *found = std::move(row);
}

void merge(Measurements& into, Measurements part) {
    std::vector<Row> rows = std::move(into.rows);
    for (Row& row : part.rows)
        put(rows, std::move(row));
    into = std::move(part);
    into.rows = std::move(rows);
}

// `summary_ms`, `gb_per_s` and `efficiency` follow from the samples; they are there for other
// programs.
void to_json(nlohmann::json& json, const Row& row) {
    json = {{"variant", row.variant},
            {"title", row.title},
            {"kind", row.kind},
            {"expect", row.expect},
            {"set", row.set},
            {"n", row.n},
            {"group", row.group},
            {"groups", row.groups},
            {"launches", row.launches},
            {"bytes", row.bytes},
            {"cache", row.cache},
            {"device_ms", row.device_ms},
            {"wall_ms", row.wall_ms},
            {"result", row.result},
            {"expected", row.expected},
            {"error", row.error},
            {"bound", row.bound},
            {"right", row.right},
            {"ranked", row.ranked()},
            {"summary_ms", json_of(row.summary())},
            {"gb_per_s", row.gigabytes_per_second()}};
    if (!row.chosen_by.empty()) {
        json["chosen"] = row.chosen;
        json["chosen_by"] = row.chosen_by;
    }
    if (row.batch != 1) json["batch"] = row.batch;
    if (row.parts.empty()) return;
    json["parts"] = row.parts;
    json["efficiency"] = {{"device", json_of(row.device_efficiency())},
                          {"wall", json_of(row.wall_efficiency())}};
}

void from_json(const nlohmann::json& json, Row& row) {
    json.at("variant").get_to(row.variant);
    json.at("title").get_to(row.title);
    json.at("kind").get_to(row.kind);
    json.at("expect").get_to(row.expect);
    json.at("set").get_to(row.set);
    json.at("n").get_to(row.n);
    json.at("group").get_to(row.group);
    json.at("groups").get_to(row.groups);
    json.at("launches").get_to(row.launches);
    json.at("bytes").get_to(row.bytes);
    json.at("cache").get_to(row.cache);
    json.at("device_ms").get_to(row.device_ms);
    json.at("wall_ms").get_to(row.wall_ms);
    json.at("result").get_to(row.result);
    json.at("expected").get_to(row.expected);
    row.error = number(json.at("error"));
    row.bound = number(json.at("bound"));
    json.at("right").get_to(row.right);
    row.chosen = json.value("chosen", row.chosen);
    row.chosen_by = json.value("chosen_by", row.chosen_by);
    row.batch = json.value("batch", row.batch);
    row.parts = json.value("parts", std::vector<RowPart>{});
}

void to_json(nlohmann::json& json, const Measurements& of) {
    json = {{"schema", kResultSchema},
            {"program", of.program},
            {"started", of.started},
            {"device", of.device},
            {"host", of.host},
            {"build_options", of.build_options},
            {"op", of.op},
            {"type", of.type},
            {"input", of.input},
            {"repeat", of.repeat},
            {"precision", of.precision},
            {"limit_s", of.limit_s},
            {"complete", of.complete},
            {"rows", of.rows},
            {"problems", of.problems},
            {"skipped", of.skipped}};
    if (!of.notes.empty()) json["notes"] = of.notes;
}

void from_json(const nlohmann::json& json, Measurements& of) {
    if (!json.is_object() || !json.contains("schema") || !json.contains("rows"))
        throw Problem("The file holds no measurements", "It was written by something else",
                      "Give a .json file that `measure -o` wrote");
    const int schema = json.at("schema").is_number_integer() ? json.at("schema").get<int>() : 0;
    if (schema != kResultSchema)
        throw Problem("The results are of another version",
                      "Their schema is " + std::to_string(schema) + ", this program reads " +
                          std::to_string(kResultSchema),
                      "Measure again with this version");
    json.at("program").get_to(of.program);
    json.at("started").get_to(of.started);
    json.at("device").get_to(of.device);
    json.at("host").get_to(of.host);
    json.at("build_options").get_to(of.build_options);
    json.at("op").get_to(of.op);
    json.at("type").get_to(of.type);
    json.at("input").get_to(of.input);
    json.at("repeat").get_to(of.repeat);
    json.at("precision").get_to(of.precision);
    json.at("limit_s").get_to(of.limit_s);
    json.at("complete").get_to(of.complete);
    json.at("rows").get_to(of.rows);
    json.at("problems").get_to(of.problems);
    json.at("skipped").get_to(of.skipped);
    of.notes = json.value("notes", std::vector<std::string>{});
}

}  // namespace lab::results
