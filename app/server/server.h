// What can be asked of the OpenCL side, in plain data: used by the command line, and behind the
// worker's pipe by the app.
#pragma once

#include <functional>

#include "catalogue/variant.h"
#include "results/device_info.h"
#include "analysis/outcomes/outcomes.h"
#include "analysis/rows/passes.h"
#include "measure/checks/check.h"
#include "measure/timing/measure.h"
#include "measure/checks/trials.h"
#include "worker/protocol.h"

namespace lab::service {

Devices devices();

// The per-pass states of a small reduction, read back from the device after each launch. Throws
// Problem; Exit::no_device without a device, Exit::kernel_fault for a kernel that does not build.
// `machine`: whose plan it is to be; nothing: the device's own.
Passes step(const Catalogue& catalogue, const std::string& variant, const Shape& shape,
            const std::optional<MachineUsed>& machine = {});

Measurements measure(const Catalogue& catalogue, const MeasureRequest& request,
                     const std::function<void(const MeasureProgress&)>& progress);

CheckReport check(const Catalogue& catalogue, const CheckRequest& request, const CheckTold& told);

Trials trials(const Catalogue& catalogue, const TrialsRequest& request,
              const std::function<void(const Trials&)>& told);

// Every result over all schedules of the machine: {"variant", "shape", "machine"}, or {"own",
// "machine"} for a kernel of one's own; "states", "bytes" and "samples" bound the search.
Outcomes outcomes(const Catalogue& catalogue, const nlohmann::json& asked,
                  const std::function<void(const Outcomes&)>& told);

// The methods of `reduction-lab-cli serve`: devices, step, measure, check, outcomes, trials. Each
// may be given "opened": [{"file", "text"}], kernels from elsewhere that it then knows, too.
std::map<std::string, worker::Method> methods();

}  // namespace lab::service
