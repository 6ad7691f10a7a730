// What belongs to a line of a kernel's text wherever it stands: the numbers at its end, how often
// it is executed and its avoidable cost; and that it is pointed at.
#pragma once

#include <cstdint>

#include "gui/shell/ui.h"

namespace lab::gui {

// For the machine's run; empty if it has nothing to tell of that line. `at`: the line's corner
// on screen, `right`: where the numbers end, `ground`: what the line stands on.
void line_margin(const Ui& ui, std::uint32_t number, ImVec2 point, float right,
                 figures::Role ground);

// Before the line is drawn from `point` to `right`: a light ground where it, or what it has to do
// with, is pointed at; whether there is one.
bool line_place(const Ui& ui, std::uint32_t number, ImVec2 point, float right);

}  // namespace lab::gui
