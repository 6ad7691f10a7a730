// One small case, many times: which results a device gives, and how often.
#pragma once

#include <functional>

#include "catalogue/variant.h"
#include "device/device.h"
#include "results/report.h"
#include "results/request.h"

namespace lab {

// Throws Problem if the variant may not have that shape, or
// its groups are not co-resident. `told` now and then, the results so far.
Trials trials(const compute::Device& device, const Catalogue& catalogue,
              const TrialsRequest& request, const std::function<void(const Trials&)>& told = {});

}  // namespace lab
