// The actions of a run in order, as the schedule figure shows them, with stale reads linked to the
// writes that came too late.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/run.h"

namespace lab::analysis {

struct TimelineAction {
    std::uint32_t launch = 0, group = 0, warp = 0;  // from 0
    std::uint32_t pass = 0;                         // from 1: see PassNumbers; 0: only waits
    std::uint32_t line = 0;
    std::uint32_t lanes = 0;  // that took part
    machine::ActionKind kind = machine::ActionKind::load;
    bool local = false;
    bool stale = false;      // a lane took another round's value
    std::uint32_t name = 0;  // of Timeline::arrays
    std::string cells;       // "[4]", "[0…3]", "[0,2…6]"; empty: it touches no memory
    std::string values;      // read or stored, "7 1 6 8"; empty: too many
};

struct StaleArc {
    std::uint64_t read = 0;              // its time
    std::optional<std::uint64_t> write;  // time of the write that it missed or saw too early
    std::string cell;                    // "data[4]"
    std::string took, missed;
    std::uint64_t item = 0, writer = 0;  // numbers
    std::uint32_t group = 0, line = 0;
    bool too_new = false;
};

struct TimelineLaunch {
    std::uint64_t first = 0;  // time of its first action
    std::string variables;    // "span = 2"
};

struct Timeline {
    std::vector<TimelineAction> actions;  // by time
    std::vector<std::string> arrays;
    std::vector<StaleArc> stale;  // the first kMostArcs of them, by time
    std::uint64_t stale_reads = 0;
    bool stale_known = true;  // false: the run is too long to check
    std::vector<TimelineLaunch> launches;
    IndexSpace space;                     // names work-items and groups
    std::uint32_t groups = 1, warps = 1;  // most of any launch; warps: of a group
};
inline constexpr std::size_t kMostArcs = 64;

// For a run with a trace.
Timeline timeline_of(const machine::Run& run);

}  // namespace lab::analysis
