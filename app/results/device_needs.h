// What a variant needs, and whether a device has it, by what is known of the device.
#pragma once

#include <vector>

#include "catalogue/plan.h"
#include "results/device_info.h"

namespace lab::results {

bool is_nvidia(const DeviceInfo& device);

// Whether the device has what is needed, for elements of that type.
bool has(const DeviceInfo& device, catalogue::Need need, catalogue::Type type);

// What a computer with these devices lacks, the gravest first: any device at all; a GPU; a device
// with sub-groups.
enum class Missing { device, gpu, sub_groups };
std::vector<Missing> missing_on(const Devices& devices);

// What the variant needs with the shape's type and toggles, and the device lacks. Throws Problem
// for an unknown toggle.
std::vector<catalogue::Need> missing_needs(const DeviceInfo& device,
                                           const catalogue::Variant& variant,
                                           const catalogue::Shape& shape);

}  // namespace lab::results
