// Stores out of the order of passes: they belong to an earlier pass than a previous store to the
// same cell.
//
// The rows of a launch are in the order of its passes, whenever its work-items reached them. If
// work-items race, memory may end up with what one of an earlier pass wrote.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/run.h"

namespace lab::analysis {

struct LateStore {
    const machine::Action* action = nullptr;
    const machine::Access* access = nullptr;
    std::uint64_t item = 0;  // global id
    std::uint64_t cell = 0;  // of the array; local arrays: of all groups side by side
};

// For one launch, whose actions are those at `first` to `end` (not included): the last store to
// each cell that a later pass had written before. In the order of objects and cells.
std::vector<LateStore> late_stores(const machine::Trace& trace, const machine::Context& context,
                                   std::uint64_t first, std::uint64_t end);

}  // namespace lab::analysis
