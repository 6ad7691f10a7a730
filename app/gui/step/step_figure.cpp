#include "gui/step/step_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "figures/figures/pass_figure.h"
#include "gui/parts/cached_scene.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "gui/shell/ui.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

struct StepFigureState {
    CachedScene figure;
    CachedScene other;  // of what the toggle leads to, side by side
    float zoom = 1;     // of both, closer than they are by themselves
};

// A run as rows, with the version of its picture.
struct ShownRows {
    const analysis::StepTable& table;
    std::uint64_t version;
    CachedScene& cache;
    bool chosen;  // the run of what is chosen, not the one beside it

    std::size_t cursor(const Ui& ui) const {
        return std::min(ui.view<session::StepView>().cursor(), table.rows.size() - 1);
    }
};

// The figure for a room of `size` points, at most `most` wide. The legend gives way where there is
// no room for it.
const figures::Scene& figure(const Ui& ui, const ShownRows& rows, figures::Point size, float most) {
    const bool alone = ui.session.presenting();
    const auto& witness = ui.view<session::StepView>().witness().answer;
    const bool witnessed = rows.chosen && witness && witness->rows;
    figures::PassFigureOptions options;
    options.shown = rows.cursor(ui) + 1;
    options.width = size.x;
    options.most_width = most;
    options.text_scale = ui.palette.text_scale;
    options.device = witnessed ? &*witness->rows : nullptr;
    options.legend = !alone;
    options.announce = true;
    LegendState& state = ui.state<LegendState>();
    return rows.cache.get(ui,
                          fmt::format("{} {} {} {} {} {}", rows.version, options.shown, size.x,
                                      size.y, alone, state.open),
                          [&] {
                              figures::Scene scene =
                                  figures::pass_figure(rows.table, options, ui.metrics, ui.tr());
                              if (alone) return scene;
                              if (rows.chosen) state.fits = scene.height <= size.y;
                              if (scene.height <= size.y || state.open) return scene;
                              options.legend = false;
                              return figures::pass_figure(rows.table, options, ui.metrics, ui.tr());
                          });
}

// Scrolls the row that was stepped to into view, and again when there is more or less room; leaves
// the scroll alone otherwise.
void follow_cursor(const Ui& ui, const ShownRows& rows, float height, float room) {
    ImGuiStorage& kept = *ImGui::GetStateStorage();  // of the child window that scrolls
    const ImGuiID pass = ImGui::GetID("followed"), space = ImGui::GetID("followed_room");
    const int cursor = static_cast<int>(rows.cursor(ui));
    if (kept.GetInt(pass, -1) == cursor && kept.GetFloat(space) == room) return;
    kept.SetInt(pass, cursor);
    kept.SetFloat(space, room);
    const auto count = static_cast<float>(rows.table.rows.size());
    const float middle = height * (static_cast<float>(cursor) + 0.5F) / count;
    ImGui::SetScrollY(std::clamp(middle - room / 2, 0.0F, std::max(height - room, 0.0F)));
}

// Pixels that a point of the figure takes at most: as many as it would take at the largest scale of
// the window, so that a larger one never makes it smaller.
float most_fit(const Ui& ui, const figures::Scene& scene) {
    constexpr float kShare = 0.5F;  // of the window's height, which is there at every scale
    if (ui.session.presenting()) return std::numeric_limits<float>::max();
    return std::max(1.0F, kShare * ui.window().y / scene.height);
}

// Of a figure that scrolls anyway: no smaller than it would be at the window's smallest scale,
// where it does not; many marks without text are as wide as there is room for.
float scrolling_fit(const Ui& ui, const figures::Scene& scene, const analysis::StepTable& table) {
    constexpr float kShare = 0.6F;  // of the window's height
    return table.n > figures::kMostFullCells
               ? 1.0F
               : std::min(kShare * ui.window().y / scene.height, 1.0F);
}

// The cells of a row, in points of the figure.
std::optional<Area> row_area(const figures::Scene& scene, std::size_t row) {
    std::optional<Area> area;
    const std::string prefix = fmt::format("cell {} ", row);
    for (const figures::Shape& shape : scene.shapes) {
        const auto* cell = std::get_if<figures::Rect>(&shape.what);
        if (cell == nullptr || !shape.name.starts_with(prefix)) continue;
        const ImVec2 low{cell->x, cell->y}, high{cell->x + cell->width, cell->y + cell->height};
        if (!area) area = Area{low, {0, 0}};
        const ImVec2 from{std::min(area->at.x, low.x), std::min(area->at.y, low.y)};
        const ImVec2 to{std::max(area->at.x + area->size.x, high.x),
                        std::max(area->at.y + area->size.y, high.y)};
        area = Area{from, {to.x - from.x, to.y - from.y}};
    }
    return area;
}

// Of figures: no less readable than this.
float smallest_fit(const Ui& ui) {
    // Presenting, all is large already.
    const float scale = ui.session.presenting() ? ui.scale : ui.session.settings().scale;
    const float smallest = 0.7F / std::clamp(scale, 1.0F, 1.4F);
    // Two figures have half the room: larger letters do not make them wider.
    return ui.view<session::StepView>().beside() ? smallest / ui.palette.text_scale : smallest;
}

