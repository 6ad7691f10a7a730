// What the race view works with: the run that a person schedules, every result that there is, found
// by the worker, and what the real device makes of the kernel.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "machine/schedule.h"
#include "results/report.h"
#include "session/shell/asked.h"
#include "session/shell/view.h"
#include "worker/client.h"

namespace lab::session {

class Race;

// What the class is asked to bring about; of the results that there are.
struct Challenge {
    enum class Kind : std::uint8_t { none, go_wrong, result, hang };
    Kind kind = Kind::none;
    std::size_t place = 0;  // of the result that is asked for, in the outcomes
};

// A result that a schedule has ended in.
struct Reached {
    bool by_hand = false;   // some turns were chosen, and none was looked up
    std::size_t turns = 0;  // chosen, of the shortest such schedule
};

class RaceView : public View, public Walk {
  public:
    explicit RaceView(Session& session);
    ~RaceView() override;

    const Race* race() const { return race_.get(); }  // empty: it cannot be run so
    const std::optional<Problem>& problem() const { return problem_; }  // why there is none, or …
    const Asked<analysis::Outcomes>& outcomes() const { return outcomes_; }
    std::uint64_t states() const { return states_; }  // searched so far, while it is under way
    const Asked<results::Trials>& trials() const { return trials_; }
    // The ready warp that the keys are on: a place in race()->ready().
    std::size_t picked() const;
    // The result that was looked for last: a place in outcomes().answer->results.
    std::optional<std::size_t> found() const { return found_; }

    // Results are hidden until a schedule ended in them, or they are asked for.
    const std::map<std::size_t, Reached>& reached() const { return reached_; }  // by place
    bool shows_all() const { return shows_all_; }
    void show_all(bool on) { shows_all_ = on; }
    Challenge challenge() const;
    // Whatever the order: every schedule waits in vain, and there is nothing to choose.
    bool cannot_end() const;
    bool solved() const;  // since this kernel was chosen
    // The result that the whole schedule ends in, once its end is shown: a place in the outcomes.
    std::optional<std::size_t> ended_in() const;
    // Turns chosen by hand from the start to the last choice; empty: others were looked up.
    std::optional<std::size_t> turns_by_hand() const { return hand_turns_; }

    WorkerProcess search_worker() const { return {searcher_.process(), searcher_.starts()}; }
    WorkerProcess trial_worker() const { return {trier_.process(), trier_.starts()}; }

    void act(std::uint32_t group, std::uint32_t warp);
    void act_nth(std::size_t place);  // of race()->ready()
    void pick(int by);                // the next ready warp, or the one before
    void act_at_random();
    // From the start along the schedule of one of the results, playing.
    void replay(std::size_t result);
    // Opens a copy of the kernel to be edited; after each edit the schedule as it is now is played
    // again, as far as the edited kernel can follow it, until other turns are chosen.
    void mend();
    bool mending() const { return kept_.has_value(); }
    // The open tab beside the schedule.
    const std::string& side() const { return side_; }
    void show_side(std::string tab) { side_ = std::move(tab); }
    void find_wrong();  // the next result that is not right, round and round
    void set_turns(const std::string& turns, std::uint64_t cursor);  // as the state file has them
    // Whether the next trials run it once more each time, with waits before some accesses.
    bool delays() const { return delays_; }
    void set_delays(bool on) { delays_ = on; }
    void run_trials(std::uint64_t count);
    void cancel_trials();
    void cancel_search();  // for the results; what can be scheduled stays

    // Walk
    std::size_t position() const override;
    std::size_t last_position() const override;
    void go_to(std::size_t actions) override;
    bool playing() const override { return playing_; }
    void play(bool on) override;

    // View
    void start() override;  // searches again where the last search failed, or was cancelled
    void choice_changed() override { shown(); }
    void shown() override;
    void poll() override;
    bool busy() const override { return outcomes_.waiting || trials_.waiting; }
    std::optional<Clock::time_point> next_move() const override;
    std::vector<PlacedProblem> problems() const override;
    bool can_cancel() const override;
    void cancel() override;
    using View::walk;
    const Walk* walk() const override { return this; }
    std::optional<Clock::time_point> undoable() const override { return made(past_); }
    std::optional<Clock::time_point> redoable() const override { return made(future_); }
    void undo() override { exchange(past_, future_); }
    void redo() override { exchange(future_, past_); }
    ExportOffer export_offer() const override;
    analysis::Names linked(const analysis::Referent& referent) const override;
    std::uint64_t links_version() const override;

  private:
    // A schedule, how far it was gone, and when it was changed into another one.
    struct Scheduled {
        std::vector<machine::Turn> turns;
        std::uint64_t cursor = 0;
        Clock::time_point changed{};
    };
    static std::optional<Clock::time_point> made(const std::vector<Scheduled>& changes) {
        return changes.empty() ? std::nullopt : std::optional(changes.back().changed);
    }
    void record();  // before a change of the schedule
    void exchange(std::vector<Scheduled>& from, std::vector<Scheduled>& to);
    // The chosen kernel from its start; what is there already stays. `trials` of another choice go.
    void begin(const Choice& choice);
    Clock::duration pause() const;
    void ask_outcomes();

    void note_end();
    void follow_kept();

    // The schedule and what was found of the choice before this one: coming back, as by the toggle,
    // is to where one was.
    struct Left {
        Choice of;
        std::unique_ptr<Race> race;
        std::vector<Scheduled> past, future;
        Asked<analysis::Outcomes> outcomes;
        Asked<results::Trials> trials;
        std::optional<std::size_t> found;
        std::map<std::size_t, Reached> reached;
        bool shows_all = false;
        std::optional<std::size_t> hand_turns;
        std::size_t picked = 0;
    };
    bool come_back(const Choice& choice);
    std::optional<Left> left_;

    std::optional<Choice> begun_;  // the choice that all of this is of
    std::unique_ptr<Race> race_;
    std::vector<Scheduled> past_, future_;
    std::optional<Problem> problem_;
    Asked<analysis::Outcomes> outcomes_;
    std::uint64_t states_ = 0;
    Asked<results::Trials> trials_;
    bool delays_ = false;
    std::optional<std::size_t> found_;
    std::map<std::size_t, Reached> reached_;
    bool shows_all_ = false;
    std::optional<std::size_t> hand_turns_ = 0;
    // The schedule that edits are tried with, and whether its end was shown.
    struct Kept {
        std::vector<machine::Turn> turns;
        bool to_end = false;
    };
    std::optional<Kept> kept_;
    bool opens_copy_ = false;  // the next choice is the copy that is to be mended
    std::string side_ = "results";
    std::size_t picked_ = 0;
    bool playing_ = false;
    Clock::time_point next_;
    std::uint64_t random_ = 0;
    worker::Ticket outcomes_ticket_ = 0, trials_ticket_ = 0;
    worker::Client searcher_, trier_;
};

extern const ViewType kRaceView;

}  // namespace lab::session
