// Finds the actions of warps that can still conflict, where what a kernel touches does not depend
// on data: a search through schedules need not try all orders of the others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "machine/machine.h"
#include "machine/run.h"
namespace lab::analysis {

// Says of each launch whether it touches the same cells under every schedule: what it touches
// depends on no memory but buffers that no launch writes.
std::vector<bool> launches_known(const machine::Job& job);
inline bool accesses_depend_on_data(const machine::Job& job) {
    const std::vector<bool> known = launches_known(job);
    return std::find(known.begin(), known.end(), false) != known.end();
}

// The memory that an action touches, as the upper bits of numbers of its cells. A buffer is one
// whatever argument names it.
inline std::uint64_t memory_bits(const machine::ObjectInfo& object, const machine::Action& action) {
    return object.space == machine::Space::local
               ? std::uint64_t{1} << 63U | std::uint64_t{action.group} << 44U |
                     std::uint64_t{action.object} << 36U
               : std::uint64_t{object.buffer} << 40U;
}

// Claim: where launches_known() says so, every schedule gives each warp the same actions on the
// same cells, so those of one run are those of all; two that share no cell, or only read it, give
// the same in either order. Of one group, two with a barrier between them are in this order in
// every schedule, and so are any two with a barrier of the grid between them; where one group runs
// at a time, so are those of two groups. What does depend on data are values, and so faults like a
// division by zero: an action is one wherever it reads the same, which persistent_set.h allows for.
// Ways and bounds do not: a run without a fault has none of these in any schedule, and a run with
// one is not used.
//
// For one launch. Warps are numbered through all groups: group * warps of a group + warp.
class Conflicts {
  public:
    // From the trace of any complete run: every schedule gives each warp the same actions. Empty if
    // there are too many pairs of them.
    static std::optional<Conflicts> of(const machine::Run& run, std::uint32_t launch);

    // The last action of another warp that conflicts with one.
    struct Last {
        std::uint32_t warp = 0, action = 0;
    };
    // With the next action of that warp, `done` as below: one for each warp that conflicts.
    const std::vector<Last>& with_next(std::uint32_t warp,
                                       const std::vector<std::uint32_t>& done) const {
        static const std::vector<Last> none;
        return done[warp] < actions_[warp].size() ? actions_[warp][done[warp]] : none;
    }

    std::size_t warps() const { return actions_.size(); }

    // `done`: how many of its actions each warp has done. Whether the next one of `warp` can go
    // first at no loss: no other warp can still do, before it, what conflicts with it. A barrier
    // between two of one group keeps the later from coming first.
    bool is_independent(std::uint32_t warp, const std::vector<std::uint32_t>& done) const {
        const std::uint32_t next = done[warp];
        if (next >= actions_[warp].size()) return false;
        for (const Last& last : actions_[warp][next])
            if (done[last.warp] <= last.action) return false;
        return true;
    }

  private:
    Conflicts() = default;
    using Action = std::vector<Last>;
    std::vector<std::vector<Action>> actions_;  // by warp
};

// The memory that an action touches, as far as others see it.

// Bytes of one object that others see, too.
struct Cells {
    // A buffer of the job, or, with kLocalObject, an object in the group's local memory.
    std::uint64_t object = 0;
    std::uint64_t first = 0, end = 0;
    bool writes = false;
    bool copies = false;                // an asynchronous copy does
    std::uint64_t step = 0, piece = 0;  // only `piece` bytes in each `step`; 0: all

