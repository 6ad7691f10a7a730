#include <imgui.h>

#include <functional>

#include "base/paths.h"
#include "figures/painters/cairo.h"
#include "gui/kernels/kernel_panels.h"
#include "gui/lattice/lattice_gl.h"
#include "gui/lattice/lattice_viewport.h"
#include "gui/lattice/offscreen.h"
#include "gui/parts/widgets.h"
#include "session/lattice/lattice_view.h"

namespace lab::gui {
namespace {

using figures::Role;
using session::LatticePicture;
using session::LatticeView;

constexpr float kNumbers = 20, kStrip = kTouch;  // points: cell numbers above, the whole below
constexpr double kWheel = 1.25;                  // as close as before, each notch
constexpr double kTellable = 3;  // pixels: cells narrower than that are told together

struct Pointed {
    std::size_t row = 0;
    std::uint64_t first = 0, last = 0;  // cells
};

std::optional<Pointed> pointed_at(const LatticeViewport& viewport, ImVec2 mouse) {
    const double row = (mouse.y - viewport.top) / viewport.row;
    const double along = (mouse.x - viewport.left) / viewport.width;
    if (row < 0 || row >= static_cast<double>(viewport.lattice.rows.size()) || along < 0 ||
        along >= 1)
        return std::nullopt;
    Pointed pointed;
    pointed.row = static_cast<std::size_t>(row);
    if (viewport.cells(pointed.row) == 0) return std::nullopt;
    const double reach = viewport.cell_width(pointed.row) < kTellable ? 1.0 : 0.0;
    pointed.first = viewport.cell_at(pointed.row, std::floor(mouse.x));
    pointed.last = viewport.cell_at(pointed.row, std::floor(mouse.x) + reach);
    return pointed;
}

// What of several cells a double click means: rather one that went wrong, or was written.
std::uint64_t meant(const analysis::LatticeRow& row, const Pointed& pointed) {
    std::uint64_t best = pointed.first;
    const auto weight = [&](std::uint64_t cell) {
        const std::uint8_t bits = row.cells[cell];
        if ((bits & (analysis::kStaleBit | analysis::kRacedBit)) != 0) return 3;
        return analysis::state_of(bits) == analysis::CellState::written ? 2
               : analysis::state_of(bits) == analysis::CellState::read  ? 1
                                                                        : 0;
    };
    for (std::uint64_t cell = pointed.first; cell <= pointed.last; ++cell)
        if (weight(cell) > weight(best)) best = cell;
    return best;
}

// Whether the row's values can be read, so that there is nothing to come closer to.
bool is_closest(const LatticeViewport& viewport, std::size_t row) {
    return viewport.points(viewport.cell_width(row)) >= session::kReadableCell * 0.99;
}

void show_tip(const LatticeViewport& viewport, const Pointed& pointed, ImDrawList& into) {
    const Ui& ui = viewport.ui;
    const auto low =
        static_cast<float>(viewport.cell_left(pointed.row, static_cast<double>(pointed.first)));
    const auto high =
        static_cast<float>(viewport.cell_left(pointed.row, static_cast<double>(pointed.last + 1)));
    const float more = ui.px(1.5F);
    into.AddRect({std::max(low, viewport.at.x - more), viewport.cell_top(pointed.row) - more},
                 {std::min(high, viewport.end() + more), viewport.cell_bottom(pointed.row) + more},
                 ui.colour(Role::text), ui.px(5) * fades_in(8, 22, viewport.points(high - low)), 0,
                 std::max(1.0F, ui.px(1.25F)));
    if (!ImGui::BeginTooltip()) return;
    const bool one = pointed.first == pointed.last;
    const auto words =
        one ? figures::lattice_cell_text(viewport.lattice, pointed.row, pointed.first, ui.tr())
            : figures::lattice_range_text(viewport.lattice, pointed.row, pointed.first,
                                          pointed.last, ui.tr());
    ImGui::PushTextWrapPos(ui.px(360));
    for (std::size_t i = 0; i < words.size(); ++i) {
        const TextStyle style(ui, figures::Face::sans, i == 0 ? kSmallSize : kTextSize,
                              i == 0 ? Role::muted : Role::text);
        ImGui::TextUnformatted(words[i].c_str());
    }
    const bool closest = is_closest(viewport, pointed.row);
    if (!closest || ui.session.command("lattice.step").enabled(ui.session)) {
        const TextStyle style(ui, figures::Face::sans, kSmallSize, Role::muted);
        ImGui::TextUnformatted(
            ui.tr()(closest ? "lattice.double_click_step" : "lattice.double_click").c_str());
    }
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

// The wheel comes closer or goes farther, with Shift along; a drag takes hold of the picture.
void take_hands(Ui& ui, LatticePicture& view, const LatticeViewport& viewport, bool hovered) {
    const ImGuiIO& io = ImGui::GetIO();
    const double x = viewport.points(io.MousePos.x - viewport.at.x);
    const double y = viewport.points(io.MousePos.y - viewport.at.y);
    if (hovered && io.MouseWheel != 0 && io.KeyShift)
        view.look(panned(view.frame(), view.camera(), io.MouseWheel * 60.0, 0));
    else if (hovered && io.MouseWheel != 0)
        view.look(zoomed(view.frame(), view.camera(), std::pow(kWheel, io.MouseWheel), x, y));
    if (hovered && io.MouseWheelH != 0)
        view.look(panned(view.frame(), view.camera(), io.MouseWheelH * 60.0, 0));
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(3)) &&
        (io.MouseDelta.x != 0 || io.MouseDelta.y != 0))
        view.look(panned(view.frame(), view.camera(), viewport.points(io.MouseDelta.x),
                         viewport.points(io.MouseDelta.y)));
    if (!hovered || !ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return;
    const auto position = pointed_at(viewport, io.MousePos);
    if (!position) return;
    const LatticePicture::Place place{position->row,
                                      meant(viewport.lattice.rows[position->row], *position)};
    if (is_closest(viewport, place.row)) {
        view.look(on_cell(view.frame(), place.row, place.cell, viewport.cells(place.row)));
        ui.run("lattice.step");
    } else {
        view.go_to(place);
    }
}

// Where the view stands in the whole; to be dragged.
void paint_strip(Ui& ui, LatticePicture& view, ImVec2 point, float width) {
    const session::LatticeCamera camera = view.camera();
    const float height = ui.px(kStrip);
    ImGui::SetCursorScreenPos(point);
    ImGui::InvisibleButton("strip", {width, height});
    tip(ui, ui.tr()("lattice.strip.tip"), "Shift+Left  Shift+Right");
    if (ImGui::IsItemActive()) {
        session::LatticeCamera to = camera;
        to.x = (ImGui::GetIO().MousePos.x - point.x) / width;
        view.look(bounded(view.frame(), to));
    }
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const float y = point.y + height / 2;
    const float half = ui.px(ImGui::IsItemHovered() || ImGui::IsItemActive() ? 4 : 3);
    into.AddRectFilled({point.x, y - half}, {point.x + width, y + half}, ui.colour(Role::idle_fill),
                       half);
    const float seen = std::max(static_cast<float>(width / camera.zoom), ui.px(10));
    const float from =
        std::clamp(static_cast<float>(camera.x) * width - seen / 2, 0.0F, width - seen);
    into.AddRectFilled({point.x + from, y - half}, {point.x + from + seen, y + half},
                       ui.colour(Role::idle), half);
}

std::vector<LatticeStrip> strips(const LatticeViewport& viewport) {
    std::vector<LatticeStrip> lattice_strips;
    for (std::size_t row = viewport.first_row(); row < viewport.end_row(); ++row)
        lattice_strips.push_back({row, viewport.left, viewport.width, viewport.cell_top(row),
                                  viewport.cell_bottom(row)});
    return lattice_strips;
}

struct CanvasState {
    std::shared_ptr<LatticeGl> gl;       // once it is needed
    const LatticePicture* of = nullptr;  // the cells that it has
    std::uint64_t version = 0;           // the same
    ImVec2 corner, size;                 // where it was last, pixels; no size: not on screen
};

LatticeGl& gl(const Ui& ui, const LatticePicture& picture) {
    CanvasState& kept = ui.state<CanvasState>();
    if (!kept.gl) kept.gl = std::make_shared<LatticeGl>();
    if (kept.of != &picture || kept.version != picture.version()) {
        kept.of = &picture;
        kept.version = picture.version();
        kept.gl->set_cells(*picture.lattice());
    }
    return *kept.gl;
}

// Where things lie in a canvas of `size` at `corner`, pixels.
struct Canvas {
    std::vector<figures::RowLabel> labels;
    ImVec2 corner, at, seen;  // `seen`: of the cells alone, from `at` on
};

Canvas canvas_of(const Ui& ui, const analysis::Lattice& lattice, ImVec2 corner, ImVec2 size) {
    Canvas canvas;
    canvas.labels = figures::lattice_labels(lattice, ui.tr());
    canvas.corner = corner;
    const float most = std::max(ui.px(70), size.x * 0.28F);
    const float beside = std::min(ui.px(labels_width(ui, canvas.labels)), most);
    canvas.at = {corner.x + beside, corner.y + ui.px(kNumbers)};
    canvas.seen = {size.x - beside, size.y - ui.px(kNumbers + kStrip + 4)};
    return canvas;
}

LatticeViewport viewport_of(const Ui& ui, const LatticePicture& view, const Canvas& canvas) {
    const session::LatticeCamera camera = view.camera();
    return {ui,
            *view.lattice(),
            canvas.labels,
            canvas.at,
            canvas.seen,
            canvas.corner.x,
            canvas.at.x + left_of(view.frame(), camera) * ui.scale,
            canvas.seen.x * camera.zoom,
            canvas.at.y + top_of(view.frame(), camera) * ui.scale,
            row_height(view.frame(), camera.zoom) * ui.scale};
}

// All but what the mouse adds to it; `over_cells` draws more within the cells' edges.
void paint(const LatticeViewport& viewport, LatticeGl& cells, ImDrawList& into,
           const std::function<void()>& over_cells) {
    const Ui& ui = viewport.ui;
    const float rim = ui.px(2);
    const ImVec2 end{viewport.at.x + viewport.size.x, viewport.at.y + viewport.size.y};
    paint_numbers(viewport, into, ui.px(kNumbers));
    into.PushClipRect({viewport.at.x - rim, viewport.at.y}, {end.x + rim, end.y}, true);
    paint_boundaries(viewport, into);
    cells.draw(into, strips(viewport), ui.palette, ui.scale);
    paint_pins(viewport, into);
    paint_arcs(viewport, into);
    paint_values(viewport, into);
    if (over_cells) over_cells();
    into.PopClipRect();
    // A row's words may be taller than the row; nothing else stands beside the first and the last.
    const float more = ui.px(10);
    into.PushClipRect({viewport.labels_at, viewport.at.y - more},
                      {viewport.at.x - rim, end.y + more}, true);
    paint_labels(viewport, into, (viewport.at.x - viewport.labels_at) / ui.scale - 10);
    into.PopClipRect();
}

// What a picture of it says in a file, where nothing else does: of what it is above it, and below
// it what the marks stand for and what became of the run.
class Words {
  public:
    Words(const Ui& ui, const analysis::Lattice& lattice, float width)
        : ui_(ui),
          lattice_(lattice),
          width_(width),
          title_(ui.metrics.shortened(chosen_title(ui), width / ui.scale, kTitleSize,
                                      figures::Face::bold)),
          run_(ui.metrics.shortened(figures::subtitle(lattice.head, ui.tr()), width / ui.scale,
                                    kTextSize, figures::Face::sans)),
          sentence_(figures::lattice_sentence(lattice, ui.tr())) {}

