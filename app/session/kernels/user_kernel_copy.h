// A shipped variant as a user kernel.
#pragma once

#include <string>

#include "catalogue/shape.h"
#include "catalogue/variant.h"
#include "simulation/user_kernel.h"

namespace lab::session {

std::string copy_name(const catalogue::Variant& variant);  // "relaunch-copy.cl"

// Plain OpenCL C with all macros expanded for the shape, and the variant's first launch for `n`
// elements. Throws Problem if the variant cannot be launched like that.
simulation::UserKernel plain_copy(const catalogue::Variant& variant, const catalogue::Shape& shape,
                                  std::uint64_t n);

}  // namespace lab::session
