#include "results/result.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/json_fields.h"

namespace lab::results {
namespace {

constexpr int kResultSchema = 2;

nlohmann::json json_of(const Summary& summary) {
    nlohmann::json json{{"median", summary.median},
                        {"q1", summary.q1},
                        {"q3", summary.q3},
                        {"p5", summary.p5},
                        {"p95", summary.p95}};
    json["precision"] = summary.precision ? nlohmann::json(*summary.precision) : nlohmann::json();
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

LAB_JSON_SOME_FIELDS(Row, variant, title, kind, expect, set, n, group, groups, launches, bytes,
                     cache, device_ms, wall_ms, result, expected, right)

// `summary_ms`, `gb_per_s` and `efficiency` follow from the samples; they are there for other
// programs.
void to_json(nlohmann::json& json, const Row& row) {
    json = {{"error", row.error},
            {"bound", row.bound},
            {"ranked", row.ranked()},
            {"summary_ms", json_of(row.summary())},
            {"gb_per_s", row.gigabytes_per_second()}};
    put_fields(json, row);
    if (!row.chosen_by.empty()) {
        json["chosen"] = row.chosen;
        json["chosen_by"] = row.chosen_by;
    }
    if (row.batch != 1) json["batch"] = row.batch;
    if (!row.exact.empty()) json["exact"] = row.exact;
    if (row.parts.empty()) return;
    json["parts"] = row.parts;
    json["efficiency"] = {{"device", json_of(row.device_efficiency())},
                          {"wall", json_of(row.wall_efficiency())}};
}

void from_json(const nlohmann::json& json, Row& row) {
    get_fields(json, row);
    row.error = number(json.at("error"));
    row.bound = number(json.at("bound"));
    row.chosen = json.value("chosen", row.chosen);
    row.chosen_by = json.value("chosen_by", row.chosen_by);
    row.batch = json.value("batch", row.batch);
    row.exact = json.value("exact", row.exact);
    row.parts = json.value("parts", std::vector<RowPart>{});
}

LAB_JSON_SOME_FIELDS(Measurements, program, started, device, host, build_options, op, type, input,
                     repeat, precision, limit_s, complete, rows, problems, skipped)

void to_json(nlohmann::json& json, const Measurements& measurements) {
    json = {{"schema", kResultSchema}};
    put_fields(json, measurements);
    if (!measurements.notes.empty()) json["notes"] = measurements.notes;
}

void from_json(const nlohmann::json& json, Measurements& measurements) {
    if (!json.is_object() || !json.contains("schema") || !json.contains("rows"))
        throw Problem("The file holds no measurements", "It was written by something else",
                      "Give a .json file that `measure -o` wrote");
    const int schema = json.at("schema").is_number_integer() ? json.at("schema").get<int>() : 0;
    if (schema != kResultSchema)
        throw Problem("The results are of another version",
                      "Their schema is " + std::to_string(schema) + ", this program reads " +
                          std::to_string(kResultSchema),
                      "Measure again with this version");
    get_fields(json, measurements);
    measurements.notes = json.value("notes", std::vector<std::string>{});
}

}  // namespace lab::results
