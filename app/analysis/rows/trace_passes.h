// The rows of the step view from a trace: the array that each pass writes, as it is then.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/rows/passes.h"
#include "machine/run.h"

namespace lab::analysis {

inline constexpr std::uint64_t kMostRowCells = 4096;

// How a cell came to what it is in a row, in the launch so far.
struct CellTrace {
    bool written = false;     // by anybody, in this pass of the launch or an earlier one; then:
    std::uint32_t pass = 0;   // in which it was written last, …
    std::uint32_t group = 0;  // … and by whom
    bool atomic = false;      // by an atomic, with a value that comes from the input
    bool later = false;       // and again in a later pass of the launch
    bool shared = false;      // several groups write it in the launch
};

// Where in the run a row is from, so that the same row can be had from elsewhere.
struct RowTrace {
    std::uint32_t launch = 0, pass = 0;  // as Action has them, from 0
    bool local = false;                  // cells of all groups side by side
    std::size_t buffer = 0;              // of global memory: of Job::buffers
    std::uint64_t group_cells = 0;       // of a group, where it is local
    machine::Scalar element = machine::Scalar::int_;
    bool last = false;       // of its array in the launch
    bool any_order = false;  // atomics took part in its values, or may have: in no order that holds
    std::vector<CellTrace> cells;
};

// A pass of a launch gives a row for each array into which values that come from the input (or from
// memory that nobody wrote) are stored; counters and flags give none. Of local memory a row holds
// the cells of all groups side by side. A cell's value is what the last store of this pass or an
// earlier one left in it; its sources are those cells of the row above from which the storing
// work-item had the parts of its value, by lineage.
//
// Where no value of a launch comes from an input, all that it stores count. Of more than 500 rows
// the first and the last are kept, and the last says how many are left out before it.
//
// The rows of a launch are in the order of its passes, whenever its work-items came to them. Where
// work-items race, a store of an earlier pass may come after one of a later pass to the same cell:
// in the last row of its array the cell has what memory holds at the launch's end, and says so.
//
// The first row is `start` at the beginning: the buffer of that number. Arrays with more than
// kMostRowCells cells, in all groups together, give no rows.
//
// `traces`: gets one for each row but the first.
std::vector<Pass> trace_passes(const machine::Run& run, std::size_t start,
                               std::vector<RowTrace>* traces = nullptr);

// The barriers that each group passed, a launch and a group.
std::vector<std::vector<std::uint32_t>> barriers_passed(const machine::Run& run);

}  // namespace lab::analysis
