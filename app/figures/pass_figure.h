// The step view's figure: a row of cells per pass, what was combined from where, and by which
// items.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
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
    // Points to fit into. Cells get narrower, then they are marks without values, and rows get
    // lower, as far as all can still be told apart; the scene is smaller if less is enough.
    float width = 1000, height = std::numeric_limits<float>::infinity();
    // A hard limit of the width: the texts beside the rows are shortened for it.
    float most_width = std::numeric_limits<float>::infinity();
    bool announce = false;  // the row after the shown ones faintly, without values
    // With `announce`, to be foretold: a question mark in each cell but those, ascending.
    std::optional<std::vector<std::size_t>> uncovered = {};
    bool legend = true;
    // For a file: with the variant's title and the array's shape above, and what races did to the
    // result below.
    bool heading = false;
    float text_scale = 1;  // Palette::text_scale
    // The device's rows, if known: a cell's tooltip shows its value beside the run's.
    const analysis::StepTable* device = nullptr;
};

Scene pass_figure(const analysis::StepTable& table, const PassFigureOptions& options,
                  const Fonts& fonts, const Translations& tr);

// The columns of the step view's rows. Side by side there is a slot for each cell of the longest
// row, and for each work-item, which stands in the same place in all passes.
// A mark stands for one slot or, if there are too many to distinguish, for several neighbours.
struct Columns {
    std::size_t cells = 0;  // of the longest row
    std::size_t slots = 0, slots_per_mark = 1;
    bool full = true;      // marks are cells with their values
    std::vector<float> x;  // the middle of each mark
    float mark_width = 0;
    float least_cell = 0;  // the narrowest cell with a value
    float left = 0, right = 0;
    // Left and right edge of each group's slots. Empty if cells belong to no group, because items
    // of one group access those of another.
    std::vector<Box> groups;
    std::size_t per_group = 0, cells_per_group = 0;  // slots, and cells; 0: they belong to none
    std::size_t local = 0;                           // work-items per group
    std::vector<float> items;                        // the middle of each one's place

    std::size_t marks() const { return (slots + slots_per_mark - 1) / slots_per_mark; }
    float at(std::size_t slot) const;
};

// The width that the values ask for at that size of text; and the least one in which they are
// rounded rather than shown in full, as long as no two of them look alike then.
struct ValueWidths {
    float full = 0, least = 0;
};
ValueWidths value_widths(std::span<const analysis::Row> rows, float scale, const Fonts& fonts);

// Places the rows from `first` to before `end` into `room` points from `left` on. `scale`: of text;
// `values`: of all rows.
Columns place_columns(const analysis::StepTable& table, std::size_t first, std::size_t end,
                      float left, float room, float scale, const ValueWidths& values);

// How many neighbours share a mark in a row of so many cells, `room` points wide.
std::size_t cells_per_mark(std::size_t cells, float room);

// Points at scale 1.
inline constexpr float kLeastValueSize = 10;
inline constexpr float kComfortableValue = 13;  // a size of text to make cells wider for
inline constexpr float kValuePadding = 6;       // of a value in its cell, both sides together
inline constexpr float kColumnCell = 58;        // of usual values
inline constexpr float kWidestMark = 14;
// Points at any scale.
inline constexpr float kLeastMark = 3;  // of a mark that stands for one cell
inline constexpr float kHeatMark = 5;   // of one that stands for several
// Parts of a cell's width.
inline constexpr float kGap = 0.17F, kGroupGap = 0.62F;

// Where everything of the step view's figure stands, before anything is drawn.

// A work-item in its column; or neighbours of one warp or group, gathered where there is no room
// for each.
struct Item {
    std::uint64_t first = 0, count = 1;
    std::size_t working = 0;  // of them
    float x = 0;
    bool begun = true;  // false: of groups for which the run had no room until it was given up
};

struct RowLayout {
    std::size_t cells = 0, cells_per_mark = 1;
    std::vector<float> x;  // the middle of each mark
    float mark_width = 0;
    float value_size = 0;  // of text in cells, the same in rows of one width
    float top = 0, height = 0;
    bool full = true;                  // marks are cells with their values
    std::vector<Item> items;           // by number; empty: there is no lane for them
    float lane_y = 0;                  // the middle of their lane above the cells
    float item_radius = 0;             // of work-items' circles
    float item_words = 0;              // the size of text in them; 0: there is no room
    const Columns* columns = nullptr;  // in PassLayout::columns
    float boundary = 0;                // the y of the line below, where there is one
    bool boundary_words = true;        // there is room for them
    float label = 0, label_line = 0;   // the y of the middle of the words beside it; between lines

