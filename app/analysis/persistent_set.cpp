#include "analysis/persistent_set.h"

#include <algorithm>
#include <utility>

#include "base/ranges.h"
#include "machine/collectives.h"
#include "machine/run.h"

namespace lab::analysis {

using machine::State;
using machine::WarpRef;

namespace {

std::vector<std::optional<Conflicts>> conflicts_of(const machine::Job& job) {
    // Accesses of the one run that says which of them conflict; with more, a search does without.
    constexpr std::uint64_t kMostEvents = 200'000;
    std::vector<std::optional<Conflicts>> result(job.launches.size());
    const std::vector<bool> known = launches_known(job);
    if (none_of(known, [](bool each) { return each; })) return result;
    machine::Recording recording;
    recording.lineage = false;
    recording.most_events = kMostEvents;
    const machine::SchedulingPolicy order{.kind = machine::SchedulingPolicy::Kind::in_order};
    // Instructions of the run that says which accesses conflict; with more, a search does without.
    constexpr std::uint64_t kMostInstructions = 40'000'000;
    machine::Job bounded = job;
    bounded.budget =
        std::min(job.budget != 0 ? job.budget : default_budget(job), kMostInstructions);
    const machine::Run run(std::move(bounded), order, recording);
    if (run.fault()) return result;  // its trace is not whole
    for (std::size_t i = 0; i < result.size(); ++i)
        if (known[i]) result[i] = Conflicts::of(run, static_cast<std::uint32_t>(i));
    return result;
}

// Those of `all` that are not among `out`.
std::vector<WarpRef> without(std::vector<WarpRef> all, const std::vector<WarpRef>& out) {
    std::erase_if(all, [&](const WarpRef& each) {
        return any_of(out, [&](const WarpRef& other) {
            return each.slot == other.slot && each.warp == other.warp;
        });
    });
    return all;
}

// Whether an instruction that nobody sees may be a fault.
bool may_fault(const machine::Context& context, const lang::Instruction& instruction) {
    if (!lang::divides(instruction.op))
        return instruction.op == lang::Op::check_index ||
               instruction.op == lang::Op::load_private ||
               instruction.op == lang::Op::store_private;
    if ((instruction.b & lang::kUniform) == 0) return true;
    const auto begin =
        context.uniforms.begin() + static_cast<std::ptrdiff_t>(instruction.b & ~lang::kUniform) *
                                       static_cast<std::ptrdiff_t>(context.lanes);
    return std::any_of(begin, begin + context.lanes,
                       [](std::uint64_t by) { return (by & 0xffffffffU) == 0; });
}

// By instruction: whether `found` holds for it, or, where `passes` holds, for one after it.
template <typename Found, typename Passes>
std::vector<bool> leads_to(const lang::Code& code, Found found, Passes passes) {
    const std::size_t size = code.instructions.size();
    std::vector<bool> leads(size + 1, false);
    for (bool more = true; more;) {
        more = false;
        for (std::size_t pc = size; pc-- > 0;) {
            if (leads[pc]) continue;
            const lang::Instruction& instruction = code.instructions[pc];
            bool now = found(instruction);
            if (passes(instruction))
                for (const std::size_t next : lang::successors(code, pc))
                    now = now || leads[next];
            if (now) leads[pc] = more = true;
        }
    }
    return leads;
}

}  // namespace

PersistentSets::PersistentSets(machine::Machine& machine, const machine::StateKeys& keys,
                               Reduction reduction)
    : machine_(machine),
      keys_(keys),
      reduction_(reduction),
      written_(catalogue::written_buffers(machine.job())),
      conflicts_(conflicts_of(machine.job())),
      all_known_(all_of(conflicts_, [](const auto& each) { return each.has_value(); })),
      footprints_(conflicts_.size()),
      ways_(conflicts_.size()) {
    if (reduction == Reduction::none) conflicts_.assign(conflicts_.size(), {});
}

std::vector<WarpRef> PersistentSets::choices(const State& state,
                                             const std::vector<std::uint32_t>& done,
                                             const std::vector<WarpRef>& tried) const {
    const std::vector<WarpRef> ready = machine::ready_choices(state);
    std::vector<WarpRef> left = without(ready, tried);
    if (left.empty() || reduction_ == Reduction::none || !begins_well(state.launch)) return left;
    const auto& conflicts = conflicts_[state.launch];
    const machine::Context& context = machine_.context(state.launch);
    if (conflicts)
        for (const WarpRef& each : left)
            if (conflicts->is_independent(warp_number(machine_, state, each), done)) return {each};
    if (reduction_ != Reduction::stubborn) return left;
    const auto smallest = [&](const Interference& interference) {
        std::vector<WarpRef> all =
            StubbornSets(machine_, state, interference).smallest(ready, left);
        looked_ += interference.looked;
        return without(std::move(all), tried);
    };
    if (conflicts) return smallest(KnownInterference(*conflicts, done));
    const std::optional<Footprints>& footprints = this->footprints(state.launch);
    if (footprints) return smallest(FootprintInterference(*footprints, context, state));
    return ways(state.launch).copies ? left : of_one_group(state, std::move(left));
}

// A launch whose groups do not all begin well has dependent ends.
bool PersistentSets::begins_well(std::uint32_t launch) const {
    return conflicts_[launch] || ways(launch).begins;
}

const PersistentSets::Ways& PersistentSets::ways(std::uint32_t launch) const {
    std::optional<Ways>& known = ways_[launch];
    if (known) return *known;
    known.emplace();
    const machine::Context& context = machine_.context(launch);
    const std::uint32_t resident = machine_.job().config.resident;
    known->begins = resident == 0 || resident >= context.groups || machine_.groups_begin(launch);
    known->copies = machine::copies_in(context);
    known->ends_first = leads_to(
        *context.code, [](const auto& each) { return each.op == lang::Op::end; },
        [](const auto& each) { return !lang::is_waiting(each.op); });
    const std::vector<bool> faults = leads_to(
        *context.code, [&](const auto& each) { return may_fault(context, each); },
        [](const auto& each) { return !lang::is_visible(each.op); });
    known->faults_behind.assign(faults.begin() + 1, faults.end());
    return *known;
}

// The first ready warp from that slot on that `is` says so of.
template <typename Is>
std::optional<WarpRef> PersistentSets::first_ready(const State& state, std::size_t from,
                                                   Is is) const {
    if (machine_.done(state)) return std::nullopt;
    for (std::size_t slot = from; slot < state.groups.size(); ++slot) {
        const machine::Group& group = *state.groups[slot];
        for (std::uint32_t warp = machine::ready_from(group, 0); warp < group.warps.size();
             warp = machine::ready_from(group, warp + 1))
            if (is(WarpRef{slot, warp})) return WarpRef{slot, warp};
    }
    return std::nullopt;
}

std::optional<WarpRef> PersistentSets::arriving(const State& state, std::size_t from) const {
    return first_ready(state, from, [&](const WarpRef& each) {
        return lang::is_waiting(machine_.next(state, each).op) && comes_at_once(state, each);
    });
}

std::optional<WarpRef> PersistentSets::independent(const State& state,
                                                   const std::vector<std::uint32_t>& done,
                                                   std::size_t from) const {
    if (reduction_ != Reduction::stubborn || machine_.done(state) || !conflicts_[state.launch])
        return std::nullopt;
    const Conflicts& conflicts = *conflicts_[state.launch];
    const Ways& ways = this->ways(state.launch);
    return first_ready(state, from, [&](const WarpRef& each) {
        const lang::Op next = machine_.next(state, each).op;
        return (next == lang::Op::load || next == lang::Op::store || next == lang::Op::atomic) &&
               !ways.faults_behind[state.groups[each.slot]->warps[each.warp].pc] &&
               conflicts.is_independent(warp_number(machine_, state, each), done);
    });
}

// It touches nothing, but for who comes last to a copy's call or to the wait for it. It comes
// through if all its lanes come, and, where it is last, all others have come to the same place,
// agree what it is for, and go on without a fault. Nobody's end is dependent on it, as they are in
// persistent_set.h.
bool PersistentSets::comes_at_once(const State& state, const WarpRef& choice) const {
    const machine::Group& group = *state.groups[choice.slot];
    const machine::Warp& warp = group.warps[choice.warp];
    const lang::Instruction& next = machine_.next(state, choice);
    if (warp.exec != warp.live || !begins_well(state.launch)) return false;
    const Ways& ways = this->ways(state.launch);
    if (machine::comes_last(group)) {
        const bool together = all_of(group.warps, [&](const machine::Warp& each) {
            return each.pc == warp.pc && each.status != machine::Status::done;
        });
        const bool computed =
            (next.op == lang::Op::barrier && (next.extra & lang::kFenceComputed) != 0) ||
            (next.op == lang::Op::group_collective &&
             next.extra == static_cast<std::uint16_t>(lang::Builtin::broadcast)) ||
            (next.flags & lang::kInTurns) != 0 || lang::is_of_grid(next);
        if (!together || computed || ways.faults_behind[warp.pc] || !group.copies.empty() ||
            next.op == lang::Op::group_copy || next.op == lang::Op::group_wait)
            return false;
    }
    if (conflicts_[state.launch]) return true;
    if (const std::optional<Footprints>& footprints = this->footprints(state.launch))
        return !footprints->ends_matter(group, choice.warp);
    if (group.done > 0 || !group.copies.empty()) return false;
    for (std::uint32_t other = machine::ready_from(group, 0); other < group.warps.size();
         other = machine::ready_from(group, other + 1))
        if (other != choice.warp && ways.ends_first[group.warps[other].pc]) return false;
    return true;
}

std::uint64_t PersistentSets::effort(const State& state) const {
    const std::uint64_t warps = state.groups.size() * machine_.context(state.launch).warps;
    const std::uint64_t looked = std::exchange(looked_, 0) / 32;
    if (conflicts_[state.launch]) return 4 + warps + looked;
    return looked + (by_footprints(state.launch) ? 60 + 6 * warps : 60 + warps / 2);
}

const std::optional<Footprints>& PersistentSets::footprints(std::uint32_t launch) const {
    auto& known = footprints_[launch];
    if (!known) {
        known.emplace(Footprints::of(machine_, launch, keys_, written_));
        if (*known) bytes_ += (*known)->bytes();
    }
    return *known;
}

// Whether no other group can get in the way of what it does next.
bool PersistentSets::stays_inside(const State& state, const WarpRef& choice) const {
    const machine::Context& context = machine_.context(state.launch);
    const lang::Op next = machine_.next(state, choice).op;
    const bool reads = next == lang::Op::load;
    for (const std::uint64_t number : machine_.next_objects(state, choice)) {
        if (number == 0 || number > context.visible) return false;  // a fault
        const machine::ObjectInfo& object = context.objects[number];
        const bool shared =
            object.space == machine::Space::global && (written_[object.buffer] || !reads);
        if (shared) return false;
    }
    return true;
}

// Whether the group, taking turns with itself alone, was seen to come to its end soon. Any answer
// is sound: it only says whom to try first. It is asked once of each group.
bool PersistentSets::ends_alone(const State& state, std::size_t slot) const {
    constexpr std::uint64_t kMostActions = 1000;  // per warp; a group with more is tried last
    const std::uint32_t id = state.groups[slot]->id;
    const auto [known, news] =
        ends_alone_.try_emplace(std::uint64_t{state.launch} << 32U | id, false);
    if (!news) return known->second;
    constexpr std::uint64_t kMostStepsAlone =
        20'000;  // instructions of a group; one with more is tried last
    State alone = state;
    machine::StepResult done;
    const std::uint64_t budget = machine_.budget();
    machine_.set_budget(std::min(budget, state.steps + kMostStepsAlone));
    const auto stays = [&] {
        return alone.launch == state.launch && slot < alone.groups.size() &&
               alone.groups[slot]->id == id;
    };
    try {
        const auto warps = static_cast<std::uint32_t>(state.groups[slot]->warps.size());
        for (std::uint64_t left = kMostActions; left > 0 && stays(); --left)
            for (std::uint32_t warp = 0; warp < warps && stays(); ++warp) {
                if (!machine::is_ready(alone, {slot, warp})) continue;
                done.clear();
                machine_.act(alone, {slot, warp}, done);
            }
        known->second = !stays();
    } catch (const machine::Fault&) {
        known->second = false;
    }
    machine_.set_budget(budget);
    return known->second;
}

// Where accesses depend on data: those of a group that all do what concerns it alone. Nobody else
// touches its memory, nor what no launch writes, and whoever of it waits goes on only after one of
// these: so they are persistent, and among them are all whose ends and arrivals matter to each
// other. A group that spins leads nowhere, and every state of its rounds has to try the other
// groups all over again: so those that end come first.
std::vector<WarpRef> PersistentSets::of_one_group(const State& state,
                                                  std::vector<WarpRef> ready) const {
    std::vector<WarpRef> spinning;
    for (std::size_t first = 0; first < ready.size();) {
        std::size_t end = first;
        bool inside = true;
        for (; end < ready.size() && ready[end].slot == ready[first].slot; ++end)
            inside = inside && stays_inside(state, ready[end]);
        const auto group = [&] {
            return std::vector(ready.begin() + static_cast<std::ptrdiff_t>(first),
                               ready.begin() + static_cast<std::ptrdiff_t>(end));
        };
        if (inside && ends_alone(state, ready[first].slot)) return group();
        if (inside && spinning.empty()) spinning = group();
        first = end;
    }
    return spinning.empty() ? ready : spinning;
}

}  // namespace lab::analysis
