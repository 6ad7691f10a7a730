#include "gui/step/line_margin.h"

#include <fmt/format.h>

#include <algorithm>

#include "gui/parts/scene_painter.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"

namespace lab::gui {

using figures::Face;
using figures::Role;

namespace {

constexpr float kBadgePadding = 6, kBetweenNotes = 4, kBesideText = 8;  // points

float width_of(const Ui& ui, const LineNote& note) {
    const TextStyle style(ui, note.look == LineNote::Look::plain ? Face::mono : Face::bold,
                          kSmallSize - 1);
    const float padding = note.look == LineNote::Look::plain ? 0 : 2 * ui.px(kBadgePadding);
    return ImGui::CalcTextSize(note.words.c_str()).x + padding;
}

}  // namespace

std::vector<LineNote> cost_notes(const Ui& ui, std::uint32_t line) {
    const auto& run = ui.view<session::StepView>().simulated().run;
    if (!run) return {};
    const auto found = run->lines.find(line);
    if (found == run->lines.end()) return {};
    const analysis::LineCost& cost = found->second;
    const auto& tr = ui.tr();
    LineNote note;
    const auto add = [&](const std::string& words, const std::string& told) {
        note.words += (note.words.empty() || words.empty() ? "" : " ") + words;
        note.told += (note.told.empty() ? "" : "\n") + told;
    };
    if (cost.hits > 0)
        add(fmt::format("{}", cost.hits), tr("line.hits", fmt::arg("count", cost.hits)));
    if (cost.taken > cost.least && cost.least > 0)
        add(fmt::format("×{:.1f}",
                        static_cast<double>(cost.taken) / static_cast<double>(cost.least)),
            tr("line.memory", fmt::arg("taken", cost.taken), fmt::arg("least", cost.least)));
    if (cost.splits > 0)
        add(fmt::format("≠{}", cost.splits),
            tr("line.splits", fmt::arg("splits", cost.splits), fmt::arg("times", cost.times)));
    if (cost.waits > 0) add("", tr("line.waits", fmt::arg("count", cost.waits)));
    if (note.words.empty()) return {};
    return {note};
}

float notes_width(const Ui& ui, LineNotes notes, std::size_t lines) {
    float widest = 0;
    for (std::size_t line = 1; line <= lines; ++line) {
        float width = 0;
        for (const LineNote& note : notes(ui, static_cast<std::uint32_t>(line)))
            width += (width > 0 ? ui.px(kBetweenNotes) : 0) + width_of(ui, note);
        widest = std::max(widest, width);
    }
    return widest > 0 ? widest + ui.px(kBesideText) : 0;
}

void draw_notes(const Ui& ui, const std::vector<LineNote>& notes, float y, float right) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const LineNote& note : notes) {
        using Look = LineNote::Look;
        const float width = width_of(ui, note);
        const TextStyle style(ui, note.look == Look::plain ? Face::mono : Face::bold,
                              kSmallSize - 1);
        const float height = ImGui::GetTextLineHeight();
        const ImVec2 low{right - width, y - ui.px(1)}, high{right, y + height + ui.px(1)};
        const bool picked = note.look == Look::picked;
        if (note.look != Look::plain)
            into.AddRectFilled(low, high, ui.colour(picked ? Role::act : Role::idle_fill),
                               height / 2);
        if (note.look == Look::badge) into.AddRect(low, high, ui.colour(Role::muted), height / 2);
        const float padding = note.look == Look::plain ? 0 : ui.px(kBadgePadding);
        into.AddText({low.x + padding, y},
                     ui.colour(picked                     ? Role::panel
                               : note.look == Look::badge ? Role::text
                                                          : Role::muted),
                     note.words.c_str());
        const ImVec4& clip = into._ClipRectStack.back();
        if (ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) && mouse.x >= low.x &&
            mouse.x <= right && mouse.y >= std::max(low.y, clip.y) &&
            mouse.y <= std::min(high.y, clip.w)) {
            const TextStyle plain(ui, Face::sans, kTextSize);
            show_tip(ui, note.told);
        }
        right = low.x - ui.px(kBetweenNotes);
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
