// Runs a small reduction launch by launch, and reads the device's memory after each.
#pragma once

#include <cstdint>
#include <vector>

#include "catalogue/plan.h"
#include "device/device.h"

namespace lab::device {

inline constexpr std::uint64_t kMostSteppedElements = 4096;

// Runs the plan with `input`, and reads back the values that each launch shows: one entry per
// launch. Throws Problem for more than kMostSteppedElements, and if groups that wait for each other
// do not all run at once.
std::vector<catalogue::Values> run_steps(const Device& device, const catalogue::Variant& variant,
                                         const catalogue::Shape& shape, const catalogue::Plan& plan,
                                         const catalogue::Values& input);

}  // namespace lab::device
