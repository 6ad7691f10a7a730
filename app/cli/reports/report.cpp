#include "cli/reports/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "catalogue/number.h"
#include "cli/reports/table.h"

namespace lab::cli {
namespace {

const char* plan_word(catalogue::PlanKind plan) {
    switch (plan) {
        case catalogue::PlanKind::once:
            return "once";
        case catalogue::PlanKind::per_pass:
            return "per-pass";
        case catalogue::PlanKind::partials:
            return "partials";
        case catalogue::PlanKind::iterate:
            return "iterate";
    }
    return "";
}

std::string duration_text(double seconds) {
    const auto whole = static_cast<int>(seconds);
    return whole < 100 ? fmt::format("{} s", whole) : fmt::format("{} min", (whole + 30) / 60);
}

}  // namespace

std::string text_of(const results::Devices& devices) {
    std::string text;
    for (const results::DeviceInfo& device : devices.devices) {
        text += fmt::format("{}  {}\n", device.id, device.name);
        const std::vector<std::pair<const char*, std::string>> facts{
            {"platform", fmt::format("{}, {}", device.platform, device.version)},
            {"driver", device.driver},
            {"language", device.c_version},
            {"kind", device.kind},
            {"compute units", fmt::format("{}", device.compute_units)},
            {"largest group", fmt::format("{} work-items", device.max_group)},
            {"local memory", catalogue::bytes_text(device.local_bytes) + " a group"},
            {"global memory", catalogue::bytes_text(device.global_bytes)},
            {"largest buffer", catalogue::bytes_text(device.largest_buffer)},
            {"cache", catalogue::bytes_text(device.cache_bytes)},
            {"timer", fmt::format("{} ns", device.timer_ns)},
            {"double", device.doubles ? "yes" : "no"},
            {"64-bit atomics", device.wide_atomics ? "yes" : "no"},
            {"sub-groups", device.sub_groups ? "yes" : "no"},
            {"group collectives", device.group_collectives ? "yes" : "no"}};
        for (const auto& [name, value] : facts)
            text += fmt::format("     {:<18} {}\n", name, value);
    }
    return text;
}

std::string text_of(const catalogue::Catalogue& catalogue) {
    std::vector<std::vector<std::string>> rows{{"id", "chapter", "title", "expected", "toggles"}};
    for (const catalogue::Variant& variant : catalogue.variants) {
        std::vector<std::string> toggles;
        for (const catalogue::Toggle& toggle : variant.toggles)
            toggles.push_back(fmt::format("{}={}", toggle.name, fmt::join(toggle.values, "|")));
        rows.push_back({variant.id, fmt::format("{} {}", variant.chapter, variant.order),
                        variant.title, variant.expect.text,
                        fmt::format("{}", fmt::join(toggles, " "))});
    }
    return table(rows, 5);
}

nlohmann::json json_of(const catalogue::Catalogue& catalogue) {
    nlohmann::json all = nlohmann::json::array();
    for (const catalogue::Variant& variant : catalogue.variants) {
        nlohmann::json toggles = nlohmann::json::array();
        for (const catalogue::Toggle& toggle : variant.toggles)
            toggles.push_back({{"name", toggle.name}, {"values", toggle.values}});
        nlohmann::json legal = nlohmann::json::array();
        for (const catalogue::Legal& of : variant.legal)
            legal.push_back(of.text);
        nlohmann::json needs = nlohmann::json::array();
        for (const catalogue::Needed& needed : variant.needs)
            needs.push_back(needed.text);
        all.push_back({{"id", variant.id},
                       {"after", variant.gain.after},
                       {"predicted", variant.gain.predicted},
                       {"predicted_with", variant.gain.set},
                       {"why", variant.gain.why},
                       {"title", variant.title},
                       {"chapter", variant.chapter},
                       {"order", variant.order},
                       {"origin", variant.origin},
                       {"teaches", variant.teaches},
                       {"expect", variant.expect.text},
                       {"plan", plan_word(variant.plan)},
                       {"legal", std::move(legal)},
                       {"needs", std::move(needs)},
                       {"toggles", std::move(toggles)},
                       {"file", variant.file.filename().string()}});
    }
    return {{"schema", 1}, {"variants", std::move(all)}, {"problems", catalogue.problems}};
}

namespace {

// "launch 1", "launch 1, pass 2".
std::string pass_name(const analysis::Row& pass) {
    if (pass.launch == 0) return "start";
    if (pass.number == 0) return fmt::format("launch {}", pass.launch);
    return fmt::format("launch {}, pass {}", pass.launch, pass.number);
}

// The reads that took another round's value.
std::string stale_text(const analysis::StepTable& steps) {
    constexpr std::size_t kMostShown = 12;
    std::string text;
    std::size_t shown = 0;
    for (const analysis::Row& pass : steps.rows)
        for (const analysis::StaleValue& value : pass.stale) {
            if (++shown > kMostShown) continue;
            const std::string missed = text_of(value.missed);
            const std::string in_pass =
                value.pass > 0 ? fmt::format(" in pass {}", value.pass) : std::string();
            text += fmt::format("* {}: work-item {} read {}[{}] as {} in line {}, ",
                                pass_name(pass), steps.item_name(value.item), value.array,
                                value.cell, text_of(value.took), value.line);
            text +=
                value.update ? fmt::format(
                                   "and wrote it back after work-item {} had made it {}{} "
                                   "(line {})\n",
                                   steps.item_name(value.writer), missed, in_pass, value.write_line)
                : value.too_new
                    ? fmt::format("not {}: work-item {} had written already{} (line {})\n", missed,
                                  steps.item_name(value.writer), in_pass, value.write_line)
                    : fmt::format("before work-item {} wrote {}{} (line {})\n",
                                  steps.item_name(value.writer), missed, in_pass, value.write_line);
        }
    if (shown > kMostShown) text += fmt::format("* and {} more stale reads\n", shown - kMostShown);
    return text;
}

std::string verdict(const analysis::StepTable& steps) {
    if (!steps.fault.empty())
        return fmt::format(
            "no result: {}{}\n", steps.fault,
            steps.expected.empty() ? "" : fmt::format(" ({} expected)", steps.expected));
    if (steps.result.empty()) return {};
    if (!steps.right)
        return fmt::format("result {}, WRONG: {} expected\n", steps.result, steps.expected);
    const Exactness& near = steps.exactness;
    const char* parts = steps.parts ? " in all parts together" : "";
    switch (near.kind) {
        case Exactness::Kind::exact:
            return fmt::format("result {}{}, right\n", steps.result, parts);
        case Exactness::Kind::within:
            return fmt::format("result {}{}, right: within the bound of {} of the exact {}\n",
                               steps.result, parts, near.bound, near.value);
        case Exactness::Kind::no_digit:
            return fmt::format(
                "result {}{}, within the bound of {} of the exact {}: no digit can be relied on\n",
                steps.result, parts, near.bound, near.value);
        case Exactness::Kind::left_range:
            return fmt::format(
                "result {}{}, allowed: an order may leave the range of {}; the exact "
                "value is {}\n",
                steps.result, parts, steps.type, near.value);
        case Exactness::Kind::wrapped:
            return fmt::format("result {}{}, right in {}, but wrapped: the exact value is {}\n",
                               steps.result, parts, steps.type, near.value);
    }
    return {};
}

}  // namespace

std::string text_of(const analysis::StepTable& steps) {
    const NDRange& range = steps.space.range();
    std::string text = fmt::format(
        "{}, {} elements in groups of {}, {}{}on {}\n", steps.variant, steps.n,
        range.dims > 1 ? size_text(range.local, range.dims) : std::to_string(steps.group), steps.op,
        steps.op.empty() ? "" : fmt::format(", {}, ", steps.type), steps.device);
    const bool arrays = std::any_of(steps.rows.begin(), steps.rows.end(),
                                    [](const analysis::Row& pass) { return !pass.array.empty(); });
    std::vector<std::vector<std::string>> rows;
    for (const analysis::Row& pass : steps.rows) {
        if (pass.skipped > 0) rows.push_back({fmt::format("… {} more", pass.skipped), ""});
        std::vector<std::string> row{pass_name(pass), pass.variables};
        if (arrays) row.push_back(pass.array);
        for (const analysis::Cell& cell : pass.cells)
            row.push_back(text_of(cell.value) + (cell.stale ? "*" : ""));
        rows.push_back(std::move(row));
    }
    text += table(rows, arrays ? 3 : 2);
    if (!steps.stale_known) text += "Stale reads were not all looked for in so long a run\n";
    if (!steps.note.empty()) text += steps.note + '\n';
    return text + stale_text(steps) + verdict(steps);
}

void warn(const Problem& problem) {
    std::cerr << "problem: " << problem.text() << '\n';
}

OnProgress progress_line(const std::string& unit) {
    if (isatty(STDERR_FILENO) == 0) return {};
    return [unit](const nlohmann::json& object) {
        const std::size_t done = object.value("done", std::size_t{0});
        const std::size_t total = object.value("total", std::size_t{0});
        const double left = object.value("seconds_left", 0.0);
        std::string line = fmt::format("{} of {} {}", done, total, unit);
        if (left >= 1) line += fmt::format(", about {} left", duration_text(left));
        std::cerr << fmt::format("\r{:<60}{}", line, done == total ? "\n" : "") << std::flush;
    };
}

}  // namespace lab::cli
