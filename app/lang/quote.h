// Quotes a line of a text in messages and reports: as much of it as can be read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lab::lang {

// Gives the text as a terminal may have it: one ? for each character that could do more than be
// seen.
std::string harmless(std::string_view text);

struct QuotedLine {
    std::string text;   // the line; of a long one what is around the place, with ... at its ends
    std::string marks;  // ^~~~ below the place
};
// Columns count from 1, in bytes, as `length` does.
QuotedLine quote_line(std::string_view line, std::uint32_t column = 1, std::uint32_t length = 0);

}  // namespace lab::lang
