// UTF-8 characters of a text that may hold any bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace lab::lang {

struct CodePoint {
    char32_t value = 0;
    std::size_t length = 0;  // in bytes; 0 at the end of the text
    bool valid = false;      // else `value` is the one byte that begins no UTF-8 sequence
};

CodePoint first_code_point(std::string_view text);

// Whether it is safe to print on a terminal: no control character, and none that changes the
// direction of the line.
bool printable(const CodePoint& point);

}  // namespace lab::lang
