// Parses tokens into a typed tree.
#pragma once

#include <memory>

#include "lang/text/diagnostics.h"
#include "lang/text/token.h"
#include "lang/tree/tree.h"

namespace lab::lang {

// The whole program, or what could be read if `diagnostics` has failed. Bounded for any tokens.
std::unique_ptr<Tree> parse(const std::vector<Token>& tokens, Diagnostics& diagnostics);

}  // namespace lab::lang
