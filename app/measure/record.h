// Runs one small case until it comes out as wanted, with its accesses recorded, and has the
// simulator replay that run.
#pragma once

#include <functional>

#include "catalogue/kernel.h"
#include "device/device.h"
#include "results/report.h"
#include "results/request.h"

namespace lab::measure {

// Throws Problem if the kernel may not have that shape, its accesses cannot be recorded or are too
// many, or its groups are not co-resident. Where the right result is not known, a run is wrong if
// it ends otherwise than the simulator in its usual order. `on_progress` is called from time to
// time with the runs so far.
results::Recorded record(const device::Device& device, const catalogue::Kernel& kernel,
                         const results::RecordRequest& request,
                         const std::function<void(const results::Recorded&)>& on_progress = {});

// The seed of a run's waits, another one for each run.
std::uint32_t delay_seed(std::uint32_t seed, std::uint64_t run);

}  // namespace lab::measure
