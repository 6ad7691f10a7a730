// The ways in which a text can get shorter.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lab::differential {

std::vector<std::string> lines_of(const std::string& text);
std::string text_of(const std::vector<std::string>& lines);

// Whether lines [first, last) can go: brackets in them balance, and a line to keep is among them
// only together with the block around it.
bool removable(const std::vector<std::string>& lines, std::size_t first, std::size_t last);

// The line after that which closes the block which line `first` opens; `first` if it opens none.
std::size_t block_end(const std::vector<std::string>& lines, std::size_t first);

// Whether parts of this line may be replaced.
bool has_expressions(const std::string& line);

// Shorter forms of one line, each with one part replaced: a parenthesised part by one of its
// operands or by 1, a call by one of its arguments, a right-hand side likewise. Longer parts first.
std::vector<std::string> simpler(const std::string& line);

}  // namespace lab::differential
