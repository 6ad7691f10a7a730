// What OpenCL drivers read from the environment.
#pragma once

namespace lab::device {

// Sets what makes a driver's times steadier, unless the user has set it: each of PoCL's threads
// stays on one processor. Otherwise two of them may wake up on the same one, and a run of less than
// a millisecond ends before the system separates them (on 2 processors: 44 GB/s instead of 29).
// Call before any thread is started or a device is asked for.
void suit_drivers();

}  // namespace lab::device
