// Finding devices.
#pragma once

#include <string>

#include "results/device_info.h"

namespace lab::compute {

// All devices of all platforms. Never throws for what a machine may lack: that is in `problems`.
Devices find_devices();

}  // namespace lab::compute
