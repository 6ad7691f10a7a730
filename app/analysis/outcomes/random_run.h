// One run of a job under a schedule at random: what a search that ends early adds to what it found.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/outcomes/shortest_schedule.h"

namespace lab::analysis {

struct RandomRun {
    std::vector<machine::Turn> turns;
    std::optional<End> end;  // empty: the budget of instructions was used up
};

// Turns of some length where `seed` is odd, else of one action. Takes what it takes from `effort`,
// as OutcomesOptions counts it. Nothing if it was cancelled, or used that up.
std::optional<RandomRun> random_run(machine::Machine& machine, const EndingOf& ending,
                                    std::uint64_t seed, std::vector<machine::Finding>* findings,
                                    const std::atomic<bool>* cancel, std::uint64_t& effort);

}  // namespace lab::analysis
