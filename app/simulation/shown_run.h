// Which run of a variant is shown where nobody chose its schedule, and what the device has to say.
#pragma once

#include <atomic>

#include "analysis/outcomes/witness.h"
#include "simulation/simulate.h"

namespace lab::simulation {

struct ShownRun {
    Options options;  // to simulate() with
    analysis::Witness witness;
};

// `device`: its rows, nothing if none was asked. `automatic`: nobody chose the order; then
//
// - it is the device's, where a schedule is found that gives the device's rows;
// - of a kernel that races by its header one that goes wrong, where the device was lucky or there
//   is none, and one is found;
// - else that of `asked`.
//
// The search begins on the machine of `asked` and goes on with independent items and all groups at
// once, which is all that OpenCL promises. Throws Problem where the variant cannot be run so, and
// as run_cancelled() does.
ShownRun shown_run(const catalogue::Variant& variant, const catalogue::Shape& shape,
                   const Options& asked, bool automatic, const analysis::StepTable* device,
                   const std::atomic<bool>* cancel = nullptr);

}  // namespace lab::simulation
