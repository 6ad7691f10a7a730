// Tells how values of a run arose: their depth, the work-items that combined, the memory used.
#pragma once

#include <cstdint>
#include <span>

#include "machine/run.h"

namespace lab::analysis {

struct Work {
    std::uint64_t depth = 0;  // combinations on the longest way from an input to a value
    // Work-items and groups that stored a combination which went into a value, or is one.
    std::uint64_t items = 0, groups = 0;
    std::uint64_t local_loads = 0;  // lanes that read a part of a value from local memory
};
Work work_of(const machine::Run& run, std::span<const machine::Node> values);

}  // namespace lab::analysis
