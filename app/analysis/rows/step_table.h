// The rows of the step view: a watched array at the start and after every pass of a reduction.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/rows/cell_value.h"
#include "base/exactness.h"
#include "base/index_space.h"
#include "base/problem.h"
#include "machine/config.h"
#include "machine/schedule.h"

namespace lab::analysis {

struct Cell {
    CellValue value = {};
    bool written = false;             // a work-item combined values into it in this pass
    std::vector<std::uint32_t> from;  // if written: the cells of the row above that went into it
    std::int64_t item = -1;           // if written: the last work-item's number; -1 if not known
    bool stale = false;               // if written: that work-item read a stale value in this pass
    std::vector<std::int64_t> also = {};  // if written: other work-items that wrote it in this pass
    // In a launch's last row: who wrote `value` in an earlier pass but last of all; -1: no one.
    std::int64_t late_item = -1;
    std::uint32_t late_pass = 0;  // its number in the launch
};

// A read that took a value of another round than the text means.
struct StaleValue {
    std::int64_t item = 0;  // who read, a number as IndexSpace counts
    std::string array;
    std::uint64_t cell = 0;   // in the array; in a local array, within its group
    CellValue took, missed;   // what it found, and what it should have found
    std::int64_t writer = 0;  // who wrote what it missed or saw too early
    std::uint32_t pass = 0;   // the pass of that write; 0: one without a row
    std::uint32_t line = 0, write_line = 0;
    bool too_new = false;    // it came too late and found a later round's value
    bool update = false;     // another update came between its read and its write-back
    std::uint64_t time = 0;  // actions before it in the run
};

// A data race: two unordered accesses of one cell, one of them a write, whether or not it made a
// difference in this run.
struct RacedCell {
    std::uint64_t cell = 0;              // of the row
    std::int64_t first = 0, second = 0;  // work-items, in the order that the text means
    bool first_writes = false, second_writes = false;
    std::uint32_t first_line = 0, second_line = 0;
    bool across_groups = false;
};

struct Row {
    int launch = 0;         // counted from 1; 0 is the start, before any launch
    std::string variables;  // what the host passed this time, as "span = 2"; may be empty
    std::uint64_t global = 0, local = 0;  // work-items launched, and per group; 0 at the start
    std::vector<Cell> cells;
    // Whether `item` names all work-items that did something: true if work-items combine only into
    // cells of this row, so that those that wrote none were idle.
    bool items_known = false;
    // Whether `written` and `from` of the cells were recorded.
    bool origins_known = true;
    std::string array = {};  // whose cells these are, if known
    std::uint32_t number =
        0;  // of the pass in its launch, from 1 (see PassNumbers); 0: the launch is one pass
    std::uint64_t skipped = 0;           // rows left out before this one, if there were too many
    std::vector<StaleValue> stale = {};  // reads of this pass
    std::vector<RacedCell> raced = {};   // cells of this row, or cells read in it
    bool local_memory = false;           // the cells of all groups side by side
    std::uint64_t group_cells = 0;       // cells per group
    // What a work-item wrote before is read in the next pass by another group, ordered by atomics.
    bool handed_over = false;
    bool waited = true;  // within a launch: ended by a barrier, not just by an iteration of a loop
};

// The virtual device that a run was on.
struct MachineUsed {
    std::uint32_t lanes = 4, resident = 2;  // as machine::Config has them
    std::string order =
        "round-robin";  // "in-order", "round-robin", "random:SEED", or the name of a file of turns

    bool operator==(const MachineUsed&) const = default;
};
MachineUsed machine_used(const machine::Config& config, const machine::Order& order);
void to_json(nlohmann::json& out, const MachineUsed& machine);
void from_json(const nlohmann::json& in, MachineUsed& machine);

// A reduction of n elements as seen from `source` ("device" or "machine").
struct StepTable {
    std::string variant;  // id
    std::string title;
    std::string op, type;
    std::string settings;  // toggles that were set: "BARRIER=group"; may be empty
    std::uint64_t n = 0, group = 0;
    IndexSpace space;  // of a launch with several dimensions or an offset: who the items are
    std::string source;
    std::string device;  // its name; for the machine an English description
    std::optional<MachineUsed> machine;
    std::vector<Row> rows;  // rows[0] is the input
    std::string result, expected;
    bool optimised =
        true;  // false: built without optimisation, because the optimised kernel is wrong
    bool stale_known = true;  // false: the run is too long to check all stale reads
    std::string note = {};    // why only whole launches are shown, or that they are; may be empty
    std::string fault;        // what stopped the run before its end; `result` is empty then
    // The same for a window, with why and what to do; not sent to other processes.
    ProblemPhrases fault_phrases = {};
    bool never_ends = false;  // the fault: it waits, or goes on, for too long
    // The kernel leaves parts of the result; `result` is all of them combined.
    bool parts = false;
    bool right = false;  // whether result is expected, within the algorithm's bound for floats
    Exactness exactness = {};  // of a right one

    std::string item_name(std::int64_t item) const {
        return space.item_name(static_cast<std::uint64_t>(item));
    }
};

void to_json(nlohmann::json& out, const StepTable& table);
void from_json(const nlohmann::json& in, StepTable& table);

}  // namespace lab::analysis
