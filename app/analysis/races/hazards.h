// The races of a run for people to read: one per pair of lines, with what happened and what to do.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/races/race_detector.h"
#include "analysis/rows/pass_numbers.h"
#include "analysis/rows/stale_reads.h"
#include "machine/run.h"

namespace lab::analysis {

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
    enum class Severity : std::uint8_t { race, note } severity = Severity::race;
    // What happened, the more frequent first: "RAW", "WAR", "WAW" in the order of time, or
    // "uninitialised"; also what it would be if the two came the other way round.
    std::vector<std::string> kinds, could;
    bool across_groups = false;
    bool update = false;  // one line reads a cell and writes it back, in several work-items
    bool copy = false;    // an asynchronous copy that is not waited for yet is one of the two
    std::string note;     // of a race: kSameValue or empty; else kOrderedByAtomics
    int launch = 0;       // of the example, from 1
    std::string object;   // "data"
    std::string space;    // "global", "local"
    std::uint64_t index = 0;
    // In the order that the text means; twice the same line if it races with itself. For an
    // uninitialised read only the first.
    std::vector<HazardSide> sides;
    std::uint64_t count = 0;  // pairs; if many work-items touch a cell, the detector keeps a few
    // Whether it made a difference in this run: a stale read, or a lost update. How often, and the
    // example's time (actions before it).
    bool shown = false;
    std::uint64_t times_shown = 0, time = 0;
    std::string what, why, hint;  // sentences: what happened here, why it can, what to do
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

// What is told first: a race that made a difference, one that did not here, one that made none
// wherever it was met, a note.
int rank(const Hazard& hazard);

// Of a run that is shown as rows, so that its races are told as they are there.
struct ShownRows {
    std::vector<StaleRead> stale;  // where one is of a race, it is the example
    PassNumbers numbers;           // of the rows
};

// Races first, those that made a difference before the others; then notes. `detector` observed
// `run`.
std::vector<Hazard> hazards_of(const machine::Run& run, const RaceDetector& detector,
                               const ShownRows* shown = nullptr);

// "hidden here by lockstep (4 lanes)".
std::string text_of_lockstep(std::uint32_t lanes);

std::uint64_t races_in(const std::vector<Hazard>& hazards);  // without notes

void to_json(nlohmann::json& json, const Hazard& hazard);
void from_json(const nlohmann::json& json, Hazard& hazard);

}  // namespace lab::analysis
