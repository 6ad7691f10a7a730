// The functions of OpenCL C that depend on nothing but their arguments (1.2, sections 6.12.2 to
// 6.12.6), for one component. Values are as registers hold them: lang/value.h.
#pragma once

#include <cstdint>

#include "lang/tree/function.h"
#include "lang/tree/type.h"

namespace lab::machine {

using PureFunction = std::uint64_t (*)(std::uint64_t, std::uint64_t, std::uint64_t);

// For arguments of that type; of `upsample`, `ldexp` and the like the first argument's. Never
// nothing: what has no such form gives 0.
PureFunction pure_function(lang::Fn fn, lang::Scalar type);

}  // namespace lab::machine
