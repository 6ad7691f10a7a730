// How often the device gave each result: a plain bar, and where runs with delays were tried, too, a
// striped one below it.
#pragma once

#include "gui/shell/ui.h"
#include "results/report.h"

namespace lab::gui {

// Of one result, from `point` on; `room`: pixels for the bars with their percentages.
void trial_bars(Ui& ui, const results::Trials& trials, const results::TrialResult& result,
                bool foreseen, ImVec2 point, float room);
float trial_bars_height(const Ui& ui, const results::Trials& trials);  // pixels

// What the bars are, with the part of the runs that went wrong.
void trial_legend(Ui& ui, const results::Trials& trials, float width);

}  // namespace lab::gui
