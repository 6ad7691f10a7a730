// How well the lanes of warps were used, pass by pass, and which conditions made warps diverge.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "machine/run.h"

namespace lab::analysis {

// Counted in lane-slots: a lane in one step of its group (see item_activity.h), so that
//     active + idle + waiting + done = steps of the group x lanes of the warp.
// Lanes that the last warp of a group does not have (10 work-items, 4 lanes per warp) do not exist.
struct LaneCount {
    std::uint64_t steps = 0;                                    // taken by the warps themselves
    std::uint64_t offered = 0;                                  // lane-slots of those steps
    std::uint64_t active = 0, idle = 0, waiting = 0, done = 0;  // as ItemSlots has them
};
// Active lane-slots as a share of `offered`, 0 to 1; 0 if there were none.
double utilisation(const LaneCount& count);

struct WarpLanes {
    std::uint32_t launch = 0, group = 0, warp = 0;  // from 0
    std::uint32_t pass = 0;                         // from 1: see PassNumbers
    std::uint32_t lanes = 0;
    LaneCount count;
};

struct PassLanes {  // all warps together
    std::uint32_t launch = 0, pass = 0;
    LaneCount count;
};

// A condition that made warps diverge: it held for some lanes only. Over all launches.
struct DivergentBranch {
    std::string file, text;  // the condition as written
    std::uint32_t line = 0, column = 0;
    machine::Branch::Kind kind = machine::Branch::Kind::condition;
    std::uint64_t times = 0;            // a warp evaluated it
    std::uint64_t splits = 0;           // of those, it diverged
    std::uint32_t least = 0, most = 0;  // lanes for which it held when the warp diverged
};

struct Lanes {
    IndexSpace space;               // names its groups
    std::vector<WarpLanes> warps;   // by launch, pass, group, warp; groups with steps in the pass
    std::vector<PassLanes> passes;  // by launch and pass
    LaneCount total;
    std::vector<DivergentBranch> branches;  // in the order of the text
};

// Those that made a warp diverge. Needs a run with Recording::flow.
std::vector<DivergentBranch> branches_of(const machine::Run& run);

// Needs a run with Recording::trace; without Recording::flow no lane counts as done and no branch
// is known.
Lanes lanes_of(const machine::Run& run);

// {"passes": [...], "warps": [...], "total": {...}, "branches": [...]}; launches count from 1.
void to_json(nlohmann::json& out, const Lanes& lanes);

}  // namespace lab::analysis
