// The chart of what a page measures, with the documents' figures; before that, how to come to it.
#include "gui/learn/learn_panels.h"
#include "gui/measure/chart_figure.h"
#include "gui/parts/widgets.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;
using session::LearnView;

// What will be measured.
void say_before(const Ui& ui, float width) {
    const lessons::Ask& ask = *ui.view<LearnView>().page()->ask;
    {
        const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
        wrapped(ui.tr()("learn.predict_first"), width);
    }
    ImGui::Dummy({0, ui.px(6)});
    for (const std::string& kernel : ask.kernels)
        wrapped("•  " + option_text(ui, {{}, kernel, false}), width);
    if (!ask.n.empty()) label(ui, "n = " + ask.n);
}

}  // namespace

void learn_chart(Ui& ui, ImVec2 room) {
    const LearnView& view = ui.view<LearnView>();
    const session::LearnRows& rows = view.measured_rows();
    const bool any = rows.results && !rows.results->rows.empty();
    ImGui::BeginChild("learn.chart", room);
    const float width = ImGui::GetContentRegionAvail().x;
    if (view.measuring())
        measure_stop_button(ui, rows.progress, std::min(width, ui.px(320)));
    else if (view.can_measure_again())
        command_button(ui, "learn.measure",
                       ui.tr()(any ? "learn.measure_again" : "command.learn.measure"), false);
    else if (!any)
        say_before(ui, width);
    if (view.measure_problem()) problem_card(ui, *view.measure_problem(), width);
    if (any)
        chart_figure(ui,
                     {"time", fmt::format("page {} {}", view.shown_page().version, rows.version),
                      [&] { return std::vector{*rows.results}; }},
                     ImGui::GetContentRegionAvail());
    ImGui::EndChild();
}

}  // namespace lab::gui
