// Backgrounds of panels. They are most of a window's pixels: cleared, not drawn, since software GL
// clears many times faster than it blends.
#pragma once

#include <imgui.h>

namespace lab::gui {

// Fills the rectangle within the list's clip rectangle with an opaque colour.
void fill_area(ImDrawList& into, ImVec2 low, ImVec2 high, ImU32 colour);

// The same with round corners, `radius` pixels.
void fill_round(ImDrawList& into, ImVec2 low, ImVec2 high, ImU32 colour, float radius);

}  // namespace lab::gui
