// Timing one reduction that is split over several devices, beside each of them alone.
#pragma once

#include <functional>
#include <vector>

#include "measure/timing/measure.h"

namespace lab::measure {

// As measure(), with the elements of each size cut into a part a device: equal parts for devices of
// the same name, else as a short trial of the variant shows them to be fast. Each device holds its
// part in its own memory. A run together sends all launches off, waits for all and combines the
// results on the host in the devices' order; then, in the same round, each device runs its part
// alone. A device that cannot run a variant is left out of its rows, which is said. The read
// ceiling is of one device, so there is none. Throws Problem only where nothing can start.
results::Measurements measure_together(
    const std::vector<device::Device>& devices, const catalogue::Catalogue& catalogue,
    const results::MeasureRequest& request,
    const std::function<void(const MeasureProgress&)>& progress = {});

// The same on the devices that the request names; those that do not open are left out.
results::Measurements measure_together(
    const catalogue::Catalogue& catalogue, const results::MeasureRequest& request,
    const std::function<void(const MeasureProgress&)>& progress = {});

}  // namespace lab::measure
