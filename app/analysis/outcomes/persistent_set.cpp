#include "analysis/outcomes/persistent_set.h"

#include <algorithm>

#include "analysis/outcomes/stubborn_set.h"
#include "machine/execute/copies.h"
#include "machine/run.h"

namespace lab::analysis {

using machine::Choice;
using machine::State;

namespace {

std::vector<std::optional<Conflicts>> conflicts_of(const machine::Job& job) {
    constexpr std::uint64_t kMostEvents = 200'000;
    std::vector<std::optional<Conflicts>> result(job.launches.size());
    const std::vector<bool> known = launches_known(job);
    if (std::none_of(known.begin(), known.end(), [](bool each) { return each; })) return result;
    machine::Recording recording;
    recording.lineage = false;
    recording.most_events = kMostEvents;
    machine::Order order;
    order.kind = machine::Order::Kind::in_order;
    const machine::Run run(job, order, recording);
    if (run.fault()) return result;  // its trace is not whole
    for (std::size_t i = 0; i < result.size(); ++i)
        if (known[i]) result[i].emplace(run, static_cast<std::uint32_t>(i));
    return result;
}

}  // namespace

PersistentSets::PersistentSets(const machine::Machine& machine, const machine::StateKeys& keys,
                               Reduction reduction)
    : machine_(machine),
      keys_(keys),
      reduction_(reduction),
      written_(machine::written_buffers(machine.job())),
      conflicts_(conflicts_of(machine.job())),
      all_known_(std::all_of(conflicts_.begin(), conflicts_.end(),
                             [](const auto& each) { return each.has_value(); })),
      footprints_(conflicts_.size()) {
    if (reduction == Reduction::none) conflicts_.assign(conflicts_.size(), {});
}

std::vector<Choice> PersistentSets::choices(const State& state,
                                            const std::vector<std::uint32_t>& done) const {
    std::vector<Choice> ready;
    for (std::size_t slot = 0; slot < state.groups.size(); ++slot)
        for (std::uint32_t warp = 0; warp < state.groups[slot]->warps.size(); ++warp) {
            const Choice choice{slot, warp};
            if (!machine::is_ready(state, choice)) continue;
            if (is_independent(state, choice, done)) return {choice};
            ready.push_back(choice);
        }
    if (reduction_ != Reduction::stubborn || ready.empty()) return ready;
    if (const auto& conflicts = conflicts_[state.launch]) {
        const KnownInterference interference(*conflicts, done);
        return StubbornSets(machine_, state, interference).smallest(ready);
    }
    const std::optional<Footprints>& footprints = this->footprints(state.launch);
    if (!footprints && machine::copies_in(machine_.context(state.launch))) return ready;
    if (!footprints) return of_one_group(state, std::move(ready));
    const FootprintInterference interference(*footprints, machine_.context(state.launch), state);
    return StubbornSets(machine_, state, interference).smallest(ready);
}

std::uint64_t PersistentSets::effort(const State& state) const {
    const std::uint64_t warps = state.groups.size() * machine_.context(state.launch).warps;
    return conflicts_[state.launch] ? 4 + warps : 60 + 6 * warps;
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
bool PersistentSets::stays_inside(const State& state, const Choice& choice) const {
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

// Where accesses depend on data: those of a group that all do what concerns it alone.
std::vector<Choice> PersistentSets::of_one_group(const State& state,
                                                 std::vector<Choice> ready) const {
    for (std::size_t first = 0; first < ready.size();) {
        std::size_t end = first;
        bool inside = true;
        for (; end < ready.size() && ready[end].slot == ready[first].slot; ++end)
            inside = inside && stays_inside(state, ready[end]);
        if (inside)
            return {ready.begin() + static_cast<std::ptrdiff_t>(first),
                    ready.begin() + static_cast<std::ptrdiff_t>(end)};
        first = end;
    }
    return ready;
}

// Whether to try that one alone loses nothing.
bool PersistentSets::is_independent(const State& state, const Choice& choice,
                                    const std::vector<std::uint32_t>& done) const {
    if (reduction_ == Reduction::none) return false;
    // Within a warp, and at once.
    if (machine_.next(state, choice).op == lang::Op::sub_collective) return true;
    const auto& conflicts = conflicts_[state.launch];
    const std::uint32_t number =
        state.groups[choice.slot]->id * machine_.context(state.launch).warps + choice.warp;
    return conflicts && conflicts->is_independent(number, done);
}

}  // namespace lab::analysis
