// Tokens to a typed tree.
#pragma once

#include <memory>

#include "lang/text/diagnostics.h"
#include "lang/text/token.h"
#include "lang/tree/tree.h"

namespace lab::lang {

// The whole program; what could be read where `diagnostics` has failed. Bounded on any tokens.
std::unique_ptr<Tree> parse(const std::vector<Token>& tokens, Diagnostics& diagnostics);

}  // namespace lab::lang
