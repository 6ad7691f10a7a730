// The bar above the views: menu, tabs, the device, looks.
#pragma once

#include "gui/shell/window_view.h"

namespace lab::gui {

void top_bar(Ui& ui, const Area& area);

}  // namespace lab::gui
