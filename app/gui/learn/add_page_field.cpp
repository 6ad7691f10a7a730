// A moment becomes a page of a lesson: its heading, and the folder of the lesson.
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>

#include "base/paths.h"
#include "gui/learn/learn_panels.h"
#include "gui/parts/widgets.h"
#include "gui/shell/overlays.h"
#include "session/learn/moment_page.h"

namespace lab::gui {
namespace {

struct AddPageState {
    std::string heading, folder;
    std::optional<Problem> problem;
};

}  // namespace

void add_page_field(Ui& ui) {
    AddPageState& state = ui.state<AddPageState>();
    const ImVec2 size = ImGui::GetMainViewport()->Size;
    const float width = std::min(ui.px(460), size.x - ui.px(24));
    if (overlay_appears(ui)) {
        state.problem.reset();
        state.heading.clear();
        if (state.folder.empty()) state.folder = (documents_folder() / "my-lesson").string();
    }
    begin_overlay(ui, "add_page", {(size.x - width) / 2, ui.px(90)}, {width, 0});
    const float inner = ImGui::GetContentRegionAvail().x;
    {
        const TextStyle style(ui, figures::Face::bold, 16);
        ImGui::TextUnformatted(ui.tr()("command.learn.add_page").c_str());
    }
    wrapped(ui.tr()("learn.add_page_text"), inner);
    ImGui::Dummy({0, ui.px(4)});
    label(ui, ui.tr()("learn.heading"));
    ImGui::SetNextItemWidth(inner);
    if (overlay_appears(ui)) ImGui::SetKeyboardFocusHere();
    bool entered = ImGui::InputText("###add_page.heading", &state.heading,
                                    ImGuiInputTextFlags_EnterReturnsTrue);
    label(ui, ui.tr()("learn.folder"));
    ImGui::SetNextItemWidth(inner);
    entered |=
        ImGui::InputText("###add_page.folder", &state.folder, ImGuiInputTextFlags_EnterReturnsTrue);
    if (state.problem) problem_card(ui, *state.problem, inner);
    ImGui::Dummy({0, ui.px(4)});
    if (act_button(ui, "add_page.add", ui.tr()("learn.add"), true, {inner, ui.px(34)}) || entered) {
        try {
            session::add_moment(ui.session, state.folder, state.heading);
            ui.change().notices().say(
                ui.tr()("toast.page_added", fmt::arg("heading", state.heading)));
            ui.change().show("");
        } catch (const Problem& problem) {
            state.problem = problem;
        }
    }
    end_overlay();
}

}  // namespace lab::gui
