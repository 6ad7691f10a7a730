// What a run of a user kernel left, in words.
#pragma once

#include <string>

#include "simulation/user_kernel.h"

namespace lab::cli {

// Its rows, where there are any, and its buffers.
std::string text_of(const simulation::UserKernelResult& result);

}  // namespace lab::cli
