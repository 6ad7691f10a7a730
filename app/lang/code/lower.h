// Lowers a typed tree to code for the machine.
#pragma once

#include <string_view>

#include "lang/code/code.h"
#include "lang/text/diagnostics.h"
#include "lang/tree/tree.h"

namespace lab::lang {

inline constexpr std::size_t kMostInstructions = 200'000;
inline constexpr std::uint32_t kMostRegisters = 20'000;

// `kernel` must have a body. Errors: recursion, too much code or memory.
Code lower(const Tree& tree, const FunctionDefinition& kernel, Diagnostics& diagnostics);

}  // namespace lab::lang
