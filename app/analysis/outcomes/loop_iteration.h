// One iteration of a loop that waits: whether all it does is look at memory and count.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "lang/code/liveness.h"
#include "machine/context.h"

namespace lab::analysis {

// A register that an iteration moves by `step`, 1 or -1.
struct LoopCounter {
    std::uint32_t reg = 0;
    std::int64_t step = 1;
    lang::Number number = lang::Number::u32;  // how it is added up

    // What a register holds of it `count` iterations later.
    std::uint64_t after(std::uint64_t bits, std::uint64_t count) const;
    bool operator==(const LoopCounter&) const = default;
};

// The loops of one kernel's code, by the accesses in them.
class WaitLoops {
  public:
    explicit WaitLoops(const lang::Code& code);

    struct Loop {
        std::uint32_t first = 0, last = 0;  // instructions; the last jumps to the first
        bool contains(std::uint32_t pc) const { return first <= pc && pc <= last; }
    };
    // The innermost loop in which that load or atomic lies; empty: it is in none, or the loop has
    // more in it than a wait.
    const std::optional<Loop>& around(std::uint32_t pc) const { return loops_[pc]; }

  private:
    std::vector<std::optional<Loop>> loops_;  // by instruction
};

// Where a lane stands that is about to begin an iteration.
struct LoopEntry {
    const machine::Context& context;
    const lang::Liveness& liveness;
    WaitLoops::Loop loop;
    const machine::Group& group;  // before the iteration
    std::uint32_t warp = 0, lane = 0;
};

struct WaitIterations {
    // In so many, this one included, all comparisons of counters come out as they do now.
    std::uint64_t alike = 0;
    // Slots of masks: of the conditions that it stands in. Who came to them must have come on to
    // here, else lanes of the warp wait elsewhere in the loop.
    std::vector<std::uint32_t> within;
};

// What the lane's iterations may do, whatever its loads find, as long as the comparisons of its
// `counters` come out as they do now. Nothing unless each way round the loop, back to where it
// stands, writes no memory and changes no register that is still needed, but moves the counters by
// their steps; and unless on each way out of it the counters decide nothing but by comparisons with
// what is known. Completes the counters' numbers.
//
// An abstract interpretation of one lane's instructions (Cousot and Cousot 1977): a value is known,
// a counter plus something known, or any. A condition on any value goes both ways.
std::optional<WaitIterations> wait_iterations(const LoopEntry& entry,
                                              std::vector<LoopCounter>& counters);

}  // namespace lab::analysis
