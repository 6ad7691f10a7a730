#include "analysis/outcomes/outcomes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/outcomes/known_states.h"
#include "analysis/outcomes/persistent_set.h"
#include "analysis/outcomes/random_run.h"
#include "analysis/outcomes/search_path.h"
#include "analysis/outcomes/shortest_schedule.h"
#include "analysis/outcomes/spin_acceleration.h"
#include "analysis/outcomes/state_bytes.h"
#include "analysis/outcomes/state_graph.h"
#include "analysis/outcomes/warp_actions.h"
#include "machine/state_key.h"

namespace lab::analysis {
namespace {

using machine::Choice;
using machine::Fault;
using machine::Machine;
using machine::State;
using machine::Turn;

constexpr std::uint64_t kProgressEvery = 1 << 14;    // states
constexpr std::uint64_t kShortestActions = 150'000;  // that the search for shortest ones may take
constexpr std::uint64_t kTriedActions = 5'000'000;   // and tries to make them shorter

// An asynchronous copy is done when it is waited for: it could be done earlier, with other results.
bool copies_meanwhile(const machine::Job& job) {
    return std::any_of(job.launches.begin(), job.launches.end(), [](const auto& launch) {
        const auto& all = launch.code->instructions;
        return std::any_of(all.begin(), all.end(),
                           [](const auto& each) { return each.op == lang::Op::group_copy; });
    });
}

class Search {
  public:
    Search(const machine::Job& job, const EndingOf& ending, const OutcomesOptions& options)
        : ending_(ending),
          options_(options),
          machine_(job, false),
          keys_(machine_),
          sets_(machine_, options.reduction),
          spins_(machine_, keys_),
          keeps_graph_(!sets_.all_known()) {
        for (const auto& each : sets_.conflicts())
            made_.reduced += each ? 1 : 0;
        made_.launches = static_cast<std::uint32_t>(sets_.conflicts().size());
    }

    Outcomes run() {
        search();
        if (!made_.complete && !cancelled()) sample();
        made_.cancelled = !made_.complete && cancelled();
        for (const machine::Finding& each : findings_) {
            std::string text = fmt::format("{} (line {})", each.what, each.place.line);
            const auto known = std::find(made_.unwritten.begin(), made_.unwritten.end(), text);
            if (known == made_.unwritten.end()) made_.unwritten.push_back(std::move(text));
        }
        shorten();
        sort();
        return std::move(made_);
    }

  private:
    struct Node {
        State state;
        std::vector<std::uint32_t> done;  // actions of each warp of the launch
        std::uint64_t skipped = 0;        // instructions that state.steps is without
    };
    // A state that more than one way leads on from.
    struct Fork {
        Node node;
        std::vector<Choice> left;  // to be tried, the next one last
        std::size_t way = 0;       // parts of way_ to it
        std::uint32_t number = 0;  // of the state
    };
    using Step = StateGraph::Step;

    bool cancelled() const { return options_.cancel != nullptr && options_.cancel->load(); }

    void search() {
        Node start;
        try {
            machine_.start(start.state, &findings_);
        } catch (const Fault& fault) {
            note_fault(fault, start);
            made_.complete = !made_.endless && !copies_meanwhile(machine_.job());
            return;
        }
        start.done = no_actions_done(machine_, start.state);
        if (settle(start)) enter(std::move(start));
        look_at_bounds();
        while (!forks_.empty() && made_.bound == Bound::none && !cancelled()) {
            Node next;
            if (go_on(next) && settle(next)) enter(std::move(next));
            look_at_bounds();
        }
        // A path that a used-up budget cut short leads somewhere.
        made_.complete = forks_.empty() && !made_.endless && !copies_meanwhile(machine_.job());
        report_progress();
        if (keeps_graph_ && !cancelled()) judge();
        forks_.clear();
        seen_ = {};
        graph_ = {};
    }

    // From which states nothing leads to an end. What is left to be tried may do so.
    void judge() {
        for (const Fork& each : forks_)
            graph_.mark_ending(each.number);
        const auto states = static_cast<std::uint32_t>(seen_.size());
        if (states == 0) return;
        const StateGraph::Verdict verdict = graph_.judge(states);
        made_.needs_progress = verdict.may_go_round && made_.complete;
        if (!verdict.never_ends) return;
        const Node node = follow(*verdict.never_ends);
        PossibleResult result;
        result.ending = {"never ends", false};
        result.never_ends = true;
        result.turns = turns_of(way_);
        result.instructions = beyond_budget(node.state.steps + node.skipped);
        add(std::move(result));
    }

