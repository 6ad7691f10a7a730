// What each line of a kernel's text costs: how often work-items execute it, and its memory traffic.
#pragma once

#include <cstdint>
#include <map>

#include "machine/run.h"

namespace lab::analysis {

struct LineCost {
    std::uint64_t hits = 0;      // by a work-item: a load, a store, an atomic or a barrier
    std::uint64_t requests = 0;  // of warps to memory
    // Sectors fetched (global memory) or bank cycles (local memory), and the least possible for
    // what was needed (traffic.h).
    std::uint64_t taken = 0, least = 0;
    std::uint64_t times = 0,
                  splits = 0;  // that a warp came to a condition, that it was split there
    std::uint64_t waits = 0;   // of a work-item at a barrier
};

// By line of the kernel's file. Needs a run with Recording::trace and, for splits, Recording::flow.
std::map<std::uint32_t, LineCost> line_costs(const machine::Run& run);

}  // namespace lab::analysis
