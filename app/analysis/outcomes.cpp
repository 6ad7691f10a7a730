#include "analysis/outcomes.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "analysis/conflicts.h"
#include "analysis/persistent_set.h"
#include "analysis/stale_reads.h"
#include "base/json_fields.h"
#include "base/ranges.h"
#include "lang/dataflow.h"

namespace lab::analysis {
namespace {

using machine::Block;
using machine::Fault;
using machine::Group;
using machine::Machine;
using machine::Page;
using machine::PagedBuffer;
using machine::ScheduleSlice;
using machine::Shared;
using machine::State;
using machine::StateKey;
using machine::WarpRef;

// The way of a search to a state: actions, and iterations of bounded waits that it skipped.

struct PathPart {
    ScheduleSlice turn;
    bool skipped = false;  // iterations of a bounded wait: SpinAcceleration::skip
};
using SearchPath = std::vector<PathPart>;

// That a path takes. Nothing: it does not lead to that result, or cannot be gone.
std::optional<std::uint64_t> instructions_to(Machine& machine, SpinAcceleration& spins,
                                             const EndingOf& ending, const std::string& result,
                                             const SearchPath& path) {
    State state;
    machine::StepResult done;
    std::uint64_t skipped = 0;
    try {
        machine.start(state);
        for (const PathPart& part : path) {
            const auto slot = machine::slot_of(state, part.turn.group);
            if (!slot || !machine::is_ready(state, {*slot, part.turn.warp})) return std::nullopt;
            const WarpRef choice{*slot, part.turn.warp};
            done.clear();
            if (!part.skipped) {
                machine.act(state, choice, done);
                continue;
            }
            const auto skip = spins.skip(state, choice);
            if (!skip || skip->actions != part.turn.count) return std::nullopt;
            skipped += skip->instructions;
        }
    } catch (const Fault& fault) {
        if (fault.what != result) return std::nullopt;
        return state.steps + skipped;
    }
    if (!machine.done(state) || ending(machine, state).result != result) return std::nullopt;
    return state.steps + skipped;
}

// As a schedule has it: one turn for what a warp does without a break.
std::vector<ScheduleSlice> turns_of(const SearchPath& path) {
    std::vector<ScheduleSlice> turns;
    for (const PathPart& part : path)
        machine::add_turn(turns, part.turn.group, part.turn.warp, part.turn.count);
    return turns;
}

// Leaves out of a path, which leads to that result, whatever was skipped without need: those who
// wait then find what they wait for. What the rest takes in instructions; empty: all is needed.
std::optional<std::uint64_t> leave_out_skips(Machine& machine, SpinAcceleration& spins,
                                             const EndingOf& ending, const std::string& result,
                                             SearchPath& path) {
    std::optional<std::uint64_t> fewest;
    for (std::size_t i = path.size(); i-- > 0;) {
        if (!path[i].skipped) continue;
        SearchPath tried = path;
        tried.erase(tried.begin() + static_cast<std::ptrdiff_t>(i));
        const auto instructions = instructions_to(machine, spins, ending, result, tried);
        if (!instructions) continue;
        path = std::move(tried);
        fewest = instructions;
    }
    return fewest;
}

// What is done from a state on, in instructions, or what takes as long.
class WorkMeter {
  public:
    explicit WorkMeter(const State& state) : steps_(state.steps), prints_(state.prints) {}
    std::uint64_t until(const State& state) const {
        constexpr std::uint64_t kOfAByte = 4;  // of what is printed
        return state.steps - steps_ + kOfAByte * state.prints.bytes_beyond(prints_);
    }

  private:
    std::uint64_t steps_;
    machine::Prints prints_;
};

constexpr std::uint64_t kBesides = 16;  // what an allocation takes besides what was asked for

template <typename T>
std::uint64_t bytes_of(const std::vector<T>& of) {
    return of.capacity() == 0 ? 0 : of.capacity() * sizeof(T) + kBesides;
}

std::uint64_t bytes_of(const Block& block) {
    return bytes_of(block.bytes) + bytes_of(block.nodes) + block.written.bytes() + kBesides;
}

std::uint64_t bytes_of(const Group& group) {
    return sizeof(Group) + 2 * kBesides + bytes_of(group.warps) + bytes_of(group.ready) +
           bytes_of(group.registers) + bytes_of(group.nodes) + bytes_of(group.masks) +
           bytes_of(group.left) + bytes_of(group.copies) + bytes_of(group.local) +
           bytes_of(group.own);
}

std::uint64_t bytes_of(const Page& page) {
    return sizeof(Page) + 2 * kBesides + page.written.bytes() + kBesides + bytes_of(page.nodes);
}

// For the lists that every copy has for itself.
std::uint64_t bytes_of_lists(const State& state) {
    std::uint64_t sum = bytes_of(state.groups.held()) + bytes_of(state.memory);
    for (const PagedBuffer& each : state.memory)
        sum += bytes_of(each.pages);
    return sum;
}

// Both are in the order of their ids; those that have come to an end are missing.
std::uint64_t groups_added(const State& state, const State& beside) {
    std::uint64_t sum = 0;
    std::size_t index = 0;
    for (const Shared<Group>& each : state.groups) {
        while (index < beside.groups.size() && beside.groups[index]->id < each->id)
            ++index;
        const bool both = index < beside.groups.size() && each.same(beside.groups[index]);
        if (!both) sum += bytes_of(*each);
    }
    return sum;
}

// The states that a search has visited and the actions between them. Finds states from which no
// schedule ends, and cycles.

class StateGraph {
  public:
    struct Step {
        std::uint32_t group = 0, warp = 0;
    };

