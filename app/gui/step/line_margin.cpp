#include "gui/step/line_margin.h"

#include <fmt/format.h>

#include "gui/parts/scene_painter.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"

namespace lab::gui {

using figures::Face;
using figures::Role;

void line_margin(const Ui& ui, std::uint32_t number, ImVec2 point, float right, Role ground) {
    const auto& run = ui.view<session::StepView>().simulated().run;
    if (!run) return;
    const auto found = run->lines.find(number);
    if (found == run->lines.end()) return;
    const analysis::LineCost& cost = found->second;
    const auto& tr = ui.tr();
    std::string words, told;
    if (cost.hits > 0) {
        words = fmt::format("{}", cost.hits);
        told = tr("line.hits", fmt::arg("count", cost.hits));
    }
    if (cost.taken > cost.least && cost.least > 0) {
        const double more = static_cast<double>(cost.taken) / static_cast<double>(cost.least);
        words += fmt::format(" ×{:.1f}", more);
        told += (told.empty() ? "" : "\n") +
                tr("line.memory", fmt::arg("taken", cost.taken), fmt::arg("least", cost.least));
    }
    if (cost.splits > 0) {
        words += (words.empty() ? "" : " ") +
                 tr(cost.splits == 1 ? "line.split_short_one" : "line.split_short",
                    fmt::arg("count", cost.splits));
        told += (told.empty() ? "" : "\n") +
                tr("line.splits", fmt::arg("splits", cost.splits), fmt::arg("times", cost.times));
    }
    if (cost.waits > 0) told += "\n" + tr("line.waits", fmt::arg("count", cost.waits));
    const TextStyle style(ui, Face::mono, kSmallSize - 1, Role::muted);
    const float w = ImGui::CalcTextSize(words.c_str()).x;
    // Over the end of a line that is too long; the text scrolls.
    ImGui::GetWindowDrawList()->AddRectFilled(
        {right - w - ui.px(6), point.y}, {right + ui.px(4), point.y + ImGui::GetTextLineHeight()},
        ui.colour(ground));
    ImGui::GetWindowDrawList()->AddText({right - w, point.y}, ui.colour(Role::muted),
                                        words.c_str());
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && mouse.x >= right - w - ui.px(4) &&
        mouse.x <= right && mouse.y >= point.y && mouse.y <= point.y + ImGui::GetTextLineHeight()) {
        const TextStyle plain(ui, Face::sans, kTextSize);
        show_tip(ui, told);
    }
}

bool line_place(const Ui& ui, std::uint32_t number, ImVec2 point, float right) {
    const float above = ui.px(1);
    const float height = ImGui::GetTextLineHeight() + ui.px(1);
    const ImVec2 low{point.x, point.y - above}, high{right, point.y + height};
    if (!lit_place(ui, fmt::format("line {}", number), low, high)) return false;
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.AddRectFilled(low, high, ui.colour(Role::act_fill), ui.px(3));
    into.AddRect(low, high, ui.colour(Role::act), ui.px(3));
    return true;
}

}  // namespace lab::gui
