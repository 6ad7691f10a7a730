// A schedule while a person makes it: what each group or warp did last, and what it can do next.
#pragma once

#include <vector>

#include "analysis/lanes/state_view.h"
#include "analysis/lanes/timeline.h"
#include "figures/parts/figure_page.h"

namespace lab::figures {

// The end of a schedule that is still being made: the last actions of each warp of `state`, and,
// dashed, the next ones of those that can act, with the values that they would find or store.
struct ScheduleNow {
    Scene scene;
    std::vector<Box> beside;  // by warp of `state`: room for a button beside its next action
};
// `ready`: the warps that can act, in the order of state.warps; `picked`: an index into it.
// `button`: the width (points) to leave free beside the next actions.
ScheduleNow schedule_now(const analysis::Timeline& timeline, const analysis::StateView& state,
                         const std::vector<const analysis::WarpView*>& ready, std::size_t picked,
                         float button, const FigureOptions& options, const Fonts& fonts,
                         const Translations& tr);

}  // namespace lab::figures
