// The results that a search has found so far, each once.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "analysis/outcomes/outcomes.h"
#include "analysis/outcomes/search_path.h"
#include "analysis/outcomes/shortest_schedule.h"
#include "analysis/outcomes/spin_acceleration.h"

namespace lab::analysis {

class FoundResults {
  public:
    // All must outlive it; `results` are where they go.
    FoundResults(machine::Machine& machine, SpinAcceleration& spins, const EndingOf& ending,
                 std::vector<PossibleResult>& results)
        : machine_(machine), spins_(spins), ending_(ending), results_(results) {}

    // What that path, of so many instructions, leads to. Of those that lead to the same, one within
    // the budget, or the one that waits least.
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
