// Converts numbers from one type to another (OpenCL C 1.2, section 6.2.3).
#pragma once

#include <cstdint>

#include "lang/tree/type.h"

namespace lab::machine {

enum class Rounding : std::uint8_t { none, even, zero, up, down };

// Between any two number types of which one is floating, or to an integer with saturation. A value
// that does not fit an integer becomes the nearest that does (0 for NaN); OpenCL leaves it open.
std::uint64_t convert(std::uint64_t bits, lang::Scalar from, lang::Scalar to, Rounding rounding,
                      bool saturate);

// The bits of a half: the nearest one, or that on the asked side.
std::uint64_t half_of(double value, Rounding rounding);
float value_of_half(std::uint16_t bits);

}  // namespace lab::machine
