#include "session/race/race.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab::session {
namespace {

// Instructions of warps for each work-item: enough for what a class schedules by hand, and little
// enough that a spin which never ends is told at once.
constexpr std::uint64_t kBudgetEach = 2'000, kBudget = 100'000;

std::uint64_t budget_of(const machine::Job& job) {
    std::uint64_t items = 0;
    for (const machine::Launch& launch : job.launches)
        items += launch.range.items();
    return kBudget + kBudgetEach * items;
}

}  // namespace

Race::Race(simulation::Subject subject) : subject_(std::move(subject)) {
    ready_ = simulation::ready_for(subject_);
    for (const machine::Launch& launch : ready_.job.launches)
        if (launch.range.items() > simulation::kMostRaceItems)
            throw Problem(
                fmt::format("{} work-items are too many to schedule by hand", launch.range.items()),
                fmt::format("The race view takes up to {}", simulation::kMostRaceItems),
                "Choose a smaller n: what races with thousands races with dozens", "--n");
    if (ready_.job.launches.empty())
        throw Problem("There is nothing to schedule", "Nothing is launched for no elements",
                      "Choose at least one element", "--n");
    ready_.job.budget = budget_of(ready_.job);
    for_these_numbers_ = analysis::for_these_numbers(ready_.job);
    others_ = analysis::hazards_elsewhere(ready_.job, subject_.machine.order);
    play(subject_.machine.order);
}

void Race::play(machine::Order order) {
    analysis::RaceDetector detector;
    machine::Recording recording;
    recording.most_events = 1'000'000;
    recording.observers.push_back(&detector);
    auto run = std::make_unique<machine::Run>(ready_.job, std::move(order), recording);
    std::vector<analysis::ScheduleHazards> found{{"", hazards_of(*run, detector)}};
    found.insert(found.end(), others_.begin(), others_.end());
    hazards_ = merged(found, analysis::ExampleFrom::first_schedule);
    timeline_ = analysis::timeline_of(*run);
    fault_.reset();
    ending_.reset();
    if (run->fault())
        fault_ = run->problem(*run->fault());
    else
        ending_ = ready_.ending(run->machine(), run->end());
    run_ = std::move(run);
    cursor_ = whole(cursor_);
    look();
}

// The next time at which no instruction is half done: one that touches several arrays is several
// actions of the trace.
std::uint64_t Race::whole(std::uint64_t time) const {
    time = std::min(time, length());
    while (time < length() && run_->trace().continues(time))
        ++time;
    return time;
}

analysis::Names Race::linked(const analysis::Referent& referent) const {
    analysis::Names names;
    if (!run_) return names;
    const analysis::LinkedActions actions{*run_, 0, cursor_};
    analysis::add_links(actions, referent, names);
    analysis::add_next_links(state_view_, referent, names);
    analysis::add_race_links(actions, hazards_, referent, names);
    return names;
}

std::vector<analysis::VariableRow> Race::variables(const analysis::WarpView& warp) const {
    const machine::State state = run_->state_at(cursor_);
    const auto slot = machine::slot_of(state, warp.group);
    if (!slot) return {};
    return analysis::variables_of(run_->machine(), state, *slot, warp.warp);
}

bool Race::never_ends() const {
    return run_->fault() && run_->fault()->kind == machine::Fault::Kind::deadlock;
}

void Race::look() {
    state_view_ = analysis::state_view_of(*run_, cursor_);
    ready_warps_.clear();
    for (const analysis::WarpView& warp : state_view_.warps)
        if (warp.status == machine::Status::ready) ready_warps_.push_back(&warp);
    static std::uint64_t last = 0;  // no two races share one: pictures are kept by it
    version_ = ++last;
}

bool Race::act(std::uint32_t group, std::uint32_t warp) {
    const bool known = std::any_of(
        ready_warps_.begin(), ready_warps_.end(),
        [&](const analysis::WarpView* view) { return view->group == group && view->warp == warp; });
    if (!known) return false;
    if (cursor_ < length()) {
        const machine::Action& next = run_->trace().action(cursor_);
        if (next.group == group && next.warp == warp) {
            go_to(cursor_ + 1);
            return true;
        }
    }
    machine::Order order;
    order.kind = machine::Order::Kind::list;
    order.turns = turns();
    order.turns.push_back({group, warp, 1, 0});
    ++cursor_;
    play(std::move(order));
    return true;
}

void Race::go_to(std::uint64_t actions) {
    // Back from the middle of an instruction is to its start.
    std::uint64_t time = std::min(actions, length());
    if (time < cursor_)
        while (time > 0 && time < length() && run_->trace().continues(time))
            --time;
    time = whole(time);
    if (time == cursor_) return;
    cursor_ = time;
    look();
}

void Race::allow(std::uint64_t instructions) {
    ready_.job.budget = std::max(ready_.job.budget, instructions);
}

void Race::replace(std::vector<machine::Turn> turns) {
    machine::Order order;
    order.kind = machine::Order::Kind::list;
    order.turns = std::move(turns);
    const std::uint64_t before = std::exchange(cursor_, 0);
    try {
        play(std::move(order));
    } catch (const Problem&) {
        cursor_ = before;
        throw;
    }
}

std::vector<machine::Turn> Race::turns_until(std::uint64_t time) const {
    std::vector<machine::Turn> turns;
    for (std::uint64_t index = 0; index < time; ++index) {
        if (run_->trace().continues(index)) continue;
        const machine::Action& action = run_->trace().action(index);
        if (!turns.empty() && turns.back().group == action.group &&
            turns.back().warp == action.warp)
            ++turns.back().count;
        else
            turns.push_back({action.group, action.warp, 1, 0});
    }
    return turns;
}

std::string text_of_turns(const std::vector<machine::Turn>& turns) {
    std::string text = machine::text_of(turns);
    std::replace(text.begin(), text.end(), '\n', ' ');
    while (!text.empty() && text.back() == ' ')
        text.pop_back();
    return text;
}

}  // namespace lab::session
