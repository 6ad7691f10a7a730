// The results of other machines that are drawn with this one's, and how to get more of them.
#include "gui/measure/measure_panels.h"
#include "gui/parts/widgets.h"
#include "session/measure/measure_view.h"
#include "session/measure/shown_results.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

void entry(Ui& ui, std::size_t i, float width) {
    const session::AddedResults& added = ui.view<session::MeasureView>().state().added[i];
    const bool fits = session::goes_with(ui.view<session::MeasureView>().state(), added);
    const std::string name = session::name_of(added);
    const Face face = Face::sans;
    const TextStyle style(ui, face, kSmallSize, fits ? Role::text : Role::muted);
    const float top = ImGui::GetCursorPosY();
    ImGui::TextUnformatted(
        ui.metrics.shortened((fits ? "" : "! ") + name, width / ui.scale - 30, kSmallSize, face)
            .c_str());
    const std::string about =
        ui.tr()("added.about", fmt::arg("rows", added.results.rows.size()),
                fmt::arg("op", added.results.op), fmt::arg("type", added.results.type),
                fmt::arg("started", added.results.started));
    tip(ui, name + "\n" + about + "\n" + added.file.string() +
                (fits ? "" : "\n" + ui.tr()("added.other_work")));
    const float next = top + ui.px(kTouch);
    ImGui::PushID(static_cast<int>(i));
    const bool removed = close_button(ui, "remove", width - ui.px(2), top - ui.px(4));
    tip(ui, ui.tr()("added.remove.tip"));
    ImGui::PopID();
    ImGui::SetCursorPosY(next);
    if (removed) ui.change<session::MeasureView>().remove(i);
}

}  // namespace

float added_height(const Ui& ui) {
    const auto count = static_cast<float>(
        std::min<std::size_t>(ui.view<session::MeasureView>().state().added.size(), 4));
    return ui.px(42) + count * ui.px(kTouch);
}

void added_results(Ui& ui, float width) {
    const float height = added_height(ui);
    ImGui::BeginChild("added", {width, height});
    const float inner = ImGui::GetContentRegionAvail().x;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), touch_padding(ui)});
    ImGui::AlignTextToFramePadding();
    label(ui, ui.tr()(ui.view<session::MeasureView>().state().added.empty() ? "added.none"
                                                                            : "added.title"));
    tip(ui, ui.tr()("added.tip"));
    ImGui::SameLine();
    const std::string words = ui.tr()("added.add");
    ImGui::SetCursorPosX(inner - ImGui::CalcTextSize(words.c_str()).x - ui.px(20));
    const bool pressed = ImGui::Button((words + "###add").c_str());
    ImGui::PopStyleVar();
    if (pressed) ui.run("open");
    tip(ui, ui.tr()("added.tip"), ui.session.command("open").key);
    for (std::size_t i = 0; i < ui.view<session::MeasureView>().state().added.size(); ++i)
        entry(ui, i, inner);
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
}

}  // namespace lab::gui
