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
    bool stale = false;                 // a lane took another round's value
    std::optional<std::uint32_t> name;  // of Timeline::arrays; none: it touches no memory
    std::string cells;                  // as cells_text() has them
    std::string values;                 // read or stored, "7 1 6 8"; empty: too many
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
inline constexpr std::size_t kMostArcs = 64;  // stale reads that are drawn; the rest are counted

// For a run with a trace.
Timeline timeline_of(const machine::Run& run);

// One moment of a run for people to see: what memory holds, and what each warp would do next.

// The cells that one lane touches in an action.
struct LaneTouch {
    std::uint32_t lane = 0;
    std::uint64_t item = 0;   // global id
    std::uint64_t index = 0;  // of the array's elements
    std::string value;        // read or stored
    // For a store of a combined value: its two parts, as the lane had read or stored them; empty if
    // not known.
    std::string left, right;
};

// An action that a warp took, or would take.
struct ActionView {
    std::uint32_t launch = 0, group = 0, warp = 0;  // from 0
    machine::ActionKind kind = machine::ActionKind::load;
    std::string array;  // empty: it touches no memory
    lang::ArrayShape shape;
    bool local = false;
    std::uint32_t line = 0, column = 0;
    std::uint32_t pass = 0;  // as in Action
    std::uint64_t mask = 0;  // lanes that take part
    std::vector<LaneTouch> touches;
};

// A warp of a group that has started.
struct WarpView {
    std::uint32_t group = 0, warp = 0;
    std::uint64_t first_item = 0;  // global id of its first lane
    std::uint32_t lanes = 0;       // existing lanes
    std::uint64_t running = 0;     // a bit for each lane that is not masked out
    std::uint32_t line = 0;        // its next instruction's line; 0: it is done
    machine::Status status = machine::Status::ready;
    std::optional<ActionView> next;  // if it is ready
    std::string fault;               // what would stop the run instead
};

struct StateCell {
    std::string value;                        // "?": never written
    bool read = false, wrote = false;         // by the last action
    bool changed = false;                     // its value, by the last action
    std::optional<std::uint32_t> next_read;   // the group that would read it next
    std::optional<std::uint32_t> next_write;  // the group that would write it next
};

struct StateArray {
    std::string name;
    lang::ArrayShape shape;
    bool local = false;
    std::uint32_t group = 0;     // whose, if it is local
    std::uint64_t left_out = 0;  // further cells, not included
    std::vector<StateCell> cells;
};
// Cells of an array that a moment lists; the rest are counted.
inline constexpr std::uint64_t kMostStateCells = 1024;

struct StateView {
    std::uint64_t time = 0;  // actions so far
    std::uint32_t launch = 0, launches = 0;
    std::string variables;  // of the launch: "span = 2"
    bool done = false;
    std::optional<ActionView> last;
    std::vector<StateArray> arrays;  // those that the launch's kernel can access; local ones last
    std::vector<WarpView> warps;     // of the groups that have started, by group and warp
    std::uint32_t groups = 0;        // of the launch, including those not resident
    std::uint32_t group_items = 0;   // work-items per group
    std::uint32_t warp_lanes = 0;
    IndexSpace space;  // of the launch: names work-items and groups
};

// After `time` actions, at most run.trace().size(). Needs a run with a trace; what warps would do
// next is tried on copies of the state.
StateView state_view_of(machine::Run& run, std::uint64_t time);

// "[4]", "[0…3]", "[0,2…6]", "[1][0…3]" of indices in the order of lanes; empty for none, and of a
// scalar.
std::string cells_text(std::vector<std::uint64_t> indices, const lang::ArrayShape& shape = {});
// "7 1 6 8"; empty if they are too many to be read at a glance, always of more than kMostValues.
inline constexpr std::size_t kMostValues = 4;  // of one access; more are not written out
std::string values_text(const std::vector<std::string>& values);
// True if their next actions meet in a cell that one of them writes: who comes first decides.
bool contend(const WarpView& one, const WarpView& other);

}  // namespace lab::analysis
