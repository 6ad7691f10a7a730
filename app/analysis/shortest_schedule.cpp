#include "analysis/shortest_schedule.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "analysis/conflicts.h"
#include "analysis/outcomes.h"
#include "machine/schedule.h"

namespace lab::analysis {
namespace {

using machine::Fault;
using machine::Machine;
using machine::ScheduleSlice;
using machine::State;
using machine::StateKey;
using machine::WarpRef;

std::optional<End> fault_end(const Fault& fault) {
    if (fault.kind == Fault::Kind::budget) return std::nullopt;
    return End{{fault.what, {}}, true};
}

class ShortestSearch {
  public:
    ShortestSearch(Machine& machine, const machine::StateKeys& keys, const EndingOf& ending,
                   const std::vector<std::optional<Conflicts>>& conflicts,
                   std::vector<std::string> wanted, const ShortestBounds& bounds,
                   const std::atomic<bool>* cancel)
        : machine_(machine),
          keys_(keys),
          ending_(ending),
          conflicts_(conflicts),
          wanted_(wanted.begin(), wanted.end()),
          left_(bounds.actions),
          most_bytes_(bounds.bytes),
          cancel_(cancel) {}

    std::map<std::string, std::vector<ScheduleSlice>> run() {
        Candidate start;
        try {
            machine_.start(start.state);
        } catch (const Fault& fault) {
            note(fault_end(fault), {});
            return std::move(found_);
        }
        start.done = no_actions_done(machine_, start.state);
        seen_.insert(keys_.of(start.state));
        note(in_order(start.state), start.turns);
        std::vector<Candidate> frontier;
        frontier.push_back(std::move(start));
        while (!frontier.empty() && !over()) {
            std::vector<Candidate> next;
            for (Candidate& each : frontier) {
                extend(each, next);
                held_ -= std::min(held_, bytes_dropped(each.state));
                each.state = {};
                if (over()) break;
            }
            frontier = std::move(next);
        }
        return std::move(found_);
    }

  private:
    struct Candidate {
        State state;
        std::vector<ScheduleSlice> turns;
        std::vector<std::uint32_t> done;  // actions of each warp of the launch
    };

    bool over() const {
        return wanted_.empty() || left_ == 0 || held_ > most_bytes_ ||
               (cancel_ != nullptr && cancel_->load());
    }

    void spend(std::uint64_t instructions) {
        left_ -= std::min(left_, 1 + instructions / kUsualInstructions);
    }

    void note(const std::optional<End>& end, const std::vector<ScheduleSlice>& turns) {
        if (end && wanted_.erase(end->ending.result) > 0) found_[end->ending.result] = turns;
    }

    // One more turn, of each warp that is ready, as long as it can be.
    void extend(const Candidate& from, std::vector<Candidate>& next) {
        if (machine_.done(from.state)) return;
        for (std::size_t slot = 0; slot < from.state.groups.size(); ++slot)
            for (std::uint32_t warp = 0; warp < from.state.groups[slot]->warps.size(); ++warp)
                if (machine::is_ready(from.state, {slot, warp})) turn(from, {slot, warp}, next);
    }

    void turn(const Candidate& from, const WarpRef& who, std::vector<Candidate>& next) {
        Candidate now = from;
        const std::uint32_t group = now.state.groups[who.slot]->id;
        const std::uint32_t launch = now.state.launch;
        const std::size_t number = std::size_t{group} * machine_.context(launch).warps + who.warp;
        now.turns.push_back({group, who.warp, 0, 0});
        for (bool going = true; going && !over();) {
            done_.clear();
            ++now.turns.back().count;
            const std::uint64_t steps = now.state.steps;
            try {
                machine_.act(now.state, who, done_);
            } catch (const Fault& fault) {
                spend(now.state.steps - steps);
                note(fault_end(fault), now.turns);
                return;
            }
            spend(now.state.steps - steps);
            ++now.done[number];
            const bool same = now.state.launch == launch && who.slot < now.state.groups.size() &&
                              now.state.groups[who.slot]->id == group;
            going = same && machine::is_ready(now.state, who);
            if (now.state.launch != launch) now.done = no_actions_done(machine_, now.state);
            // Stopped before what stands alone it might as well be stopped behind it.
            const bool matters =
                !going || !conflicts_[launch] ||
                !conflicts_[launch]->is_independent(static_cast<std::uint32_t>(number), now.done);
            if (!matters || !seen_.insert(keys_.of(now.state)).fresh) continue;
            note(in_order(now.state), now.turns);
            held_ += bytes_added(now.state, &from.state);
            next.push_back(now);
        }
    }

