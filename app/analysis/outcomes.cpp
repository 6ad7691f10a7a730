#include "analysis/outcomes.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "analysis/conflicts.h"
#include "analysis/persistent_set.h"
#include "analysis/shortest_schedule.h"
#include "analysis/spin_acceleration.h"
#include "analysis/stale_reads.h"
#include "base/json_fields.h"
#include "machine/machine.h"

namespace lab::analysis {
namespace {

using machine::Fault;
using machine::Machine;
using machine::ScheduleSlice;
using machine::State;
using machine::WarpRef;

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
          results_(machine_, spins_, ending, made_.results),
          keeps_graph_(!sets_.all_known()) {
        machine_.set_cancel(options.cancel);
        made_.launches = static_cast<std::uint32_t>(sets_.conflicts().size());
    }

    Outcomes run() {
        search();
        if (!made_.complete && !cancelled() && !enough_) sample();
        made_.cancelled = !made_.complete && cancelled();
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
        sort(made_.results);
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
        const Node node = follow(*verdict.never_ends);
        PossibleResult result;
        result.ending = {"never ends", false};
        result.never_ends = true;
        result.turns = turns_of(way_);
        result.instructions = results_.beyond_budget(node.state.steps + node.skipped);
        results_.add(std::move(result));
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
        effort_ += way_.size() + 2 * sets_.effort(from.node.state);
        const std::vector<WarpRef> more =
            sets_.choices(from.node.state, from.node.done, from.order);
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
            return true;
        }
        effort_ += sets_.effort(node.state);
        Fork fork;
        fork.order = sets_.choices(node.state, node.done);
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
        const lang::Op op = machine_.next(node.state, choice).op;
        const std::size_t groups = node.state.groups.size();
        looked_.reset();
        way_.push_back({{node.state.groups[choice.slot]->id, choice.warp, 1, 0}});
        ++node.done[warp_number(machine_, node.state, choice)];
        parts_.clear();
        copies_.look(node.state, choice);
        const std::uint64_t steps = node.state.steps;
        try {
            machine_.act(node.state, choice, parts_, &findings_);
        } catch (const Fault& fault) {
            spend(node.state.steps - steps);
            note_fault(fault, node);
            return false;
        }
        spend(node.state.steps - steps);
        // What more is printed is lost, and is no part of a result.
        if (node.state.prints && node.state.prints->size() > machine::kMostPrints)
            made_.bound = Bound::memory;
        if (node.state.launch != launch) node.done = no_actions_done(machine_, node.state);
        const bool looks =
            (op == lang::Op::load || op == lang::Op::atomic) &&
            std::all_of(parts_.accesses.begin(), parts_.accesses.end(),
                        [](const machine::Access& each) { return each.before == each.after; });
        if (looks && node.state.launch == launch && node.state.groups.size() == groups &&
            node.state.groups[choice.slot]->id == way_.back().turn.group)
            looked_ = choice;
        return true;
    }

    // What is a persistent set by itself and comes through is done at once: to come to a barrier,
    // and to count on how long one waits. Not without end: who goes round and does nothing else has
    // to be seen. Whether without a fault.
    bool settle(Node& node) {
        constexpr std::size_t kMostBarriers = 64;  // per warp at once; then the search goes on
        std::size_t most = 0;
        for (const auto& group : node.state.groups)
            most += kMostBarriers * group->warps.size();
        for (; most > 0; --most) {
            const std::optional<WarpRef> choice = sets_.arriving(node.state);
            if (!choice) break;
            if (!act(node, *choice)) return false;
        }
        if (machine_.done(node.state) || sets_.conflicts()[node.state.launch] ||
            copies_.copies(node.state.launch))
            return true;
        if (looked_) {  // for all others nothing has changed
            skip(node, *looked_);
            return true;
        }
        for (std::size_t slot = 0; slot < node.state.groups.size(); ++slot)
            for (std::uint32_t warp = 0; warp < node.state.groups[slot]->warps.size(); ++warp)
                skip(node, {slot, warp});
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
                PossibleResult result;
                result.ending = run->end->ending;
                result.fault = run->end->fault;
                result.turns = std::move(run->turns);
                result.sampled = true;
                results_.add(std::move(result));
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
LAB_JSON_PAIR(static, to_json, from_json, NLOHMANN_JSON_FROM, IndependentOutcomes, lanes, results,
              complete, same)
LAB_JSON_SOME_FIELDS(Outcomes, complete, cancelled, bound, unwritten, endless, states, bytes,
                     samples, launches, for_these_numbers)

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
    if (from.contains("independent"))
        outcomes.independent = from.at("independent").get<IndependentOutcomes>();
    if (from.contains("races")) outcomes.races = from.at("races").get<bool>();
    outcomes.needs_progress = from.value("needs_progress", false);
    from.at("reduced_launches").get_to(outcomes.reduced);
}

using machine::ScheduleSlice;
using machine::WarpRef;

namespace {

// That a path takes. Nothing: it does not lead to that result, or cannot be gone.
std::optional<std::uint64_t> instructions_to(machine::Machine& machine, SpinAcceleration& spins,
                                             const EndingOf& ending, const std::string& result,
                                             const SearchPath& path) {
    machine::State state;
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
    } catch (const machine::Fault& fault) {
        if (fault.what != result) return std::nullopt;
        return state.steps + skipped;
    }
    if (!machine.done(state) || ending(machine, state).result != result) return std::nullopt;
    return state.steps + skipped;
}

}  // namespace

