#include "views/race/race.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/machine_run.h"
#include "base/ranges.h"
#include "session/session.h"
#include "views/step/step.h"

namespace lab::session {
namespace {

using std::chrono::seconds;

constexpr auto kSearchLimit = seconds(300), kTrialsLimit = seconds(300);
// A class waits for an answer. States of a search in the race view; more leave it INCOMPLETE, and
// random runs follow.
constexpr std::uint64_t kMostStates = 500'000;
constexpr std::size_t kMostUndone = 200;  // moves that can be undone; the oldest is forgotten
constexpr std::uint32_t kDelaySeed = 1;

bool gives(const Race& race, const analysis::PossibleResult& result) {
    if (result.never_ends) return race.never_ends();
    if (result.fault) return race.fault() && !race.never_ends();
    return race.ending() && race.ending()->result == result.ending.result;
}

bool is_wrong(const analysis::PossibleResult& result) {
    return result.fault || result.ending.right == false;
}

}  // namespace

RaceView::RaceView(Session& session)
    : View(session), searcher_(session.worker_options()), trier_(session.worker_options()) {}

void RaceView::start() {
    const bool failed = now.outcomes.problem && !now.outcomes.waiting;
    if (session_.shows<RaceView>() && now.race && !problem && failed) ask_outcomes();
}

void RaceView::shown() {
    if (!session_.shows<RaceView>()) return;
    begin(session_.settings().choice);
    session_.view<StepView>().run_other();
}

// Twice as fast as passes: one action is seen sooner.
std::chrono::milliseconds RaceView::pause() const {
    const double per_second = 2 * session_.view<StepView>().passes_per_second;
    return std::chrono::milliseconds(static_cast<int>(1000 / per_second));
}

void RaceView::begin(const RunChoice& choice) {
    if (now.begun == choice) return;
    const bool same = now.begun && same_but_order(*now.begun, choice);
    const bool edited =
        now.begun && file_of(choice) != "" && file_of(*now.begun) == file_of(choice);
    const bool mends = std::exchange(opens_copy_, false) || (edited && kept);
    if (!mends) kept.reset();
    if (!mends && !same && !edited && come_back(choice)) return;
    now.begun = choice;
    play(false);
    problem.reset();
    try {
        // Where it throws, the last one stays.
        replaced_ =
            std::exchange(now.race, std::make_unique<Race>(spec_of(choice, session_.catalogue())));
        now.past.clear();
        now.future.clear();
        now.picked = 0;
        now.hand_turns = 0;
        if (mends) follow_kept();
    } catch (const Problem& thrown) {
        problem = thrown;
        // A mistake while one types does not take the last good run away.
        if (!same && !edited) replaced_ = std::move(now.race);
    }
    if (same) return;
    now.found.reset();
    now.reached.clear();
    now.shows_all = false;
    cancel_trials();
    now.trials = {};
    searcher_.cancel(outcomes_ticket_);
    now.outcomes = {};
    if (now.race && !problem) ask_outcomes();
}

// Keeps what is left, as far as it is known; whether `choice` is the one that was left before.
bool RaceView::come_back(const RunChoice& choice) {
    std::optional<OfChoice> before = std::exchange(left_, std::nullopt);
    if (now.begun && now.race && !problem && now.outcomes.answer && !now.trials.waiting)
        left_ = std::move(now);
    if (!before || before->begun != choice) return false;
    cancel_trials();
    searcher_.cancel(outcomes_ticket_);
    replaced_ = std::move(now.race);
    now = std::move(*before);
    play(false);
    problem.reset();
    return true;
}

void RaceView::ask_outcomes() {
    nlohmann::json asked = *now.begun;
    asked["states"] = kMostStates;
    states = 0;
    now.outcomes.problem.reset();
    worker::Handler handle = handler(now.outcomes);
    handle.progress = [this](const nlohmann::json& progress) {
        states = progress.value("states", states);
    };
    outcomes_ticket_ =
        searcher_.send("outcomes", std::move(asked), std::move(handle), kSearchLimit);
}

std::size_t RaceView::picked() const {
    const std::size_t count = now.race ? now.race->ready().size() : 0;
    return count == 0 ? 0 : std::min(now.picked, count - 1);
}

void RaceView::act(std::uint32_t group, std::uint32_t warp) {
    if (!now.race) return;
    play(false);
    record();
    if (now.race->cursor() == 0) {
        now.found.reset();
        now.hand_turns = 0;
    }
    problem = thrown_by([&] {
        now.race->act(group, warp);
        if (now.hand_turns) now.hand_turns = now.race->turns().size();
    });
}

void RaceView::act_nth(std::size_t place) {
    if (!now.race || place >= now.race->ready().size()) return;
    now.picked = place;
    const analysis::WarpView& warp = *now.race->ready()[place];
    act(warp.group, warp.warp);
}

void RaceView::pick(int by) {
    const std::size_t count = now.race ? now.race->ready().size() : 0;
    if (count == 0) return;
    const auto to = static_cast<std::ptrdiff_t>(picked()) + by;
    const auto size = static_cast<std::ptrdiff_t>(count);
    now.picked = static_cast<std::size_t>((to % size + size) % size);
}

void RaceView::mend() {
    if (!now.race) return;
    kept = Kept{now.race->turns(), now.race->at_end()};
    side = "text";
    if (session_.kernels.editor.is_open()) return;
    opens_copy_ = true;
    copy_variant(session_, false);
    opens_copy_ = false;
}

void RaceView::follow_kept() {
    now.hand_turns.reset();
    for (const machine::ScheduleSlice& turn : kept->turns) {
        const std::uint64_t end = now.race->cursor() + turn.count;
        while (now.race->cursor() < end)
            if (!now.race->act(turn.group, turn.warp))
                return session_.notices.say(
                    session_.words()("race.mend_stops", fmt::arg("k", now.race->cursor())));
    }
    if (kept->to_end) now.race->go_to(now.race->length());
}

void RaceView::record() {
    kept.reset();
    now.future.clear();
    now.past.push_back({now.race->all_turns(), now.race->cursor(), Clock::now()});
    if (now.past.size() > kMostUndone) now.past.erase(now.past.begin());
}

void RaceView::exchange(std::vector<Scheduled>& from, std::vector<Scheduled>& to) {
    if (!now.race || from.empty()) return;
    play(false);
    now.found.reset();
    Scheduled change = std::move(from.back());
    from.pop_back();
    to.push_back({now.race->all_turns(), now.race->cursor(), change.changed});
    problem = thrown_by([&] {
        now.race->replace(std::move(change.turns));
        now.race->go_to(change.cursor);
    });
}

// The next in a row that begins again with each start of the app: a class that presses the key sees
// one schedule after another.
void RaceView::act_at_random() {
    if (!now.race || now.race->ready().empty()) return;
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;
    act_nth((random_ >> 33U) % now.race->ready().size());
    now.hand_turns.reset();
}

void RaceView::replay(std::size_t result) {
    if (!now.race || !now.outcomes.answer || result >= now.outcomes.answer->results.size()) return;
    try {
        const analysis::PossibleResult& chosen = now.outcomes.answer->results[result];
        record();
        now.race->allow(chosen.instructions);
        now.race->replace(chosen.turns);
        now.hand_turns.reset();
        now.found = result;
        play(true);
    } catch (const Problem& thrown) {
        problem = thrown;
    }
}

void RaceView::find_wrong() {
    if (!now.outcomes.answer) return;
    const std::vector<analysis::PossibleResult>& results = now.outcomes.answer->results;
    const std::size_t after = now.found ? *now.found + 1 : challenge().place;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const std::size_t place = (after + i) % results.size();
        if (is_wrong(results[place])) return replay(place);
    }
}