    // States are numbered from 0, the start, without gaps. `step` leads from one to the other.
    void add(std::uint32_t from, std::uint32_t to, Step step) {
        edges_.push_back({from, to, step});
    }
    // The run ends there, or may end: what follows was not searched.
    void mark_ending(std::uint32_t state) { endings_.push_back(state); }
    std::uint64_t bytes() const {
        return edges_.size() * sizeof(Edge) + endings_.size() * sizeof(std::uint32_t);
    }

    struct Verdict {
        // A state from which no schedule ends, with the fewest steps to it; empty: there is none.
        std::optional<std::uint32_t> never_ends;
        std::vector<Step> steps;
        // Some schedule goes round forever through states from which others end.
        bool may_go_round = false;
    };
    // `states`: how many there are, including the start.
    Verdict judge(std::uint32_t states) const {
        const std::vector<bool> ending = ending_from(states);
        Verdict verdict = way_outside(ending);
        verdict.may_go_round = goes_round(ending);
        return verdict;
    }
    // Returns the steps by which the search came to the state first. Each comes from a state of a
    // lower number.
    std::vector<Step> first_steps_to(std::uint32_t state) const {
        std::vector<const Edge*> first(std::size_t{state} + 1, nullptr);
        for (const Edge& edge : edges_)
            if (edge.to <= state && first[edge.to] == nullptr) first[edge.to] = &edge;
        std::vector<Step> steps;
        for (; state != 0; state = first[state]->from)
            steps.push_back(first[state]->step);
        std::reverse(steps.begin(), steps.end());
        return steps;
    }

  private:
    struct Edge {
        std::uint32_t from = 0, to = 0;
        Step step;
    };
    // Indices into edges_, sorted by one of their ends, and where each state's begin.
    struct Index {
        std::vector<std::uint32_t> begins, edges;
    };
    Index index_by(std::uint32_t Edge::*end, std::uint32_t states) const {
        Index index;
        index.begins.assign(std::size_t{states} + 1, 0);
        for (const Edge& edge : edges_)
            ++index.begins[edge.*end + 1];
        for (std::size_t i = 1; i < index.begins.size(); ++i)
            index.begins[i] += index.begins[i - 1];
        index.edges.resize(edges_.size());
        std::vector<std::uint32_t> next = index.begins;
        for (std::uint32_t i = 0; i < edges_.size(); ++i)
            index.edges[next[edges_[i].*end]++] = i;
        return index;
    }

    // Backwards from the endings.
    std::vector<bool> ending_from(std::uint32_t states) const {
        const Index into = index_by(&Edge::to, states);
        std::vector<bool> ending(states, false);
        std::vector<std::uint32_t> left;
        const auto reach = [&](std::uint32_t state) {
            if (ending[state]) return;
            ending[state] = true;
            left.push_back(state);
        };
        for (const std::uint32_t each : endings_)
            reach(each);
        while (!left.empty()) {
            const std::uint32_t state = left.back();
            left.pop_back();
            for (std::uint32_t i = into.begins[state]; i < into.begins[state + 1]; ++i)
                reach(edges_[into.edges[i]].from);
        }
        return ending;
    }

    // Breadth first from the start.
    Verdict way_outside(const std::vector<bool>& ending) const {
        if (!contains(ending, false)) return {};
        constexpr std::uint32_t kNone = ~std::uint32_t{0};
        const Index from = index_by(&Edge::from, static_cast<std::uint32_t>(ending.size()));
        std::vector<std::uint32_t> by(ending.size(), kNone);  // the edge by which it was reached
        std::vector<std::uint32_t> reached{0};
        for (std::size_t index = 0; index < reached.size(); ++index) {
            std::uint32_t state = reached[index];
            if (!ending[state]) {
                Verdict found{state, {}, false};
                for (; state != 0; state = edges_[by[state]].from)
                    found.steps.push_back(edges_[by[state]].step);
                std::reverse(found.steps.begin(), found.steps.end());
                return found;
            }
            for (std::uint32_t i = from.begins[state]; i < from.begins[state + 1]; ++i) {
                const std::uint32_t to = edges_[from.edges[i]].to;
                if (to == 0 || by[to] != kNone) continue;
                by[to] = from.edges[i];
                reached.push_back(to);
            }
        }
        return {};
    }

    // What is left once all states have gone that nothing (left) leads to: Kahn's topological sort.
    bool goes_round(const std::vector<bool>& within) const {
        const auto states = static_cast<std::uint32_t>(within.size());
        const Index from = index_by(&Edge::from, states);
        const auto inside = [&](const Edge& edge) { return within[edge.from] && within[edge.to]; };
        std::vector<std::uint32_t> leading(states, 0), free;
        for (const Edge& edge : edges_)
            if (inside(edge)) ++leading[edge.to];
        std::uint64_t left = 0;
        for (std::uint32_t state = 0; state < states; ++state) {
            if (!within[state]) continue;
            ++left;
            if (leading[state] == 0) free.push_back(state);
        }
        while (!free.empty()) {
            const std::uint32_t state = free.back();
            free.pop_back();
            --left;
            for (std::uint32_t i = from.begins[state]; i < from.begins[state + 1]; ++i) {
                const Edge& edge = edges_[from.edges[i]];
                if (inside(edge) && --leading[edge.to] == 0) free.push_back(edge.to);
            }
        }
        return left > 0;
    }

