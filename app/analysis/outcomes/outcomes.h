// Every result that a job can give, over all schedules: a search through the machine's states.
//
// Depth first, each state once (states that go on alike have one key, and of a state that has been
// left for good nothing but its key is kept). Whole are only those on the way to the present one
// that have other ways to go on. Where a loop may wait for data, the actions between the states are
// kept, too: a state from which none of them leads to an end is a result, "never ends". In each
// state a persistent set of actions is tried (persistent_set.h). Who comes to a barrier touches
// nothing, and does so at once; who counts how long it waits counts at once (spin_acceleration.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "machine/run.h"

namespace lab::analysis {

// What a state holds in which the job is done.
struct Ending {
    std::string result;
    std::optional<bool> right;  // empty: nobody knows what is right

    bool operator==(const Ending&) const = default;
};
using EndingOf =
    std::function<Ending(const machine::Machine& machine, const machine::State& state)>;

struct PossibleResult {
    Ending ending;
    bool fault = false;  // the schedule ends in one; `result` says which
    // From where the schedule leads to, no schedule comes to an end: a livelock.
    bool never_ends = false;
    // A schedule that gives it: turns, and what is left after them in order. The fewest turns that
    // do, if `shortest`; else few, though not always the fewest.
    std::vector<machine::Turn> turns;
    bool shortest = false;
    bool sampled = false;  // found at random, after the search had ended early
    // That the schedule takes, where it is more than the job's budget: somebody waits that long.
    std::uint64_t instructions = 0;
};

// What a search stopped at before its end.
enum class Bound : std::uint8_t { none, states, memory };

struct Outcomes {
    std::vector<PossibleResult> results;  // the right ones first, then by the number of turns
    bool complete = false;                // these are all
    bool cancelled = false;
    Bound bound = Bound::none;  // that ended the search early
    // Reads of memory that nobody had written, a place each: what they find is what chance left
    // there, so that a device may give any result. The machine's memory holds 0xa5 in each byte.
    std::vector<std::string> unwritten;
    bool endless = false;  // some schedules used up the budget of instructions
    // Some schedule goes round forever where another one comes to an end: it ends only if everyone
    // who is waited for gets a turn, which OpenCL promises neither groups nor work-items.
    bool needs_progress = false;
    std::uint64_t states = 0;   // visited, the first and the last included
    std::uint64_t bytes = 0;    // at most held by the search at once: keys, states, results
    std::uint64_t samples = 0;  // runs at random, where the search ended early
    std::uint64_t skips = 0;    // of iterations of bounded waits
    // Launches in which the reduction was on, and of how many.
    std::uint32_t reduced = 0, launches = 0;
};

// Which orders are tried of actions that do not conflict.
enum class Reduction : std::uint8_t {
    none,   // all
    alone,  // one of an action that nothing still to come can conflict with; else all
    stubborn,
};

struct OutcomesOptions {
    std::uint64_t most_states = 2'000'000;
    // Of keys, states and results at once. 2 million states take 64 MiB of keys; the rest is for
    // long ways of many warps. The search for shortest schedules, after it, has as much.
    std::uint64_t most_bytes = 256ULL << 20U;
    std::uint64_t samples = 2'000;  // runs, if the search ends early
    Reduction reduction = Reduction::stubborn;
    bool shortest = true;  // look for shortest schedules; else for any
    std::function<void(const Outcomes& so_far)> on_progress;  // now and then
    const std::atomic<bool>* cancel = nullptr;                // set from elsewhere: it stops
};

// Throws Problem where the job cannot begin.
Outcomes outcomes_of(const machine::Job& job, const EndingOf& ending,
                     const OutcomesOptions& options = {});

void to_json(nlohmann::json& json, const Outcomes& outcomes);
void from_json(const nlohmann::json& json, Outcomes& outcomes);

}  // namespace lab::analysis
