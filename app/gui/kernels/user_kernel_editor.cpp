// The text of a kernel that is open, to be edited: numbered lines, what is wrong at its place, and
// the line that the run is at.
#include <fmt/format.h>
#include <imgui.h>
// imgui.h first: these do not include it.
#include <imgui_internal.h>  // the scroll and the state of the text that is being edited
#include <imgui_stdlib.h>

#include <algorithm>
#include <optional>

#include "gui/kernels/kernel_captions.h"
#include "gui/kernels/kernel_panels.h"
#include "gui/kernels/user_kernel_marks.h"
#include "gui/parts/widgets.h"
#include "gui/step/line_margin.h"

namespace lab::gui {
namespace {

struct EditorState {
    std::string file, text;
    std::uint64_t version = 0;  // of the draft that `text` was taken from
    int refocus = 0;           // frames in which the text gets the keys back, once it has lost them
    std::uint32_t wanted = 0;  // a line to go to
    std::uint32_t followed = 0;  // the line of the run that was gone to last
};

using figures::Face;
using figures::Role;
using session::TextMark;

constexpr const char* kText = "###user_kernel.text";

// The file's name, whether it is saved, and what can be done with it.
void editor_heading(Ui& ui, float width) {
    const session::KernelEditor& own = ui.session.kernels().editor();
    const std::string save = ui.tr()("user_kernel.save"), guess = ui.tr()("user_kernel.guess");
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), touch_padding(ui)});
    const bool form = ui.session.settings().choice.user_kernel.has_value();
    float buttons = ImGui::CalcTextSize(save.c_str()).x + ui.px(16);
    if (form) buttons += ImGui::CalcTextSize(guess.c_str()).x + ui.px(24);
    const float left = ImGui::GetCursorPosX();
    {
        const TextStyle style(ui, Face::mono, kSmallSize, Role::muted);
        std::string name = std::filesystem::path(own.file()).filename().string();
        if (own.unsaved()) name += " •";
        const float room = (width - buttons - ui.px(24)) / ui.scale;
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(ui.metrics.shortened(name, room, kSmallSize, Face::mono).c_str());
    }
    tip(ui, own.has_path() ? own.file() : ui.tr()("user_kernel.no_file.tip"));
    ImGui::SameLine(left + width - buttons, 0);
    if (form) {
        command_button(ui, "user_kernel.guess", guess);
        ImGui::SameLine();
    }
    command_button(ui, "user_kernel.save", save);
    ImGui::PopStyleVar();
}

// How the text stands to its file, where that is worth a word.
void notices(Ui& ui, float width) {
    const session::KernelEditor& own = ui.session.kernels().editor();
    if (own.problem()) {
        problem_card(ui, *own.problem(), width);
        if (ImGui::Button((ui.tr()("problem.forget") + "###user_kernel.forget").c_str()))
            ui.change().kernels().forget_problem();
    }
    const TextStyle style(ui, Face::sans, kSmallSize);
    if (own.differs()) {
        message_box(ui, ui.tr()("user_kernel.differs"), Tone::wrong, width);
        ImGui::Dummy({0, ui.px(9)});
        command_button(ui, "user_kernel.take", ui.tr()("user_kernel.take"));
        ImGui::SameLine();
        command_button(ui, "user_kernel.save", ui.tr()("user_kernel.keep"));
    } else if (own.gone() && own.has_path()) {
        message_box(ui, ui.tr()("user_kernel.gone"), Tone::plain, width);
        ImGui::Dummy({0, ui.px(9)});
    }
}

