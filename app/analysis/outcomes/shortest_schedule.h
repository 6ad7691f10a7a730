// The schedule with the fewest turns that leads to a result, what is left after them going in
// order.
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
    std::uint64_t bytes = 0;  // of stored states
};

// For as many of the `wanted` results as it finds within the bounds, the shortest turns: breadth
// first by turns. `conflicts`: by launch, nothing where it is not known; a warp is then not stopped
// where that could make no difference.
std::map<std::string, std::vector<machine::Turn>> shortest_schedules(
    machine::Machine& machine, const machine::StateKeys& keys, const EndingOf& ending,
    const std::vector<std::optional<Conflicts>>& conflicts, std::vector<std::string> wanted,
    const ShortestBounds& bounds, const std::atomic<bool>* cancel);

// What is left for tries to make schedules shorter, each of which is a run.
struct Tries {
    std::uint64_t runs = 0, actions = 0;
};

// With fewer turns, as long as leaving one out, or letting one go on until it has to wait, leads to
// the same result.
std::vector<machine::Turn> without_needless(machine::Machine& machine, const EndingOf& ending,
                                            const std::string& result,
                                            std::vector<machine::Turn> turns, Tries& tries);

// With as few actions in each turn as lead to the same result.
std::vector<machine::Turn> with_fewest_actions(machine::Machine& machine, const EndingOf& ending,
                                               const std::string& result,
                                               std::vector<machine::Turn> turns, Tries& tries);

}  // namespace lab::analysis
