// One row of the step view's figure: its cells or marks, the arcs into them, and the work-items.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/rows/cells.h"
#include "analysis/rows/step_table.h"
#include "base/translations.h"
#include "figures/parts/pass_layout.h"
#include "figures/scene/font.h"
#include "figures/scene/scene.h"

namespace lab::figures {

// What stands for work-items that have no place, and for the value of a cell that nobody wrote.
inline constexpr const char* kMoreItems = "…";
inline constexpr const char* kNobodyWrote = "?";

struct RowToDraw {
    const analysis::StepTable& table;
    const PassLayout& layout;
    const std::vector<std::vector<analysis::CellState>>& states;
    std::size_t row;
    bool current;                       // where one is now
    std::optional<std::size_t> result;  // the cell to be marked as right or wrong
    const Fonts& fonts;
    const Translations& tr;
    const analysis::StepTable* device;  // its rows; empty: not known

    const analysis::Row& pass() const { return table.rows[row]; }
    const RowLayout& place() const { return layout.rows[row]; }
};

// Arcs from the row above, work-items in their lane, and cells with values, or marks without.
void add_row(Scene& scene, const RowToDraw& in);
// Areas that stand for arcs where those would be too many; they belong behind all else.
void add_funnels(Scene& scene, const RowToDraw& in);

// For the tip of a cell: what the device has there, where it tells; else nothing.
std::string device_value(const RowToDraw& in, std::size_t cell);

// The part of that for rows of marks.
void add_marks(Scene& scene, const RowToDraw& in);
void add_item_strip(Scene& scene, const RowToDraw& in);

// How a cell looks by what became of it: the legend shows the same.
struct Look {
    Role fill = Role::none, text = Role::text;
    Stroke stroke;
    bool hatch = false;
};
Look look_of(analysis::CellState state);
Look stale_look();
Role mark_of(analysis::CellState state);
// Of a line between passes of groups that wait for each other by hand.
Stroke by_hand_stroke();
// A mark for one cell, standing on the foot of a row: as high as there is to say of it.
Rect mark_box(analysis::CellState state, float x, float top, float width, float height);

}  // namespace lab::figures
