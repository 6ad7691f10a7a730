// Where in a run a row is from, so that the same row can be had from elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/job.h"

namespace lab::analysis {

// How a cell came to what it is in a row, in the launch so far.
struct CellTrace {
    bool written = false;     // by anybody, in this pass of the launch or an earlier one; then:
    std::uint32_t pass = 0;   // in which it was written last, …
    std::uint32_t group = 0;  // … and by whom
    bool atomic = false;      // by an atomic, with a value that comes from the input
    bool later = false;       // and again in a later pass of the launch
    bool shared = false;      // several groups write it in the launch
};

struct RowTrace {
    std::uint32_t launch = 0, pass = 0;  // as Action has them, from 0
    std::uint32_t object = 0;            // of the launch
    bool local = false;                  // cells of all groups side by side
    std::size_t buffer = 0;              // of global memory: of Job::buffers
    std::uint64_t group_cells = 0;       // of a group, where it is local
    machine::Scalar element = machine::Scalar::int_;
    bool last = false;       // of its array in the launch
    bool any_order = false;  // atomics took part in its values, or may have: in no order that holds
    std::vector<CellTrace> cells = {};  // where they were asked for
};

}  // namespace lab::analysis
