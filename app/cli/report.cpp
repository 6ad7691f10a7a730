#include "cli/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "catalogue/number.h"

namespace lab::cli {
namespace {

// Columns as wide as their widest entry; the first `left` of them to the left, others to the right.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t left) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths.resize(std::max(widths.size(), i + 1));
            widths[i] = std::max(widths[i], row[i].size());
        }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += i < left ? fmt::format("{:<{}}  ", row[i], widths[i])
                             : fmt::format("{:>{}}  ", row[i], widths[i]);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

const char* expected_word(const Expectation& expect) {
    switch (expect.kind) {
        case Expectation::Kind::correct:
            return "correct";
        case Expectation::Kind::partial:
            return "partial";
        case Expectation::Kind::races:
            return "races";
    }
    return "";
}

std::string expected_text(const Expectation& expect) {
    std::vector<std::string> when;
    for (const auto& [name, value] : expect.when)
        when.push_back(name + "=" + value);
    if (when.empty()) return expected_word(expect);
    return fmt::format("{} when {}", expected_word(expect), fmt::join(when, " or "));
}

}  // namespace

std::string text_of(const Devices& devices) {
    std::string text;
    for (const DeviceInfo& device : devices.devices) {
        text += fmt::format("{}  {}\n", device.id, device.name);
        const std::vector<std::pair<const char*, std::string>> facts{
            {"platform", fmt::format("{}, {}", device.platform, device.version)},
            {"driver", device.driver},
            {"language", device.c_version},
            {"kind", device.kind},
            {"compute units", fmt::format("{}", device.compute_units)},
            {"largest group", fmt::format("{} work-items", device.max_group)},
            {"local memory", bytes_text(device.local_bytes) + " a group"},
            {"global memory", bytes_text(device.global_bytes)},
            {"largest buffer", bytes_text(device.largest_buffer)},
            {"timer", fmt::format("{} ns", device.timer_ns)},
            {"double", device.doubles ? "yes" : "no"},
            {"sub-groups", device.sub_groups ? "yes" : "no"},
            {"group collectives", device.group_collectives ? "yes" : "no"}};
        for (const auto& [name, value] : facts)
            text += fmt::format("     {:<18} {}\n", name, value);
    }
    return text;
}

std::string text_of(const Catalogue& catalogue) {
    std::vector<std::vector<std::string>> rows{{"id", "chapter", "title", "expected", "toggles"}};
    for (const Variant& variant : catalogue.variants) {
        std::vector<std::string> toggles;
        for (const Toggle& toggle : variant.toggles)
            toggles.push_back(fmt::format("{}={}", toggle.name, fmt::join(toggle.values, "|")));
        rows.push_back({variant.id, fmt::format("{} {}", variant.chapter, variant.order),
                        variant.title, expected_text(variant.expect),
                        fmt::format("{}", fmt::join(toggles, " "))});
    }
    return table(rows, 5);
}

nlohmann::json json_of(const Catalogue& catalogue) {
    nlohmann::json all = nlohmann::json::array();
    for (const Variant& variant : catalogue.variants) {
        nlohmann::json toggles = nlohmann::json::array();
        for (const Toggle& toggle : variant.toggles)
            toggles.push_back({{"name", toggle.name}, {"values", toggle.values}});
        all.push_back({{"id", variant.id},
                       {"title", variant.title},
                       {"chapter", variant.chapter},
                       {"order", variant.order},
                       {"origin", variant.origin},
                       {"teaches", variant.teaches},
                       {"expect", expected_text(variant.expect)},
                       {"toggles", std::move(toggles)},
                       {"file", variant.file.filename().string()}});
    }
    return {{"schema", 1}, {"variants", std::move(all)}, {"problems", catalogue.problems}};
}

std::string text_of(const Passes& passes) {
    std::string text =
        fmt::format("{}, {} elements in groups of {}, {}, {}, on {}\n", passes.variant, passes.n,
                    passes.group, passes.op, passes.type, passes.device);
    std::vector<std::vector<std::string>> rows;
    for (const Pass& pass : passes.passes) {
        std::vector<std::string> row{
            pass.launch == 0 ? "start" : fmt::format("launch {}", pass.launch), pass.variables};
        for (const Cell& cell : pass.cells)
            row.push_back(cell.value);
        rows.push_back(std::move(row));
    }
    text += table(rows, 2);
    text += passes.right
                ? fmt::format("result {}, right\n", passes.result)
                : fmt::format("result {}, WRONG: {} expected\n", passes.result, passes.expected);
    return text;
}

std::string text_of(const Measurements& measurements) {
    std::vector<std::vector<std::string>> rows{
        {"variant", "n", "group", "device ms", "wall ms", "GB/s", "error", "checked"}};
    for (const Row& row : measurements.rows)
        rows.push_back(
            {row.variant, size_text(row.n), std::to_string(row.group),
             figure_text(row.device_median()), figure_text(row.wall_median()),
             figure_text(row.gigabytes_per_second()), fmt::format("{:.1e}", row.error),
             row.right ? "right" : fmt::format("WRONG: {} for {}", row.result, row.expected)});
    return fmt::format("{}, {} of {}, input {}; medians of {} runs, input in cache where it fits\n",
                       measurements.device.name, measurements.op, measurements.type,
                       measurements.input, measurements.repeat) +
           table(rows, 1);
}

void warn(const Problem& problem) {
    std::cerr << "problem: " << problem.text() << '\n';
}

std::function<void(const nlohmann::json&)> progress_line() {
    if (isatty(STDERR_FILENO) == 0) return {};
    return [](const nlohmann::json& at) {
        const std::size_t done = at.value("done", std::size_t{0});
        const std::size_t total = at.value("total", std::size_t{0});
        std::cerr << fmt::format("\r{} of {} rows{}", done, total, done == total ? "\n" : " ")
                  << std::flush;
    };
}

void check_result_suffix(const std::string& file) {
    if (std::filesystem::path(file).extension() != ".json")
        throw Problem(fmt::format("'{}' is no kind of file that results are written to", file), "",
                      "Give the file the suffix .json", "-o");
}

}  // namespace lab::cli
