// The lane chart: a row per pass, a column per work-item, and how much of each lane was used.
#pragma once

#include <optional>
#include <vector>

#include "analysis/lanes/item_activity.h"
#include "analysis/lanes/lanes.h"
#include "figures/parts/figure_page.h"

namespace lab::figures {

struct LaneChart {
    std::vector<analysis::PassActivity> passes;
    analysis::LaneCount total;
    std::vector<analysis::DivergentBranch> branches;
    std::optional<std::size_t> current = {};  // of `passes`: the one that is shown elsewhere
    bool rows = false;  // each pass makes the row after it in the step view's diagram
};

// A mark stands for an item; where there are more than can be distinguished for those of a warp, or
// of several. Of many passes the first ones and the last are shown, with the number of the others.
Scene lane_figure(const LaneChart& chart, const RunSubject& subject, const FigureOptions& options,
                  const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
