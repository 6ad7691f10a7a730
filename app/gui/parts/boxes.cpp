// Boxes of words on a ground that says whether all is well.
#include <fmt/format.h>

#include "base/platform.h"
#include "gui/parts/widgets.h"
#include "views/glossary/glossary_panels.h"

namespace lab::gui {

using figures::Face;
using figures::Role;

Role ground_of(Tone tone) {
    return tone == Tone::wrong  ? Role::race_fill
           : tone == Tone::good ? Role::wrote_fill
                                : Role::act_fill;
}

void message_box(const Ui& ui, const std::string& text, Tone tone, float width, float most) {
    if (platform::kBrowser) platform::describe(text);
    const float pad = ui.px(11);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, width - 2 * pad);
    const float height = size.y + 2 * pad;
    const bool cut = most > 0 && height > most;
    ImGui::GetWindowDrawList()->AddRectFilled(point,
                                              {point.x + width, point.y + (cut ? most : height)},
                                              ui.colour(ground_of(tone)), ui.px(6));
    if (cut) {
        ImGui::SetCursorScreenPos({point.x + pad, point.y + ui.px(4)});
        ImGui::PushStyleColor(ImGuiCol_ScrollbarBg, ImVec4{0, 0, 0, 0});
        ImGui::BeginChild("said", {width - pad - ui.px(2), most - ui.px(8)});
        const ImVec2 start = ImGui::GetCursorScreenPos();
        mark_words(ui, text, start, width - 2 * pad - ui.px(10));
        ImGui::SetCursorScreenPos(start);
        wrapped(text, width - 2 * pad - ui.px(10));
        ImGui::EndChild();
        ImGui::PopStyleColor();
        return;
    }
    const ImVec2 start{point.x + pad, point.y + pad};
    mark_words(ui, text, start, width - 2 * pad);
    ImGui::SetCursorScreenPos(start);
    wrapped(text, width - 2 * pad);
}

void problem_card(const Ui& ui, const Problem& given, float width, float spare) {
    const Problem problem = translated(given, ui.tr());
    const float pad = ui.px(14);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.ChannelsSplit(2);
    into.ChannelsSetCurrent(1);
    ImGui::SetCursorScreenPos({point.x + pad, point.y + pad});
    ImGui::BeginGroup();
    const float inner = width - 2 * pad;
    {
        const TextStyle style(ui, Face::bold, kTextSize);
        wrapped("! " + as_sentence(ui, problem.what_happened), inner - spare);
        if (platform::kBrowser)
            platform::describe(
                fmt::format("! {}. {}. {}", problem.what_happened, problem.why, problem.hint));
    }
    if (!problem.where.empty()) {
        const TextStyle style(ui, Face::mono, kSmallSize);
        wrapped(problem.where, inner);
    }
    if (!problem.why.empty()) {
        const bool log = problem.why.find('\n') != std::string::npos;
        const TextStyle style(ui, log ? Face::mono : Face::sans, kSmallSize);
        wrapped(log ? problem.why : as_sentence(ui, problem.why), inner);
    }
    if (!problem.hint.empty()) {
        const TextStyle style(ui, Face::sans, kTextSize);
        wrapped(as_sentence(ui, problem.hint), inner);
    }
    ImGui::EndGroup();
    const ImVec2 high{point.x + width, ImGui::GetItemRectMax().y + pad};
    into.ChannelsSetCurrent(0);
    into.AddRectFilled(point, high, ui.colour(Role::race_fill), ui.px(8));
    into.AddRectFilled(point, {point.x + ui.px(4), high.y}, ui.colour(Role::race), ui.px(2));
    into.ChannelsMerge();
    ImGui::SetCursorScreenPos({point.x, high.y + ui.px(8)});
    ImGui::Dummy({width, 1});
}

}  // namespace lab::gui