    // From the start; way_ is then whole, with those that come to barriers.
    Node follow(const std::vector<Step>& steps) {
        way_.clear();
        Node node;
        machine_.start(node.state, &findings_);
        node.done = no_actions_done(machine_, node.state);
        settle(node);
        for (const Step& step : steps) {
            act(node, {*machine::slot_of(node.state, step.group), step.warp});
            settle(node);
        }
        return node;
    }

    // Takes the next way from the last fork; whether without a fault.
    bool go_on(Node& next) {
        Fork& from = forks_.back();
        way_.resize(from.way);
        const Choice choice = from.left.back();
        from.left.pop_back();
        from_ = from.number;
        taken_ = {from.node.state.groups[choice.slot]->id, choice.warp};
        if (from.left.empty()) {
            held_ -= bytes_dropped(from.node.state) + bytes_beside(from);
            next = std::move(from.node);
            forks_.pop_back();
        } else {
            next = from.node;
        }
        return act(next, choice);
    }

    void enter(Node node) {
        const KnownStates::Inserted known = seen_.insert(keys_.of(node.state));
        if (keeps_graph_ && from_) graph_.add(*from_, known.number, taken_);
        if (!known.fresh) return;
        if (seen_.size() % kProgressEvery == 0) report_progress();
        if (machine_.done(node.state)) {
            if (keeps_graph_) graph_.mark_ending(known.number);
            note({ending_(machine_, node.state), false}, node);
            return;
        }
        Fork fork;
        fork.left = sets_.choices(node.state, node.done);
        if (fork.left.empty()) return;
        std::reverse(fork.left.begin(), fork.left.end());
        fork.way = way_.size();
        fork.number = known.number;
        fork.node = std::move(node);
        held_ +=
            bytes_added(fork.node.state, forks_.empty() ? nullptr : &forks_.back().node.state) +
            bytes_beside(fork);
        forks_.push_back(std::move(fork));
    }

    static std::uint64_t bytes_beside(const Fork& fork) {
        return sizeof(Fork) + fork.node.done.capacity() * sizeof(std::uint32_t) +
               fork.left.capacity() * sizeof(Choice);
    }

    void look_at_bounds() {
        const std::uint64_t held =
            seen_.bytes_to_insert() + graph_.bytes() + held_ + way_.capacity() * sizeof(PathPart);
        made_.bytes = std::max(made_.bytes, held);
        if (forks_.empty()) return;
        if (seen_.size() > options_.most_states)
            made_.bound = Bound::states;
        else if (held > options_.most_bytes)
            made_.bound = Bound::memory;
    }

    // Whether it came through without a fault.
    bool act(Node& node, const Choice& choice) {
        const std::uint32_t launch = node.state.launch;
        way_.push_back({{node.state.groups[choice.slot]->id, choice.warp, 1, 0}});
        ++node.done[warp_number(machine_, node.state, choice)];
        parts_.clear();
        try {
            machine_.act(node.state, choice, parts_, &findings_);
        } catch (const Fault& fault) {
            note_fault(fault, node);
            return false;
        }
        if (node.state.launch != launch) node.done = no_actions_done(machine_, node.state);
        return true;
    }

    // Who comes to a barrier touches nothing: it does so at once. Who only counts how long it waits
    // does so at once, too. Whether without a fault.
    bool settle(Node& node) {
        while (const std::optional<Choice> choice = arriving(machine_, node.state))
            if (!act(node, *choice)) return false;
        if (machine_.done(node.state) || sets_.conflicts()[node.state.launch]) return true;
        for (std::size_t slot = 0; slot < node.state.groups.size(); ++slot)
            for (std::uint32_t warp = 0; warp < node.state.groups[slot]->warps.size(); ++warp)
                if (const auto skipped = spins_.skip(node.state, {slot, warp})) {
                    way_.push_back(
                        {{node.state.groups[slot]->id, warp, skipped->actions, 0}, true});
                    node.skipped += skipped->instructions;
                    ++made_.skips;
                }
        return true;
    }

    void note_fault(const Fault& fault, const Node& node) {
        if (keeps_graph_ && from_) graph_.mark_ending(*from_);
        if (fault.kind == Fault::Kind::budget)
            made_.endless = true;
        else
            note({{fault.what, {}}, true}, node);
    }

