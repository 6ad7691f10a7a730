// Timing variants on a device, in turns with the read ceiling and the host's own loops.
#pragma once

#include <functional>

#include "catalogue/plan.h"
#include "device/device.h"
#include "results/request.h"
#include "results/result.h"

namespace lab::measure {

struct MeasureProgress {
    std::size_t done = 0, total = 0;  // rows
    double seconds_left = 0;          // about
    const results::Measurements* results =
        nullptr;  // so far; of the rows, those of the size under way
};

// At each size every row takes one turn a round, so that whatever drifts (clocks, heat, other work)
// drifts under all of them alike. Compilation, filling and one warm-up run each stay outside the
// figures; each run is checked against the host's reference, outside its time. A size ends after
// `repeat` rounds, or once all medians are as precise as asked; a row leaves it once it has used up
// its limit. What cannot be measured becomes a Problem in the result; the others go on. Throws
// Problem only where nothing can start.
results::Measurements measure(const device::Device& device, const catalogue::Catalogue& catalogue,
                              const results::MeasureRequest& request,
                              const std::function<void(const MeasureProgress&)>& progress = {});

}  // namespace lab::measure
