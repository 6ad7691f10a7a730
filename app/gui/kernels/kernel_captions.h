// What the words of a kernel's text are, for their colours.
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

// One line in pieces, one after another. `in_comment` goes on from line to line; what varies (T,
// COMBINE, IDENTITY, the toggles of `variant`) stands out.
std::vector<TextPiece> pieces_of(std::string_view line, const catalogue::Variant* variant,
                                 bool& in_comment);

// The lines of a text without their ends; a text that ends a line ends in an empty one.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace lab::gui
