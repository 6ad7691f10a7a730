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

#include "analysis/outcomes/loop_iteration.h"
#include "machine/machine.h"
#include "machine/state_key.h"

namespace lab::analysis {

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
    std::optional<Skipped> skip(machine::State& state, const machine::Choice& choice);

  private:
    struct Round;
    std::optional<Round> go_round(const machine::State& state, const machine::Choice& choice);
    std::uint64_t alike(const machine::State& state, const machine::Choice& choice, Round& round);

    machine::Machine& machine_;
    const machine::StateKeys& keys_;
    std::map<const lang::Code*, std::shared_ptr<const WaitLoops>> loops_;
    machine::Done done_;
};

}  // namespace lab::analysis
