#include "gui/kernels/numbered_text.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "gui/kernels/kernel_captions.h"
#include "gui/parts/widgets.h"
#include "gui/step/line_margin.h"

namespace lab::gui {
namespace {

using figures::Role;
using session::TextMark;

std::optional<TextView> view_of(ImGuiID id) {
    const ImGuiWindow* parent = ImGui::GetCurrentWindow();
    for (const ImGuiWindow* child : parent->DC.ChildWindows) {
        if (child->ChildId != id) continue;
        TextView view;
        const ImGuiInputTextState* typing = ImGui::GetInputTextState(id);
        const float scrolled =
            typing != nullptr && ImGui::GetActiveID() == id ? typing->Scroll.x : 0;
        const ImVec2 pad = ImGui::GetStyle().FramePadding;
        view.origin = {child->Pos.x + pad.x - scrolled, child->Pos.y + pad.y - child->Scroll.y};
        view.clip = child->InnerClipRect;
        view.line = ImGui::GetFontSize();
        view.left = child->Pos.x;
        view.right = child->Pos.x + child->Size.x;
        return view;
    }
    return std::nullopt;
}

// What lies under the text: the line of the run, and what is wrong, as a ground and a stroke.
void draw_grounds(const Ui& ui, const TextView& view, const EditorMarks& marks,
                  const std::vector<std::string_view>& lines, float gutter) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const auto row_of = [&](std::uint32_t line) {
        return static_cast<float>(line - marks.before - 1);
    };
    const auto ground = [&](std::uint32_t line, Role role) {
        const float y = view.origin.y + row_of(line) * view.line;
        into.AddRectFilled({view.left - gutter, y}, {view.right, y + view.line}, ui.colour(role));
    };
    if (marks.now > marks.before) ground(marks.now, Role::act_fill);
    for (std::size_t i = 0; marks.ran && i < lines.size(); ++i)
        line_place(ui, static_cast<std::uint32_t>(i + 1) + marks.before,
                   {view.left - gutter, view.origin.y + static_cast<float>(i) * view.line},
                   view.right);
    for (const TextMark& mark : marks.marks) {
        if (mark.line <= marks.before || mark.line - marks.before > lines.size()) continue;
        const bool error = mark.kind == TextMark::Kind::error;
        if (error) ground(mark.line, Role::race_fill);
        if (mark.column == 0) continue;
        const std::string_view line = lines[mark.line - marks.before - 1];
        const std::size_t first = std::min<std::size_t>(mark.column - 1, line.size());
        const std::size_t count =
            std::min<std::size_t>(std::max(1U, mark.length), line.size() - first);
        const auto width = [](std::string_view text) {
            return text.empty() ? 0.0F
                                : ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
        };
        const float x = view.origin.x + width(line.substr(0, first));
        const float end = x + std::max(width(line.substr(first, count)), ui.px(6));
        const float y = view.origin.y + (row_of(mark.line) + 1) * view.line - ui.px(1);
        into.AddRectFilled({x, y - ui.px(1.5F)}, {end, y},
                           ui.colour(error ? Role::race : Role::barrier));
    }
}

void draw_lines(const Ui& ui, const TextView& view, const EditorMarks& marks,
                const std::vector<std::string_view>& lines, const catalogue::Variant* variant,
                float gutter, float column) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    bool in_comment = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto pieces = pieces_of(lines[i], variant, in_comment);
        const float y = view.origin.y + static_cast<float>(i) * view.line;
        if (y + view.line < view.clip.Min.y || y > view.clip.Max.y) continue;
        const auto number = static_cast<std::uint32_t>(i + 1) + marks.before;
        const std::string text = fmt::format("{}", number);
        const bool wrong = marks.has_error(number);
        const float x = view.left - ui.px(8) - ImGui::CalcTextSize(text.c_str()).x;
        into.AddText({x, y}, ui.colour(wrong ? Role::race : Role::muted), text.c_str());
        if (wrong) into.AddText({view.left - gutter, y}, ui.colour(Role::race), "!");
        if (number == marks.now) {
            const float half = view.line * 0.22F;
            const ImVec2 point{view.left - gutter + half, y + view.line / 2};
            if (!wrong)
                into.AddTriangleFilled({point.x - half, point.y - half}, {point.x + half, point.y},
                                       {point.x - half, point.y + half}, ui.colour(Role::act));
        }
        float at = view.origin.x;
        into.PushClipRect(view.clip.Min, view.clip.Max, true);
        for (const TextPiece& piece : pieces) {
            const char* end = piece.text.data() + piece.text.size();
            into.AddText({at, y}, ui.colour(piece.role), piece.text.data(), end);
            at += ImGui::CalcTextSize(piece.text.data(), end).x;
        }
        into.PopClipRect();
        if (marks.ran) draw_notes(ui, cost_notes(ui, number), y, view.right + column);
    }
}

}  // namespace

DrawnText numbered_text(Ui& ui, const char* name, std::string& text, ImVec2 size,
                        const EditorMarks& marks, const catalogue::Variant* variant,
                        bool read_only) {
    const ImGuiID id = ImGui::GetID(name);
    const std::size_t last = lines_of(text).size() + marks.before;
    const float digit = ImGui::CalcTextSize("0").x;
    const float gutter = digit * static_cast<float>(std::to_string(last).size() + 2) + ui.px(10);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gutter);
    // The text itself is drawn by us, in colours; what ImGui draws is what it adds to it.
    const ImVec4 none{0, 0, 0, 0};
    ImVec4 selected = ui.colour4(Role::act);
    selected.w = 0.25F;
    ImGui::PushStyleColor(ImGuiCol_Text, none);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, none);
    ImGui::PushStyleColor(ImGuiCol_Border, none);
    ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, selected);
    const float column = marks.ran ? std::min(notes_width(ui, cost_notes, last), size.x / 3) : 0;
    // Escape leaves the text; it does not take back what was typed.
    ImGuiInputTextState* typing = ImGui::GetInputTextState(id);
    if (typing != nullptr && ImGui::GetActiveID() == id) {
        typing->TextToRevertTo.resize(static_cast<int>(text.size()) + 1);
        std::copy_n(text.c_str(), text.size() + 1, typing->TextToRevertTo.Data);
    }
    DrawnText drawn;
    drawn.edited = ImGui::InputTextMultiline(
        name, &text, {size.x - gutter - column, size.y},
        ImGuiInputTextFlags_AllowTabInput |
            (read_only ? ImGuiInputTextFlags_ReadOnly : ImGuiInputTextFlags_None));
    ImGui::PopStyleColor(4);
    drawn.view = view_of(id);
    if (!drawn.view) return drawn;
    const std::vector<std::string_view> now = lines_of(text);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.PushClipRect({drawn.view->left - gutter, drawn.view->clip.Min.y},
                      {drawn.view->right + column, drawn.view->clip.Max.y}, true);
    draw_grounds(ui, *drawn.view, marks, now, gutter);
    draw_lines(ui, *drawn.view, marks, now, variant, gutter, column);
    into.PopClipRect();
    return drawn;
}

}  // namespace lab::gui
