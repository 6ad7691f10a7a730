// Ways through a trace: launch by launch, and the accesses of an action by work-item.
#pragma once

#include <bit>
#include <cstdint>

#include "machine/run.h"

namespace lab::analysis {

// Calls each(first, end) for the actions of each launch; `end` is not one of them.
template <typename Each>
void for_launches(const machine::Trace& trace, Each&& each) {
    for (std::uint64_t first = 0, end = 0; first < trace.size(); first = end) {
        while (end < trace.size() && trace.action(end).launch == trace.action(first).launch)
            ++end;
        each(first, end);
    }
}

// Calls each(item, access) in the order of lanes; items are global ids.
template <typename Each>
void for_accesses(const machine::Trace& trace, const machine::Context& context,
                  const machine::Action& action, Each&& each) {
    const std::span<const machine::Access> all = trace.accesses(action);
    std::uint64_t lanes = action.mask;
    for (std::size_t i = 0; i < all.size(); lanes &= lanes - 1) {
        const std::uint64_t item = std::uint64_t{action.group} * context.local +
                                   std::uint64_t{action.warp} * context.lanes +
                                   static_cast<unsigned>(std::countr_zero(lanes));
        for (std::uint8_t k = 0; k < action.count; ++k, ++i)
            each(item, all[i]);
    }
}

}  // namespace lab::analysis
