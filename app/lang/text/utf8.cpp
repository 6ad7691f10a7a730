#include "lang/text/utf8.h"

#include <array>

namespace lab::lang {
namespace {

unsigned byte_at(std::string_view text, std::size_t index) {
    return static_cast<unsigned char>(text[index]);
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
    if (text.empty()) return {};
    const unsigned lead = byte_at(text, 0);
    const CodePoint broken{lead, 1, false};
    if (lead < 0x80) return {lead, 1, true};
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return broken;

    char32_t value = lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte_at(text, i) & 0xc0U) != 0x80) return broken;
        value = value << 6 | (byte_at(text, i) & 0x3fU);
    }
    // Overlong forms, surrogates and what lies beyond Unicode.
    constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
    if (value < kLeast[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return broken;
    return {value, length, true};
}

bool printable(const CodePoint& point) {
    const char32_t c = point.value;
    if (!point.valid || c < 0x20 || (c >= 0x7f && c < 0xa0)) return false;
    const bool turns_the_line = c == 0x061c || (c >= 0x200e && c <= 0x200f) ||
                                (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    return !turns_the_line;
}

}  // namespace lab::lang
