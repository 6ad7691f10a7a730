// The race view works with the run that a person schedules, every result that there is, found by
// the worker, and what the real device makes of the kernel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/hazards.h"
#include "analysis/links.h"
#include "analysis/simulate.h"
#include "analysis/timeline.h"
#include "analysis/warps.h"
#include "machine/schedule.h"
#include "results/report.h"
#include "session/background.h"
#include "session/view.h"
#include "worker/client.h"
namespace lab::session {

// A person is the scheduler: one run whose turns are chosen one by one, how far it has come, and
// what there is to see of it.
class Race {
  public:
    // From the start; what comes next without anybody's choice follows the spec's order, after a
    // choice it goes in order. Throws Problem where it cannot be run so.
    explicit Race(analysis::RunSpec spec);

    const analysis::RunSpec& spec() const { return spec_; }
    std::uint64_t cursor() const { return cursor_; }  // actions taken
    std::uint64_t length() const { return run_ ? run_->trace().size() : 0; }
    bool at_end() const { return cursor_ == length(); }
    std::uint64_t version() const { return version_; }  // another one whenever anything changed

    // True until other turns were chosen than those of the spec's order.
    bool follows_order() const { return follows_order_; }

    // Returns what has to do with what, up to now and in what can come next.
    analysis::Names linked(const analysis::HighlightTarget& referent) const;
    const analysis::StateView& state_view() const { return state_view_; }
    // It goes over the whole run, to its end.
    const analysis::Timeline& timeline() const { return timeline_; }
    // For the whole run, and after those, not `here`, the ones that other schedules show. `time` of
    // one that has not come yet is at least cursor().
    const std::vector<analysis::Hazard>& hazards() const { return hazards_; }
    // True if those, or that there are none, depend on what the buffers hold.
    const analysis::RaceCaveats& caveats() const { return caveats_; }
    std::string expected() const { return analysis::expected_of(job_); }
    // Returns what the whole run ends in: chosen turns, then the rest as it would follow.
    const std::optional<analysis::Ending>& ending() const { return ending_; }
    const std::optional<Problem>& fault() const { return fault_; }  // likewise
    // It never ends: who can still act asks in a loop for what does not come.
    bool never_ends() const {
        return run_->fault() && run_->fault()->kind == machine::Fault::Kind::deadlock;
    }
    // Returns what the work-items of a warp have in their variables; empty for one that is done.
    std::vector<analysis::VariableRow> variables(const analysis::WarpView& warp) const;
    // The warps that can act now, in the order of groups and warps.
    const std::vector<const analysis::WarpView*>& ready() const { return ready_warps_; }

    // Lets a warp do its next action; whether it could. What was to come gives way, if it began
    // with another one.
    bool act(std::uint32_t group, std::uint32_t warp);
    void go_to(std::uint64_t actions);  // back or forward, as far as there is something
    // Other turns, from the start; what is left after them goes in order. Throws Problem where they
    // do not fit.
    void replace(std::vector<machine::ScheduleSlice> turns);
    // From now on lets each run take at least so many.
    void allow(std::uint64_t instructions) { job_.budget = std::max(job_.budget, instructions); }

    // The turns up to the cursor, or of the whole run.
    std::vector<machine::ScheduleSlice> turns() const { return turns_until(cursor_); }
    std::vector<machine::ScheduleSlice> all_turns() const { return turns_until(length()); }

  private:
    void play(machine::SchedulingPolicy order);
    void look();
    std::vector<machine::ScheduleSlice> turns_until(std::uint64_t time) const;
    std::uint64_t whole(std::uint64_t time) const;

    analysis::RunSpec spec_;
    machine::Job job_;
    std::unique_ptr<machine::Run> run_;
    std::uint64_t cursor_ = 0, version_ = 0;
    analysis::StateView state_view_;
    analysis::Timeline timeline_;
    std::vector<analysis::Hazard> hazards_;
    analysis::RaceCaveats caveats_;
    bool follows_order_ = true;
    std::vector<analysis::ScheduleHazards> others_;  // hazards under other schedules
    std::optional<analysis::Ending> ending_;
    std::optional<Problem> fault_;
    std::vector<const analysis::WarpView*> ready_warps_;
};

// A challenge asks the class to bring about one of the results that there are.
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