// The scrolled part of the text, in pixels of the screen.
struct TextView {
    ImVec2 origin;  // of the first line's first character
    ImRect clip;
    float line = 0, left = 0, right = 0;
};

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
    const auto ground = [&](std::uint32_t line, Role role) {
        const float y = view.origin.y + static_cast<float>(line - 1) * view.line;
        into.AddRectFilled({view.left - gutter, y}, {view.right, y + view.line}, ui.colour(role));
    };
    if (marks.now > 0) ground(marks.now, Role::act_fill);
    for (std::size_t i = 0; marks.ran && i < lines.size(); ++i)
        line_place(ui, static_cast<std::uint32_t>(i + 1),
                   {view.left - gutter, view.origin.y + static_cast<float>(i) * view.line},
                   view.right);
    for (const TextMark& mark : marks.marks) {
        if (mark.line == 0) continue;
        const bool error = mark.kind == TextMark::Kind::error;
        if (error) ground(mark.line, Role::race_fill);
        if (mark.column == 0 || mark.line > lines.size()) continue;
        const std::string_view line = lines[mark.line - 1];
        const std::size_t first = std::min<std::size_t>(mark.column - 1, line.size());
        const std::size_t count =
            std::min<std::size_t>(std::max(1U, mark.length), line.size() - first);
        const auto width = [](std::string_view text) {
            return text.empty() ? 0.0F
                                : ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
        };
        const float x = view.origin.x + width(line.substr(0, first));
        const float end = x + std::max(width(line.substr(first, count)), ui.px(6));
        const float y = view.origin.y + static_cast<float>(mark.line) * view.line - ui.px(1);
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
        const auto number = static_cast<std::uint32_t>(i + 1);
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

// Scrolls to a line that was asked for, or that the run has come to, where it is not in view.
void follow(EditorState& editor, const EditorMarks& marks, ImGuiID id, const TextView& view) {
    std::uint32_t line = std::exchange(editor.wanted, 0U);
    if (line == 0 && marks.now != editor.followed && ImGui::GetActiveID() != id) line = marks.now;
    editor.followed = marks.now;
    if (line == 0) return;
    const float y = view.origin.y + static_cast<float>(line - 1) * view.line;
    if (y >= view.clip.Min.y && y + view.line <= view.clip.Max.y) return;
    for (ImGuiWindow* child : ImGui::GetCurrentWindow()->DC.ChildWindows)
        if (child->ChildId == id)
            ImGui::SetScrollY(child, std::max(0.0F, static_cast<float>(line - 1) * view.line -
                                                        child->InnerRect.GetHeight() / 2));
}

// Keys that act while one types: those of the commands, for which nothing else listens then.
void typing_keys(Ui& ui, EditorState& editor, ImGuiID id) {
    ImGuiInputTextState* typing = ImGui::GetInputTextState(id);
    if (typing == nullptr || ImGui::GetActiveID() != id) return;
    // Escape leaves the text; it does not take back what was typed.
    typing->TextToRevertTo.resize(static_cast<int>(editor.text.size()) + 1);
    std::copy_n(editor.text.c_str(), editor.text.size() + 1, typing->TextToRevertTo.Data);
    if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_Enter)) {
        ui.run("user_kernel.run");
        editor.refocus = 3;
    }
    if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S))
        ui.run("user_kernel.save");
}

void take_draft(const session::KernelEditor& own, EditorState& editor, ImGuiID id) {
    if (editor.file == own.file() && editor.version == own.version()) return;
    editor.file = own.file();
    editor.version = own.version();
    editor.text = own.draft();
    if (ImGuiInputTextState* typing = ImGui::GetInputTextState(id))
        typing->ReloadUserBufAndKeepSelection();
}

