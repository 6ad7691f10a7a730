#include "figures/parts/columns.h"

#include <algorithm>

#include "figures/figures/pass_figure.h"

namespace lab::figures {
namespace {

// Points at scale 1.
constexpr float kColumnCell = 58, kWidestColumn = 96;    // for usual values, and for long ones
constexpr float kLeastColumn = 24, kMostLeastCell = 36;  // how narrow cells get, by their values
constexpr float kBetweenBlocks = 44;

// Which rows share columns.
enum class Memory : std::uint8_t { any, global, local };

bool is_of(const analysis::Row& pass, Memory memory) {
    return memory == Memory::any || pass.local_memory == (memory == Memory::local);
}

struct ColumnRows {
    const analysis::StepTable& table;
    Memory memory;

    std::size_t longest() const {
        std::size_t most = 0;
        for (const analysis::Row& pass : table.rows)
            if (is_of(pass, memory)) most = std::max(most, pass.cells.size());
        return most;
    }
};

// How many places the longest row needs: a work-item without a cell is drawn too, as long as there
// are no more of them than cells.
std::size_t places(const ColumnRows& rows, std::size_t cells) {
    std::size_t most = cells;
    for (const analysis::Row& pass : rows.table.rows)
        if (is_of(pass, rows.memory) && pass.items_known && pass.cells.size() == cells)
            most = std::max<std::size_t>(most, pass.global);
    return cells <= kMostFullCells && most <= std::min(2 * cells, kMostFullCells) ? most : cells;
}

// As the first launch divides the row; 0 if it does not. The last group may have fewer.
std::size_t cells_per_group(const ColumnRows& rows, std::size_t cells) {
    const analysis::StepTable& table = rows.table;
    if (rows.memory == Memory::local)
        for (const analysis::Row& pass : table.rows)
            if (pass.local_memory && pass.cells.size() == cells) return pass.group_cells;
    if (table.rows.size() < 2) return table.group;
    const analysis::Row& first = table.rows[1];
    if (first.local == 0 || first.global == 0) return table.group;
    // Fewer items than cells have several cells each, as long as these can be shared out evenly.
    if (first.global >= cells) return first.local;
    return cells * first.local % first.global == 0 ? cells * first.local / first.global : 0;
}

// Whether every source of the cell is of one group.
bool of_one_group(const analysis::Cell& cell, std::size_t per_group) {
    return std::all_of(cell.from.begin(), cell.from.end(), [&](std::uint32_t source) {
        return source / per_group == cell.from.front() / per_group;
    });
}

// Whether each item writes only cells of its own group; and, where a launch makes a value a group,
// whether each comes from the cells of one.
bool groups_keep_apart(const ColumnRows& rows, std::size_t cells, std::size_t per_group) {
    if (rows.memory == Memory::local) return true;  // nobody else can
    const analysis::StepTable& table = rows.table;
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
        const analysis::Row& pass = table.rows[row];
        if (!is_of(pass, rows.memory) && pass.cells.size() == cells) continue;
        const bool same_array = pass.cells.size() == cells;
        const bool new_array = !same_array && table.rows[row - 1].cells.size() == cells;
        for (std::size_t i = 0; i < pass.cells.size(); ++i) {
            const analysis::Cell& cell = pass.cells[i];
            if (new_array && !of_one_group(cell, per_group)) return false;
            if (!same_array || !cell.written || cell.item < 0 || pass.local == 0) continue;
            if (static_cast<std::uint64_t>(cell.item) / pass.local != i / per_group) return false;
        }
    }
    return true;
}

// In rows of so many cells; in columns of their own in all rows, for all have cells of one width.
float widest_value(const ColumnRows& rows, std::size_t cells, float size, const Fonts& fonts) {
    float widest = 0;
    for (const analysis::Row& pass : rows.table.rows) {
        if (rows.memory == Memory::any ? pass.cells.size() != cells : !is_of(pass, rows.memory))
            continue;
        for (const analysis::Cell& cell : pass.cells)
            widest = std::max(widest, fonts.text_width(text_of(cell.value), size, Face::mono));
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

float between_groups(std::size_t groups, float room) {
    const float each = room / static_cast<float>(groups);
    return each >= 24 ? 6.0F : each >= 8 ? 2.0F : 0.0F;
}

Spacing mark_spacing(const Columns& columns, std::size_t groups, float room, float widest) {
    const float between = between_groups(groups, room);
    const float marks = room - between * static_cast<float>(groups - 1);
    const float pitch = std::clamp(marks / static_cast<float>(columns.marks()), kLeastMark, widest);
    const float gap = columns.cells_per_mark == 1 && pitch >= 4 ? 1.0F : 0.0F;
    return {pitch - gap, gap, gap + between};
}

// Marks of several cells are of one group, if a group's cells can be shared out so.
std::size_t per_mark_in(std::size_t cells, std::size_t per_group, float room) {
    const std::size_t groups = (cells + per_group - 1) / per_group;
    const float gaps = between_groups(groups, room) * static_cast<float>(groups - 1);
    const std::size_t wanted = cells_per_mark(cells, room - gaps);
    std::size_t fitting = wanted;
    while (fitting > 1 && per_group % fitting != 0)
        fitting /= 2;
    // Groups too narrow to be seen are not kept apart.
    return fitting * 2 > wanted ? fitting : wanted;
}

Columns place_columns(const ColumnRows& rows, float left, float room, float scale,
                      const Fonts& fonts) {
    Columns columns;
    columns.cells = rows.longest();
    columns.full = columns.cells <= kMostFullCells;
    columns.left = columns.right = left;
    columns.least_cell = kMostLeastCell * scale;
    if (columns.cells == 0) return columns;

    columns.per_group = cells_per_group(rows, columns.cells);
    bool grouped =
        columns.per_group > 0 && groups_keep_apart(rows, columns.cells, columns.per_group);
    const std::size_t count = places(rows, columns.cells);
    if (!grouped) columns.per_group = count;
    if (!columns.full) {
        columns.cells_per_mark = per_mark_in(columns.cells, columns.per_group, room);
        grouped = grouped && columns.per_group % columns.cells_per_mark == 0;
        if (!grouped) columns.per_group = count;
    }
    const std::size_t groups = (count + columns.per_group - 1) / columns.per_group;
    Spacing spacing{};
    if (columns.full) {
        const float value = widest_value(rows, columns.cells, scale, fonts);
        const float padding = kValuePadding * scale;
        columns.least_cell = std::clamp(value * kLeastValueSize + padding, kLeastColumn * scale,
                                        kMostLeastCell * scale);
        spacing = cell_spacing(columns, count, groups, room,
                               std::clamp(value * kComfortableValue + padding, kColumnCell * scale,
                                          kWidestColumn * scale));
    } else {
        spacing = mark_spacing(columns, groups, room, kWidestMark * scale);
    }
    place(columns, count, columns.per_group, spacing);
    if (!grouped) {
        columns.groups.clear();
        columns.per_group = 0;
    }
    return columns;
}

// Both, if they fit beside each other with values in all cells; what is to spare is shared out.
std::optional<Blocks> beside(const analysis::StepTable& table, float left, float room, float scale,
                             float caption, const Fonts& fonts) {
    const ColumnRows global{table, Memory::global}, local{table, Memory::local};
    if (local.longest() == 0 || local.longest() > kMostFullCells ||
        global.longest() > kMostFullCells)
        return std::nullopt;
    const auto width = [&](const ColumnRows& rows) {
        const Columns least = place_columns(rows, 0, 0, scale, fonts);
        return least.right - least.left;
    };
    const float between = kBetweenBlocks * scale;
    const float wide = width(global), narrow = width(local);
    const float spare = room - between - wide - narrow;
    if (spare < 0) return std::nullopt;
    Blocks blocks;
    blocks.columns =
        place_columns(global, left, wide + spare * wide / (wide + narrow), scale, fonts);
    const float next = std::max(blocks.columns.right + between, left + caption);
    blocks.local =
        place_columns(local, next, narrow + spare * narrow / (wide + narrow), scale, fonts);
    return blocks;
}

}  // namespace

std::size_t cells_per_mark(std::size_t cells, float room) {
    const auto fit = [&](float width) {
        return static_cast<std::size_t>(std::max(room / width, 1.0F));
    };
    if (cells <= fit(kLeastMark)) return 1;
    std::size_t per_mark = 2;
    while (cells / per_mark > fit(kHeatMark))
        per_mark *= 2;
    return per_mark;
}

Blocks place_blocks(const analysis::StepTable& table, float left, float room, float scale,
                    float caption, const Fonts& fonts) {
    if (auto both = beside(table, left, room, scale, caption, fonts)) return *std::move(both);
    Blocks one;
    one.columns = place_columns({table, Memory::any}, left, room, scale, fonts);
    return one;
}

}  // namespace lab::figures
