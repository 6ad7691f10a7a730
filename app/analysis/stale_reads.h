// Finds stale reads: reads that took a value of another round, where a race made a difference.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/outcomes.h"
#include "analysis/persistent_set.h"
#include "machine/run.h"
namespace lab::analysis {

// A read should find what the last write before it left, in the order that the text means
// (happens_before.h). It is stale if that write, or the one it found instead, was not ordered with
// it, and the two left different values.
struct StaleRead {
    std::uint64_t time = 0;  // of the read: its action in the trace
    std::uint32_t launch = 0;
    std::uint64_t item = 0;  // global id
    std::uint32_t group = 0;
    std::uint32_t pass = 0;    // of the read, as its Action has it
    std::uint32_t place = 0;   // in the code of the launch
    std::uint32_t object = 0;  // of the launch
    std::uint64_t cell = 0;    // in the object's elements
    machine::Scalar type = machine::Scalar::int_;
    std::uint64_t took = 0;    // as a register holds it
    std::uint64_t missed = 0;  // what it should have taken
    std::uint64_t writer = 0;  // the work-item whose write it missed or saw too early
    std::uint32_t write_pass = 0, write_place = 0;
    std::uint32_t turn = 0,
                  write_turn = 0;  // iterations of the outermost loop, as Actions have them
    bool too_new = false;          // it found a write that should come after it
    // The work-item reads the cell again there in a later iteration, as in a wait loop.
    bool reread = false;
    bool update = false;     // another update of the cell came between this read and its write-back
    bool unwritten = false;  // it took what memory held before anything was written to it
};

// True if nothing was written to memory with these bytes, or these very bytes.
bool may_be_unwritten(const machine::ObjectInfo& object, std::uint64_t bits, machine::Scalar type);

// Each read is compared with every write of its cell. 2^28 comparisons took 0.6 s (one core of a
// server, 2.2 ns each). A run is examined twice, for its rows and for its schedule, so half of them
// keep the wait as long. Accesses of a run that are compared; cells beyond are not checked, and
// that is said.
inline constexpr std::uint64_t kMostComparisons = 1ULL << 27U;

// In order of time; `run` needs a whole trace. `all`: whether every cell was checked; one that is
// read and written some ten thousand times, as by an endless kernel, is left out.
std::vector<StaleRead> stale_reads(const machine::Run& run, bool* all = nullptr);
// The same for one launch: actions [first, end) of a trace, which need not have the launches before
// it. `all` becomes false if a cell was left out. `comparisons`: the budget, reduced by those made.
std::vector<StaleRead> stale_reads(const machine::Machine& machine, const machine::Trace& trace,
                                   std::uint64_t first, std::uint64_t end, bool* all,
                                   std::uint64_t& comparisons);

// Stores out of the order of passes: they belong to an earlier pass than a previous store to the
// same cell.
//
// The rows of a launch are in the order of its passes, whenever its work-items reached them. If
// work-items race, memory may end up with what one of an earlier pass wrote.

struct LateStore {
    const machine::Action* action = nullptr;
    const machine::Access* access = nullptr;
    std::uint64_t item = 0;  // global id
    std::uint64_t cell = 0;  // of the array; local arrays: of all groups side by side
};

// For one launch, whose actions are those at `first` to `end` (not included): the last store to
// each cell that a later pass had written before. In the order of objects and cells.
std::vector<LateStore> late_stores(const machine::Trace& trace, const machine::Context& context,
                                   std::uint64_t first, std::uint64_t end);

// Finds out if a kernel can observe that an asynchronous copy is not done at once.
//
// The machine does a copy when the group waits for it, with all work-items there. A device may do
// each part of it at any time between the first work-item's call and the return of the first wait,
// and neither the call nor the wait is a barrier. If nobody sees that, the results are the same:
//
// Take any execution of the device, and in it the first pair of accesses that conflict and that the
// machine cannot do in this order. There are two kinds. (1) One of the two is a copy's, and the
// other one is by whoever else after all have called and before all wait. Up to there all parts of
// copies commute with what comes between them and their waits, so the machine has a schedule that
// comes to the same place with the copies still to be done, and does the other access there. The
// search keeps such an access in its order with the copy's call and the wait, which count as
// accesses to what is copied, so it tries one equivalent to that schedule, where look() finds it.
// Two copies that are both under way conflict likewise, when the second is called. (2) Two of one
// group, the first by somebody before a call or a wait, the other by somebody, or by the copy
// called, after it, with no barrier between: unordered() compares all that work-items may touch
// around each call and wait, whatever they find. If there is no such pair at all, moving what is
// early behind the call or the wait changes no value, and each execution of the device gives a
// result of the machine. Work-items of one warp go in step, so they are no pair.

class AsyncCopyVisibility {
  public:
    // Both must outlive it.
    AsyncCopyVisibility(const machine::Machine& machine, const PersistentSets& sets);

    bool copies(std::uint32_t launch) const { return copies_[launch]; }
    // Before that action, in any state that is reached.
    void look(const machine::State& state, const machine::WarpRef& choice);
    // After the search: all that look() saw, and pairs without a barrier in the launches reached.
    std::vector<SeenCopy> all();

  private:
    void unordered(std::uint32_t launch);
    void add(SeenCopy::How how, std::uint32_t line, std::uint32_t other);

    const machine::Machine& machine_;
    const PersistentSets& sets_;
    std::vector<bool> copies_, reached_;  // by launch
    std::vector<SeenCopy> seen_;
};

}  // namespace lab::analysis
