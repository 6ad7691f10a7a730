// A chart of measurements, and how far one has come: in the measure view, and on a lesson's page.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gui/shell/ui.h"
#include "results/result.h"
#include "session/measure/measure_view.h"

namespace lab::gui {

struct ChartContent {
    std::string chart;  // an id of figures::measure_charts()
    std::string key;    // all that the results depend on
    std::function<std::vector<results::Measurements>()> results;
};
// With the documents' figures beside the results. What does not fit into `size` (pixels) is drawn
// smaller, then scrolls.
void chart_figure(Ui& ui, const ChartContent& content, ImVec2 size);

std::string progress_text(const Ui& ui, const session::MeasureProgress& progress);
// What is done and left, on the button that stops it, with a bar below.
void measure_stop_button(Ui& ui, const session::MeasureProgress& progress, float width);

}  // namespace lab::gui
