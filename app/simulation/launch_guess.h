// A launch for a kernel of which nothing is known but its text, found by running it.
#pragma once

#include "simulation/simulate.h"
#include "simulation/user_kernel.h"

namespace lab::simulation {

// What of the launch is not given is guessed from the text, as fit_launch() does; then runs on the
// simulator show where that is too little. A buffer that is too short for the kernel is made
// longer, and numbers that lead an index astray become 0 or 1. Unchanged if the text does not
// compile, or has several kernels of which none is named. The launch may still fault.
UserKernel guessed_launch(UserKernel kernel, const Options& machine);

// "--global 64 --local 16 --arg data:int[64]=ramp", for the command line.
std::string launch_text(const UserKernel& kernel);

}  // namespace lab::simulation
