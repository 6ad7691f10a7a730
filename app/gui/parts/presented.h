// What a view consists of while it is presented: a heading, the picture, a sentence in large
// letters.
#pragma once

#include <functional>
#include <string>

#include "gui/parts/widgets.h"

namespace lab::gui {

struct Presented {
    std::string title;
    std::string position;  // "pass 2 of 3"; empty: there are no steps
    std::string sentence;  // empty: none
    Tone tone = Tone::plain;
    std::string longest;  // the longest sentence that may come: room is kept for it
    std::function<void(ImVec2 room)> picture;  // pixels
};

// In a child window's room.
void draw_presented(Ui& ui, const Presented& what);

}  // namespace lab::gui
