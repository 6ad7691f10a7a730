// The app's life: a window around a session, until it is closed or its picture is taken.
#pragma once

#include "gui/shell/frame_hook.h"

namespace lab::gui {

// The whole program; what goes wrong is said on standard error. Returns the exit status.
int run_app(int argc, char** argv, const AttachHook& attach = {});

}  // namespace lab::gui
