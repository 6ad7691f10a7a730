#include "machine/run.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "machine/spin.h"

namespace lab::machine {
namespace {

// Accesses and actions between checkpoints: what state_at() has to do again at most. More where a
// state is large, so that the checkpoints take no more memory than several traces.
constexpr std::uint64_t kStride = 16'384;
constexpr std::uint64_t kBytesEach = 256;

constexpr std::size_t kTogether = 64;  // actions that observers are told of in one go

}  // namespace

Run::Run(Job job, Order order, const Recording& recording) {
    prepare(std::move(job), std::move(order), recording);
    go_on(UINT64_MAX);
}

std::unique_ptr<Run> Run::begun(Job job, Order order, const Recording& recording) {
    std::unique_ptr<Run> run(new Run());
    run->prepare(std::move(job), std::move(order), recording);
    return run;
}

void Run::prepare(Job job, Order order, const Recording& recording) {
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
                const Choice next = schedule.choose(end_);
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

void Run::notify(const Done& done, const Recording& recording) {
    std::size_t next = 0;
    for (const Done::PartDetail& each : done.details) {
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

void Run::tell_parts(const Done& done, std::size_t first, std::size_t end,
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
        std::uint64_t{last.group} * context.local + std::uint64_t{last.warp} * context.lanes,
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
    Done done;
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

Event Run::event(std::uint64_t time, std::size_t access) const {
    const Action& action = trace_.action(time);
    const Context& context = machine_->context(action.launch);
    Event result;
    result.time = time;
    result.launch = action.launch;
    result.group = action.group;
    result.warp = action.warp;
    result.pass = action.pass;
    result.epoch_local = action.epoch_local;
    result.epoch_global = action.epoch_global;
    result.kind = action.kind;
    result.type = action.type;
    result.object = action.object;
    result.place = action.place;
    std::uint64_t lanes = action.mask;
    const std::size_t each = std::max<std::size_t>(1, action.count);
    for (std::size_t skip = access / each; skip > 0; --skip)
        lanes &= lanes - 1;
    result.lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    result.item = std::uint64_t{action.group} * context.local +
                  std::uint64_t{action.warp} * context.lanes + result.lane;
    const std::span<const Access> all = trace_.accesses(action);
    if (access < all.size()) {
        result.index = all[access].index;
        result.before = all[access].before;
        result.after = all[access].after;
        result.node = all[access].node;
    }
    return result;
}

}  // namespace lab::machine