bool RaceView::hides(const analysis::WarpView& warp) const {
    const bool revealed =
        revealed_version_ == now.race->version() && revealed_.contains({warp.group, warp.warp});
    return predicts && !revealed;
}

void RaceView::reveal(const analysis::WarpView& warp) {
    if (revealed_version_ != now.race->version()) revealed_.clear();
    revealed_version_ = now.race->version();
    revealed_.insert({warp.group, warp.warp});
}

void RaceView::set_turns(const std::string& turns, std::uint64_t cursor) {
    if (!now.race) return;
    if (const auto thrown = thrown_by([&] {
            now.race->replace(machine::parse_turns(turns, "turns"));
            now.hand_turns.reset();
            now.race->go_to(cursor);
        }))
        problem = thrown;
}

void RaceView::run_trials(std::uint64_t count) {
    if (now.trials.waiting || !now.begun) return;
    nlohmann::json asked = *now.begun;
    asked["count"] = count;
    if (delays) asked["delays"] = kDelaySeed;
    worker::Handler handle = handler(now.trials);
    handle.progress = [this](const nlohmann::json& progress) {
        now.trials.answer = progress.get<results::Trials>();
    };
    trials_ticket_ = trier_.send("trials", std::move(asked), std::move(handle), kTrialsLimit);
}

