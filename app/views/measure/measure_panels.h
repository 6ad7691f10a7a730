// The panels of the measure view.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "figures/measure_series.h"
#include "gui/ui.h"
#include "gui/widgets.h"
#include "results/result.h"
#include "views/measure/measure.h"
namespace lab::gui {

void measure_choices(Ui& ui, const Area& area);
void measure_results(Ui& ui, const Area& area);
void present_measure(Ui& ui);
void save_measure(Ui& ui, const std::filesystem::path& file, const std::string& suffix);

// A chart of measurements, and how far one has come: in the measure view, and on a lesson's page.

struct ChartContent {
    std::string chart;  // an id of figures::measure_charts()
    std::string key;    // all that the results depend on
    std::function<std::vector<results::Measurements>()> results;
    // See figures::MeasureChartOptions.
    std::vector<std::string> coloured = {};
    std::size_t most_coloured = figures::kMostColoured;
};
// With the documents' figures beside the results. What does not fit into `size` (pixels) is drawn
// smaller, then scrolls.
void chart_figure(Ui& ui, const ChartContent& content, ImVec2 size);

std::string progress_text(const Ui& ui, const session::MeasureProgress& progress);
// Shows what is done and left, on the button that stops it, with a bar below.
void measure_stop_button(Ui& ui, const session::MeasureProgress& progress, float width);

// Says what a variant gains over the one before it, in the user's language: predicted, and as
// measured.

// "After “Step 1: modulo”, predicted: 2.7× on a GPU; 1× on a CPU. Measured: 1.7× on NVIDIA H200, n
// = 256 Mi." What was measured is of the results that are loaded, if both are in them. Empty where
// the variant comes after none.
std::string gain_text(const Ui& ui, const catalogue::Kernel& variant);

// Why it does; empty as above.
std::string why_text(const Ui& ui, const catalogue::Kernel& variant);

}  // namespace lab::gui
