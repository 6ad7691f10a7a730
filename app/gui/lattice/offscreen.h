// Draws offscreen: pixels for a file.
#pragma once

#include <imgui.h>

#include <functional>

#include "figures/painters/png_pixels.h"
#include "figures/scene/palette.h"

namespace lab::gui {

// What `paint` draws within the rectangle, over `ground`, in the window's own pixels; the rectangle
// may reach beyond the window's right and lower edges. Needs a frame that has begun; the screen
// stays as it is. Throws Problem where GL cannot.
figures::Pixels draw_offscreen(ImVec2 point, ImVec2 size, const figures::Colour& ground,
                               const std::function<void(ImDrawList&)>& paint);

}  // namespace lab::gui
