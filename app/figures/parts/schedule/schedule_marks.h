// How a single action of a schedule looks, as a box with words and as a mark; its legend.
#pragma once

#include <string>
#include <vector>

#include "figures/parts/figure_page.h"
#include "figures/parts/schedule/schedule_layout.h"

namespace lab::figures {

// Reads are light blue, writes green, a stale read vermilion with an exclamation mark; barriers are
// orange bars. Marks tell reads from writes by the half of the lane that they stand in.
void add_action_box(Page& page, const Box& box, const analysis::TimelineAction& action,
                    const BoxText& words, const std::string& tip, const std::string& name);
// An action that can come next: a dashed frame, vermilion where another one stands before the same
// cell.
void add_next_box(Page& page, const Box& box, machine::ActionKind kind, const BoxText& words,
                  bool picked, bool contended, const std::string& tip, const std::string& name);
void add_action_mark(Page& page, const Box& box, const analysis::TimelineAction& action,
                     const std::string& tip, const std::string& name = {});
// For a column of several actions: how many there are of each, in parts of the most in any column.
struct ColumnCounts {
    float loads = 0, writes = 0;
    bool barrier = false, stale = false;
};
void add_action_column(Page& page, const Box& box, const ColumnCounts& counts,
                       const std::string& tip);

// A disc with a number, for two ends of what no line can join.
void add_number(Page& page, Point middle, std::size_t number);

// What a figure has beside its actions.
struct ScheduleParts {
    bool arcs = false, numbers = false;
};
// What occurs in the timeline at that level. The entries draw on `page`.
std::vector<LegendEntry> schedule_legend(const analysis::Timeline& timeline, ScheduleLevel level,
                                         const ScheduleParts& parts, Page& page);

}  // namespace lab::figures