// A run's figure for a room of so many pixels, and how large it is drawn.
struct Fitted {
    const figures::Scene& scene;
    figures::Point inner;  // points
    float fit;
};

Fitted fitted(const Ui& ui, const ShownRows& rows, ImVec2 room) {
    const float smallest = smallest_fit(ui);
    const figures::Point inner{(room.x - ui.px(14)) / ui.scale, room.y / ui.scale};
    const figures::Scene& scene = figure(ui, rows, inner, inner.x / smallest);
    const bool scrolls = inner.y / scene.height < smallest;
    const float fit = scrolls ? std::clamp(scrolling_fit(ui, scene, rows.table), smallest,
                                           std::max(smallest, inner.x / scene.width))
                              : std::clamp(std::min(inner.x / scene.width, inner.y / scene.height),
                                           smallest, std::max(most_fit(ui, scene), smallest));
    return {scene, inner, fit};
}

// A figure in a child window: as large as there is room for it. What does not fit is drawn smaller,
// as far as it stays readable, then scrolls. `both`: of two, the same for both, which then begin at
// the same height.
void figure_in(Ui& ui, const char* id, const ShownRows& rows, ImVec2 room,
               std::optional<float> both = {}) {
    ImGui::BeginChild(id, room, 0, ImGuiWindowFlags_HorizontalScrollbar);
    const auto [scene, inner, alone] = fitted(ui, rows, room);
    float& zoom = ui.state<StepFigureState>().zoom;
    const float fit = both.value_or(alone) * zoom;
    const Ui smaller = ui.smaller(fit);
    ImVec2 point = ImGui::GetCursorScreenPos();
    const float left = both ? 0 : std::max(0.0F, (inner.x - scene.width * fit) / 2) * ui.scale;
    if (!both) point.y += std::max(0.0F, (inner.y - scene.height * fit) / 3) * ui.scale;
    const session::StepView& view = ui.view<session::StepView>();
    const bool traced = rows.chosen && view.side() == "lineage" && !ui.session.presenting();
    const Hovered hovered =
        paint(smaller, scene, *ImGui::GetWindowDrawList(), {point.x + left, point.y},
              {rows.chosen, traced ? view.traced() : std::string_view()});
    if (rows.chosen && hovered.name.starts_with("cell ") && hovered.name != view.traced())
        ui.change<session::StepView>().trace_cell(std::string(hovered.name));
    follow_cursor(ui, rows, std::floor(smaller.px(scene.height)), room.y);
    if (const auto row = row_area(scene, rows.cursor(ui))) {
        ImGui::SetCursorScreenPos(
            {point.x + left + smaller.px(row->at.x), point.y + smaller.px(row->at.y)});
        diagram_item("row", {smaller.px(row->size.x), smaller.px(row->size.y)});
    }
    ImGui::SetCursorScreenPos({point.x + left, point.y});
    diagram_item("diagram", {smaller.px(scene.width), std::floor(smaller.px(scene.height))});
    show_tip(ui, hovered.tip);
    drag_to_scroll(ui);
    pinch(zoom, {point.x + left, point.y}, {smaller.px(scene.width), smaller.px(scene.height)});
    ImGui::EndChild();
}

// The broken kernel at the left, the mended one at the right, each under its name.
void both_figures(Ui& ui, const ShownRows& chosen, ImVec2 room) {
    const session::StepView& view = ui.view<session::StepView>();
    const session::RunState& other = view.other();
    const ShownRows beside{other.run->table, other.version, ui.state<StepFigureState>().other,
                           false};
    const float gap = ui.px(12), half = (room.x - gap) / 2;
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const ImVec2 rest{half, room.y - ImGui::GetTextLineHeightWithSpacing() - ui.px(4)};
    const float fit = std::min(fitted(ui, chosen, rest).fit, fitted(ui, beside, rest).fit);
    const auto part = [&](float x, const ShownRows& rows) {
        ImGui::SetCursorScreenPos({x, point.y});
        ImGui::BeginGroup();
        {
            const TextStyle style(ui, Face::bold, kTextSize);
            const std::string title =
                ui.tr().get("variant." + rows.table.variant + ".title", rows.table.title);
            ImGui::TextUnformatted(
                ui.metrics.shortened(title, half / ui.scale, kTextSize, Face::bold).c_str());
        }
        figure_in(ui, rows.chosen ? "figure" : "other", rows, rest, fit);
        ImGui::EndGroup();
    };
    part(point.x, view.broken() ? chosen : beside);
    part(point.x + half + gap, view.broken() ? beside : chosen);
    ImGui::SetCursorScreenPos(point);
    ImGui::Dummy(room);
}

}  // namespace

void step_figure(Ui& ui, const analysis::StepTable& table, ImVec2 room) {
    const session::StepView& view = ui.view<session::StepView>();
    const ShownRows chosen{table, view.version(), ui.state<StepFigureState>().figure, true};
    if (step_wants_width(ui) && view.other().run)
        both_figures(ui, chosen, room);
    else
        figure_in(ui, "figure", chosen, room);
}

bool step_wants_width(const Ui& ui) {
    return ui.view<session::StepView>().beside();
}

}  // namespace lab::gui
