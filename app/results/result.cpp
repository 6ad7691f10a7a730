#include "results/result.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/paths.h"
#include "base/ranges.h"
#include "base/text.h"

namespace lab::results {

constexpr int kResultSchema = 2;

static nlohmann::json json_of(const Summary& summary) {
    nlohmann::json json{{"median", summary.median},
                        {"q1", summary.q1},
                        {"q3", summary.q3},
                        {"p5", summary.p5},
                        {"p95", summary.p95}};
    json["precision"] = summary.precision ? nlohmann::json(*summary.precision) : nlohmann::json();
    return json;
}

// JSON knows no NaN and no infinity: they are written as null.
static double number(const nlohmann::json& json) {
    return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

LAB_JSON_LOCAL_FIELDS(Host, processor, system, compiler, processors, memory_bytes)

LAB_JSON_LOCAL_FIELDS(RowPart, device, name, n, group, chosen, device_ms, alone_device_ms,
                      alone_wall_ms)

const std::vector<double>& Row::samples_ms() const {
    return device_ms.empty() ? wall_ms : device_ms;
}

double Row::gigabytes_per_second() const {
    const double ms = device_median();
    return ms > 0 ? static_cast<double>(bytes) / ms * 1e-6 : 0;
}

static std::optional<double> efficiency(const std::vector<RowPart>& parts,
                                        std::vector<double> RowPart::*alone, double together_ms) {
    double slowest = 0;
    for (const RowPart& part : parts)
        slowest = std::max(slowest, median(part.*alone));
    if (parts.empty() || !(slowest > 0) || !(together_ms > 0)) return {};
    return slowest / together_ms;
}

static nlohmann::json json_of(const std::optional<double>& of) {
    return of ? nlohmann::json(*of) : nlohmann::json();
}

std::optional<double> Row::device_efficiency() const {
    return efficiency(parts, &RowPart::alone_device_ms, median(device_ms));
}

std::optional<double> Row::wall_efficiency() const {
    return efficiency(parts, &RowPart::alone_wall_ms, wall_median());
}

void put(std::vector<Row>& rows, Row row) {
    put_by(rows, std::move(row),
           [](const Row& of) { return std::tie(of.variant, of.set, of.n, of.group); });
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

static double quantile_of_sorted(const std::vector<double>& sorted, double part) {
    if (sorted.empty()) return 0;
    const double at = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double fraction = at - static_cast<double>(below);
    return sorted[below] + (sorted[above] - sorted[below]) * fraction;
}

static std::optional<double> precision_of_sorted(const std::vector<double>& sorted, double middle) {
    constexpr std::size_t kFewest = 6;
    if (sorted.size() < kFewest || middle <= 0) return {};
    const auto n = static_cast<double>(sorted.size());
    const double reach = 0.98 * std::sqrt(n);
    const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(n / 2 - reach)));
    const auto high = std::min(sorted.size() - 1, static_cast<std::size_t>(n / 2 + reach));
    return (sorted[high] - sorted[low]) / 2 / middle;
}

double median(std::vector<double> samples) {
    return quantile(std::move(samples), 0.5);
}

double quantile(std::vector<double> samples, double part) {
    sort(samples);
    return quantile_of_sorted(samples, part);
}

Summary summary_of(std::vector<double> samples) {
    sort(samples);
    Summary summary;
    summary.median = quantile_of_sorted(samples, 0.5);
    summary.q1 = quantile_of_sorted(samples, 0.25);
    summary.q3 = quantile_of_sorted(samples, 0.75);
    summary.p5 = quantile_of_sorted(samples, 0.05);
    summary.p95 = quantile_of_sorted(samples, 0.95);
    summary.precision = precision_of_sorted(samples, summary.median);
    return summary;
}

namespace {

std::string number(double value) {
    return fmt::format("{}", value);
}

std::vector<std::pair<const char*, std::string>> fields_of(const Measurements& results,
                                                           const Row& row) {
    const Summary ms = row.summary();
    const auto part_of_1 = [](const std::optional<double>& of) { return of ? number(*of) : ""; };
    return {{"variant", csv_field(row.variant)},
            {"kind", row.kind},
            {"set", csv_field(catalogue::settings_text(row.set))},
            {"op", results.op},
            {"type", results.type},
            {"n", std::to_string(row.n)},
            {"group", std::to_string(row.group)},
            {"groups", std::to_string(row.groups)},
            {"launches", std::to_string(row.launches)},
            {"bytes", std::to_string(row.bytes)},
            {"cache", row.cache},
            {"clock", row.device_ms.empty() ? "wall" : "device"},
            {"runs", std::to_string(row.samples_ms().size())},
            {"median_ms", number(ms.median)},
            {"q1_ms", number(ms.q1)},
            {"q3_ms", number(ms.q3)},
            {"p5_ms", number(ms.p5)},
            {"p95_ms", number(ms.p95)},
            {"precision", ms.precision ? number(*ms.precision) : ""},
            {"wall_median_ms", number(row.wall_median())},
            {"gb_per_s", number(row.gigabytes_per_second())},
            {"expect", row.expect},
            {"right", row.right ? "yes" : "no"},
            {"ranked", row.ranked() ? "yes" : "no"},
            {"result", row.result},
            {"expected", row.expected},
            {"error", number(row.error)},
            {"bound", number(row.bound)},
            {"device", csv_field(results.device.name)},
            {"driver", csv_field(results.device.driver)},
            {"input", csv_field(results.input)},
            {"started", results.started},
            {"devices", std::to_string(std::max<std::size_t>(row.parts.size(), 1))},
            {"device_efficiency", part_of_1(row.device_efficiency())},
            {"wall_efficiency", part_of_1(row.wall_efficiency())}};
}

// A key a line, and a row a line: a file that can be read, compared, and is not twice as long.
std::string json_text(const Measurements& results) {
    const auto line = [](const nlohmann::json& object) {
        return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    };
    std::string text = "{";
    const nlohmann::json whole = results;
    for (const auto& [key, value] : whole.items()) {
        text += text.size() > 1 ? ",\n" : "\n";
        text += line(key) + ": ";
        if (!value.is_array() || value.empty()) {
            text += line(value);
            continue;
        }
        text += '[';
        for (std::size_t i = 0; i < value.size(); ++i)
            text += (i > 0 ? ",\n  " : "\n  ") + line(value[i]);
        text += "\n]";
    }
    return text + "\n}\n";
}

// No run gives these: a file that has them was edited, and charts would believe it.
void check_rows(const Measurements& results) {
    constexpr std::uint64_t kMost = 1ULL << 53;  // a count that JSON keeps exactly; more is refused
    const auto is_time = [](double ms) { return std::isfinite(ms) && ms >= 0; };
    const auto are_times = [&](const std::vector<double>& samples) {
        return all_of(samples, is_time);
    };
    for (const Row& row : results.rows) {
        bool all = are_times(row.device_ms) && are_times(row.wall_ms);
        for (const RowPart& part : row.parts)
            all = all && are_times(part.device_ms) && are_times(part.alone_device_ms) &&
                  are_times(part.alone_wall_ms);
        if (row.n > kMost || row.bytes > kMost)
            throw Problem("The file holds a row that cannot be",
                          fmt::format("{} has a negative or far too large size", row.variant),
                          "Measure again, or undo what was edited");
        if (!all)
            throw Problem("The file holds a row that cannot be",
                          fmt::format("{} has a negative time at n = {}", row.variant, row.n),
                          "Measure again, or undo what was edited");
    }
}

}  // namespace

void check_result_suffix(const fs::path& file) {
    const std::string suffix = suffix_of(file);
    if (suffix != ".json" && suffix != ".csv")
        throw Problem(
            fmt::format("'{}' is no kind of file that results are written to", file.string()), "",
            "Give the file the suffix .json or .csv", "-o");
    if (fs::is_directory(file))
        throw Problem(fmt::format("'{}' is a folder", file.string()), "",
                      "Name a file to write the results to", "-o");
}

std::string csv_of(const Measurements& results) {
    std::string text;
    const auto add_line = [&text](const auto& fields, const auto& part) {
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (i > 0) text += ',';
            text += part(fields[i]);
        }
        text += "\r\n";
    };
    add_line(fields_of(results, Row{}), [](const auto& of) { return of.first; });
    for (const Row& row : results.rows)
        add_line(fields_of(results, row), [](const auto& of) { return of.second; });
    return text;
}

void write_results(const Measurements& results, const fs::path& file) {
    check_result_suffix(file);
    if (suffix_of(file) == ".csv")
        write_file(file, csv_of(results));
    else
        write_file(file, json_text(results));
}

Measurements read_results(const fs::path& file) {
    const std::string text = read_file(file);
    try {
        Measurements results = nlohmann::json::parse(text).get<Measurements>();
        check_rows(results);
        return results;
    } catch (const Problem& problem) {
        throw problem.at(file.string());
    } catch (const nlohmann::json::exception& error) {
        throw Problem("The file holds no results that can be read", json_trouble(error, text),
                      "Give a .json file that `measure -o` wrote; if this is one, it is damaged",
                      file.string());
    }
}

}  // namespace lab::results
