// The panel of the devices view.
#pragma once

#include "gui/shell/window_view.h"

namespace lab::gui {

void device_list(Ui& ui, const Area& area);

}  // namespace lab::gui
