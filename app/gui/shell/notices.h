// Notices: short messages that fade, problems that belong to no view, hints.
#pragma once

#include "gui/shell/ui.h"

namespace lab::gui {

void notices(Ui& ui);

// In the right column, for views that have one.
float right_column_width(const Ui& ui);
bool has_right_column(const Ui& ui);

// Pixels that the hint takes: below the right column, else at the lower edge; 0 where there is
// none.
float hint_height(const Ui& ui);
// … and that short messages take between the right column and the hint; 0 where they float, for
// there is no right column.
float toasts_height(const Ui& ui);

}  // namespace lab::gui
