#include "gui/parts/pick_list.h"

#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_internal.h>  // a letter as UTF-8
#include <imgui_stdlib.h>

#include <algorithm>

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

void keep_early_letters(PickState& state) {
    if (state.typing) return;
    for (const ImWchar letter : ImGui::GetIO().InputQueueCharacters) {
        char bytes[5] = {};
        if (letter < 32 || letter == 127) continue;
        ImTextCharToUtf8(bytes, static_cast<unsigned>(letter));
        state.text += bytes;
    }
}

void move_by_keys(PickState& state, std::size_t count) {
    const auto by = [&](ImGuiKey key, std::ptrdiff_t step) {
        if (count == 0 || !ImGui::IsKeyPressed(key)) return;
        const auto last = static_cast<std::ptrdiff_t>(count) - 1;
        auto position = static_cast<std::ptrdiff_t>(state.at) + step;
        if (step == 1 && position > last) position = 0;
        if (step == -1 && position < 0) position = last;
        state.at = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(position, 0, last));
        state.moved = true;
    };
    by(ImGuiKey_DownArrow, 1);
    by(ImGuiKey_UpArrow, -1);
    by(ImGuiKey_PageDown, 10);
    by(ImGuiKey_PageUp, -10);
}

void folder_mark(const Ui& ui, ImDrawList& into, ImVec2 point, float size) {
    const ImU32 colour = ui.colour(Role::muted);
    into.AddRectFilled({point.x, point.y + size * 0.1F},
                       {point.x + size * 0.45F, point.y + size * 0.3F}, colour, ui.px(1));
    into.AddRectFilled({point.x, point.y + size * 0.2F}, {point.x + size, point.y + size * 0.9F},
                       colour, ui.px(2));
}

// One line; whether it was clicked.
bool line(const Ui& ui, const PickEntry& entry, bool here) {
    const float height = ui.px(kTouch);
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton("line", {width, height});
    ImDrawList& into = *ImGui::GetWindowDrawList();
    if (here || ImGui::IsItemHovered())
        into.AddRectFilled(point, {point.x + width, point.y + height},
                           ui.colour(here ? Role::act_fill : Role::idle_fill), ui.px(6));
    if (here)
        into.AddRectFilled({point.x, point.y + ui.px(5)},
                           {point.x + ui.px(3), point.y + height - ui.px(5)}, ui.colour(Role::act),
                           ui.px(2));
    float x = point.x + ui.px(12);
    float end = point.x + width - ui.px(10);
    const auto write = [&](const std::string& text, Face face, float size, Role role, float from,
                           float to) {
        const TextStyle style(ui, face, size, role);
        const std::string fits = ui.metrics.shortened(text, (to - from) / ui.scale, size, face);
        into.AddText({from, point.y + (height - ImGui::GetFontSize()) / 2}, ui.colour(role),
                     fits.c_str());
        return ImGui::CalcTextSize(fits.c_str()).x;
    };
    if (!entry.key.empty()) {
        const float wide =
            ui.px(ui.metrics.text_width(entry.key, kSmallSize, Face::mono)) + ui.px(2);
        write(entry.key, Face::mono, kSmallSize, Role::muted, end - wide, end + ui.px(8));
        end -= wide + ui.px(12);
    }
    if (entry.folder) {
        folder_mark(ui, into, {x, point.y + (height - ui.px(13)) / 2}, ui.px(13));
        x += ui.px(22);
    }
    x += write(entry.title, here ? Face::bold : Face::sans, kTextSize,
               entry.enabled ? Role::text : Role::idle, x, end) +
         ui.px(12);
    if (end - x > ui.px(40)) write(entry.detail, Face::sans, kSmallSize, Role::muted, x, end);
    return pressed;
}

}  // namespace

bool pick_field(const Ui& ui, PickState& state, const std::string& hint, float width) {
    keep_early_letters(state);
    const std::string before = state.text;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(12), ui.px(9)});
    ImGui::SetNextItemWidth(width);
    if (state.wants_focus) ImGui::SetKeyboardFocusHere();
    state.wants_focus = false;
    const bool entered = ImGui::InputTextWithHint("###typed", hint.c_str(), &state.text,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    state.typing = ImGui::IsItemActive();
    ImGui::PopStyleVar();
    if (state.text != before) state.at = 0;
    return entered;
}

std::optional<std::size_t> pick_list(const Ui& ui, PickState& state,
                                     std::span<const PickEntry> entries, float height,
                                     bool entered) {
    move_by_keys(state, entries.size());
    state.at = entries.empty() ? 0 : std::min(state.at, entries.size() - 1);
    std::optional<std::size_t> chosen;
    if (entered && !entries.empty()) chosen = state.at;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(2)});
    ImGui::BeginChild("entries", {0, height});
    for (std::size_t i = 0; i < entries.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        if (line(ui, entries[i], i == state.at)) {
            state.at = i;
            chosen = i;
        }
        if (state.moved && i == state.at) ImGui::SetScrollHereY(0.5F);
        ImGui::PopID();
    }
    state.moved = false;
    ImGui::EndChild();
    ImGui::PopStyleVar();
    return chosen;
}

}  // namespace lab::gui
