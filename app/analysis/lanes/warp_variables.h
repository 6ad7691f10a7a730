// The kernel's variables at one moment, for all work-items of a warp side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace lab::analysis
