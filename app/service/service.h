// What can be asked of the OpenCL side, in plain data: used by the command line, and behind the
// worker's pipe by the app.
#pragma once

#include <functional>

#include "catalogue/variant.h"
#include "compute/device_info.h"
#include "insight/passes.h"
#include "measure/measure.h"
#include "worker/protocol.h"

namespace lab::service {

Devices devices();

// The per-pass states of a small reduction, read back from the device after each launch. Throws
// Problem; Exit::no_device without a device, Exit::kernel_fault for a kernel that does not build.
Passes step(const Catalogue& catalogue, const std::string& variant, const Shape& shape);

Measurements measure(const Catalogue& catalogue, const MeasureRequest& request,
                     const std::function<void(const MeasureProgress&)>& progress);

// The methods of `reduction-lab-cli serve`: devices, step, measure.
std::map<std::string, worker::Method> methods();

}  // namespace lab::service
