// Shows a Scene in a window.
#pragma once

#include "figures/scene/scene.h"
#include "gui/shell/ui.h"

namespace lab::gui {

// The scene's upper left corner comes to `at` (pixels); nothing outside the clip rectangle is
// painted. The tip of the topmost shape under the mouse is returned; empty if there is none.
// `named` gets the name of the topmost one that has a name, and is left alone where there is none;
// `ringed`: the one that has the name which it came with gets a ring.
std::string_view paint(const Ui& ui, const figures::Scene& scene, ImDrawList& into, ImVec2 point,
                       std::string* named = nullptr, bool ringed = false);

// The place that a diagram took, `size` pixels from the cursor on: so that it has a name.
void diagram_item(const char* id, ImVec2 size);

// A tooltip with the text; none if it is empty.
void show_tip(const Ui& ui, std::string_view text);

// The scene in a child window of `size` (pixels), which scrolls where it is larger; the tip of what
// is under the mouse is shown.
void show_scene(const Ui& ui, const figures::Scene& scene, const char* id, ImVec2 size);

}  // namespace lab::gui
