// The functions of OpenCL C that depend on nothing but their arguments (1.2, sections 6.12.2 to
// 6.12.6), for one component. Values are as registers hold them: lang/value.h.
#pragma once

#include <cstdint>

#include "lang/function.h"
#include "lang/type.h"

namespace lab::machine {

using PureFunction = std::uint64_t (*)(std::uint64_t, std::uint64_t, std::uint64_t);

// For arguments of that type; of `upsample`, `ldexp` and the like the first argument's. Never
// nothing: what has no such form gives 0.
PureFunction pure_function(lang::Fn fn, lang::Scalar type);

enum class Rounding : std::uint8_t { none, even, zero, up, down };

// Between any two types of numbers of which one is floating, or to an integer with saturation. What
// does not fit an integer gives the nearest that does (0 for NaN): OpenCL leaves it open.
std::uint64_t convert(std::uint64_t bits, lang::Scalar from, lang::Scalar to, Rounding rounding,
                      bool saturate);

}  // namespace lab::machine
