// Chooses the run of a kernel to show if the user chose no schedule, and compares the device with
// it.
#pragma once

#include <atomic>

#include "analysis/witness.h"
#include "simulation/simulate.h"

namespace lab::simulation {

struct ShownRun {
    SimulatorOptions options;  // to simulate() with
    analysis::Witness witness;
};

// `device`: its rows, or null. `automatic`: the user chose no order; then the schedule
// is
//
// - the one that the device recorded, if the rows differ from those of `asked`;
// - for a kernel that races by its header, one that goes wrong, if the device was lucky or there is
//   none, and such a one is found;
// - else that of `asked`.
//
// A recorded run is one of independent items, all groups at once, which is all that OpenCL
// guarantees; the search for one that goes wrong starts on the machine of `asked` and goes on with
// these. Throws Problem if the kernel does not allow this shape, and like run_cancelled().
ShownRun shown_run(const RunSpec& asked, bool automatic, const analysis::StepTable* device,
                   const std::atomic<bool>* cancel = nullptr);

}  // namespace lab::simulation
