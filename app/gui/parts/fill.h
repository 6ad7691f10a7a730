// Grounds of panels. They are most of a window's pixels: cleared, not drawn, since GL without a
// graphics card clears many times faster than it blends.
#pragma once

#include <imgui.h>

namespace lab::gui {

// The part of the rectangle that the list's clip rectangle leaves, in `colour`, which is opaque.
void fill_area(ImDrawList& into, ImVec2 low, ImVec2 high, ImU32 colour);

// The same with round corners, `radius` pixels.
void fill_round(ImDrawList& into, ImVec2 low, ImVec2 high, ImU32 colour, float radius);

}  // namespace lab::gui
