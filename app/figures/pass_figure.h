// The step view's figure: a row of cells per pass, what was combined from where, and by which
// items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/step_table.h"
#include "base/translations.h"
#include "figures/font.h"
#include "figures/pass_text.h"
#include "figures/scene.h"
#include "figures/tile_map.h"
namespace lab::figures {

inline constexpr std::size_t kAllRows = std::numeric_limits<std::size_t>::max();

struct PassFigureOptions {
    // How many rows are shown, including the start; the last of them is marked as current. The size
    // of the scene and all positions do not depend on it.
    std::size_t shown = kAllRows;
    // Points to fit into. Cells get narrower until their values would be unreadable, then the scene
    // gets wider; it is narrower if less is enough.
    float width = 1000;
    // A hard limit of the width: the texts beside the rows are shortened for it.
    float most_width = std::numeric_limits<float>::infinity();
    bool announce = false;  // the row after the shown ones faintly, without values
    bool legend = true;
    // For a file: with the variant's title and the array's shape above, and what races did to the
    // result below.
    bool heading = false;
    float text_scale = 1;  // Palette::text_scale
    // The device's rows, if known: a cell's tooltip shows its value beside the run's.
    const analysis::StepTable* device = nullptr;
};

// Above this many cells in a row, cells are marks without text.
inline constexpr std::size_t kMostFullCells = 64;

Scene pass_figure(const analysis::StepTable& table, const PassFigureOptions& options,
                  const Fonts& fonts, const Translations& tr);

// The columns of the step view's rows: how wide a cell is, and where each group's end.

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

// Where everything of the step view's figure stands, before anything is drawn.

struct RowLayout {
    std::size_t cells = 0, cells_per_mark = 1;
    std::vector<float> x;  // as in Columns
    float mark_width = 0;
    float value_size = 0;  // of text in cells, the same in rows of one width
    float top = 0, height = 0;
    bool full = true;                  // marks are cells with their values
    bool lane = false;                 // the work-items have a lane above the cells
    float lane_y = 0;                  // its middle
    float item_radius = 0;             // of work-items' circles
    const Columns* columns = nullptr;  // of its memory, in PassLayout::blocks
    float boundary = 0;                // the y of the line below, where there is one
    float label = 0;                   // the y of the middle of the words beside it

    float bottom() const { return top + height; }
    float x_of(std::size_t cell) const { return x[cell / cells_per_mark]; }
    std::size_t marks() const { return (cells + cells_per_mark - 1) / cells_per_mark; }
};

struct PassLayout {
    float scale = 1;  // of text, and of what must grow with it
    float width = 0, height = 0;
    std::shared_ptr<const Blocks> blocks;  // rows point into it
    float labels = 0, labels_width = 0;
    float heading_y = 0, blocks_y = 0, captions_y = 0, verdict_y = 0, notes_y = 0, legend_y = 0;
    std::vector<std::string> notes;  // lines
    std::vector<RowLayout> rows;
    std::vector<TileMap> tiles;  // under the rows, one at a time
    float tiles_y = 0, tiles_room = 0;

    const Columns& columns() const { return blocks->columns; }
    // The columns that the figure has: one or two.
    std::vector<const Columns*> all() const {
        if (!blocks->local) return {&blocks->columns};
        return {&blocks->columns, &*blocks->local};
    }
};

PassLayout lay_out(const analysis::StepTable& table, const std::vector<RowLabel>& labels,
                   const PassFigureOptions& options, const Fonts& fonts, const Translations& tr);

// Where the work-items of a pass stand in the lane of a full row. Those at work stand over each
// cell that they write alone, the others in order between them. Where there is no room for all, the
// idle ones are left out; where there is none for those at work, they are gathered in one.
struct Item {
    std::vector<std::int64_t> ids;  // several if they are gathered
    float x = 0;
    std::optional<std::size_t> cell;  // that it writes alone
    bool works = false;
};
std::vector<Item> place_items(const analysis::Row& pass, const RowLayout& row);
std::size_t items_left_out(const analysis::Row& pass, const RowLayout& row);

// Text sizes, in points at scale 1.
inline constexpr float kTitleSize = 14, kLabelSize = 13, kSmallSize = 12;
inline constexpr float kNoteLine = 20;
inline constexpr float kMargin = 20;

// One row of the step view's figure: its cells or marks, the arcs into them, and the work-items.

// This stands for work-items that have no place, and for the value of a cell that nobody wrote.
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
Look look_of(analysis::CellState state);
Look stale_look();
Role mark_of(analysis::CellState state);
// Returns the stroke of a line between passes of groups that wait for each other by hand.
Stroke by_hand_stroke();
// A mark for one cell, standing on the foot of a row: as high as there is to say of it.
Rect mark_box(analysis::CellState state, float x, float top, float width, float height);

// Races in a row of the step view: stale reads as dotted arcs from where the right value was, the
// cells that they spoiled, and frames around cells whose race made no difference.

struct Place {
    std::size_t row = 0, cell = 0;
};
// The place of the value that the read should have found; empty if no row above shows it.
std::optional<Place> missed_at(const analysis::StepTable& table, std::size_t row,
                               const analysis::StaleValue& read);

// True if what the work-item read from that cell of the row above is not what is shown there.
bool is_misread(const analysis::StepTable& table, std::size_t row, std::int64_t item,
                std::uint32_t source);

// Behind the work-items. What was read stands beside each.
void add_dotted_arcs(Scene& scene, const RowToDraw& in);
// Returns those of its reads that no stale read tells of.
std::vector<analysis::OtherRead> other_arcs(const analysis::StepTable& table, std::size_t row);
void add_faults(Scene& scene, const RowToDraw& in);  // over the cells

// As the legend shows them: a cell's frame, the sign in its corner, an arc.
Rect race_frame(const Rect& cell, float scale);
void add_sign(Scene& scene, Point middle, float scale);
Stroke stale_stroke();
Stroke other_stroke();

}  // namespace lab::figures
