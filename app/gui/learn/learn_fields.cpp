// The fields of a question whose answer is typed.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>  // the state of the text that is being edited
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/learn/learn_marks.h"
#include "gui/learn/learn_panels.h"
#include "gui/learn/page_text.h"
#include "gui/parts/widgets.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

using figures::Face;
using AskKind = lessons::Kind;
using session::LearnView;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
struct FocusState {
    std::uint64_t version = 0;
    std::uint32_t tries = 0;
    std::size_t to_select = kNone;  // the field that was given the keys, until it has them
    int opened = -9;                // the frame in which the page opened
    std::size_t asked = kNone;      // the one whose cell was clicked
};

// Once a page opens, its first field: a digit is then typed, and does not change the view. After a
// wrong answer, the first field that is wrong.
std::size_t field_to_focus(const Ui& ui) {
    const LearnView& view = ui.view<LearnView>();
    FocusState& state = ui.state<FocusState>();
    const std::uint64_t version = view.shown_page().version;
    const std::uint32_t tries = view.progress() != nullptr ? view.progress()->tries : 0;
    if (const std::size_t asked = std::exchange(state.asked, kNone); asked != kNone) return asked;
    if (version == state.version && tries == state.tries) return kNone;
    state = {version, tries};
    if (view.done() || !ui.session.overlay().empty()) return kNone;
    const auto& feedback = view.feedback();
    if (!feedback) return 0;
    const auto wrong =
        std::find(feedback->right_fields.begin(), feedback->right_fields.end(), false);
    return wrong == feedback->right_fields.end()
               ? 0
               : static_cast<std::size_t>(wrong - feedback->right_fields.begin());
}

}  // namespace

void focus_field_of(Ui& ui, std::uint64_t cell) {
    const std::vector<lessons::Field>& fields = ui.view<LearnView>().shown_page().question.fields;
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i].cell == cell) ui.state<FocusState>().asked = i;
}

// Fields for values; Enter checks them all.
void learn_fields(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const lessons::Question& question = view.shown_page().question;
    const bool cells = question.kind == AskKind::cells;
    const float each = ui.px(cells ? 74 : 130), gap = ui.px(10);
    const std::size_t focused = field_to_focus(ui);
    FocusState& state = ui.state<FocusState>();
    if (focused != kNone) state.to_select = focused;
    if (focused != kNone && !view.feedback()) state.opened = ImGui::GetFrameCount();
    // A page is read from its top, though the focus would scroll to the field.
    if (ImGui::GetFrameCount() < state.opened + 3) ImGui::SetScrollY(0);
    const auto columns =
        static_cast<std::size_t>(std::max(1.0F, std::floor((width + gap) / (each + gap))));
    const ImVec2 first = ImGui::GetCursorScreenPos();
    // A line of cells: their names, and fields whose digits are larger than other text.
    const float high = ui.px(kSmallSize * 1.4F + 17 * 1.4F) +
                       2 * (ImGui::GetStyle().FramePadding.y + ImGui::GetStyle().ItemSpacing.y);
    for (std::size_t i = 0; i < question.fields.size(); ++i) {
        const lessons::Field& field = question.fields[i];
        const auto& feedback = view.feedback();
        const Mark mark = !feedback || i >= feedback->right_fields.size() ? Mark::none
                          : feedback->right_fields[i]                     ? Mark::right
                                                                          : Mark::wrong;
        if (cells) {
            const std::size_t line = i / columns;
            ImGui::SetCursorScreenPos({first.x + static_cast<float>(i % columns) * (each + gap),
                                       first.y + static_cast<float>(line) * high});
        }
        if (field.label) page_paragraph(ui, view.shown_page().labels[*field.label], width);
        ImGui::BeginGroup();
        if (cells) {
            const auto& rows = view.shown_page().run->table.rows;
            label(ui, fmt::format("{}[{}]", rows[std::min(question.row, rows.size() - 1)].array,
                                  *field.cell));
        }
        std::string text = i < view.draft().texts.size() ? view.draft().texts[i] : "";
        ImGui::SetNextItemWidth(each);
        ImGui::BeginDisabled(view.done());
        // A phone's keyboard, which covers half of the page, waits for a tap.
        if (i == focused && ImGui::GetIO().MouseSource != ImGuiMouseSource_TouchScreen)
            ImGui::SetKeyboardFocusHere();
        const TextStyle style(ui, Face::mono, 17);
        ImGui::PushStyleColor(ImGuiCol_FrameBg, ui.colour4(fill_of(mark, false)));
        ImGui::PushStyleColor(ImGuiCol_Border, ui.colour4(edge_of(mark, true)));
        // Of this page alone: a field that has the keys gives back what is in it when it ends.
        ImGui::PushID(static_cast<int>(view.shown_page().version));
        if (ImGui::InputText(fmt::format("###field.{}", i + 1).c_str(), &text,
                             ImGuiInputTextFlags_CharsNoBlank))
            ui.change<LearnView>().set_text(i, text);
        // A field that kept the keys would add what is typed next to the wrong answer.
        if (i == state.to_select && ImGui::IsItemActive()) {
            if (ImGuiInputTextState* edited = ImGui::GetInputTextState(ImGui::GetItemID()))
                edited->SelectAll();
            state.to_select = kNone;
        }
        ImGui::PopID();
        ImGui::PopStyleColor(2);
        ImGui::EndDisabled();
        if (!view.done()) tip(ui, ui.tr()("learn.field.tip"), "Tab");
        ImGui::EndGroup();
        if (!cells && !view.page()->ask->unit.empty()) {
            ImGui::SameLine(0, ui.px(8));
            ImGui::AlignTextToFramePadding();
            const std::string& unit = view.page()->ask->unit;
            label(ui, ui.tr().get("learn.unit." + unit, unit));
        }
    }
}

}  // namespace lab::gui
