// The menu behind the button in the top bar: the table of commands, a group a submenu.
#include "gui/parts/widgets.h"
#include "gui/shell/overlays.h"

namespace lab::gui {
namespace {

using figures::Face;

void group_entries(Ui& ui, const session::CommandGroup& group) {
    for (const session::Command& command : group.commands) {
        const std::string title = ui.tr()(std::string("command.") + command.id);
        const bool enabled = command.enabled(ui.session);
        if (ImGui::MenuItem((title + "###" + command.id).c_str(), command.key, false, enabled)) {
            ui.change().show("");
            ui.run(command);
        }
        tip(ui, ui.tr()(std::string("command.") + command.id + ".tip"));
    }
}

}  // namespace

void menu(Ui& ui) {
    if (overlay_appears(ui)) ImGui::OpenPopup("menu");
    ImGui::SetNextWindowPos({ui.px(12), ui.px(50)});
    const TextStyle style(ui, Face::sans, kTextSize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(8)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                        {ui.px(16), ui.px(kTouch) - ImGui::GetFontSize()});
    if (ImGui::BeginPopup("menu")) {
        for (const session::CommandGroup& group : ui.session.commands().groups())
            if (ImGui::BeginMenu(
                    (ui.tr()(std::string("menu.") + group.id) + "###" + group.id).c_str())) {
                group_entries(ui, group);
                ImGui::EndMenu();
            }
        // All of it: under a resting mouse, a submenu that was closed alone would open again.
        if (ImGui::IsKeyPressed(ImGuiKey_Escape) && !overlay_appears(ui))
            ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    } else if (ui.session.overlay() == "menu") {
        ui.change().show("");
    }
    ImGui::PopStyleVar(2);
}

}  // namespace lab::gui
