// Finds where groups wait for each other by hand, spinning on a counter or a flag: an order that
// holds in practice, whatever OpenCL promises (the race detector judges by the letter).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "machine/run.h"
namespace lab::analysis {

struct HandOrder {
    // By Action::pass: whether each work-item knew, before its first access of data in that pass,
    // that the other groups had finished all earlier ones.
    std::map<std::uint32_t, bool> known;
    // By Action::pass: the counters from which some work-item learned in it what others had done.
    std::map<std::uint32_t, std::set<std::string>> counters;
    // Buffers and their cells with two conflicting accesses that no waiting orders.
    std::set<std::pair<std::size_t, std::uint64_t>> unordered;
};

// Launches with more work-items are not examined: every pair of them has a clock.
inline constexpr std::uint64_t kMostHandItems = 1024;

// Actions [first, end) are those of one launch. Counters and flags are global arrays into which
// only values that come from no input are stored.
HandOrder hand_order(const machine::Machine& machine, const machine::Trace& trace,
                     std::uint64_t first, std::uint64_t end);

}  // namespace lab::analysis
