#include <fmt/format.h>

#include <algorithm>

#include "draw/pass_words.h"
#include "gui/panel_list.h"
#include "gui/widgets.h"

namespace lab::gui {
namespace {

using draw::Face;
using draw::Role;

void speed(Ui& ui) {
    const double now = ui.session.step().passes_per_second;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(7)});
    if (ImGui::Button(fmt::format("{:g}x###speed", now).c_str(), {ui.px(56), ui.px(32)}))
        session::run(ui.session, session::command("step.speed"));
    ImGui::PopStyleVar();
    command_tip(ui, session::command("step.speed"));
}

// A line with a mark a pass: click or drag it. A mark is the end of a launch.
void scrubber(Ui& ui, const Passes& passes, float width) {
    const std::size_t last = passes.passes.size() - 1;
    const std::size_t cursor = ui.session.step().cursor;
    const float height = ui.px(40);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float pad = ui.px(10);
    const float x0 = at.x + pad;
    const float length = width - 2 * pad;
    const float y = at.y + ui.px(14);
    ImGui::InvisibleButton("scrubber", {width, height});
    if (ImGui::IsItemActive() && last > 0) {
        const float part = std::clamp((ImGui::GetIO().MousePos.x - x0) / length, 0.0F, 1.0F);
        ui.session.play(false);
        ui.session.set_cursor(static_cast<std::size_t>(part * static_cast<float>(last) + 0.5F));
    }
    tip(ui, ui.tr()("scrubber.tip"), "Home  Left  Right  End");
    const auto x_of = [&](std::size_t pass) {
        return last == 0 ? x0 : x0 + length * static_cast<float>(pass) / static_cast<float>(last);
    };
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.AddRectFilled({x0, y - ui.px(3)}, {x0 + length, y + ui.px(3)}, ui.colour(Role::idle),
                       ui.px(3));
    into.AddRectFilled({x0, y - ui.px(3)}, {x_of(cursor), y + ui.px(3)}, ui.colour(Role::act),
                       ui.px(3));
    const TextStyle style(ui, Face::sans, kSmallSize);
    float free_from = at.x;
    for (std::size_t pass = 0; pass <= last; ++pass) {
        const float x = x_of(pass);
        if (pass > 0)
            into.AddRectFilled({x - ui.px(1.5F), y - ui.px(9)}, {x + ui.px(1.5F), y + ui.px(9)},
                               ui.colour(Role::barrier));
        const std::string name = draw::pass_title(*ui.session.step().passes.answer, pass, ui.tr());
        const float w = ImGui::CalcTextSize(name.c_str()).x;
        const float left = std::clamp(x - w / 2, at.x, at.x + width - w);
        if (left < free_from) continue;
        free_from = left + w + ui.px(10);
        into.AddText({left, y + ui.px(12)}, ui.colour(pass == cursor ? Role::text : Role::muted),
                     name.c_str());
    }
    const ImVec2 knob{x_of(cursor), y};
    into.AddCircleFilled(knob, ui.px(8), ui.colour(Role::panel));
    into.AddCircle(knob, ui.px(8), ui.colour(Role::act), 0, ui.px(2.5F));
}

}  // namespace

void transport(Ui& ui, PanelState&, const Area& area) {
    begin_card(ui, "transport", area.at, area.size, ImGuiWindowFlags_NoScrollbar);
    const session::StepState& step = ui.session.step();
    sign_button(ui, "step.first", Sign::first);
    ImGui::SameLine();
    sign_button(ui, "step.back", Sign::back);
    ImGui::SameLine();
    sign_button(ui, "step.play", step.playing ? Sign::pause : Sign::play,
                ui.tr()(step.playing ? "transport.pause" : "transport.play"));
    ImGui::SameLine();
    sign_button(ui, "step.forward", Sign::forward);
    ImGui::SameLine();
    sign_button(ui, "step.last", Sign::last);
    ImGui::SameLine();
    speed(ui);
    if (step.passes.answer) {
        const std::size_t last = step.passes.answer->passes.size() - 1;
        const std::string where =
            ui.tr()("transport.where", fmt::arg("k", step.cursor), fmt::arg("n", last));
        ImGui::SameLine();
        const float x = line_end() - ImGui::CalcTextSize(where.c_str()).x;
        if (x > ImGui::GetCursorPosX()) {
            ImGui::SetCursorPosX(x);
            ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(7));
            const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
            ImGui::TextUnformatted(where.c_str());
        } else {
            ImGui::NewLine();
        }
        if (!ui.low()) {
            ImGui::SetCursorPosY(ui.px(14 + 32 + 6));
            scrubber(ui, *step.passes.answer, ImGui::GetContentRegionAvail().x);
        }
    }
    end_card();
}

}  // namespace lab::gui