    // The end of that state where all goes on in order. What lies on the way has the same.
    std::optional<End> in_order(State state) {
        machine::SchedulingPolicy order;
        order.kind = machine::SchedulingPolicy::Kind::in_order;
        machine::Schedule schedule(std::move(order));
        std::vector<StateKey> way;
        std::optional<End> end;
        for (;;) {
            const StateKey key = keys_.of(state);
            if (const auto known = ends_.find(key); known != ends_.end()) {
                end = *known->second;
                break;
            }
            way.push_back(key);
            if (machine_.done(state)) {
                end = End{ending_(machine_, state), false};
                break;
            }
            if (left_ == 0) return std::nullopt;
            done_.clear();
            const std::uint64_t steps = state.steps;
            try {
                machine_.act(state, schedule.choose(state), done_);
            } catch (const Fault& fault) {
                spend(state.steps - steps);
                end = fault_end(fault);
                break;
            }
            spend(state.steps - steps);
        }
        const auto shared = std::make_shared<const std::optional<End>>(end);
        for (const StateKey& key : way)
            ends_[key] = shared;
        return end;
    }

    Machine& machine_;
    const machine::StateKeys& keys_;
    const EndingOf& ending_;
    const std::vector<std::optional<Conflicts>>& conflicts_;
    std::unordered_set<std::string> wanted_;
    std::uint64_t left_;      // actions
    std::uint64_t held_ = 0;  // bytes of candidates
    const std::uint64_t most_bytes_;
    const std::atomic<bool>* cancel_;
    machine::StepResult done_;
    KnownStates seen_;
    std::unordered_map<StateKey, std::shared_ptr<const std::optional<End>>, machine::StateKeyHash>
        ends_;
    std::map<std::string, std::vector<ScheduleSlice>> found_;
};

}  // namespace

std::map<std::string, std::vector<ScheduleSlice>> shortest_schedules(
    Machine& machine, const machine::StateKeys& keys, const EndingOf& ending,
    const std::vector<std::optional<Conflicts>>& conflicts, std::vector<std::string> wanted,
    const ShortestBounds& bounds, const std::atomic<bool>* cancel) {
    return ShortestSearch(machine, keys, ending, conflicts, std::move(wanted), bounds, cancel)
        .run();
}

namespace {

// What comes of turns of which those that cannot be are left out, and those that are cut short.
struct Played {
    std::vector<ScheduleSlice> turns;
    std::optional<End> end;
    std::uint64_t actions = 0;
};

class Player {
  public:
    Player(Machine& machine, const EndingOf& ending) : machine_(machine), ending_(ending) {}

    // Those turns, then in order; no end within `most` actions is none.
    Played play(const std::vector<ScheduleSlice>& turns, std::uint64_t most) {
        Played played;
        actions_ = 0;
        try {
            machine_.start(state_);
            for (const ScheduleSlice& each : turns)
                turn(each, played.turns, most);
            machine::SchedulingPolicy order;
            order.kind = machine::SchedulingPolicy::Kind::in_order;
            machine::Schedule schedule(std::move(order));
            while (!machine_.done(state_) && actions_ < most)
                act(schedule.choose(state_));
            if (machine_.done(state_)) played.end = End{ending_(machine_, state_), false};
        } catch (const Fault& fault) {
            played.end = fault_end(fault);
        }
        played.actions = actions_;
        return played;
    }

