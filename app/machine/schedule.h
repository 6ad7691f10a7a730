// Who is next: the order in which warps act.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"

namespace lab::machine {

// A warp's turn, `count` actions long.
struct Turn {
    std::uint32_t group = 0, warp = 0;
    std::uint64_t count = 1;
    std::uint32_t line = 0;  // of the file, for messages

    bool operator==(const Turn&) const = default;
};

struct Order {
    enum class Kind : std::uint8_t {
        in_order,     // the lowest group, and in it the lowest warp that can act
        reversed,     // the highest one
        round_robin,  // one action each, group by group and warp by warp
        random,       // any that can act, each as likely
        list,         // `turns`; what is left after them goes in order
    } kind = Kind::round_robin;
    std::uint64_t seed = 0;  // of random
    // Of in_order: a launch each, groups that go before the others, one after another; all of them
    // resident from the start.
    std::vector<std::vector<std::uint32_t>> groups;
    std::vector<Turn> turns;
    std::string name;  // of the file
};

// "in-order", "reversed", "round-robin", "random:SEED", "turns:" with turns as a file has them
// behind it, or the name of such a file. Throws Problem.
Order parse_order(std::string_view text);
inline constexpr std::string_view kTurnsPrefix = "turns:";

// What suits a machine where nobody asks for another: round robin; random by seed 1 where each
// work-item is a warp of its own, since those keep no common step; in order for a CPU's runtime.
Order usual_order(const Config& config);

// As parse_order() takes it; of a list its name.
std::string text_of(const Order& order);

// Turns as a file has them: "GROUP.WARP" for one action, "GROUP.WARP*N" for N, blanks or line ends
// between them, # before a remark. Throws Problem with where = `name`:line:column.
std::vector<Turn> parse_turns(std::string_view text, const std::string& name);
std::string text_of(const std::vector<Turn>& turns);

// Walks through one run.
class Schedule {
  public:
    explicit Schedule(Order order);

    // A warp that is ready. There must be one. Throws Problem where the turns name another.
    Choice choose(const State& state);
    // Whether the group of the last choice is chosen until it ends, its lowest ready warp each
    // time.
    bool goes_in_order() const;

  private:
    Choice in_order(const State& state);
    static Choice reversed(const State& state);
    static Choice next_of(const State& state, std::size_t slot);
    Choice round_robin(const State& state);
    Choice random(const State& state);
    Choice listed(const State& state);

    Order order_;
    std::uint64_t random_;
    std::size_t turn_ = 0;
    std::uint64_t taken_ = 0;                          // of the turn
    std::size_t before_ = 0;                           // of Order::groups: who is finished
    std::uint32_t launch_ = 0, group_ = 0, warp_ = 0;  // who acted last
    bool any_ = false;
};

// The slot of a resident group; nothing if it is not resident.
std::optional<std::size_t> slot_of(const State& state, std::uint32_t group);
bool is_ready(const State& state, const Choice& choice);

// The turns that a trace was made of.
std::vector<Turn> turns_of(const Trace& trace);

}  // namespace lab::machine
