#include "analysis/warps.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "analysis/rows.h"
#include "base/ranges.h"
#include "lang/code.h"

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

static std::string value_of(const machine::Context& context, const machine::Group& group,
                            std::uint32_t warp, const lang::VariableInfo& info,
                            std::uint32_t lane) {
    std::vector<std::string> parts;
    for (std::uint32_t i = 0; i < info.width; ++i)
        parts.push_back(
            lang::text_of(machine::value_in(context, group, warp, info.reg + i, lane), info.type));
    return info.width == 1 ? parts[0] : fmt::format("({})", fmt::join(parts, ", "));
}

std::vector<VariableRow> variables_of(const machine::Machine& machine, const machine::State& state,
                                      std::size_t slot, std::uint32_t warp) {
    std::vector<VariableRow> rows;
    if (machine.done(state) || slot >= state.groups.size()) return rows;
    const machine::Group& group = *state.groups[slot];
    if (warp >= group.warps.size() || group.warps[warp].status == machine::Status::done)
        return rows;
    const machine::Context& context = machine.context(state.launch);
    const machine::Warp& of = group.warps[warp];
    for (const lang::VariableInfo& variable : context.code->variables) {
        if (variable.pointer || variable.object >= 0) continue;
        if (of.pc < variable.first || of.pc >= variable.end) continue;
        VariableRow row;
        row.name = variable.name;
        row.type = lang::info(variable.type).name;
        if (variable.width > 1) row.type += std::to_string(variable.width);
        row.line = variable.line;
        for (std::uint32_t lane = 0; lane < context.lanes; ++lane)
            row.values.push_back((of.live >> lane & 1U) == 0
                                     ? std::string()
                                     : value_of(context, group, warp, variable, lane));
        row.same = all_of(row.values, [&](const std::string& each) {
            return each.empty() || each == row.values.front();
        });
        rows.push_back(std::move(row));
    }
    return rows;
}

std::pair<std::size_t, std::uint32_t> warp_at(const machine::State& state, const Timeline& timeline,
                                              std::uint64_t time) {
    if (time > 0 && time <= timeline.actions.size()) {
        const TimelineAction& action = timeline.actions[time - 1];
        if (const auto slot = machine::slot_of(state, action.group); slot)
            return {*slot, action.warp};
    }
    for (std::size_t slot = 0; slot < state.groups.size(); ++slot)
        for (std::uint32_t warp = 0; warp < state.groups[slot]->warps.size(); ++warp)
            if (state.groups[slot]->warps[warp].status != machine::Status::done)
                return {slot, warp};
    return {0, 0};
}

namespace {

using machine::Action;
using machine::ActionKind;
using machine::Context;
using machine::LaneEnd;

// A group in a pass: the steps of each warp, and the slots of each item in its own warp's steps.
struct GroupPass {
    std::vector<std::uint32_t> steps;
    std::vector<ItemSlots> items;
    bool barrier = false;
};

bool has_not_ended(const std::optional<machine::Fault>& fault, std::uint32_t launch) {
    using machine::Fault;
    return fault && fault->launch == launch &&
           (fault->kind == Fault::Kind::budget || fault->kind == Fault::Kind::deadlock);
}

class ActivityCounter {
  public:
    ActivityCounter(const machine::Run& run, const std::function<void(PassActivity&&)>& each)
        : run_(run), each_(each), numbers_(run), endings_(run) {
        for (const std::uint64_t opened : run.trace().grids()) {
            const Action& last = run.trace().action(opened - 1);
            of_grid_.emplace(last.launch, numbers_.last_of(last.launch, last.pass));
        }
    }

    void count() {
        for_warp_steps(
            run_,
            [&](std::uint32_t launch) {
                context_ = &run_.machine().context(launch);
                passes_.clear();
            },
            [&](const WarpStep& step) { count(step); },
            [&](std::uint32_t launch) { finish(launch); });
    }

