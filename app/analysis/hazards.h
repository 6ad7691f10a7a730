// The races of a run for people to read: one per pair of lines, with what happened and what to do.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/race_detector.h"
#include "analysis/rows.h"
#include "analysis/stale_reads.h"
#include "machine/run.h"
#include "machine/schedule.h"
namespace lab::analysis {

struct PossibleResult;

// One of the two accesses, quoted.
struct HazardSide {
    std::string does;  // "reads", "writes", "updates atomically", "reads atomically"
    std::string file;
    std::uint32_t line = 0, column = 0, length = 0;  // from 1, in bytes of `text`
    std::string text;                                // the source line
    std::uint64_t item = 0, group = 0;               // numbers, as IndexSpace counts them
    std::vector<std::uint64_t> global_id, group_id;  // by dimension, x first
    std::uint32_t pass = 0, turn = 0;  // pass from 1; turn of its outermost loop, 0: in none
    std::string value;                 // read, or left behind
};

inline constexpr const char* kOrderedByAtomics = "ordered by atomics and fences";
// A race of two plain stores whose order made no difference in the schedules that were run.
inline constexpr const char* kSameValue = "same value";

// "5", "(3,1)".
std::string item_name(const HazardSide& side);
std::string group_name(const HazardSide& side);

struct Hazard {
    // `uninitialised`: a read of what nobody has written, no race, and a fault of the text all the
    // same.
    enum class Severity : std::uint8_t { race, uninitialised, note } severity = Severity::race;
    // The kinds of what happened, the more frequent first: "RAW", "WAR", "WAW" in the order of
    // time, or "uninitialised"; also what it would be if the two came the other way round.
    std::vector<std::string> kinds, could;
    bool across_groups = false;
    bool update = false;  // one line reads a cell and writes it back, in several work-items
    bool copy = false;    // an asynchronous copy that is not waited for yet is one of the two
    std::string note;     // of a race: kSameValue or empty; else kOrderedByAtomics
    int launch = 0;       // of the example, from 1
    std::string object;   // "data"
    std::string space;    // "global", "local"
    std::uint64_t index = 0;
    std::string cell;  // "data[3]"; of a variable that is no array its name
    // In the order that the text means; twice the same line if it races with itself. For an
    // uninitialised read only the first.
    std::vector<HazardSide> sides;
    std::uint64_t count = 0;  // pairs; if many work-items touch a cell, the detector keeps a few
    // True if it made a difference in this run: a stale read, or a lost update. How often, and the
    // example's time (actions before it).
    bool shown = false;
    std::uint64_t times_shown = 0, time = 0;
    std::string what, why, hint;  // sentences: what happened here, why it can, what to do
    // Names the barrier that would order the two if it stood between them: "__syncthreads()". The
    // hint names no line for it (barrier_places.h). Empty: no barrier is the cure.
    std::string barrier;
    // Lanes of a warp if only lockstep ordered all its pairs in this run, else 0. `hidden` says so,
    // and with how few lanes the race shows.
    std::uint32_t lockstep_lanes = 0;
    std::string hidden;
    // If several schedules were tried: the example's, how many found it, and whether the first one,
    // which is shown, did.
    std::string schedule;
    std::uint64_t schedules = 1;
    bool here = true;
    // Found among schedules of independent items only; no schedule of lanes in lockstep had it.
    bool independent_only = false;
};

// Orders hazards by what is told first: a race that made a difference, one that did not here, one
// that made none wherever it was met, a note.
int rank(const Hazard& hazard);

// Instructions that take what a comparison of RaceDetector::compared() takes.
inline constexpr std::uint64_t kPerCompared = 4;

// Limits what the races of a run say, or that it has none.
struct RaceCaveats {
    bool for_these_numbers = false;      // accesses or branches depend on what buffers hold
    bool legacy_between_groups = false;  // see RaceDetector
    bool ended_before_barrier = false;   // likewise
};
RaceCaveats caveats_of(const machine::Job& job, const RaceDetector& detector);

// The rows in which a run is shown, so that its races are told as they are there.
struct ShownRows {
    explicit ShownRows(const machine::Run& run);

