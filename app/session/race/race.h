// The race view: a person is the scheduler. One run whose turns are chosen one by one, how far it
// has come, and what there is to see of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/lanes/state_view.h"
#include "analysis/lanes/timeline.h"
#include "analysis/lanes/warp_variables.h"
#include "analysis/links/links.h"
#include "analysis/races/hazard_search.h"
#include "simulation/subject.h"

namespace lab::session {

class Race {
  public:
    // From the start; what comes next without anybody's choice follows the subject's order, after a
    // choice it goes in order. Throws Problem where it cannot be run so.
    explicit Race(simulation::Subject subject);

    const simulation::Subject& subject() const { return subject_; }
    std::uint64_t cursor() const { return cursor_; }  // actions taken
    std::uint64_t length() const { return run_ ? run_->trace().size() : 0; }
    bool at_end() const { return cursor_ == length(); }
    std::uint64_t version() const { return version_; }  // another one whenever anything changed

    // What has to do with what, up to now and in what can come next.
    analysis::Names linked(const analysis::Referent& referent) const;
    const analysis::StateView& state_view() const { return state_view_; }
    const analysis::Timeline& timeline() const {
        return timeline_;
    }  // of the whole run, to its end
    // For the whole run, and after those, not `here`, the ones that other schedules show. `time` of
    // one that has not come yet is at least cursor().
    const std::vector<analysis::Hazard>& hazards() const { return hazards_; }
    // Whether those, or that there are none, depend on what the buffers hold.
    bool for_these_numbers() const { return for_these_numbers_; }
    const std::string& expected() const { return ready_.expected; }
    // What the whole run ends in: chosen turns, then the rest as it would follow.
    const std::optional<analysis::Ending>& ending() const { return ending_; }
    const std::optional<Problem>& fault() const { return fault_; }  // likewise
    // It never ends: who can still act asks in a loop for what does not come.
    bool never_ends() const;
    // What the work-items of a warp have in their variables; empty for one that is done.
    std::vector<analysis::VariableRow> variables(const analysis::WarpView& warp) const;
    // The warps that can act now, in the order of groups and warps.
    const std::vector<const analysis::WarpView*>& ready() const { return ready_warps_; }

    // Lets a warp do its next action; whether it could. What was to come gives way, if it began
    // with another one.
    bool act(std::uint32_t group, std::uint32_t warp);
    void go_to(std::uint64_t actions);  // back or forward, as far as there is something
    // Other turns, from the start; what is left after them goes in order. Throws Problem where they
    // do not fit.
    void replace(std::vector<machine::Turn> turns);
    // From now on lets each run take at least so many.
    void allow(std::uint64_t instructions);

    // The turns up to the cursor, or of the whole run.
    std::vector<machine::Turn> turns() const { return turns_until(cursor_); }
    std::vector<machine::Turn> all_turns() const { return turns_until(length()); }

  private:
    void play(machine::Order order);
    void look();
    std::vector<machine::Turn> turns_until(std::uint64_t time) const;
    std::uint64_t whole(std::uint64_t time) const;

    simulation::Subject subject_;
    simulation::Ready ready_;
    std::unique_ptr<machine::Run> run_;
    std::uint64_t cursor_ = 0, version_ = 0;
    analysis::StateView state_view_;
    analysis::Timeline timeline_;
    std::vector<analysis::Hazard> hazards_;
    bool for_these_numbers_ = false;
    std::vector<analysis::ScheduleHazards> others_;  // hazards under other schedules
    std::optional<analysis::Ending> ending_;
    std::optional<Problem> fault_;
    std::vector<const analysis::WarpView*> ready_warps_;
};

// "0.0*3 1.0", on one line.
std::string text_of_turns(const std::vector<machine::Turn>& turns);

}  // namespace lab::session
