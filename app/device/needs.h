// What a variant needs from a device, and whether the device has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/problem.h"
#include "catalogue/plan.h"
#include "results/device_info.h"

namespace lab::device {

// Why the variant cannot run there with the shape's type and toggles; empty if it can.
std::optional<Problem> lacking(const results::DeviceInfo& device, const catalogue::Kernel& variant,
                               const catalogue::Shape& shape);

// As headers name them in `shape` lines, the general kind first: {"gpu", "nvidia"}, and with
// elements of 64 bits {"gpu", "gpu-64", "nvidia", "nvidia-64"}.
std::vector<std::string> kinds_of(const results::DeviceInfo& device, catalogue::Type type);

// What a plan may know about the device. `kernel_group`: from Program, for a built kernel.
catalogue::Target target_of(const results::DeviceInfo& device,
                            std::uint64_t kernel_group = UINT64_MAX);

}  // namespace lab::device
