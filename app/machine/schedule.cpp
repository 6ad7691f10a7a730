#include "machine/schedule.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "base/paths.h"
#include "base/problem.h"

namespace lab::machine {
namespace {

constexpr std::size_t kMostTurns = 10'000'000;  // of a schedule's text; more are refused

std::uint64_t next_random(std::uint64_t& state) {  // splitmix64
    state += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
}

[[noreturn]] void bad_turn(const std::string& name, std::uint32_t line, std::size_t column,
                           std::string_view word) {
    throw Problem(fmt::format("'{}' is no turn", word.substr(0, 40)),
                  "A turn is GROUP.WARP, or GROUP.WARP*ACTIONS, as 0.1 or 2.0*5",
                  "Fix the file; text after # is a remark",
                  fmt::format("{}:{}:{}", name, line, column));
}

bool number(std::string_view& text, std::uint64_t& value) {
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
    return true;
}

std::optional<ScheduleSlice> turn_of(std::string_view word) {
    ScheduleSlice turn;
    std::uint64_t group = 0, warp = 0;
    if (!number(word, group) || word.empty() || word[0] != '.') return std::nullopt;
    word.remove_prefix(1);
    if (!number(word, warp)) return std::nullopt;
    if (!word.empty()) {
        if (word[0] != '*') return std::nullopt;
        word.remove_prefix(1);
        if (!number(word, turn.count) || turn.count == 0 || !word.empty()) return std::nullopt;
    }
    if (group > 0xffffffffU || warp > 0xffffffffU) return std::nullopt;
    turn.group = static_cast<std::uint32_t>(group);
    turn.warp = static_cast<std::uint32_t>(warp);
    return turn;
}

}  // namespace

std::vector<ScheduleSlice> parse_turns(std::string_view text, const std::string& name) {
    std::vector<ScheduleSlice> turns;
    std::uint32_t line = 1;
    std::size_t start = 0;
    for (std::size_t index = 0; index < text.size();) {
        const char c = text[index];
        if (c == '\n') {
            ++line;
            start = ++index;
        } else if (c == '#') {
            index = std::min(text.find('\n', index), text.size());
        } else if (c == ' ' || c == '\t' || c == '\r' || c == ',') {
            ++index;
        } else {
            const std::size_t end = std::min(text.find_first_of(" \t\r\n,#", index), text.size());
            const std::string_view word = text.substr(index, end - index);
            std::optional<ScheduleSlice> turn = turn_of(word);
            if (!turn || turns.size() >= kMostTurns) bad_turn(name, line, index - start + 1, word);
            turn->line = line;
            turns.push_back(*turn);
            index = end;
        }
    }
    return turns;
}

void add_turn(std::vector<ScheduleSlice>& turns, std::uint32_t group, std::uint32_t warp,
              std::uint64_t count) {
    if (!turns.empty() && turns.back().group == group && turns.back().warp == warp)
        turns.back().count += count;
    else
        turns.push_back({group, warp, count, 0});
}

std::string text_of(const std::vector<ScheduleSlice>& turns) {
    std::string text, line;
    for (const ScheduleSlice& turn : turns) {
        const std::string word = turn.count == 1
                                     ? fmt::format("{}.{}", turn.group, turn.warp)
                                     : fmt::format("{}.{}*{}", turn.group, turn.warp, turn.count);
        if (!line.empty() && line.size() + word.size() > 78) {
            text += line + '\n';
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return line.empty() ? text : text + line + '\n';
}

std::string in_a_line(const std::vector<ScheduleSlice>& turns) {
    std::string text = text_of(turns);
    std::replace(text.begin(), text.end(), '\n', ' ');
    if (!text.empty()) text.pop_back();
    return text;
}

SchedulingPolicy parse_order(std::string_view text) {
    SchedulingPolicy order;
    if (text == "in-order") {
        order.kind = SchedulingPolicy::Kind::in_order;
    } else if (text == "reversed") {
        order.kind = SchedulingPolicy::Kind::reversed;
    } else if (text == "round-robin") {
        order.kind = SchedulingPolicy::Kind::round_robin;
    } else if (text.substr(0, 7) == "random:") {
        std::string_view digits = text.substr(7);
        order.kind = SchedulingPolicy::Kind::random;
        if (!number(digits, order.seed) || !digits.empty())
            throw Problem(fmt::format("'{}' is no seed", text.substr(7)), "It is a whole number",
                          "Write random:1", "--order");
    } else if (text.starts_with(kTurnsPrefix)) {
        order.kind = SchedulingPolicy::Kind::list;
        order.name = text;
        order.turns = parse_turns(text.substr(kTurnsPrefix.size()), "--order");
    } else {
        order.kind = SchedulingPolicy::Kind::list;
        order.name = text;
        std::error_code none;
        if (!std::filesystem::exists(order.name, none))
            throw Problem(
                fmt::format("There is no order '{}'", text),
                "It is no order that has a name, and no file",
                "Write in-order, reversed, round-robin, random:SEED, turns:0.0*3 and so on, or the "
                "name of a file of turns",
                "--order");
        order.turns = parse_turns(read_file(order.name), order.name);
    }
    return order;
}

std::string text_of(const SchedulingPolicy& order) {
    switch (order.kind) {
        case SchedulingPolicy::Kind::in_order:
            return "in-order";
        case SchedulingPolicy::Kind::reversed:
            return "reversed";
        case SchedulingPolicy::Kind::round_robin:
            return "round-robin";
        case SchedulingPolicy::Kind::random:
            return fmt::format("random:{}", order.seed);
        case SchedulingPolicy::Kind::list:
            break;
    }
    return order.name;
}

SchedulingPolicy usual_order(const Config& config) {
    SchedulingPolicy order;
    order.kind = config.cpu          ? SchedulingPolicy::Kind::in_order
                 : config.lanes == 1 ? SchedulingPolicy::Kind::random
                                     : SchedulingPolicy::Kind::round_robin;
    order.seed = 1;
    return order;
}

// The slot of that group, or else of the first behind it.
static std::size_t slot_from(const State& state, std::uint32_t group) {
    return state.groups.slot_from(group, 0, state.groups.size());
}

std::optional<std::size_t> slot_of(const State& state, std::uint32_t group) {
    const std::size_t slot = slot_from(state, group);
    if (slot == state.groups.size() || state.groups[slot]->id != group) return std::nullopt;
    return slot;
}

bool is_ready(const State& state, const WarpRef& choice) {
    const Group& group = *state.groups[choice.slot];
    return choice.warp < group.warps.size() && group.warps[choice.warp].status == Status::ready;
}

std::vector<WarpRef> ready_choices(const State& state) {
    std::vector<WarpRef> choices;
    choices.reserve(ready_warps(state));
    for (std::size_t slot = 0; slot < state.groups.size(); ++slot) {
        const Group& group = *state.groups[slot];
        for (std::uint32_t warp = ready_from(group, 0); warp < group.warps.size();
             warp = ready_from(group, warp + 1))
            choices.push_back({slot, warp});
    }
    return choices;
}

static std::uint32_t ready_in(const Group& group) {
    int count = 0;
    for (const std::uint64_t word : group.ready)
        count += std::popcount(word);
    return static_cast<std::uint32_t>(count);
}

// Groups up to which going over all of them is as fast as a tree, which is then not made.
constexpr std::size_t kFewGroups = 32;
// Groups for one that has ended and is still listed: more of these make a search longer, fewer the
// list anew more often.
constexpr std::size_t kListed = 16;

std::size_t ready_warps(const State& state) {
    std::size_t count = 0;
    for (const Shared<Group>& group : state.groups)
        count += ready_in(*group);
    return count;
}

void ReadyWarps::append(const Group& group) {
    const std::uint32_t ready = ready_in(group);
    ids_.push_back(group.id);
    std::uint32_t sum = ready;
    const std::size_t end = ids_.size();  // nodes count from 1
    for (std::size_t width = 1; width < (end & -end); width *= 2)
        sum += sums_[end - width - 1];
    sums_.push_back(sum);
    total_ += ready;
}

void ReadyWarps::begin(const State& state) {
    ids_.clear();
    sums_.clear();
    total_ = 0;
    launch_ = state.launch;
    for (const Shared<Group>& group : state.groups)
        append(*group);
    slot_ = at_ = 0;
    ready_ = ids_.empty() ? 0 : ready_in(*state.groups[0]);
}

void ReadyWarps::set_last(std::uint32_t ready) {
    if (ready == ready_) return;
    for (std::size_t node = at_ + 1; node <= sums_.size(); node += node & -node)
        sums_[node - 1] += ready - ready_;  // modulo 2^32, as it is taken back
    total_ += std::uint64_t{ready} - ready_;
    ready_ = ready;
}

std::uint64_t ReadyWarps::count(const State& state) {
    if (state.groups.size() <= kFewGroups) {
        ids_.clear();
        return ready_warps(state);
    }
    if (ids_.empty() || launch_ != state.launch ||
        ids_.size() > state.groups.size() + state.groups.size() / kListed + kFewGroups) {
        begin(state);
        return total_;
    }
    const bool stands = slot_ < state.groups.size() && state.groups[slot_]->id == ids_[at_];
    set_last(stands ? ready_in(*state.groups[slot_]) : 0);
    // Where no other runs, it may be the barrier of the grid that it has passed: all go on then.
    if (total_ == ready_ && (!stands || state.groups[slot_]->passes != passes_)) {
        begin(state);
        return total_;
    }
    std::size_t news = state.groups.size();
    while (news > 0 && state.groups[news - 1]->id > ids_.back())
        --news;
    for (; news < state.groups.size(); ++news)
        append(*state.groups[news]);
    return total_;
}

WarpRef ReadyWarps::choose(const State& state, std::uint64_t number) {
    if (ids_.empty()) {
        std::size_t slot = 0;
        for (std::uint32_t ready; number >= (ready = ready_in(*state.groups[slot])); ++slot)
            number -= ready;
        slot_ = slot;
    } else {
        at_ = 0;
        for (std::size_t width = std::bit_floor(sums_.size()); width > 0; width /= 2)
            if (at_ + width <= sums_.size() && sums_[at_ + width - 1] <= number) {
                at_ += width;
                number -= sums_[at_ - 1];
            }
        // As many of those before it have ended as are listed too many, at most.
        const std::size_t ended = ids_.size() - state.groups.size();
        slot_ = state.groups.slot_from(ids_[at_], at_ - std::min(at_, ended),
                                       std::min(at_ + 1, state.groups.size()));
        ready_ = ready_in(*state.groups[slot_]);
        passes_ = state.groups[slot_]->passes;
    }
    const std::uint64_t* word = state.groups[slot_]->ready.data();
    std::uint32_t warp = 0;
    for (unsigned ready; number >= (ready = static_cast<unsigned>(std::popcount(*word))); ++word) {
        number -= ready;
        warp += 64;
    }
    std::uint64_t bits = *word;
    for (; number > 0; --number)
        bits &= bits - 1;
    return {slot_, warp + static_cast<std::uint32_t>(std::countr_zero(bits))};
}

Schedule::Schedule(SchedulingPolicy order) : order_(std::move(order)), random_(order_.seed) {}

WarpRef Schedule::choose(const State& state) {
    WarpRef choice;
    switch (order_.kind) {
        case SchedulingPolicy::Kind::in_order:
            choice = in_order(state);
            break;
        case SchedulingPolicy::Kind::reversed:
            choice = reversed(state);
            break;
        case SchedulingPolicy::Kind::round_robin:
            choice = round_robin(state);
            break;
        case SchedulingPolicy::Kind::random:
            choice = ready_.choose(state, next_random(random_) % ready_.count(state));
            break;
        case SchedulingPolicy::Kind::list:
            choice = listed(state);
            break;
    }
    launch_ = state.launch;
    group_ = state.groups[choice.slot]->id;
    warp_ = choice.warp;
    any_ = true;
    return choice;
}

bool Schedule::goes_in_order() const {
    return order_.kind == SchedulingPolicy::Kind::in_order ||
           (order_.kind == SchedulingPolicy::Kind::list && turn_ >= order_.turns.size());
}

WarpRef Schedule::in_order(const State& state) {
    if (launch_ != state.launch) before_ = 0;
    if (!order_.groups.empty() && state.launch < order_.groups.size())
        for (const auto& groups = order_.groups[state.launch]; before_ < groups.size(); ++before_)
            if (const auto slot = slot_of(state, groups[before_]))
                return {*slot, ready_from(*state.groups[*slot], 0)};
    for (std::size_t slot = 0; slot < state.groups.size(); ++slot) {
        const Group& group = *state.groups[slot];
        if (const std::uint32_t warp = ready_from(group, 0); warp < group.warps.size())
            return {slot, warp};
    }
    return {};
}

WarpRef Schedule::reversed(const State& state) {
    for (std::size_t slot = state.groups.size(); slot-- > 0;) {
        const Group& group = *state.groups[slot];
        for (std::uint32_t warp = static_cast<std::uint32_t>(group.warps.size()); warp-- > 0;)
            if (group.warps[warp].status == Status::ready) return {slot, warp};
    }
    return {};
}

WarpRef Schedule::round_robin(const State& state) {
    const std::size_t count = state.groups.size();
    std::size_t first = 0;
    std::uint32_t from = 0;
    if (any_ && launch_ == state.launch) {
        first = slot_from(state, group_);
        if (first < count && state.groups[first]->id == group_) from = warp_ + 1;
        if (first == count) first = 0;
    }
    for (std::size_t i = 0; i <= count; ++i) {
        const std::size_t slot = (first + i) % count;
        const Group& group = *state.groups[slot];
        const std::uint32_t warp = ready_from(group, i == 0 ? from : 0);
        if (warp < group.warps.size()) return {slot, warp};
    }
    return {};
}

WarpRef Schedule::listed(const State& state) {
    while (turn_ < order_.turns.size() && taken_ >= order_.turns[turn_].count) {
        ++turn_;
        taken_ = 0;
    }
    if (turn_ >= order_.turns.size()) return in_order(state);
    const ScheduleSlice& turn = order_.turns[turn_];
    const std::optional<std::size_t> slot = slot_of(state, turn.group);
    if (slot && is_ready(state, {*slot, turn.warp})) {
        ++taken_;
        return {*slot, turn.warp};
    }
    const bool known = slot && turn.warp < state.groups[*slot]->warps.size();
    const bool waits = known && state.groups[*slot]->warps[turn.warp].status == Status::waiting;
    throw Problem(fmt::format("Warp {} of group {} cannot act now", turn.warp, turn.group),
                  waits   ? "It waits at a barrier for those who have not come yet"
                  : known ? "It has come to its end"
                  : slot  ? "There is no such warp in a group"
                          : "The group has ended, has not begun, or does not exist",
                  "The order was made for another kernel, shape or machine, or holds a mistake",
                  order_.name.empty() ? std::string("--order")
                                      : fmt::format("{}:{}", order_.name, turn.line));
}

std::vector<ScheduleSlice> turns_of(const Trace& trace, std::uint64_t actions) {
    std::vector<ScheduleSlice> turns;
    for (std::uint64_t time = 0; time < std::min(trace.size(), actions); ++time) {
        if (trace.continues(time)) continue;
        add_turn(turns, trace.action(time).group, trace.action(time).warp);
    }
    return turns;
}

}  // namespace lab::machine
