// Syntax colouring of a kernel's text.
#pragma once

#include <string_view>
#include <vector>

#include "catalogue/variant.h"
#include "figures/scene/palette.h"

namespace lab::gui {

struct TextPiece {
    std::string_view text;
    figures::Role role;
};

// Splits one line into coloured pieces. `in_comment` carries over from line to line; what varies
// (T, COMBINE, IDENTITY, the toggles of `variant`) is emphasised.
std::vector<TextPiece> pieces_of(std::string_view line, const catalogue::Variant* variant,
                                 bool& in_comment);

// The lines of a text without their ends; a text that ends a line ends in an empty one.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace lab::gui
