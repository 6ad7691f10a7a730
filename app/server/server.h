// The OpenCL side's requests, in plain data: used by the command line, and by the app through the
// worker's pipe.
#pragma once

#include <functional>

#include "analysis/outcomes.h"
#include "analysis/step_table.h"
#include "catalogue/variant.h"
#include "measure/checks/check.h"
#include "measure/checks/record.h"
#include "measure/checks/trials.h"
#include "measure/timing/measure.h"
#include "results/device_info.h"
#include "simulation/user_kernel.h"
#include "worker/protocol.h"

namespace lab::server {

results::Devices devices();

// The per-pass states of a small reduction, read back from the device after each launch. Throws
// Problem; Exit::no_device without a device, Exit::kernel_fault for a kernel that does not build.
// `machine`: use its plan; empty: the device's.
analysis::StepTable step(const catalogue::Catalogue& catalogue, const std::string& variant,
                         const catalogue::Shape& shape,
                         const std::optional<analysis::MachineUsed>& machine = {});

results::Measurements measure(const catalogue::Catalogue& catalogue,
                              const results::MeasureRequest& request,
                              const std::function<void(const measure::MeasureProgress&)>& progress);

// The same for a user kernel, as its launch describes it.
results::Measurements measure(const simulation::UserKernel& kernel,
                              const results::MeasureRequest& request,
                              const std::function<void(const measure::MeasureProgress&)>& progress);

results::CheckReport check(const catalogue::Catalogue& catalogue,
                           const results::CheckRequest& request,
                           const measure::CheckProgress& on_progress);

results::Trials trials(const catalogue::Catalogue& catalogue, const results::TrialsRequest& request,
                       const std::function<void(const results::Trials&)>& on_progress);

results::Trials trials(const simulation::UserKernel& kernel, const results::TrialsRequest& request,
                       const std::function<void(const results::Trials&)>& on_progress = {});

// A run that comes out as wanted, recorded and replayed.
// A user kernel's rows on a device. Throws Problem for a launch that is too large for the
// simulator.
analysis::StepTable step(const simulation::UserKernel& kernel, const std::string& device);
results::Recorded record(const simulation::UserKernel& kernel,
                         const results::RecordRequest& request,
                         const std::function<void(const results::Recorded&)>& on_progress = {});
results::Recorded record(const catalogue::Catalogue& catalogue,
                         const results::RecordRequest& request,
                         const std::function<void(const results::Recorded&)>& on_progress);

// The methods of `reduction-lab-cli serve`: devices, step, measure, check, outcomes, trials,
// record. Each may be given "opened": [{"file", "text"}], kernels from elsewhere that it then
// knows, too; and measure "own", a user kernel, in place of the variants.
std::map<std::string, worker::Method> methods();

}  // namespace lab::server
