// The app's life: a window around a session, until it is closed or its picture is taken.
#pragma once

#include "gui/shell/options.h"

namespace lab::gui {

// Returns the exit status. Throws Problem if there is no display, or a file cannot be written.
int run_app(const Options& options);

}  // namespace lab::gui