    std::vector<StaleRead> stale;  // where one is of a race, it is the example
    PassNumbers numbers;           // of the rows
};

// Races first, those that made a difference before the others; then notes. `detector` observed
// `run`.
std::vector<Hazard> hazards_of(const machine::Run& run, const RaceDetector& detector,
                               const ShownRows* shown = nullptr);

std::uint64_t count_of(const std::vector<Hazard>& hazards, Hazard::Severity severity);
inline std::uint64_t races_in(const std::vector<Hazard>& hazards) {
    return count_of(hazards, Hazard::Severity::race);
}

void to_json(nlohmann::json& json, const Hazard& hazard);
void from_json(const nlohmann::json& json, Hazard& hazard);

// Races under several schedules, merged, so that the verdict does not depend on one of them.

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
std::vector<machine::SchedulingPolicy> orders_to_try(const machine::SchedulingPolicy& first);

// A schedule of the job as it is, or of its work-items without lockstep.
struct TriedSchedule {
    machine::SchedulingPolicy order;
    bool independent = false;
    std::string text() const;  // as options: "reversed --lanes 1"
};
// Those orders, then the same ones with independent items, unless the kernel asks for its lanes.
std::vector<TriedSchedule> schedules_to_try(const machine::Job& job,
                                            const machine::SchedulingPolicy& first);

// For all of those but the first, for a picture of that one: as many as are quick.
std::vector<ScheduleHazards> hazards_elsewhere(const machine::Job& job,
                                               const machine::SchedulingPolicy& shown);
// The same in parts.
class RacesInOtherSchedules {
  public:
    RacesInOtherSchedules(const machine::Job& job, const machine::SchedulingPolicy& shown);
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

// True if no schedule of its job has a race that this run does not have: accesses do not depend on
// data that is written, and no atomic ordered any two accesses here. (One may elsewhere, which only
// leaves fewer races.)
bool holds_for_all_schedules(const machine::Run& run, const RaceDetector& detector);

// True if accesses or branches depend on what buffers hold at the start: a race, or none, is then
// one of these numbers.
bool for_these_numbers(const machine::Job& job);

struct HazardSearchOptions {
    bool others = true;  // schedules other than the requested one
    // Stops with the schedule that has a race, and tells no more of it. Schedules after the first
    // share what is left of `most_steps`, so that one that never ends does not take it all.
    bool first_race = false;
    const std::atomic<bool>* cancel = nullptr;
    // Instructions of all schedules that are tried; where a further one might exceed them, it is
    // not started, and those that ran are named.
    std::uint64_t most_steps = 200'000'000;
};

struct HazardSearch {
    std::vector<Hazard> hazards;
    std::vector<std::string> schedules;  // those that ran, the requested one first
    std::uint64_t independent = 0;       // of these, the last ones: with independent items
    std::uint64_t unfinished = 0;        // others that ended with a fault, or never
    bool faults_elsewhere = false;       // some of these with a fault
    std::string unfinished_why = {};     // of the first of them: its order and what happened
    bool all_schedules = false;          // no schedule of this shape has another race
    bool for_these_numbers = false;      // accesses or branches depend on what buffers hold
    bool left_out = false;               // there are more races than these
    bool forgot = false;                 // more accesses than could be kept: see RaceDetector
    bool legacy_between_groups = false;  // see RaceDetector
    bool ended_before_barrier = false;   // likewise
    bool cancelled = false;
    // Ends the first schedule. The others may have a race all the same, and share as many
    // instructions as it took, or those of a moment; with `first_race` they are not tried.
    std::optional<Problem> fault;
};

// Returns, of the schedules that lead to these results of a search, those with a race, as far as
// they are quick, and so many instructions go. A race may stand behind a branch that few schedules
// take; there the result is another one.
std::vector<ScheduleHazards> races_of_results(const machine::Job& job,
                                              const std::vector<PossibleResult>& results,
                                              const std::atomic<bool>* cancel = nullptr,
                                              std::uint64_t most_steps = UINT64_MAX);

// Searches the order's schedule and some others for races, and where none has one but another
// might, those of other results, too. Throws Problem if the job cannot start, or the turns of the
// order do not fit it.
HazardSearch search_hazards(const machine::Job& job, const machine::SchedulingPolicy& order,
                            const HazardSearchOptions& options = {});

}  // namespace lab::analysis