    std::deque<Edge> edges_;  // a deque, so that growing moves nothing
    std::deque<std::uint32_t> endings_;
};

// The results that a search has found so far, each once.

class FoundResults {
  public:
    // All must outlive it; `results` are where they go.
    FoundResults(Machine& machine, SpinAcceleration& spins, const EndingOf& ending,
                 std::vector<PossibleResult>& results)
        : machine_(machine), spins_(spins), ending_(ending), results_(results) {}

    // Notes what that path, of so many instructions, leads to. Of paths that lead to the same it
    // keeps one within the budget, or the one that waits least.
    void note(const End& end, const SearchPath& path, std::uint64_t instructions) {
        PossibleResult* known = nullptr;
        if (known_.contains(end.ending.result)) {
            known =
                &*std::find_if(results_.begin(), results_.end(), [&](const PossibleResult& each) {
                    return each.ending.result == end.ending.result;
                });
            if (known->instructions == 0) return;
        }
        PossibleResult result{.ending = end.ending,
                              .fault = end.fault,
                              .turns = turns_of(path),
                              .instructions = beyond_budget(instructions)};
        if (result.instructions > 0) wait_less(result, path);
        if (known == nullptr)
            add(std::move(result));
        else if (result.instructions < known->instructions)
            *known = std::move(result);  // without the patience, or with less
    }

    void add(PossibleResult result) {
        if (!known_.insert(result.ending.result).second) return;
        constexpr std::uint64_t kNodeBytes = 128;  // of the tree's node and of allocations
        bytes_ += sizeof(PossibleResult) + 2 * result.ending.result.capacity() +
                  result.turns.capacity() * sizeof(ScheduleSlice) + kNodeBytes;
        results_.push_back(std::move(result));
    }

    // The instructions of a schedule, where they are more than the job's budget; else 0.
    std::uint64_t beyond_budget(std::uint64_t instructions) const {
        return instructions > machine_.budget() ? instructions : 0;
    }

    std::uint64_t bytes() const { return bytes_; }

  private:
    // The search waits as long as it can wherever it may: without the waits that lead nowhere else.
    void wait_less(PossibleResult& result, SearchPath path) {
        if (const auto instructions =
                leave_out_skips(machine_, spins_, ending_, result.ending.result, path)) {
            result.turns = turns_of(path);
            result.instructions = beyond_budget(*instructions);
        }
    }

    Machine& machine_;
    SpinAcceleration& spins_;
    const EndingOf& ending_;
    std::vector<PossibleResult>& results_;
    std::set<std::string> known_;
    std::uint64_t bytes_ = 0;
};

// Right ones first, then by number of turns.
void sort_results(std::vector<PossibleResult>& results) {
    const auto rank = [](const PossibleResult& result) {
        return result.never_ends                    ? 3
               : result.fault                       ? 2
               : result.ending.right.value_or(true) ? 0
                                                    : 1;
    };
    stable_sort(results, [&](const PossibleResult& a, const PossibleResult& b) {
        return std::pair(rank(a), a.turns.size()) < std::pair(rank(b), b.turns.size());
    });
}

struct ShortestBounds {
    std::uint64_t actions = 0;
    std::uint64_t bytes = 0;  // for stored states
};

std::optional<End> fault_end(const Fault& fault) {
    if (fault.kind == Fault::Kind::budget) return std::nullopt;
    return End{{fault.what, {}}, true};
}

// The shortest turns for as many of the `wanted` results as are found within the bounds, breadth
// first by turns. `conflicts`: by launch, empty if not known; with it, a turn does not end where
// that could make no difference.
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
                for (const WarpRef& who : machine::ready_choices(each.state))
                    turn(each, who, next);
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

    // One more turn, of that warp, as long as it can be.
    void turn(const Candidate& from, const WarpRef& who, std::vector<Candidate>& next) {
        Candidate now = from;
        const std::uint32_t group = now.state.groups[who.slot]->id;
        const std::uint32_t launch = now.state.launch;
        const std::size_t number = std::size_t{group} * machine_.context(launch).warps + who.warp;
        now.turns.push_back({group, who.warp, 0, 0});
        for (bool going = true; going && !over();) {
            done_.clear();
            ++now.turns.back().count;
            const WorkMeter work(now.state);
            try {
                machine_.act(now.state, who, done_);
            } catch (const Fault& fault) {
                spend(work.until(now.state));
                note(fault_end(fault), now.turns);
                return;
            }
            spend(work.until(now.state));
            ++now.done[number];
            going = may_go_on(now.state, launch, group, who);
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
        machine::Schedule schedule({.kind = machine::SchedulingPolicy::Kind::in_order});
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
            const WorkMeter work(state);
            try {
                machine_.act(state, schedule.choose(state), done_);
            } catch (const Fault& fault) {
                spend(work.until(state));
                end = fault_end(fault);
                break;
            }
            spend(work.until(state));
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

// The budget for attempts to shorten schedules; each attempt is a run.
struct ShrinkBudget {
    std::uint64_t runs = 0, actions = 0;
};

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
            machine::Schedule schedule({.kind = machine::SchedulingPolicy::Kind::in_order});
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
            machine::add_turn(turns, asked.group, asked.warp);
            act({*slot, asked.warp});
        }
    }

