// Text: UTF-8 that may be damaged, words between blanks, and whole numbers of any type.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lab {

struct CodePoint {
    char32_t value = 0;
    std::size_t length = 0;  // in bytes; 0 at the end of the text
    bool valid = false;      // else `value` is the one byte that begins no UTF-8 sequence
};
CodePoint first_code_point(std::string_view text);
// True if it is safe to print on a terminal: no control character, and none that changes the
// direction of the line.
bool printable(const CodePoint& point);
// True if a byte is within a character, not its first.
inline bool continues_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80;
}

// The code points of `text`; U+FFFD for each byte that is no part of a valid one.
std::u32string decode_utf8(std::string_view text);
// `code` must be a code point that decode_utf8 can give.
void append_utf8(std::string& text, char32_t code);
bool is_utf8(std::string_view text);

// Splits a text into lines, without their ends; the last is what follows the last line end.
std::vector<std::string_view> text_lines(std::string_view text);
std::string_view trimmed(std::string_view text);  // without blanks at both ends
// Splits at `at` and trims the parts; with `nested`, not inside brackets or parentheses.
std::vector<std::string> split(std::string_view text, char at, bool nested = false);
bool is_letter(char c);  // in a name: A to Z, a to z, _
// The first place from `at` on where `word` is not part of a longer name; npos if there is none.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t at = 0);
bool is_name(std::string_view text);                                  // as in C
std::string counted_text(std::size_t count, std::string_view thing);  // "1 row", "2 rows"
// Returns a field of a CSV file: quoted where RFC 4180 asks for it, and never a formula for a
// spreadsheet, which a name from a driver or a student might be.
std::string csv_field(std::string text);

// The number that is all of `text`, in decimal digits.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// Both numbers of "1600x1000".
std::optional<std::pair<int, int>> width_and_height(std::string_view text);

}  // namespace lab
