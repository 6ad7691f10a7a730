#include "gui/lattice/lattice_viewport.h"

#include <fmt/format.h>

#include <array>
#include <span>

namespace lab::gui {
namespace {

using figures::Boundary;
using figures::Face;
using figures::Role;

constexpr std::size_t kMostArcs = 240;    // between two rows
constexpr std::size_t kMostSources = 16;  // into one cell from neighbours; more are a funnel

ImU32 faded(const Ui& ui, Role role, float alpha) {
    ImVec4 colour = ui.colour4(role);
    colour.w *= alpha;
    return ImGui::ColorConvertFloat4ToU32(colour);
}

// `size` in points; `at` is the left end, and the middle of capital letters.
void text_at(const Ui& ui, ImDrawList& into, ImVec2 point, const std::string& text, float size,
             Face face, ImU32 colour) {
    const float ascent = ui.px(ui.metrics.ascent(size, face));
    const float half = ui.px(ui.metrics.cap_height(size, face)) / 2;
    into.AddText(ui.fonts.font(face), ui.px(ui.fonts.imgui_size(face, size)),
                 {std::round(point.x), std::round(point.y + half - ascent)}, colour, text.c_str());
}

// From one cell to another below: straight down at both ends. Only what is in sight is walked
// along, so that it looks the same however far away its ends are.
class Arc {
  public:
    Arc(double x0, double y0, double x1, double y1) : x0_(x0), y0_(y0), x1_(x1), y1_(y1) {}

    void paint(ImDrawList& into, double low, double high, ImU32 colour, float width) const {
        constexpr int kPieces = 24;
        double from = 0;
        double to = 1;
        if (const double way = x1_ - x0_; std::abs(way) > 0.5) {
            const double a = share((low - x0_) / way);
            const double b = share((high - x0_) / way);
            from = std::min(a, b);
            to = std::max(a, b);
        } else if (x0_ < low || x0_ > high) {
            return;
        }
        if (to - from < 1e-9) return;
        std::array<ImVec2, kPieces + 1> points;
        for (std::size_t i = 0; i <= kPieces; ++i) {
            const double t = from + (to - from) * static_cast<double>(i) / kPieces;
            const double across = t * t * (3 - 2 * t);
            const double down = 1.5 * t * (1 - t) + t * t * t;
            points[i] = {static_cast<float>(x0_ + (x1_ - x0_) * across),
                         static_cast<float>(y0_ + (y1_ - y0_) * down)};
        }
        into.AddPolyline(points.data(), kPieces + 1, colour, 0, width);
    }

