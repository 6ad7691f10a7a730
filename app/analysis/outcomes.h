// Every result that a job can give, over all schedules: a search through the machine's states.
//
// Depth first, each state once. States with the same future share one key (StateKey); once a
// state is finished, only its key is kept. Whole states are stored only on the current path, and
// only where other choices are left. If a loop may wait for data, the edges between states are
// stored too: a state from which no path ends is the result "never ends". Each state tries a
// persistent set of actions, and another one where none of these leads on; persistent_set.h says
// why no result, fault or hang is lost. A warp that arrives at a barrier touches nothing and mostly
// does so at once; bounded waits are skipped to their last iterations (spin_acceleration.h).
// random_kernels_test compares all of it with a search that does none of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/spin_acceleration.h"
#include "machine/machine.h"
#include "machine/run.h"
#include "machine/schedule.h"
#include "machine/state.h"
namespace lab::analysis {

// The result in a state in which the job is done.
struct Ending {
    std::string result;
    std::optional<bool> right;  // empty: the right result is not known

    bool operator==(const Ending&) const = default;
};
using EndingOf =
    std::function<Ending(const machine::Machine& machine, const machine::State& state)>;

struct PossibleResult {
    Ending ending;
    bool fault = false;  // the schedule ends in a fault; `result` names it
    // The schedule leads to a state from which no schedule ends: a livelock.
    bool never_ends = false;
    // A schedule that gives it: these turns, then the remaining warps in order. The fewest possible
    // turns if `shortest`, else few.
    std::vector<machine::ScheduleSlice> turns;
    bool shortest = false;
    bool sampled = false;  // found by a random schedule, after the search had stopped early
    // Instructions of the schedule if they exceed the job's budget, because a wait takes that long.
    std::uint64_t instructions = 0;
};

// The limit that stopped the search; that of effort counts as one of states.
enum class Bound : std::uint8_t { none, states, memory };

// Somebody may see that an asynchronous copy is not done at once (stale_reads.h): then there may be
// results that no schedule of the machine gives.
struct SeenCopy {
    enum class How : std::uint8_t {
        meanwhile,  // `line` touches what the copy in line `other` does, before the wait
        unordered,  // only a copy's call or wait is between the lines, which is no barrier
        unknown,    // the launch is too large to tell; no lines
    };
    How how = How::unknown;
    std::uint32_t line = 0, other = 0;

    bool operator==(const SeenCopy&) const = default;
};

// Names a line that devices may run in another way than a machine whose lanes keep step, in a
// kernel that needs its warps.
struct LaneChoice {
    enum class How : std::uint8_t {
        order,     // in which order lanes come to one cell in that line
        together,  // which lanes come there together
    };
    How how = How::order;
    std::uint32_t line = 0;

    bool operator==(const LaneChoice&) const = default;
};

// The results that independent items can give, all groups at once. OpenCL promises no more than
// that, and a machine on which lanes keep step, or groups wait for room, hides the rest.
struct IndependentOutcomes {
    std::uint32_t lanes = 1;  // more: sub-groups of so many keep step, and nothing was searched
    std::size_t results = 0;
    bool complete = false;
    bool same = false;  // complete, and the very results of the machine

    bool operator==(const IndependentOutcomes&) const = default;
};

struct Outcomes {
    std::vector<PossibleResult> results;  // right ones first, then by number of turns
    bool complete = false;                // no other results exist
    bool cancelled = false;
    Bound bound = Bound::none;  // the limit that stopped the search
    // Reads of uninitialised memory, one per place in the text: a device may find anything there,
    // so any result is possible. The machine fills memory with bytes of 0xa5.
    std::vector<std::string> unwritten;
    std::vector<SeenCopy> copies;   // empty: nobody can see any
    std::vector<LaneChoice> lanes;  // the same
    bool endless = false;           // some schedules used up the instruction budget
    // Every schedule can still end, but some loop forever: it ends only if every warp that is
    // waited for gets its turn, which OpenCL guarantees neither to groups nor to work-items.
    bool needs_progress = false;
    std::uint64_t states = 0;   // visited, including the first and the last
    std::uint64_t bytes = 0;    // peak memory of the search: keys, states, results
    std::uint64_t samples = 0;  // random runs, after the search stopped early
    std::uint64_t skips = 0;    // bounded waits that were skipped ahead
    std::uint64_t effort = 0;   // as OutcomesOptions counts it
    // Launches searched with partial-order reduction, and all launches.
    std::uint32_t reduced = 0, launches = 0;
    // judged_outcomes() adds these. Empty: the machine promises no more than OpenCL
    // does.
    std::optional<IndependentOutcomes> independent;
    std::optional<bool> races;       // whether a schedule that was tried has a race; empty: unknown
    bool for_these_numbers = false;  // with other numbers there may be other results, or more
    // Atomics of several cells that are not all memory_order_seq_cst, or of a memory that what
    // work-items wait at does not name: OpenCL allows orders of them that no schedule has.
    bool weaker_orders = false;
    // One case is searched of what else OpenCL leaves open: a weak compare-exchange fails only if
    // it has to, and a collective adds and multiplies floats from the first to the last.
    bool weak_exchanges = false, float_collectives = false;