    float bottom() const { return top + height; }
    float x_of(std::size_t cell) const { return x[cell / cells_per_mark]; }
    std::size_t marks() const { return (cells + cells_per_mark - 1) / cells_per_mark; }
    // Returns a mark whose middle is at that x.
    Rect mark(const Look& look, float middle, float radius = 0) const {
        return box(middle - mark_width / 2, top, mark_width, height, look, radius);
    }
    // The item's place, by itself or gathered; null if there is none.
    const Item* item(std::int64_t id) const;
};

struct PassLayout {
    float scale = 1;  // of text, and of what must grow with it
    float width = 0, height = 0;
    std::vector<std::shared_ptr<const Columns>> columns;  // of all rows; of launches with their own
    float labels = 0, labels_width = 0;
    float arrays = 0;  // the right end of arrays' names, left of the rows; 0: there is one array
    float heading_y = 0, captions_y = 0, verdict_y = 0, notes_y = 0, legend_y = 0;
    std::vector<std::string> notes;  // lines
    std::vector<RowLayout> rows;
    std::vector<TileMap> tiles;  // under the rows, one at a time
    float tiles_y = 0, tiles_room = 0;

    float left() const { return columns.front()->left; }
    float right() const {
        float most = 0;
        for (const auto& each : columns)
            most = std::max(most, each->right);
        return most;
    }
};

PassLayout lay_out(const analysis::StepTable& table, const std::vector<RowLabel>& labels,
                   const PassFigureOptions& options, const Fonts& fonts, const Translations& tr);

// Text sizes, in points at scale 1.
inline constexpr float kTitleSize = 14, kLabelSize = 13, kSmallSize = 12;
inline constexpr float kNoteLine = 20;
inline constexpr float kMargin = 20;

// This stands for the value of a cell that nobody wrote.
inline constexpr const char* kNobodyWrote = "?";

// How a cell looks by what became of it: the legend shows the same.
Look look_of(analysis::CellState state);
inline constexpr Look kStaleLook{Role::race_fill, Role::text, {Role::race, 2, Dash::solid}};
Role mark_of(analysis::CellState state);
// The edges of items that do nothing, and that have not begun.
inline constexpr Stroke kIdleEdge{Role::idle, 1}, kNotBegunEdge{Role::idle, 1, Dash::dotted};
// Between passes of groups that wait for each other by hand.
inline constexpr Stroke kByHand{Role::barrier, 2.5F, Dash::dashed};
// A mark for one cell, standing on the foot of a row: as high as there is to say of it.
Rect mark_box(analysis::CellState state, float x, float top, float width, float height);

// Races in a row of the step view: stale reads as arrows from the value that came, with a ghost of
// the one that was missed, the cells that they spoiled, and frames around cells whose race made no
// difference.

struct Place {
    std::size_t row = 0, cell = 0;
};
// The place of the value that the read should have found; empty if no row above shows it.
std::optional<Place> missed_at(const analysis::StepTable& table, std::size_t row,
                               const analysis::StaleValue& read);

// True if what the work-item read from that cell of the row above is not what is shown there.
bool is_misread(const analysis::StepTable& table, std::size_t row, std::int64_t item,
                std::uint32_t source);

// A read that found what the row above does not show, or another value than it should have.
struct Misread {
    std::int64_t item = 0;
    Place cell = {};  // what it read, in the last row above of that array
    Point to = {};    // where the reader stands
    analysis::CellValue took = {};
    std::optional<Place> from;  // the last place above that shows what it took; empty: none does
    const analysis::StaleValue* stale = nullptr;  // of the table; null: no race made a difference
    std::optional<Place> missed;                  // likewise, of what a stale read missed

    // True if a value of it hangs under its cell: no row above shows that.
    bool hangs() const { return !from || (stale != nullptr && stale->missed.bits && !missed); }
    // True if it found what the row above shows: a value that goes into a cell as others do.
    bool plain(std::size_t row) const { return from && from->row + 1 == row; }
};
// None where they are too many to be told apart.
std::vector<Misread> misreads_in(const analysis::StepTable& table, const PassLayout& layout,
                                 std::size_t row);

// A diamond: an atomic function acted there.
Path atomic_sign(Point middle, float scale);
// Gives the size of the signs between that row and the next one; 0: there is no room for them.
float signal_radius(const PassLayout& layout, std::size_t row);
// A diamond where an atomic acted, a flag where a store set one, an hourglass where one waited.
void add_signal_sign(Scene& scene, analysis::Signal::Kind kind, Point at, float radius,
                     const std::string& tip = {});

// As the legend shows them: a cell's frame, the radius of the sign in its corner, arcs.
Rect race_frame(const Rect& cell, float scale);
inline constexpr float kStaleSign = 6;  // points at scale 1
inline constexpr Stroke kCame{Role::race, 2.5F}, kMissed{Role::race, 1.5F, Dash::dashed};

}  // namespace lab::figures
