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

// The same with the races of the run in them, and the reads that they made stale: each stands in
// the row of its pass, of several arrays in that of one that its work-item wrote; the cells that it
// wrote there are marked. `all` says whether every cell was looked at, as stale_reads() has it.
std::vector<Row> stale_rows(const machine::Run& run, std::size_t start, bool* all = nullptr);

// The barriers that each group passed, a launch and a group.
std::vector<std::vector<std::uint32_t>> barriers_passed(const machine::Run& run);

}  // namespace lab::analysis
