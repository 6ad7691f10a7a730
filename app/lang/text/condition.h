// Evaluates the expression of an #if.
#pragma once

#include <span>

#include "lang/text/diagnostics.h"
#include "lang/text/token.h"

namespace lab::lang {

// Whether the expression in `tokens` is nonzero: 64-bit integers, signed unless suffixed with u;
// names that are not macros are 0. Macros are expanded and `defined` evaluated before. `directive`
// is the place of the #if. Anything else is an error, and false.
bool holds(std::span<const Token> tokens, const Place& directive, Diagnostics& diagnostics);

}  // namespace lab::lang
