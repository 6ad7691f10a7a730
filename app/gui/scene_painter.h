// Shows a Scene in a window.
#pragma once

#include "draw/scene.h"
#include "gui/ui.h"

namespace lab::gui {

// The scene's upper left corner comes to `at` (pixels); nothing outside the clip rectangle is
// painted. The tip of the topmost shape under the mouse is returned; empty if there is none.
std::string_view paint(const Ui& ui, const draw::Scene& scene, ImDrawList& into, ImVec2 at);

}  // namespace lab::gui
