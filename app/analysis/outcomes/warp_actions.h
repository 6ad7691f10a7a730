// How searches through schedules count the actions of warps, and who comes to a barrier next.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "machine/machine.h"

namespace lab::analysis {

// Of an action, at most; where it has more, a search counts it as several.
inline constexpr std::uint64_t kUsualInstructions = 64;

// The warp's number in its launch: group * warps of a group + warp.
std::uint32_t warp_number(const machine::Machine& machine, const machine::State& state,
                          const machine::Choice& choice);

// One zero per warp of the state's launch; empty if all launches are done.
std::vector<std::uint32_t> no_actions_done(const machine::Machine& machine,
                                           const machine::State& state);

// A warp that comes to where its group waits next, and touches nothing there.
std::optional<machine::Choice> arriving(const machine::Machine& machine,
                                        const machine::State& state);

}  // namespace lab::analysis
