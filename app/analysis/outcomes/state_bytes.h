// What stored states take of memory. Copies share groups and pages, so it is counted what one adds
// when it is stored, and what goes with it when it is dropped.
#pragma once

#include <cstdint>

#include "machine/state.h"

namespace lab::analysis {

// Without the groups and pages that `beside` has, too.
std::uint64_t bytes_added(const machine::State& state, const machine::State* beside = nullptr);
// Without those that any other copy has.
std::uint64_t bytes_dropped(const machine::State& state);

}  // namespace lab::analysis
