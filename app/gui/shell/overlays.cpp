#include "gui/shell/overlays.h"

#include <array>

#include "gui/shell/notices.h"

namespace lab::gui {
namespace {

using figures::Role;

constexpr std::array kOverlays{
    Overlay{"menu", menu},       Overlay{"palette", palette},     Overlay{"help", help_page},
    Overlay{"open", open_panel}, Overlay{"export", export_field},
};

}  // namespace

std::span<const Overlay> overlays() {
    return kOverlays;
}

void draw_overlays(Ui& ui, OverlayState& state) {
    const std::string wanted = ui.session.overlay();
    state.appearing = wanted != state.shown;
    state.shown = wanted;
    for (const Overlay& overlay : kOverlays)
        if (wanted == overlay.id) overlay.draw(ui, state);
    notices(ui);
}

void begin_overlay(Ui& ui, const OverlayState& state, const char* id, ImVec2 at, ImVec2 size,
                   bool light) {
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    if (state.appearing) ImGui::SetNextWindowFocus();
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
    if (light && elsewhere && !state.appearing) ui.session.show("");
    if (ImGui::IsKeyPressed(ImGuiKey_Escape) && !state.appearing) ui.session.show("");
}

void end_overlay() {
    ImGui::End();
}

}  // namespace lab::gui
