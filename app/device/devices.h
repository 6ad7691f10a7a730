// Finding devices.
#pragma once

#include <string>

#include "results/device_info.h"

namespace lab::device {

// All devices of all platforms. Never throws for what a machine may lack: that is in `problems`.
results::Devices find_devices();

}  // namespace lab::device
