// Finds stale reads: reads that took a value of another round, where a race made a difference.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/run.h"
namespace lab::analysis {

// A read should find what the last write before it left, in the order that the text means
// (program_order.h). It is stale if that write, or the one it found instead, was not ordered with
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
    bool update = false;  // another update of the cell came between this read and its write-back
};

// Each read is compared with every write of its cell. 2^28 comparisons took 0.6 s (one core of a
// server, 2.2 ns each). A run is examined twice, for its rows and for its schedule, so half of them
// keep the wait as long.
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

}  // namespace lab::analysis
