// What a variant asks of a device, and whether the device has it.
#pragma once

#include <optional>

#include "base/problem.h"
#include "catalogue/plan.h"
#include "compute/device_info.h"

namespace lab::compute {

// Why the variant cannot run there with elements of that type; nothing if it can.
std::optional<Problem> lacking(const DeviceInfo& device, const Variant& variant, Type type);

Target target_of(const DeviceInfo& device);

}  // namespace lab::compute
