// What check does beside whole results: small cases, the device's memory against the machine's.
#pragma once

#include <functional>
#include <vector>

#include "catalogue/variant.h"
#include "device/device.h"
#include "results/report.h"
#include "results/request.h"

namespace lab::measure {

// Adds to `line` what came of a few cases with the toggles of `set`: sums and one more operator of
// int, sums of float, as far as `request` asks for them. `in_time`: whether another may begin.
void check_passes(results::CheckLine& line, const device::Device& device,
                  const catalogue::Variant& variant, const std::map<std::string, std::string>& set,
                  const results::CheckRequest& request, const std::function<bool()>& in_time);

}  // namespace lab::measure
