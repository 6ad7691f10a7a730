// Finds schedules with the fewest turns that lead to a result; after them the rest goes in order.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/conflicts.h"
#include "analysis/outcomes.h"
#include "analysis/spin_acceleration.h"
#include "machine/machine.h"
namespace lab::analysis {

// The end of a schedule.
struct End {
    Ending ending;
    bool fault = false;
};

struct ShortestBounds {
    std::uint64_t actions = 0;
    std::uint64_t bytes = 0;  // for stored states
};

// The shortest turns for as many of the `wanted` results as are found within the bounds, breadth
// first by turns. `conflicts`: by launch, empty if not known; with it, a turn does not end where
// that could make no difference.
std::map<std::string, std::vector<machine::ScheduleSlice>> shortest_schedules(
    machine::Machine& machine, const machine::StateKeys& keys, const EndingOf& ending,
    const std::vector<std::optional<Conflicts>>& conflicts, std::vector<std::string> wanted,
    const ShortestBounds& bounds, const std::atomic<bool>* cancel);

// The budget for attempts to shorten schedules; each attempt is a run.
struct ShrinkBudget {
    std::uint64_t runs = 0, actions = 0;
};

// Removes turns, or lets them go on until they have to wait, as long as the result is the same.
std::vector<machine::ScheduleSlice> remove_redundant_turns(
    machine::Machine& machine, const EndingOf& ending, const std::string& result,
    std::vector<machine::ScheduleSlice> turns, ShrinkBudget& tries);

// As short as they can be found, for what a search found. Not what waits longer than the budget
// lets it: each try would take as long.
void shorten(machine::Machine& machine, const machine::StateKeys& keys, const EndingOf& ending,
             const std::vector<std::optional<Conflicts>>& conflicts, const OutcomesOptions& options,
             std::vector<PossibleResult>& results);

// Shortens each turn to the fewest actions that lead to the same result.
std::vector<machine::ScheduleSlice> with_fewest_actions(machine::Machine& machine,
                                                        const EndingOf& ending,
                                                        const std::string& result,
                                                        std::vector<machine::ScheduleSlice> turns,
                                                        ShrinkBudget& tries);

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

// The results that a search has found so far, each once.

class FoundResults {
  public:
    // All must outlive it; `results` are where they go.
    FoundResults(machine::Machine& machine, SpinAcceleration& spins, const EndingOf& ending,
                 std::vector<PossibleResult>& results)
        : machine_(machine), spins_(spins), ending_(ending), results_(results) {}

    // Notes what that path, of so many instructions, leads to. Of paths that lead to the same it
    // keeps one within the budget, or the one that waits least.
    void note(const End& end, const SearchPath& path, std::uint64_t instructions);
    void add(PossibleResult result);
    // The instructions of a schedule, where they are more than the job's budget; else 0.
    std::uint64_t beyond_budget(std::uint64_t instructions) const;
    std::uint64_t bytes() const { return bytes_; }

  private:
    void wait_less(PossibleResult& result, SearchPath path);

    machine::Machine& machine_;
    SpinAcceleration& spins_;
    const EndingOf& ending_;
    std::vector<PossibleResult>& results_;
    std::set<std::string> known_;
    std::uint64_t bytes_ = 0;
};

// Right ones first, then by number of turns.
void sort(std::vector<PossibleResult>& results);

}  // namespace lab::analysis
