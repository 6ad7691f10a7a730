// The picture of the glossary's shown word, at the moment at which its run is.
#pragma once

#include "gui/shell/ui.h"

namespace lab::gui {

// From the cursor on, as large as `room` (pixels) allows.
void word_picture(Ui& ui, ImVec2 room);
// Points that it is best given, of a card so wide.
float word_picture_height(const Ui& ui, std::size_t word);

}  // namespace lab::gui
