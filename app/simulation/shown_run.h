// Chooses the run of a variant to show if the user chose no schedule, and compares the device with
// it.
#pragma once

#include <atomic>

#include "analysis/witness.h"
#include "simulation/simulate.h"
#include "simulation/user_kernel.h"

namespace lab::simulation {

struct ShownRun {
    Options options;  // to simulate() with
    analysis::Witness witness;
};

// `device`: its rows, or null. `automatic`: the user chose no order; then the schedule is
//
// - one that gives the device's rows, if such a one is found;
// - for a kernel that races by its header, one that goes wrong, if the device was lucky or there is
//   none, and such a one is found;
// - else that of `asked`.
//
// The search starts on the machine of `asked` and goes on with independent items and all groups at
// once, which is all that OpenCL guarantees. Throws Problem if the variant does not allow this
// shape, and like run_cancelled().
ShownRun shown_run(const catalogue::Variant& variant, const catalogue::Shape& shape,
                   const Options& asked, bool automatic, const analysis::StepTable* device,
                   const std::atomic<bool>* cancel = nullptr);
// The same for a user kernel, of which nobody knows how it goes wrong.
ShownRun shown_run(const UserKernel& kernel, const Options& asked, bool automatic,
                   const analysis::StepTable* device, const std::atomic<bool>* cancel = nullptr);

}  // namespace lab::simulation
