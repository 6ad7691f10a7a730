// Races under several schedules, merged, so that the verdict does not hang on one of them.
#pragma once

#include <atomic>
#include <optional>

#include "analysis/races/hazards.h"
#include "machine/schedule.h"

namespace lab::analysis {

struct ScheduleHazards {
    std::string schedule;  // as parse_order() takes it
    std::vector<Hazard> hazards;
};

// One for each pair of lines; a race under any schedule is one. The example is of the first
// schedule that shows it go wrong, else of the first that has it; or, beside a picture of the first
// schedule, of that one wherever it has the race.
enum class ExampleFrom : std::uint8_t { any_schedule, first_schedule };
std::vector<Hazard> merged(const std::vector<ScheduleHazards>& found,
                           ExampleFrom from = ExampleFrom::any_schedule);

// That one first, then in order, reversed, round robin, and random ones.
std::vector<machine::Order> orders_to_try(const machine::Order& first);

// For all of those but the first, for a picture of that one: as many as are quick.
std::vector<ScheduleHazards> hazards_elsewhere(const machine::Job& job,
                                               const machine::Order& shown);

// Whether no schedule of its job has a race that this run has not: what work-items touch does not
// depend on data that is written, and no atomic ordered any two accesses here. (One may elsewhere,
// which leaves fewer races.)
bool holds_for_all_schedules(const machine::Run& run, const RaceDetector& detector);

struct HazardSearchOptions {
    bool others = true;  // than the order asked for
    const std::atomic<bool>* cancel = nullptr;
    // No further schedule is begun that might take more instructions than that, all together.
    std::uint64_t most_steps = 200'000'000;
};

struct HazardSearch {
    std::vector<Hazard> hazards;
    std::vector<std::string> schedules;  // that ran, the one asked for first
    std::uint64_t unfinished = 0;        // of the others, those that a fault ended
    bool all_schedules = false;          // no schedule of this shape has any other race
    bool cancelled = false;
    std::optional<Problem> fault;  // of the first schedule, which ends the search
};

// Throws Problem where the job cannot begin, or the turns of the order do not fit it.
HazardSearch search_hazards(const machine::Job& job, const machine::Order& order,
                            const HazardSearchOptions& options = {});

}  // namespace lab::analysis
