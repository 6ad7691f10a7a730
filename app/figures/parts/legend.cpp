#include "figures/parts/legend.h"

#include <algorithm>
#include <array>

#include "analysis/rows/cells.h"
#include "figures/figures/pass_faults.h"
#include "figures/parts/pass_rows.h"
#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

// A swatch is 22 points wide at scale 1, around the point (x, y).
struct Swatch {
    Scene& scene;
    float x, y, scale;
    bool full;
    const Fonts& fonts;
};

void item(const Swatch& in, Role fill, Role edge) {
    Rect circle = disc({in.x, in.y}, 7 * in.scale, fill);
    circle.stroke = {edge, 1, Dash::solid};
    in.scene.add(circle);
}

Rect looking(const Swatch& in, const Look& look) {
    const float width = 18 * in.scale, height = 14 * in.scale;
    Rect rect = box(in.x - width / 2, in.y - height / 2, width, height, look.fill);
    rect.stroke = look.stroke;
    rect.radius = 3;
    return rect;
}

void cell(const Swatch& in, analysis::CellState state) {
    const float height = 14 * in.scale;
    if (in.full)
        in.scene.add(looking(in, look_of(state)));
    else
        in.scene.add(mark_box(state, in.x, in.y - height / 2, 10 * in.scale, height));
}

void sign(const Swatch& in, const char* text, Face face, Role role) {
    const float size = kTitleSize * in.scale;
    in.scene.add(Text{in.x, in.y + in.fonts.cap_height(size, Face::sans) / 2, text, size, face,
                      role, Anchor::middle});
}

void unknown(const Swatch& in) {
    in.scene.add(looking(in, look_of(analysis::CellState::same)));
    sign(in, kNobodyWrote, Face::mono, Role::text);
}

void more_items(const Swatch& in) {
    sign(in, kMoreItems, Face::bold, Role::muted);
}

void heat(const Swatch& in) {
    const float width = 12 * in.scale, height = 14 * in.scale, top = in.y - height / 2;
    const auto part = [&](float from, float to, analysis::CellState state) {
        in.scene.add(box(in.x - width / 2, top + from * height, width, (to - from) * height,
                         mark_of(state)));
    };
    part(0, 0.3F, analysis::CellState::same);
    part(0.3F, 0.6F, analysis::CellState::read);
    part(0.6F, 1, analysis::CellState::written);
}

void stale(const Swatch& moved) {
    Swatch in = moved;
    in.x -= 3 * in.scale;
    if (in.full) in.scene.add(looking(in, stale_look()));
    add_sign(in.scene,
             in.full ? Point{in.x + 7 * in.scale, in.y - 5 * in.scale} : Point{in.x, in.y},
             in.scale);
}

void stale_arc(const Swatch& in) {
    const float half = 7 * in.scale;
    in.scene.add(arc({in.x + half, in.y - half}, {in.x - half, in.y + half}, stale_stroke()));
}

void raced(const Swatch& in) {
    const float size = 5 * in.scale;
    if (in.full)
        in.scene.add(race_frame(
            box(in.x - 7 * in.scale, in.y - 5 * in.scale, 14 * in.scale, 10 * in.scale, Role::none),
            in.scale));
    else
        in.scene.add(polygon({{in.x, in.y - size / 2},
                              {in.x + size * 0.7F, in.y + size / 2},
                              {in.x - size * 0.7F, in.y + size / 2}},
                             Role::race));
}

// Whole where it orders all groups, in two parts where each has its own.
void boundary(const Swatch& in, Boundary kind) {
    const float half = 11 * in.scale;
    if (kind == Boundary::by_hand) {
        in.scene.add(line({in.x - half, in.y}, {in.x + half, in.y}, by_hand_stroke()));
        return;
    }
    const float gap = kind == Boundary::launch ? 0 : 3.5F * in.scale;
    if (kind == Boundary::atomics)
        in.scene.add(
            line({in.x - gap, in.y}, {in.x + gap, in.y}, {Role::barrier, 2.5F, Dash::dotted}));
    for (const float side : {-1.0F, 1.0F})
        in.scene.add(line({in.x + side * half, in.y}, {in.x + side * gap, in.y},
                          {Role::barrier, 3, Dash::solid}));
}

void goes_into(const Swatch& in) {
    const float half = 7 * in.scale;
    in.scene.add(
        arc({in.x + half, in.y - half}, {in.x - half, in.y + half}, {Role::act, 2, Dash::solid}));
}

// What the figure has in it.
struct Present {
    bool working = false, idle = false, more_items = false;
    bool arcs = false, unknown = false, heat = false;
    bool stale = false, stale_arcs = false, raced = false;
    std::array<bool, 5> states{};  // in the order of CellState
    std::array<bool, 5> boundaries{};
    bool full = true;

    bool has(analysis::CellState state) const { return states[static_cast<std::size_t>(state)]; }
    bool has(Boundary kind) const { return boundaries[static_cast<std::size_t>(kind)]; }
};

void add_item_entries(Present& in, const analysis::Row& pass, const RowLayout& row) {
    if (!row.lane) return;
    const std::size_t working = working_items(pass).size();
    in.working |= working > 0;
    const bool left_out = row.full && items_left_out(pass, row) > 0;
    in.idle |= working < pass.global && !left_out;
    in.more_items |= left_out;
}

