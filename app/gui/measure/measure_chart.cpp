#include <fmt/format.h>

#include "figures/charts/measure_charts.h"
#include "gui/measure/chart_figure.h"
#include "gui/measure/measure_panels.h"
#include "gui/parts/widgets.h"
#include "session/measure/measure_view.h"
#include "session/measure/shown_results.h"

namespace lab::gui {
namespace {

constexpr const char* kTable = "table";

// What the settings ask for, if there is such a chart.
std::string shown_in(const Ui& ui) {
    const std::string& asked = ui.session.settings().measure.shown;
    for (const figures::MeasureChart& chart : figures::measure_charts())
        if (asked == chart.id) return asked;
    return asked == kTable ? asked : figures::measure_charts().front().id;
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
            ui.change<session::MeasureView>().set(std::move(choice));
        }
    };
    for (const figures::MeasureChart& chart : figures::measure_charts())
        choose(chart.id, ui.tr()(std::string("chart.") + chart.id + ".short"));
    choose(kTable, ui.tr()("chart.table.short"));
}

bool shows_table_only(const Ui& ui) {
    return shown_in(ui) == kTable;
}

void measure_chart(Ui& ui, ImVec2 size) {
    const session::MeasureState& measure = ui.view<session::MeasureView>().state();
    chart_figure(ui,
                 {shown_in(ui), fmt::format("{} {}", measure.version, measure.results.waiting),
                  [&] { return session::results_to_draw(measure); }},
                 size);
}

}  // namespace lab::gui
