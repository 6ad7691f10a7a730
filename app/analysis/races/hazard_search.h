// Races under several schedules, merged, so that the verdict does not depend on one of them.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "analysis/races/hazards.h"
#include "analysis/races/race_detector.h"
#include "machine/schedule.h"

namespace lab::analysis {

struct ScheduleHazards {
    std::string schedule;  // as parse_order() takes it
    std::vector<Hazard> hazards;
};

// One per pair of lines; a race under any schedule counts. The example comes from the first
// schedule in which it shows, else from the first that has it; beside a picture of the first
// schedule, from that one if it has the race.
enum class ExampleFrom : std::uint8_t { any_schedule, first_schedule };
std::vector<Hazard> merged(const std::vector<ScheduleHazards>& found,
                           ExampleFrom from = ExampleFrom::any_schedule);

// `order` first, then in-order, reversed, round-robin and random ones.
std::vector<machine::Order> orders_to_try(const machine::Order& first);

// A schedule of the job as it is, or of its work-items without lockstep.
struct TriedSchedule {
    machine::Order order;
    bool independent = false;
    std::string text() const;  // as options: "reversed --lanes 1"
};
// Those orders, then the same ones with independent items, unless the kernel asks for its lanes.
std::vector<TriedSchedule> schedules_to_try(const machine::Job& job, const machine::Order& first);

// For all of those but the first, for a picture of that one: as many as are quick.
std::vector<ScheduleHazards> hazards_elsewhere(const machine::Job& job,
                                               const machine::Order& shown);
// The same in parts.
class HazardsElsewhere {
  public:
    HazardsElsewhere(const machine::Job& job, const machine::Order& shown);
    // Does at least `actions` more, or all that are left. Returns whether there are more.
    bool go_on(std::uint64_t actions);
    const std::vector<ScheduleHazards>& found() const { return found_; }

  private:
    void begin_next();
    const machine::Job job_;
    std::vector<TriedSchedule> left_;  // the next one last
    std::string schedule_;             // that runs
    std::unique_ptr<RaceDetector> detector_;
    std::unique_ptr<machine::Run> run_;
    std::uint64_t steps_ = 0;  // instructions so far
    std::vector<ScheduleHazards> found_;
};

// Whether no schedule of its job has a race that this run does not have: accesses do not depend on
// data that is written, and no atomic ordered any two accesses here. (One may elsewhere, which only
// leaves fewer races.)
bool holds_for_all_schedules(const machine::Run& run, const RaceDetector& detector);

// Whether accesses or branches depend on what buffers hold at the start: a race, or none, is then
// one of these numbers.
bool for_these_numbers(const machine::Job& job);

struct HazardSearchOptions {
    bool others = true;       // schedules other than the requested one
    bool first_race = false;  // stops with the schedule that has a race, and tells no more of it
    const std::atomic<bool>* cancel = nullptr;
    // No further schedule is started that might exceed this many instructions in total.
    std::uint64_t most_steps = 200'000'000;
};

struct HazardSearch {
    std::vector<Hazard> hazards;
    std::vector<std::string> schedules;  // those that ran, the requested one first
    std::uint64_t independent = 0;       // of these, the last ones: with independent items
    std::uint64_t unfinished = 0;        // others that ended with a fault
    bool all_schedules = false;          // no schedule of this shape has another race
    bool for_these_numbers = false;      // accesses or branches depend on what buffers hold
    bool left_out = false;               // there are more races than these
    bool forgot = false;                 // more accesses than could be kept: see RaceDetector
    bool cancelled = false;
    std::optional<Problem> fault;  // of the first schedule, which ends the search
};

// Throws Problem if the job cannot start, or the turns of the order do not fit it.
HazardSearch search_hazards(const machine::Job& job, const machine::Order& order,
                            const HazardSearchOptions& options = {});

}  // namespace lab::analysis
