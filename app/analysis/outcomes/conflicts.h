// Which actions of which warps can still get in each other's way, where what a kernel touches does
// not depend on data: a search through schedules need not try all orders of the others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "machine/run.h"

namespace lab::analysis {

// Which launches touch the same cells under every schedule: nothing in what they touch depends on
// what memory holds, but for buffers that no launch writes.
std::vector<bool> launches_known(const machine::Job& job);
inline bool accesses_depend_on_data(const machine::Job& job) {
    const std::vector<bool> known = launches_known(job);
    return std::find(known.begin(), known.end(), false) != known.end();
}

// Claim: where launches_known() says so, every schedule gives each warp the same actions on the
// same cells, so those of one run are those of all; two that share no cell, or only read it, give
// the same in either order. Of one group, two with a barrier between them are in this order in
// every schedule; where one group runs at a time, so are those of two groups. What does depend on
// data are values, and so faults like a division by zero: an action is one wherever it reads the
// same, which persistent_set.h allows for. Ways and bounds do not: a run without a fault has none
// of these in any schedule, and a run with one is not used.
//
// For one launch. Warps are numbered through all groups: group * warps of a group + warp.
class Conflicts {
  public:
    // From the trace of any complete run: every schedule gives each warp the same actions.
    Conflicts(const machine::Run& run, std::uint32_t launch);

    // The last action of another warp that conflicts with one.
    struct Last {
        std::uint32_t warp = 0, action = 0;
    };
    // With the next action of that warp, `done` as below: one for each warp that conflicts.
    const std::vector<Last>& with_next(std::uint32_t warp,
                                       const std::vector<std::uint32_t>& done) const {
        static const std::vector<Last> none;
        return done[warp] < actions_[warp].size() ? actions_[warp][done[warp]] : none;
    }

    std::size_t warps() const { return actions_.size(); }

    // `done`: how many of its actions each warp has done. Whether the next one of `warp` can go
    // first at no loss: no other warp can still do, before it, what conflicts with it. A barrier
    // between two of one group keeps the later from coming first.
    bool is_independent(std::uint32_t warp, const std::vector<std::uint32_t>& done) const {
        const std::uint32_t next = done[warp];
        if (next >= actions_[warp].size()) return false;
        for (const Last& last : actions_[warp][next])
            if (done[last.warp] <= last.action) return false;
        return true;
    }

  private:
    using Action = std::vector<Last>;
    std::vector<std::vector<Action>> actions_;  // by warp
};

}  // namespace lab::analysis
