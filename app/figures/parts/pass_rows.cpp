#include "figures/parts/pass_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/rows/agreement.h"
#include "figures/figures/pass_faults.h"
#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

// More arcs than these between two rows, and into one cell from neighbours, are a smear.
constexpr std::size_t kMostArcs = 160, kMostSources = 16;
constexpr std::size_t kManyArcs = 48, kFewLines = 6;  // above these they are thin

// In the order of CellState.
constexpr std::array<Look, 5> kLooks{{
    {Role::panel, Role::text, {Role::border, 1.25F, Dash::solid}},
    {Role::panel, Role::text, {Role::border, 1.25F, Dash::solid}},
    {Role::read_fill, Role::text, {Role::read, 1.5F, Dash::dashed}},
    {Role::background, Role::muted, {Role::idle_fill, 1, Dash::solid}},
    {Role::wrote_fill, Role::text, {Role::wrote, 2, Dash::solid}},
}};
constexpr Look kRight{Role::wrote_fill, Role::text, {Role::wrote, 3, Dash::solid}};
constexpr Look kStale{Role::race_fill, Role::text, {Role::race, 2, Dash::solid}};
constexpr Look kWrong{Role::race_fill, Role::text, {Role::race, 3, Dash::solid}, true};

// Neighbours, and more than arcs can show.
bool too_many(const analysis::Cell& cell) {
    if (cell.from.size() <= kMostSources) return false;
    const auto [first, last] = std::minmax_element(cell.from.begin(), cell.from.end());
    return *last - *first + 1 == cell.from.size();
}

// The area between many neighbouring sources and the cell that they went into.
Path funnel(const RowLayout& above, const RowLayout& below, const analysis::Cell& cell, float x) {
    const auto [first, last] = std::minmax_element(cell.from.begin(), cell.from.end());
    const float half = above.mark_width / 2, spout = below.mark_width / 4;
    Path path = polygon({{above.x_of(*first) - half, above.bottom() + 2},
                         {above.x_of(*last) + half, above.bottom() + 2},
                         {x + spout, below.top - 2},
                         {x - spout, below.top - 2}},
                        Role::act_fill);
    path.stroke = {Role::act, 1, Dash::solid};
    return path;
}

void add_arcs(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    const RowLayout& above = in.layout.rows[in.row - 1];
    std::size_t arcs = 0;
    for (const analysis::Cell& cell : in.pass().cells)
        arcs += too_many(cell) ? 0 : cell.from.size();

    // From one memory to the other lines go far, side by side: straight they are distinguished
    // best.
    const bool across = above.columns != row.columns;
    const auto connect = [&](Point from, Point to, Stroke stroke) {
        return across ? line(from, to, stroke) : arc(from, to, stroke);
    };
    const bool wide = row.full && arcs <= (across ? kFewLines : kManyArcs);
    const Stroke stroke{Role::act, wide ? 2.0F : 1.0F, Dash::solid};
    const float head = row.full ? 6 * in.layout.scale : 3.5F;
    for (const std::size_t cell : written_cells(in.pass())) {
        const analysis::Cell& of = in.pass().cells[cell];
        const float x = row.x_of(cell);
        if (too_many(of) || arcs > kMostArcs) continue;
        const bool by_item = row.lane && row.full && of.item >= 0;  // who stands over it
        if (!by_item && of.from.empty()) continue;                  // nobody knows what came in
        const float end = by_item ? row.lane_y - in.place().item_radius : row.top - 2;
        for (const std::uint32_t source : of.from)
            if (source < above.cells && !is_stale_source(in.table, in.row, of, source))
                scene.add(connect({above.x_of(source), above.bottom() + 1}, {x, end}, stroke));
        if (by_item) scene.add(line({x, row.lane_y}, {x, row.top - head}, stroke));
        scene.add(arrow_head({x, row.top - 1}, head, Role::act));
    }
}

// What there is no place for stands idle: three dots say that there is more.
void add_rest_of_items(Scene& scene, const RowToDraw& in, std::size_t count) {
    const float scale = in.layout.scale;
    const float last = in.place().x.empty() ? in.place().columns->left : in.place().x.back();
    scene.add(Text{last + in.place().item_radius + 10 * scale, in.place().lane_y + 2 * scale,
                   kMoreItems, kTitleSize * scale, Face::bold, Role::muted, Anchor::middle},
              in.tr("figure.tip_more_items", fmt::arg("count", count)));
}

