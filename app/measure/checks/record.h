// Runs one small case until it comes out as wanted, with its accesses recorded, and has the
// simulator replay that run.
#pragma once

#include <functional>

#include "catalogue/variant.h"
#include "device/device.h"
#include "results/report.h"
#include "results/request.h"
#include "simulation/user_kernel.h"

namespace lab::measure {

// Throws Problem if the variant may not have that shape, its accesses cannot be recorded or are too
// many, or its groups are not co-resident. `on_progress` is called from time to time with the runs
// so far.
results::Recorded record(const device::Device& device, const catalogue::Catalogue& catalogue,
                         const results::RecordRequest& request,
                         const std::function<void(const results::Recorded&)>& on_progress = {});

// The same for a user kernel: the request's variant and shape are not used. The right
// result is not known: a run is wrong if it ends otherwise than the simulator in its usual order.
results::Recorded record(const device::Device& device, const simulation::UserKernel& kernel,
                         const results::RecordRequest& request,
                         const std::function<void(const results::Recorded&)>& on_progress = {});

// The seed of a run's waits, another one for each run.
std::uint32_t delay_seed(std::uint32_t seed, std::uint64_t run);

}  // namespace lab::measure
