// The diagram of the step view: a row of cells a pass.
#pragma once

#include "analysis/rows/step_table.h"
#include "gui/shell/ui.h"

namespace lab::gui {

// Whether there is room for the legend below the diagram; where there is none, it can be opened.
struct LegendState {
    bool fits = true;
    bool open = false;
};

// As large as there is room for (pixels), what does not fit scrolls; with what the toggle leads to
// beside it, where that is asked for.
void step_figure(Ui& ui, const analysis::StepTable& table, ImVec2 room);

bool step_wants_width(const Ui& ui);  // for two figures side by side

}  // namespace lab::gui
