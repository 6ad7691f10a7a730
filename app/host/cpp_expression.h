// A header's expression as C++, and the functions that it then calls.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "catalogue/expression.h"

namespace lab::host {

// Binds tighter than any operator: an operand of * must be at least this.
inline constexpr int kFactor = 6;

// The expression as a C++ one of int64_t. Names in `numbers` are replaced by their number; where an
// operator binds less tightly than `least`, parentheses go around the whole.
std::string cpp_text(const catalogue::Expression& expression, const catalogue::Variables& numbers,
                     int least = 0);

// The variables and functions in it.
std::set<std::string> names_in(const catalogue::Expression& expression);

// The definitions of those of the functions that are among `names`.
std::string function_definitions(const std::set<std::string>& names);

}  // namespace lab::host
