// What the race view works with: the run that a person schedules, every result that there is, found
// by the worker, and what the real device makes of the kernel.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "results/report.h"
#include "session/shell/asked.h"
#include "session/shell/settings.h"
#include "worker/client.h"

namespace lab::session {

class Race;

class RaceDesk {
  public:
    RaceDesk(worker::Client::Options worker, const catalogue::Catalogue& catalogue);
    ~RaceDesk();

    // The chosen kernel from its start; what is there already stays. `trials` of another choice go.
    void show(const Choice& choice);

    const Race* race() const { return race_.get(); }  // nothing: it cannot be run so
    const std::optional<Problem>& problem() const { return problem_; }  // why there is none, or …
    const Asked<analysis::Outcomes>& outcomes() const { return outcomes_; }
    std::uint64_t states() const { return states_; }  // searched so far, while it is under way
    const Asked<results::Trials>& trials() const { return trials_; }
    bool playing() const { return playing_; }
    double actions_per_second() const { return actions_per_second_; }
    // The ready warp that the keys are on: a place in race()->ready().
    std::size_t picked() const;
    // The result that was looked for last: a place in outcomes().answer->results.
    std::optional<std::size_t> found() const { return found_; }

    WorkerProcess search_worker() const { return {searcher_.process(), searcher_.starts()}; }
    WorkerProcess trial_worker() const { return {trier_.process(), trier_.starts()}; }

    void act(std::uint32_t group, std::uint32_t warp);
    void act_nth(std::size_t place);  // of race()->ready()
    void pick(int by);                // the next ready warp, or the one before
    void go_to(std::uint64_t actions);
    void act_by_chance();
    void play(bool on);
    void set_speed(double actions_per_second) { actions_per_second_ = actions_per_second; }
    // From the start along the schedule of one of the results, playing.
    void replay(std::size_t result);
    void find_wrong();  // the next result that is not right, round and round
    void set_turns(const std::string& turns, std::uint64_t cursor);  // as the state file has them
    void run_trials(std::uint64_t count);
    void cancel_trials();
    void cancel_search();  // for the results; what can be scheduled stays
    void search_again();   // where the last search failed, or was cancelled

    void poll();
    std::optional<Clock::time_point> next_move() const;

  private:
    void ask_outcomes();

    const catalogue::Catalogue& catalogue_;
    std::optional<Choice> shown_;
    std::unique_ptr<Race> race_;
    std::optional<Problem> problem_;
    Asked<analysis::Outcomes> outcomes_;
    std::uint64_t states_ = 0;
    Asked<results::Trials> trials_;
    std::optional<std::size_t> found_;
    std::size_t picked_ = 0;
    bool playing_ = false;
    double actions_per_second_ = 2;
    Clock::time_point next_;
    std::uint64_t chance_ = 0;
    worker::Ticket outcomes_ticket_ = 0, trials_ticket_ = 0;
    worker::Client searcher_, trier_;
};

}  // namespace lab::session
