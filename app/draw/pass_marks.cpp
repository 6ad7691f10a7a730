// Rows too long for values: a mark a cell, or a mark for several neighbours.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "draw/pass_rows.h"
#include "draw/shapes.h"

namespace lab::draw {
namespace {

// In the order of CellState.
constexpr std::array<Role, 5> kMarks{Role::idle, Role::idle, Role::read, Role::idle_fill,
                                     Role::wrote};

// Marks that are painted as one.
struct Stretch {
    std::size_t first, last;
    CellState state;
};

// Marks too narrow to be pointed at are joined where they are alike and adjacent.
std::vector<Stretch> stretches_of(const RowToDraw& in) {
    const RowLayout& row = in.place();
    const auto& states = in.states[in.row];
    const bool narrow = row.mark_width < 3;
    std::vector<Stretch> stretches;
    for (std::size_t mark = 0; mark < row.marks(); ++mark) {
        // Of the cells that a mark stands for, the one of which there is most to say.
        const std::size_t first = mark * row.cells_per_mark;
        const std::size_t end = std::min(first + row.cells_per_mark, row.cells);
        CellState state = states[first];
        for (std::size_t cell = first; cell < end; ++cell)
            state = std::max(state, states[cell]);
        const bool joins = narrow && !stretches.empty() && stretches.back().state == state &&
                           row.x[mark] - row.x[mark - 1] < row.mark_width * 1.01F;
        if (joins) {
            stretches.back().last = mark;
        } else {
            stretches.push_back({mark, mark, state});
        }
    }
    return stretches;
}

std::string stretch_tip(const RowToDraw& in, const Stretch& stretch) {
    const std::size_t per_mark = in.place().cells_per_mark;
    const std::size_t first = stretch.first * per_mark;
    const std::size_t last = std::min((stretch.last + 1) * per_mark, in.place().cells) - 1;
    if (first == last) return cell_tip(in.passes, in.row, first, stretch.state, in.tr);
    return in.tr("figure.tip_cells", fmt::arg("first", first), fmt::arg("last", last));
}

// How wide a mark must be to be seen, where `count` of them leave half of the row free.
float least_width(const RowLayout& row, std::size_t count) {
    if (count == 0) return 0;
    return std::min(2.0F, (row.x.back() - row.x.front()) / 2 / static_cast<float>(count));
}

}  // namespace

Role mark_of(CellState state) {
    return kMarks[static_cast<std::size_t>(state)];
}

void add_item_strip(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    const float half = in.layout.item_radius;
    const Columns& columns = in.layout.columns;
    std::vector<Box> parts = columns.groups;
    if (parts.empty()) parts = {{columns.left, 0, columns.right, 0}};
    for (const Box& part : parts)
        scene.add(
            box(part.left, row.lane_y - half / 2, part.right - part.left, half, Role::idle_fill));
    const std::vector<Item> items = place_items(in.pass(), row);
    const auto working =
        std::count_if(items.begin(), items.end(), [](const Item& item) { return item.works; });
    const float width =
        std::max(row.mark_width, least_width(row, static_cast<std::size_t>(working)));
    for (const Item& item : items)
        if (item.works)
            scene.add(
                box(row.x[item.place] - width / 2, row.lane_y - half, width, 2 * half, Role::act));
}

void add_marks(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    const std::vector<Stretch> stretches = stretches_of(in);
    const float least = least_width(row, written_cells(in.pass()).size());
    // What was written comes last, so that no neighbour hides it, and is no hair.
    for (const bool written : {false, true}) {
        for (const Stretch& stretch : stretches) {
            if ((stretch.state == CellState::written) != written) continue;
            const float left = row.x[stretch.first] - row.mark_width / 2;
            const float width = row.x[stretch.last] + row.mark_width / 2 - left;
            const float more = written ? std::max(0.0F, least - width) : 0;
            scene.add(
                box(left - more / 2, row.top, width + more, row.height, mark_of(stretch.state)),
                stretch_tip(in, stretch));
        }
    }
    if (!in.result) return;
    const float width = std::max(row.mark_width, 2.0F) + 4;
    Rect frame =
        box(row.x_of(*in.result) - width / 2, row.top - 2, width, row.height + 4, Role::none);
    frame.radius = 1;
    frame.stroke = {in.passes.right ? Role::wrote : Role::race, 2, Dash::solid};
    scene.add(frame, verdict(in.passes, in.tr));
}

}  // namespace lab::draw
