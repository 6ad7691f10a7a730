#include "figures/scene/paragraph.h"

#include "base/text.h"

namespace lab::figures {
namespace {

// Ideographs, their signs, and full-width forms.
bool wide(char32_t code) {
    return (code >= 0x2E80 && code <= 0x9FFF) || (code >= 0xF900 && code <= 0xFAFF) ||
           (code >= 0xFF00 && code <= 0xFFEF);
}

bool closes(char32_t code) {
    constexpr std::u32string_view kClosing = U"，。、；：？！）》」』”’%.,:;!?)]";
    return kClosing.find(code) != std::u32string_view::npos;
}

bool opens(char32_t code) {
    constexpr std::u32string_view kOpening = U"（《「『“‘";
    return kOpening.find(code) != std::u32string_view::npos;
}

std::string without_blanks_before(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first);
}

}  // namespace

std::vector<std::string> pieces_of(const std::string& text) {
    std::vector<std::string> pieces{""};
    char32_t before = 0;
    for (const char32_t code : decode_utf8(text)) {
        const bool between_wide = (wide(code) || wide(before)) && before != U' ' && before != 0 &&
                                  !closes(code) && !opens(before);
        if ((code == U' ' && before != U' ') || (between_wide && code != U' '))
            pieces.emplace_back();
        append_utf8(pieces.back(), code);
        before = code;
    }
    return pieces;
}

std::vector<std::string> lines_of(const std::string& text, float width, float size, Face face,
                                  const Fonts& fonts) {
    std::vector<std::string> lines;
    std::string line;
    const auto end_line = [&] {
        if (!line.empty()) lines.push_back(fonts.shortened(line, width, size, face));
        line.clear();
    };
    for (const std::string& piece : pieces_of(text)) {
        if (!line.empty() && fonts.text_width(line + piece, size, face) > width) end_line();
        line += line.empty() ? without_blanks_before(piece) : piece;
    }
    end_line();
    return lines;
}

}  // namespace lab::figures
