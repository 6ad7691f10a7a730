#include "analysis/lanes/item_activity.h"

#include <algorithm>
#include <map>

#include "analysis/lanes/warp_steps.h"
#include "analysis/rows/pass_numbers.h"

namespace lab::analysis {
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
    using Kind = machine::Fault::Kind;
    return fault && fault->launch == launch &&
           (fault->kind == Kind::budget || fault->kind == Kind::deadlock);
}

class ActivityCounter {
  public:
    ActivityCounter(const machine::Run& run, const std::function<void(PassActivity&&)>& each)
        : run_(run), each_(each), numbers_(run), endings_(run) {}

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
        for (std::uint32_t lane = 0; lane < lanes_of(first.warp); ++lane) {
            ItemSlots& item = group.items[first.warp * context_->lanes + lane];
            const std::uint64_t bit = std::uint64_t{1} << lane;
            ++((step.mask & bit) != 0 ? item.active : (gone & bit) != 0 ? item.done : item.idle);
        }
    }

    // The last warp of a group may be short of lanes.
    std::uint32_t lanes_of(std::uint32_t warp) const {
        return std::min(context_->lanes, context_->local - warp * context_->lanes);
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
            for (std::uint32_t lane = 0; lane < lanes_of(warp); ++lane) {
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
    return static_cast<std::uint64_t>(
        std::count_if(pass.items.begin(), pass.items.end(),
                      [](const ItemSlots& item) { return item.active > 0; }));
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
