#include "cli/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>

#include "analysis/memory_traffic.h"
#include "analysis/warps.h"
#include "base/problem.h"
#include "base/ranges.h"
#include "base/text.h"
#include "catalogue/number.h"
#include "lang/code.h"
#include "lang/source.h"

namespace lab::cli {

using Table = std::vector<std::vector<std::string>>;

static std::string table(const Table& rows, std::size_t left) {
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
    Table rows{{"id", "chapter", "title", "expected", "toggles"}};
    for (const catalogue::Kernel& variant : catalogue.variants) {
        std::vector<std::string> toggles;
        for (const catalogue::Toggle& toggle : variant.toggles)
            toggles.push_back(fmt::format("{}={}", toggle.name, fmt::join(toggle.values, "|")));
        rows.push_back({variant.id, fmt::format("{} {}", variant.chapter, variant.order),
                        variant.title, variant.plan.expect.text,
                        fmt::format("{}", fmt::join(toggles, " "))});
    }
    return table(rows, 5);
}

nlohmann::json json_of(const catalogue::Catalogue& catalogue) {
    nlohmann::json all = nlohmann::json::array();
    for (const catalogue::Kernel& variant : catalogue.variants) {
        nlohmann::json toggles = nlohmann::json::array();
        for (const catalogue::Toggle& toggle : variant.toggles)
            toggles.push_back({{"name", toggle.name}, {"values", toggle.values}});
        const char* plan = catalogue::kPlanKinds.at(static_cast<std::size_t>(variant.plan.kind));
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
                       {"expect", variant.plan.expect.text},
                       {"plan", plan},
                       {"legal", mapped<std::string>(variant.plan.legal, &catalogue::Legal::text)},
                       {"needs", mapped<std::string>(variant.needs, &catalogue::Needed::text)},
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
    constexpr std::size_t kMostShown = 12;  // stale reads printed; the rest are counted
    std::string text;
    std::size_t shown = 0;
    for (const analysis::Row& pass : steps.rows)
        for (const analysis::StaleValue& value : pass.stale) {
            if (++shown > kMostShown) continue;
            const std::string missed = text_of(value.missed);
            const std::string in_pass =
                value.pass > 0 ? fmt::format(" in pass {}", value.pass) : std::string();
            text += fmt::format("* {}: work-item {} read {} as {} in line {}, ", pass_name(pass),
                                steps.item_name(value.item), value.cell_name(), text_of(value.took),
                                value.line);
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

// What follows a right result, of bound 0, exact value 1 and type 2; in the order of
// Exactness::Kind.
constexpr std::array<const char*, 5> kExactness{
    "right", "right: within the bound of {0} of the exact {1}",
    "within the bound of {0} of the exact {1}: no digit can be relied on",
    "allowed: an order may leave the range of {2}; the exact value is {1}",
    "right in {2}, but wrapped: the exact value is {1}"};

std::string verdict(const analysis::StepTable& steps) {
    if (!steps.fault.empty())
        return fmt::format(
            "no result: {}{}\n", steps.fault,
            steps.expected.empty() ? "" : fmt::format(" ({} expected)", steps.expected));
    if (steps.expected.empty()) return {};
    if (!steps.right)
        return fmt::format("result {}, WRONG: {} expected\n", steps.result, steps.expected);
    const Exactness& near = steps.exactness;
    const char* how = kExactness[static_cast<std::size_t>(near.kind)];
    return fmt::format("result {}{}, {}\n", steps.result,
                       steps.parts ? " in all parts together" : "",
                       fmt::format(fmt::runtime(how), near.bound, near.value, steps.type));
}

}  // namespace

std::string text_of(const analysis::StepTable& steps) {
    const NDRange& range = steps.space.range();
    std::string text = fmt::format(
        "{}, {} elements in groups of {}, {}{}on {}\n", steps.variant, steps.n,
        range.dims > 1 ? size_text(range.local, range.dims) : std::to_string(steps.group), steps.op,
        steps.op.empty() ? "" : fmt::format(", {}, ", steps.type), steps.device);
    const bool arrays = any_of(steps.rows, [](const auto& pass) { return !pass.array.empty(); });
    Table rows;
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

// What measure prints of rows over several devices: the parts, and how close all come to linear.
namespace {

// Of a results::Row or a DocumentFigure.
template <typename Row>
std::string variant_text(const Row& row) {
    const std::string set = catalogue::settings_text(row.set);
    return set.empty() ? row.variant : row.variant + " " + set;
}

void add_parts(const results::Row& row, Table& lines) {
    for (const results::RowPart& part : row.parts) {
        // "512 K=4": work-items per group, and the toggles that nobody asked for.
        const std::string chosen = catalogue::settings_text(part.chosen);
        const std::string shape =
            fmt::format("{}{}{}", part.group, chosen.empty() ? "" : " ", chosen);
        lines.push_back({variant_text(row), catalogue::size_text(row.n), part.device, part.name,
                         catalogue::size_text(part.n), shape,
                         catalogue::figure_text(results::median(part.device_ms)),
                         catalogue::figure_text(results::median(part.alone_device_ms)),
                         catalogue::figure_text(results::median(part.alone_wall_ms))});
    }
}

double slowest(const results::Row& row, std::vector<double> results::RowPart::*alone) {
    double longest = 0;
    for (const results::RowPart& part : row.parts)
        longest = std::max(longest, results::median(part.*alone));
    return longest;
}

// "98.1 % of linear by the devices' clocks (1.99 ms together, 1.95 ms the slowest alone)"
std::string linear_text(const std::optional<double>& efficiency, double together, double alone,
                        const char* clock) {
    if (!efficiency) return fmt::format("nothing by {}", clock);
    return fmt::format("{:.1f} % of linear by {} ({} ms together, {} ms the slowest alone)",
                       *efficiency * 100, clock, catalogue::figure_text(together),
                       catalogue::figure_text(alone));
}

std::string row_text(const results::Row& row) {
    return fmt::format(
        "{}, n = {} on {}: {}; {}\n", variant_text(row), catalogue::size_text(row.n),
        counted_text(row.parts.size(), "device"),
        linear_text(row.device_efficiency(), results::median(row.device_ms),
                    slowest(row, &results::RowPart::alone_device_ms), "the devices' clocks"),
        linear_text(row.wall_efficiency(), row.wall_median(),
                    slowest(row, &results::RowPart::alone_wall_ms), "the wall's"));
}

std::string devices_text(const results::Measurements& measurements) {
    Table lines{
        {"variant", "n", "device", "name", "its n", "group", "ms", "alone ms", "alone wall ms"}};
    std::string rows;
    for (const results::Row& row : measurements.rows) {
        add_parts(row, lines);
        if (!row.parts.empty()) rows += row_text(row);
    }
    if (rows.empty()) return {};
    return "\nThe devices' parts, all at once and each alone:\n" + table(lines, 4) + rows +
           "The devices have no clock in common: together is the longest of their own times. "
           "Only the wall's\nclock shows whether they took turns; the host's part is in it.\n";
}

// What measure, check and trials print.
std::string verdict_of(const results::Row& row) {
    if (!row.right) {
        const std::string wrong = fmt::format("WRONG: {} for {}", row.result, row.expected);
        return row.expect == "races" ? wrong + ", as expected of it" : wrong;
    }
    if (row.expect == "unknown")
        return row.expected.empty()         ? "right result not known"
               : row.expected == row.result ? "not known; as on the simulator"
                                            : fmt::format("not known; the simulator has {}, not {}",
                                                          row.expected, row.result);
    if (row.kind == "ceiling") return "all read";
    const std::string wrapped =
        row.exact.empty() ? "" : fmt::format(", but wrapped: the exact value is {}", row.exact);
    if (row.expect == "partial") return "right, a part of the work" + wrapped;
    if (row.expect == "races") return "right this time, but it races" + wrapped;
    return "right" + wrapped;
}

const char* source_words(const std::string& chosen_by) {
    return chosen_by == "table"    ? "the table in its header"
           : chosen_by == "kept"   ? "a search that was kept"
           : chosen_by == "search" ? "a search just now"
           : chosen_by == "mixed"  ? "tables and searches"
                                   : "";
}

// One line for each variant and launch shape that was chosen for it, with the sizes it was for.
std::string shape_lines(const results::Measurements& measurements) {
    std::vector<std::pair<std::string, std::vector<std::string>>> shapes;
    for (const results::Row& row : measurements.rows) {
        if (row.chosen_by.empty()) continue;
        const std::string what =
            row.parts.empty()
                ? fmt::format("{} ran with {}, by {}", row.variant,
                              catalogue::settings_text(row.chosen), source_words(row.chosen_by))
                : fmt::format("{} ran on each device as its part says, by {}", row.variant,
                              source_words(row.chosen_by));
        if (auto* same = find_if(shapes, [&](const auto& of) { return of.first == what; }))
            same->second.push_back(catalogue::size_text(row.n));
        else
            shapes.push_back({what, {catalogue::size_text(row.n)}});
    }
    std::string lines;
    for (const auto& [what, sizes] : shapes)
        lines += fmt::format("{} (n = {})\n", what, fmt::join(sizes, ", "));
    return lines;
}

}  // namespace

std::string text_of(const results::Measurements& measurements) {
    Table rows{{"variant", "n", "cache", "group", "runs", "ms", "±%", "wall ms", "GB/s", "error",
                "checked"}};
    for (const results::Row& row : measurements.rows) {
        const results::Summary ms = row.summary();
        rows.push_back({variant_text(row), catalogue::size_text(row.n), row.cache,
                        row.group == 0 ? "" : std::to_string(row.group),
                        std::to_string(row.samples_ms().size()), catalogue::figure_text(ms.median),
                        ms.precision ? fmt::format("{:.1f}", *ms.precision * 100) : "-",
                        catalogue::figure_text(row.wall_median()),
                        catalogue::figure_text(row.gigabytes_per_second()),
                        row.expect == "unknown" ? "-" : fmt::format("{:.1e}", row.error),
                        verdict_of(row)});
    }
    const std::string work = measurements.op.empty()
                                 ? "a kernel of one's own, GB/s of the bytes of its buffers"
                                 : fmt::format("{} of {}, input {}", measurements.op,
                                               measurements.type, measurements.input);
    const std::string how = measurements.repeat > 0
                                ? fmt::format("{} runs a row", measurements.repeat)
                                : fmt::format("runs until ±{:.3g} % or {} s",
                                              measurements.precision * 100, measurements.limit_s);
    std::string text = fmt::format("{}, {}; medians, {}{}\n", measurements.device.name, work, how,
                                   measurements.complete ? "" : "; NOT COMPLETE");
    text += table(rows, 1) + shape_lines(measurements);
    for (const std::string& line : measurements.skipped)
        text += fmt::format("left out: {}\n", line);
    text += devices_text(measurements);
    for (const std::string& note : measurements.notes)
        text += fmt::format("note: {}\n", note);
    return text;
}

std::string documents_text(const results::Measurements& measurements,
                           const std::vector<results::DocumentFigure>& figures) {
    if (!comparable_with_documents(measurements)) return "";
    Table rows{{"variant", "document", "its hardware", "n", "group", "ms"}};
    for (const results::DocumentFigure& figure : figures) {
        const auto same = [&](const results::Row& row) { return row.variant == figure.variant; };
        if (none_of(measurements.rows, same)) continue;
        rows.push_back({variant_text(figure), figure.document, figure.hardware,
                        catalogue::size_text(figure.n),
                        figure.group == 0 ? "" : std::to_string(figure.group),
                        catalogue::figure_text(figure.ms)});
    }
    if (rows.size() == 1) return "";
    return "\nFor comparison, what the five texts that the lessons follow (A to E) measured on "
           "their own hardware and sizes:\n" +
           table(rows, 3);
}

// The machine runs the same text by the book.
static std::string machine_text(const results::CheckCase& check_case) {
    if (check_case.machine.empty()) return {};
    if (check_case.machine == check_case.expected)
        return "; the machine gets it right, so the device or its compiler is at fault";
    return fmt::format("; the machine gives {}", check_case.machine);
}

// What was compared with the machine, and what was not.
static std::string passes_text(const results::CheckReport& report) {
    std::uint64_t raced = 0, plain = 0;
    std::map<std::string, std::uint64_t> left;
    for (const results::CheckLine& line : report.lines) {
        raced += line.passes_raced;
        plain += line.passes_plain;
        if (line.passes_left > 0) left[line.why_left] += line.passes_left;
    }
    std::string text = fmt::format("{} passes compared with the machine", report.passes());
    if (raced > 0) text += fmt::format("; {} cases left out that race", raced);
    for (const auto& [why, count] : left)
        text += fmt::format("; {} left out: {}", count, why);
    if (plain > 0)
        text += fmt::format("; {} without optimisation: with it the compiler gets the copies wrong",
                            plain);
    return text + '\n';
}

std::string text_of(const results::CheckReport& report) {
    Table rows{{"variant", "setting", "expected", "cases", "right", "raced", "WRONG", "not legal",
                "not co-resident", "not run", "passes", "DIFFER", "verdict"}};
    for (const results::CheckLine& line : report.lines) {
        const auto count = [](std::uint64_t n) { return n == 0 ? "." : std::to_string(n); };
        std::string verdict = line.passed() ? "ok" : "FAILED";
        if (line.cases == 0 && line.passed())
            verdict = line.lacks.empty() ? "nothing ran" : "not offered: " + line.lacks;
        if (line.races > 0) verdict = "broken, as expected";
        if (line.cases > 0 && !line.lacks.empty()) verdict += ", in part: " + line.lacks;
        if (!line.passed()) verdict = "FAILED";
        rows.push_back({line.variant, catalogue::settings_text(line.set), line.expect,
                        count(line.cases), count(line.right), count(line.races), count(line.wrong),
                        count(line.illegal), count(line.stuck), count(line.not_run),
                        count(line.passes), count(line.differences.size()), verdict});
    }
    std::string text =
        fmt::format("{}, driver {}\n", report.device, report.driver) + table(rows, 3);
    for (const results::CheckLine& line : report.lines) {
        for (const results::CheckCase& check_case : line.examples)
            if (line.wrong > 0)
                text +=
                    fmt::format("WRONG: {} {}, {} of {}, n = {}, group {}: {} for {}{}\n",
                                line.variant, catalogue::settings_text(line.set), check_case.op,
                                check_case.type, check_case.n, check_case.group, check_case.result,
                                check_case.expected, machine_text(check_case));
        for (const results::PassDifference& difference : line.differences)
            text += fmt::format("DIFFERS: {} {}, {} of {}, n = {}, group {}: {}\n", line.variant,
                                catalogue::settings_text(line.set), difference.op, difference.type,
                                difference.n, difference.group, text_of(difference));
        for (const Problem& problem : line.problems)
            text += fmt::format("{}: {}\n", line.variant, problem.text());
    }
    text += passes_text(report);
    const std::uint64_t not_run = sum_of(report.lines, [](const results::CheckLine& line) {
        return line.lacks.empty() ? line.not_run : 0;
    });
    text += report.passed()   ? "all as the headers promise"
            : report.complete ? "NOT as the headers promise"
                              : "NOT COMPLETE";
    text += not_run > 0 ? fmt::format("; {} cases not run, see --limit\n", not_run) : "\n";
    return text;
}

// What the machine says can be, and what of it did not come.
static std::string prediction_text(const results::Trials& trials) {
    const std::size_t most = trials.launch.empty() ? 12 : 3;  // contents of buffers are long
    const results::Prediction& prediction = trials.predicted;
    if (!prediction.why_not.empty())
        return fmt::format("nothing predicted: {}\n", prediction.why_not);
    std::vector<std::string> missing;
    for (const std::string& result : prediction.results) {
        const auto seen = [&](const results::TrialResult& each) { return each.result == result; };
        if (none_of(trials.results, seen)) missing.push_back(shortened(result));
    }
    std::string text = fmt::format("predicted by the machine, {}: {}",
                                   prediction.complete ? "complete" : "INCOMPLETE",
                                   counted_text(prediction.results.size(), "result"));
    if (!missing.empty()) {
        const std::size_t shown = std::min(missing.size(), most);
        text += fmt::format(
            ", of which did not come: {}{}",
            fmt::join(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
            missing.size() > shown ? fmt::format(" and {} more", missing.size() - shown) : "");
    }
    text += '\n';
    for (const std::string& read : prediction.unwritten)
        text += fmt::format("{}: what chance left there may give any result\n", read);
    for (const std::string& fault : prediction.faults)
        text += fmt::format("predicted as well: {}\n", fault);
    const std::vector<std::string> news = trials.unforeseen();
    if (!news.empty())
        text += fmt::format(
            "NEWS: {} cannot come out of this text in any order of its work-items: memory that a "
            "race leaves free to be less orderly, or a mistake of the compiler, the device, or the "
            "machine\n",
            fmt::join(news, ", "));
    return text;
}

std::string heading(const results::DeviceRuns& of) {
    if (!of.launch.empty()) return fmt::format("{}, {}, on {}\n", of.variant, of.launch, of.device);
    return fmt::format("{} {}, {} elements in {} groups of {}, {} of {}, on {}\n", of.variant,
                       catalogue::settings_text(of.set), of.n, of.groups, of.group, of.op, of.type,
                       of.device);
}

std::string shortened(const std::string& result) {
    constexpr std::size_t kMostShown = 400;  // bytes of a result in a table; … stands for the rest
    if (result.size() <= kMostShown) return result;
    return result.substr(0, result.rfind(' ', kMostShown)) + " …";
}

std::string text_of(const results::Trials& trials) {
    constexpr std::size_t kShown = 20;
    constexpr std::uint64_t kBar = 40;
    const bool own = !trials.launch.empty();
    std::string text = heading(trials);
    text += own ? fmt::format("{} runs; the simulator in its usual order has {}\n", trials.count,
                              shortened(trials.expected))
                : fmt::format("{} runs, expected {} ({})\n", trials.count, trials.expected,
                              trials.expect);
    const char* right = own ? "the same" : "right";
    const char* wrong = own ? "OTHERWISE" : "WRONG";
    const std::vector<std::string> news = trials.unforeseen();
    const auto bar = [](char sign, std::uint64_t count, std::uint64_t all) {
        return std::string(all == 0 ? 0 : (count * kBar + all - 1) / all, sign);
    };
    Table rows;
    std::size_t shown = 0;
    for (const results::TrialResult& result : trials.results) {
        if (shown++ == kShown) break;
        rows.push_back({bar('#', result.count, trials.count), result.right ? right : wrong,
                        contains(news, result.result)                       ? "NOT PREDICTED"
                        : contains(trials.predicted.results, result.result) ? "predicted"
                                                                            : "",
                        shortened(result.result), std::to_string(result.count)});
        if (trials.delays)
            rows.push_back({bar('~', result.delayed, trials.delayed), "", "with delays", "",
                            std::to_string(result.delayed)});
    }
    text += table(rows, 3);
    if (trials.results.size() > kShown)
        text += fmt::format("and {} other results\n", trials.results.size() - kShown);
    text += fmt::format("{} in {} of {} runs, {} different results\n", right, trials.right(),
                        trials.count, trials.results.size());
    if (trials.delays)
        text += fmt::format("with delays (seed {}; ~): {} in {} of {} runs\n", *trials.delays,
                            right, trials.delayed_right(), trials.delayed);
    return text + prediction_text(trials);
}

// The first cell that differs.
static std::string difference(const analysis::DeviceComparison& witness) {
    const std::size_t row = witness.agreement.row;
    std::string where = fmt::format("row {}", row);
    if (witness.rows && row < witness.rows->rows.size()) {
        const analysis::Row& pass = witness.rows->rows[row];
        where = fmt::format("launch {}", pass.launch);
        if (pass.number > 0) where += fmt::format(", pass {}", pass.number);
        if (!pass.array.empty()) where += fmt::format(", {}", pass.array);
    }
    return fmt::format("{}, cell {}: {} there, {} here", where, witness.agreement.cell,
                       witness.agreement.device, witness.agreement.machine);
}

static std::string compared(const analysis::DeviceComparison& witness) {
    const bool rounds = witness.agreement.kind == analysis::Agreement::Kind::rounding;
    return counted_text(witness.agreement.rows, "row") + " compared" +
           (rounds ? ", equal up to rounding" : "");
}

std::string text_of(const analysis::DeviceComparison& witness) {
    using Verdict = analysis::DeviceComparison::Verdict;
    const std::string note = witness.note.empty() ? std::string() : witness.note + '\n';
    switch (witness.verdict) {
        case Verdict::absent: {
            std::string text = witness.why.empty()
                                   ? std::string()
                                   : fmt::format("not compared with a device: {}\n", witness.why);
            if (witness.origin == analysis::DeviceComparison::Origin::goes_wrong)
                text += "This order was looked for: it goes wrong\n";
            return text;
        }
        case Verdict::unknown:
            return fmt::format("{} tells of no row that is shown here; its result is {}\n{}",
                               witness.device, witness.result, note);
        case Verdict::same:
            return witness.origin == analysis::DeviceComparison::Origin::device
                       ? fmt::format("as on your device: {}, {}\n{}", witness.device,
                                     compared(witness), note)
                       : fmt::format("the same on {}: {}\n{}", witness.device, compared(witness),
                                     note);
        case Verdict::lucky:
            return fmt::format(
                "{} got {} this time, which is right; shown is an order that goes wrong\n{}",
                witness.device, witness.result, note);
        case Verdict::explained:
            return fmt::format(
                "{} went another way ({}).\nAnother order gives its rows: step without --order "
                "shows it\n{}",
                witness.device, difference(witness), note);
        case Verdict::unexplained:
            return fmt::format(
                "{} DIFFERS, {} ({}).\n{}\n{}", witness.device,
                witness.complete ? "and no order gives what it has"
                                 : "and no order was found that gives what it has",
                difference(witness),
                witness.complete ? "Its memory is less orderly, as a race allows, or the text has "
                                   "a value that C leaves open, or its compiler or driver has a "
                                   "mistake, or the simulator has"
                                 : "Not all orders were tried: there may be one; or the text has a "
                                   "value that C leaves open, or its compiler or driver has a "
                                   "mistake",
                note);
    }
    return {};
}

std::string text_of(const analysis::StepTable& table,
                    const std::vector<analysis::BufferContents>& buffers) {
    constexpr std::size_t kMostShown =
        64;  // elements of a buffer that are printed; … stands for the rest
    std::string text = table.rows.size() > 1 ? cli::text_of(table) : std::string();
    for (const auto& buffer : buffers) {
        const std::size_t shown = std::min(buffer.values.size(), kMostShown);
        text +=
            fmt::format("{} ({}{}){}: {}{}\n", buffer.name, buffer.type,
                        buffer.scalar ? "" : fmt::format("[{}]", buffer.values.size()),
                        buffer.written ? "" : ", unchanged",
                        fmt::join(buffer.values.begin(),
                                  buffer.values.begin() + static_cast<std::ptrdiff_t>(shown), " "),
                        shown < buffer.values.size() ? " …" : "");
    }
    return text;
}

namespace {

using machine::Machine;

// The parts of "buf/1[3].sum@57".
struct CellWords {
    std::string name;
    std::optional<std::uint64_t> group, time;
    std::string within;  // "[3].sum"; empty of a scalar
};

[[noreturn]] void bad_cell(const std::string& text, const std::string& what, const std::string& why,
                           const std::string& hint) {
    throw Problem(what, why, hint, "--cell " + text);
}

CellWords words_of(const std::string& text) {
    static const std::regex kForm(
        R"(([^\[\]/@.]+)(?:/(\d{1,9}))?((?:\[\d{1,15}\]|\.\w+)*)(?:@(\d{1,15}))?)");
    std::smatch found;
    if (!std::regex_match(text, found, kForm))
        bad_cell(
            text, fmt::format("'{}' is not a cell", text),
            "A cell is an array and an index, for local memory with its group, and with a time "
            "behind @ if it is not the end",
            "Write data[3], data[3]@57, buf/1[3]@57 or pairs/1[3].sum");
    const auto number = [&](std::size_t i) -> std::optional<std::uint64_t> {
        if (!found[i].matched) return std::nullopt;
        return std::stoull(found[i].str());
    };
    return {found[1].str(), number(2), number(4), found[3].str()};
}

// The names of all arrays that cells can be asked of.
std::string array_names(const machine::Run& run) {
    std::vector<std::string> names;
    const Machine& machine = run.machine();
    for (std::size_t i = 0; i < machine.job().buffers.size(); ++i)
        names.push_back(analysis::buffer_name(machine, i));
    const machine::Context& context = machine.context(0);
    for (std::size_t i = 1; i <= context.visible; ++i)
        if (context.objects[i].space == machine::Space::local)
            names.push_back(context.objects[i].name + "/0");
    return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void no_array(const std::string& text, const CellWords& words,
                           const machine::Run& run) {
    bad_cell(text,
             fmt::format("There is no {} '{}'", words.group ? "local array" : "buffer", words.name),
             words.group ? "" : "Of a local array the group must be told, too",
             "Arrays are " + array_names(run));
}

std::uint64_t index_of(const std::string& text, const CellWords& words,
                       const lang::ArrayShape& shape, std::uint64_t count) {
    const auto found = shape.index_of(words.within);
    if (found && *found < count) return *found;
    if (words.within.empty() && count == shape.element) return 0;  // of an array of one
    if (shape.is_plain() && words.within.empty())
        bad_cell(text, fmt::format("'{}' has several elements", words.name), "",
                 fmt::format("Write {}[0]", words.name));
    bad_cell(text,
             fmt::format("'{}' has no element {}", words.name,
                         shape.is_plain() ? words.within.substr(1, words.within.find(']') - 1)
                                          : words.within),
             shape.is_plain() ? fmt::format("It has {}, counted from 0", count)
                              : fmt::format("Its last is {}{}", words.name, shape.at(count - 1)),
             "Choose one of them");
}

// A local array of the only group needs no group beside its name.
bool is_of_only_group(const CellWords& words, const Machine& machine) {
    bool local = false;
    for (std::uint32_t launch = 0; launch < machine.job().launches.size(); ++launch) {
        const machine::Context& context = machine.context(launch);
        if (context.groups != 1) return false;
        for (std::uint32_t i = 1; i <= context.visible; ++i)
            local = local || (context.objects[i].space == machine::Space::local &&
                              context.objects[i].name == words.name);
    }
    for (std::size_t i = 0; i < machine.job().buffers.size(); ++i)
        if (analysis::buffer_name(machine, i) == words.name) return false;
    return local;
}

CellAt global_cell(const std::string& text, const CellWords& words, const machine::Run& run) {
    const auto& buffers = run.machine().job().buffers;
    for (std::uint32_t i = 0; i < buffers.size(); ++i) {
        if (analysis::buffer_name(run.machine(), i) != words.name) continue;
        const std::uint64_t index = index_of(
            text, words, buffers[i].shape, buffers[i].bytes / lang::info(buffers[i].element).bytes);
        return {{false, 0, 0, i, index}, words.time.value_or(run.trace().size())};
    }
    no_array(text, words, run);
}

// Between the first and the last action of a group, its local memory is there.
std::optional<std::pair<std::uint64_t, std::uint64_t>> stay_of(const machine::Run& run,
                                                               std::uint32_t launch,
                                                               std::uint32_t group) {
    std::optional<std::pair<std::uint64_t, std::uint64_t>> stay;
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        const machine::Action& action = run.trace().action(time);
        if (action.launch == launch && action.group == group)
            stay = std::pair(stay ? stay->first : time, time);
    }
    return stay;
}

CellAt local_cell(const std::string& text, const CellWords& words, const machine::Run& run) {
    const Machine& machine = run.machine();
    // At a time: of the launch that is on then. Else of the last one that has such a group.
    const std::uint64_t actions = run.trace().size();
    std::uint32_t first = 0, end = static_cast<std::uint32_t>(machine.job().launches.size());
    if (words.time && actions > 0) {
        first = run.trace().action(std::min(*words.time, actions - 1)).launch;
        end = first + 1;
    }
    const auto group = static_cast<std::uint32_t>(*words.group);
    bool known = false;
    for (std::uint32_t launch = end; launch-- > first;) {
        const machine::Context& context = machine.context(launch);
        for (std::uint32_t i = 1; i <= context.visible; ++i) {
            const machine::ObjectInfo& object = context.objects[i];
            if (object.space != machine::Space::local || object.name != words.name) continue;
            known = true;
            const std::uint64_t index =
                index_of(text, words, object.shape, object.bytes / object.unit());
            const auto stay = stay_of(run, launch, group);
            if (!stay) break;
            const auto [begin, last] = *stay;
            const std::uint64_t time = words.time.value_or(last);
            if (time < begin || time > last)
                bad_cell(text, fmt::format("Group {} does not run after {} actions", group, time),
                         "Local memory is there as long as its group",
                         fmt::format("Choose a time from {} to {}", begin, last));
            return {{true, launch, group, i, index}, time};
        }
    }
    if (!known) no_array(text, words, run);
    bad_cell(
        text, fmt::format("There is no group {} that did anything then", group), "",
        fmt::format("Groups count from 0; the first launch has {}", machine.context(0).groups));
}

}  // namespace

CellAt parse_cell(const std::string& text, const machine::Run& run) {
    CellWords words = words_of(text);
    if (!words.group && is_of_only_group(words, run.machine())) words.group = 0;
    if (words.time && *words.time > run.trace().size())
        bad_cell(text, fmt::format("There is no time {}", *words.time),
                 fmt::format("The run has {} actions", run.trace().size()),
                 fmt::format("Choose a time from 0 to {}", run.trace().size()));
    return words.group ? local_cell(text, words, run) : global_cell(text, words, run);
}

namespace {

using analysis::ResultLineage;
using analysis::Simulation;
using nlohmann::json;

constexpr std::size_t kMostNames = 8;       // inputs, or stretches, in a list; the rest are counted
constexpr std::size_t kMostTreeLines = 64;  // lines of a tree; the rest are counted
constexpr std::size_t kMostTrees = 16;      // cells of a result; the rest are counted
constexpr std::size_t kFewestInARow = 4;

// Of an Ingredient or a machine::Origin.
template <typename Input>
std::string input_name(const Machine& machine, const Input& input) {
    return text_of(machine, analysis::MemoryCell{false, 0, 0, input.buffer, input.index});
}

// "data[0], data[2], data[4] to data[9] and 12 others".
std::string names_text(const Machine& machine, const std::vector<analysis::Ingredient>& inputs) {
    std::vector<std::string> names;
    std::size_t named = 0;
    while (named < inputs.size() && names.size() < kMostNames) {
        const auto name = [&](std::size_t i) { return input_name(machine, inputs[i]); };
        std::size_t end = named + 1;
        while (end < inputs.size() && inputs[end].buffer == inputs[named].buffer &&
               inputs[end].index == inputs[end - 1].index + 1)
            ++end;
        if (end - named >= kFewestInARow) {
            names.push_back(fmt::format("{} to {}", name(named), name(end - 1)));
            named = end;
        } else {
            names.push_back(name(named++));
        }
    }
    const std::size_t others = inputs.size() - named;
    return fmt::format("{}{}", fmt::join(names, ", "),
                       others == 0   ? ""
                       : others == 1 ? " and one other"
                                     : fmt::format(" and {} others", others));
}

std::string times_text(std::uint64_t times) {
    return times == 1                      ? "once"
           : times == 2                    ? "twice"
           : times == analysis::kCountless ? "countless times"
                                           : fmt::format("{} times", times);
}

const char* is_are(std::size_t count) {
    return count == 1 ? "is" : "are";
}

// "data[0] is in it twice"; where they differ "data[0], data[2] are in it 2 to 5 times each".
std::string repeated_text(const Machine& machine, const std::vector<analysis::Ingredient>& inputs) {
    const auto [least, most] =
        std::minmax_element(inputs.begin(), inputs.end(),
                            [](const analysis::Ingredient& a, const analysis::Ingredient& b) {
                                return a.times < b.times;
                            });
    const std::string times =
        least->times == most->times
            ? times_text(most->times)
            : fmt::format("{} to {} each", least->times, times_text(most->times));
    return fmt::format("{} {} in it {}", names_text(machine, inputs), is_are(inputs.size()), times);
}

std::string unwritten_text(std::uint64_t count) {
    return count == 1
               ? std::string("a value that nobody had written is in it")
               : fmt::format("{} values that nobody had written are in it",
                             count == analysis::kCountless ? "countless" : std::to_string(count));
}

std::string access_text(const analysis::AccessRef& ref) {
    return fmt::format("work-item {} in line {} (launch {}, pass {}, action {})", ref.item,
                       ref.line, ref.launch + 1, ref.pass, ref.time);
}

std::string loss_text(const Machine& machine, const analysis::Loss& loss) {
    const std::string cell = text_of(machine, loss.cell);
    const std::string stored =
        loss.stored ? ", stored by " + access_text(*loss.stored) : std::string(" from the start");
    switch (loss.kind) {
        case analysis::Loss::Kind::never_read:
            return "never read";
        case analysis::Loss::Kind::read_too_early:
            return fmt::format("{} read too early by {}, before it was stored there by {}", cell,
                               access_text(*loss.read), access_text(*loss.stored));
        case analysis::Loss::Kind::overwritten:
            return fmt::format("in {}{}, and overwritten by {}", cell, stored,
                               access_text(*loss.overwritten));
        case analysis::Loss::Kind::last_stored:
            return fmt::format("last seen in {}{}", cell, stored);
        case analysis::Loss::Kind::last_read:
            return fmt::format("last seen in {}, read by {}", cell, access_text(*loss.read));
    }
    return {};
}

// Inputs that were lost in the same way in one line.
std::string losses_text(const machine::Run& run, const ResultLineage& lineage) {
    const Machine& machine = run.machine();
    const std::vector<analysis::Loss> losses =
        losses_of(run, lineage.cells, lineage.account.missing);
    using Inputs = std::vector<analysis::Ingredient>;
    std::vector<std::pair<std::string, Inputs>> ways;  // in order of the first
    for (const analysis::Loss& loss : losses) {
        const std::string way = loss_text(machine, loss);
        auto* same = find_if(ways, [&](const auto& each) { return each.first == way; });
        (same != nullptr ? *same : ways.emplace_back(way, Inputs())).second.push_back(loss.input);
    }
    std::string text;
    for (const auto& [way, inputs] : ways)
        text += fmt::format("  lost {}: {}\n", names_text(machine, inputs), way);
    if (lineage.account.missing.size() > losses.size())
        text += fmt::format("  … and {} more were lost\n",
                            lineage.account.missing.size() - losses.size());
    return text;
}

std::string composition_text(const Machine& machine, const analysis::Composition& composition) {
    std::string text;
    std::map<std::uint64_t, std::vector<analysis::Ingredient>> by_times;
    for (const analysis::Ingredient& each : composition.inputs)
        by_times[each.times].push_back(each);
    for (const auto& [times, inputs] : by_times)
        text += fmt::format("  {} in it: {}\n", times_text(times), names_text(machine, inputs));
    if (composition.unwritten > 0)
        text += fmt::format("  {}\n", unwritten_text(composition.unwritten));
    if (composition.inputs.empty() && composition.unwritten == 0) text += "  no input is in it\n";
    return text;
}

std::string entry_text(const Machine& machine, const analysis::Ancestry::Entry& entry) {
    if (entry.node == machine::kUnwritten) return "nobody had written it";
    const std::string value = entry.value.empty() ? "in registers" : entry.value;
    if (entry.node == 0) return "no input";
    const machine::Origin& origin = machine.lineage()[entry.node];
    if (origin.is_input) return fmt::format("{} = {}", input_name(machine, origin), value);
    return value + (entry.cut ? " …" : "");
}

// Parts deeper indented, below what they went into.
std::string tree_text(const Machine& machine, const analysis::Ancestry& ancestry) {
    std::string text;
    std::vector<std::pair<std::size_t, std::size_t>> left{{0, 1}};  // entry, depth
    std::size_t lines = 0;
    for (; !left.empty() && lines < kMostTreeLines; ++lines) {
        const auto [at, depth] = left.back();
        left.pop_back();
        const analysis::Ancestry::Entry& entry = ancestry.entries[at];
        text += fmt::format("{:{}}{}\n", "", 2 * depth, entry_text(machine, entry));
        if (entry.left == 0) continue;
        left.emplace_back(entry.right, depth + 1);
        left.emplace_back(entry.left, depth + 1);
    }
    const std::uint64_t hidden = ancestry.left_out == analysis::kCountless
                                     ? analysis::kCountless
                                     : ancestry.left_out + ancestry.entries.size() - lines;
    if (hidden == analysis::kCountless)
        text += "  … and countless more\n";
    else if (hidden > 0)
        text += fmt::format("  … and {} more\n", hidden);
    return text;
}

std::string value_text(const analysis::CellContents& contents) {
    return contents.written ? lang::text_of(contents.bits, contents.type)
                            : std::string("nobody has written it");
}

json tree_json(const machine::Run& run, const analysis::CellContents& contents) {
    const analysis::Ancestry ancestry = analysis::ancestry_of(run, contents.node);
    return {{"tree", json_of(run.machine(), ancestry)},
            {"left_out", ancestry.left_out},
            {"value", contents.written ? json(value_text(contents)) : json()}};
}

json composition_json(const Machine& machine, const analysis::Composition& composition) {
    return {{"inputs", json_of(machine, composition.inputs)}, {"unwritten", composition.unwritten}};
}

analysis::Composition composition_of(const machine::Run& run,
                                     const analysis::CellContents& contents) {
    return analysis::composition_of(run.machine().lineage(), {&contents.node, 1});
}

std::string cell_text(machine::Run& run, const CellAt& cell_at) {
    const auto contents = contents_of(run.machine(), run.state_at(cell_at.time), cell_at.cell);
    if (!contents) return {};
    return fmt::format("\nlineage of {} after {} actions: {}\n{}{}",
                       text_of(run.machine(), cell_at.cell), cell_at.time, value_text(*contents),
                       composition_text(run.machine(), composition_of(run, *contents)),
                       tree_text(run.machine(), analysis::ancestry_of(run, contents->node)));
}

json cell_json(machine::Run& run, const CellAt& cell_at) {
    const auto contents = contents_of(run.machine(), run.state_at(cell_at.time), cell_at.cell);
    if (!contents) return nullptr;
    json object = tree_json(run, *contents);
    object["cell"] = text_of(run.machine(), cell_at.cell);
    object["time"] = cell_at.time;
    object.update(composition_json(run.machine(), composition_of(run, *contents)));
    return object;
}

std::string result_text(const Simulation& simulation) {
    const auto lineage = analysis::result_lineage(simulation);
    if (!lineage) return "\nlineage: no single result to ask about; ask for a --cell\n";
    const machine::Run& run = *simulation.run;
    std::string text = fmt::format("\nlineage of the result{}\n",
                                   lineage->cells.size() > 1 ? ", all parts together" : "");
    text += composition_text(run.machine(), lineage->composition);
    if (!lineage->account.missing.empty())
        text += fmt::format("  missing: {}\n", names_text(run.machine(), lineage->account.missing));
    text += losses_text(run, *lineage);
    const std::size_t shown = std::min(kMostTrees, lineage->cells.size());
    for (const analysis::MemoryCell& cell : std::span(lineage->cells).first(shown)) {
        const auto contents = contents_of(run.machine(), run.end(), cell);
        if (!contents) continue;
        text += text_of(run.machine(), cell) + "\n";
        text += tree_text(run.machine(), analysis::ancestry_of(run, contents->node));
    }
    if (shown < lineage->cells.size())
        text += fmt::format("… and {} more parts\n", lineage->cells.size() - shown);
    return text;
}

json result_json(const Simulation& simulation) {
    const auto lineage = analysis::result_lineage(simulation);
    if (!lineage) return nullptr;
    const machine::Run& run = *simulation.run;
    json object = composition_json(run.machine(), lineage->composition);
    object["missing"] = json_of(run.machine(), lineage->account.missing);
    object["repeated"] = json_of(run.machine(), lineage->account.repeated);
    object["losses"] = json::array();
    for (const analysis::Loss& loss : losses_of(run, lineage->cells, lineage->account.missing))
        object["losses"].push_back(json_of(run.machine(), loss));
    object["cells"] = json::array();
    for (const analysis::MemoryCell& cell : lineage->cells) {
        const auto contents = contents_of(run.machine(), run.end(), cell);
        if (!contents) continue;
        json one = tree_json(run, *contents);
        one["cell"] = text_of(run.machine(), cell);
        object["cells"].push_back(std::move(one));
    }
    return object;
}

}  // namespace

std::string why_wrong(const Simulation& simulation) {
    const auto lineage = analysis::result_lineage(simulation);
    if (!lineage) return {};
    const Machine& machine = simulation.run->machine();
    const analysis::InputCoverage& account = lineage->account;
    std::vector<std::string> reasons;
    if (!account.missing.empty())
        reasons.push_back(fmt::format("{} {} not in it", names_text(machine, account.missing),
                                      is_are(account.missing.size())));
    const catalogue::Op op = simulation.job().op;
    const bool chooses = op == catalogue::Op::min || op == catalogue::Op::max;
    if (!chooses && !account.repeated.empty())
        reasons.push_back(repeated_text(machine, account.repeated));
    if (account.unwritten > 0) reasons.push_back(unwritten_text(account.unwritten));
    if (reasons.empty()) return "each element is in it once\n";
    return fmt::format("{}\n", fmt::join(reasons, "; "));
}

namespace {

constexpr std::size_t kMostRows = 64;  // of a table; the rest are counted, and --json has them

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

void add_counts(std::vector<std::string>& row, const analysis::LaneCount& count) {
    for (const std::uint64_t each :
         {count.steps, count.active, count.idle, count.waiting, count.done})
        row.push_back(std::to_string(each));
    row.push_back(count.offered == 0 ? "-" : percent(utilisation(count)));
}

std::string left_out(std::size_t rows) {
    return rows > kMostRows ? fmt::format("… {} more rows: see --json\n", rows - kMostRows) : "";
}

std::string lanes_table(const analysis::Lanes& lanes) {
    const bool each = lanes.warps.size() <= kMostRows;  // else the passes alone
    Table rows{{"launch", "pass", "group", "warp", "steps", "active", "idle", "waiting", "done",
                "utilisation"}};
    const auto add = [&](std::uint32_t launch, std::uint32_t pass, const std::string& group,
                         const std::string& warp, const analysis::LaneCount& count) {
        rows.push_back({std::to_string(launch + 1), std::to_string(pass), group, warp});
        add_counts(rows.back(), count);
    };
    if (each)
        for (const analysis::WarpLanes& warp_lanes : lanes.warps)
            add(warp_lanes.launch, warp_lanes.pass, lanes.space.group_name(warp_lanes.group),
                std::to_string(warp_lanes.warp), warp_lanes.count);
    else
        for (std::size_t i = 0; i < std::min(kMostRows, lanes.passes.size()); ++i)
            add(lanes.passes[i].launch, lanes.passes[i].pass, "all", "all", lanes.passes[i].count);
    rows.push_back({"all", "", "", ""});
    add_counts(rows.back(), lanes.total);
    return table(rows, 4) + (each ? "" : left_out(lanes.passes.size()));
}

std::string branches_table(const analysis::Lanes& lanes) {
    if (lanes.branches.empty()) return "no warp diverged\n";
    Table rows{{"line", "split by", "times", "splits", "lanes"}};
    for (const analysis::DivergentBranch& branch : lanes.branches)
        rows.push_back({std::to_string(branch.line), lang::quote_line(branch.text).text,
                        std::to_string(branch.times), std::to_string(branch.splits),
                        branch.least == branch.most
                            ? std::to_string(branch.most)
                            : fmt::format("{} to {}", branch.least, branch.most)});
    return table(rows, 2);
}

std::vector<std::string> traffic_row(const analysis::LineTraffic& traffic, const std::string& line,
                                     const std::string& kind) {
    std::vector<std::string> degrees;
    for (const auto& [degree, requests] : traffic.degrees)
        degrees.push_back(fmt::format("{}x{}", requests, degree));
    return {
        line,
        traffic.array,
        kind,
        std::to_string(traffic.requests),
        std::to_string(traffic.useful_bytes),
        std::to_string(traffic.local ? traffic.turns : traffic.sectors),
        std::to_string(traffic.local ? traffic.least_turns : traffic.ideal_sectors),
        percent(efficiency(traffic)),
        traffic.local ? fmt::format("{}", fmt::join(degrees, " ")) : std::to_string(traffic.lines)};
}

// Of the memory that `total` is of; `cost` and `last` name two of its columns.
std::string traffic_table(const analysis::Traffic& traffic, const analysis::LineTraffic& total,
                          const std::string& memory, const char* cost, const char* last) {
    if (total.requests == 0) return {};
    Table rows{{"line", "array", "kind", "requests", "bytes", cost, "ideal", "efficiency", last}};
    for (const analysis::LineTraffic& line : traffic.lines)
        if (line.local == total.local)
            rows.push_back(traffic_row(line, std::to_string(line.line), name_of(line.kind)));
    rows.push_back(traffic_row(total, "all", ""));
    return fmt::format("\ntraffic of {}\n{}", memory, table(rows, 3));
}

std::string traffic_text(const machine::Run& run) {
    const analysis::Traffic traffic = analysis::traffic_of(run);
    const machine::Config& config = run.machine().job().config;
    const std::string text =
        traffic_table(traffic, traffic.global,
                      fmt::format("global memory, in sectors of {} bytes", config.sector_bytes),
                      "sectors", "lines") +
        traffic_table(traffic, traffic.local,
                      fmt::format("local memory, in turns of {} banks, {} bytes wide", config.banks,
                                  config.bank_bytes),
                      "turns", "requests x degree");
    return text.empty() ? "\ntraffic: none\n" : text;
}

// Of the cell that was asked about, else of the result.
template <auto kOfCell, auto kOfResult>
auto lineage_by(const InsightOptions& options, machine::Run& run,
                const analysis::Simulation* variant) {
    if (!options.cell.empty()) return kOfCell(run, parse_cell(options.cell, run));
    if (variant == nullptr)
        throw Problem("Of this run nobody knows which cell is the result",
                      "A file's launch does not tell it", "Choose one, as in --cell out[0]",
                      "--show");
    return kOfResult(*variant);
}

struct Section {
    const char* name;
    std::string (*text)(const InsightOptions&, machine::Run&, const analysis::Simulation*);
    json (*data)(const InsightOptions&, machine::Run&, const analysis::Simulation*);
};

constexpr std::array<Section, 3> kSections{
    {{"lanes",
      [](const auto&, machine::Run& run, const auto*) {
          const analysis::Lanes lanes = analysis::lanes_of(run);
          return "\nlanes, in lane-slots\n" + lanes_table(lanes) + branches_table(lanes);
      },
      [](const auto&, machine::Run& run, const auto*) { return json(analysis::lanes_of(run)); }},
     {"traffic", [](const auto&, machine::Run& run, const auto*) { return traffic_text(run); },
      [](const auto&, machine::Run& run, const auto*) { return json(analysis::traffic_of(run)); }},
     {"lineage", lineage_by<cell_text, result_text>, lineage_by<cell_json, result_json>}}};

bool wants(const InsightOptions& options, const std::string& name) {
    return contains(options.show, name) || (name == "lineage" && !options.cell.empty());
}

}  // namespace

void InsightOptions::add_to(CLI::App& app) {
    app.add_option("--show", show,
                   "Of a run on the machine: lanes (how they were used), traffic (sectors and bank "
                   "conflicts), lineage (what the result is made of)")
        ->delimiter(',')
        ->type_name("SECTION,...");
    app.add_option(
           "--cell", cell,
           "Lineage of another cell than the result: NAME[INDEX], NAME[INDEX].MEMBER, of local "
           "memory NAME/GROUP[INDEX]; @TIME behind it: after so many actions")
        ->type_name("CELL");
}

machine::Recording InsightOptions::recording() const {
    for (const std::string& name : show)
        if (none_of(kSections, [&](const Section& section) { return section.name == name; }))
            throw Problem(fmt::format("There is nothing called '{}' to show", name), "",
                          "Choose among lanes, traffic and lineage", "--show");
    machine::Recording result;
    result.flow = wants(*this, "lanes");
    return result;
}

std::string insight_text(const InsightOptions& options, machine::Run* run,
                         const analysis::Simulation* variant) {
    std::string text;
    for (const Section& section : kSections)
        if (wants(options, section.name))
            text += run != nullptr
                        ? section.text(options, *run, variant)
                        : fmt::format("\n{}: none, for nothing was launched\n", section.name);
    return text;
}

void add_insight(json& out, const InsightOptions& options, machine::Run* run,
                 const analysis::Simulation* variant) {
    for (const Section& section : kSections)
        if (wants(options, section.name))
            out[section.name] = run != nullptr ? section.data(options, *run, variant) : json();
}

}  // namespace lab::cli
