// The rows of the step view with the races of the run in them, and the reads that they made stale.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/rows/passes.h"
#include "analysis/rows/stale_reads.h"
#include "machine/run.h"

namespace lab::analysis {

inline constexpr std::uint64_t kMostEventsForStale =
    4'000'000;  // of a trace; more are not looked at

// As trace_passes() has them. The cells at which races met are named in the rows of their arrays,
// without those that every write left as they were, or that atomics handed over: of these the row
// before says so. Each stale read
// stands in the row of its pass, of several arrays in that of one that its work-item wrote; the
// cells that it wrote there are marked.
// `all` says whether every cell was looked at, as stale_reads() has it.
std::vector<Pass> stale_rows(const machine::Run& run, std::size_t start, bool* all = nullptr);

}  // namespace lab::analysis
