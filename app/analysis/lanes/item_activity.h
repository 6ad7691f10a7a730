// What each work-item did in each pass, counted in steps of its group. The lane chart shows it, and
// lanes.h sums it up.
//
// A step is an instruction with which a warp loads, stores, changes memory atomically or exchanges
// values; waiting at a barrier is none. In a pass a group takes as many steps as its busiest warp,
// and in each step an item is in one of four states.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "machine/run.h"

namespace lab::analysis {

struct ItemSlots {
    std::uint32_t active = 0;   // took part in a step of its warp
    std::uint32_t idle = 0;     // its warp took the step, but it was masked out by a branch
    std::uint32_t waiting = 0;  // its warp took no step while another warp of the group did
    std::uint32_t done = 0;     // it had finished the kernel before
    bool ended = false;         // it finished the kernel before this pass or in it

    std::uint32_t total() const { return active + idle + waiting + done; }
};

struct PassActivity {
    std::uint32_t launch = 0;            // from 0
    std::uint32_t pass = 0;              // from 1: see PassNumbers
    std::uint32_t local = 1, lanes = 1;  // work-items per group, lanes per warp
    IndexSpace space;                    // names its work-items
    std::string variables;               // of the launch: "span = 2"
    std::vector<ItemSlots> items;        // by number; no slots where its group took no step
    std::vector<bool> barrier;           // by group: a barrier ended its pass
    std::vector<std::uint32_t> steps;    // of each warp itself, group by group
    bool unfinished = false;             // its steps are as many as the run had patience for

    std::uint32_t warps() const { return (local + lanes - 1) / lanes; }  // of a group
};

// The share of all items' time in which they were active, 0 to 1: each item counts alike, and is at
// rest while its group takes no step. (LaneCount's utilisation is another one: of the slots that
// warps offered which took a step themselves.)
double active_share(const PassActivity& pass);
std::uint64_t active_items(const PassActivity& pass);

// Calls each() for the passes in which anybody took a step, by launch and pass. Of a run that was
// recorded with Recording::trace and Recording::flow. Without the second nobody is done.
void for_activity(const machine::Run& run, const std::function<void(PassActivity&&)>& each);

// All of them.
std::vector<PassActivity> item_activity(const machine::Run& run);

}  // namespace lab::analysis
