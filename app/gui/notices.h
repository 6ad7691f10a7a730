// What the app says without being asked: short messages that fade, problems of no view, hints.
#pragma once

#include "gui/ui.h"

namespace lab::gui {

void notices(Ui& ui);

}  // namespace lab::gui
