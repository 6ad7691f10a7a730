#include <fmt/format.h>

#include <array>
#include <utility>

#include "gui/parts/fill.h"
#include "gui/parts/widgets.h"
#include "gui/shell/top_bar.h"
#include "views/kernels/kernels_panels.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

// What a tab is for, beside the tabs: below them it would cover what they lead to.
void tab_tip(const Ui& ui, const session::Command& command, ImVec2 point) {
    const float room = ImGui::GetMainViewport()->Size.x - point.x - ui.px(28);
    if (room < ui.px(260)) return command_tip(ui, command);
    const TextStyle style(ui, Face::sans, kTextSize);
    ImGui::SetNextWindowPos(point);
    if (!ImGui::BeginTooltip()) return;
    const float key = ui.px(ui.metrics.text_width(command.key, kSmallSize, Face::mono) + 14);
    wrapped(ui.tr()(fmt::format("command.{}.tip", command.id)), room - key);
    ImGui::SameLine(0, ui.px(14));
    {
        const TextStyle small(ui, Face::mono, kSmallSize, Role::muted);
        ImGui::TextUnformatted(command.key);
    }
    ImGui::EndTooltip();
}

void small_command(Ui& ui, const char* id, const std::string& text) {
    if (pill(ui, id, text, false)) ui.run(id);
    command_tip(ui, ui.session.command(id));
}

}  // namespace

void top_bar(Ui& ui, const Area& area) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    fill_area(into, area.at, {area.at.x + area.size.x, area.at.y + area.size.y},
              ui.colour(Role::panel));
    into.AddLine({area.at.x, area.at.y + area.size.y},
                 {area.at.x + area.size.x, area.at.y + area.size.y}, ui.colour(Role::border));
    const float y = area.at.y + (area.size.y - ui.px(kTouch)) / 2;
    float x = area.at.x + ui.px(12);
    ImGui::SetCursorScreenPos({x, y});
    menu_button(ui, {ui.px(kTouch), ui.px(kTouch)});
    x = ImGui::GetItemRectMax().x + ui.px(10);
    float tabs = 0;
    for (const WindowView& view : ui.views) {
        const std::string words = ui.tr()(std::string("command.view.") + view.type->id);
        tabs += ui.px(ui.metrics.text_width(words, kTextSize, Face::bold));
    }
    const auto count = static_cast<float>(ui.views.size());
    const float title_width =
        ui.px(ui.metrics.text_width(ui.tr()("app.title"), kTitleSize - 1, Face::bold) + 24);
    const float rest = area.size.x - x - ui.px(12);
    const bool titled = title_width + tabs + count * ui.px(28) < rest;
    const float around = tabs + count * ui.px(28) < rest ? 12 : 4;
    if (titled) {
        const TextStyle title(ui, Face::bold, kTitleSize - 1);
        ImGui::SetCursorScreenPos({x, area.at.y + (area.size.y - ImGui::GetFontSize()) / 2});
        ImGui::TextUnformatted(ui.tr()("app.title").c_str());
        x = ImGui::GetItemRectMax().x + ui.px(24);
    }
    ImGui::SetCursorScreenPos({x, y});
    const session::Command* pointed = nullptr;
    const float fitting = std::clamp((rest - count * ui.px(8)) / tabs, 0.7F, 1.0F);
    for (const WindowView& view : ui.views) {
        const std::string id = std::string("view.") + view.type->id;
        const session::Command& command = ui.session.command(id);
        if (pill(ui, command.id, ui.tr()("command." + id), view.type == &ui.session.shown_type(),
                 around, kTextSize * fitting))
            ui.run(command);
        if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) pointed = &command;
        ImGui::SameLine(0, ui.px(4));
    }
    const float tabs_end = ImGui::GetItemRectMax().x;
    if (pointed != nullptr) tab_tip(ui, *pointed, {tabs_end + ui.px(12), area.at.y + ui.px(9)});

    const std::array<std::pair<const char*, std::string>, 5> settings{{
        {"present", ui.tr()("command.present")},
        {"language.next", ui.tr()("language.name")},
        {"theme.next", ui.tr()("theme." + ui.session.settings().theme)},
        {"scale.smaller", "A−"},
        {"scale.larger", "A+"},
    }};
    float settings_x = area.at.x + area.size.x - ui.px(12);
    for (const auto& [id, text] : settings)
        settings_x -= ImGui::CalcTextSize(text.c_str()).x + ui.px(24);
    if (settings_x > tabs_end) {
        ImGui::SetCursorScreenPos({settings_x, y});
        for (const auto& [id, text] : settings) {
            small_command(ui, id, text);
            ImGui::SameLine(0, 0);
        }
    } else {
        settings_x = area.at.x + area.size.x;
        // On a phone the picture alone is what there is room for.
        if (const float x_fill = settings_x - ui.px(36); ui.narrow() && x_fill > tabs_end) {
            settings_x = x_fill - ui.px(8);
            ImGui::SetCursorScreenPos({x_fill, y});
            sign_button(ui, "present", Sign::fill);
        }
    }
    if (const float room = settings_x - tabs_end - ui.px(24); room > ui.px(90))
        device_badge(ui, {tabs_end + ui.px(12), area.at.y + (area.size.y - ui.px(32)) / 2}, room);
}

}  // namespace lab::gui
