// Schedules: the order in which warps act.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"
namespace lab::machine {

// A warp's turn, `count` actions long.
struct ScheduleSlice {
    std::uint32_t group = 0, warp = 0;
    std::uint64_t count = 1;
    std::uint32_t line = 0;  // of the file, for messages

    bool operator==(const ScheduleSlice&) const = default;
};

struct SchedulingPolicy {
    enum class Kind : std::uint8_t {
        in_order,     // the lowest group, and in it the lowest warp that can act
        reversed,     // the highest one
        round_robin,  // one action each, group by group and warp by warp
        random,       // any that can act, all equally likely
        list,         // `turns`; what is left after them goes in order
    } kind = Kind::round_robin;
    std::uint64_t seed = 0;  // for random
    // For in_order: per launch, the groups that go before the others, one after another; all of
    // them are resident from the start.
    std::vector<std::vector<std::uint32_t>> groups = {};
    std::vector<ScheduleSlice> turns = {};
    std::string name = {};  // of the file
};

// "in-order", "reversed", "round-robin", "random:SEED", "turns:" followed by turns as in a file, or
// the name of such a file. Throws Problem.
SchedulingPolicy parse_order(std::string_view text);
inline constexpr std::string_view kTurnsPrefix = "turns:";

// The default for a machine: round robin; random with seed 1 if each work-item is a warp of its
// own, since those share no common step; in order for a CPU's runtime.
SchedulingPolicy usual_order(const Config& config);

// As parse_order() reads it; for a list, its name.
std::string text_of(const SchedulingPolicy& order);

// Turns as in a file: "GROUP.WARP" for one action, "GROUP.WARP*N" for N, separated by blanks or
// line ends; # begins a comment. Throws Problem with where = `name`:line:column.
std::vector<ScheduleSlice> parse_turns(std::string_view text, const std::string& name);
std::string text_of(const std::vector<ScheduleSlice>& turns);
// Adds actions of a warp behind the others: its turn gets longer if it has the last one.
void add_turn(std::vector<ScheduleSlice>& turns, std::uint32_t group, std::uint32_t warp,
              std::uint64_t count = 1);
std::string in_a_line(const std::vector<ScheduleSlice>& turns);  // text_of, in one line

// Numbers the ready warps of a run as ready_choices() does. From one call to the next the run may
// go on by actions of the warp chosen last alone: a call then takes the logarithm of the number of
// groups, where going over all of them would take most of the time of a run of many.
class ReadyWarps {
  public:
    std::uint64_t count(const State& state);
    // The one with that number, which is below count(): to be asked first.
    WarpRef choose(const State& state, std::uint64_t number);

  private:
    void begin(const State& state);
    void append(const Group& group);
    void set_last(std::uint32_t ready);

    // Resident groups by id, and some that have ended; a Fenwick tree of their ready warps.
    std::vector<std::uint32_t> ids_, sums_;
    std::uint64_t total_ = 0;
    std::uint32_t launch_ = 0;
    std::size_t slot_ = 0, at_ = 0;  // of the one chosen last, in the state and here
    std::uint32_t ready_ = 0;        // its ready warps, as counted
    std::uint32_t passes_ = 0;       // the barriers that it had passed
};

// Chooses the warps of one run.
class Schedule {
  public:
    explicit Schedule(SchedulingPolicy order);

    // A ready warp; there must be one. Throws Problem if the turns name one that is not ready.
    WarpRef choose(const State& state);
    // True if the group of the last choice is chosen until it ends, each time its lowest ready
    // warp.
    bool goes_in_order() const;

  private:
    WarpRef in_order(const State& state);
    static WarpRef reversed(const State& state);
    WarpRef round_robin(const State& state);
    WarpRef listed(const State& state);

    SchedulingPolicy order_;
    std::uint64_t random_;
    ReadyWarps ready_;
    std::size_t turn_ = 0;
    std::uint64_t taken_ = 0;                          // actions of the current turn
    std::size_t before_ = 0;                           // in Order::groups: groups that are finished
    std::uint32_t launch_ = 0, group_ = 0, warp_ = 0;  // what acted last
    bool any_ = false;
};

// The slot of a resident group; nothing if it is not resident.
std::optional<std::size_t> slot_of(const State& state, std::uint32_t group);
bool is_ready(const State& state, const WarpRef& choice);
std::vector<WarpRef> ready_choices(const State& state);
std::size_t ready_warps(const State& state);

// Returns the turns that produced a trace, or its first `actions`.
std::vector<ScheduleSlice> turns_of(const Trace& trace, std::uint64_t actions = UINT64_MAX);

}  // namespace lab::machine
