// Guesses which name a misspelt one was meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

// The name in `known` that needs the fewest edits to become `word` (letters inserted, removed,
// changed, or swapped with their neighbour: the optimal string alignment distance); empty if none
// is within two edits and a third of the letters of `word`.
std::string nearest(std::string_view word, std::span<const std::string> known);

// A hint for a user who wrote `word` where one of `known` belongs: "Did you mean min? Choose one
// of: add, min, max".
std::string choices_hint(std::string_view word, std::span<const std::string> known);

}  // namespace lab