    auto operator<=>(const Cells&) const = default;
};
inline constexpr std::uint64_t kLocalObject = std::uint64_t{1} << 32U;
inline constexpr std::uint64_t kAnyObject = ~std::uint64_t{0}, kNoEnd = ~std::uint64_t{0};

// Gives the cells that `bytes` at a pointer cover; nothing for those that no work-item writes. A
// pointer out of bounds leads to any object: it is a fault, after which nothing happens.
std::optional<Cells> cells_at(const machine::Context& context, const std::vector<bool>& written,
                              std::uint64_t pointer, std::uint64_t bytes, bool writes);
// Gives the two sides of a copy, what it reads and what it writes; fewer if it copies nothing.
std::vector<Cells> copied_cells(const machine::Context& context, const std::vector<bool>& written,
                                const machine::Copy& copy);
// Gives what a ready warp touches next; nothing if it is out of bounds. The last warp to come to a
// copy's call, or to the wait for it, touches the copy's cells for its group.
std::vector<Cells> next_cells(const machine::Context& context, const std::vector<bool>& written,
                              const machine::State& state, const machine::WarpRef& choice);
// `instruction` is a load, a store or an atomic.
bool writes_cells(const lang::Instruction& instruction);
// Says whether an atomic with that operand leaves every value as it is. Kernels look at a flag by
// atomic_or(p, 0): its order with other reads makes no difference. That holds in memory that was
// filled before the launch; elsewhere the atomic is a first write.
bool reads_only(const lang::Instruction& instruction, std::uint64_t operand);
inline std::uint64_t bytes_touched(const lang::Instruction& instruction) {
    return std::uint64_t{lang::info(instruction.type).bytes} * instruction.count;
}
// True if two of them, done by others, may give something else in the other order.
bool order_matters(const Cells& a, const Cells& b, bool one_group);

// Counts the actions of warps in searches through schedules.

// An action has at most so many instructions; one that has more counts as several in a search.
inline constexpr std::uint64_t kUsualInstructions = 64;

// The warp's number in its launch: group * warps of a group + warp.
std::uint32_t warp_number(const machine::Machine& machine, const machine::State& state,
                          const machine::WarpRef& choice);

// Returns true if that warp, of that group in that launch, is ready for one action more.
bool may_go_on(const machine::State& state, std::uint32_t launch, std::uint32_t group,
               const machine::WarpRef& choice);

// One zero per warp of the state's launch; empty if all launches are done.
std::vector<std::uint32_t> no_actions_done(const machine::Machine& machine,
                                           const machine::State& state);

// Chooses the warps that must act in a state, so that a search still reaches every end.

// A warp that may still do what conflicts with the next action of another one.
struct Interferer {
    std::uint32_t warp = 0;      // of the launch
    bool after_barrier = false;  // only after the next barrier of its group
};

// In one state.
class Interference {
  public:
    virtual ~Interference() = default;
    // All that interfere with the next action of that ready warp.
    virtual const std::vector<Interferer>& with_next(std::uint32_t warp) const = 0;
    mutable std::uint64_t looked = 0;  // warps that it has looked at
};

// Where accesses do not depend on data.
class KnownInterference : public Interference {
  public:
    // `done`: how many of its actions each warp of the launch has done. Both must outlive it.
    KnownInterference(const Conflicts& conflicts, const std::vector<std::uint32_t>& done)
        : conflicts_(conflicts), done_(done) {}
    const std::vector<Interferer>& with_next(std::uint32_t warp) const override;

  private:
    const Conflicts& conflicts_;
    const std::vector<std::uint32_t>& done_;
    mutable std::vector<Interferer> found_;
};

// For one state. A set is stubborn if nothing outside it can ever interfere with the next action of
// a member: a ready warp brings in all warps with a later action that conflicts with its next one,
// or, if that comes after a barrier, one that has to come there first; a waiting warp brings in one
// that it waits for (Valmari 1991). A group that has not begun brings in one of each resident
// group, of which one has to end before it begins. What is enough for a group, one of its ready
// warps, is there: a group without any goes on, or is a fault, before the state is seen; or it
// waits at the grid's barrier, which opens only after every ready warp of the others has acted, of
// which the set has one.
class StubbornSets {
  public:
    // All must outlive it.
    StubbornSets(const machine::Machine& machine, const machine::State& state,
                 const Interference& interference);

    // The ready members of the stubborn set with the fewest of them, of those that one of `seeds`
    // is in; all that are ready, where it would take long to find. `ready`: all ready warps;
    // `seeds`: at least one.
    std::vector<machine::WarpRef> smallest(const std::vector<machine::WarpRef>& ready,
                                           const std::vector<machine::WarpRef>& seeds) const;

  private:
    struct Set {
        std::vector<bool> in;
        std::vector<std::uint32_t> left;  // members still to be processed
    };
    static void add(Set& set, std::uint32_t number);
    void close(Set& set, std::uint32_t number) const;
    void add_one_of(Set& set, const machine::Group& group) const;
    std::uint32_t number_of(std::uint32_t group, std::uint32_t warp) const {
        return group * context_.warps + warp;
    }

    const machine::State& state_;
    const machine::Context& context_;
    const Interference& interference_;
};

}  // namespace lab::analysis
