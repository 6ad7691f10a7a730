// Numbers at the end of a line of a kernel's text: how often it is executed, and its avoidable
// cost.
#pragma once

#include <cstdint>

#include "gui/shell/ui.h"

namespace lab::gui {

// For the machine's run; empty if it has nothing to tell of that line. `at`: the line's corner
// on screen, `right`: where the numbers end, `ground`: what the line stands on.
void line_margin(const Ui& ui, std::uint32_t number, ImVec2 point, float right,
                 figures::Role ground);

}  // namespace lab::gui