  private:
    void turn(const ScheduleSlice& asked, std::vector<ScheduleSlice>& turns, std::uint64_t most) {
        for (std::uint64_t left = asked.count;
             left > 0 && !machine_.done(state_) && actions_ < most; --left) {
            const auto slot = machine::slot_of(state_, asked.group);
            if (!slot || !machine::is_ready(state_, {*slot, asked.warp})) return;
            if (!turns.empty() && turns.back().group == asked.group &&
                turns.back().warp == asked.warp)
                ++turns.back().count;
            else
                turns.push_back({asked.group, asked.warp, 1, 0});
            act({*slot, asked.warp});
        }
    }

    void act(const WarpRef& choice) {
        ++actions_;
        done_.clear();
        const std::uint64_t steps = state_.steps;
        machine_.act(state_, choice, done_);
        actions_ += (state_.steps - steps) / kUsualInstructions;
    }

    Machine& machine_;
    const EndingOf& ending_;
    State state_;
    machine::StepResult done_;
    std::uint64_t actions_ = 0;
};

// Tries whether turns that are thought to be better still lead to a result.
class Trial {
  public:
    Trial(Machine& machine, const EndingOf& ending, const std::string& result,
          const std::vector<ScheduleSlice>& turns, ShrinkBudget& tries)
        : player_(machine, ending), result_(result), tries_(tries) {
        // What takes far longer than what there is, is not better: it may wait forever.
        if (const auto played = played_as(turns)) most_ = 4 * played->actions + 1000;
    }

    bool over() const { return tries_.runs == 0 || tries_.actions == 0 || most_ == 0; }

    // The turns that were done, if they lead there.
    std::optional<Played> played_as(const std::vector<ScheduleSlice>& turns) {
        if (tries_.runs == 0 || tries_.actions == 0) return std::nullopt;
        --tries_.runs;
        Played played =
            player_.play(turns, std::min(most_ == 0 ? kLongest : most_, tries_.actions));
        tries_.actions -= std::min(tries_.actions, played.actions);
        if (!played.end || played.end->ending.result != result_) return std::nullopt;
        return played;
    }

  private:
    static constexpr std::uint64_t kLongest =
        1'000'000;  // actions of an attempt; it is given up then

