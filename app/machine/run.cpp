#include "machine/run.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/ranges.h"
#include "lang/code.h"
#include "lang/dataflow.h"

namespace lab::machine {

// Accesses and actions between checkpoints: what state_at() has to do again at most. More where a
// state is large, so that the checkpoints take no more memory than several traces.
constexpr std::uint64_t kStride = 16'384;
constexpr std::uint64_t kBytesEach = 256;

constexpr std::size_t kTogether = 64;  // actions that observers are told of in one go

Run::Run(Job job, SchedulingPolicy order, const Recording& recording) {
    prepare(std::move(job), std::move(order), recording);
    go_on(UINT64_MAX);
}

std::unique_ptr<Run> Run::begun(Job job, SchedulingPolicy order, const Recording& recording) {
    std::unique_ptr<Run> run(new Run());
    run->prepare(std::move(job), std::move(order), recording);
    return run;
}

void Run::prepare(Job job, SchedulingPolicy order, const Recording& recording) {
    machine_ = std::make_unique<Machine>(std::move(job), recording.lineage);
    player_ = std::make_unique<Player>(Player{Schedule(std::move(order)), recording, false, {}});
}

bool Run::go_on(std::uint64_t actions) {
    if (!player_) return false;
    machine_->set_flow(player_->recording.flow ? &flow_ : nullptr);
    machine_->set_cancel(player_->recording.cancel);
    const auto stop_telling = [&] {  // what is done again for state_at() was told already
        machine_->set_flow(nullptr);
        machine_->set_cancel(nullptr);
    };
    try {
        const bool more = play(actions);
        stop_telling();
        if (!more) player_.reset();
    } catch (Fault& fault) {
        stop_telling();
        const std::atomic<bool>* cancel = player_->recording.cancel;
        cancelled_ = fault.kind == Fault::Kind::budget && cancel != nullptr && cancel->load();
        player_.reset();
        if (cancelled_) return false;
        fault_ = std::move(fault);
        if (fault_->kind == Fault::Kind::budget || fault_->kind == Fault::Kind::recording)
            explain_spin(*machine_, end_, *fault_);
    }
    return player_ != nullptr;
}

bool Run::play(std::uint64_t actions) {
    auto& [schedule, recording, started, done] = *player_;
    if (!std::exchange(started, true)) {
        for (Observer* observer : recording.observers)
            observer->begin(*machine_);
        machine_->start(end_, &findings_);
    }
    const std::uint64_t enough = actions < UINT64_MAX - time_ ? time_ + actions : UINT64_MAX;
    while (!machine_->done(end_)) {
        if (recording.cancel != nullptr && recording.cancel->load()) {
            cancelled_ = true;
            return false;
        }
        if (time_ >= enough) return true;
        if (recording.trace && (checkpoints_.empty() || since_ >= stride_)) checkpoint(recording);
        done.clear();
        try {
            do {
                const WarpRef next = schedule.choose(end_);
                if (schedule.goes_in_order())
                    machine_->act_in_order(end_, next.slot, kTogether, done, &findings_);
                else
                    machine_->act(end_, next, done, &findings_);
            } while (done.parts.size() < kTogether && !machine_->done(end_));
        } catch (const Fault&) {
            notify(done, recording);
            throw;
        }
        notify(done, recording);
    }
    return false;
}

void Run::notify(const StepResult& done, const Recording& recording) {
    std::size_t next = 0;
    for (const StepResult::PartDetail& each : done.details) {
        tell_parts(done, next, each.part, recording);
        next = each.part;
        Detail detail = each.detail;
        detail.time = time_;
        if (recording.trace) trace_.add(detail);
        for (Observer* observer : recording.observers)
            observer->detail(detail);
    }
    tell_parts(done, next, done.parts.size(), recording);
}

void Run::tell_parts(const StepResult& done, std::size_t first, std::size_t end,
                     const Recording& recording) {
    if (first == end) return;
    const std::span<const Part> parts(done.parts.data() + first, end - first);
    const std::span<const Access> accesses(done.accesses);
    if (recording.trace)
        for (const Part& part : parts)
            trace_.add(part.action, accesses.subspan(part.first, part.end - part.first),
                       part.continues);
    for (Observer* observer : recording.observers)
        observer->observe_all(parts, accesses);
    time_ += parts.size();
    since_ += parts.size() + parts.back().end - parts.front().first;
}

void Run::checkpoint(const Recording& recording) {
    check_room(recording);
    checkpoints_.push_back(end_);
    const Context& context = machine_->context(end_.launch);
    const std::uint64_t bytes = group_bytes(context, recording.lineage) * end_.groups.size();
    stride_ = std::max(kStride, bytes / kBytesEach);
    since_ = 0;
}

// A run that reads forever must not fill the memory before its budget is used up.
void Run::check_room(const Recording& recording) const {
    if (trace_.size() + trace_.events() <= recording.most_events) return;
    const Action& last = trace_.action(trace_.size() - 1);
    const Context& context = machine_->context(last.launch);
    throw Fault{
        Fault::Kind::recording,
        fmt::format("The run is too long to be recorded: more than {} loads and stores",
                    recording.most_events),
        "",
        "",
        context.code->places[last.place],
        last.launch,
        context.item(last.group, last.warp, 0),
        {{"fault.recording", {{"count", std::to_string(recording.most_events)}}, {}}, {}, {}}};
}

State Run::state_at(std::uint64_t time) {
    auto after = std::upper_bound(
        checkpoints_.begin(), checkpoints_.end(), time,
        [](std::uint64_t asked, const State& state) { return asked < state.time; });
    State state;
    if (after == checkpoints_.begin()) {
        try {
            machine_->start(state);
        } catch (const Fault&) {  // before the first action: the one that ended the run
        }
        return state;
    }
    state = *--after;
    StepResult done;
    while (state.time < time && state.time < trace_.size() && !machine_->done(state)) {
        const Action& action = trace_.action(state.time);
        const auto slot = slot_of(state, action.group);
        if (!slot) break;
        done.clear();
        try {
            machine_->act(state, {*slot, action.warp}, done);
        } catch (const Fault&) {
            break;  // the one that ended the run
        }
    }
    return state;
}

Problem Run::problem(const Fault& fault) const {
    return problem_of(fault, *machine_->context(fault.launch).code);
}

Problem Run::problem(const Finding& finding) const {
    return problem_of(finding, *machine_->context(finding.launch).code);
}

namespace {

constexpr int kRounds = 64;                   // that each warp is watched for
constexpr std::size_t kKeyedEachAction = 64;  // warps whose state is compared after each action
constexpr int kAlone = 256;  // actions of the one that had the turn, while the rest stand still
constexpr std::size_t kMostReported = 6;  // warps that a hang's report names; the rest are counted

// What a warp keeps reading.
struct Watch {
    std::uint64_t times = 0;
    bool changes = false;
    Action action;
    Access access;
};

class Watcher {
  public:
    Watcher(Machine& machine, const State& state, const Fault& first)
        : machine_(machine), state_(state), first_(first) {}

