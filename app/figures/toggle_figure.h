// What "broken across groups" changes: two runs of the same input, one above the other, with a lane
// per group and a box per pass. A barrier ends at its group's edge; a launch ends for all.
#pragma once

#include <string>
#include <vector>

#include "analysis/timeline.h"
#include "base/exactness.h"
#include "figures/figure_page.h"
namespace lab::figures {

struct ToggledRun {
    const analysis::Timeline* timeline = nullptr;
    std::string title;             // "One launch per pass"
    std::string result, expected;  // empty: the run did not end, or not known
    bool right = false;
    bool luck = false;  // if it is right: nothing in the run orders some accesses
    Exactness exactness = {};
};

Scene toggle_figure(const std::vector<ToggledRun>& runs, const FigureOptions& options,
                    const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
