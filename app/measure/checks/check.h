// Every variant held against the host: many operators, types, sizes and groups, and whether what
// its header promises is what the device gives.
#pragma once

#include <functional>

#include "catalogue/variant.h"
#include "device/device.h"
#include "results/report.h"
#include "results/request.h"

namespace lab::measure {

// A finished line, which is the report's last so far; `total`: how many there will be.
using CheckProgress = std::function<void(const results::CheckReport& report, std::size_t total)>;

// What the request leaves open is filled in: all operators and types
// with the toggles at their defaults, int and float sums with each other value of a toggle; sizes
// from 0 to 2^20 + 1; groups of 8, 64 and what suits the variant.
results::CheckReport check(const device::Device& device, const catalogue::Catalogue& catalogue,
                           const results::CheckRequest& request,
                           const CheckProgress& on_progress = {});

}  // namespace lab::measure