  private:
    // Where along the curve so much of the way across is done.
    static double share(double across) {
        const double s = std::clamp(across, 0.0, 1.0);
        return 0.5 - std::sin(std::asin(1 - 2 * s) / 3);
    }
    double x0_, y0_, x1_, y1_;
};

std::span<const analysis::LatticeChange> changes_in_viewport(const LatticeViewport& viewport,
                                                             std::size_t row) {
    const auto& changes = viewport.lattice.rows[row].changes;
    const auto before = [](const analysis::LatticeChange& change, std::uint64_t cell) {
        return change.cell < cell;
    };
    const auto first =
        std::lower_bound(changes.begin(), changes.end(), viewport.first_cell(row), before);
    const auto end = std::lower_bound(first, changes.end(), viewport.last_cell(row) + 1, before);
    return std::span(changes).subspan(static_cast<std::size_t>(first - changes.begin()),
                                      static_cast<std::size_t>(end - first));
}

// How much of the items over cells can be seen, 0 to 1.
float items_shown(const LatticeViewport& viewport, std::size_t row) {
    return fades_in(22, 36, viewport.points(viewport.cell_width(row))) *
           fades_in(46, 74, viewport.points(viewport.row));
}

// As wide as its number needs.
void paint_item(const LatticeViewport& viewport, ImDrawList& into, ImVec2 point,
                const analysis::LatticeChange& change, float alpha) {
    constexpr float kSize = 10;
    const Ui& ui = viewport.ui;
    const std::string id = std::to_string(change.item);
    const float width = ui.px(ui.metrics.text_width(id, kSize, Face::mono));
    const float high = ui.px(8.5F) * alpha;
    const float half = std::max(high, (width / 2 + ui.px(5)) * alpha);
    into.AddRectFilled({point.x - half, point.y - high}, {point.x + half, point.y + high},
                       faded(ui, Role::act, alpha), high);
    text_at(ui, into, {point.x - width / 2, point.y}, id, kSize, Face::mono,
            faded(ui, Role::on_act, fades_in(0.7, 1, alpha)));
}

// Many neighbours went into one cell.
void paint_funnel(const LatticeViewport& viewport, ImDrawList& into, std::size_t row,
                  std::span<const std::uint32_t> from, double x, float end, float alpha) {
    const double low = viewport.at.x - 4000.0;
    const double high = viewport.end() + 4000.0;
    const auto within = [&](double at) { return static_cast<float>(std::clamp(at, low, high)); };
    const float above = viewport.cell_bottom(row - 1) + 1;
    const float half =
        std::min(static_cast<float>(viewport.cell_width(row)) / 4, viewport.ui.px(8));
    const std::array<ImVec2, 4> corners{
        {{within(viewport.cell_left(row - 1, from.front())), above},
         {within(viewport.cell_left(row - 1, from.back() + 1.0)), above},
         {within(x) + half, end},
         {within(x) - half, end}}};
    into.AddConvexPolyFilled(corners.data(), 4, faded(viewport.ui, Role::act_fill, alpha));
    into.AddPolyline(corners.data(), 4, faded(viewport.ui, Role::act, alpha), ImDrawFlags_Closed,
                     viewport.ui.px(1));
}

// How much of the arcs of a row can be seen, 0 to 1: many are a smear.
float arcs_shown(const LatticeViewport& viewport, std::size_t row,
                 std::span<const analysis::LatticeChange> changes) {
    if (changes.size() > kMostArcs) return 0;
    std::size_t arcs = 0;
    for (const analysis::LatticeChange& change : changes)
        arcs += std::min(sources_of(viewport.lattice.rows[row], change).size(), kMostSources);
    return 1 - fades_in(kMostArcs / 3.0, kMostArcs, static_cast<double>(arcs));
}

void paint_pins_of(const LatticeViewport& viewport, ImDrawList& into, std::size_t row) {
    const auto changes = changes_in_viewport(viewport, row);
    const float half = viewport.ui.px(1.5F) * viewport.ui.palette.stroke_scale;
    if (viewport.cell_width(row) >= 2 * half) return;
    const float alpha = arcs_shown(viewport, row, changes);
    if (alpha <= 0) return;
    for (const analysis::LatticeChange& change : changes) {
        if (change.item == analysis::kNobody) continue;
        const auto x = static_cast<float>(viewport.cell_middle(row, change.cell));
        const std::uint8_t bits = viewport.lattice.rows[row].cells[change.cell];
        const Role role = (bits & analysis::kStaleBit) != 0 ? Role::race : Role::wrote;
        into.AddRectFilled({x - half, viewport.cell_top(row)},
                           {x + half, viewport.cell_bottom(row)}, faded(viewport.ui, role, alpha));
        if ((bits & analysis::kRacedBit) == 0) continue;
        const float below = viewport.cell_bottom(row) + 1;
        into.AddTriangleFilled({x, below}, {x + 2.4F * half, below + 4 * half},
                               {x - 2.4F * half, below + 4 * half},
                               faded(viewport.ui, Role::race, alpha));
    }
}

void paint_arcs_of(const LatticeViewport& viewport, ImDrawList& into, std::size_t row) {
    const analysis::LatticeRow& lattice_row = viewport.lattice.rows[row];
    const auto changes = changes_in_viewport(viewport, row);
    const float alpha = arcs_shown(viewport, row, changes);
    if (alpha <= 0) return;
    const Ui& ui = viewport.ui;
    const float items = items_shown(viewport, row);
    const float above = viewport.cell_bottom(row - 1) + 1;
    const float top = viewport.cell_top(row) - 1;
    const float width = ui.px(1 + fades_in(12, 60, viewport.points(viewport.cell_width(row)))) *
                        ui.palette.stroke_scale;
    for (const analysis::LatticeChange& change : changes) {
        if (change.item == analysis::kNobody) continue;
        const double x = viewport.cell_middle(row, change.cell);
        const bool stale = (lattice_row.cells[change.cell] & analysis::kStaleBit) != 0;
        const ImU32 colour = faded(ui, stale ? Role::race : Role::act, alpha);
        const float item_y = top - ui.px(16);
        const float end = items > 0 ? top + (item_y - top) * items : top;
        const auto from = sources_of(lattice_row, change);
        const bool funnel =
            from.size() > kMostSources && from.back() - from.front() + 1 == from.size();
        if (funnel)
            paint_funnel(viewport, into, row, from, x, end, alpha);
        else
            for (const std::uint32_t source : from.first(std::min(from.size(), kMostArcs)))
                Arc(viewport.cell_middle(row - 1, source), above, x, end)
                    .paint(into, viewport.at.x, viewport.end(), colour, width);
        if (items <= 0 || x < viewport.at.x - ui.px(12) || x > viewport.end() + ui.px(12)) continue;
        const auto middle = static_cast<float>(x);
        into.AddLine({middle, end}, {middle, top}, colour, width);
        paint_item(viewport, into, {middle, item_y}, change, items);
    }
}

void paint_values_of(const LatticeViewport& viewport, ImDrawList& into, std::size_t row) {
    const Ui& ui = viewport.ui;
    const double width = viewport.cell_width(row);
    const float alpha = fades_in(24, 36, viewport.points(width)) *
                        fades_in(8, 11, viewport.points(viewport.cell_height()));
    if (alpha <= 0) return;
    const float largest =
        std::min(15.0F, static_cast<float>(viewport.points(viewport.cell_height())) * 0.8F) *
        std::min(ui.palette.text_scale, 1.2F);
    const float y = viewport.cell_bottom(row) - viewport.cell_height() / 2;
    for (std::uint64_t cell = viewport.first_cell(row); cell <= viewport.last_cell(row); ++cell) {
        // A cell wider than the view has its value where it is seen.
        const double low =
            std::max(viewport.cell_left(row, static_cast<double>(cell)), double{viewport.at.x});
        const double high = std::min(viewport.cell_left(row, static_cast<double>(cell) + 1),
                                     double{viewport.end()});
        const bool cut = high - low < width - 0.5 && high - low < ui.px(60);
        const double middle =
            cut ? viewport.cell_middle(row, static_cast<double>(cell)) : (low + high) / 2;
        const auto room = static_cast<float>(viewport.points(width)) - 11;
        std::string text = text_of(value_of(viewport.lattice, row, cell));
        const float fitting = room / ui.metrics.text_width(text, 1, Face::mono);
        const float size = std::clamp(fitting, 8.0F, largest);
        if (fitting < size) text = ui.metrics.shortened_value(text, room, size, Face::mono);
        const float wide = ui.px(ui.metrics.text_width(text, size, Face::mono));
        const bool spent = analysis::state_of(viewport.lattice.rows[row].cells[cell]) ==
                           analysis::CellState::spent;
        text_at(ui, into, {static_cast<float>(middle) - wide / 2, y}, text, size, Face::mono,
                faded(ui, spent ? Role::muted : Role::text, alpha));
    }
}

// A line across the groups, broken at their edges where these can be distinguished.
void paint_barrier(const LatticeViewport& viewport, ImDrawList& into, std::size_t row, float y,
                   float thickness) {
    const analysis::Row& pass = viewport.lattice.head.rows[row];
    const ImU32 colour = viewport.ui.colour(Role::barrier);
    const double groups =
        pass.local > 0 ? static_cast<double>((pass.global + pass.local - 1) / pass.local) : 1;
    const double group = viewport.width / groups;
    const float gap = viewport.ui.px(6) * fades_in(8, 40, viewport.points(group));
    const double low = std::max(viewport.left, double{viewport.at.x});
    const double high = std::min(viewport.left + viewport.width, double{viewport.end()});
    if (gap <= 0) {
        into.AddLine({static_cast<float>(low), y}, {static_cast<float>(high), y}, colour,
                     thickness);
        return;
    }
    for (double at = std::floor((low - viewport.left) / group); at * group + viewport.left < high;
         ++at) {
        const double from = std::max(viewport.left + at * group + gap / 2, low);
        const double to = std::min(viewport.left + (at + 1) * group - gap / 2, high);
        if (to > from)
            into.AddLine({static_cast<float>(from), y}, {static_cast<float>(to), y}, colour,
                         thickness);
    }
}

}  // namespace

void paint_boundaries(const LatticeViewport& viewport, ImDrawList& into) {
    const Ui& ui = viewport.ui;
    const float grown = fades_in(6, 40, viewport.points(viewport.row));
    for (std::size_t row = viewport.first_row(); row < viewport.end_row(); ++row) {
        const Boundary boundary = figures::boundary_after(viewport.lattice.head, row);
        if (boundary == Boundary::none) continue;
        const float bottom = viewport.cell_bottom(row);
        const float y = bottom + (viewport.row_top(row + 1) - bottom) * 0.75F;
        const float scale = ui.px(1) * ui.palette.stroke_scale;
        if (boundary == Boundary::launch)
            into.AddLine({static_cast<float>(std::max(viewport.left, double{viewport.at.x})), y},
                         {viewport.end(), y}, ui.colour(Role::barrier), scale * (1 + 1.5F * grown));
        else
            paint_barrier(viewport, into, row, y, scale * (0.6F + 1.4F * grown));
    }
}

void paint_pins(const LatticeViewport& viewport, ImDrawList& into) {
    for (std::size_t row = viewport.first_row(); row < viewport.end_row(); ++row)
        paint_pins_of(viewport, into, row);
}

void paint_arcs(const LatticeViewport& viewport, ImDrawList& into) {
    for (std::size_t row = std::max<std::size_t>(viewport.first_row(), 1); row < viewport.end_row();
         ++row)
        paint_arcs_of(viewport, into, row);
}

void paint_values(const LatticeViewport& viewport, ImDrawList& into) {
    for (std::size_t row = viewport.first_row(); row < viewport.end_row(); ++row)
        paint_values_of(viewport, into, row);
}

float labels_width(const Ui& ui, const std::vector<figures::RowLabel>& labels) {
    float widest = 0;
    for (const figures::RowLabel& label : labels) {
        const float title = ui.metrics.text_width(label.title, kTextSize, Face::bold);
        const float beside =
            label.variables.empty()
                ? 0
                : 8 + ui.metrics.text_width(label.variables, kSmallSize, Face::sans);
        widest = std::max(
            {widest, title + beside, ui.metrics.text_width(label.items, kSmallSize, Face::sans)});
    }
    return widest + 14;
}

void paint_labels(const LatticeViewport& viewport, ImDrawList& into, float width) {
    const Ui& ui = viewport.ui;
    const double row_points = viewport.points(viewport.row);
    const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(15 / row_points)));
    const float x = viewport.labels_at;
    const float second = fades_in(30, 36, row_points);
    for (std::size_t row = viewport.first_row(); row < viewport.end_row(); ++row) {
        if (row % step != 0 && row + 1 != viewport.labels.size()) continue;
        if (row + 1 != viewport.labels.size() && row + step > viewport.labels.size() - 1 &&
            row % step == 0 && step > 1)
            continue;  // the last row's own comes there
        const figures::RowLabel& label = viewport.labels[row];
        const float shift = label.items.empty() ? 0 : ui.px(8) * second;
        const float y = viewport.cell_bottom(row) - viewport.cell_height() / 2 - shift;
        const std::string title = ui.metrics.shortened(label.title, width, kTextSize, Face::bold);
        text_at(ui, into, {x, y}, title, kTextSize, Face::bold, ui.colour(Role::text));
        const float used = ui.metrics.text_width(title, kTextSize, Face::bold) + 8;
        const std::string beside =
            ui.metrics.shortened(label.variables, width - used, kSmallSize, Face::sans);
        text_at(ui, into, {x + ui.px(used), y}, beside, kSmallSize, Face::sans,
                ui.colour(Role::muted));
        if (second > 0)
            text_at(ui, into, {x, y + ui.px(16)},
                    ui.metrics.shortened(label.items, width, kSmallSize, Face::sans), kSmallSize,
                    Face::sans, faded(ui, Role::muted, second));
        const float words = fades_in(64, 76, row_points);
        if (words <= 0 || label.boundary.empty()) continue;
        const float bottom = viewport.cell_bottom(row);
        text_at(ui, into, {x, bottom + (viewport.row_top(row + 1) - bottom) * 0.75F + ui.px(8)},
                ui.metrics.shortened(label.boundary, width, kSmallSize - 1, Face::sans),
                kSmallSize - 1, Face::sans, faded(ui, Role::barrier_text, words));
    }
}