    void note(const End& end, const Node& node) {
        PossibleResult* known = nullptr;
        if (known_.contains(end.ending.result)) {
            known = &*std::find_if(made_.results.begin(), made_.results.end(),
                                   [&](const PossibleResult& each) {
                                       return each.ending.result == end.ending.result;
                                   });
            if (known->instructions == 0) return;
        }
        PossibleResult result;
        result.ending = end.ending;
        result.fault = end.fault;
        result.turns = turns_of(way_);
        result.instructions = beyond_budget(node.state.steps + node.skipped);
        if (result.instructions > 0) wait_less(result);
        if (known == nullptr)
            add(std::move(result));
        else if (result.instructions < known->instructions)
            *known = std::move(result);  // without the patience, or with less
    }

    // The search waits as long as it can wherever it may: without the waits that lead nowhere else.
    void wait_less(PossibleResult& result) {
        SearchPath path = way_;
        if (const auto instructions =
                leave_out_skips(machine_, spins_, ending_, result.ending.result, path)) {
            result.turns = turns_of(path);
            result.instructions = beyond_budget(*instructions);
        }
    }

    // The instructions of a schedule, where they are more than the job's budget.
    std::uint64_t beyond_budget(std::uint64_t instructions) const {
        return instructions > machine_.budget() ? instructions : 0;
    }

    void add(PossibleResult result) {
        if (!known_.insert(result.ending.result).second) return;
        constexpr std::uint64_t kBesides = 128;  // of the tree's node and of allocations
        held_ += sizeof(PossibleResult) + 2 * result.ending.result.capacity() +
                 result.turns.capacity() * sizeof(Turn) + kBesides;
        made_.results.push_back(std::move(result));
    }

    void report_progress() {
        made_.states = seen_.size();
        if (options_.on_progress) options_.on_progress(made_);
    }

    void sample() {
        for (std::uint64_t seed = 1; seed <= options_.samples && !cancelled(); ++seed) {
            auto run = random_run(machine_, ending_, seed, &findings_, options_.cancel);
            if (!run) return;
            ++made_.samples;
            if (run->end) {
                PossibleResult result;
                result.ending = run->end->ending;
                result.fault = run->end->fault;
                result.turns = std::move(run->turns);
                result.sampled = true;
                add(std::move(result));
            } else {
                made_.endless = true;
            }
            if (seed % 64 == 0 && options_.on_progress) options_.on_progress(made_);
        }
    }

    // Not what waits longer than the budget lets it: each try would take as long.
    void shorten() {
        if (!options_.shortest) return;
        const auto is_left = [](const PossibleResult& each) {
            return each.never_ends || each.instructions > 0;
        };
        std::vector<std::string> wanted;
        for (const PossibleResult& each : made_.results)
            if (!is_left(each)) wanted.push_back(each.ending.result);
        const auto shortest =
            shortest_schedules(machine_, keys_, ending_, sets_.conflicts(), wanted,
                               {kShortestActions, options_.most_bytes}, options_.cancel);
        Tries tries{3000, kTriedActions};
        for (PossibleResult& each : made_.results) {
            if (is_left(each)) continue;
            const auto found = shortest.find(each.ending.result);
            each.shortest = found != shortest.end();
            if (each.shortest)
                each.turns = found->second;
            else if (!cancelled())
                each.turns =
                    without_needless(machine_, ending_, each.ending.result, each.turns, tries);
            if (!cancelled())
                each.turns =
                    with_fewest_actions(machine_, ending_, each.ending.result, each.turns, tries);
        }
    }

    void sort() {
        std::stable_sort(made_.results.begin(), made_.results.end(),
                         [](const PossibleResult& a, const PossibleResult& b) {
                             const auto rank = [](const PossibleResult& result) {
                                 return result.never_ends                    ? 3
                                        : result.fault                       ? 2
                                        : result.ending.right.value_or(true) ? 0
                                                                             : 1;
                             };
                             return std::pair(rank(a), a.turns.size()) <
                                    std::pair(rank(b), b.turns.size());
                         });
    }

    const EndingOf& ending_;
    const OutcomesOptions& options_;
    Machine machine_;
    machine::StateKeys keys_;
    PersistentSets sets_;
    SpinAcceleration spins_;
    Outcomes made_;
    std::set<std::string> known_;  // results
    KnownStates seen_;
    bool keeps_graph_;
    StateGraph graph_;
    std::optional<std::uint32_t> from_;  // the state that is gone on from; none: the start
    Step taken_;                         // the step from there
    std::vector<Fork> forks_;            // on the way to where the search is
    SearchPath way_;                     // to there
    std::uint64_t held_ = 0;             // bytes of forks and results
    machine::Done parts_;
    std::vector<machine::Finding> findings_;
};

}  // namespace

Outcomes outcomes_of(const machine::Job& job, const EndingOf& ending,
                     const OutcomesOptions& options) {
    return Search(job, ending, options).run();
}

}  // namespace lab::analysis
