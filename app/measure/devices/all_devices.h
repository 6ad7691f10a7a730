// Times one reduction that is split over several devices, and each device alone.
#pragma once

#include <functional>
#include <vector>

#include "measure/timing/measure.h"

namespace lab::measure {

// Like measure(), with one part of the elements per device: equal parts for devices of the same
// name, else in proportion to their speed in a short trial of the variant. Each device holds its
// part in its own memory. A joint run submits all launches, waits for all and combines the results
// on the host in the devices' order; then, in the same round, each device runs its part alone. A
// device that cannot run a variant is left out of its rows, with a note. There is no read ceiling,
// which is a property of one device. Throws Problem only if nothing can start.
results::Measurements measure_together(
    const std::vector<device::Device>& devices, const catalogue::Catalogue& catalogue,
    const results::MeasureRequest& request,
    const std::function<void(const MeasureProgress&)>& progress = {});

// The same on the requested devices; those that do not open are left out.
results::Measurements measure_together(
    const catalogue::Catalogue& catalogue, const results::MeasureRequest& request,
    const std::function<void(const MeasureProgress&)>& progress = {});

}  // namespace lab::measure
