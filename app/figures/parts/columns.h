// The columns of the step view's rows: how wide a cell is, and where each group's end.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/rows/step_table.h"
#include "figures/scene/font.h"

namespace lab::figures {

// A mark stands for one cell or, if there are too many to distinguish, for several neighbours.
struct Columns {
    std::size_t cells = 0, cells_per_mark = 1;
    bool full = true;  // marks are cells with their values
    // The middle of each mark; then of places for work-items that have no cell.
    std::vector<float> x;
    float mark_width = 0;
    float least_cell = 0;  // the narrowest cell with a value
    float left = 0, right = 0;
    // Left and right edge of each group's cells. Empty if cells belong to no group, because items
    // of one group access those of another.
    std::vector<Box> groups;
    std::size_t per_group = 0;  // cells; 0 if they belong to no group

    std::size_t marks() const { return (cells + cells_per_mark - 1) / cells_per_mark; }
};

// Rows of local memory have columns of their own beside those of global memory if there is room;
// else all rows share the columns of the longest.
struct Blocks {
    Columns columns;  // of global memory, or of all
    std::optional<Columns> local;

    float right() const { return local ? local->right : columns.right; }
};

// Fits into `room` points from `left` on, as far as values stay readable. `scale`: of text. The
// second of two blocks begins no nearer to the first's left edge than `caption`, for words over it.
Blocks place_blocks(const analysis::StepTable& table, float left, float room, float scale,
                    float caption, const Fonts& fonts);

// How many neighbours share a mark in a row of so many cells, `room` points wide.
std::size_t cells_per_mark(std::size_t cells, float room);

// Points at scale 1.
inline constexpr float kLeastValueSize = 10;
inline constexpr float kComfortableValue = 13;  // a size of text to make cells wider for
inline constexpr float kValuePadding = 6;       // of a value in its cell, both sides together
inline constexpr float kWidestMark = 14;
// Points at any scale.
inline constexpr float kLeastMark = 3;  // of a mark that stands for one cell
inline constexpr float kHeatMark = 5;   // of one that stands for several
// Parts of a cell's width.
inline constexpr float kGap = 0.17F, kGroupGap = 0.62F;

}  // namespace lab::figures
