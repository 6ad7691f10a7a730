// A schedule under which a job's rows are those that a device gave: what may have happened there.
//
// A device tells what its arrays held at barriers and at the end, not in which order its work-items
// got there. Depth first through the machine's states, each once, as outcomes does; but a way on
// which the last store of a pass to a cell leaves another value than the device's row has there is
// given up at once, and what the device's runtime would do is tried first: the warp that acted last
// goes on, then the others in order. Where what the kernel touches does not depend on data, only
// stubborn sets are tried (see outcomes.h): rows are alike for all orders of independent actions.
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
    std::uint64_t most_actions = 2'000'000;     // of all ways together, those given up included
    const std::atomic<bool>* cancel = nullptr;  // set from elsewhere: it stops
};

struct Explanation {
    std::optional<std::vector<machine::Turn>> turns;  // of a run whose rows are the device's
    bool complete = false;     // without turns: no schedule of this machine gives these rows
    std::uint64_t states = 0;  // visited
};

// `start`: the buffer of the first row, as trace_rows() takes it. Throws Problem where the job
// cannot begin.
Explanation explain(const machine::Job& job, std::size_t start, const StepTable& device,
                    const ExplainOptions& options = {});

// Whether the rows of the job's run in that order are the device's, floats up to rounding.
bool gives_rows(const machine::Job& job, std::size_t start, const machine::Order& order,
                const StepTable& device, const std::atomic<bool>* cancel = nullptr);

}  // namespace lab::analysis
