// What the measure view shows, as a file.
#include "base/paths.h"
#include "figures/charts/measure_charts.h"
#include "figures/painters/save.h"
#include "gui/measure/measure_panels.h"
#include "results/results_file.h"
#include "session/measure/measure_view.h"
#include "session/measure/shown_results.h"

namespace lab::gui {
namespace {

// The rows of all results that are shown, under one line of headings.
std::string csv_of_all(const std::vector<results::Measurements>& all) {
    std::string text;
    for (const results::Measurements& results : all) {
        const std::string csv = csv_of(results);
        text += text.empty() ? csv : csv.substr(csv.find('\n') + 1);
    }
    return text;
}

}  // namespace

void save_measure(Ui& ui, const fs::path& file, const std::string& suffix) {
    const session::MeasureState& measure = ui.view<session::MeasureView>().state();
    const std::vector<results::Measurements> all = session::results_to_draw(measure);
    if (suffix == ".csv") {
        write_file(file, csv_of_all(all));
        return;
    }
    if (suffix == ".json") {
        if (!measure.results.answer || measure.results.answer->rows.empty())
            throw Problem("Nothing was measured here", "What is shown are the results of others",
                          "Run a measurement, or export a .csv, which has the rows of all");
        write_results(*measure.results.answer, file);
        return;
    }
    const std::vector<results::Datasheet> sheets = results::datasheets();
    const std::vector<results::DocumentFigure> figures = without_defaults(
        ui.view<session::MeasureView>().document_figures(), ui.session.catalogue());
    figures::MeasureChartOptions options;
    options.chart = ui.session.settings().measure.shown;
    options.figures = figures;
    options.datasheets = sheets;
    const std::vector<catalogue::GainStep> steps = gain_steps(ui.session.catalogue());
    options.steps = steps;
    options.size.text_scale = ui.palette.text_scale;
    options.size.width *= ui.palette.text_scale;
    figures::save(figures::measure_chart(all, options, ui.metrics, ui.tr()), ui.palette, ui.metrics,
                  file);
}

}  // namespace lab::gui
