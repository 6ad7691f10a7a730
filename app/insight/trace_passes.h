// The rows of the step view from a trace: the array that each pass writes, as it is then.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "insight/passes.h"
#include "machine/run.h"

namespace lab {

inline constexpr std::uint64_t kMostRowCells = 4096;

// A pass of a launch gives a row for each array into which values that come from the input (or from
// memory that nobody wrote) are stored; counters and flags give none. Of local memory a row holds
// the cells of all groups side by side. A cell's value is what the last store of this pass or an
// earlier one left in it; its sources are those cells of the row above from which the storing
// work-item had the parts of its value, by lineage.
//
// Where no value of a launch comes from an input, all that it stores count. Of more than 500 rows
// the first and the last are kept, and the last says how many are left out before it.
//
// The first row is `start` at the beginning: the buffer of that number. Arrays with more than
// kMostRowCells cells, in all groups together, give no rows.
std::vector<Pass> trace_passes(const machine::Run& run, std::size_t start);

}  // namespace lab
