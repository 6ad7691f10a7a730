// The kernel's variables at one moment, for all work-items of a warp side by side.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analysis/lanes/timeline.h"
#include "machine/machine.h"

namespace lab::analysis {

struct VariableRow {
    std::string name, type;           // "float4"
    std::uint32_t line = 0;           // where it is declared
    std::vector<std::string> values;  // by lane; "" where there is no such work-item
    bool same = false;                // all lanes have the same
};

// Live variables at the warp's position: those in registers, not pointers or arrays. `slot` indexes
// state.groups. Empty for a warp that is done.
std::vector<VariableRow> variables_of(const machine::Machine& machine, const machine::State& state,
                                      std::size_t slot, std::uint32_t warp);

// The warp that acted last, else the first that still runs: its group's place in state.groups, and
// its number there. `time`: actions, of the run that `timeline` is of.
std::pair<std::size_t, std::uint32_t> warp_at(const machine::State& state, const Timeline& timeline,
                                              std::uint64_t time);

}  // namespace lab::analysis
