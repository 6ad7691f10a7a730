// Runs one small case many times: which results a device gives, and how often.
#pragma once

#include <functional>

#include "catalogue/variant.h"
#include "device/device.h"
#include "results/report.h"
#include "results/request.h"
#include "simulation/user_kernel.h"

namespace lab::measure {

// Throws Problem if the variant may not have that shape, or
// its groups are not co-resident. `on_progress` is called from time to time with the results so
// far.
results::Trials trials(const device::Device& device, const catalogue::Catalogue& catalogue,
                       const results::TrialsRequest& request,
                       const std::function<void(const results::Trials&)>& on_progress = {});
// The same for a user kernel: the request's variant and shape are not used. A result is the
// contents of all buffers, and right as record() has it.
results::Trials trials(const device::Device& device, const simulation::UserKernel& kernel,
                       const results::TrialsRequest& request,
                       const std::function<void(const results::Trials&)>& on_progress = {});

}  // namespace lab::measure
