// The bar above the views: menu, tabs, the device, looks.
#pragma once

#include "gui/ui.h"
namespace lab::gui {

void top_bar(Ui& ui, const Area& area);

// Notices: short messages that fade, problems that belong to no view, hints.

void notices(Ui& ui);

// In the right column, for views that have one.
float right_column_width(const Ui& ui);
bool has_right_column(const Ui& ui);

// Pixels that a short message or the hint takes: below the right column, else at the lower edge; 0
// where there is neither, and for a short message that floats, for there was no hint in its place.
float strip_height(const Ui& ui);

}  // namespace lab::gui
