// The findings of checks and trials, as plain data.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/problem.h"

namespace lab::results {

// A case with a wrong result.
struct CheckCase {
    std::string op, type;
    std::uint64_t n = 0, group = 0;
    std::string result, expected;
    std::string machine = {};  // the machine's result; empty: not run
};

// The first cell in which the device and the machine differ; without an array, the first group that
// passed a different number of barriers.
struct PassDifference {
    std::string op, type;
    std::uint64_t n = 0, group = 0;  // work-items per group
    std::uint64_t launch = 0;        // from 1
    std::uint64_t pass = 0;          // of the launch, from 1; 0: an access, not a whole pass
    std::string array;
    std::int64_t in_group = -1;  // the group of the local memory; -1: global memory
    std::uint64_t cell = 0;      // within the group's part if local
    std::string device, machine;
};
// "launch 1, pass 2, buf of group 1, cell 3: the device has 12, the machine 17"
std::string text_of(const PassDifference& difference);

// A variant with one setting of its toggles.
struct CheckLine {
    std::string variant;
    std::map<std::string, std::string> set;  // toggles that differ from their default
    std::string expect;                      // as the header says
    std::uint64_t cases = 0;                 // run
    std::uint64_t right = 0;
    std::uint64_t races = 0;    // wrong, as the header expects
    std::uint64_t wrong = 0;    // wrong, though the header promises otherwise
    std::uint64_t illegal = 0;  // not run: the header rules them out
    std::uint64_t stuck = 0;    // groups not co-resident, in this run or one with fewer groups
    std::uint64_t not_run = 0;  // out of time, or too large
    std::vector<CheckCase> examples;  // the first unexpected wrong ones, else expected ones
    std::string lacks;                // why some types, or all, cannot run here; empty if all can
    std::vector<Problem> problems;    // a text that does not build, a device that fails

    // Small cases, pass by pass: the device's memory compared with the machine's.
    std::uint64_t passes = 0;        // that were compared
    std::uint64_t passes_raced = 0;  // cases left out: expected to race
    std::uint64_t passes_left = 0;   // cases left out: out of time, or see `why_left`
    std::string why_left;
    std::uint64_t passes_plain = 0;  // cases compared without the compiler's optimisation, with
                                     // which it gets the copies wrong, but not the kernel
    std::vector<PassDifference> differences;  // of each case that has one the first

    bool passed() const { return wrong == 0 && problems.empty() && differences.empty(); }
};

struct CheckReport {
    std::string device, driver;
    std::vector<CheckLine> lines;
    bool complete = false;         // else it stopped early
    std::uint64_t cases() const;   // that ran
    std::uint64_t passes() const;  // that were compared
    bool passed() const;           // complete, and each line passed
};

// One result of many runs, and how often it occurred.
struct TrialResult {
    std::string result;
    std::uint64_t count = 0;
    bool right = false;
    std::uint64_t delayed = 0;  // how often with waits before the accesses
};

// The results that are possible according to the machine.
struct Prediction {
    std::vector<std::string> results, faults;  // as TrialResult::result has them
    bool complete = false;                     // no others exist; else there may be more
    std::uint64_t states = 0, samples = 0;     // searched, and run at random
    // Reads of uninitialised memory: any result is possible.
    std::vector<std::string> unwritten;
    std::string why_not;  // nothing could be predicted
};

// A kernel that is run again and again on a device.
struct DeviceRuns {
    std::string variant, device, driver, op, type, input;
    std::string launch = {};                 // of a user kernel: "8x4 work-items in groups of 4x4"
    std::map<std::string, std::string> set;  // every toggle
    std::string expect;                      // what the header says of this shape
    std::uint64_t n = 0, group = 0, groups = 0, count = 0;
    std::string expected;  // of a user kernel: by the simulator in its usual order
    std::optional<std::uint32_t> delays = {};  // the seed, if waits were tried
};

struct Trials : DeviceRuns {
    std::vector<TrialResult> results;  // the most frequent first
    Prediction predicted;
    std::uint64_t delayed = 0;    // runs with waits, beside `count`
    std::uint64_t right() const;  // runs; the next one: with waits
    std::uint64_t delayed_right() const;
    // Results that a complete prediction does not have: a mistake of a compiler, a device, or ours.
    std::vector<std::string> unforeseen() const;
};

// How often runs went wrong.
struct WrongRate {
    std::uint64_t runs = 0, wrong = 0;
};

// The outcome of recording a run.
struct Recorded : DeviceRuns {
    std::string until;
    WrongRate recorded, plain;   // with recording, and without it and without waits
    std::uint64_t gave_up = 0;   // runs in which a spin did: not counted
    std::uint64_t too_long = 0;  // runs that did not fit into the buffer: not kept

    std::uint64_t run = 0;  // the one that is kept, from 1; 0: none ended as wanted
    std::string result;     // its
    bool right = false;
    // The simulator's replay of it.
    std::uint64_t accesses = 0, barriers = 0, exchanged = 0, slack = 0;
    std::string turns;       // as a file of them
    std::string difference;  // empty: the simulator has the same accesses, values and result
    bool tried_all = false;
    bool optimised = true;  // by the device's compiler
    std::string order;      // what it is called
    // The device as the plan knew it.
    std::uint64_t units = 1, max_group = 256, kernel_group = 256;
    bool cpu = true;
};

void to_json(nlohmann::json& nlohmann_json_j, const PassDifference& nlohmann_json_t);
void from_json(const nlohmann::json& nlohmann_json_j, PassDifference& nlohmann_json_t);
void to_json(nlohmann::json& nlohmann_json_j, const CheckLine& nlohmann_json_t);
void from_json(const nlohmann::json& nlohmann_json_j, CheckLine& nlohmann_json_t);
void to_json(nlohmann::json& json, const CheckReport& report);
void from_json(const nlohmann::json& json, CheckReport& report);
void to_json(nlohmann::json& json, const Trials& trials);
void from_json(const nlohmann::json& json, Trials& trials);
void to_json(nlohmann::json& json, const Recorded& recorded);
void from_json(const nlohmann::json& json, Recorded& recorded);

}  // namespace lab::results
