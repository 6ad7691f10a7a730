#include "session/race/race_desk.h"

#include <algorithm>

#include "results/request.h"
#include "session/race/race.h"
#include "session/shell/answer_handler.h"
#include "session/shell/cancelled.h"
#include "session/step/machine_run.h"

namespace lab::session {
namespace {

using std::chrono::seconds;

constexpr auto kSearchLimit = seconds(300), kTrialsLimit = seconds(300);
// A class waits for an answer: what is not found in so many states is looked for by chance.
constexpr std::uint64_t kMostStates = 500'000;

std::chrono::milliseconds pause(double per_second) {
    return std::chrono::milliseconds(static_cast<int>(1000 / per_second));
}

}  // namespace

RaceDesk::RaceDesk(worker::Client::Options worker, const catalogue::Catalogue& catalogue)
    : catalogue_(catalogue), searcher_(worker), trier_(std::move(worker)) {}
RaceDesk::~RaceDesk() = default;

void RaceDesk::show(const Choice& choice) {
    if (shown_ == choice) return;
    const bool same = shown_ && same_but_order(*shown_, choice);
    const bool edited = shown_ && file_of(choice) != "" && file_of(*shown_) == file_of(choice);
    shown_ = choice;
    playing_ = false;
    problem_.reset();
    try {
        // Where it throws, the last one stays.
        race_ = std::make_unique<Race>(subject_of(choice, catalogue_));
        picked_ = 0;
    } catch (const Problem& problem) {
        problem_ = problem;
        // A mistake while one types does not take the last good run away.
        if (!same && !edited) race_.reset();
    }
    if (same) return;
    found_.reset();
    cancel_trials();
    trials_ = {};
    searcher_.cancel(outcomes_ticket_);
    outcomes_ = {};
    if (race_ && !problem_) ask_outcomes();
}

void RaceDesk::ask_outcomes() {
    nlohmann::json asked{{"variant", shown_->variant},
                         {"shape", shown_->shape},
                         {"machine", shown_->machine},
                         {"states", kMostStates}};
    if (shown_->own) asked["own"] = *shown_->own;
    add_opened(asked, *shown_);
    states_ = 0;
    outcomes_.problem.reset();
    outcomes_.waiting = true;
    worker::Handler handle = handler(outcomes_);
    handle.progress = [this](const nlohmann::json& told) {
        states_ = told.value("states", states_);
    };
    outcomes_ticket_ =
        searcher_.send("outcomes", std::move(asked), std::move(handle), kSearchLimit);
}

std::size_t RaceDesk::picked() const {
    const std::size_t count = race_ ? race_->ready().size() : 0;
    return count == 0 ? 0 : std::min(picked_, count - 1);
}

void RaceDesk::act(std::uint32_t group, std::uint32_t warp) {
    if (!race_) return;
    playing_ = false;
    try {
        race_->act(group, warp);
        problem_.reset();
    } catch (const Problem& problem) {
        problem_ = problem;
    }
}

void RaceDesk::act_nth(std::size_t place) {
    if (!race_ || place >= race_->ready().size()) return;
    picked_ = place;
    const analysis::WarpView& warp = *race_->ready()[place];
    act(warp.group, warp.warp);
}

void RaceDesk::pick(int by) {
    const std::size_t count = race_ ? race_->ready().size() : 0;
    if (count == 0) return;
    const auto now = static_cast<std::ptrdiff_t>(picked()) + by;
    const auto size = static_cast<std::ptrdiff_t>(count);
    picked_ = static_cast<std::size_t>((now % size + size) % size);
}

void RaceDesk::go_to(std::uint64_t actions) {
    if (race_) race_->go_to(actions);
}

// The next in a row that begins anew with each start of the app: a class that presses the key sees
// one schedule after another.
void RaceDesk::act_by_chance() {
    if (!race_ || race_->ready().empty()) return;
    chance_ = chance_ * 6364136223846793005U + 1442695040888963407U;
    act_nth((chance_ >> 33U) % race_->ready().size());
}

void RaceDesk::play(bool on) {
    playing_ = on && race_ != nullptr && race_->length() > 0;
    if (!playing_) return;
    if (race_->at_end()) race_->go_to(0);
    next_ = Clock::now() + pause(actions_per_second_);
}

void RaceDesk::replay(std::size_t result) {
    if (!race_ || !outcomes_.answer || result >= outcomes_.answer->results.size()) return;
    try {
        const analysis::PossibleResult& chosen = outcomes_.answer->results[result];
        race_->allow(chosen.instructions);
        race_->replace(chosen.turns);
        found_ = result;
        play(true);
    } catch (const Problem& problem) {
        problem_ = problem;
    }
}

void RaceDesk::find_wrong() {
    if (!outcomes_.answer) return;
    const std::vector<analysis::PossibleResult>& results = outcomes_.answer->results;
    const std::size_t after = found_ ? *found_ + 1 : 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const std::size_t at = (after + i) % results.size();
        if (results[at].fault || results[at].ending.right == false) {
            replay(at);
            return;
        }
    }
}

void RaceDesk::set_turns(const std::string& turns, std::uint64_t cursor) {
    if (!race_) return;
    try {
        race_->replace(machine::parse_turns(turns, "turns"));
        race_->go_to(cursor);
    } catch (const Problem& problem) {
        problem_ = problem;
    }
}

void RaceDesk::run_trials(std::uint64_t count) {
    if (trials_.waiting || !shown_ || shown_->own) return;
    results::TrialsRequest request;
    request.variant = shown_->variant;
    request.shape = shown_->shape;
    request.count = count;
    trials_.waiting = true;
    worker::Handler handle = handler(trials_);
    handle.progress = [this](const nlohmann::json& told) {
        trials_.answer = told.get<results::Trials>();
    };
    nlohmann::json asked = request;
    add_opened(asked, *shown_);
    trials_ticket_ = trier_.send("trials", std::move(asked), std::move(handle), kTrialsLimit);
}

void RaceDesk::cancel_search() {
    if (!outcomes_.waiting) return;
    searcher_.cancel(outcomes_ticket_);
    outcomes_.waiting = false;
    outcomes_.problem = search_cancelled();
}

void RaceDesk::search_again() {
    if (race_ && !problem_ && outcomes_.problem && !outcomes_.waiting) ask_outcomes();
}

void RaceDesk::cancel_trials() {
    if (!trials_.waiting) return;
    trier_.cancel(trials_ticket_);
    trials_.waiting = false;
}

void RaceDesk::poll() {
    searcher_.poll();
    trier_.poll();
    if (!playing_ || Clock::now() < next_) return;
    if (race_) race_->go_to(race_->cursor() + 1);
    playing_ = race_ && !race_->at_end();
    next_ += pause(actions_per_second_);
}

std::optional<Clock::time_point> RaceDesk::next_move() const {
    if (playing_) return next_;
    return std::nullopt;
}

}  // namespace lab::session
