#include "gui/parts/presented.h"

#include <algorithm>

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

constexpr float kHeadingSize = 22, kPositionSize = 16, kSentenceSize = 18;  // points

void heading(Ui& ui, const Presented& what, float width) {
    const float x = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
    const float position = ui.metrics.text_width(what.position, kPositionSize, Face::sans);
    {
        const TextStyle style(ui, Face::bold, kHeadingSize);
        const float room = width / ui.scale - position - 20;
        ImGui::TextUnformatted(
            ui.metrics.shortened(what.title, room, kHeadingSize, Face::bold).c_str());
    }
    const float below = ImGui::GetCursorPosY();
    {
        const TextStyle style(ui, Face::sans, kPositionSize, Role::muted);
        ImGui::SetCursorPos({x + width - ui.px(position) - ui.px(2), top + ui.px(5)});
        ImGui::TextUnformatted(what.position.c_str());
    }
    ImGui::SetCursorPos({x, below + ui.px(4)});
}

}  // namespace

void draw_presented(Ui& ui, const Presented& what) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    heading(ui, what, room.x);
    const TextStyle style(ui, Face::bold, kSentenceSize);
    const auto height_of = [&](const std::string& text) {
        if (text.empty()) return 0.0F;
        return ImGui::CalcTextSize(text.c_str(), nullptr, false, room.x - ui.px(22)).y + ui.px(22);
    };
    const float left = ImGui::GetContentRegionAvail().y;
    // What is longer than half of the room scrolls.
    const float words =
        std::min(std::max(height_of(what.sentence), height_of(what.longest)), left / 2);
    const float end = ImGui::GetCursorPosY() + left - words;
    {
        const TextStyle plain(ui, Face::sans, kTextSize);
        what.picture({room.x, left - words - ui.px(8)});
    }
    if (what.sentence.empty()) return;
    ImGui::SetCursorPosY(end);
    message_box(ui, what.sentence, what.tone, room.x, words);
}

}  // namespace lab::gui