    // The only result there can be, and a result: no fault, no hang, and no more with independent
    // items.
    bool is_one() const {
        return complete && results.size() == 1 && !results[0].fault && !results[0].never_ends &&
               !needs_progress && (!independent || independent->same);
    }
};

// Partial-order reduction: which orders of actions that do not conflict are tried.
enum class Reduction : std::uint8_t {
    none,         // all but those that settle() leaves out (outcomes.cpp)
    independent,  // only an action that conflicts with none still to come, if there is one; else
                  // all
    stubborn,
};

struct OutcomesOptions {
    std::uint64_t most_states = 2'000'000;  // of a search; more leave it INCOMPLETE
    // For keys, states and results together. 2 million states take 64 MiB of keys; the rest is for
    // long paths of many warps. The search for shortest schedules afterwards gets as much again.
    // Bytes of a search; more leave it INCOMPLETE.
    std::uint64_t most_bytes = 256ULL << 20U;
    // The effort that it may take, in units of some 0.1 us, which do not depend on how fast it
    // really is: more states if they are small. 0: any. What is left to be done afterwards then
    // gets less, too.
    std::uint64_t most_effort = 0;
    std::uint64_t samples = 2'000;  // random runs if the search stops early
    // Returns true if these results are all that the search is for. It is asked beyond
    // `enough_after`, and ends the search as a bound of states does, without random runs.
    std::function<bool(const std::vector<PossibleResult>&)> enough;
    std::uint64_t enough_after = 0;  // as most_effort
    Reduction reduction = Reduction::stubborn;
    bool shortest = true;                                     // look for the shortest schedules
    std::function<void(const Outcomes& so_far)> on_progress;  // called from time to time
    const std::atomic<bool>* cancel = nullptr;  // another thread sets it to stop the search
};

// The effort of a search that a user waits for: about a second.
inline constexpr std::uint64_t kSecondOfEffort = 7'000'000;

// Throws Problem if the job cannot start.
Outcomes outcomes_of(const machine::Job& job, const EndingOf& ending,
                     const OutcomesOptions& options = {});

void to_json(nlohmann::json& json, const Outcomes& outcomes);
void from_json(const nlohmann::json& json, Outcomes& outcomes);

// The keys of the states that a search has visited, numbered. A hash table of our own, at most
// three quarters full, so that its memory is known to the byte. A 16-byte key stands for a whole
// state.

class KnownStates {
  public:
    struct Inserted {
        std::uint32_t number = 0;  // of the state, from 0, in order of insertion
        bool fresh = false;        // it was new
    };
    Inserted insert(machine::StateKey key) {
        if (key == kNone) key.high = 1;  // kNone marks free places
        if (needs_room()) grow();
        const Inserted inserted = put(key, static_cast<std::uint32_t>(count_));
        count_ += inserted.fresh ? 1 : 0;
        return inserted;
    }

    std::uint64_t size() const { return count_; }
    std::uint64_t bytes() const {
        return keys_.size() * (sizeof(machine::StateKey) + sizeof(std::uint32_t));
    }
    // Peak memory of the next insertion: while the table grows, there are two of it.
    std::uint64_t bytes_to_insert() const { return needs_room() ? 3 * bytes() : bytes(); }

  private:
    static constexpr machine::StateKey kNone{};

    bool needs_room() const { return (count_ + 1) * 4 > keys_.size() * 3; }

    Inserted put(const machine::StateKey& key, std::uint32_t number) {
        std::size_t index = key.low & (keys_.size() - 1);
        while (!(keys_[index] == kNone)) {
            if (keys_[index] == key) return {numbers_[index], false};
            index = (index + 1) & (keys_.size() - 1);
        }
        keys_[index] = key;
        numbers_[index] = number;
        return {number, true};
    }

    void grow() {
        const std::vector<machine::StateKey> keys =
            std::exchange(keys_, std::vector<machine::StateKey>(2 * keys_.size()));
        const std::vector<std::uint32_t> numbers =
            std::exchange(numbers_, std::vector<std::uint32_t>(keys_.size()));
        for (std::size_t index = 0; index < keys.size(); ++index)
            if (!(keys[index] == kNone)) put(keys[index], numbers[index]);
    }

    std::vector<machine::StateKey> keys_ = std::vector<machine::StateKey>(1024);  // a power of two
    std::vector<std::uint32_t> numbers_ = std::vector<std::uint32_t>(1024);
    std::uint64_t count_ = 0;
};

// Counts what stored states take of memory. Copies share groups and pages, so it is counted what
// one adds when it is stored, and what goes with it when it is dropped.

// Without the groups and pages that `beside` has, too.
std::uint64_t bytes_added(const machine::State& state, const machine::State* beside = nullptr);
// Without those that any other copy has.
std::uint64_t bytes_dropped(const machine::State& state);

// The end of a schedule.
struct End {
    Ending ending;
    bool fault = false;
};

// One run of a job under a schedule at random: what a search that ends early adds to what it found.

struct RandomRun {
    std::vector<machine::ScheduleSlice> turns;
    std::optional<End> end;  // empty: the budget of instructions was used up
};

// Turns of some length where `seed` is odd, else of one action. Takes what it takes from `effort`,
// as OutcomesOptions counts it. Nothing if it was cancelled, or used that up.
std::optional<RandomRun> random_run(machine::Machine& machine, const EndingOf& ending,
                                    std::uint64_t seed, std::vector<machine::Finding>* findings,
                                    const std::atomic<bool>* cancel, std::uint64_t& effort);

}  // namespace lab::analysis
