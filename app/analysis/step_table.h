// The rows of the step view: a watched array at the start and after every pass of a reduction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/index_space.h"
#include "base/problem.h"
#include "catalogue/reference.h"
#include "lang/type.h"
#include "machine/job.h"
#include "machine/run.h"
#include "machine/schedule.h"
namespace lab::analysis {

// A cell of an array holds a number of its type, or nothing if it was never written.

struct CellValue {
    std::optional<std::uint64_t> bits;  // as a register holds them; empty: never written
    lang::Scalar type = lang::Scalar::int_;
};

// The value at that index of an array's bytes; empty past their end.
CellValue value_in(std::span<const std::byte> bytes, std::uint64_t index, lang::Scalar type);

// The shortest text that reads back to the same value; "?" if never written.
std::string text_of(const CellValue& value);

// The value of a text: of `type` if that reads back to the same text, else of the widest type that
// does. Empty for any other text.
CellValue value_of(const std::string& text, lang::Scalar type);

// True if they have the same text: 5 is 5, signed or not.
bool operator==(const CellValue& a, const CellValue& b);

// As a floating-point number; NaN if never written.
double number_of(const CellValue& value);

// A work-item that wrote a cell, and the cells of the row above that it read for it.
struct Writer {
    std::int64_t item = 0;
    std::vector<std::uint32_t> from = {};

    bool operator==(const Writer&) const = default;
};

struct Cell {
    CellValue value = {};
    bool written = false;  // a work-item combined values into it in this pass
    // If written: the cells of the row above that its last writer read for it.
    std::vector<std::uint32_t> from;
    std::int64_t item = -1;         // if written: the last work-item's number; -1 if not known
    bool stale = false;             // if written: that work-item read a stale value in this pass
    std::vector<Writer> also = {};  // if written: other work-items that wrote it in this pass
    // In a launch's last row: who wrote `value` in an earlier pass but last of all; -1: no one.
    std::int64_t late_item = -1;
    std::uint32_t late_pass = 0;  // its number in the launch
    bool kept = false;    // if written: what it held before went in, which no row above shows
    bool atomic = false;  // if written: by an atomic function
};

// A read that took a value of another round than the text means.
struct StaleValue {
    std::int64_t item = 0;  // who read, a number as IndexSpace counts
    std::string array;
    std::uint64_t cell = 0;   // in the array; in a local array, within its group
    std::string name;         // of the cell, as the text has it: "tile[1][3]"; empty: as usual
    CellValue took, missed;   // what it found, and what it should have found
    std::int64_t writer = 0;  // who wrote what it missed or saw too early
    std::uint32_t pass = 0;   // the pass of that write; 0: one without a row
    std::uint32_t line = 0, write_line = 0;
    bool too_new = false;    // it came too late and found a later round's value
    bool update = false;     // another update came between its read and its write-back
    std::uint64_t time = 0;  // actions before it in the run

    std::string cell_name() const {
        return name.empty() ? array + '[' + std::to_string(cell) + ']' : name;
    }
};

// A read whose value the row above does not show: the cell held it before, or later.
struct OtherRead {
    std::int64_t item = 0;
    std::uint32_t cell = 0;  // of the row above
    CellValue took;

    bool operator==(const OtherRead&) const = default;
};

// A cell of another array than that of the row above whose value went into a cell.
struct FarRead {
    std::int64_t item = 0;
    std::uint32_t cell = 0;  // of the row, which the work-item wrote
    std::size_t row = 0;     // the last one above of the other array
    std::uint32_t from = 0;  // that row's cell
    CellValue took;

