#include "base/text.h"

#include <algorithm>
#include <array>

namespace lab {

CodePoint first_code_point(std::string_view text) {
    if (text.empty()) return {};
    const unsigned lead = static_cast<unsigned char>(text[0]);
    const CodePoint broken{lead, 1, false};
    if (lead < 0x80) return {lead, 1, true};
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return broken;

    char32_t value = lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if (!continues_character(text[i])) return broken;
        value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3fU);
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

std::u32string decode_utf8(std::string_view text) {
    std::u32string codes;
    codes.reserve(text.size());
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        codes.push_back(point.valid ? point.value : U'\uFFFD');
        text.remove_prefix(point.length);
    }
    return codes;
}

void append_utf8(std::string& text, char32_t code) {
    if (code < 0x80) {
        text += static_cast<char>(code);
        return;
    }
    unsigned left = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes after the first
    text += static_cast<char>((0xFF00U >> (left + 1)) | (code >> (6 * left)));
    while (left-- > 0)
        text += static_cast<char>(0x80U | ((code >> (6 * left)) & 0x3FU));
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        if (!point.valid) return false;
        text.remove_prefix(point.length);
    }
    return true;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string> split(std::string_view text, char at, bool nested) {
    std::vector<std::string> parts;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && (text[i] == '(' || text[i] == '[')) ++depth;
        if (i < text.size() && (text[i] == ')' || text[i] == ']')) --depth;
        if (i < text.size() && (text[i] != at || (nested && depth > 0))) continue;
        parts.emplace_back(trimmed(text.substr(start, i - start)));
        start = i + 1;
    }
    return parts;
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::size_t find_word(std::string_view text, std::string_view word, std::size_t at) {
    const auto is_part = [&](std::size_t i) {
        return i < text.size() && (is_letter(text[i]) || (text[i] >= '0' && text[i] <= '9'));
    };
    for (at = text.find(word, at); at != std::string_view::npos; at = text.find(word, at + 1))
        if ((at == 0 || !is_part(at - 1)) && !is_part(at + word.size())) return at;
    return std::string_view::npos;
}

bool is_name(std::string_view text) {
    return !text.empty() && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(),
                       [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

std::optional<std::pair<int, int>> width_and_height(std::string_view text) {
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos) return std::nullopt;
    const auto width = parse_number<int>(text.substr(0, cross));
    const auto height = parse_number<int>(text.substr(cross + 1));
    return width && height ? std::optional(std::pair(*width, *height)) : std::nullopt;
}

std::vector<std::string_view> text_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

std::string counted_text(std::size_t count, std::string_view thing) {
    return std::to_string(count).append(" ").append(thing).append(count == 1 ? "" : "s");
}

std::string csv_field(std::string text) {
    constexpr std::string_view kFormula = "=+-@\t\r";
    if (!text.empty() && kFormula.find(text.front()) != std::string_view::npos)
        text.insert(text.begin(), '\'');
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

}  // namespace lab
