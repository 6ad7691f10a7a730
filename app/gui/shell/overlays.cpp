#include "gui/shell/overlays.h"

#include <algorithm>
#include <array>

#include "gui/shell/notices.h"
#include "views/glossary/glossary_panels.h"
#include "views/kernels/kernels_panels.h"
#include "views/learn/learn_panels.h"

namespace lab::gui {
namespace {

using figures::Role;

constexpr std::array kOverlays{
    Overlay{"menu", menu},
    Overlay{"palette", palette, true},
    Overlay{"help", help_page},
    Overlay{"glossary", glossary_overlay, true},
    Overlay{"variant.list", variant_overlay},
    Overlay{"learn.course", course_overlay},
    Overlay{"learn.hand_in", hand_in_field, true},
    Overlay{"learn.add_page", add_page_field, true},
    Overlay{session::kDevicesPanel, device_panel},
    Overlay{"open", open_panel, true},
    Overlay{"export", export_field, true},
};

struct Appearance {
    std::string shown;       // the one of the last frame
    bool appearing = false;  // this frame is its first
};

}  // namespace

std::span<const Overlay> overlays() {
    return kOverlays;
}

bool overlay_takes_text(const session::Session& session) {
    return std::any_of(kOverlays.begin(), kOverlays.end(), [&](const Overlay& overlay) {
        return overlay.takes_text && session.overlay() == overlay.id;
    });
}

bool overlay_appears(const Ui& ui) {
    return ui.state<Appearance>().appearing;
}

void draw_overlays(Ui& ui) {
    const std::string wanted = ui.session.overlay();
    Appearance& state = ui.state<Appearance>();
    state.appearing = wanted != state.shown;
    state.shown = wanted;
    for (const Overlay& overlay : kOverlays)
        if (wanted == overlay.id) overlay.draw(ui);
    word_tip(ui);
    notices(ui);
}

void begin_overlay(Ui& ui, const char* id, ImVec2 point, ImVec2 size, bool light) {
    ImGui::SetNextWindowPos(point);
    ImGui::SetNextWindowSize(size);
    const bool appears = overlay_appears(ui);
    if (appears) ImGui::SetNextWindowFocus();
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.colour4(Role::panel));
    ImGui::PushStyleColor(ImGuiCol_Border, ui.colour4(Role::idle));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(10));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, ui.px(1));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(14), ui.px(14)});
    ImGui::Begin(id, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor(2);
    const bool elsewhere = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                           !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                                   ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    if (light && elsewhere && !appears) ui.change().show("");
    if (ImGui::IsKeyPressed(ImGuiKey_Escape) && !appears) ui.change().show("");
}

void end_overlay() {
    ImGui::End();
}

}  // namespace lab::gui
