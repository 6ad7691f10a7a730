// Finds a schedule that gives the rows of a device: what may have happened there.
//
// A device shows what its arrays held at barriers and at the end, not the order in which its
// work-items acted. The search is depth first through the machine's states, each once, like
// outcomes.h. A path is abandoned as soon as the last store of a pass to a cell leaves a value
// other than the device's. What a device's runtime would do is tried first: the warp that acted
// last goes on, then the others in order. If a kernel's accesses do not depend on data, only
// stubborn sets are tried (stubborn_set.h): rows are the same for all orders of independent
// actions.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/rows/step_table.h"
#include "machine/run.h"

namespace lab::analysis {

struct ExplainOptions {
    std::uint64_t most_states = 200'000;
    std::uint64_t most_actions = 2'000'000;     // of all paths, including abandoned ones
    const std::atomic<bool>* cancel = nullptr;  // another thread sets it to stop the search
};

struct Explanation {
    std::optional<std::vector<machine::Turn>> turns;  // a run with the device's rows
    bool complete = false;     // without turns: no schedule of this machine gives them
    std::uint64_t states = 0;  // visited
};

// `start`: the buffer of the first row, as for trace_rows(). Throws Problem if the job cannot
// start.
Explanation explain(const machine::Job& job, std::size_t start, const StepTable& device,
                    const ExplainOptions& options = {});

// Whether a run in that order has the device's rows, floats up to rounding.
bool gives_rows(const machine::Job& job, std::size_t start, const machine::Order& order,
                const StepTable& device, const std::atomic<bool>* cancel = nullptr);

}  // namespace lab::analysis
