// The pass-by-pass part of check: small cases, the device's memory compared with the machine's.
#pragma once

#include <functional>
#include <vector>

#include "catalogue/variant.h"
#include "device/device.h"
#include "results/report.h"
#include "results/request.h"

namespace lab::measure {

// Adds the findings of a few cases with the toggles `set` to `line`: sums and another operator of
// int, and sums of float, if `request` includes them. `in_time`: whether another case may start.
void check_passes(results::CheckLine& line, const device::Device& device,
                  const catalogue::Variant& variant, const std::map<std::string, std::string>& set,
                  const results::CheckRequest& request, const std::function<bool()>& in_time);

}  // namespace lab::measure
