// The words of a page: paragraphs of spans, as CommonMark has them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lab::lessons {

struct Span {
    std::string text;
    bool bold = false, italic = false, code = false;
    std::string link;  // an address; empty: none

    bool operator==(const Span&) const = default;
};

struct Paragraph {
    enum class Kind : std::uint8_t { plain, bullet, numbered } kind = Kind::plain;
    std::uint32_t number = 0;  // of a numbered one, from 1
    std::vector<Span> spans;
    // Where it begins in its file, from 1 (0: in none), and the places in its text, all spans in
    // one, at which a line of the file begins.
    std::uint32_t line = 0;
    std::vector<std::size_t> breaks = {};

    std::uint32_t line_at(std::size_t place) const;
    bool operator==(const Paragraph& other) const {
        return kind == other.kind && number == other.number && spans == other.spans;
    }
};
using Text = std::vector<Paragraph>;

// One plain paragraph; none if there is no text.
inline Text words_of(std::string text) {
    if (text.empty()) return {};
    return {{Paragraph::Kind::plain, 0, {{std::move(text), false, false, false, ""}}}};
}

// Without its styles.
std::string plain_text(const Paragraph& paragraph);
std::string plain_text(const Text& text);  // a line each

}  // namespace lab::lessons
