// What check does beside whole results: small cases, the device's memory against the machine's.
#pragma once

#include <functional>
#include <vector>

#include "catalogue/variant.h"
#include "device/device.h"
#include "results/report.h"
#include "results/request.h"

namespace lab {

// Adds to `line` what came of a few cases with the toggles of `set`: sums and one more operator of
// int, sums of float, as far as `request` asks for them. `in_time`: whether another may begin.
void check_passes(CheckLine& line, const compute::Device& device, const Variant& variant,
                  const std::map<std::string, std::string>& set, const CheckRequest& request,
                  const std::function<bool()>& in_time);

}  // namespace lab
