// Barriers that not all work-items of a group come to: OpenCL leaves open what happens then.
#pragma once

#include "machine/context.h"

namespace lab::machine {

// Throws Fault unless all lanes of a warp that stands at a barrier have come to it.
void check_warp(const Context& context, const Group& group, std::uint32_t warp);

// Throws Fault unless all warps of a group in which none runs wait at one place.
void check_group(const Context& context, const Group& group);

}  // namespace lab::machine
