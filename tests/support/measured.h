// Measures kernels of a catalogue on the first device, for tests.
#pragma once

#include <functional>

#include "device/measure.h"
#include "support/first_device.h"

namespace lab::device {

inline results::Measurements measured(
    const catalogue::Catalogue& catalogue, const results::MeasureRequest& request,
    const std::function<void(const MeasureProgress&)>& progress = {}) {
    return measure(device::first_device(), chosen(catalogue, request), request, progress);
}

}  // namespace lab::device
