#include "insight/outcomes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "insight/chance_run.h"
#include "insight/conflicts.h"
#include "insight/known_states.h"
#include "insight/shortest_schedule.h"
#include "insight/state_bytes.h"
#include "insight/state_graph.h"
#include "insight/stubborn_set.h"
#include "machine/state_key.h"

namespace lab {
namespace {

using machine::Choice;
using machine::Fault;
using machine::Machine;
using machine::State;
using machine::Turn;

constexpr std::uint64_t kTellEvery = 1 << 14;        // states
constexpr std::uint64_t kShortestActions = 150'000;  // that the search for shortest ones may take

// By launch: nothing where its accesses depend on data, or there are too many to compare.
std::vector<std::optional<Conflicts>> conflicts_of(const machine::Job& job) {
    constexpr std::uint64_t kMostEvents = 200'000;
    std::vector<std::optional<Conflicts>> made(job.launches.size());
    const std::vector<bool> known = launches_known(job);
    if (std::none_of(known.begin(), known.end(), [](bool each) { return each; })) return made;
    machine::Recording recording;
    recording.lineage = false;
    recording.most_events = kMostEvents;
    machine::Order order;
    order.kind = machine::Order::Kind::in_order;
    const machine::Run run(job, order, recording);
    if (run.fault()) return made;  // its trace is not whole
    for (std::size_t i = 0; i < made.size(); ++i)
        if (known[i]) made[i].emplace(run, static_cast<std::uint32_t>(i));
    return made;
}

class Search {
  public:
    Search(const machine::Job& job, const EndingOf& ending, const OutcomesOptions& options)
        : ending_(ending),
          options_(options),
          machine_(job, false),
          keys_(machine_),
          written_(machine::written_buffers(job)) {
        conflicts_ = conflicts_of(job);
        // Where accesses do not depend on data every schedule ends, since one has.
        keeps_graph_ = !std::all_of(conflicts_.begin(), conflicts_.end(),
                                    [](const auto& each) { return each.has_value(); });
        if (options.reduction == Reduction::none) conflicts_.assign(job.launches.size(), {});
        for (const auto& each : conflicts_)
            made_.reduced += each ? 1 : 0;
        made_.launches = static_cast<std::uint32_t>(conflicts_.size());
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
    };
    // A state that more than one way leads on from.
    struct Fork {
        Node node;
        std::vector<Choice> left;  // to be tried, the next one last
        std::size_t way = 0;       // steps to it
        std::uint32_t number = 0;  // of the state
    };
    using Step = StateGraph::Step;

    bool cancelled() const { return options_.cancel != nullptr && options_.cancel->load(); }

    void search() {
        Node start;
        try {
            machine_.start(start.state, &findings_);
        } catch (const Fault& fault) {
            note_fault(fault);
            made_.complete = !made_.endless;
            return;
        }
        start_launch(start);
        if (arrive(start)) enter(std::move(start));
        look_at_bounds();
        while (!forks_.empty() && made_.bound == Bound::none && !cancelled()) {
            Node next;
            if (go_on(next) && arrive(next)) enter(std::move(next));
            look_at_bounds();
        }
        // A path that a used-up budget cut short leads somewhere.
        made_.complete = forks_.empty() && !made_.endless;
        tell();
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
        follow(*verdict.never_ends);
        PossibleResult result;
        result.ending = {"never ends", false};
        result.never_ends = true;
        result.turns = turns();
        add(std::move(result));
    }

    // From the start; way_ is then whole, with those that come to barriers.
    void follow(const std::vector<Step>& steps) {
        way_.clear();
        Node node;
        machine_.start(node.state, &findings_);
        start_launch(node);
        arrive(node);
        for (const Step& step : steps) {
            act(node, {*machine::slot_of(node.state, step.group), step.warp});
            arrive(node);
        }
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
        if (seen_.size() % kTellEvery == 0) tell();
        if (machine_.done(node.state)) {
            if (keeps_graph_) graph_.mark_ending(known.number);
            note({ending_(machine_, node.state), false});
            return;
        }
        Fork made;
        made.left = choices_of(node);
        if (made.left.empty()) return;
        std::reverse(made.left.begin(), made.left.end());
        made.way = way_.size();
        made.number = known.number;
        made.node = std::move(node);
        held_ +=
            bytes_added(made.node.state, forks_.empty() ? nullptr : &forks_.back().node.state) +
            bytes_beside(made);
        forks_.push_back(std::move(made));
    }

