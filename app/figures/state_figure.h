// One moment of a run: memory, who has just touched which cell, and what the work-items are doing.
#pragma once

#include "analysis/timeline.h"
#include "figures/figure_page.h"
namespace lab::figures {

struct StateFigureOptions {
    FigureOptions figure;
    bool items = true;  // a disc for each work-item, by group
    bool next = true;   // mark cells that would be touched next, and where groups collide
    bool legend = true;
};

// Cells stand in lines of a power of two, as wide as their values need. A cell that one group would
// write next and another one touch next has a vermilion frame: their order matters.
Scene state_figure(const analysis::StateView& state, const StateFigureOptions& options,
                   const Fonts& fonts, const Translations& tr);

// "load data[4] → 11", "store data[0] ← 33", "barrier", "end": an action on one line. With several
// lanes, their cells and values: "load data[0,2…6] → 7 6 5 7".
std::string action_text(const analysis::ActionView& action, const Translations& tr);
// "group 0", "group 0, warp 1", "item 5": a warp's name, depending on how groups consist of warps.
std::string warp_text(const analysis::WarpView& warp, const analysis::StateView& state,
                      const Translations& tr);

}  // namespace lab::figures
