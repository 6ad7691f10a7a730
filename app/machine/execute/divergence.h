// Barriers and calls that not all work-items of a group or sub-group reach, though all of them
// must: OpenCL leaves undefined what comes of it.
#pragma once

#include "machine/context.h"

namespace lab::machine {

// Throws Fault unless all lanes of a warp have come to where it stands.
void check_warp(const Context& context, const Group& group, std::uint32_t warp);

// Throws Fault unless lane `from`, whose value `lane` takes there, has come, too.
void check_source(const Context& context, const Group& group, std::uint32_t warp,
                  std::uint32_t lane, std::uint64_t from);

// Throws Fault unless all warps of a group without running warps wait at the same place.
void check_group(const Context& context, const Group& group);

}  // namespace lab::machine
