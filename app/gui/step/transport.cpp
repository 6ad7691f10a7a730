#include "gui/step/transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/parts/widgets.h"
#include "session/step/step_view.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

void speed(Ui& ui) {
    const double now = ui.view<session::StepView>().passes_per_second();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(7)});
    if (ImGui::Button(fmt::format("{:g}x###speed", now).c_str(), {ui.px(56), ui.px(32)}))
        ui.run("step.speed");
    ImGui::PopStyleVar();
    command_tip(ui, ui.session.command("step.speed"));
}

// A bar at the line; of a race or a fault a triangle over it, so that it is told by shape too.
void paint_stop(const Ui& ui, ImDrawList& into, const Stop& stop, float x, float y) {
    using Kind = simulation::Mark::Kind;
    const bool wrong = stop.kind == Kind::race || stop.kind == Kind::fault;
    const float half = ui.px(stop.kind == Kind::launch ? 2.5F : 1.5F);
    into.AddRectFilled({x - half, y - ui.px(9)}, {x + half, y + ui.px(9)},
                       ui.colour(wrong ? Role::race : Role::barrier));
    if (wrong)
        into.AddTriangleFilled({x - ui.px(6), y - ui.px(15)}, {x + ui.px(6), y - ui.px(15)},
                               {x, y - ui.px(7)}, ui.colour(Role::race));
}

// The way through all that was run, with marks: click or drag it.
void scrubber(Ui& ui, const std::vector<Stop>& stops, float width) {
    const std::size_t last = ui.session.walk().last_position();
    const std::size_t now = ui.session.walk().position();
    const float height = ui.px(40);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float pad = ui.px(10);
    const float x0 = point.x + pad;
    const float length = width - 2 * pad;
    const float y = point.y + ui.px(14);
    ImGui::InvisibleButton("scrubber", {width, height});
    if (ImGui::IsItemActive() && last > 0) {
        const float part = std::clamp((ImGui::GetIO().MousePos.x - x0) / length, 0.0F, 1.0F);
        ui.change().walk().play(false);
        ui.change().walk().go_to(static_cast<std::size_t>(part * static_cast<float>(last) + 0.5F));
    }
    tip(ui, ui.tr()("scrubber.tip"), "Home  Left  Right  End");
    const float knob_x = x0 + length * part_of(now, last);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.AddRectFilled({x0, y - ui.px(3)}, {x0 + length, y + ui.px(3)}, ui.colour(Role::idle),
                       ui.px(3));
    into.AddRectFilled({x0, y - ui.px(3)}, {knob_x, y + ui.px(3)}, ui.colour(Role::act), ui.px(3));
    const TextStyle style(ui, Face::sans, kSmallSize);
    float free_from = point.x;
    for (const Stop& stop : stops) {
        const float x = x0 + length * stop.part;
        if (stop.part > 0) paint_stop(ui, into, stop, x, y);
        const float w = ImGui::CalcTextSize(stop.name.c_str()).x;
        const float left = std::clamp(x - w / 2, point.x, point.x + width - w);
        if (left < free_from) continue;
        free_from = left + w + ui.px(10);
        const bool here = last > 0 && std::abs(stop.part - part_of(now, last)) < 1e-4F;
        into.AddText({left, y + ui.px(13)}, ui.colour(here ? Role::text : Role::muted),
                     stop.name.c_str());
    }
    into.AddCircleFilled({knob_x, y}, ui.px(8), ui.colour(Role::panel));
    into.AddCircle({knob_x, y}, ui.px(8), ui.colour(Role::act), 0, ui.px(2.5F));
}

}  // namespace

float part_of(std::uint64_t count, std::uint64_t all) {
    return all == 0 ? 0 : static_cast<float>(count) / static_cast<float>(all);
}

std::string walk_text(const Ui& ui) {
    const session::Walk& walk = ui.session.walk();
    if (walk.last_position() == 0) return {};
    return ui.tr()(std::string("transport.") + walk.unit(), fmt::arg("k", walk.position()),
                   fmt::arg("n", walk.last_position()));
}

void transport(Ui& ui, const Area& area, const std::vector<Stop>& stops, void (*more)(Ui&)) {
    begin_card(ui, "transport", area.at, area.size, ImGuiWindowFlags_NoScrollbar);
    const float gap = ui.phone() ? ui.px(3) : -1;  // the usual one
    const bool playing = ui.session.walk().playing();
    sign_button(ui, "step.first", Sign::first);
    ImGui::SameLine(0, gap);
    sign_button(ui, "step.back", Sign::back);
    ImGui::SameLine(0, gap);
    sign_button(ui, "step.play", playing ? Sign::pause : Sign::play,
                ui.phone() ? "" : ui.tr()(playing ? "transport.pause" : "transport.play"));
    ImGui::SameLine(0, gap);
    sign_button(ui, "step.forward", Sign::forward);
    ImGui::SameLine(0, gap);
    sign_button(ui, "step.last", Sign::last);
    ImGui::SameLine(0, gap);
    speed(ui);
    if (more != nullptr) more(ui);
    if (const std::string words = walk_text(ui); !words.empty()) {
        ImGui::SameLine();
        const float x = line_end() - ImGui::CalcTextSize(words.c_str()).x;
        if (x > ImGui::GetCursorPosX()) {
            ImGui::SetCursorPosX(x);
            ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(7));
            const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
            ImGui::TextUnformatted(words.c_str());
        } else {
            ImGui::NewLine();
        }
        if (!ui.low()) {
            ImGui::SetCursorPosY(ui.px(14 + 32 + 6));
            scrubber(ui, stops, ImGui::GetContentRegionAvail().x);
        }
    }
    end_card();
}

}  // namespace lab::gui
