// The schedule of a run as swim lanes: a lane per group or warp, actions from left to right.
#pragma once

#include "analysis/lanes/timeline.h"
#include "figures/parts/figure_page.h"

namespace lab::figures {

// Few actions are boxes with cells and values, in several bands if one would be too wide; more
// actions are marks; with very many, a column stands for several.
Scene schedule_figure(const analysis::Timeline& timeline, const RunSubject& subject,
                      const FigureOptions& options, const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
