// The name that a misspelt one may have been meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

// Of `known` the one that takes the fewest letters put in, left out, changed or swapped with their
// neighbour to become `word` (the optimal string alignment distance), if these are at most two and
// a third of its letters; empty if there is none.
std::string nearest(std::string_view word, std::span<const std::string> known);

// A hint for who wrote `word` where one of `known` belongs: "Did you mean min? Choose one of: add,
// min, max".
std::string choices_hint(std::string_view word, std::span<const std::string> known);

}  // namespace lab
