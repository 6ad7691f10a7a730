// Text broken into lines, for figures: a Scene's text has no line breaks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "figures/font.h"
namespace lab::figures {

// Splits a text into what is never broken, each with the blanks before it: words, or single signs.
std::vector<std::string> pieces_of(const std::string& text);

// Broken between words, and where a script knows no blanks (Chinese) between any two signs, but
// never before a closing sign or a stop. A word that is wider than `width` (points) is shortened.
std::vector<std::string> lines_of(const std::string& text, float width, float size, Face face,
                                  const Fonts& fonts);

// Words in several styles, broken into lines together, for figures and sheets of paper.
struct StyledSpan {
    std::string text;  // UTF-8; blanks and line ends are the same
    Face face = Face::sans;
    Role role = Role::text;
    bool tinted = false;  // on an area, as code is
};

struct RichPart {
    float x = 0, width = 0;  // from the line's left end
    StyledSpan span;
};
using RichLine = std::vector<RichPart>;

// Lines no wider than `width`, broken as lines_of() breaks them: never within a word, whatever its
// styles. Typefaces of a fixed width are a little smaller than `size`, since they look larger.
std::vector<RichLine> rich_lines(std::span<const StyledSpan> spans, float width, float size,
                                 const Fonts& fonts);
// From `x`, with its baseline at `y`.
void add_line(Scene& scene, const RichLine& line, float x, float y, float size, const Fonts& fonts);

}  // namespace lab::figures
