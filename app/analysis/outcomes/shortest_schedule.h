// Finds schedules with the fewest turns that lead to a result; after them the rest goes in order.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/outcomes/conflicts.h"
#include "analysis/outcomes/outcomes.h"
#include "machine/state_key.h"

namespace lab::analysis {

// What a schedule ends in.
struct End {
    Ending ending;
    bool fault = false;
};

struct ShortestBounds {
    std::uint64_t actions = 0;
    std::uint64_t bytes = 0;  // for stored states
};

// The shortest turns for as many of the `wanted` results as are found within the bounds, breadth
// first by turns. `conflicts`: by launch, empty if not known; with it, a turn does not end where
// that could make no difference.
std::map<std::string, std::vector<machine::Turn>> shortest_schedules(
    machine::Machine& machine, const machine::StateKeys& keys, const EndingOf& ending,
    const std::vector<std::optional<Conflicts>>& conflicts, std::vector<std::string> wanted,
    const ShortestBounds& bounds, const std::atomic<bool>* cancel);

// The budget for attempts to shorten schedules; each attempt is a run.
struct Tries {
    std::uint64_t runs = 0, actions = 0;
};

// Removes turns, or lets them go on until they have to wait, as long as the result is the same.
std::vector<machine::Turn> without_needless(machine::Machine& machine, const EndingOf& ending,
                                            const std::string& result,
                                            std::vector<machine::Turn> turns, Tries& tries);

// As short as they can be found, for what a search found. Not what waits longer than the budget
// lets it: each try would take as long.
void shorten(machine::Machine& machine, const machine::StateKeys& keys, const EndingOf& ending,
             const std::vector<std::optional<Conflicts>>& conflicts, const OutcomesOptions& options,
             std::vector<PossibleResult>& results);

// Shortens each turn to the fewest actions that lead to the same result.
std::vector<machine::Turn> with_fewest_actions(machine::Machine& machine, const EndingOf& ending,
                                               const std::string& result,
                                               std::vector<machine::Turn> turns, Tries& tries);

}  // namespace lab::analysis
