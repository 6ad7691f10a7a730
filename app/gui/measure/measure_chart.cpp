#include <algorithm>
#include <cmath>

#include "figures/charts/measure_charts.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "gui/shell/panel_list.h"
#include "session/measure/shown_results.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

constexpr const char* kTable = "table";

// What the settings ask for, if there is such a chart.
std::string shown_in(const Ui& ui) {
    const std::string& asked = ui.session.settings().measure.shown;
    for (const figures::MeasureChart& chart : figures::measure_charts())
        if (asked == chart.id) return asked;
    return asked == kTable ? asked : figures::measure_charts().front().id;
}

// What does not fit is drawn smaller, as far as it stays readable, then scrolls.
float smallest(const Ui& ui) {
    return 0.75F / std::clamp(ui.session.settings().scale, 1.0F, 1.4F);
}

void lay_out(Ui& ui, PanelState& state, PanelState::Chart& chart) {
    const std::vector<results::Measurements> results =
        session::results_to_draw(ui.session.measure());
    try {
        if (!state.datasheets) state.datasheets = results::datasheets();
        const std::vector<results::DocumentFigure> figures =
            without_defaults(ui.session.document_figures(), ui.session.catalogue());
        figures::MeasureChartOptions options;
        options.chart = chart.shown;
        options.figures = figures;
        options.datasheets = *state.datasheets;
        const std::vector<catalogue::GainStep> steps = gain_steps(ui.session.catalogue());
        options.steps = steps;
        const auto draw_smaller = [&](float fit) {
            chart.fit = fit;
            // Small text on screen is hinted, and so up to a fiftieth wider than its outlines.
            const float width = chart.width / fit * (fit < 1 ? 0.98F : 1.0F);
            options.size = {width, chart.height / fit, ui.palette.text_scale, false};
            chart.scene = figures::measure_chart(results, options, ui.metrics, ui.tr());
        };
        draw_smaller(1);
        if (const float part = chart.height / chart.scene.height; part < 1)
            draw_smaller(std::max(part, smallest(ui)));
    } catch (const Problem& problem) {
        chart.problem = problem;
    }
}

// Made anew only when something about it changed.
const PanelState::Chart& chart_for(Ui& ui, PanelState& state, figures::Point size) {
    PanelState::Chart now;
    now.version = ui.session.measure().version;
    now.waiting = ui.session.measure().results.waiting;
    now.width = size.x;
    now.height = size.y;
    now.shown = shown_in(ui);
    now.language = ui.tr().language();
    now.theme = ui.palette.name;
    PanelState::Chart& kept = state.chart;
    if (kept.made && kept.same_as(now)) return kept;
    lay_out(ui, state, now);
    now.made = true;
    kept = std::move(now);
    return kept;
}

void show_tip(const Ui& ui, std::string_view told) {
    if (told.empty() || !ImGui::BeginTooltip()) return;
    {
        const TextStyle style(ui, Face::sans, kTextSize);
        ImGui::PushTextWrapPos(ui.px(420));
        ImGui::TextUnformatted(told.data(), told.data() + told.size());
        ImGui::PopTextWrapPos();
    }
    ImGui::EndTooltip();
}

void why_not(const Ui& ui, const PanelState::Chart& chart, float width) {
    const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
    if (chart.shown == "groups") {
        wrapped(ui.tr()("measure.no_groups"), width);
        return;
    }
    const Problem& problem = *chart.problem;
    wrapped(problem.what_happened + (problem.why.empty() ? "" : ". " + problem.why) + ".", width);
}

}  // namespace

void chart_choice(Ui& ui) {
    const std::string shown = shown_in(ui);
    const auto choose = [&](const std::string& id, const std::string& words) {
        const bool first = id == figures::measure_charts().front().id;
        const float wide = ImGui::CalcTextSize(words.c_str()).x + ui.px(26);
        if (!first) ImGui::SameLine(0, ui.px(2));
        if (!first && ImGui::GetContentRegionAvail().x < wide) ImGui::NewLine();
        if (pill(ui, ("shown." + id).c_str(), words, shown == id)) {
            session::MeasureChoice choice = ui.session.settings().measure;
            choice.shown = id;
            ui.session.set_measure(std::move(choice));
        }
    };
    for (const figures::MeasureChart& chart : figures::measure_charts())
        choose(chart.id, ui.tr()(std::string("chart.") + chart.id + ".short"));
    choose(kTable, ui.tr()("chart.table.short"));
}

bool shows_table_only(const Ui& ui) {
    return shown_in(ui) == kTable;
}

void measure_chart(Ui& ui, PanelState& state, ImVec2 size) {
    ImGui::BeginChild("chart", size, 0, ImGuiWindowFlags_HorizontalScrollbar);
    const figures::Point room{(size.x - ui.px(14)) / ui.scale, size.y / ui.scale - 4};
    const PanelState::Chart& chart = chart_for(ui, state, room);
    if (chart.problem) {
        why_not(ui, chart, size.x);
    } else {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const Ui smaller{ui.session, ui.palette, ui.metrics, ui.fonts, ui.scale * chart.fit};
        show_tip(ui, paint(smaller, chart.scene, *ImGui::GetWindowDrawList(), at));
        ImGui::Dummy({std::floor(smaller.px(chart.scene.width)),
                      std::floor(smaller.px(chart.scene.height))});
    }
    ImGui::EndChild();
}

}  // namespace lab::gui
