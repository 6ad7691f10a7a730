#include "results/results_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/json_fields.h"
#include "base/paths.h"

namespace lab::results {
namespace {

// Quoted where RFC 4180 asks for it. A leading = + - @ of a text would be a formula to a
// spreadsheet; no id, title or device name of ours starts so, a driver's might.
std::string field(std::string text) {
    const auto formula = std::string_view("=+-@").find(text.empty() ? ' ' : text.front());
    if (formula != std::string_view::npos) text.insert(text.begin(), '\'');
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string number(double value) {
    return fmt::format("{}", value);
}

std::vector<std::pair<const char*, std::string>> fields_of(const Measurements& results,
                                                           const Row& row) {
    const Summary ms = row.summary();
    const auto part_of_1 = [](const std::optional<double>& of) { return of ? number(*of) : ""; };
    return {{"variant", field(row.variant)},
            {"kind", row.kind},
            {"set", field(catalogue::settings_text(row.set))},
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
            {"device", field(results.device.name)},
            {"driver", field(results.device.driver)},
            {"input", field(results.input)},
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

}  // namespace

namespace {

// No run gives these: a file that has them was edited, and charts would believe it.
void check_rows(const Measurements& results) {
    constexpr std::uint64_t kMost = 1ULL << 53;  // what every reader of JSON keeps exactly
    const auto is_time = [](double ms) { return std::isfinite(ms) && ms >= 0; };
    const auto are_times = [&](const std::vector<double>& samples) {
        return std::all_of(samples.begin(), samples.end(), is_time);
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
        throw Problem(problem.what_happened, problem.why, problem.hint, file.string());
    } catch (const nlohmann::json::exception& error) {
        throw Problem("The file holds no results that can be read", json_trouble(error, text),
                      "Give a .json file that `measure -o` wrote; if this is one, it is damaged",
                      file.string());
    }
}

}  // namespace lab::results
