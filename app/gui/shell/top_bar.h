// The bar above the views: menu, tabs, the device, looks.
#pragma once

#include "gui/shell/ui.h"

namespace lab::gui {

void top_bar(Ui& ui, const Area& area);

}  // namespace lab::gui
