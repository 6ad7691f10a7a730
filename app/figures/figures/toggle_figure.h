// What the toggle "broken across groups" changes: two runs of the same input, one above the other,
// a lane a group and a box a pass. A barrier ends at its group's edge; a launch ends for all.
#pragma once

#include <string>
#include <vector>

#include "figures/parts/figure_page.h"
#include "analysis/lanes/timeline.h"

namespace lab::draw {

struct ToggledRun {
    const Timeline* timeline = nullptr;
    std::string title;             // "One launch a pass"
    std::string result, expected;  // empty: it came to no end, or nobody knows
    bool right = false;
    bool races = false;  // right by luck
};

Scene toggle_figure(const std::vector<ToggledRun>& runs, const FigureOptions& options,
                    const Fonts& fonts, const Translations& tr);

}  // namespace lab::draw