void RaceView::cancel_search() {
    if (!now.outcomes.waiting) return;
    searcher_.cancel(outcomes_ticket_);
    now.outcomes.waiting = false;
    now.outcomes.problem = analysis::search_cancelled();
}

bool RaceView::can_cancel() const {
    return busy() || session_.view<StepView>().recorder.recorded.waiting;
}

void RaceView::cancel() {
    DeviceRecorder& recorder = session_.view<StepView>().recorder;
    if (now.trials.waiting)
        cancel_trials();
    else if (recorder.recorded.waiting)
        recorder.cancel();
    else
        cancel_search();
}

void RaceView::cancel_trials() {
    if (!now.trials.waiting) return;
    trier_.cancel(trials_ticket_);
    now.trials.waiting = false;
}

std::optional<std::size_t> RaceView::ended_in() const {
    if (!now.race || !now.race->at_end() || !now.outcomes.answer) return std::nullopt;
    const auto& results = now.outcomes.answer->results;
    const auto* found =
        find_if(results, [&](const auto& result) { return gives(*now.race, result); });
    if (found == nullptr) return std::nullopt;
    return static_cast<std::size_t>(found - results.data());
}

std::string RaceView::recorded() const {
    if (!now.race || !now.race->follows_order()) return {};
    return analysis::recorded_in(now.begun->machine.order);
}

void RaceView::note_end() {
    const auto place = ended_in();
    if (!place) return;
    Reached& reached = now.reached[*place];
    if (!now.hand_turns || *now.hand_turns == 0) return;
    reached.turns = reached.by_hand ? std::min(reached.turns, *now.hand_turns) : *now.hand_turns;
    reached.by_hand = true;
    if (solved() && !now.begun->user_kernel) session_.note_solved(now.begun->variant);
}

// A hang is rarer than a wrong result; of several wrong ones the one that takes most turns.
Challenge RaceView::challenge() const {
    Challenge challenge;
    if (!now.outcomes.answer) return challenge;
    const auto& results = now.outcomes.answer->results;
    const std::size_t wrong = count_if(results, [](const analysis::PossibleResult& each) {
        return is_wrong(each) && !each.never_ends && each.instructions == 0;
    });
    for (std::size_t place = 0; place < results.size(); ++place) {
        if (results[place].never_ends) return {Challenge::Kind::hang, place};
        // Longer than a person schedules: it ends only because somebody gives up waiting.
        if (results[place].instructions > 0) continue;
        if (is_wrong(results[place]))
            challenge = {wrong == 1 ? Challenge::Kind::go_wrong : Challenge::Kind::result, place};
    }
    return challenge;
}

bool RaceView::cannot_end() const {
    const auto& all = now.outcomes.answer;
    return now.race && now.race->never_ends() && all && all->complete &&
           all_of(all->results, [](const analysis::PossibleResult& each) {
               return each.never_ends || each.instructions > 0;
           });
}

bool RaceView::solved() const {
    const Challenge asked = challenge();
    const auto found = now.reached.find(asked.place);
    return asked.kind != Challenge::Kind::none && found != now.reached.end() &&
           found->second.by_hand;
}

void RaceView::poll() {
    replaced_.reset();
    searcher_.poll();
    trier_.poll();
    note_end();
}

std::vector<PlacedProblem> RaceView::problems() const {
    return placed(
        {{"race", problem}, {"outcomes", now.outcomes.problem}, {"trials", now.trials.problem}});
}

