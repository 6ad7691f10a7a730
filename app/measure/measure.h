// Timing variants on a device.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "catalogue/plan.h"
#include "compute/device.h"
#include "measure/request.h"
#include "measure/result.h"

namespace lab {

struct MeasureProgress {
    std::size_t done = 0, total = 0;  // rows
    const Row* row = nullptr;         // the row just finished, if it could be measured
};

// Measures each variant at each size: compilation, filling, and a warm-up run outside the figures,
// then `repeat` runs, each checked against the host's reference. A row that cannot be measured
// becomes a Problem in the result; the others go on. Throws Problem only where nothing can start.
Measurements measure(const compute::Device& device, const Catalogue& catalogue,
                     const MeasureRequest& request,
                     const std::function<void(const MeasureProgress&)>& progress = {});

// The group that suits a variant measured on that device where none was asked for.
std::uint64_t standard_group(const DeviceInfo& device);

}  // namespace lab
