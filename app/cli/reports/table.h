// A table of text.
#pragma once

#include <string>
#include <vector>

namespace lab::cli {

// Columns as wide as their widest entry; the first `left` of them to the left, others to the right.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t left);

}  // namespace lab::cli