    bool operator==(const FarRead&) const = default;
};

// A data race: two unordered accesses of one cell, one of them a write, whether or not it made a
// difference in this run.
struct RacedCell {
    std::uint64_t cell = 0;              // of the row
    std::int64_t first = 0, second = 0;  // work-items, in the order that the text means
    bool first_writes = false, second_writes = false;
    std::uint32_t first_line = 0, second_line = 0;
    bool across_groups = false;
    // The mechanism that orders the two in this run, though OpenCL promises no such order.
    enum class Ordered : std::uint8_t {
        by_nothing,
        in_lockstep,
        by_hand
    } ordered = Ordered::by_nothing;
};

// An access of a counter or a flag by which groups tell each other how far they are.
struct Signal {
    enum class Kind : std::uint8_t {
        counts,  // an atomic changed it, as to take a ticket
        sets,    // a store
        waits    // a read that found what another group had done
    } kind = Kind::counts;
    std::int64_t item = 0;
    std::string array;
    std::uint64_t cell = 0;
    CellValue before, after;
    std::uint32_t line = 0;
    std::string name;  // of the cell, as the text has it
};

struct Row {
    int launch = 0;         // counted from 1; 0 is the start, before any launch
    std::string variables;  // what the host passed this time, as "span = 2"; may be empty
    std::uint64_t global = 0, local = 0;  // work-items launched, and per group; 0 at the start
    std::vector<Cell> cells;
    // True if it is known which work-items did something for this row: `working`, or, if that is
    // empty, those that wrote its cells.
    bool items_known = false;
    // True if `written` and `from` of the cells were recorded.
    bool origins_known = true;
    std::string array = {};  // whose cells these are, if known
    lang::ArrayShape shape = {};
    std::uint32_t number =
        0;  // of the pass in its launch, from 1 (see PassNumbers); 0: the launch is one pass
    std::uint64_t skipped = 0;           // rows left out before this one, if there were too many
    std::vector<StaleValue> stale = {};  // reads of this pass
    std::vector<RacedCell> raced = {};   // cells of this row, or cells read in it
    bool local_memory = false;           // the cells of all groups side by side
    std::uint64_t group_cells = 0;       // cells per group
    // True if what a work-item wrote before is read in the next pass by another group, ordered by
    // atomics.
    bool handed_over = false;
    bool waited = true;  // within a launch: ended by a barrier, not just by an iteration of a loop
    bool of_grid = false;  // that barrier is one of all groups
    // Counters and flags at which groups have waited for each other by hand before the next pass.
    std::string by_hand = {};
    std::vector<Signal> signals = {};         // after this pass and before the next row's, in order
    std::vector<std::uint32_t> working = {};  // ascending; those that only read included
    // Cells of the row above that were read in this pass and hold nothing of the input.
    std::vector<std::uint32_t> neutral = {};
    std::vector<OtherRead> other_reads = {};  // by work-item and cell
    std::vector<FarRead> far_reads = {};      // by cell and work-item

    // "data[3]", "tile[1][3]", "count"; in a local array, within its group.
    std::string cell_name(std::uint64_t cell) const {
        return array + shape.at(group_cells > 0 ? cell % group_cells : cell);
    }
};

// A value of MachineUsed::order: as on the device where that is known, or so that a race is seen;
// see shown_run().
inline constexpr const char* kAutomatic = "auto";

// The virtual device that a run was on.
struct MachineUsed : machine::MachineShape {
    std::string order =
        "round-robin";  // "in-order", "round-robin", "random:SEED", or the name of a file of turns

