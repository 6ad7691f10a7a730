// Runs a kernel's job on the simulator: what is run, the run with its outcome, and its rows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/lineage.h"
#include "analysis/outcomes.h"
#include "analysis/step_table.h"
#include "catalogue/plan.h"
#include "machine/run.h"

namespace lab::analysis {

struct SimulatorOptions {
    machine::Config config;
    machine::SchedulingPolicy order;
    std::uint64_t budget = 0;  // 0: a default
    // The device as plans know it; empty: that of the config. Set it to keep a plan as it was on a
    // machine of another shape.
    std::optional<catalogue::Target> target = {};
};
// "4 lanes, 2 groups at once, round-robin".
std::string text_of(const SimulatorOptions& options);
std::string text_of(const machine::MachineShape& machine);  // without the order
// Without an order of its own: the usual one. Throws Problem for one that cannot be read.
SimulatorOptions options_of(const MachineUsed& machine);

// Returns what plans may know about the simulated device: its compute units are its resident
// groups.
catalogue::Target target_of(const machine::Config& config);

// A run is of a kernel in a shape, on a simulated device.
struct RunSpec {
    catalogue::Kernel kernel;
    catalogue::Shape shape;  // not used for a kernel by a form
    SimulatorOptions machine;
};

// A file from elsewhere with a header like those of the shipped kernels: it is a variant.
struct OpenedVariant {
    std::string file;  // whole path; a name alone where there is no such file yet
    std::string text;

    bool operator==(const OpenedVariant&) const = default;
};

// A run as it is asked for. Settings, moments, links and requests to the worker hold one.
struct RunChoice {
    std::string variant = "relaunch";
    catalogue::Shape shape;
    MachineUsed machine{{}, kAutomatic};
    std::optional<catalogue::LaunchForm> user_kernel;  // a user kernel, in the variant's place
    std::optional<OpenedVariant> opened;               // what `variant` names, if it was opened

    bool operator==(const RunChoice&) const = default;
};

void to_json(nlohmann::json& json, const OpenedVariant& opened);
void from_json(const nlohmann::json& json, OpenedVariant& opened);
void to_json(nlohmann::json& json, const RunChoice& choice);
void from_json(const nlohmann::json& json, RunChoice& choice);  // keeps what is not in it

// True if both mean the same kernel in the same shape on the same machine, whatever the order.
bool same_but_order(const RunChoice& a, const RunChoice& b);
bool is_automatic(const RunChoice& choice);

// The kernel and the run that a choice means. Both throw Problem where there is no such variant.
catalogue::Kernel kernel_of(const RunChoice& choice, const catalogue::Catalogue& catalogue);
RunSpec spec_of(const RunChoice& choice, const catalogue::Catalogue& catalogue);

// The file that is open, or empty: of a user kernel, or of a variant.
const std::string& file_of(const RunChoice& choice);
const std::string& text_of(const RunChoice& choice);
std::string chosen_name(const RunChoice& choice);  // a file's: the variant's id, the file's stem

// Elements of a run; more are refused.
inline constexpr std::uint64_t kMostElements = std::uint64_t{1} << 24;
// Work-items of a launch that is scheduled by hand; more are refused.
inline constexpr std::uint64_t kMostRaceItems = 1024;

// The job that it comes to, with its elements, code and right result; without launches if there is
// nothing to run, as for n = 0. `code`: the kernel's, if it is compiled already. Throws Problem if
// the kernel does not allow this shape, or for more elements.
machine::Job job_of(const RunSpec& spec, const catalogue::CompiledKernel& code = nullptr);

// Judges the end of such a job's run: by its right result; where none is known, by all that the run
// leaves. `prints`: what work-items print is a part of that.
EndingOf ending_of(const machine::Job& job, bool prints = true);
std::string expected_of(const machine::Job& job);  // the right result; may be empty

// The outcome in a final state of a job whose right result is known.
catalogue::Outcome outcome_at(const machine::Machine& machine, const machine::State& state);

struct Simulation {
    std::unique_ptr<machine::Run> run;          // empty if there was nothing to run: n = 0
    machine::Job idle;                          // what was not run, then
    std::optional<catalogue::Outcome> outcome;  // empty after a fault, and for a form