    void look() {
        look_alone();
        SchedulingPolicy order;
        order.kind = SchedulingPolicy::Kind::round_robin;
        Schedule schedule(order);
        StepResult done;
        std::size_t warps = 0;
        for (const Shared<Group>& group : state_.groups)
            warps += group->warps.size();
        const std::uint64_t actions = std::min<std::uint64_t>(100'000, kRounds * warps);
        machine_.set_budget(state_.steps +
                            std::clamp<std::uint64_t>(machine_.budget(), 50'000, 1'000'000));
        // Of many warps a key takes long; a state comes back when all of them had their turns.
        const std::uint64_t between_keys = warps > kKeyedEachAction ? warps : 1;
        const StateKeys keys(machine_);
        std::unordered_set<StateKey, StateKeyHash> seen;
        try {
            for (std::uint64_t i = 0; i < actions; ++i) {
                if (machine_.done(state_) || state_.launch != first_.launch) {
                    ended_ = true;
                    return;
                }
                done.clear();
                machine_.act(state_, schedule.choose(state_), done);
                for (const Part& part : done.parts) {
                    const bool writes = part.action.kind == ActionKind::store ||
                                        part.action.kind == ActionKind::atomic;
                    for (std::size_t k = part.first; writes && k < part.end; ++k)
                        memory_changes_ =
                            memory_changes_ || done.accesses[k].before != done.accesses[k].after;
                    note(part, done, reads_);
                }
                if (i % between_keys == 0)
                    recurs_ = recurs_ || !seen.insert(keys.of(state_)).second;
            }
        } catch (const Fault&) {
            return;  // one that goes round without any action: first_, or one like it
        }
    }

    // A line each: in English, and for a window.
    std::vector<Phrase> report() {
        if (ended_)
            return {{"fault.spin_ends",
                     {},
                     "From there it ends if everyone gets a turn; so far it had not"}};
        // Where memory changes and no state comes back, it gets on.
        if (memory_changes_ && !recurs_)
            return {{"fault.spin_works", first_place(),
                     fmt::format("Work-item {} was still at work in line {}, and memory still "
                                 "changed",
                                 first_name(), first_.place.line)}};
        std::vector<Phrase> lines;
        std::size_t left_out = 0;
        // The one that had the turn comes first, with the value that stands where the run stopped.
        const Watch* had_turn = alone_.empty() ? nullptr : waits_for(alone_.begin()->second);
        if (had_turn != nullptr && had_turn->changes) had_turn = nullptr;
        if (had_turn != nullptr) lines.push_back(sentence(*had_turn));
        for (const auto& [who, reads] : reads_) {
            if (had_turn != nullptr && who == alone_.begin()->first) continue;
            const Watch* watch = waits_for(reads);
            if (watch == nullptr) continue;
            // What others would read if they got a turn is another value than stands there.
            const bool later = had_turn != nullptr &&
                               had_turn->action.object == watch->action.object &&
                               had_turn->access.index == watch->access.index &&
                               had_turn->access.before != watch->access.before;
            if (lines.size() < kMostReported && !later)
                lines.push_back(sentence(*watch));
            else
                ++left_out;
        }
        if (lines.empty() && reads_.empty())
            lines.push_back({"fault.spin_alone", first_place(),
                             fmt::format("Work-item {} spins in line {} and reads nothing "
                                         "that another could change",
                                         first_name(), first_.place.line)});
        else if (lines.empty())
            lines.push_back({"fault.spin_reads", first_place(),
                             fmt::format("Work-item {} was still at work in line {}", first_name(),
                                         first_.place.line)});
        else
            waits_ = true;
        if (waits_) waiting(lines);
        if (left_out > 0)
            lines.push_back({"fault.spin_more",
                             {{"count", std::to_string(left_out)}},
                             fmt::format("More warps spin in the same way: {}", left_out)});
        return lines;
    }

    // Whether all of it ended once everyone got turns.
    bool ended() const { return ended_; }
    // Whether a warp keeps reading the same.
    bool waits() const { return waits_; }
    // … which nobody changes: it never ends.
    bool in_vain() const { return in_vain_; }
    const lang::Place* place() const { return place_; }

  private:
    using Who = std::pair<std::uint32_t, std::uint32_t>;                  // group, warp
    using What = std::tuple<std::uint32_t, std::uint8_t, std::uint32_t>;  // place, object, index

    // For the launch that the budget ran out in.
    const Context& context() const { return machine_.context(first_.launch); }

    using Reads = std::map<What, Watch>;

    // Goes on with the warp whose turn it was, in a copy of the state.
    void look_alone() {
        State state = state_;
        const std::uint64_t local = context().local, lanes = context().lanes;
        WarpRef choice{0, static_cast<std::uint32_t>(first_.item % local / lanes)};
        while (choice.slot < state.groups.size() &&
               state.groups[choice.slot]->id != first_.item / local)
            ++choice.slot;
        StepResult done;
        machine_.set_budget(state.steps + 50'000);
        try {
            for (int i = 0; i < kAlone; ++i) {
                if (machine_.done(state) || state.launch != first_.launch ||
                    choice.slot >= state.groups.size() || !is_ready(state, choice))
                    return;
                done.clear();
                machine_.act(state, choice, done);
                for (const Part& part : done.parts)
                    note(part, done, alone_);
            }
        } catch (const Fault&) {
            return;  // it goes round without any action
        }
    }

    // What a warp waits for: of what decides how long the outermost loop goes on, and does not
    // change, the first in the text; null if it reads nothing again and again.
    const Watch* waits_for(const Reads& reads) {
        const Watch* found = nullptr;
        const auto rank = [&](const Watch& watch) {
            return std::tuple(decides(watch.action.place), !watch.changes,
                              watch.changes ? watch.times : 0);
        };
        for (const auto& [key, watch] : reads)
            if (watch.times >= 3 && (found == nullptr || rank(watch) > rank(*found)))
                found = &watch;
        return found;
    }

    // Where it goes on, at the latest, by a condition that depends on what is read there: behind
    // the outermost loop that such a condition leaves. 1 if none leaves a loop, 0 if there is none.
    // What is written where such a condition holds depends on it, too.
    std::size_t decides(std::uint32_t place) {
        const auto [known, fresh] = decides_.emplace(place, 0);
        std::size_t& found = known->second;
        if (!fresh) return found;
        const std::vector<lang::Instruction>& code = context().code->instructions;
        std::vector<std::set<std::uint32_t>> before(code.size() + 1);  // registers
        std::vector<bool> chosen(code.size());  // goes on or not by such a condition
        std::vector<std::size_t> left;
        for (std::size_t pc = 0; pc < code.size(); ++pc)
            if (code[pc].place == place) left.push_back(pc);
        while (!left.empty()) {
            const std::size_t pc = left.back();
            left.pop_back();
            const lang::Instruction& each = code[pc];
            std::set<std::uint32_t> after = before[pc];
            bool takes = each.place == place || chosen[pc];
            lang::for_inputs(each, [&](auto reg) { takes = takes || after.contains(reg); });
            if (takes && each.op == lang::Op::test)
                found = std::max<std::size_t>(found, each.target);
            if (takes && each.op == lang::Op::if_) {
                found = std::max<std::size_t>(found, 1);
                for (std::size_t in = pc + 1;
                     in < code.size() && !(code[in].op == lang::Op::join && code[in].to == each.to);
                     ++in) {
                    if (code[in].op == lang::Op::leave)
                        found = std::max<std::size_t>(found, code[in].target);
                    if (!chosen[in]) left.push_back(in);
                    chosen[in] = true;
                }
            }
            lang::for_outputs(each, [&](auto reg) {
                if (takes)
                    after.insert(reg);
                else
                    after.erase(reg);
            });
            for (const std::size_t next : lang::successors(*context().code, pc)) {
                const std::size_t size = before[next].size();
                before[next].insert(after.begin(), after.end());
                if (before[next].size() > size && next < code.size()) left.push_back(next);
            }
        }
        return found;
    }

    static void note(const Part& part, const StepResult& done, std::map<Who, Reads>& reads_of) {
        const bool reads =
            part.action.kind == ActionKind::load || part.action.kind == ActionKind::atomic;
        if (!reads || part.first == part.end) return;
        const Access& access = done.accesses[part.first];
        Watch& watch = reads_of[{part.action.group, part.action.warp}]
                               [{part.action.place, part.action.object, access.index}];
        if (watch.times > 0 && watch.access.before != access.before) watch.changes = true;
        ++watch.times;
        watch.action = part.action;
        watch.access = access;
    }

    std::string first_name() const { return context().item_name(first_.item); }
    std::map<std::string, std::string> first_place() const {
        return {{"item", first_name()}, {"line", std::to_string(first_.place.line)}};
    }

    Phrase sentence(const Watch& watch) {
        const Action& action = watch.action;
        const Context& context = machine_.context(action.launch);
        const lang::Place& place = context.code->places[action.place];
        if (place_ == nullptr) place_ = &place;
        if (!watch.changes) in_vain_ = true;
        const ObjectInfo& object = context.objects[action.object];
        const std::string item =
            context.item_name(context.item(action.group, action.warp, *set_bits(action.mask)));
        const std::string group = context.group_name(action.group);
        const std::string cell =
            object.name + object.shape.at(object.index_of(watch.access, action.type));
        const std::string value = lang::text_of(watch.access.before, action.type);
        return {watch.changes ? "fault.spin_changes" : "fault.spin",
                {{"item", item},
                 {"group", group},
                 {"line", std::to_string(place.line)},
                 {"cell", cell},
                 {"value", value}},
                fmt::format(
                    "Work-item {} (group {}) spins in line {}: it keeps reading {}, which {} {}",
                    item, group, place.line, cell, watch.changes ? "is now" : "stays", value)};
    }

    void waiting(std::vector<Phrase>& lines) {
        if (machine_.done(state_)) return;
        std::map<std::uint32_t, std::vector<std::string>> at;  // line -> groups
        for (const Shared<Group>& group : state_.groups)
            if (group->waiting > 0)
                for (const Warp& warp : group->warps)
                    if (warp.status == Status::waiting) {
                        at[context().code->place(context().code->instructions[warp.pc]).line]
                            .push_back(context().group_name(group->id));
                        break;
                    }
        for (const auto& [line, groups] : at) {
            const auto shown = static_cast<std::ptrdiff_t>(std::min(groups.size(), kMostReported));
            const std::string named =
                fmt::format("{}", fmt::join(groups.begin(), groups.begin() + shown, ", "));
            lines.push_back(
                {"fault.spin_barrier",
                 {{"groups", named}, {"line", std::to_string(line)}},
                 fmt::format("The rest waits at the barrier in line {}; groups: {}", line, named)});
        }
        const std::uint32_t left = context().groups - state_.next_group;
        if (left > 0)
            lines.push_back({"fault.spin_room",
                             {{"count", std::to_string(left)},
                              {"groups", std::to_string(context().groups)},
                              {"resident", std::to_string(state_.groups.size())}},
                             fmt::format("{} of {} groups have not begun: {} run at once, and none "
                                         "of these ends",
                                         left, context().groups, state_.groups.size())});
    }

    Machine& machine_;
    State state_;
    const Fault& first_;  // of whom the budget ran out
    std::map<Who, Reads> reads_;
    std::map<Who, Reads> alone_;                    // of the one that had the turn
    std::map<std::uint32_t, std::size_t> decides_;  // by place
    const lang::Place* place_ = nullptr;
    bool ended_ = false, waits_ = false, in_vain_ = false;
    bool memory_changes_ = false,
         recurs_ = false;  // while they were watched; a state that comes back
};

// Whether the job ends, in a schedule of independent work-items that gives all of them turns.
bool ends_without_lockstep(const Job& job) {
    // Instructions of a run without lockstep, to see if that is all that holds one up; after more
    // that is not said.
    constexpr std::uint64_t kMostInTurns = 1'000'000;
    const auto asks = [](const Launch& launch) { return lang::depends_on_lanes(*launch.code); };
    if (job.config.lanes == 1 || any_of(job.launches, asks)) return false;
    Job independent = job;
    independent.config.lanes = 1;
    independent.budget = kMostInTurns;
    SchedulingPolicy order;
    order.kind = SchedulingPolicy::Kind::round_robin;
    Recording recording;
    recording.trace = recording.lineage = false;
    return !Run(std::move(independent), order, recording).fault();
}

}  // namespace

void explain_spin(Machine& machine, const State& state, Fault& fault) {
    const std::uint64_t budget = machine.budget();
    if (fault.what.empty() && state.steps <= budget) {
        const std::string item = machine.context(fault.launch).item_name(fault.item);
        fault.what = fmt::format(
            "Work-item {} has come to no load, store or barrier in {} "
            "instructions",
            item, kMostAlone);
        fault.phrases.what = {
            "fault.alone", {{"item", item}, {"count", std::to_string(kMostAlone)}}, {}};
    }
    if (fault.what.empty()) {
        fault.what = fmt::format("The kernel has not ended after {} instructions", budget);
        fault.phrases.what = {"fault.budget", {{"count", std::to_string(budget)}}, {}};
    }
    const bool unbegun = state.launch < machine.job().launches.size() &&
                         state.next_group < machine.context(state.launch).groups;
    Watcher watcher(machine, state, fault);
    watcher.look();
    machine.set_budget(budget);
    fault.phrases.why = watcher.report();
    for (const Phrase& line : fault.phrases.why)
        fault.why += (fault.why.empty() ? "" : "\n        ") + line.text;
    if (watcher.place() != nullptr) fault.place = *watcher.place();
    if (watcher.in_vain() && fault.kind == Fault::Kind::budget) fault.kind = Fault::Kind::deadlock;
    const bool room = unbegun && watcher.waits();
    fault.by_schedule = watcher.ended() || room;
    const bool lockstep =
        !watcher.ended() && !room && watcher.waits() && ends_without_lockstep(machine.job());
    if (watcher.ended())
        fault.phrases.hint = {
            "fault.turns.hint",
            {},
            "The text may be right: choose an order that gives everyone turns, as "
            "round-robin does, or raise --budget"};
    else if (room)
        fault.phrases.hint = {"fault.room.hint",
                              {},
                              "Groups that wait for each other must all run at once: fewer groups, "
                              "or a larger --resident"};
    else if (lockstep)
        fault.phrases.hint = {"fault.lockstep.hint",
                              {},
                              "The text may be right: lockstep holds back whom the loop waits for. "
                              "With --lanes 1 it ends"};
    else if (machine.context(fault.launch).code->is_cuda && machine.context(fault.launch).lanes > 1)
        fault.phrases.hint = {
            "fault.lanes.hint",
            {},
            "Fix the condition that the loop waits for. If it waits for a lane of "
            "its own warp: these keep step here, where CUDA gives each its turn "
            "(compute capability 7.0)"};
    else
        fault.phrases.hint = {"fault.budget.hint",
                              {},
                              "Fix the condition that the loop waits for, or raise --budget if it "
                              "was on its way"};
    fault.hint = std::exchange(fault.phrases.hint.text, {});
}

}  // namespace lab::machine
