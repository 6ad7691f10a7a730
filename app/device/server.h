// The OpenCL side's requests, in plain data: used by the command line, and by the app through the
// worker's pipe.
#pragma once

#include <functional>

#include "analysis/outcomes.h"
#include "analysis/step_table.h"
#include "catalogue/kernel.h"
#include "device/check.h"
#include "device/measure.h"
#include "results/device_info.h"
#include "worker/protocol.h"

namespace lab::device {

results::Devices devices();

// The rows of a small run on the device. Throws Problem; Exit::no_device without a device,
// Exit::kernel_fault for a kernel that does not build. `machine`: use its plan; empty: the
// device's.
analysis::StepTable step(const catalogue::Kernel& kernel, const catalogue::Shape& shape,
                         const std::optional<analysis::MachineUsed>& machine = {});

results::Measurements measure(const std::vector<const catalogue::Kernel*>& kernels,
                              const results::MeasureRequest& request,
                              const std::function<void(const MeasureProgress&)>& progress);

results::CheckReport check(const catalogue::Catalogue& catalogue,
                           const results::CheckRequest& request, const CheckProgress& on_progress);

results::Trials trials(const catalogue::Kernel& kernel, const results::TrialsRequest& request,
                       const std::function<void(const results::Trials&)>& on_progress = {});

// A run that comes out as wanted, recorded and replayed.
results::Recorded record(const catalogue::Kernel& kernel, const results::RecordRequest& request,
                         const std::function<void(const results::Recorded&)>& on_progress = {});

// The methods of `reduction-lab-cli serve`: devices, step, measure, check, outcomes, trials,
// record. Each may be given "opened": [{"file", "text"}], kernels from elsewhere that it then
// knows, too, or one where one run is asked for; and all but devices and check "own", a form, in
// place of a variant.
std::map<std::string, worker::Method> methods();

}  // namespace lab::device