    Player player_;
    const std::string& result_;
    ShrinkBudget& tries_;
    std::uint64_t most_ = 0;  // actions of a try; 0: what there is takes too long itself
};

}  // namespace

std::vector<ScheduleSlice> remove_redundant_turns(Machine& machine, const EndingOf& ending,
                                                  const std::string& result,
                                                  std::vector<ScheduleSlice> turns,
                                                  ShrinkBudget& tries) {
    // Turns of a schedule that is made shorter, and attempts; beyond, it stays as it is.
    constexpr std::size_t kMostTurns = 400, kMostTries = 1000;
    constexpr std::uint64_t kToItsEnd = 1'000'000;  // of a turn: until it has to wait
    if (turns.size() > kMostTurns) return turns;
    Trial trial(machine, ending, result, turns, tries);
    std::size_t tried_so_far = 0;
    const auto shorter = [&](const std::vector<ScheduleSlice>& tried) {
        if (++tried_so_far > kMostTries || trial.over()) return false;
        std::optional<Played> played = trial.played_as(tried);
        if (!played || played->turns.size() >= turns.size()) return false;
        turns = std::move(played->turns);
        return true;
    };
    for (bool any = true; any && !turns.empty();) {
        any = false;
        for (std::size_t i = turns.size(); i-- > 0;) {
            if (turns.empty()) break;
            i = std::min(i, turns.size() - 1);
            std::vector<ScheduleSlice> tried = turns;
            tried.erase(tried.begin() + static_cast<std::ptrdiff_t>(i));
            bool better = shorter(tried);
            if (!better) {
                tried = turns;
                tried[i].count = kToItsEnd;
                better = shorter(tried);
            }
            any = any || better;
        }
    }
    return turns;
}

std::vector<ScheduleSlice> with_fewest_actions(Machine& machine, const EndingOf& ending,
                                               const std::string& result,
                                               std::vector<ScheduleSlice> turns,
                                               ShrinkBudget& tries) {
    Trial trial(machine, ending, result, turns, tries);
    for (ScheduleSlice& turn : turns) {
        const std::uint64_t all = turn.count;
        for (turn.count = 1; turn.count < all; ++turn.count) {
            if (trial.over()) break;
            // As they stand: a turn that cannot be would be an error to whoever replays them.
            const std::optional<Played> played = trial.played_as(turns);
            if (played && played->turns == turns) break;
        }
        if (trial.over()) turn.count = all;
    }
    return turns;
}

void shorten(Machine& machine, const machine::StateKeys& keys, const EndingOf& ending,
             const std::vector<std::optional<Conflicts>>& conflicts, const OutcomesOptions& options,
             std::vector<PossibleResult>& results) {
    std::uint64_t most_actions = 150'000;  // of a search for shortest turns; then longer ones stay
    ShrinkBudget tries{3000, 5'000'000};   // and tries to make them shorter
    if (results.empty()) return;
    constexpr std::uint64_t kCopied = 8'000;  // bytes of a state that take what an action takes
    State start;
    try {
        machine.start(start);
    } catch (const Fault&) {  // the only result
    }
    const std::uint64_t effort = options.most_effort > 0 ? options.most_effort : kSecondOfEffort;
    most_actions =
        std::min(most_actions, effort / 40 * kCopied / (kCopied + bytes_added(start, nullptr)));
    if (options.most_effort > 0) tries.actions = effort / 10;
    const auto is_left = [](const PossibleResult& each) {
        return each.never_ends || each.instructions > 0;
    };
    const auto cancelled = [&] { return options.cancel != nullptr && options.cancel->load(); };
    std::vector<std::string> wanted;
    for (const PossibleResult& each : results)
        if (!is_left(each)) wanted.push_back(each.ending.result);
    const auto shortest = shortest_schedules(machine, keys, ending, conflicts, wanted,
                                             {most_actions, options.most_bytes}, options.cancel);
    for (PossibleResult& each : results) {
        if (is_left(each)) continue;
        const auto found = shortest.find(each.ending.result);
        each.shortest = found != shortest.end();
        if (each.shortest)
            each.turns = found->second;
        else if (!cancelled())
            each.turns =
                remove_redundant_turns(machine, ending, each.ending.result, each.turns, tries);
        if (!cancelled())
            each.turns =
                with_fewest_actions(machine, ending, each.ending.result, each.turns, tries);
    }
}

namespace {

using machine::State;
using machine::WarpRef;

class Chance {
  public:
    explicit Chance(std::uint64_t seed) : random_(seed * 0x9e3779b97f4a7c15U) {}
    std::uint64_t below(std::uint64_t bound) {  // xorshift64*, Vigna 2016
        random_ ^= random_ >> 12U;
        random_ ^= random_ << 25U;
        random_ ^= random_ >> 27U;
        return (random_ * 0x2545f4914f6cdd1dU >> 32U) * bound >> 32U;
    }

