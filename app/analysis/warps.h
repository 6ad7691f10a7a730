// How well the lanes of warps were used, pass by pass, and which conditions made warps diverge.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/timeline.h"
#include "machine/machine.h"
#include "machine/run.h"
namespace lab::analysis {

// Counted in lane-slots: a lane in one step of its group (as items count them below), so that
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

// From which cell each value was last read, by any work-item and by each.

// Holds what a load took from a cell; `bits` are empty where it took only a part.
struct Taken {
    std::uint32_t cell = 0;
    std::optional<std::uint64_t> bits;
};

// The caller numbers arrays as it likes, below 2^32.
class Loads {
  public:
    struct Source {
        std::uint64_t array = kNowhere;
        Taken taken;
        std::uint64_t time = 0;
    };

    void clear() {
        by_array_.clear();
        by_item_.clear();
    }

    // `time`: of the load, in the run. Loads come by pass, not by time.
    void note(std::uint64_t item, machine::Node node, std::uint64_t array, Taken taken,
              std::uint64_t time) {
        const auto [any, news] = by_array_.try_emplace(key(array, node), Read{taken, time});
        if (!news) any->second = {taken, std::min(any->second.first, time)};
        auto& [last, before] = by_item_[key(item, node)];
        if (last.array != array) before = last;
        last = {array, taken, time};
    }

    // From where a value stored at `time` came: as read by the work-item itself, preferably from
    // that array; else as read by others from there. What was only read later is no source.
    std::optional<Source> from(std::uint64_t item, machine::Node node, std::uint64_t array,
                               std::uint64_t time) const {
        if (const auto own = by_item_.find(key(item, node)); own != by_item_.end()) {
            const auto& [last, before] = own->second;
            const auto is_source = [&](const Source& read) {
                return read.array != kNowhere && read.time <= time;
            };
            if (is_source(before) && (before.array == array || !is_source(last))) return before;
            if (is_source(last)) return last;
        }
        const auto any = by_array_.find(key(array, node));
        if (any == by_array_.end() || any->second.first > time) return std::nullopt;
        return Source{array, any->second.taken, any->second.first};
    }

    // Returns whether the work-item read the value from that cell last.
    bool is_last_read(std::uint64_t item, machine::Node node, std::uint64_t array,
                      std::uint64_t cell) const {
        const auto own = by_item_.find(key(item, node));
        return own != by_item_.end() && own->second.first.array == array &&
               own->second.first.taken.cell == cell;
    }

  private:
    static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
    struct Read {
        Taken taken;              // by the last one
        std::uint64_t first = 0;  // time of the earliest one
    };
    static std::uint64_t key(std::uint64_t high, machine::Node node) { return high << 32U | node; }

    std::unordered_map<std::uint64_t, Read> by_array_;
    // By each: from the array that it read it from last, and from the one before that.
    std::unordered_map<std::uint64_t, std::pair<Source, Source>> by_item_;
};

// The instructions of a run's warps, one after another, and which of their lanes have ended.

// One instruction: an action, or several where it touched several objects.
struct WarpStep {
    const machine::Action& first;
    std::uint64_t time = 0;  // of the first action
    std::uint64_t mask = 0;  // lanes that take part in any of them
};

// Calls begin(launch) and end(launch) around each(WarpStep) for the steps of each launch.
template <typename Begin, typename Each, typename End>
void for_warp_steps(const machine::Run& run, Begin&& begin, Each&& each, End&& end) {
    const machine::Trace& trace = run.trace();
    std::uint64_t time = 0;
    while (time < trace.size()) {
        const std::uint32_t launch = trace.action(time).launch;
        begin(launch);
        while (time < trace.size() && trace.action(time).launch == launch) {
            WarpStep step{trace.action(time), time, trace.action(time).mask};
            for (++time; time < trace.size() && trace.continues(time); ++time)
                step.mask |= trace.action(time).mask;
            each(step);
        }
        end(launch);
    }
}

// For a run that was recorded with Recording::flow; else nobody has ended.
class WarpEndings {
  public:
    explicit WarpEndings(const machine::Run& run) {
        for (const machine::LaneEnd& ending : run.flow().endings())
            endings_[{ending.launch, ending.group, ending.warp}].push_back(ending);
    }

    // The lanes of a warp whose items have ended, of those endings for which before() holds.
    template <typename Before>
    std::uint64_t lanes(std::uint32_t launch, std::uint32_t group, std::uint32_t warp,
                        Before&& before) const {
        const auto found = endings_.find({launch, group, warp});
        std::uint64_t lanes = 0;
        if (found != endings_.end())
            for (const machine::LaneEnd& each : found->second)
                if (before(each)) lanes |= each.lanes;
        return lanes;
    }

  private:
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<machine::LaneEnd>>
        endings_;
};

// The kernel's variables at one moment, for all work-items of a warp side by side.

struct VariableRow {
    std::string name, type;           // "float4"
    std::uint32_t line = 0;           // where it is declared
    std::vector<std::string> values;  // by lane; "" where there is no such work-item
    bool same = false;                // all lanes have the same
};

// Live variables at the warp's position: those in registers, not pointers or arrays. `slot` indexes
// state.groups. Empty for a warp that is done.
std::vector<VariableRow> variables_of(const machine::Machine& machine, const machine::State& state,
                                      std::size_t slot, std::uint32_t warp);

// The warp that acted last, else the first that still runs: its group's place in state.groups, and
// its number there. `time`: actions, of the run that `timeline` is of.
std::pair<std::size_t, std::uint32_t> warp_at(const machine::State& state, const Timeline& timeline,
                                              std::uint64_t time);

// Counts what each work-item did in each pass, in steps of its group. The lane chart shows it, and
// LaneCount sums it up.
//
// A step is an instruction with which a warp loads, stores, changes memory atomically or exchanges
// values; waiting at a barrier is none. In a pass a group takes as many steps as its busiest warp,
// and in each step an item is in one of four states.

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
    bool of_grid = false;                // that barrier is one of all groups
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
