// The first device of the machine, opened once: for tests. PoCL is always there.
#pragma once

#include "device/device.h"

namespace lab::device {

inline const Device& first_device() {
    static const Device opened = open_device("");
    return opened;
}

// The release that is known to miscompile some of tests/kernels.
inline bool is_pocl3() {
    return first_device().info.platform == "Portable Computing Language" &&
           first_device().info.driver.starts_with("3.");
}

}  // namespace lab::device