  private:
    void count(const WarpStep& step) {
        const Action& first = step.first;
        const std::uint32_t pass = numbers_.last_of(first.launch, first.pass);
        GroupPass& group = passes_[pass][first.group];
        if (first.kind == ActionKind::barrier) {
            group.barrier = true;
            return;
        }
        group.steps.resize(context_->warps);
        group.items.resize(context_->local);
        ++group.steps[first.warp];
        const std::uint64_t gone =
            endings_.lanes(first.launch, first.group, first.warp,
                           [&](const LaneEnd& each) { return each.time <= step.time; });
        for (std::uint32_t lane = 0; lane < context_->lanes_in(first.warp); ++lane) {
            ItemSlots& item = group.items[first.warp * context_->lanes + lane];
            const std::uint64_t bit = std::uint64_t{1} << lane;
            ++((step.mask & bit) != 0 ? item.active : (gone & bit) != 0 ? item.done : item.idle);
        }
    }

    void finish(std::uint32_t launch) {
        for (auto& [pass, groups] : passes_) {
            const std::uint32_t number = numbers_.of(launch, pass);
            if (number == 0) continue;  // all that anybody did was to wait
            PassActivity activity;
            activity.launch = launch;
            activity.pass = number;
            activity.local = context_->local;
            activity.lanes = context_->lanes;
            activity.space = context_->space;
            activity.variables = run_.machine().job().launches[launch].variables;
            activity.items.resize(context_->global);
            activity.barrier.resize(context_->groups);
            activity.of_grid = of_grid_.contains({launch, pass});
            activity.unfinished =
                has_not_ended(run_.fault(), launch) && pass == passes_.rbegin()->first;
            for (std::uint32_t group = 0; group < context_->groups; ++group)
                finish(launch, pass, group, groups[group], activity);
            each_(std::move(activity));
        }
    }

    void finish(std::uint32_t launch, std::uint32_t pass, std::uint32_t group, const GroupPass& own,
                PassActivity& activity) const {
        activity.barrier[group] = own.barrier;
        std::vector<std::uint32_t> steps = own.steps;
        steps.resize(context_->warps);
        activity.steps.insert(activity.steps.end(), steps.begin(), steps.end());
        const std::uint32_t longest = *std::max_element(steps.begin(), steps.end());
        for (std::uint32_t warp = 0; warp < context_->warps; ++warp) {
            const std::uint64_t gone = endings_.lanes(
                launch, group, warp, [pass](const LaneEnd& each) { return each.pass <= pass; });
            const std::uint32_t others = longest - steps[warp];
            for (std::uint32_t lane = 0; lane < context_->lanes_in(warp); ++lane) {
                const std::uint32_t in_group = warp * context_->lanes + lane;
                ItemSlots& item = activity.items[std::size_t{group} * context_->local + in_group];
                if (!own.items.empty()) item = own.items[in_group];
                item.ended = (gone >> lane & 1U) != 0;
                (item.ended ? item.done : item.waiting) += others;
            }
        }
    }

    const machine::Run& run_;
    const std::function<void(PassActivity&&)>& each_;
    PassNumbers numbers_;
    WarpEndings endings_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> of_grid_;  // launches, passes
    const Context* context_ = nullptr;
    // For the launch at hand, by pass and group.
    std::map<std::uint32_t, std::map<std::uint32_t, GroupPass>> passes_;
};

}  // namespace

double active_share(const PassActivity& pass) {
    double sum = 0;
    for (const ItemSlots& item : pass.items)
        if (item.total() > 0) sum += static_cast<double>(item.active) / item.total();
    return pass.items.empty() ? 0 : sum / static_cast<double>(pass.items.size());
}

std::uint64_t active_items(const PassActivity& pass) {
    return count_if(pass.items, [](const ItemSlots& item) { return item.active > 0; });
}

void for_activity(const machine::Run& run, const std::function<void(PassActivity&&)>& each) {
    ActivityCounter(run, each).count();
}

std::vector<PassActivity> item_activity(const machine::Run& run) {
    std::vector<PassActivity> activities;
    for_activity(run, [&](PassActivity&& pass) { activities.push_back(std::move(pass)); });
    return activities;
}

}  // namespace lab::analysis
