// What an #if says.
#pragma once

#include <span>

#include "lang/text/diagnostics.h"
#include "lang/text/token.h"

namespace lab::lang {

// Whether the expression of `tokens` is not zero: integers of 64 bits, signed unless they have a
// u; names that are no macros are 0. Macros are expanded and `defined` decided before. `directive`
// is the place of the #if. What is no such expression is an error, and false.
bool holds(std::span<const Token> tokens, const Place& directive, Diagnostics& diagnostics);

}  // namespace lab::lang
