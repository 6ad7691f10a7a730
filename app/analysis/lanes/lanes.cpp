#include "analysis/lanes/lanes.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/lanes/item_activity.h"

namespace lab::analysis {
namespace {

using nlohmann::json;

void add(LaneCount& to, const LaneCount& count) {
    to.steps += count.steps;
    to.offered += count.offered;
    to.active += count.active;
    to.idle += count.idle;
    to.waiting += count.waiting;
    to.done += count.done;
}

// What the items of a warp did.
LaneCount count_of(const PassActivity& pass, std::uint32_t group, std::uint32_t warp) {
    const std::uint32_t first = warp * pass.lanes;
    const std::uint32_t end = std::min(first + pass.lanes, pass.local);
    LaneCount count;
    count.steps = pass.steps[group * pass.warps() + warp];
    count.offered = count.steps * (end - first);
    for (std::uint32_t lane = first; lane < end; ++lane) {
        const ItemSlots& item = pass.items[std::size_t{group} * pass.local + lane];
        count.active += item.active;
        count.idle += item.idle;
        count.waiting += item.waiting;
        count.done += item.done;
    }
    return count;
}

void add(Lanes& to, const PassActivity& pass) {
    PassLanes all{pass.launch, pass.pass, {}};
    for (std::uint32_t group = 0; group < pass.barrier.size(); ++group) {
        const auto steps = pass.steps.begin() + std::ptrdiff_t{group} * pass.warps();
        if (std::all_of(steps, steps + pass.warps(), [](auto count) { return count == 0; }))
            continue;
        for (std::uint32_t warp = 0; warp < pass.warps(); ++warp) {
            const std::uint32_t lanes = std::min(pass.lanes, pass.local - warp * pass.lanes);
            to.warps.push_back(
                {pass.launch, group, warp, pass.pass, lanes, count_of(pass, group, warp)});
            add(all.count, to.warps.back().count);
        }
    }
    add(to.total, all.count);
    to.passes.push_back(all);
}

json json_of(const LaneCount& count) {
    return {{"steps", count.steps},
            {"offered", count.offered},
            {"active", count.active},
            {"idle", count.idle},
            {"waiting", count.waiting},
            {"done", count.done},
            {"utilisation", utilisation(count)}};
}

}  // namespace

double utilisation(const LaneCount& count) {
    return count.offered == 0
               ? 0
               : static_cast<double>(count.active) / static_cast<double>(count.offered);
}

std::vector<DivergentBranch> branches_of(const machine::Run& run) {
    std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, DivergentBranch> found;
    for (const machine::Branch& branch : run.flow().branches()) {
        const lang::Code& code = *run.machine().context(branch.launch).code;
        const lang::Place& place = code.places[branch.place];
        const lang::Source& source = code.sources[place.file];
        DivergentBranch& to = found[{source.name, place.line, place.column}];
        to.file = source.name;
        to.line = place.line;
        to.column = place.column;
        to.kind = branch.kind;
        const std::string_view line = lang::line_of(source, place.line);
        if (place.column > 0 && place.column <= line.size())
            to.text = line.substr(place.column - 1, place.length);
        to.times += branch.times;
        if (branch.splits == 0) continue;
        to.least = to.splits == 0 ? branch.least : std::min(to.least, branch.least);
        to.most = std::max(to.most, branch.most);
        to.splits += branch.splits;
    }
    std::vector<DivergentBranch> branches;
    for (const auto& [at, branch] : found)
        if (branch.splits > 0) branches.push_back(branch);
    return branches;
}

Lanes lanes_of(const machine::Run& run) {
    Lanes lanes;
    lanes.space = run.machine().space();
    for_activity(run, [&](const PassActivity& pass) { add(lanes, pass); });
    lanes.branches = branches_of(run);
    return lanes;
}

void to_json(json& out, const Lanes& lanes) {
    out = {{"total", json_of(lanes.total)},
           {"passes", json::array()},
           {"warps", json::array()},
           {"branches", json::array()}};
    for (const PassLanes& pass : lanes.passes) {
        json one = json_of(pass.count);
        one["launch"] = pass.launch + 1;
        one["pass"] = pass.pass;
        out["passes"].push_back(std::move(one));
    }
    for (const WarpLanes& warp : lanes.warps) {
        json one = json_of(warp.count);
        one["launch"] = warp.launch + 1;
        one["pass"] = warp.pass;
        one["group"] = warp.group;
        if (lanes.space.range().dims > 1) one["group_id"] = lanes.space.group_id(warp.group);
        one["warp"] = warp.warp;
        one["lanes"] = warp.lanes;
        out["warps"].push_back(std::move(one));
    }
    for (const DivergentBranch& branch : lanes.branches)
        out["branches"].push_back({{"file", branch.file},
                                   {"line", branch.line},
                                   {"column", branch.column},
                                   {"condition", branch.text},
                                   {"kind", machine::name_of(branch.kind)},
                                   {"times", branch.times},
                                   {"splits", branch.splits},
                                   {"least", branch.least},
                                   {"most", branch.most}});
}

}  // namespace lab::analysis
