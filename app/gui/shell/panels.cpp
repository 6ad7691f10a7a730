#include "gui/shell/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "gui/parts/widgets.h"
#include "gui/shell/notices.h"
#include "gui/shell/panel_list.h"

namespace lab::gui {
namespace {

constexpr std::array kPanels{
    Panel{"top", "", Place::top, top_bar},
    Panel{"variants", "step", Place::left, variant_list},
    Panel{"step", "step", Place::centre, step_panel},
    Panel{"transport", "step", Place::bottom, transport},
    Panel{"kernel", "step", Place::right, kernel_text},
    Panel{"side", "step", Place::right_below, step_side},
    Panel{"race_variants", "race", Place::left, variant_list},
    Panel{"race", "race", Place::centre, race_panel},
    Panel{"race_transport", "race", Place::bottom, transport},
    Panel{"race_side", "race", Place::right, race_side},
    Panel{"lattice_variants", "lattice", Place::left, variant_list},
    Panel{"lattice", "lattice", Place::whole, lattice_panel},
    Panel{"what", "measure", Place::left, measure_choices},
    Panel{"results", "measure", Place::whole, measure_results},
    Panel{"devices", "devices", Place::whole, device_list},
    Panel{"log", "", Place::log, log_panel},
};

// Where the places lie. In a narrow window the right column goes first, then the left one.
struct Layout {
    Area top, left, centre, bottom, right, right_below, whole, log;
    bool has_left = true, has_right = true, has_below = true, has_log = false;
};

Layout layout(const Ui& ui, std::string_view view) {
    const ImVec2 size = ImGui::GetMainViewport()->Size;
    const float gap = ui.px(12);
    const float bar = ui.px(52);
    const float points = size.x / ui.scale;
    Layout made;
    made.has_left = !ui.narrower() || view == "measure";
    made.has_right = !ui.narrow();
    made.top = {{0, 0}, {size.x, bar}};
    const float y = bar + gap;
    made.has_log = ui.session.log_shown();
    const float log = made.has_log ? log_height(ui) : 0;
    made.log = {{gap, size.y - log}, {size.x - 2 * gap, log - gap}};
    const float hint = hint_height(ui);
    const float height = size.y - y - gap - log - (has_right_column(ui) ? 0 : hint);
    const float left = ui.px(view == "measure" ? std::min(300.0F, points * 0.42F)
                             : points < 1400   ? 200
                                               : 230);
    const float right = right_column_width(ui);
    const float right_height = height - (has_right_column(ui) ? hint + toasts_height(ui) : 0);
    made.left = {{gap, y}, {left, height}};
    const float x = made.has_left && view != "devices" ? gap + left + gap : gap;
    made.right = {{size.x - gap - right, y}, {right, right_height}};
    made.has_below = made.has_right && view == "step" && !ui.low();
    if (made.has_below) {
        const float part = std::floor((right_height - gap) * 0.44F);
        made.right_below = {{made.right.at.x, y + right_height - part}, {right, part}};
        made.right.size.y = right_height - gap - part;
    }
    const float end = made.has_right ? made.right.at.x - gap : size.x - gap;
    const float below = ui.px(ui.low() ? 62 : 104);
    made.centre = {{x, y}, {end - x, height - below - gap}};
    made.bottom = {{x, y + height - below}, {end - x, below}};
    made.whole = {{x, y}, {size.x - gap - x, height}};
    return made;
}

const Area* place_of(const Layout& layout, Place place) {
    switch (place) {
        case Place::top:
            return &layout.top;
        case Place::left:
            return layout.has_left ? &layout.left : nullptr;
        case Place::centre:
            return &layout.centre;
        case Place::bottom:
            return &layout.bottom;
        case Place::right:
            return layout.has_right ? &layout.right : nullptr;
        case Place::right_below:
            return layout.has_below ? &layout.right_below : nullptr;
        case Place::whole:
            return &layout.whole;
        case Place::log:
            return layout.has_log ? &layout.log : nullptr;
    }
    return nullptr;
}

}  // namespace

std::span<const Panel> panels() {
    return kPanels;
}

void draw_panels(Ui& ui, PanelState& state) {
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(viewport.Size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::Begin("window", nullptr,
                 // No ground either: the frame was cleared to it.
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse |
                     ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar(3);
    const std::string view = ui.session.settings().view;
    const Layout places = layout(ui, view);
    {
        const TextStyle text(ui, figures::Face::sans, kTextSize);
        for (const Panel& panel : kPanels) {
            if (*panel.view != 0 && view != panel.view) continue;
            const Area* area = place_of(places, panel.place);
            if (area != nullptr) panel.draw(ui, state, *area);
        }
    }
    ImGui::End();
    const TextStyle text(ui, figures::Face::sans, kTextSize);
    draw_overlays(ui, state.over);
}

}  // namespace lab::gui
