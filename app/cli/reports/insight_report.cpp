#include "cli/reports/insight_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "analysis/lanes/lanes.h"
#include "analysis/lanes/traffic.h"
#include "cli/reports/lineage_report.h"
#include "cli/reports/table.h"

namespace lab::cli {
namespace {

using nlohmann::json;
using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kMostRows = 64;  // of a table; JSON has all

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
    Rows rows{{"launch", "pass", "group", "warp", "steps", "active", "idle", "waiting", "done",
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
    Rows rows{{"line", "split by", "times", "splits", "lanes"}};
    for (const analysis::DivergentBranch& branch : lanes.branches)
        rows.push_back({std::to_string(branch.line), branch.text, std::to_string(branch.times),
                        std::to_string(branch.splits),
                        branch.least == branch.most
                            ? std::to_string(branch.most)
                            : fmt::format("{} to {}", branch.least, branch.most)});
    return table(rows, 2);
}

std::string lanes_text(const machine::Run& run) {
    const analysis::Lanes lanes = analysis::lanes_of(run);
    return "\nlanes, in lane-slots\n" + lanes_table(lanes) + branches_table(lanes);
}

std::string degrees_text(const analysis::LineTraffic& traffic) {
    std::vector<std::string> words;
    for (const auto& [degree, requests] : traffic.degrees)
        words.push_back(fmt::format("{}x{}", requests, degree));
    return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> traffic_row(const analysis::LineTraffic& traffic, const std::string& line,
                                     const std::string& kind) {
    std::vector<std::string> row{line, traffic.array, kind, std::to_string(traffic.requests),
                                 std::to_string(traffic.useful_bytes)};
    if (traffic.local) {
        row.insert(row.end(), {std::to_string(traffic.turns), std::to_string(traffic.least_turns)});
    } else {
        row.insert(row.end(),
                   {std::to_string(traffic.sectors), std::to_string(traffic.ideal_sectors)});
    }
    row.push_back(percent(efficiency(traffic)));
    row.push_back(traffic.local ? degrees_text(traffic) : std::to_string(traffic.lines));
    return row;
}

std::string traffic_table(const analysis::Traffic& traffic, const analysis::LineTraffic& total,
                          Rows rows) {
    if (total.requests == 0) return {};
    for (const analysis::LineTraffic& line : traffic.lines)
        if (line.local == total.local)
            rows.push_back(traffic_row(line, std::to_string(line.line), name_of(line.kind)));
    rows.push_back(traffic_row(total, "all", ""));
    return table(rows, 3);
}

std::string traffic_text(const machine::Run& run) {
    const analysis::Traffic traffic = analysis::traffic_of(run);
    const machine::Config& config = run.machine().job().config;
    std::string text;
    if (traffic.global.requests > 0)
        text += fmt::format("\ntraffic of global memory, in sectors of {} bytes\n{}",
                            config.sector_bytes,
                            traffic_table(traffic, traffic.global,
                                          {{"line", "array", "kind", "requests", "bytes", "sectors",
                                            "ideal", "efficiency", "lines"}}));
    if (traffic.local.requests > 0)
        text += fmt::format("\ntraffic of local memory, in turns of {} banks, {} bytes wide\n{}",
                            config.banks, config.bank_bytes,
                            traffic_table(traffic, traffic.local,
                                          {{"line", "array", "kind", "requests", "bytes", "turns",
                                            "ideal", "efficiency", "requests x degree"}}));
    return text.empty() ? "\ntraffic: none\n" : text;
}

[[noreturn]] void no_result() {
    throw Problem("Of this run nobody knows which cell is the result",
                  "A file's launch does not tell it", "Choose one, as in --cell out[0]", "--show");
}

std::string lineage_text(const InsightOptions& options, machine::Run& run,
                         const simulation::Simulation* variant) {
    if (!options.cell.empty()) return cell_text(run, parse_cell(options.cell, run));
    if (variant == nullptr) no_result();
    return result_text(*variant);
}

json lineage_json(const InsightOptions& options, machine::Run& run,
                  const simulation::Simulation* variant) {
    if (!options.cell.empty()) return cell_json(run, parse_cell(options.cell, run));
    if (variant == nullptr) no_result();
    return result_json(*variant);
}

struct Section {
    const char* name;
    std::string (*text)(const InsightOptions&, machine::Run&, const simulation::Simulation*);
    json (*data)(const InsightOptions&, machine::Run&, const simulation::Simulation*);
};

constexpr std::array<Section, 3> kSections{
    {{"lanes", [](const auto&, machine::Run& run, const auto*) { return lanes_text(run); },
      [](const auto&, machine::Run& run, const auto*) { return json(analysis::lanes_of(run)); }},
     {"traffic", [](const auto&, machine::Run& run, const auto*) { return traffic_text(run); },
      [](const auto&, machine::Run& run, const auto*) { return json(analysis::traffic_of(run)); }},
     {"lineage", lineage_text, lineage_json}}};

bool wants(const InsightOptions& options, const std::string& name) {
    return std::find(options.show.begin(), options.show.end(), name) != options.show.end() ||
           (name == "lineage" && !options.cell.empty());
}

}  // namespace

void InsightOptions::add_to(CLI::App& app) {
    app.add_option("--show", show,
                   "Of a run on the machine: lanes (how they were used), traffic (sectors and bank "
                   "conflicts), lineage (what the result is made of)")
        ->delimiter(',')
        ->type_name("SECTION,...");
    app.add_option("--cell", cell,
                   "Lineage of another cell than the result: NAME[INDEX], of local memory "
                   "NAME/GROUP[INDEX]; @TIME behind it: after so many actions")
        ->type_name("CELL");
}

machine::Recording InsightOptions::recording() const {
    for (const std::string& name : show)
        if (std::none_of(kSections.begin(), kSections.end(),
                         [&](const Section& section) { return section.name == name; }))
            throw Problem(fmt::format("There is nothing called '{}' to show", name), "",
                          "Choose among lanes, traffic and lineage", "--show");
    machine::Recording result;
    result.flow = wants(*this, "lanes");
    return result;
}

std::string insight_text(const InsightOptions& options, machine::Run* run,
                         const simulation::Simulation* variant) {
    std::string text;
    for (const Section& section : kSections)
        if (wants(options, section.name))
            text += run != nullptr
                        ? section.text(options, *run, variant)
                        : fmt::format("\n{}: none, for nothing was launched\n", section.name);
    return text;
}

void add_insight(json& out, const InsightOptions& options, machine::Run* run,
                 const simulation::Simulation* variant) {
    for (const Section& section : kSections)
        if (wants(options, section.name))
            out[section.name] = run != nullptr ? section.data(options, *run, variant) : json();
}

}  // namespace lab::cli
