#include "analysis/outcomes/stubborn_set.h"

#include <optional>

#include "machine/schedule.h"

namespace lab::analysis {

using machine::Choice;
using machine::Status;

const std::vector<Interferer>& KnownInterference::with_next(std::uint32_t warp) const {
    found_.clear();
    for (const Conflicts::Last& last : conflicts_.with_next(warp, done_))
        if (done_[last.warp] <= last.action) found_.push_back({last.warp, false});
    return found_;
}

StubbornSets::StubbornSets(const machine::Machine& machine, const machine::State& state,
                           const Interference& interference)
    : state_(state), context_(machine.context(state.launch)), interference_(interference) {}

void StubbornSets::add(Set& set, std::uint32_t number) const {
    if (set.in[number]) return;
    set.in[number] = true;
    set.left.push_back(number);
}

// One of the group that has to act before the others of it go on.
void StubbornSets::add_one_of(Set& set, const machine::Group& group) const {
    std::optional<std::uint32_t> first;
    for (std::uint32_t warp = 0; warp < group.warps.size(); ++warp) {
        if (group.warps[warp].status != Status::ready) continue;
        const std::uint32_t number = number_of(group.id, warp);
        if (set.in[number]) return;
        if (!first) first = number;
    }
    if (first) add(set, *first);
}

void StubbornSets::close(Set& set, std::uint32_t number) const {
    const std::uint32_t id = number / context_.warps, warp = number % context_.warps;
    const auto slot = machine::slot_of(state_, id);
    if (!slot) {
        if (id < state_.next_group) return;  // it has ended
        // It begins when some resident group ends.
        for (const auto& group : state_.groups)
            add_one_of(set, *group);
        return;
    }
    const machine::Group& group = *state_.groups[*slot];
    if (group.warps[warp].status == Status::waiting) add_one_of(set, group);
    if (group.warps[warp].status != Status::ready) return;
    for (const Interferer& each : interference_.with_next(number)) {
        const auto other = each.after_barrier ? machine::slot_of(state_, each.warp / context_.warps)
                                              : std::nullopt;
        if (other)
            add_one_of(set, *state_.groups[*other]);
        else
            add(set, each.warp);
    }
}

std::vector<Choice> StubbornSets::smallest(const std::vector<Choice>& ready,
                                           const std::vector<Choice>& seeds) const {
    std::vector<Choice> best = ready;
    for (const Choice& seed : seeds) {
        Set set;
        set.in.resize(std::size_t{context_.groups} * context_.warps);
        add(set, number_of(state_.groups[seed.slot]->id, seed.warp));
        while (!set.left.empty()) {
            const std::uint32_t number = set.left.back();
            set.left.pop_back();
            close(set, number);
        }
        std::vector<Choice> members;
        for (const Choice& each : ready)
            if (set.in[number_of(state_.groups[each.slot]->id, each.warp)]) members.push_back(each);
        if (members.size() < best.size()) best = std::move(members);
        if (best.size() == 1) break;
    }
    return best;
}

}  // namespace lab::analysis