    static std::uint64_t bytes_beside(const Fork& of) {
        return sizeof(Fork) + of.node.done.capacity() * sizeof(std::uint32_t) +
               of.left.capacity() * sizeof(Choice);
    }

    void look_at_bounds() {
        const std::uint64_t held =
            seen_.bytes_to_insert() + graph_.bytes() + held_ + way_.capacity() * sizeof(Step);
        made_.bytes = std::max(made_.bytes, held);
        if (forks_.empty()) return;
        if (seen_.size() > options_.most_states)
            made_.bound = Bound::states;
        else if (held > options_.most_bytes)
            made_.bound = Bound::memory;
    }

    // Those that have to be tried.
    std::vector<Choice> choices_of(const Node& node) const {
        std::vector<Choice> ready;
        for (std::size_t slot = 0; slot < node.state.groups.size(); ++slot)
            for (std::uint32_t warp = 0; warp < node.state.groups[slot]->warps.size(); ++warp) {
                const Choice choice{slot, warp};
                if (!machine::is_ready(node.state, choice)) continue;
                if (stands_alone(node, choice)) return {choice};
                ready.push_back(choice);
            }
        if (options_.reduction != Reduction::stubborn || ready.empty()) return ready;
        if (!conflicts_[node.state.launch]) return of_one_group(node, std::move(ready));
        const StubbornSets sets(machine_, node.state, *conflicts_[node.state.launch], node.done);
        return sets.smallest(ready);
    }

    // Whether no other group can get in the way of what it does next.
    bool stays_inside(const Node& node, const Choice& choice) const {
        const machine::Context& context = machine_.context(node.state.launch);
        const bool reads = machine_.next(node.state, choice).op == lang::Op::load;
        for (const std::uint64_t number : machine_.next_objects(node.state, choice)) {
            if (number == 0 || number > context.visible) return false;  // a fault
            const machine::ObjectInfo& object = context.objects[number];
            const bool shared =
                object.space == machine::Space::global && (written_[object.buffer] || !reads);
            if (shared) return false;
        }
        return true;
    }

    // Where accesses depend on data: those of a group that all do what concerns it alone.
    std::vector<Choice> of_one_group(const Node& node, std::vector<Choice> ready) const {
        for (std::size_t first = 0; first < ready.size();) {
            std::size_t end = first;
            bool inside = true;
            for (; end < ready.size() && ready[end].slot == ready[first].slot; ++end)
                inside = inside && stays_inside(node, ready[end]);
            if (inside)
                return {ready.begin() + static_cast<std::ptrdiff_t>(first),
                        ready.begin() + static_cast<std::ptrdiff_t>(end)};
            first = end;
        }
        return ready;
    }

    std::size_t number_of(const State& state, const Choice& choice) const {
        return std::size_t{state.groups[choice.slot]->id} * machine_.context(state.launch).warps +
               choice.warp;
    }

    // Whether to try that one alone loses nothing.
    bool stands_alone(const Node& node, const Choice& choice) const {
        if (options_.reduction == Reduction::none) return false;
        // Within a warp, and at once.
        if (machine_.next(node.state, choice).op == lang::Op::sub_collective) return true;
        const auto& conflicts = conflicts_[node.state.launch];
        return conflicts &&
               conflicts->stands_alone(static_cast<std::uint32_t>(number_of(node.state, choice)),
                                       node.done);
    }

    void start_launch(Node& node) const {
        if (machine_.done(node.state)) return;
        const machine::Context& context = machine_.context(node.state.launch);
        node.done.assign(std::size_t{context.groups} * context.warps, 0);
    }

    // Whether it came through without a fault.
    bool act(Node& node, const Choice& choice) {
        const std::uint32_t launch = node.state.launch;
        way_.push_back({node.state.groups[choice.slot]->id, choice.warp});
        ++node.done[number_of(node.state, choice)];
        parts_.clear();
        try {
            machine_.act(node.state, choice, parts_, &findings_);
        } catch (const Fault& fault) {
            note_fault(fault);
            return false;
        }
        if (node.state.launch != launch) start_launch(node);
        return true;
    }

