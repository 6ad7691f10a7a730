// The log of all problems, below the views while it is shown.
#pragma once

#include "gui/shell/ui.h"

namespace lab::gui {

void log_panel(Ui& ui, const Area& area);
float log_height(const Ui& ui);  // pixels that it takes while it is shown

}  // namespace lab::gui
