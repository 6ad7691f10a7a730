// The schedule of a run as swim lanes: a lane a group or a warp, actions from left to right.
#pragma once

#include "analysis/lanes/timeline.h"
#include "figures/parts/figure_page.h"

namespace lab::figures {

// Few actions are boxes with their cells and values, in several bands where one would be too wide;
// more are marks; of very many a column stands for several.
Scene schedule_figure(const analysis::Timeline& timeline, const RunSubject& subject,
                      const FigureOptions& options, const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
