// Converts numbers from one type to another (OpenCL C 1.2, section 6.2.3).
#pragma once

#include <cstdint>

#include "lang/code/value.h"
#include "lang/tree/type.h"

namespace lab::machine {

using lang::Rounding;

// Between any two number types of which one is floating, or to an integer with saturation. A value
// that does not fit an integer becomes the nearest that does (0 for NaN); OpenCL leaves it open.
std::uint64_t convert(std::uint64_t bits, lang::Scalar from, lang::Scalar to, Rounding rounding,
                      bool saturate);

using lang::half_of;
using lang::value_of_half;

}  // namespace lab::machine
