// Skips iterations of bounded waits: their counters would make each iteration a new state.
//
// A wait like `while (*flag == 0 && ++looks < most)` is skipped to its last iterations, in a state
// in which the warp, if it alone acts, comes back to where it stands with nothing changed but its
// counters: loop acceleration (Bardin, Finkel, Leroux, Petrucci 2003). Nothing is abstracted: the
// state skipped to is one that the machine reaches, by the returned number of actions.
//
// Why no result is lost. Let k lanes of the warp wait, and let all comparisons of their counters
// come out as they do now in D more iterations (wait_iterations). The warp skips d = D - k. Take
// any schedule from the state before. Each iteration in it after which the same lanes stand there
// again has written nothing and changed nothing but the counters: to leave it out changes nothing
// for anybody, and lets the counters lag by one. From the state after the skip, leave out the first
// d of these. If there are as many, the counters are equal from then on, and all goes on alike. If
// there are fewer, every other iteration loses a lane to the rest of the kernel, so that there are
// at most k of them, the last perhaps not finished: the counters stay within the D iterations, and
// what leaves the loop has seen each comparison come out as it did in the schedule, and no longer
// needs the counters. So every end, fault and endless run of the state before is one of the state
// after, by a schedule that is not longer; and the other way round, since the state after is
// reached from the one before. It therefore goes together with a search that tries a persistent set
// of actions in each state: what is proved there by induction over the length of schedules still
// is.
//
// If a warp cannot go round alone because others would have to act in between, nothing is skipped.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "lang/dataflow.h"
#include "machine/machine.h"
#include "machine/state.h"
namespace lab::analysis {

// One iteration of a loop that waits: whether all it does is look at memory and count.

// A register that an iteration moves by `step`, 1 or -1.
struct LoopCounter {
    std::uint32_t reg = 0;
    std::int64_t step = 1;
    lang::Number number = lang::Number::u32;  // how it is added up

    // Returns what a register holds of it `count` iterations later.
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

// Returns what the lane's iterations may do, whatever its loads find, as long as the comparisons of
// its `counters` come out as they do now. Nothing unless each way round the loop, back to where it
// stands, writes no memory and changes no register that is still needed, but moves the counters by
// their steps; and unless on each way out of it the counters decide nothing but by comparisons with
// what is known. Completes the counters' numbers.
//
// An abstract interpretation of one lane's instructions (Cousot and Cousot 1977): a value is known,
// a counter plus something known, or any. A condition on any value goes both ways.
std::optional<WaitIterations> wait_iterations(const LoopEntry& entry,
                                              std::vector<LoopCounter>& counters);

class SpinAcceleration {
  public:
    // Both must outlive it.
    SpinAcceleration(machine::Machine& machine, const machine::StateKeys& keys);

    struct Skipped {
        std::uint64_t actions = 0;  // of the warp
        std::uint64_t instructions = 0;
    };
    // If the warp is ready and at the start of a bounded wait, runs as many iterations as make no
    // difference. Empty if the first one does, or it is no such wait.
    std::optional<Skipped> skip(machine::State& state, const machine::WarpRef& choice);

  private:
    struct Round;
    std::optional<Round> go_round(const machine::State& state, const machine::WarpRef& choice);
    std::uint64_t alike(const machine::State& state, const machine::WarpRef& choice, Round& round);

    machine::Machine& machine_;
    const machine::StateKeys& keys_;
    std::map<const lang::Code*, std::shared_ptr<const WaitLoops>> loops_;
    machine::StepResult done_;
};

}  // namespace lab::analysis