    const machine::Job& job() const { return run ? run->machine().job() : idle; }
};

// Throws Problem if the kernel does not allow this shape. A fault of the kernel does not throw: the
// run has it, and all actions before it.
Simulation simulate(const RunSpec& spec, const machine::Recording& recording = {});
// The same in parts: with a run that has not begun, if there is one, to go on with; what it came to
// is then judged by finish().
Simulation begun_simulation(machine::Job job, const machine::SchedulingPolicy& order,
                            const machine::Recording& recording);
void finish(Simulation& simulation);
inline constexpr std::uint64_t kPartActions = 2048;  // of such a part: some milliseconds

// Elements to step through; more are refused.
inline constexpr std::uint64_t kMostSteppedElements = 4096;
void check_steppable(std::uint64_t elements);  // throws Problem for more
StepTable table_of(const RunSpec& spec, const Simulation& simulation);
// Returns what was run and its result, without the rows.
StepTable head_of(const RunSpec& spec, const Simulation& simulation);
std::vector<Cell> cells_of(const machine::Buffer& buffer);  // at the start

// A buffer after a run.
struct BufferContents {
    std::string name, type;
    bool written = false;             // a work-item wrote to it
    bool scalar = false;              // a variable of the program that is no array
    std::vector<std::string> values;  // "?" if never written
};
std::vector<BufferContents> buffers_of(const machine::Run& run);

// The contents of all buffers that the kernel may write, as one text.
std::string contents_of(const machine::Machine& machine, const machine::State& state);
// The same of a device, whose buffers held `unwritten` in each byte that nothing fills. A cell that
// still does is "?", unless `usual`, the end of a run of the simulator, has just that value there.
std::string contents_on_device(const machine::Machine& machine, const machine::State& usual,
                               const std::vector<std::vector<std::byte>>& contents,
                               std::byte unwritten);
// All that a run leaves: the contents, the variables outside of functions, and what each work-item
// printed, in its order. In which order work-items print is left open by OpenCL (6.12.13), and is
// no part of it.
std::string result_text(const machine::Machine& machine, const machine::State& state);

// The same job for independent items, all groups at once: OpenCL promises neither lockstep nor that
// groups wait for room. Nothing where its machine hides none of what these do.
std::optional<machine::Job> independent_job(const machine::Job& job);

// Every result over all schedules of its machine; where that keeps lanes in step or lets groups
// wait for room, how many independent items have, in bounded effort; and whether any of it is a
// race, or holds for these numbers only. Throws Problem if it cannot start.
Outcomes judged_outcomes(const machine::Job& job, const OutcomesOptions& options);

bool any_code(const machine::Job& job, bool (*holds)(const lang::Code& code));  // of its launches

// True if the kernel asks for sub-groups: with independent items it would be another program.
bool has_sub_groups(const machine::Job& job);

// True if an atomic's value is made use of, or is a float, whose sum depends on the order.
bool atomics_tell(const lang::Code& code);

// The lineage of a variant's result, compared with what it should be: each element once.

// The cells that hold the result at the end; for a partial result all parts. None if no kernel ran,
// or if the plan iterates: then each cell has its own inputs.
std::vector<MemoryCell> result_cells(const Simulation& simulation);

struct ResultLineage {
    std::vector<MemoryCell> cells;     // see result_cells(); of an iteration: all
    std::vector<machine::Node> nodes;  // of the values in them
    Composition composition;           // of all of them together
    InputCoverage account;
};
// For a run that was recorded with lineage. Empty if there are no result cells.
std::optional<ResultLineage> result_lineage(const Simulation& simulation);
// The same of a run that iterates, too: there each cell of the start should be in all cells
// together 3 times after a round, 9 times after two, and so on.
std::optional<ResultLineage> whole_lineage(const Simulation& simulation);

}  // namespace lab::analysis