void paint_numbers(const LatticeViewport& viewport, ImDrawList& into, float height) {
    const Ui& ui = viewport.ui;
    std::size_t longest = 0;
    for (std::size_t row = 0; row < viewport.lattice.rows.size(); ++row)
        if (viewport.cells(row) > viewport.cells(longest)) longest = row;
    const double width = viewport.cell_width(longest);
    const std::string last = std::to_string(viewport.cells(longest));
    const float room = ui.px(ui.metrics.text_width(last, kSmallSize, Face::sans) + 18);
    std::uint64_t step = 1;
    while (static_cast<double>(step) * width < room)
        step *= 2;
    const float y = viewport.at.y - height / 2;
    for (std::uint64_t cell = viewport.first_cell(longest) / step * step;
         cell <= viewport.last_cell(longest); cell += step) {
        const double x = viewport.cell_middle(longest, static_cast<double>(cell));
        const std::string number = std::to_string(cell);
        const float half = ui.px(ui.metrics.text_width(number, kSmallSize, Face::sans)) / 2;
        const auto position = static_cast<float>(x);
        if (position < viewport.at.x - 1 || position > viewport.end()) continue;
        const float begin = std::clamp(position - half, viewport.at.x,
                                       std::max(viewport.at.x, viewport.end() - 2 * half));
        text_at(ui, into, {begin, y - ui.px(1)}, number, kSmallSize, Face::sans,
                ui.colour(Role::muted));
        into.AddLine({position, viewport.at.y - ui.px(3)}, {position, viewport.at.y},
                     ui.colour(Role::border), std::max(1.0F, ui.px(1)));
    }
}

}  // namespace lab::gui
