// Numbers as people write them: sizes ("2^20", "10Mi", "1e6"), ranges of sizes, lists of values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/index_space.h"
#include "catalogue/element.h"

namespace lab::catalogue {

// A count: digits, 2^20, 10Ki / 10Mi / 10Gi, 10k / 10M / 10G, 1e6. Throws Problem, of `where`: the
// option that was given.
std::uint64_t parse_size(std::string_view text, std::string_view where = {});

// Counts with x between them, one for each dimension: "64", "8x4", "2^10x16". Throws Problem.
Extent parse_extent(std::string_view text);

// Sizes, ascending and without repeats: a list "1000, 2^20", and ranges by doubling "2^16..2^26"
// (both ends included). Throws Problem.
std::vector<std::uint64_t> parse_sizes(std::string_view text);

// Group sizes, "1024,64,32", each once; empty for an empty text. Throws Problem.
std::vector<std::uint64_t> parse_groups(std::string_view text);

// The numbers in `text`, separated by blanks, line ends, commas or semicolons. Throws Problem with
// where = `name`:line:column for the first that is not a number, or does not fit the type.
Values parse_values(std::string_view text, Type type, std::string_view name);

std::string bytes_text(std::uint64_t bytes);  // "48 KiB", to four digits
std::string figure_text(double value);        // four digits, without an exponent: "0.4063", "2640"
std::string size_text(std::uint64_t n);       // "64 Mi", "1000": the shortest exact form

}  // namespace lab::catalogue