    float above() const { return line(kTitleSize) + line(kTextSize) + ui_.px(12); }
    float below() const {
        return lattice_legend(ui_, lattice_, nullptr, {}, width_) + ui_.px(10) + said();
    }

    void paint_above(ImDrawList& into, ImVec2 point) const {
        write(into, point, figures::Face::bold, kTitleSize, Role::text, title_);
        write(into, {point.x, point.y + line(kTitleSize)}, figures::Face::sans, kTextSize,
              Role::muted, run_);
    }

    void paint_below(ImDrawList& into, ImVec2 point) const {
        point.y += lattice_legend(ui_, lattice_, &into, point, width_) + ui_.px(10);
        const bool wrong = !lattice_.head.right || lattice_.stale_reads > 0;
        into.AddRectFilled(point, {point.x + width_, point.y + said()},
                           ui_.colour(wrong ? Role::race_fill : Role::act_fill), ui_.px(6));
        write(into, {point.x + pad(), point.y + pad()}, figures::Face::sans, kTextSize, Role::text,
              sentence_, width_ - 2 * pad());
    }

  private:
    float pad() const { return ui_.px(11); }
    float line(float size) const {
        const TextStyle style(ui_, figures::Face::sans, size);
        return ImGui::GetTextLineHeight() + ui_.px(2);
    }
    float said() const {
        const TextStyle style(ui_, figures::Face::sans, kTextSize);
        return ImGui::CalcTextSize(sentence_.c_str(), nullptr, false, width_ - 2 * pad()).y +
               2 * pad();
    }
    void write(ImDrawList& into, ImVec2 point, figures::Face face, float size, Role role,
               const std::string& text, float wrapped_at = 0) const {
        const TextStyle style(ui_, face, size, role);
        into.AddText(ImGui::GetFont(), ImGui::GetFontSize(), point, ui_.colour(role), text.c_str(),
                     nullptr, wrapped_at);
    }

