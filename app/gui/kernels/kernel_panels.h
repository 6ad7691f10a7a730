// The list of kernels, their titles, and the editor of user kernels.
#pragma once

#include <string>

#include "gui/shell/ui.h"

namespace lab::gui {

void variant_list(Ui& ui, const Area& area);
// The same over the view, where there is no room for it beside the diagram.
void variant_overlay(Ui& ui);
// The title of what is shown, in at most `room` pixels; where the list is folded, the button that
// opens it. Returns the pixels that it takes.
float kernel_title(Ui& ui, const std::string& title, float room);
// What the run is, muted, on the title's line in at most `room` pixels; nothing where that is too
// little.
void beside_title(const Ui& ui, const std::string& text, float room);
// The text of a kernel that is open, to be edited; `line`: of the run's last action, 0: none.
void user_kernel_editor(Ui& ui, ImVec2 size, std::uint32_t line);

// The choice: a variant's title, or a user kernel's file.
std::string chosen_title(const Ui& ui);
// A variant's title in the user's language.
std::string title_of(const Ui& ui, const catalogue::Variant& variant);

}  // namespace lab::gui
