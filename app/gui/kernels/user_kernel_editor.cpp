// The text of a kernel that is open, to be edited: numbered lines, what is wrong at its place, and
// the line that the run is at.
#include <fmt/format.h>
#include <imgui.h>
// imgui.h first: these do not include it.
#include <imgui_internal.h>  // the scroll and the state of the text that is being edited
#include <imgui_stdlib.h>

#include <algorithm>
#include <optional>

#include "gui/kernels/kernel_panels.h"
#include "gui/kernels/numbered_text.h"
#include "gui/parts/widgets.h"

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
    if (ImGui::GetActiveID() != id) return;
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
    typing_keys(ui, editor, id);
    if (editor.refocus > 0 && --editor.refocus >= 0 && ImGui::GetActiveID() != id) {
        ImGui::ActivateItemByID(id);
        editor.refocus = 0;
    }
    const DrawnText drawn =
        numbered_text(ui, kText, editor.text, size, marks,
                      ui.session.settings().choice.user_kernel ? nullptr : ui.session.variant());
    if (drawn.edited) ui.change().kernels().edit(editor.text);
    if (!drawn.view) return;
    follow(editor, marks, id, *drawn.view);
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
