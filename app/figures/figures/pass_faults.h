// What a race did to a row of the step view: stale reads as dotted arcs from where the right value
// was, the cells that they spoiled, and frames around cells that race though nothing showed.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/rows/step_table.h"
#include "figures/parts/pass_rows.h"
#include "figures/scene/scene.h"

namespace lab::figures {

struct Place {
    std::size_t row = 0, cell = 0;
};
// Where the value stands that the read should have found; nothing if no row above shows it.
std::optional<Place> missed_at(const analysis::StepTable& table, std::size_t row,
                               const analysis::StaleValue& read);

// Whether the item that wrote the cell in that row had a stale value from that cell of the row
// above.
bool is_stale_source(const analysis::StepTable& table, std::size_t row, const analysis::Cell& cell,
                     std::uint32_t source);

void add_stale_arcs(Scene& scene, const RowToDraw& in);  // behind the work-items
void add_faults(Scene& scene, const RowToDraw& in);      // over the cells

// As the legend shows them: a cell's frame, the sign in its corner, an arc.
Rect race_frame(const Rect& cell, float scale);
void add_sign(Scene& scene, Point middle, float scale);
Stroke stale_stroke();

}  // namespace lab::figures
