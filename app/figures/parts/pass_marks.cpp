// Rows too long for values: a mark a cell; or, a heat row, a mark for several neighbours, in which
// each state's colour is as high as its share of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "figures/parts/pass_rows.h"
#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

struct MarkLook {
    Role role;
    float height;  // of a mark for one cell, a part of the row's: shape doubles the colour
};
// In the order of CellState.
constexpr std::array<MarkLook, 5> kMarks{{{Role::idle, 0.55F},
                                          {Role::idle, 0.55F},
                                          {Role::read, 0.75F},
                                          {Role::idle_fill, 0.3F},
                                          {Role::wrote, 1}}};

constexpr float kLeastShare = 4;  // points: what is there at all is seen

// From the bottom up.
constexpr std::array kStacked{analysis::CellState::written, analysis::CellState::read,
                              analysis::CellState::same, analysis::CellState::spent};

using Counts = std::array<std::size_t, 5>;  // in the order of CellState

Counts counts_of(const RowToDraw& in, std::size_t mark) {
    const std::size_t first = mark * in.place().cells_per_mark;
    const std::size_t end = std::min(first + in.place().cells_per_mark, in.place().cells);
    Counts counts{};
    for (std::size_t cell = first; cell < end; ++cell)
        ++counts[static_cast<std::size_t>(in.states[in.row][cell])];
    // The input's cells look like those that nothing was done to yet.
    counts[static_cast<std::size_t>(analysis::CellState::same)] +=
        counts[static_cast<std::size_t>(analysis::CellState::input)];
    return counts;
}

std::string heat_tip(const RowToDraw& in, std::size_t mark, const Counts& counts) {
    const std::size_t first = mark * in.place().cells_per_mark;
    const std::size_t last = std::min(first + in.place().cells_per_mark, in.place().cells) - 1;
    return in.tr(
        "figure.tip_cells", fmt::arg("first", first), fmt::arg("last", last),
        fmt::arg("written", counts[static_cast<std::size_t>(analysis::CellState::written)]),
        fmt::arg("read", counts[static_cast<std::size_t>(analysis::CellState::read)]));
}

// Neighbours that are alike are one bar, so that no seams show.
struct MarkBar {
    float left = 0, right = 0, top = 0, bottom = 0;
    Role role = Role::none;
};

void add_bars(Scene& scene, std::vector<MarkBar>& bars) {
    std::vector<MarkBar> joined;
    for (const MarkBar& bar : bars) {
        const auto continues = [&](const MarkBar& before) {
            return before.role == bar.role && before.top == bar.top &&
                   before.bottom == bar.bottom && bar.left - before.right < 0.01F &&
                   bar.left >= before.right - 0.01F;
        };
        const auto before = std::find_if(joined.rbegin(), joined.rend(), continues);
        if (before != joined.rend() && before - joined.rbegin() < 8) {
            before->right = bar.right;
        } else {
            joined.push_back(bar);
        }
    }
    for (const MarkBar& bar : joined)
        scene.add(box(bar.left, bar.top, bar.right - bar.left, bar.bottom - bar.top, bar.role));
}

void add_heat(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    std::vector<MarkBar> bars;
    for (std::size_t mark = 0; mark < row.marks(); ++mark) {
        const Counts counts = counts_of(in, mark);
        std::size_t all = 0;
        float spare = row.height;  // beyond the least that each state there is must have
        for (const analysis::CellState state : kStacked) {
            all += counts[static_cast<std::size_t>(state)];
            spare -= counts[static_cast<std::size_t>(state)] > 0 ? kLeastShare : 0;
        }
        const float left = row.x[mark] - row.mark_width / 2;
        float bottom = row.bottom();
        for (const analysis::CellState state : kStacked) {
            const std::size_t count = counts[static_cast<std::size_t>(state)];
            if (count == 0) continue;
            const float share = static_cast<float>(count) / static_cast<float>(all);
            const float top = bottom - kLeastShare - spare * share;
            bars.push_back({left, left + row.mark_width, top, bottom, mark_of(state)});
            bottom = top;
        }
    }
    add_bars(scene, bars);
    // To be pointed at, a mark each.
    for (std::size_t mark = 0; mark < row.marks(); ++mark)
        scene.add(
            box(row.x[mark] - row.mark_width / 2, row.top, row.mark_width, row.height, Role::none),
            heat_tip(in, mark, counts_of(in, mark)));
}

void add_single_marks(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    for (std::size_t cell = 0; cell < row.cells; ++cell) {
        const analysis::CellState state = in.states[in.row][cell];
        const Rect mark = mark_box(state, row.x[cell], row.top, row.mark_width, row.height);
        scene.add(mark, cell_tip(in.table, in.row, cell, state, in.tr) + device_value(in, cell),
                  fmt::format("cell {} {}", in.row, cell));
    }
}

}  // namespace

Role mark_of(analysis::CellState state) {
    return kMarks[static_cast<std::size_t>(state)].role;
}

Rect mark_box(analysis::CellState state, float x, float top, float width, float height) {
    const MarkLook& look = kMarks[static_cast<std::size_t>(state)];
    const float high = height * look.height;
    return box(x - width / 2, top + height - high, width, high, look.role);
}

void add_item_strip(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    const float half = in.place().item_radius;
    const Columns& columns = *row.columns;
    std::vector<Box> parts = columns.groups;
    if (parts.empty()) parts = {{columns.left, 0, columns.right, 0}};
    for (const Box& part : parts)
        scene.add(
            box(part.left, row.lane_y - half / 2, part.right - part.left, half, Role::idle_fill));
    // How many of each mark's items work: over the cells that they write, the rest in proportion.
    std::vector<std::size_t> working(row.x.size(), 0), all(row.x.size(), 0);
    std::vector<bool> writes(in.pass().global, false), works(in.pass().global, false);
    for (const std::int64_t id : working_items(in.pass()))
        if (std::uint64_t(id) < works.size()) works[std::size_t(id)] = true;
    for (std::size_t cell = 0; cell < row.cells; ++cell)
        for (const analysis::Writer& writer : writers_of(in.pass().cells[cell])) {
            if (writer.item < 0 || std::uint64_t(writer.item) >= writes.size()) continue;
            writes[std::size_t(writer.item)] = true;
            ++all[cell / row.cells_per_mark];
            ++working[cell / row.cells_per_mark];
        }
    for (std::size_t id = 0; id < writes.size(); ++id) {
        if (writes[id]) continue;
        const std::size_t mark = id * row.x.size() / writes.size();
        ++all[mark];
        if (works[id]) ++working[mark];
    }
    std::vector<MarkBar> bars;
    for (std::size_t mark = 0; mark < working.size(); ++mark) {
        if (working[mark] == 0) continue;
        const float share = static_cast<float>(working[mark]) /
                            static_cast<float>(std::max(all[mark], working[mark]));
        const float left = row.x[mark] - row.mark_width / 2;
        const float high = std::max(2 * half * share, half);
        bars.push_back(
            {left, left + row.mark_width, row.lane_y + half - high, row.lane_y + half, Role::act});
    }
    add_bars(scene, bars);
}

void add_marks(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    if (row.cells_per_mark > 1)
        add_heat(scene, in);
    else
        add_single_marks(scene, in);
    if (!in.result) return;
    const float width = row.mark_width + 4;
    Rect frame =
        box(row.x_of(*in.result) - width / 2, row.top - 2, width, row.height + 4, Role::none);
    frame.radius = 1;
    frame.stroke = {in.table.right ? Role::wrote : Role::race, 2, Dash::solid};
    scene.add(frame, verdict(in.table, in.tr));
}

}  // namespace lab::figures
