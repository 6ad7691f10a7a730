// The step view's parts for a user kernel: the form of its launch, and its buffers.
#pragma once

#include "gui/shell/ui.h"

namespace lab::gui {

void user_kernel_form(Ui& ui, float width);

// What each buffer holds at the end of a run, in one line each.
void user_kernel_buffers(Ui& ui, const simulation::MachineRun& run, float width);
float user_kernel_buffers_height(const Ui& ui, const simulation::MachineRun& run);  // pixels

}  // namespace lab::gui