void text_part(Ui& ui, const EditorMarks& marks, ImVec2 size) {
    EditorState& editor = ui.state<EditorState>();
    const TextStyle style(ui, Face::mono, kTextSize - 0.5F);
    const ImGuiID id = ImGui::GetID(kText);
    take_draft(ui.session.kernels().editor(), editor, id);
    const std::vector<std::string_view> lines = lines_of(editor.text);
    const float digit = ImGui::CalcTextSize("0").x;
    const float gutter =
        digit * static_cast<float>(std::to_string(lines.size()).size() + 2) + ui.px(10);
    typing_keys(ui, editor, id);
    if (editor.refocus > 0 && --editor.refocus >= 0 && ImGui::GetActiveID() != id) {
        ImGui::ActivateItemByID(id);
        editor.refocus = 0;
    }
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gutter);
    // The text itself is drawn by us, in colours; what ImGui draws is what it adds to it.
    const ImVec4 none{0, 0, 0, 0};
    ImVec4 selected = ui.colour4(Role::act);
    selected.w = 0.25F;
    ImGui::PushStyleColor(ImGuiCol_Text, none);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, none);
    ImGui::PushStyleColor(ImGuiCol_Border, none);
    ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, selected);
    ImGui::PushStyleColor(ImGuiCol_InputTextCursor, ui.colour4(Role::text));
    const float column =
        marks.ran ? std::min(notes_width(ui, cost_notes, lines.size()), size.x / 3) : 0;
    const bool edited = ImGui::InputTextMultiline(
        kText, &editor.text, {size.x - gutter - column, size.y}, ImGuiInputTextFlags_AllowTabInput);
    ImGui::PopStyleColor(5);
    if (edited) ui.change().kernels().edit(editor.text);
    const auto view = view_of(id);
    if (!view) return;
    const std::vector<std::string_view> now = lines_of(editor.text);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.PushClipRect({view->left - gutter, view->clip.Min.y},
                      {view->right + column, view->clip.Max.y}, true);
    draw_grounds(ui, *view, marks, now, gutter);
    draw_lines(ui, *view, marks, now,
               ui.session.settings().choice.user_kernel ? nullptr : ui.session.variant(), gutter,
               column);
    into.PopClipRect();
    follow(editor, marks, id, *view);
}

// A line each: click one to go to it.
void list_part(Ui& ui, const EditorMarks& marks) {
    const TextStyle style(ui, Face::sans, kSmallSize);
    const std::string& colon = ui.tr()("figure.colon");
    for (std::size_t i = 0; i < marks.marks.size(); ++i) {
        const TextMark& mark = marks.marks[i];
        const bool error = mark.kind == TextMark::Kind::error;
        const std::string where =
            mark.line > 0 ? ui.tr()("user_kernel.line", fmt::arg("line", mark.line)) + colon : "";
        std::string text = fmt::format("{}{}{}", error ? "! " : "", where, mark.message);
        for (const std::string* more : {&mark.why, &mark.hint})
            if (!more->empty()) text = as_sentence(ui, text) + ui.tr()("figure.space") + *more;
        ImGui::PushStyleColor(ImGuiCol_Text, ui.colour4(error ? Role::race : Role::muted));
        ImGui::PushID(static_cast<int>(i));
        const ImVec2 point = ImGui::GetCursorPos();
        const float width = ImGui::GetContentRegionAvail().x;
        const ImVec2 taken = ImGui::CalcTextSize(text.c_str(), nullptr, false, width);
        if (ImGui::InvisibleButton("mark", {width, taken.y}))
            ui.state<EditorState>().wanted = mark.line;
        ImGui::SetCursorPos(point);
        wrapped(text, width);
        ImGui::PopID();
        ImGui::PopStyleColor();
    }
}

}  // namespace

void user_kernel_editor(Ui& ui, ImVec2 size, std::uint32_t line) {
    const float end = ImGui::GetCursorPosY() + size.y;
    editor_heading(ui, size.x);
    notices(ui, size.x);
    const EditorMarks marks = editor_marks(ui.session, line);
    const float list =
        marks.marks.empty()
            ? 0
            : std::min(size.y * 0.35F, ui.px(12 + 34 * static_cast<float>(std::min<std::size_t>(
                                                           marks.marks.size(), 4))));
    const std::string status = ui.tr()(ui.session.kernels().editor().waits() ? "user_kernel.typing"
                                       : marks.errors == 0                   ? "user_kernel.runs"
                                                           : "user_kernel.does_not");
    const float foot = ui.px(22);
    const float height = end - ImGui::GetCursorPosY() - list - foot - ui.px(6);
    text_part(ui, marks, {size.x, std::max(height, ui.px(60))});
    label(ui, status);
    if (list > 0) {
        ImGui::BeginChild("marks", {size.x, list});
        list_part(ui, marks);
        ImGui::EndChild();
    }
}

}  // namespace lab::gui
