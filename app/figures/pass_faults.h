// Races in a row of the step view: stale reads as dotted arcs from where the right value was, the
// cells that they spoiled, and frames around cells whose race made no difference.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/step_table.h"
#include "figures/pass_figure.h"
#include "figures/scene.h"
namespace lab::figures {

struct Place {
    std::size_t row = 0, cell = 0;
};
// The place of the value that the read should have found; empty if no row above shows it.
std::optional<Place> missed_at(const analysis::StepTable& table, std::size_t row,
                               const analysis::StaleValue& read);

// Whether what the work-item read from that cell of the row above is not what is shown there, or is
// shown by a dotted arc.
bool is_misread(const analysis::StepTable& table, std::size_t row, std::int64_t item,
                std::uint32_t source);

void add_stale_arcs(Scene& scene, const RowToDraw& in);  // behind the work-items
void add_faults(Scene& scene, const RowToDraw& in);      // over the cells

// As the legend shows them: a cell's frame, the sign in its corner, an arc.
Rect race_frame(const Rect& cell, float scale);
void add_sign(Scene& scene, Point middle, float scale);
Stroke stale_stroke();

}  // namespace lab::figures
