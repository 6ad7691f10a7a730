// What measure, check and trials print.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "catalogue/number.h"
#include "cli/reports/report.h"
#include "cli/reports/table.h"

namespace lab::cli {
namespace {

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
    static const std::map<std::string, const char*> kWords{{"table", "the table in its header"},
                                                           {"kept", "a search that was kept"},
                                                           {"search", "a search just now"},
                                                           {"mixed", "tables and searches"}};
    const auto found = kWords.find(chosen_by);
    return found == kWords.end() ? "" : found->second;
}

// One line for each variant and launch shape that was chosen for it, with the sizes it was for.
std::vector<std::string> shape_lines(const results::Measurements& measurements) {
    std::vector<std::pair<std::string, std::vector<std::string>>> shapes;
    for (const results::Row& row : measurements.rows) {
        if (row.chosen_by.empty()) continue;
        const std::string what =
            row.parts.empty()
                ? fmt::format("{} ran with {}, by {}", row.variant,
                              catalogue::settings_text(row.chosen), source_words(row.chosen_by))
                : fmt::format("{} ran on each device as its part says, by {}", row.variant,
                              source_words(row.chosen_by));
        const auto same = std::find_if(shapes.begin(), shapes.end(),
                                       [&](const auto& of) { return of.first == what; });
        if (same != shapes.end())
            same->second.push_back(catalogue::size_text(row.n));
        else
            shapes.push_back({what, {catalogue::size_text(row.n)}});
    }
    std::vector<std::string> lines;
    for (const auto& [what, sizes] : shapes)
        lines.push_back(fmt::format("{} (n = {})\n", what, fmt::join(sizes, ", ")));
    return lines;
}

std::string how_text(const results::Measurements& measurements) {
    if (measurements.repeat > 0) return fmt::format("{} runs a row", measurements.repeat);
    return fmt::format("runs until ±{:.3g} % or {} s", measurements.precision * 100,
                       measurements.limit_s);
}

}  // namespace

std::string text_of(const results::Measurements& measurements) {
    std::vector<std::vector<std::string>> rows{{"variant", "n", "cache", "group", "runs", "ms",
                                                "±%", "wall ms", "GB/s", "error", "checked"}};
    for (const results::Row& row : measurements.rows) {
        const results::Summary ms = row.summary();
        const std::string set = catalogue::settings_text(row.set);
        rows.push_back(
            {set.empty() ? row.variant : row.variant + " " + set, catalogue::size_text(row.n),
             row.cache, row.group == 0 ? "" : std::to_string(row.group),
             std::to_string(row.samples_ms().size()), catalogue::figure_text(ms.median),
             ms.precision ? fmt::format("{:.1f}", *ms.precision * 100) : "-",
             catalogue::figure_text(row.wall_median()),
             catalogue::figure_text(row.gigabytes_per_second()),
             row.expect == "unknown" ? "-" : fmt::format("{:.1e}", row.error), verdict_of(row)});
    }
    const std::string work = measurements.op.empty()
                                 ? "a kernel of one's own, GB/s of the bytes of its buffers"
                                 : fmt::format("{} of {}, input {}", measurements.op,
                                               measurements.type, measurements.input);
    std::string text =
        fmt::format("{}, {}; medians, {}{}\n", measurements.device.name, work,
                    how_text(measurements), measurements.complete ? "" : "; NOT COMPLETE");
    text += table(rows, 1);
    for (const std::string& line : shape_lines(measurements))
        text += line;
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
    std::vector<std::vector<std::string>> rows{
        {"variant", "document", "its hardware", "n", "group", "ms"}};
    for (const results::DocumentFigure& figure : figures) {
        const auto same = [&](const results::Row& row) { return row.variant == figure.variant; };
        if (std::none_of(measurements.rows.begin(), measurements.rows.end(), same)) continue;
        const std::string set = catalogue::settings_text(figure.set);
        rows.push_back({set.empty() ? figure.variant : figure.variant + " " + set, figure.document,
                        figure.hardware, catalogue::size_text(figure.n),
                        figure.group == 0 ? "" : std::to_string(figure.group),
                        catalogue::figure_text(figure.ms)});
    }
    if (rows.size() == 1) return "";
    return "\nFor comparison, what the five texts that the lessons follow (A to E) measured on "
           "their own hardware and sizes:\n" +
           table(rows, 3);
}

