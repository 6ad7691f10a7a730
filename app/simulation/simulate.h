// Runs a variant's whole launch plan on the machine, records it and judges the result.
#pragma once

#include <memory>
#include <optional>

#include "analysis/step_table.h"
#include "catalogue/outcome.h"
#include "catalogue/plan.h"
#include "machine/run.h"

namespace lab::simulation {

struct Options {
    machine::Config config;
    machine::Order order;
    std::uint64_t budget = 0;  // 0: a default
    // What plans may know; empty: from the config. Set it to keep a plan as it was on a machine of
    // another shape.
    std::optional<catalogue::Target> target = {};
};
// "4 lanes, 2 groups at once, round-robin".
std::string text_of(const Options& options);
std::string text_of(const machine::Config& config);  // without the order

// A variant made ready for the machine.
struct Prepared {
    catalogue::Shape shape;  // with the group that was chosen
    catalogue::Plan plan;
    catalogue::Values input;
    catalogue::Reference right;
    machine::Job job;  // without launches if there is nothing to run, as for n = 0
};
inline constexpr std::uint64_t kMostElements = std::uint64_t{1} << 24;
// Throws Problem if the variant does not allow this shape, or for more elements.
Prepared prepare(const catalogue::Variant& variant, const catalogue::Shape& asked,
                 const Options& options);

// The outcome in a final state of such a job's run.
catalogue::Outcome outcome_at(const Prepared& prepared, const machine::Machine& machine,
                              const machine::State& state);

struct Simulation {
    catalogue::Shape shape;  // with the group that was chosen
    catalogue::Plan plan;
    catalogue::Values input;
    std::unique_ptr<machine::Run> run;  // empty if there was nothing to run: n = 0
    catalogue::Reference right;
    std::optional<catalogue::Outcome> outcome;  // empty after a fault
};

// Throws Problem if the variant does not allow this shape. A fault of the kernel does not throw:
// the run has it, and all actions before it.
Simulation simulate(const catalogue::Variant& variant, const catalogue::Shape& asked,
                    const Options& options, const machine::Recording& recording = {});
// The same in parts: with a run that has not begun, if there is one, to go on with; what it came to
// is then judged by finish().
Simulation begun_simulation(Prepared ready, const Options& options,
                            const machine::Recording& recording);
void finish(Simulation& simulation);
inline constexpr std::uint64_t kPartActions = 2048;  // of such a part: some milliseconds

// The same as rows of the step view. Throws Problem for more than 4096 elements.
inline constexpr std::uint64_t kMostSteppedElements = 4096;
void check_steppable(std::uint64_t elements);  // throws Problem for more
analysis::StepTable table_of(const catalogue::Variant& variant, const Simulation& simulation,
                             const Options& options);
// What stopped a run, in the table of its rows.
void note_fault(analysis::StepTable& table, const machine::Fault& fault);
// What was run and its result, without the rows.
analysis::StepTable head_of(const catalogue::Variant& variant, const Simulation& simulation,
                            const Options& options);

}  // namespace lab::simulation
