// Times a user kernel as its launch describes it.
#pragma once

#include "measure/timing/rounds.h"
#include "simulation/user_kernel.h"

namespace lab::measure {

// One row, `expect` "unknown": what the right result is nobody knows, so there is no verdict. Its
// `bytes` are those of its buffers; `result` is what the device left in those that it may write,
// `expected` what the simulator did if the launch is small enough to ask (the same text if both
// agree), else empty. Of the request the runs count, not the variants or sizes. Throws Problem if
// the text does not compile, arguments are missing or do not fit, the device does not take the
// launch, or the simulator stops the kernel for a fault.
results::Measurements measure_user_kernel(const device::Device& device,
                                          const simulation::UserKernel& kernel,
                                          results::MeasureRequest request,
                                          const OnMeasureProgress& on_progress = {});

}  // namespace lab::measure
