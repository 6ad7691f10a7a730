// Whether anybody can see that an asynchronous copy is not done at once.
//
// The machine does a copy when the group waits for it, with all work-items there. A device may do
// each part of it at any time between the first work-item's call and the return of the first wait,
// and neither the call nor the wait is a barrier. If nobody sees that, the results are the same:
//
// Take any execution of the device, and in it the first pair of accesses that conflict and that the
// machine cannot do in this order. There are two kinds. (1) One of the two is a copy's, and the
// other one is by whoever else after all have called and before all wait. Up to there all parts of
// copies commute with what comes between them and their waits, so the machine has a schedule that
// comes to the same place with the copies still to be done, and does the other access there. The
// search keeps such an access in its order with the copy's call and the wait, which count as
// accesses to what is copied, so it tries one equivalent to that schedule, where look() finds it.
// Two copies that are both under way conflict likewise, when the second is called. (2) Two of one
// group, the first by somebody before a call or a wait, the other by somebody, or by the copy
// called, after it, with no barrier between: unordered() compares all that work-items may touch
// around each call and wait, whatever they find. If there is no such pair at all, moving what is
// early behind the call or the wait changes no value, and each execution of the device gives a
// result of the machine. Work-items of one warp go in step, so they are no pair.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/outcomes.h"
#include "analysis/persistent_set.h"
namespace lab::analysis {

class SeenCopies {
  public:
    // Both must outlive it.
    SeenCopies(const machine::Machine& machine, const PersistentSets& sets);

    bool copies(std::uint32_t launch) const { return copies_[launch]; }
    // Before that action, in any state that is reached.
    void look(const machine::State& state, const machine::Choice& choice);
    // After the search: all that look() saw, and pairs without a barrier in the launches reached.
    std::vector<SeenCopy> all();

  private:
    void unordered(std::uint32_t launch);
    void add(SeenCopy::How how, std::uint32_t line, std::uint32_t other);

    const machine::Machine& machine_;
    const PersistentSets& sets_;
    std::vector<bool> copies_, reached_;  // by launch
    std::vector<SeenCopy> seen_;
};

}  // namespace lab::analysis
