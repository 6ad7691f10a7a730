#include "draw/columns.h"

#include <algorithm>

#include "draw/pass_figure.h"

namespace lab::draw {
namespace {

// Points at scale 1.
constexpr float kCell = 58, kWidestCell = 96;          // for usual values, and for long ones
constexpr float kLeastCell = 24, kMostLeastCell = 36;  // how narrow cells get, by their values
constexpr float kComfortable = 13;                     // a size of text to make cells wider for
constexpr std::size_t kMostMarks = 2048;

std::size_t longest_row(const Passes& passes) {
    std::size_t most = 0;
    for (const Pass& pass : passes.passes)
        most = std::max(most, pass.cells.size());
    return most;
}

// How many places the longest row needs: a work-item without a cell is drawn too, as long as there
// are no more of them than cells.
std::size_t places(const Passes& passes, std::size_t cells) {
    std::size_t most = cells;
    for (const Pass& pass : passes.passes)
        if (pass.items_known && pass.cells.size() == cells) most = std::max(most, pass.global);
    return cells <= kMostFullCells && most <= std::min(2 * cells, kMostFullCells) ? most : cells;
}

// As the first launch divides the row; 0 if it does not. The last group may have fewer.
std::size_t cells_per_group(const Passes& passes, std::size_t cells) {
    if (passes.passes.size() < 2) return passes.group;
    const Pass& first = passes.passes[1];
    if (first.local == 0 || first.global == 0) return passes.group;
    // Fewer items than cells have several cells each, as long as these can be shared out evenly.
    if (first.global >= cells) return first.local;
    return cells * first.local % first.global == 0 ? cells * first.local / first.global : 0;
}

// Whether every source of the cell is of one group.
bool of_one_group(const Cell& cell, std::size_t per_group) {
    return std::all_of(cell.from.begin(), cell.from.end(), [&](std::uint32_t source) {
        return source / per_group == cell.from.front() / per_group;
    });
}

// Whether each item writes only cells of its own group; and, where a launch makes a value a group,
// whether each comes from the cells of one.
bool groups_keep_apart(const Passes& passes, std::size_t cells, std::size_t per_group) {
    for (std::size_t row = 1; row < passes.passes.size(); ++row) {
        const Pass& pass = passes.passes[row];
        const bool same_array = pass.cells.size() == cells;
        const bool new_array = !same_array && passes.passes[row - 1].cells.size() == cells;
        for (std::size_t i = 0; i < pass.cells.size(); ++i) {
            const Cell& cell = pass.cells[i];
            if (new_array && !of_one_group(cell, per_group)) return false;
            if (!same_array || !cell.written || cell.item < 0 || pass.local == 0) continue;
            if (static_cast<std::uint64_t>(cell.item) / pass.local != i / per_group) return false;
        }
    }
    return true;
}

// In rows of so many cells.
float widest_value(const Passes& passes, std::size_t cells, float size, const Fonts& fonts) {
    float widest = 0;
    for (const Pass& pass : passes.passes) {
        if (pass.cells.size() != cells) continue;
        for (const Cell& cell : pass.cells)
            widest = std::max(widest, fonts.text_width(cell.value, size, Face::mono));
    }
    return widest;
}

// Marks of one width, a gap between them and a wider one between groups.
struct Spacing {
    float width, gap, group_gap;
};

void place(Columns& columns, std::size_t count, std::size_t per_group, const Spacing& spacing) {
    float x = columns.left;
    for (std::size_t cell = 0; cell < count; cell += columns.cells_per_mark) {
        const bool starts_group = cell % per_group == 0;
        if (cell > 0) x += starts_group ? spacing.group_gap : spacing.gap;
        if (starts_group) columns.groups.push_back({x, 0, x, 0});
        columns.x.push_back(x + spacing.width / 2);
        x += spacing.width;
        columns.groups.back().right = x;
    }
    columns.mark_width = spacing.width;
    columns.right = x;
}

Spacing cell_spacing(const Columns& columns, std::size_t count, std::size_t groups, float room,
                     float widest) {
    const auto n = static_cast<float>(count), g = static_cast<float>(groups);
    const float widths = n + kGap * (n - g) + kGroupGap * (g - 1);
    const float width = std::clamp(room / widths, columns.least_cell, widest);
    return {width, width * kGap, width * kGroupGap};
}

Spacing mark_spacing(const Columns& columns, std::size_t groups, float room, float widest) {
    const std::size_t marks = (columns.cells + columns.cells_per_mark - 1) / columns.cells_per_mark;
    const auto g = static_cast<float>(groups);
    const float between = room / g >= 24 ? 6.0F : room / g >= 8 ? 2.0F : 0.0F;
    const float pitch =
        std::clamp((room - between * (g - 1)) / static_cast<float>(marks), 1.0F, widest);
    const float gap = pitch >= 4 ? 1.0F : 0.0F;
    return {pitch - gap, gap, gap + between};
}

}  // namespace

std::size_t cells_per_mark(std::size_t cells) {
    std::size_t per_mark = 1;
    while (cells / per_mark > kMostMarks)
        per_mark *= 2;
    return per_mark;
}

Columns place_columns(const Passes& passes, float left, float room, float scale,
                      const Fonts& fonts) {
    Columns columns;
    columns.cells = longest_row(passes);
    columns.cells_per_mark = cells_per_mark(columns.cells);
    columns.full = columns.cells <= kMostFullCells;
    columns.left = columns.right = left;
    columns.least_cell = kMostLeastCell * scale;
    if (columns.cells == 0) return columns;

    std::size_t per_group = cells_per_group(passes, columns.cells);
    const bool grouped = per_group > 0 && per_group % columns.cells_per_mark == 0 &&
                         groups_keep_apart(passes, columns.cells, per_group);
    const std::size_t count = places(passes, columns.cells);
    if (!grouped) per_group = count;
    const std::size_t groups = (count + per_group - 1) / per_group;
    Spacing spacing{};
    if (columns.full) {
        const float value = widest_value(passes, columns.cells, scale, fonts);
        const float padding = kValuePadding * scale;
        columns.least_cell = std::clamp(value * kLeastValueSize + padding, kLeastCell * scale,
                                        kMostLeastCell * scale);
        spacing = cell_spacing(
            columns, count, groups, room,
            std::clamp(value * kComfortable + padding, kCell * scale, kWidestCell * scale));
    } else {
        spacing = mark_spacing(columns, groups, room, kWidestMark * scale);
    }
    place(columns, count, per_group, spacing);
    if (!grouped) columns.groups.clear();
    return columns;
}

}  // namespace lab::draw
