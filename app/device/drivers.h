// What OpenCL drivers read from the environment.
#pragma once

namespace lab::device {

// Sets what makes a driver's times steadier, unless the user has set it: PoCL's threads stay on one
// processor each. Else two of them wake up on the same one, and a run of less than a millisecond is
// over before the system parts them (measured on 2 processors: 44 GB/s for 29).
// To be called before there are threads, and before anything asks for a device.
void suit_drivers();

}  // namespace lab::device