    void act(const WarpRef& choice) {
        ++actions_;
        done_.clear();
        const WorkMeter work(state_);
        machine_.act(state_, choice, done_);
        actions_ += work.until(state_) / kUsualInstructions;
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

// Removes turns, or lets them go on until they have to wait, as long as the result is the same.
std::vector<ScheduleSlice> remove_redundant_turns(Machine& machine, const EndingOf& ending,
                                                  const std::string& result,
                                                  std::vector<ScheduleSlice> turns,
                                                  ShrinkBudget& tries) {
    // Turns of a schedule that is made shorter, and attempts; beyond, it stays as it is.
    constexpr std::size_t kMostTurns = 400, kMostTries = 1000;
    constexpr std::uint64_t kToItsEnd = 1'000'000;  // of a turn: until it has to wait
    Trial trial(machine, ending, result, turns, tries);
    if (turns.size() > kMostTurns) return trial.played_as({}) ? decltype(turns)() : turns;
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

// Shortens each turn to the fewest actions that lead to the same result.
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

// As short as they can be found, for what a search found. Not what waits longer than the budget
// lets it: each try would take as long.
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
    const auto shortest = ShortestSearch(machine, keys, ending, conflicts, wanted,
                                         {most_actions, options.most_bytes}, options.cancel)
                              .run();
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

// Where devices may take the lanes of a warp in another order, or others together, and it may show.
class LaneOrders {
  public:
    explicit LaneOrders(const machine::Machine& machine) {
        std::set<const lang::Code*> known;
        for (const machine::Launch& launch : machine.job().launches)
            if (known.insert(launch.code.get()).second && lang::depends_on_lanes(*launch.code))
                add(*launch.code);
    }

    // What a warp did.
    void look(const lang::Instruction& instruction, const machine::StepResult& done) {
        const auto known = shows_.find(&instruction);
        if (known == shows_.end()) return;
        for (const machine::Part& part : done.parts) {
            std::map<std::uint32_t, const machine::Access*> cells;
            for (std::size_t i = part.first; i < part.end; ++i) {
                const machine::Access& now = done.accesses[i];
                const auto [first, alone] = cells.try_emplace(now.index, &now);
                if (alone) continue;
                const machine::Access& other = *first->second;
                const bool matters = known->second.how == How::last
                                         ? other.after != now.after
                                         : other.before != other.after || now.before != now.after;
                if (!matters) continue;
                found_.push_back({LaneChoice::How::order, known->second.line});
                shows_.erase(known);
                return;
            }
        }
    }
    const std::vector<LaneChoice>& all() const { return found_; }

  private:
    enum class How : std::uint8_t { first, last };  // who is it can be seen
    struct Place {
        How how;
        std::uint32_t line;
    };

    void add(const lang::Code& code) {
        using lang::Builtin;
        const lang::Liveness alive(code);
        for (std::uint32_t i = 0; i < code.instructions.size(); ++i) {
            const lang::Instruction& each = code.instructions[i];
            const std::uint32_t line = code.place(each).line;
            if (code.is_cuda && lang::asks_who_is_there(each))
                found_.push_back({LaneChoice::How::together, line});
            if (each.op == lang::Op::store) shows_[&each] = {How::last, line};
            if (each.op != lang::Op::atomic) continue;
            const auto what = static_cast<Builtin>(each.extra);
            const std::vector<std::uint32_t>& after = alive.before(i + 1).running;
            const bool used = std::find(after.begin(), after.end(), each.to) != after.end();
            const bool sets = what == Builtin::atomic_xchg || what == Builtin::atomic_store;
            const bool commutes =
                !lang::info(each.type).floating && !sets && what != Builtin::atomic_cmpxchg;
            if (what == Builtin::atomic_load || (commutes && !used)) continue;
            shows_[&each] = {sets && !used ? How::last : How::first, line};
        }
    }

    std::map<const lang::Instruction*, Place> shows_;
    std::vector<LaneChoice> found_;
};

constexpr std::uint64_t kProgressEvery = 1 << 14;  // states
// Of random runs, where a search has bounds of its own: some ten seconds.
constexpr std::uint64_t kSamplingEffort = 10 * kSecondOfEffort;

class Search {
  public:
    Search(const machine::Job& job, const EndingOf& ending, const OutcomesOptions& options)
        : ending_(ending),
          options_(options),
          machine_(job, false),
          keys_(machine_),
          sets_(machine_, keys_, options.reduction),
          spins_(machine_, keys_),
          copies_(machine_, sets_),
          lane_orders_(machine_),
          results_(machine_, spins_, ending, made_.results),
          keeps_graph_(!sets_.all_known()) {
        machine_.set_cancel(options.cancel);
        made_.launches = static_cast<std::uint32_t>(sets_.conflicts().size());
    }

    Outcomes run() {
        search();
        if (!made_.complete && !cancelled() && !enough_) sample();
        made_.cancelled = !made_.complete && cancelled();
        made_.lanes = lane_orders_.all();
        made_.complete = made_.complete && made_.lanes.empty();
        made_.effort = effort_;
        for (std::uint32_t launch = 0; launch < made_.launches; ++launch)
            if (sets_.conflicts()[launch] || sets_.by_footprints(launch)) ++made_.reduced;
        for (const machine::Finding& each : findings_) {
            std::string text = fmt::format("{} (line {})", each.what, each.place.line);
            const auto known = std::find(made_.unwritten.begin(), made_.unwritten.end(), text);
            if (known == made_.unwritten.end()) made_.unwritten.push_back(std::move(text));
        }
        if (options_.shortest)
            shorten(machine_, keys_, ending_, sets_.conflicts(), options_, made_.results);
        sort_results(made_.results);
        return std::move(made_);
    }

  private:
    struct Node {
        State state;
        std::vector<std::uint32_t> done;  // actions of each warp of the launch
        std::uint64_t skipped = 0;        // instructions that state.steps is without
    };
    // A state on the way.
    struct Fork {
        Node node;  // empty once the last of `order` is taken
        std::vector<WarpRef> order;
        std::size_t taken = 0;     // of these
        bool led_on = false;       // one of those taken did
        bool all = false;          // `order` has all ready warps
        std::size_t way = 0;       // parts of way_ to it
        std::size_t depth = 0;     // states on the way, with this one
        std::uint32_t number = 0;  // of the state
    };
    using Step = StateGraph::Step;

    bool cancelled() const { return options_.cancel != nullptr && options_.cancel->load(); }

    void search() {
        Node start;
        try {
            machine_.start(start.state, &findings_);
        } catch (const Fault& fault) {
            spend(start.state.steps);
            note_fault(fault, start);
            made_.complete = !made_.endless;
            return;
        }
        start.done = no_actions_done(machine_, start.state);
        if (settle(start)) enter(std::move(start));
        look_at_bounds();
        while (!forks_.empty() && made_.bound == Bound::none && !cancelled()) {
            step();
            while (!forks_.empty() && forks_.back().taken == forks_.back().order.size()) {
                held_ -= bytes_beside(forks_.back());
                forks_.pop_back();
            }
            look_at_bounds();
        }
        // A path that a used-up budget cut short leads somewhere.
        made_.copies = copies_.all();
        made_.complete =
            forks_.empty() && !made_.endless && made_.bound == Bound::none && made_.copies.empty();
        report_progress();
        if (keeps_graph_ && !cancelled()) judge();
        forks_.clear();
        seen_ = {};
        graph_ = {};
        on_way_ = {};
        numbers_ = {};
    }

    // From which states nothing leads to an end. What is left to be tried may do so.
    void judge() {
        for (const Fork& each : forks_)
            if (each.taken < each.order.size()) graph_.mark_ending(each.number);
        const auto states = static_cast<std::uint32_t>(seen_.size());
        if (states == 0) return;
        const StateGraph::Verdict verdict = graph_.judge(states);
        made_.needs_progress = verdict.may_go_round && !verdict.never_ends && made_.complete;
        if (!verdict.never_ends) return;
        // By which way one comes to a state decides, too, what is done there at once, so the fewest
        // steps may lead elsewhere. Those by which the search came there first do not.
        std::optional<Node> node = follow(verdict.steps);
        if (!node || seen_.insert(keys_.of(node->state)).number != *verdict.never_ends)
            node = follow(graph_.first_steps_to(*verdict.never_ends));
        if (!node) {  // interrupted
            made_.complete = false;
            return;
        }
        results_.add({.ending = {"never ends", false},
                      .never_ends = true,
                      .turns = turns_of(way_),
                      .instructions = results_.beyond_budget(node->state.steps + node->skipped)});
    }

    // From the start; way_ is then whole, with those that come to barriers. Empty if a step cannot
    // be done.
    std::optional<Node> follow(const std::vector<Step>& steps) {
        way_.clear();
        looked_.reset();
        Node node;
        machine_.start(node.state, &findings_);
        node.done = no_actions_done(machine_, node.state);
        bool well = settle(node);
        for (const Step& step : steps) {
            const auto slot = machine::slot_of(node.state, step.group);
            well = well && slot && machine::is_ready(node.state, {*slot, step.warp}) &&
                   act(node, {*slot, step.warp}) && settle(node);
            if (!well) return std::nullopt;
        }
        return node;
    }

    // Takes the next way from the last fork, and sees to it that one of them leads on, as
    // persistent_set.h asks for.
    void step() {
        Node next;
        const std::size_t index = forks_.size() - 1;
        const bool led_on = go_on(next) && settle(next) && enter(std::move(next));
        Fork& from = forks_[index];  // the last one still, if that did not
        from.led_on = from.led_on || led_on;
        if (from.led_on || from.all || from.taken < from.order.size() || made_.endless) return;
        held_ -= bytes_beside(from);
        way_.resize(from.way);
        from.node = played(way_);
        const std::vector<WarpRef> more =
            sets_.choices(from.node.state, from.node.done, from.order);
        effort_ += way_.size() + 2 * sets_.effort(from.node.state);
        from.order.insert(from.order.end(), more.begin(), more.end());
        from.all = from.order.size() == machine::ready_warps(from.node.state);
        held_ += bytes_beside(from) + bytes_added(from.node.state) + bytes_of_counts(from.node);
        whole_.push_back(index);
    }

    // Whether without a fault.
    bool go_on(Node& next) {
        Fork& from = forks_.back();
        way_.resize(from.way);
        leave_way(from.depth);
        const WarpRef choice = from.order[from.taken++];
        from_ = from.number;
        taken_ = {from.node.state.groups[choice.slot]->id, choice.warp};
        if (from.taken == from.order.size()) {
            held_ -= bytes_dropped(from.node.state) + bytes_of_counts(from.node);
            next = std::move(from.node);
            from.node = {};
            whole_.pop_back();
        } else {
            next = from.node;
        }
        return act(next, choice);
    }

    // Whether it is not back at a state on the way.
    bool enter(Node node) {
        const KnownStates::Inserted known = seen_.insert(keys_.of(node.state));
        if (keeps_graph_ && from_) graph_.add(*from_, known.number, taken_);
        if (!known.fresh) return !keeps_graph_ || !on_way_[known.number];
        if (seen_.size() % kProgressEvery == 0) report_progress();
        if (keeps_graph_) {
            on_way_.push_back(true);
            numbers_.push_back(known.number);
        }
        if (machine_.done(node.state)) {
            if (keeps_graph_) graph_.mark_ending(known.number);
            note({ending_(machine_, node.state), false}, node);
            effort_ += node.state.prints.size();
            return true;
        }
        Fork fork;
        fork.order = sets_.choices(node.state, node.done);
        effort_ += sets_.effort(node.state);
        fork.all = fork.order.size() == machine::ready_warps(node.state);
        fork.way = way_.size();
        fork.depth = numbers_.size();
        fork.number = known.number;
        fork.node = std::move(node);
        held_ += bytes_beside(fork) + bytes_of_counts(fork.node) +
                 bytes_added(fork.node.state,
                             whole_.empty() ? nullptr : &forks_[whole_.back()].node.state);
        whole_.push_back(forks_.size());
        forks_.push_back(std::move(fork));
        return true;
    }

    void leave_way(std::size_t depth) {
        for (; numbers_.size() > depth; numbers_.pop_back())
            on_way_[numbers_.back()] = false;
    }

    // Where a path leads.
    Node played(const SearchPath& path) {
        Node node;
        machine_.start(node.state);
        node.done = no_actions_done(machine_, node.state);
        for (const PathPart& part : path) {
            const WarpRef choice{*machine::slot_of(node.state, part.turn.group), part.turn.warp};
            if (part.skipped) {
                node.skipped += spins_.skip(node.state, choice)->instructions;
                continue;
            }
            const std::uint32_t launch = node.state.launch;
            ++node.done[warp_number(machine_, node.state, choice)];
            parts_.clear();
            machine_.act(node.state, choice, parts_);
            if (node.state.launch != launch) node.done = no_actions_done(machine_, node.state);
        }
        return node;
    }

    static std::uint64_t bytes_beside(const Fork& fork) {
        return sizeof(Fork) + fork.order.capacity() * sizeof(WarpRef);
    }
    static std::uint64_t bytes_of_counts(const Node& node) {
        return node.done.capacity() * sizeof(std::uint32_t);
    }

    void look_at_bounds() {
        const std::uint64_t held = seen_.bytes_to_insert() + graph_.bytes() + held_ +
                                   results_.bytes() + sets_.bytes() +
                                   way_.capacity() * sizeof(PathPart);
        made_.bytes = std::max(made_.bytes, held);
        if (forks_.empty() || made_.bound != Bound::none) return;
        if (seen_.size() > options_.most_states ||
            (options_.most_effort > 0 && effort_ > options_.most_effort))
            made_.bound = Bound::states;
        else if (held > options_.most_bytes)
            made_.bound = Bound::memory;
        else if (options_.enough && effort_ > options_.enough_after &&
                 made_.results.size() != judged_) {
            judged_ = made_.results.size();
            enough_ = options_.enough(made_.results);
            if (enough_) made_.bound = Bound::states;
        }
    }

    // Whether it came through without a fault.
    bool act(Node& node, const WarpRef& choice) {
        const std::uint32_t launch = node.state.launch;
        const lang::Instruction& instruction = machine_.next(node.state, choice);
        const lang::Op op = instruction.op;
        const std::size_t groups = node.state.groups.size();
        looked_.reset();
        way_.push_back({{node.state.groups[choice.slot]->id, choice.warp, 1, 0}});
        ++node.done[warp_number(machine_, node.state, choice)];
        parts_.clear();
        copies_.look(node.state, choice);
        const WorkMeter work(node.state);
        try {
            machine_.act(node.state, choice, parts_, &findings_);
        } catch (const Fault& fault) {
            spend(work.until(node.state));
            note_fault(fault, node);
            return false;
        }
        spend(work.until(node.state));
        lane_orders_.look(instruction, parts_);
        // What more is printed is lost, and is no part of a result.
        if (node.state.prints.size() > machine::kMostPrints) made_.bound = Bound::memory;
        if (node.state.launch != launch) node.done = no_actions_done(machine_, node.state);
        const bool looks = (op == lang::Op::load || op == lang::Op::atomic) &&
                           all_of(parts_.accesses, [](const machine::Access& each) {
                               return each.before == each.after;
                           });
        if (looks && node.state.launch == launch && node.state.groups.size() == groups &&
            node.state.groups[choice.slot]->id == way_.back().turn.group)
            looked_ = choice;
        return true;
    }

    // What is a persistent set by itself and comes through is done at once: to come to a barrier,
    // what conflicts with nothing, and to count on how long one waits. Not without end: who goes
    // round and does nothing else has to be seen. Whether without a fault.
    bool settle(Node& node) {
        constexpr std::size_t kMostBarriers = 64;  // per warp at once; then the search goes on
        std::size_t most = 0;
        for (const auto& group : node.state.groups)
            most += kMostBarriers * group->warps.size();
        for (bool more = true; more && !cancelled();) {
            for (std::size_t slot = 0; most > 0; --most) {
                const std::optional<WarpRef> choice = sets_.arriving(node.state, slot);
                if (!choice) break;
                const std::uint32_t launch = node.state.launch;
                if (!act(node, *choice)) return false;
                slot = node.state.launch == launch ? choice->slot : 0;
            }
            more = false;
            for (std::size_t slot = 0; !cancelled();) {  // each warp's actions come to an end
                const auto choice = sets_.independent(node.state, node.done, slot);
                if (!choice) break;
                if (!act(node, *choice)) return false;
                ++effort_;
                more = true;
                slot = choice->slot;
            }
        }
        if (machine_.done(node.state) || sets_.conflicts()[node.state.launch] ||
            copies_.copies(node.state.launch))
            return true;
        if (looked_) {  // for all others nothing has changed
            skip(node, *looked_);
            return true;
        }
        for (const WarpRef& each : machine::ready_choices(node.state))
            skip(node, each);
        return true;
    }

    // Instructions beyond those of a usual action, as OutcomesOptions counts effort.
    void spend(std::uint64_t instructions) {
        if (instructions > kUsualInstructions) effort_ += (instructions - kUsualInstructions) / 8;
    }

    void skip(Node& node, const WarpRef& choice) {
        const auto skipped = spins_.skip(node.state, choice);
        if (!skipped) return;
        way_.push_back(
            {{node.state.groups[choice.slot]->id, choice.warp, skipped->actions, 0}, true});
        node.skipped += skipped->instructions;
        ++made_.skips;
    }

    void note_fault(const Fault& fault, const Node& node) {
        if (keeps_graph_ && from_) graph_.mark_ending(*from_);
        if (fault.kind == Fault::Kind::budget)
            made_.endless = true;
        else
            note({{fault.what, {}}, true}, node);
    }

    void note(const End& end, const Node& node) {
        results_.note(end, way_, node.state.steps + node.skipped);
    }

    void report_progress() {
        made_.states = seen_.size();
        if (options_.on_progress) options_.on_progress(made_);
    }

    void sample() {
        std::uint64_t effort =
            options_.most_effort > 0 ? options_.most_effort / 10 : kSamplingEffort;
        for (std::uint64_t seed = 1; seed <= options_.samples && !cancelled(); ++seed) {
            auto run = random_run(machine_, ending_, seed, &findings_, options_.cancel, effort);
            if (!run) return;
            ++made_.samples;
            if (run->end) {
                results_.add({.ending = run->end->ending,
                              .fault = run->end->fault,
                              .turns = std::move(run->turns),
                              .sampled = true});
            } else {
                made_.endless = true;
            }
            if (seed % 64 == 0 && options_.on_progress) options_.on_progress(made_);
        }
    }

    const EndingOf& ending_;
    const OutcomesOptions& options_;
    Machine machine_;
    machine::StateKeys keys_;
    PersistentSets sets_;
    SpinAcceleration spins_;
    AsyncCopyVisibility copies_;
    LaneOrders lane_orders_;
    Outcomes made_;
    FoundResults results_;
    KnownStates seen_;
    bool keeps_graph_;
    StateGraph graph_;
    std::optional<std::uint32_t> from_;   // the state that is gone on from; none: the start
    Step taken_;                          // the step from there
    std::optional<WarpRef> looked_;       // who acted last, if it only read
    std::vector<Fork> forks_;             // on the way to where the search is
    std::vector<std::size_t> whole_;      // those of them that still have their node
    SearchPath way_;                      // to there
    std::vector<std::uint32_t> numbers_;  // of the states on it, if the graph is kept
    std::vector<bool> on_way_;            // by state: whether it is one of them
    std::size_t judged_ = 0;              // results when it was last asked whether they are enough
    bool enough_ = false;
    std::uint64_t effort_ = 0;
    std::uint64_t held_ = 0;  // bytes of forks
    machine::StepResult parts_;
    std::vector<machine::Finding> findings_;
};

}  // namespace

Outcomes outcomes_of(const machine::Job& job, const EndingOf& ending,
                     const OutcomesOptions& options) {
    return Search(job, ending, options).run();
}

NLOHMANN_JSON_SERIALIZE_ENUM(Bound, {{Bound::none, nullptr},
                                     {Bound::states, "states"},
                                     {Bound::memory, "memory"}})
NLOHMANN_JSON_SERIALIZE_ENUM(SeenCopy::How, {{SeenCopy::How::unknown, "unknown"},
                                             {SeenCopy::How::meanwhile, "meanwhile"},
                                             {SeenCopy::How::unordered, "unordered"}})
NLOHMANN_JSON_SERIALIZE_ENUM(LaneChoice::How, {{LaneChoice::How::order, "order"},
                                               {LaneChoice::How::together, "together"}})
LAB_JSON_LOCAL_FIELDS(IndependentOutcomes, lanes, results, complete, same)
LAB_JSON_SOME_FIELDS(Outcomes, complete, cancelled, bound, unwritten, endless, states, bytes,
                     samples, launches, for_these_numbers, weaker_orders, weak_exchanges,
                     float_collectives)

void to_json(nlohmann::json& out, const Outcomes& outcomes) {
    nlohmann::json results = nlohmann::json::array();
    for (const PossibleResult& each : outcomes.results) {
        nlohmann::json one = {
            {"result", each.ending.result},  {"fault", each.fault},
            {"never_ends", each.never_ends}, {"order", machine::text_of(each.turns)},
            {"turns", each.turns.size()},    {"shortest", each.shortest},
            {"sampled", each.sampled}};
        if (each.ending.right) one["right"] = *each.ending.right;
        if (each.instructions > 0) one["instructions"] = each.instructions;
        results.push_back(std::move(one));
    }
    out = {{"schema", 1},
           {"results", std::move(results)},
           {"needs_progress", outcomes.needs_progress},
           {"reduced_launches", outcomes.reduced}};
    put_fields(out, outcomes);
    if (outcomes.independent) out["independent"] = *outcomes.independent;
    if (outcomes.races) out["races"] = *outcomes.races;
    for (const SeenCopy& each : outcomes.copies)
        out["copies"].push_back({{"how", each.how}, {"line", each.line}, {"other", each.other}});
    for (const LaneChoice& each : outcomes.lanes)
        out["lanes"].push_back({{"how", each.how}, {"line", each.line}});
}

void from_json(const nlohmann::json& from, Outcomes& outcomes) {
    outcomes = {};
    for (const nlohmann::json& one : from.at("results")) {
        PossibleResult each;
        one.at("result").get_to(each.ending.result);
        if (one.contains("right")) each.ending.right = one.at("right").get<bool>();
        one.at("fault").get_to(each.fault);
        each.never_ends = one.value("never_ends", false);
        each.turns = machine::parse_turns(one.at("order").get<std::string>(), "order");
        one.at("shortest").get_to(each.shortest);
        one.at("sampled").get_to(each.sampled);
        each.instructions = one.value("instructions", std::uint64_t{0});
        outcomes.results.push_back(std::move(each));
    }
    get_fields(from, outcomes);
    for (const nlohmann::json& one : from.value("copies", nlohmann::json::array()))
        outcomes.copies.push_back({one.at("how").get<SeenCopy::How>(),
                                   one.at("line").get<std::uint32_t>(),
                                   one.at("other").get<std::uint32_t>()});
    for (const nlohmann::json& one : from.value("lanes", nlohmann::json::array()))
        outcomes.lanes.push_back(
            {one.at("how").get<LaneChoice::How>(), one.at("line").get<std::uint32_t>()});
    if (from.contains("independent"))
        outcomes.independent = from.at("independent").get<IndependentOutcomes>();
    if (from.contains("races")) outcomes.races = from.at("races").get<bool>();
    outcomes.needs_progress = from.value("needs_progress", false);
    from.at("reduced_launches").get_to(outcomes.reduced);
}

std::uint64_t bytes_added(const State& state, const State* beside) {
    static const State nothing;
    const State& other = beside != nullptr ? *beside : nothing;
    std::uint64_t sum = bytes_of_lists(state) + groups_added(state, other) +
                        state.prints.bytes_beyond(other.prints);
    for (std::size_t number = 0; number < state.memory.size(); ++number) {
        const std::vector<Shared<Page>>& pages = state.memory[number].pages;
        const bool known = number < other.memory.size();
        for (std::size_t i = 0; i < pages.size(); ++i)
            if (!known || !pages[i].same(other.memory[number].pages[i])) sum += bytes_of(*pages[i]);
    }
    return sum;
}

std::uint64_t bytes_dropped(const State& state) {
    std::uint64_t sum = bytes_of_lists(state) + state.prints.bytes_alone();
    for (const Shared<Group>& each : state.groups)
        if (each.alone()) sum += bytes_of(*each);
    for (const PagedBuffer& buffer : state.memory)
        for (const Shared<Page>& each : buffer.pages)
            if (each.alone()) sum += bytes_of(*each);
    return sum;
}

std::optional<RandomRun> random_run(Machine& machine, const EndingOf& ending, std::uint64_t seed,
                                    std::vector<machine::Finding>* findings,
                                    const std::atomic<bool>* cancel, std::uint64_t& effort) {
    constexpr std::uint64_t kLongest = 24;  // actions per turn of a random run; then others go
    constexpr std::size_t kNear = 64;       // groups that lie in a cache
    if (effort == 0) return std::nullopt;
    RandomRun run;
    Chance chance(seed);
    State state;
    WorkMeter work(state);
    const auto spend = [&](std::uint64_t of) {
        effort -= std::min(effort, of + work.until(state) / kUsualInstructions);
        work = WorkMeter(state);
    };
    machine::StepResult parts;
    machine::ReadyWarps ready;
    try {
        machine.start(state, findings);
        while (!machine.done(state)) {
            // Of many groups the one whose turn it is lies in no cache.
            spend(static_cast<std::uint64_t>(std::bit_width(state.groups.size() / kNear)));
            const WarpRef choice = ready.choose(state, chance.below(ready.count(state)));
            const std::uint32_t group = state.groups[choice.slot]->id;
            const std::uint32_t launch = state.launch;
            run.turns.push_back({group, choice.warp, 0, 0});
            const std::uint64_t longest = seed % 2 == 0 ? 1 : 1 + chance.below(kLongest);
            for (std::uint64_t left = longest; left > 0; --left) {
                parts.clear();
                ++run.turns.back().count;
                machine.act(state, choice, parts, findings);
                spend(1);
                if (!may_go_on(state, launch, group, choice)) break;
            }
            if (effort == 0 || (cancel != nullptr && cancel->load())) return std::nullopt;
        }
        run.end = End{ending(machine, state), false};
    } catch (const Fault& fault) {
        spend(1);
        if (cancel != nullptr && cancel->load()) return std::nullopt;
        if (fault.kind != Fault::Kind::budget) run.end = End{{fault.what, {}}, true};
    }
    return run;
}

}  // namespace lab::analysis
