// Runs one small case many times: which results a device gives, and how often.
#pragma once

#include <functional>

#include "catalogue/kernel.h"
#include "device/device.h"
#include "results/report.h"
#include "results/request.h"

namespace lab::measure {

// Throws Problem if the kernel may not have that shape, or its groups are not co-resident. Where
// the right result is not known, a result is the contents of all buffers, and right as record() has
// it. `on_progress` is called from time to time with the results so far.
results::Trials trials(const device::Device& device, const catalogue::Kernel& kernel,
                       const results::TrialsRequest& request,
                       const std::function<void(const results::Trials&)>& on_progress = {});

}  // namespace lab::measure
