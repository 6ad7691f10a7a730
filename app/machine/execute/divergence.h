// Barriers that not all work-items of a group reach, which OpenCL leaves undefined.
#pragma once

#include "machine/context.h"

namespace lab::machine {

// Throws Fault unless all lanes of a warp that stands at a barrier have reached it.
void check_warp(const Context& context, const Group& group, std::uint32_t warp);

// Throws Fault unless all warps of a group without running warps wait at the same place.
void check_group(const Context& context, const Group& group);

}  // namespace lab::machine
