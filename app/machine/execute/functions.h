// The OpenCL C functions that depend on nothing but their arguments (1.2, sections 6.12.2 to
// 6.12.6), for one component. Values are as registers hold them: lang/code/value.h.
#pragma once

#include <cstdint>

#include "lang/tree/function.h"
#include "lang/tree/type.h"

namespace lab::machine {

using PureFunction = std::uint64_t (*)(std::uint64_t, std::uint64_t, std::uint64_t);

// For arguments of that type; for `upsample`, `ldexp` and the like, the first argument's. Never
// null: combinations that do not exist return 0.
PureFunction pure_function(lang::Fn fn, lang::Scalar type);

}  // namespace lab::machine
