// Text broken into lines, for figures: a Scene's text has no line breaks.
#pragma once

#include <string>
#include <vector>

#include "figures/scene/font.h"

namespace lab::figures {

// What is never broken, each with the blanks before it: words, or single signs.
std::vector<std::string> pieces_of(const std::string& text);

// Broken between words, and where a script knows no blanks (Chinese) between any two signs, but
// never before a closing sign or a stop. A word that is wider than `width` (points) is shortened.
std::vector<std::string> lines_of(const std::string& text, float width, float size, Face face,
                                  const Fonts& fonts);

}  // namespace lab::figures
