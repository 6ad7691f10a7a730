// A shipped variant as a user kernel.
#pragma once

#include <string>

#include "catalogue/shape.h"
#include "catalogue/variant.h"
#include "simulation/user_kernel.h"

namespace lab::session {

std::string copy_name(const catalogue::Variant& variant);  // "relaunch-copy.cl"

// Plain OpenCL C, its macros written out as the shape has them, with the variant's first launch of
// `n` elements. Throws Problem where the variant cannot be launched so.
simulation::UserKernel plain_copy(const catalogue::Variant& variant, const catalogue::Shape& shape,
                                  std::uint64_t n);

}  // namespace lab::session