std::vector<ScheduleSlice> turns_of(const SearchPath& path) {
    std::vector<ScheduleSlice> turns;
    for (const PathPart& part : path)
        if (!turns.empty() && turns.back().group == part.turn.group &&
            turns.back().warp == part.turn.warp)
            turns.back().count += part.turn.count;
        else
            turns.push_back(part.turn);
    return turns;
}

std::optional<std::uint64_t> leave_out_skips(machine::Machine& machine, SpinAcceleration& spins,
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

namespace {

using machine::Block;
using machine::Group;
using machine::Page;
using machine::PagedBuffer;
using machine::Shared;
using machine::State;

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
    std::uint64_t sum = bytes_of(state.groups) + bytes_of(state.memory);
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

}  // namespace

std::uint64_t bytes_added(const State& state, const State* beside) {
    static const State nothing;
    const State& other = beside != nullptr ? *beside : nothing;
    std::uint64_t sum = bytes_of_lists(state) + groups_added(state, other);
    for (std::size_t number = 0; number < state.memory.size(); ++number) {
        const std::vector<Shared<Page>>& pages = state.memory[number].pages;
        const bool known = number < other.memory.size();
        for (std::size_t i = 0; i < pages.size(); ++i)
            if (!known || !pages[i].same(other.memory[number].pages[i])) sum += bytes_of(*pages[i]);
    }
    return sum;
}

std::uint64_t bytes_dropped(const State& state) {
    std::uint64_t sum = bytes_of_lists(state);
    for (const Shared<Group>& each : state.groups)
        if (each.alone()) sum += bytes_of(*each);
    for (const PagedBuffer& buffer : state.memory)
        for (const Shared<Page>& each : buffer.pages)
            if (each.alone()) sum += bytes_of(*each);
    return sum;
}

StateGraph::Index StateGraph::index_by(std::uint32_t Edge::*end, std::uint32_t states) const {
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
std::vector<bool> StateGraph::ending_from(std::uint32_t states) const {
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
std::optional<std::vector<StateGraph::Step>> StateGraph::way_outside(
    const std::vector<bool>& ending) const {
    if (std::find(ending.begin(), ending.end(), false) == ending.end()) return std::nullopt;
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    const Index from = index_by(&Edge::from, static_cast<std::uint32_t>(ending.size()));
    std::vector<std::uint32_t> by(ending.size(), kNone);  // the edge by which it was reached
    std::vector<std::uint32_t> reached{0};
    for (std::size_t index = 0; index < reached.size(); ++index) {
        std::uint32_t state = reached[index];
        if (!ending[state]) {
            std::vector<Step> way;
            for (; state != 0; state = edges_[by[state]].from)
                way.push_back(edges_[by[state]].step);
            std::reverse(way.begin(), way.end());
            return way;
        }
        for (std::uint32_t i = from.begins[state]; i < from.begins[state + 1]; ++i) {
            const std::uint32_t to = edges_[from.edges[i]].to;
            if (to == 0 || by[to] != kNone) continue;
            by[to] = from.edges[i];
            reached.push_back(to);
        }
    }
    return std::nullopt;
}

// What is left once all states have gone that nothing (left) leads to: Kahn's topological sort.
bool StateGraph::goes_round(const std::vector<bool>& within) const {
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

StateGraph::Verdict StateGraph::judge(std::uint32_t states) const {
    const std::vector<bool> ending = ending_from(states);
    return {way_outside(ending), goes_round(ending)};
}

}  // namespace lab::analysis