  private:
    std::uint64_t random_;
};

}  // namespace

std::optional<RandomRun> random_run(machine::Machine& machine, const EndingOf& ending,
                                    std::uint64_t seed, std::vector<machine::Finding>* findings,
                                    const std::atomic<bool>* cancel, std::uint64_t& effort) {
    constexpr std::uint64_t kLongest = 24;  // actions per turn of a random run; then others go
    constexpr std::uint64_t kGroups = 16;   // whose turn is asked for in what an action takes
    if (effort == 0) return std::nullopt;
    RandomRun run;
    Chance chance(seed);
    State state;
    std::uint64_t spent = 0;  // instructions
    const auto spend = [&](std::uint64_t of) {
        effort -= std::min(effort, of + (state.steps - spent) / kUsualInstructions);
        spent = state.steps;
    };
    machine::StepResult parts;
    try {
        machine.start(state, findings);
        while (!machine.done(state)) {
            // It goes over all groups to choose one of them.
            spend(state.groups.size() / kGroups);
            const WarpRef choice =
                machine::ready_choice(state, chance.below(machine::ready_warps(state)));
            const std::uint32_t group = state.groups[choice.slot]->id;
            const std::uint32_t launch = state.launch;
            run.turns.push_back({group, choice.warp, 0, 0});
            const std::uint64_t longest = seed % 2 == 0 ? 1 : 1 + chance.below(kLongest);
            for (std::uint64_t left = longest; left > 0; --left) {
                parts.clear();
                ++run.turns.back().count;
                machine.act(state, choice, parts, findings);
                spend(1);
                if (state.launch != launch || choice.slot >= state.groups.size() ||
                    state.groups[choice.slot]->id != group || !machine::is_ready(state, choice))
                    break;
            }
            if (effort == 0 || (cancel != nullptr && cancel->load())) return std::nullopt;
        }
        run.end = End{ending(machine, state), false};
    } catch (const machine::Fault& fault) {
        spend(1);
        if (cancel != nullptr && cancel->load()) return std::nullopt;
        if (fault.kind != machine::Fault::Kind::budget) run.end = End{{fault.what, {}}, true};
    }
    return run;
}

void FoundResults::note(const End& end, const SearchPath& path, std::uint64_t instructions) {
    PossibleResult* known = nullptr;
    if (known_.contains(end.ending.result)) {
        known = &*std::find_if(results_.begin(), results_.end(), [&](const PossibleResult& each) {
            return each.ending.result == end.ending.result;
        });
        if (known->instructions == 0) return;
    }
    PossibleResult result;
    result.ending = end.ending;
    result.fault = end.fault;
    result.turns = turns_of(path);
    result.instructions = beyond_budget(instructions);
    if (result.instructions > 0) wait_less(result, path);
    if (known == nullptr)
        add(std::move(result));
    else if (result.instructions < known->instructions)
        *known = std::move(result);  // without the patience, or with less
}

// The search waits as long as it can wherever it may: without the waits that lead nowhere else.
void FoundResults::wait_less(PossibleResult& result, SearchPath path) {
    if (const auto instructions =
            leave_out_skips(machine_, spins_, ending_, result.ending.result, path)) {
        result.turns = turns_of(path);
        result.instructions = beyond_budget(*instructions);
    }
}

std::uint64_t FoundResults::beyond_budget(std::uint64_t instructions) const {
    return instructions > machine_.budget() ? instructions : 0;
}

void FoundResults::add(PossibleResult result) {
    if (!known_.insert(result.ending.result).second) return;
    constexpr std::uint64_t kBesides = 128;  // of the tree's node and of allocations
    bytes_ += sizeof(PossibleResult) + 2 * result.ending.result.capacity() +
              result.turns.capacity() * sizeof(machine::ScheduleSlice) + kBesides;
    results_.push_back(std::move(result));
}

void sort(std::vector<PossibleResult>& results) {
    const auto rank = [](const PossibleResult& result) {
        return result.never_ends                    ? 3
               : result.fault                       ? 2
               : result.ending.right.value_or(true) ? 0
                                                    : 1;
    };
    std::stable_sort(
        results.begin(), results.end(), [&](const PossibleResult& a, const PossibleResult& b) {
            return std::pair(rank(a), a.turns.size()) < std::pair(rank(b), b.turns.size());
        });
}

}  // namespace lab::analysis
