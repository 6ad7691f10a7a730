#include "analysis/lanes/lanes.h"

#include <algorithm>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/lanes/warp_steps.h"
#include "analysis/rows/pass_numbers.h"

namespace lab::analysis {
namespace {

using machine::Action;
using machine::ActionKind;
using machine::Context;
using machine::LaneEnd;
using nlohmann::json;

// What a warp did itself in a pass.
struct Own {
    std::uint64_t steps = 0, active = 0, ended = 0;
};

void add(LaneCount& to, const LaneCount& count) {
    to.steps += count.steps;
    to.offered += count.offered;
    to.active += count.active;
    to.idle += count.idle;
    to.waiting += count.waiting;
    to.done += count.done;
}

// One launch after another, for at its end all passes of its groups are known.
class LaneCounter {
  public:
    explicit LaneCounter(const machine::Run& run)
        : run_(run), numbers_(run.trace()), endings_(run) {}

    Lanes make() {
        for_warp_steps(
            run_,
            [&](std::uint32_t launch) {
                context_ = &run_.machine().context(launch);
                passes_.clear();
            },
            [&](const WarpStep& step) { count(step); },
            [&](std::uint32_t launch) { finish(launch); });
        return std::move(made_);
    }

  private:
    void count(const WarpStep& step) {
        const Action& first = step.first;
        if (first.kind == ActionKind::barrier) return;
        std::vector<Own>& group = passes_[first.pass][first.group];
        group.resize(context_->warps);
        Own& own = group[first.warp];
        ++own.steps;
        own.active += static_cast<unsigned>(std::popcount(step.mask));
        own.ended += ended(first.launch, first.group, first.warp,
                           [&](const LaneEnd& each) { return each.time <= step.time; });
    }

    // How many lanes of a warp have ended, by `before`.
    template <typename Before>
    std::uint64_t ended(std::uint32_t launch, std::uint32_t group, std::uint32_t warp,
                        Before before) const {
        return static_cast<unsigned>(std::popcount(endings_.lanes(launch, group, warp, before)));
    }

    void finish(std::uint32_t launch) {
        for (const auto& [pass, groups] : passes_) {
            PassLanes all{launch, numbers_.of(launch, pass), {}};
            for (const auto& [group, warps] : groups) {
                std::uint64_t longest = 0;
                for (const Own& own : warps)
                    longest = std::max(longest, own.steps);
                for (std::uint32_t warp = 0; warp < warps.size(); ++warp) {
                    const WarpLanes one = count(launch, pass, group, warp, warps[warp], longest);
                    add(all.count, one.count);
                    made_.warps.push_back(one);
                }
            }
            add(made_.total, all.count);
            made_.passes.push_back(all);
        }
    }

    WarpLanes count(std::uint32_t launch, std::uint32_t pass, std::uint32_t group,
                    std::uint32_t warp, const Own& own, std::uint64_t longest) const {
        WarpLanes made{launch, group, warp, numbers_.of(launch, pass), 0, {}};
        made.lanes = std::min(context_->lanes, context_->local - warp * context_->lanes);
        LaneCount& of = made.count;
        of.steps = own.steps;
        of.offered = own.steps * made.lanes;
        of.active = own.active;
        of.idle = of.offered - own.active - own.ended;
        const std::uint64_t gone =
            ended(launch, group, warp, [pass](const LaneEnd& each) { return each.pass <= pass; });
        const std::uint64_t others = longest - own.steps;
        of.done = own.ended + others * gone;
        of.waiting = others * (made.lanes - gone);
        return made;
    }

    const machine::Run& run_;
    PassNumbers numbers_;
    WarpEndings endings_;
    const Context* context_ = nullptr;
    // Of the launch at hand: by pass and group, a warp each.
    std::map<std::uint32_t, std::map<std::uint32_t, std::vector<Own>>> passes_;
    Lanes made_;
};

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
    std::vector<DivergentBranch> made;
    for (const auto& [at, branch] : found)
        if (branch.splits > 0) made.push_back(branch);
    return made;
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

Lanes lanes_of(const machine::Run& run) {
    Lanes made = LaneCounter(run).make();
    made.branches = branches_of(run);
    return made;
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
