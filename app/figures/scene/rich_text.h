// Words in several styles, broken into lines together, for figures and sheets of paper.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "figures/scene/font.h"

namespace lab::figures {

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