    bool operator==(const MachineUsed&) const = default;
};
MachineUsed machine_used(const machine::Config& config, const machine::SchedulingPolicy& order);
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
    std::string turns = {};   // of a device: the run as machine::parse_turns() has it, if recorded
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

// The state of each cell after each pass, and which cell is the result.

enum class CellState : std::uint8_t {
    input,    // in the row before any launch
    same,     // unchanged, and its value is still to be combined
    read,     // unchanged; its value went into another cell in this pass
    spent,    // unchanged; its value went into another cell in an earlier pass
    written,  // a work-item combined values into it in this pass
};

// True if two rows show the same array, or could if that is not known.
bool of_one_array(const Row& one, const Row& other);

// One row per pass, one state per cell.
std::vector<std::vector<CellState>> cell_states(const StepTable& table);
// The same, into the bytes of a lattice's cells.
struct Lattice;
void add_states(Lattice& lattice);

// The cell of the last row that holds the result; empty if none does (the host finished it).
std::optional<std::size_t> result_cell(const StepTable& table);

// The work-items that did something for this row, ascending, each once.
std::vector<std::int64_t> working_items(const Row& pass);

// All writers of a cell, the last one last; its number is -1 if it is not known.
std::vector<Writer> writers_of(const Cell& cell);

// The cells of the row that were written in this pass.
std::vector<std::size_t> written_cells(const Row& pass);

// Compares the rows of a device with those of the machine.

struct Agreement {
    enum class Kind : std::uint8_t {
        same,      // in every cell that both know
        rounding,  // floats differ in their last digits: combined in another order
        differs,
        unknown,  // no row in common
    } kind = Kind::unknown;
    std::uint64_t rows = 0;  // compared
    // For the first cell that differs (of `rounding` too): the row of `device`, the cell, both
    // values.
    std::size_t row = 0, cell = 0;
    std::string device, machine;
};

// True if all that both know is equal, floats up to rounding.
inline bool agrees(const Agreement& agreement) {
    return agreement.kind == Agreement::Kind::same || agreement.kind == Agreement::Kind::rounding;
}

// The row of `in` that is the same pass of the same launch and array as `row`: a place in
// in.passes. Where `row` is a whole launch, the launch's last row; none if the run stopped in it.
std::optional<std::size_t> row_like(const Row& row, const StepTable& in);

// True if two numbers differ by no more than another order of summation explains.
bool rounds_to(const CellValue& a, const CellValue& b);

// Rows are those of the same launch, pass and array; where the device shows whole launches, the
// machine's last of that launch. Cells that one does not know ("?") are left out.
Agreement agreement_of(const StepTable& device, const StepTable& machine);

// Lists what a run's kernels printed, in the order of the schedule.

struct PrintedText {
    std::uint64_t item = 0;
    std::string item_name;               // "3", or its coordinates
    std::uint32_t launch = 0, line = 0;  // from 1
    // Actions after which it is seen. What comes before its launch's first action is seen with it.
    std::uint64_t time = 0;
    std::string text;  // without the end of its line
};

// True if there is a call of printf in what is launched, which may print nothing.
bool calls_printf(const machine::Run& run);
std::uint32_t line_of(const machine::Run& run, const machine::Print& print);
std::vector<PrintedText> printed_texts(const machine::Run& run);

// Compares a device's run with the shown run: pictures always show a run of the simulator, and the
// device is its witness.
struct DeviceComparison {
    enum class Verdict : std::uint8_t {
        absent,       // no device, or it could not run the kernel: see `why`
        unknown,      // no row in common with the run
        same,         // the same rows, floats up to rounding
        lucky,        // right on the device; the run shows how the kernel goes wrong
        explained,    // another schedule gives its rows: `like_device`
        unexplained,  // no schedule was found that gives its rows
    } verdict = Verdict::absent;
    Agreement agreement;    // between its rows and the run's
    bool complete = false;  // for unexplained: all schedules were tried
    std::string device;     // its name
    std::string result;     // on the device
    bool right = false;
    std::string note, why;  // may be empty

    // Names the source of the run's schedule.
    enum class Origin : std::uint8_t {
        chosen,     // by the user
        usual,      // the machine's usual order
        device,     // as on the device
        goes_wrong  // found by a search for a wrong result
    } origin = Origin::chosen;

    // For explained: what gives the device's rows.
    struct Schedule {
        machine::Config config;
        std::vector<machine::ScheduleSlice> turns;
    };
    std::optional<Schedule> like_device;

    // The device's rows, to show a value beside the run's.
    std::optional<StepTable> rows;
};

const char* name_of(DeviceComparison::Verdict verdict);
const char* name_of(DeviceComparison::Origin origin);

// Without the rows.
void to_json(nlohmann::json& json, const DeviceComparison& witness);

// Names of orders that were found, as Order::name has them.
inline constexpr const char* kAsOnDevice = "as-on-device";
inline constexpr const char* kGoesWrong = "goes-wrong";
// That of a recorded run begins like this: "recorded on NAME, run 9,912".
inline constexpr const char* kRecordedOn = "recorded on ";
// That name, of an order that has it or whose turns begin with it as a remark; else empty.
std::string recorded_in(const std::string& order);

}  // namespace lab::analysis
