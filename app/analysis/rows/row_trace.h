// Where in a run a row comes from, so that a device can be asked for the same row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/job.h"

namespace lab::analysis {

// How a cell got its value, in the launch so far.
struct CellTrace {
    bool written = false;     // in this pass of the launch or an earlier one; then:
    std::uint32_t pass = 0;   // the last write's pass
    std::uint32_t group = 0;  // the last write's group
    bool atomic = false;      // by an atomic, with a value that comes from the input
    bool later = false;       // written again in a later pass of the launch
    bool shared = false;      // several groups write it in the launch
};

struct RowTrace {
    std::uint32_t launch = 0, pass = 0;  // as Action has them, from 0
    std::uint32_t object = 0;            // of the launch
    bool local = false;                  // cells of all groups side by side
    std::size_t buffer = 0;              // of global memory: of Job::buffers
    std::uint64_t group_cells = 0;       // per group if it is local
    machine::Scalar element = machine::Scalar::int_;
    bool last = false;  // of its array in the launch
    bool any_order =
        false;  // atomics may have taken part in its values, in an order that is not fixed
    std::vector<CellTrace> cells = {};  // if requested
};

}  // namespace lab::analysis