    // A warp that comes to a barrier next.
    std::optional<Choice> arriving(const State& state) const {
        for (std::size_t slot = 0; slot < state.groups.size(); ++slot)
            for (std::uint32_t warp = 0; warp < state.groups[slot]->warps.size(); ++warp) {
                if (!machine::is_ready(state, {slot, warp})) continue;
                const lang::Op next = machine_.next(state, {slot, warp}).op;
                if (next == lang::Op::barrier || next == lang::Op::group_collective)
                    return Choice{slot, warp};
            }
        return std::nullopt;
    }

    // Who comes to a barrier touches nothing: it does so at once. Whether without a fault.
    bool arrive(Node& node) {
        while (const std::optional<Choice> choice = arriving(node.state))
            if (!act(node, *choice)) return false;
        return true;
    }

    void note_fault(const Fault& fault) {
        if (keeps_graph_ && from_) graph_.mark_ending(*from_);
        if (fault.kind == Fault::Kind::budget)
            made_.endless = true;
        else
            note({{fault.what, {}}, true});
    }

    void note(const End& end) {
        if (!known_.contains(end.ending.result))
            add({end.ending, end.fault, false, turns(), false, false});
    }

    void add(PossibleResult result) {
        if (!known_.insert(result.ending.result).second) return;
        constexpr std::uint64_t kBesides = 128;  // of the tree's node and of allocations
        held_ += sizeof(PossibleResult) + 2 * result.ending.result.capacity() +
                 result.turns.capacity() * sizeof(Turn) + kBesides;
        made_.results.push_back(std::move(result));
    }

    // The way to where the search is.
    std::vector<Turn> turns() const {
        std::vector<Turn> made;
        for (const Step& each : way_)
            if (!made.empty() && made.back().group == each.group && made.back().warp == each.warp)
                ++made.back().count;
            else
                made.push_back({each.group, each.warp, 1, 0});
        return made;
    }

    void tell() {
        made_.states = seen_.size();
        if (options_.told) options_.told(made_);
    }

    void sample() {
        for (std::uint64_t seed = 1; seed <= options_.samples && !cancelled(); ++seed) {
            auto run = run_by_chance(machine_, ending_, seed, &findings_, options_.cancel);
            if (!run) return;
            ++made_.samples;
            if (run->end)
                add({run->end->ending, run->end->fault, false, std::move(run->turns), false, true});
            else
                made_.endless = true;
            if (seed % 64 == 0 && options_.told) options_.told(made_);
        }
    }

    void shorten() {
        if (!options_.shortest) return;
        std::vector<std::string> wanted;
        for (const PossibleResult& each : made_.results)
            if (!each.never_ends) wanted.push_back(each.ending.result);
        const auto shortest =
            shortest_schedules(machine_, keys_, ending_, conflicts_, wanted,
                               {kShortestActions, options_.most_bytes}, options_.cancel);
        std::uint64_t tries = 3000;  // runs
        for (PossibleResult& each : made_.results) {
            if (each.never_ends) continue;
            const auto found = shortest.find(each.ending.result);
            each.shortest = found != shortest.end();
            if (each.shortest)
                each.turns = found->second;
            else if (!cancelled())
                each.turns = without_needless(machine_, ending_, each.ending.result, each.turns);
            if (!cancelled())
                each.turns =
                    with_fewest_actions(machine_, ending_, each.ending.result, each.turns, tries);
        }
    }

    void sort() {
        std::stable_sort(made_.results.begin(), made_.results.end(),
                         [](const PossibleResult& a, const PossibleResult& b) {
                             const auto rank = [](const PossibleResult& of) {
                                 return of.never_ends                    ? 3
                                        : of.fault                       ? 2
                                        : of.ending.right.value_or(true) ? 0
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
    std::vector<bool> written_;  // by buffer
    std::vector<std::optional<Conflicts>> conflicts_;
    Outcomes made_;
    std::set<std::string> known_;  // results
    KnownStates seen_;
    bool keeps_graph_ = false;
    StateGraph graph_;
    std::optional<std::uint32_t> from_;  // the state that is gone on from; none: the start
    Step taken_;                         // the step from there
    std::vector<Fork> forks_;            // on the way to where the search is
    std::vector<Step> way_;
    std::uint64_t held_ = 0;  // bytes of forks and results
    machine::Done parts_;
    std::vector<machine::Finding> findings_;
};

}  // namespace

Outcomes outcomes_of(const machine::Job& job, const EndingOf& ending,
                     const OutcomesOptions& options) {
    return Search(job, ending, options).run();
}

}  // namespace lab