void add_items(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    const float radius = in.place().item_radius;
    const auto name = [&](std::int64_t item) { return in.table.item_name(item); };
    const std::string longest = name(static_cast<std::int64_t>(in.pass().global) - 1);
    const float fitting = 1.55F * radius / in.fonts.text_width(longest, 1, Face::mono);
    const float size = std::min(fitting, kSmallSize * in.layout.scale);
    const std::vector<Item> items = place_items(in.pass(), row);
    if (const std::size_t rest = items_left_out(in.pass(), row); rest > 0)
        add_rest_of_items(scene, in, rest);
    for (const Item& item : items) {
        const Point middle{row.x[item.place], row.lane_y};
        Rect circle = disc(middle, radius, item.works ? Role::act : Role::idle_fill);
        circle.stroke = {item.works ? Role::act : Role::idle, 1, Dash::solid};
        scene.add(circle,
                  in.tr(item.works ? "figure.tip_item_works" : "figure.tip_item_idle",
                        fmt::arg("item", name(item.id))),
                  fmt::format("worker {} {}", in.row, item.id));
        if (size < 7) continue;
        scene.add(Text{middle.x, middle.y + in.fonts.cap_height(size, Face::mono) / 2,
                       name(item.id), size, Face::mono, item.works ? Role::on_act : Role::muted,
                       Anchor::middle});
    }
}

Look look_in(const RowToDraw& in, std::size_t cell) {
    if (in.result == cell) return in.table.right ? kRight : kWrong;
    if (in.pass().cells[cell].stale) return kStale;
    Look look = look_of(in.states[in.row][cell]);
    if (in.current && in.states[in.row][cell] == analysis::CellState::written)
        look.stroke.width = 3;
    return look;
}

void add_cells(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    const float least = kLeastValueSize * in.layout.scale;
    const float room = row.mark_width - kValuePadding * in.layout.scale;
    for (std::size_t cell = 0; cell < row.cells; ++cell) {
        const Look look = look_in(in, cell);
        const float x = row.x_of(cell);
        Rect rect = box(x - row.mark_width / 2, row.top, row.mark_width, row.height, look.fill);
        rect.radius = std::min(5.0F, row.mark_width / 8);
        rect.stroke = look.stroke;
        rect.hatch = look.hatch;
        scene.add(rect,
                  cell_tip(in.table, in.row, cell, in.states[in.row][cell], in.tr) +
                      device_value(in, cell),
                  fmt::format("cell {} {}", in.row, cell));

        const std::string value = text_of(in.pass().cells[cell].value);
        const float fitting = room / in.fonts.text_width(value, 1, Face::mono);
        const float size = std::clamp(fitting, least, row.value_size);
        scene.add(Text{x, row.top + (row.height + in.fonts.cap_height(size, Face::mono)) / 2,
                       in.fonts.shortened_value(value, room + 0.1F, size, Face::mono), size,
                       Face::mono, look.text, Anchor::middle});
    }
}

}  // namespace

Look look_of(analysis::CellState state) {
    return kLooks[static_cast<std::size_t>(state)];
}

std::string device_value(const RowToDraw& in, std::size_t cell) {
    if (in.device == nullptr || in.row == 0) return {};
    for (const analysis::Row& row : in.device->rows) {
        if (row_like(row, in.table) != in.row || !row.cells[cell].value.bits) continue;
        return in.tr("figure.space") +
               in.tr("tip.on_device", fmt::arg("value", text_of(row.cells[cell].value)));
    }
    return {};
}

Look stale_look() {
    return kStale;
}

void add_funnels(Scene& scene, const RowToDraw& in) {
    if (in.row == 0) return;
    const RowLayout& above = in.layout.rows[in.row - 1];
    for (const std::size_t cell : written_cells(in.pass())) {
        const analysis::Cell& of = in.pass().cells[cell];
        if (too_many(of)) scene.add(funnel(above, in.place(), of, in.place().x_of(cell)));
    }
}

void add_row(Scene& scene, const RowToDraw& in) {
    if (in.row > 0) add_arcs(scene, in);
    add_stale_arcs(scene, in);
    const bool full = in.place().full;
    if (in.place().lane) (full ? add_items : add_item_strip)(scene, in);
    (full ? add_cells : add_marks)(scene, in);
    add_faults(scene, in);
}

}  // namespace lab::figures
