// Times kernels on a device, in turns with the read ceiling and loops on the host.
#pragma once

#include <functional>

#include "catalogue/plan.h"
#include "device/device.h"
#include "results/request.h"
#include "results/result.h"

namespace lab::measure {

struct MeasureProgress {
    std::size_t done = 0, total = 0;  // rows
    double seconds_left = 0;          // approximately
    const results::Measurements* results =
        nullptr;  // so far; of the rows, those of the size under way
};

// At each size every row takes one turn per round, so that drift (clocks, heat, other work) affects
// all alike. Compiling, filling and one warm-up run each are not timed; each run is checked against
// the host's reference, outside its time. A size ends after `repeat` rounds, or once all medians
// are as precise as requested; a row drops out when its time limit is used up. What cannot be
// measured becomes a Problem in the result; the others go on. Throws Problem only if nothing can
// start.
// Of a kernel by a form, which is measured alone, the launch is timed as it is.
results::Measurements measure(const device::Device& device,
                              const std::vector<const catalogue::Kernel*>& kernels,
                              const results::MeasureRequest& request,
                              const std::function<void(const MeasureProgress&)>& progress = {});

// The requested kernels of the catalogue, each once. Throws Problem for an unknown one, or a toggle
// that none has.
std::vector<const catalogue::Kernel*> chosen(const catalogue::Catalogue& catalogue,
                                             const results::MeasureRequest& request);

}  // namespace lab::measure
