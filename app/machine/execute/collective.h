// What a group or sub-group computes together: reductions, scans, broadcasts, votes, shuffles.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/code/code.h"
#include "machine/lineage.h"
#include "machine/state.h"

namespace lab::machine {

struct Member {
    std::uint64_t value = 0, second = 0;  // operands
    Node node = 0;
    std::uint64_t result = 0;
    Node made = 0;
    std::uint32_t lane = 0;                  // its place in the group or sub-group; ascending
    std::uint64_t from = ~std::uint64_t{0};  // the lane that a shuffle or broadcast takes from
};

// One instruction, for all members in the order of their ids, of a group or sub-group of `lanes`.
// Without `lineage` nodes stay 0.
void collect(const lang::Instruction& instruction, std::uint32_t lanes,
             std::vector<Member>& members, State& state, Lineage* lineage);

}  // namespace lab::machine
