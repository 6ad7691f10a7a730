// The way of a search to a state: actions, and iterations of bounded waits that it skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/outcomes/outcomes.h"
#include "analysis/outcomes/spin_acceleration.h"
#include "machine/schedule.h"

namespace lab::analysis {

struct PathPart {
    machine::Turn turn;
    bool skipped = false;  // iterations of a bounded wait: SpinAcceleration::skip
};
using SearchPath = std::vector<PathPart>;

// As a schedule has it: one turn for what a warp does without a break.
std::vector<machine::Turn> turns_of(const SearchPath& path);

// Leaves out of a path, which leads to that result, whatever was skipped without need: those who
// wait then find what they wait for. What the rest takes in instructions; empty: all is needed.
std::optional<std::uint64_t> leave_out_skips(machine::Machine& machine, SpinAcceleration& spins,
                                             const EndingOf& ending, const std::string& result,
                                             SearchPath& path);

}  // namespace lab::analysis
