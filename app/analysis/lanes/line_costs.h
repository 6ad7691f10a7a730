// What each line of a kernel's text costs: how often work-items come to it, and what its loads and
// stores take of memory.
#pragma once

#include <cstdint>
#include <map>

#include "machine/run.h"

namespace lab::analysis {

struct LineCost {
    std::uint64_t hits = 0;      // by a work-item: a load, a store, an atomic or a barrier
    std::uint64_t requests = 0;  // of warps to memory
    // For global memory sectors fetched, of local memory turns of the banks; and the least that
    // would do for what was needed (see insight/traffic.h).
    std::uint64_t taken = 0, least = 0;
    std::uint64_t times = 0,
                  splits = 0;  // that a warp came to a condition, that it was split there
    std::uint64_t waits = 0;   // of a work-item at a barrier
};

// By line of the kernel's own file. Of a run that was recorded with Recording::trace and, for
// splits, Recording::flow.
std::map<std::uint32_t, LineCost> line_costs(const machine::Run& run);

}  // namespace lab::analysis