namespace {

// The machine runs the same text by the book.
std::string machine_text(const results::CheckCase& check_case) {
    if (check_case.machine.empty()) return {};
    if (check_case.machine == check_case.expected)
        return "; the machine gets it right, so the device or its compiler is at fault";
    return fmt::format("; the machine gives {}", check_case.machine);
}

}  // namespace

namespace {

// What was compared with the machine, and what was not.
std::string passes_text(const results::CheckReport& report) {
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

}  // namespace

std::string text_of(const results::CheckReport& report) {
    std::vector<std::vector<std::string>> rows{{"variant", "setting", "expected", "cases", "right",
                                                "raced", "WRONG", "not legal", "not co-resident",
                                                "not run", "passes", "DIFFER", "verdict"}};
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
    std::uint64_t not_run = 0;
    for (const results::CheckLine& line : report.lines)
        if (line.lacks.empty()) not_run += line.not_run;
    text += report.passed()   ? "all as the headers promise"
            : report.complete ? "NOT as the headers promise"
                              : "NOT COMPLETE";
    text += not_run > 0 ? fmt::format("; {} cases not run, see --limit\n", not_run) : "\n";
    return text;
}

namespace {

// What the machine says can be, and what of it did not come.
std::string prediction_text(const results::Trials& trials) {
    const std::size_t most = trials.launch.empty() ? 12 : 3;  // contents of buffers are long
    const results::Prediction& prediction = trials.predicted;
    if (!prediction.why_not.empty())
        return fmt::format("nothing predicted: {}\n", prediction.why_not);
    std::vector<std::string> missing;
    for (const std::string& result : prediction.results) {
        const auto seen = [&](const results::TrialResult& each) { return each.result == result; };
        if (std::none_of(trials.results.begin(), trials.results.end(), seen))
            missing.push_back(shortened(result));
    }
    std::string text =
        fmt::format("predicted by the machine, {}: {} result{}",
                    prediction.complete ? "complete" : "INCOMPLETE", prediction.results.size(),
                    prediction.results.size() == 1 ? "" : "s");
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
            "NEWS: {} cannot come out of this text in any order of its work-items: a mistake of "
            "the compiler, the device, or the machine\n",
            fmt::join(news, ", "));
    return text;
}

}  // namespace

std::string shortened(const std::string& result) {
    constexpr std::size_t kMostShown = 400;
    if (result.size() <= kMostShown) return result;
    return result.substr(0, result.rfind(' ', kMostShown)) + " …";
}

std::string text_of(const results::Trials& trials) {
    constexpr std::size_t kShown = 20;
    constexpr std::uint64_t kBar = 40;
    const bool own = !trials.launch.empty();
    std::string text =
        own ? fmt::format("{}, {}, on {}\n{} runs; the simulator in its usual order has {}\n",
                          trials.variant, trials.launch, trials.device, trials.count,
                          shortened(trials.expected))
            : fmt::format(
                  "{} {}, {} elements in {} groups of {}, {} of {}, on {}\n{} runs, "
                  "expected {} ({})\n",
                  trials.variant, catalogue::settings_text(trials.set), trials.n, trials.groups,
                  trials.group, trials.op, trials.type, trials.device, trials.count,
                  trials.expected, trials.expect);
    const char* right = own ? "the same" : "right";
    const char* wrong = own ? "OTHERWISE" : "WRONG";
    const std::vector<std::string> news = trials.unforeseen();
    const auto is_in = [](const std::vector<std::string>& all, const std::string& of) {
        return std::find(all.begin(), all.end(), of) != all.end();
    };
    const auto bar = [](char sign, std::uint64_t count, std::uint64_t all) {
        return std::string(all == 0 ? 0 : (count * kBar + all - 1) / all, sign);
    };
    std::vector<std::vector<std::string>> rows;
    std::size_t shown = 0;
    for (const results::TrialResult& result : trials.results) {
        if (shown++ == kShown) break;
        rows.push_back({bar('#', result.count, trials.count), result.right ? right : wrong,
                        is_in(news, result.result)                       ? "NOT PREDICTED"
                        : is_in(trials.predicted.results, result.result) ? "predicted"
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

}  // namespace lab::cli
