// Where everything of the step view's figure stands, before anything is drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/rows/step_table.h"
#include "figures/figures/pass_figure.h"
#include "figures/parts/columns.h"
#include "figures/parts/run_text/pass_text.h"
#include "figures/parts/tile_map.h"
#include "figures/scene/font.h"

namespace lab::figures {

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

}  // namespace lab::figures