    const Ui& ui_;
    const analysis::Lattice& lattice_;
    float width_;  // pixels
    std::string title_, run_, sentence_;
};

}  // namespace

void save_lattice(Ui& ui, const std::filesystem::path& file, const std::string& /*suffix*/) {
    const LatticePicture& picture = ui.view<LatticeView>().picture();
    const std::shared_ptr<const analysis::Lattice> lattice = picture.lattice();
    const CanvasState& kept = ui.state<CanvasState>();
    if (!lattice || kept.of != &picture || kept.gl->problem() || kept.size.x <= 0)
        throw Problem("The lattice is not on screen", "There is no room for it, or no run yet",
                      "Make the window larger, or wait until the run is there");
    const Canvas canvas = canvas_of(ui, *lattice, kept.corner, kept.size);
    LatticeGl& cells = gl(ui, picture);
    const Words words(ui, *lattice, kept.size.x);
    const float pad = ui.px(10);
    const float below = canvas.at.y + canvas.seen.y + ui.px(10);
    const ImVec2 from{kept.corner.x, kept.corner.y - words.above()};
    const figures::Pixels pixels =
        draw_offscreen({from.x - pad, from.y - pad},
                       {kept.size.x + 2 * pad, below + words.below() - from.y + 2 * pad},
                       ui.palette[Role::panel], [&](ImDrawList& into) {
                           words.paint_above(into, from);
                           {
                               const TextStyle text(ui, figures::Face::sans, kTextSize);
                               paint(viewport_of(ui, picture, canvas), cells, into, {});
                           }
                           words.paint_below(into, {from.x, below});
                       });
    write_file(file, figures::png_of_pixels(pixels.width, pixels.height, pixels.rgba));
}

void lattice_canvas(Ui& ui, LatticePicture& view, ImVec2 size) {
    LatticeGl& cells = gl(ui, view);
    CanvasState& state = ui.state<CanvasState>();
    state.size = {0, 0};
    if (cells.problem()) {
        problem_card(ui, *cells.problem(), size.x);
        return;
    }
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const Canvas canvas = canvas_of(ui, *view.lattice(), corner, size);
    const ImVec2 point = canvas.at, seen = canvas.seen;
    if (seen.x < ui.px(40) || seen.y < ui.px(20)) return;
    state.corner = corner;
    state.size = size;
    view.set_frame(seen.x / ui.scale, seen.y / ui.scale);
    ImGui::SetCursorScreenPos(point);
    ImGui::InvisibleButton("cells", seen);
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    const bool hovered = ImGui::IsItemHovered();
    take_hands(ui, view, viewport_of(ui, view, canvas), hovered);
    const LatticeViewport viewport = viewport_of(ui, view, canvas);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const bool points = hovered && !ImGui::IsItemActive();
    paint(viewport, cells, into, [&] {
        const auto pointed = points ? pointed_at(viewport, ImGui::GetIO().MousePos) : std::nullopt;
        if (pointed) show_tip(viewport, *pointed, into);
    });
    paint_strip(ui, view, {point.x, point.y + seen.y + ui.px(4)}, seen.x);
    ImGui::SetCursorScreenPos({corner.x, corner.y + size.y});
    ImGui::Dummy({size.x, 0});
}

}  // namespace lab::gui
