// Makes the rows of the step view from a run with a trace: the arrays that each pass writes
// (row_builder.h).
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/rows/row_trace.h"
#include "analysis/rows/step_table.h"
#include "machine/run.h"

namespace lab::analysis {

inline constexpr std::uint64_t kMostRowCells = 4096;  // an array with more gives no rows
inline constexpr std::uint64_t kMostEventsForStale =
    4'000'000;  // of a trace; more are not looked at

// The first row is buffer `start` at the beginning. `traces` receives one per row but the first.
std::vector<Row> trace_rows(const machine::Run& run, std::size_t start,
                            std::vector<RowTrace>* traces = nullptr);

// The same, with the run's races and stale reads. A stale read is in the row of its pass (if the
// pass has several arrays, in that of one that its work-item wrote), and the cells that it wrote
// there are marked. `all`: whether every cell was checked, see stale_reads().
std::vector<Row> stale_rows(const machine::Run& run, std::size_t start, bool* all = nullptr);

// How many barriers each group passed, by launch and group.
std::vector<std::vector<std::uint32_t>> barriers_passed(const machine::Run& run);

}  // namespace lab::analysis
