// What each work-item did in each pass, counted in the steps of its group: the cells of the lane
// chart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/run.h"

namespace lab::analysis {

// In lane-slots, as LaneCount has them: in a pass a group takes as many steps as its busiest warp,
// and in each of them an item is in one of these four states.
struct ItemSlots {
    std::uint32_t active = 0, idle = 0, waiting = 0, done = 0;
    bool ended = false;  // it came to the end of the kernel before this pass, or in it

    std::uint32_t total() const { return active + idle + waiting + done; }
};

struct PassActivity {
    std::uint32_t launch = 0;            // from 0
    std::uint32_t pass = 0;              // from 1: see PassNumbers
    std::uint32_t local = 1, lanes = 1;  // work-items a group, lanes a warp
    std::string variables;               // of the launch: "span = 2"
    std::vector<ItemSlots> items;        // by global id; no slots where its group took no step
    std::vector<bool> barrier;           // by group: a barrier ended its pass
};

// The share of all items' time in which they were active, 0 to 1: each item counts alike, and is at
// rest while its group takes no step. (LaneCount's utilisation is another one: of the slots that
// warps offered which took a step themselves.)
double active_share(const PassActivity& pass);
std::uint64_t active_items(const PassActivity& pass);

// By launch and pass: those in which anybody took a step. Of a run that was recorded with
// Recording::trace and Recording::flow.
std::vector<PassActivity> item_activity(const machine::Run& run);

}  // namespace lab::analysis