Present present_in(const analysis::StepTable& table, const PassLayout& layout) {
    Present in;
    for (const auto& row : cell_states(table))
        for (const analysis::CellState state : row)
            in.states[static_cast<std::size_t>(state)] = true;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const analysis::Row& pass = table.rows[row];
        add_item_entries(in, pass, layout.rows[row]);
        for (const analysis::Cell& cell : pass.cells) {
            for (const analysis::Writer& writer : writers_of(cell))
                in.arcs |= !writer.from.empty();
            in.unknown |= layout.rows[row].full && !cell.value.bits;
        }
        in.heat |= layout.rows[row].cells_per_mark > 1;
        in.raced |= !pass.raced.empty();
        in.stale |= std::any_of(pass.cells.begin(), pass.cells.end(),
                                [](const analysis::Cell& of) { return of.stale; });
        for (const analysis::StaleValue& read : pass.stale)
            in.stale_arcs |= row > 0 && missed_at(table, row, read).has_value();
        in.boundaries[static_cast<std::size_t>(boundary_after(table, row))] = true;
    }
    const auto full = std::count_if(layout.rows.begin(), layout.rows.end(),
                                    [](const RowLayout& row) { return row.full; });
    in.full = 2 * static_cast<std::size_t>(full) >= layout.rows.size();
    return in;
}

struct PassMark {
    const char* key;
    bool (*when)(const Present&);
    void (*swatch)(const Swatch&);
};
constexpr std::array<PassMark, 17> kEntries{{
    {"figure.legend_works", [](const Present& in) { return in.working; },
     [](const Swatch& in) { item(in, Role::act, Role::act); }},
    {"figure.legend_idle", [](const Present& in) { return in.idle; },
     [](const Swatch& in) { item(in, Role::idle_fill, Role::idle); }},
    {"figure.legend_more_items", [](const Present& in) { return in.more_items; }, more_items},
    {"figure.legend_arc", [](const Present& in) { return in.arcs; }, goes_into},
    {"figure.legend_written",
     [](const Present& in) { return in.has(analysis::CellState::written); },
     [](const Swatch& in) { cell(in, analysis::CellState::written); }},
    {"figure.legend_read", [](const Present& in) { return in.has(analysis::CellState::read); },
     [](const Swatch& in) { cell(in, analysis::CellState::read); }},
    {"figure.legend_same", [](const Present& in) { return !in.full; },
     [](const Swatch& in) { cell(in, analysis::CellState::same); }},
    {"figure.legend_spent", [](const Present& in) { return in.has(analysis::CellState::spent); },
     [](const Swatch& in) { cell(in, analysis::CellState::spent); }},
    {"figure.legend_unknown", [](const Present& in) { return in.unknown; }, unknown},
    {"figure.legend_launch", [](const Present& in) { return in.has(Boundary::launch); },
     [](const Swatch& in) { boundary(in, Boundary::launch); }},
    {"figure.legend_barrier", [](const Present& in) { return in.has(Boundary::group); },
     [](const Swatch& in) { boundary(in, Boundary::group); }},
    {"figure.legend_atomics", [](const Present& in) { return in.has(Boundary::atomics); },
     [](const Swatch& in) { boundary(in, Boundary::atomics); }},
    {"figure.legend_by_hand", [](const Present& in) { return in.has(Boundary::by_hand); },
     [](const Swatch& in) { boundary(in, Boundary::by_hand); }},
    {"figure.legend_stale", [](const Present& in) { return in.stale; }, stale},
    {"figure.legend_stale_arc", [](const Present& in) { return in.stale_arcs; }, stale_arc},
    {"figure.legend_raced", [](const Present& in) { return in.raced; }, raced},
    {"figure.legend_heat", [](const Present& in) { return in.heat; }, heat},
}};

}  // namespace

void add_legend(Scene& scene, const analysis::StepTable& table, const PassLayout& layout,
                float width, const Fonts& fonts, const Translations& tr) {
    const float scale = layout.scale, size = kSmallSize * scale;
    const float indent = 29 * scale, between = 20 * scale, line_height = 22 * scale;
    const float left = layout.columns().left;
    const float edge = std::max(width, scene.width) - kMargin;
    const Present present = present_in(table, layout);
    float x = left, y = layout.legend_y, used = 0;
    for (const PassMark& entry : kEntries) {
        if (!entry.when(present)) continue;
        const std::string& words = tr(entry.key);
        const float wide = indent + fonts.text_width(words, size, Face::sans);
        if (x + wide > edge && x > left) {
            x = left;
            y += line_height;
        }
        const float middle = y - fonts.cap_height(size, Face::sans) / 2;
        entry.swatch({scene, x + 11 * scale, middle, scale, present.full, fonts});
        scene.add(Text{x + indent, y, words, size, Face::sans, Role::muted, Anchor::start});
        used = std::max(used, x + wide);
        x += wide + between;
    }
    if (used == 0) return;
    scene.width = std::max(scene.width, used + kMargin);
    scene.height = y + 6 * scale + kMargin;
}

}  // namespace lab::figures
