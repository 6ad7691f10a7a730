// What printf prints, as its format says (OpenCL C 1.2, section 6.12.13).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lang/tree/type.h"

namespace lab::lang {

// Literal text, then maybe a value.
struct PrintPart {
    std::string text;
    std::string form;            // flags, width and precision: "-08.3"
    char conversion = 0;         // 'd', 'f', …; 0: no value
    bool is_vector = false;      // %v4…
    std::uint8_t width = 1;      // components
    std::uint8_t narrow = 0;     // bytes that an integer is cut to; 0: not
    Scalar type = Scalar::int_;  // of the value, once it is known
};
using PrintFormat = std::vector<PrintPart>;

// `wrong`: what is wrong with the format, or empty. Widths are bounded, so that the text is.
PrintFormat parse_print_format(std::string_view text, std::string& wrong);

// A text by %s, with its width and precision.
std::string padded(const std::string& text, const std::string& form);

inline bool is_floating_conversion(char conversion) {
    return std::string_view("fFeEgGaA").find(conversion) != std::string_view::npos;
}

}  // namespace lab::lang