ExportOffer RaceView::export_offer() const {
    static constexpr std::array kPicture{".svg", ".png", ".pdf"};
    const std::string name = chosen_name(session_.settings().choice) + "-turns";
    if (!now.race) return {name};
    return {name, kPicture};
}

// Instructions of warps for each work-item: enough for what a class schedules by hand, and little
// enough that a spin which never ends is told at once.
constexpr std::uint64_t kBudgetEach = 2'000, kBudget = 100'000;

static std::uint64_t budget_of(const machine::Job& job) {
    const auto items = [](const machine::Launch& launch) { return launch.range.items(); };
    return kBudget + kBudgetEach * sum_of(job.launches, items);
}

Race::Race(analysis::RunSpec spec) : spec_(std::move(spec)), job_(job_of(spec_)) {
    for (const machine::Launch& launch : job_.launches)
        if (launch.range.items() > analysis::kMostRaceItems)
            throw Problem(
                fmt::format("{} work-items are too many to schedule by hand", launch.range.items()),
                fmt::format("The race view takes up to {}", analysis::kMostRaceItems),
                "Choose a smaller n: what races with thousands races with dozens", "--n");
    if (job_.launches.empty())
        throw Problem("There is nothing to schedule", "Nothing is launched for no elements",
                      "Choose at least one element", "--n");
    job_.budget = budget_of(job_);
    others_ = analysis::hazards_elsewhere(job_, spec_.machine.order);
    play(spec_.machine.order);
}

void Race::play(machine::SchedulingPolicy order) {
    analysis::RaceDetector detector;
    machine::Recording recording;
    recording.most_events = 1'000'000;
    recording.observers.push_back(&detector);
    auto run = std::make_unique<machine::Run>(job_, std::move(order), recording);
    const analysis::ShownRows shown(*run);
    std::vector<analysis::ScheduleHazards> found{{"", hazards_of(*run, detector, &shown)}};
    found.insert(found.end(), others_.begin(), others_.end());
    hazards_ = merged(found, analysis::ExampleFrom::first_schedule);
    caveats_ = caveats_of(job_, detector);
    timeline_ = analysis::timeline_of(*run);
    fault_.reset();
    ending_.reset();
    if (run->fault())
        fault_ = run->problem(*run->fault());
    else
        ending_ = analysis::ending_of(job_)(run->machine(), run->end());
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

analysis::Names Race::linked(const analysis::HighlightTarget& referent) const {
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

void Race::look() {
    state_view_ = analysis::state_view_of(*run_, cursor_);
    ready_warps_.clear();
    for (const analysis::WarpView& warp : state_view_.warps)
        if (warp.status == machine::Status::ready) ready_warps_.push_back(&warp);
    static std::uint64_t last = 0;  // no two races share one: pictures are kept by it
    version_ = ++last;
}

bool Race::act(std::uint32_t group, std::uint32_t warp) {
    if (none_of(ready_warps_, [&](const analysis::WarpView* view) {
            return view->group == group && view->warp == warp;
        }))
        return false;
    if (cursor_ < length()) {
        const machine::Action& next = run_->trace().action(cursor_);
        if (next.group == group && next.warp == warp) {
            go_to(cursor_ + 1);
            return true;
        }
    }
    machine::SchedulingPolicy order;
    order.kind = machine::SchedulingPolicy::Kind::list;
    order.turns = turns();
    order.turns.push_back({group, warp, 1, 0});
    follows_order_ = false;
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

void Race::replace(std::vector<machine::ScheduleSlice> turns) {
    machine::SchedulingPolicy order;
    order.kind = machine::SchedulingPolicy::Kind::list;
    order.turns = std::move(turns);
    const std::uint64_t before = std::exchange(cursor_, 0);
    const std::vector<machine::ScheduleSlice> turns_before = all_turns();
    try {
        play(std::move(order));
        follows_order_ = follows_order_ && all_turns() == turns_before;
    } catch (const Problem&) {
        cursor_ = before;
        throw;
    }
}

std::vector<machine::ScheduleSlice> Race::turns_until(std::uint64_t time) const {
    return machine::turns_of(run_->trace(), time);
}

}  // namespace lab::session