    // A schedule, how far it was gone, and when it was changed into another one.
    struct Scheduled {
        std::vector<machine::ScheduleSlice> turns;
        std::uint64_t cursor = 0;
        Clock::time_point changed{};
    };
    // The schedule of a choice, and what was found of it.
    struct OfChoice {
        std::optional<RunChoice> begun;
        std::unique_ptr<Race> race;
        std::vector<Scheduled> past, future;
        Asked<analysis::Outcomes> outcomes;
        Asked<results::Trials> trials;
        // The result that was looked for last: a place in outcomes.answer->results.
        std::optional<std::size_t> found;
        // Results are hidden until a schedule ended in them, or they are asked for.
        std::map<std::size_t, Reached> reached;  // by place
        bool shows_all = false;
        // Turns chosen by hand from the start to the last choice; empty: others were looked up.
        std::optional<std::size_t> hand_turns = 0;
        std::size_t picked = 0;
    };
    OfChoice now;
    const Race* race() const { return now.race.get(); }  // null: it cannot be run so
    std::optional<Problem> problem;                      // why there is none, or …
    std::uint64_t states = 0;  // searched so far, while a search is under way
    // True if the next trials run it once more each time, with waits before some accesses.
    bool delays = false;
    // The class says what an action will find or store before it is taken, or shown by a click.
    bool predicts = false;
    float closer = 1;              // how wide actions are drawn: see figures::ScheduleNowOptions
    std::string side = "results";  // the open tab beside the schedule
    // The schedule that edits of a copy are tried with, and whether its end was shown.
    struct Kept {
        std::vector<machine::ScheduleSlice> turns;
        bool to_end = false;
    };
    std::optional<Kept> kept;
    // The ready warp that the keys are on: a place in race()->ready().
    std::size_t picked() const;
    Challenge challenge() const;
    // Whatever the order: every schedule waits in vain, and there is nothing to choose.
    bool cannot_end() const;
    bool solved() const;  // since this kernel was chosen
    // The result that the whole schedule ends in, once its end is shown: a place in the outcomes.
    std::optional<std::size_t> ended_in() const;
    // Names the device that the schedule was recorded on; empty once it is another one.
    std::string recorded() const;

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
    // The challenge's result, then each other one that is not right, round and round.
    void find_wrong();
    void set_turns(const std::string& turns, std::uint64_t cursor);  // as the state file has them
    bool hides(const analysis::WarpView& warp) const;  // the values of its next action
    void reveal(const analysis::WarpView& warp);
    void run_trials(std::uint64_t count);
    void cancel_trials();
    void cancel_search();  // for the results; what can be scheduled stays

    // Walk
    std::size_t position() const override { return now.race ? now.race->cursor() : 0; }
    std::size_t last_position() const override { return now.race ? now.race->length() : 0; }
    void go_to(std::size_t actions) override {
        if (now.race) now.race->go_to(actions);
    }
    std::chrono::milliseconds pause() const override;

    // View
    void start() override;  // searches again where the last search failed, or was cancelled
    void choice_changed() override { shown(); }
    void shown() override;
    void poll() override;
    bool busy() const override { return now.outcomes.waiting || now.trials.waiting; }
    std::vector<PlacedProblem> problems() const override;
    bool can_cancel() const override;
    void cancel() override;
    using View::walk;
    const Walk* walk() const override { return this; }
    std::optional<Clock::time_point> undoable() const override { return made(now.past); }
    std::optional<Clock::time_point> redoable() const override { return made(now.future); }
    void undo() override { exchange(now.past, now.future); }
    void redo() override { exchange(now.future, now.past); }
    void take_turns(const std::string& turns) override { set_turns(turns, 0); }
    ExportOffer export_offer() const override;
    analysis::Names linked(const analysis::HighlightTarget& referent) const override {
        return now.race ? now.race->linked(referent) : analysis::Names();
    }
    std::uint64_t links_version() const override { return now.race ? now.race->version() : 0; }

  private:
    static std::optional<Clock::time_point> made(const std::vector<Scheduled>& changes) {
        return changes.empty() ? std::nullopt : std::optional(changes.back().changed);
    }
    void record();  // before a change of the schedule
    void exchange(std::vector<Scheduled>& from, std::vector<Scheduled>& to);
    // The chosen kernel from its start; what is there already stays. `trials` of another choice go.
    void begin(const RunChoice& choice);
    void ask_outcomes();

    void note_end();
    void follow_kept();

    bool come_back(const RunChoice& choice);
    std::unique_ptr<Race> replaced_;  // until the frame ends, whose panels may still look at it
    std::optional<OfChoice> left_;    // coming back, as by the toggle, is to where one was

    // The groups and warps whose next actions were shown by a click, at that version of the race.
    std::set<std::pair<std::uint32_t, std::uint32_t>> revealed_;
    std::uint64_t revealed_version_ = 0;
    bool opens_copy_ = false;  // the next choice is the copy that is to be mended
    std::uint64_t random_ = 0;
    worker::Ticket outcomes_ticket_ = 0, trials_ticket_ = 0;
    worker::Client searcher_, trier_;
};

extern const ViewType kRaceView;

}  // namespace lab::session
