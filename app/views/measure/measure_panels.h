// The panels of the measure view.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gui/ui.h"
#include "gui/widgets.h"
#include "results/result.h"
#include "views/measure/measure.h"
namespace lab::gui {

void measure_choices(Ui& ui, const Area& area);
void measure_results(Ui& ui, const Area& area);
void present_measure(Ui& ui);
void save_measure(Ui& ui, const std::filesystem::path& file, const std::string& suffix);

// Parts of measure_choices.
void added_results(Ui& ui, float width);
float added_height(const Ui& ui);
// On which device, or all; offered where there are several.
bool offers_devices(const Ui& ui);
void measure_device(Ui& ui, session::MeasureChoice& choice, float width);

// Parts of measure_results. The charts and the table to choose from, as pills; then the chart that
// is chosen, in `size` (pixels).
void chart_choice(Ui& ui);
bool shows_table_only(const Ui& ui);
void measure_chart(Ui& ui, ImVec2 size);
// All rows of them, the device named where there are several.
void measure_table(Ui& ui, std::span<const results::Measurements* const> all);

// For a row over several devices: how close to linear they come, and what each of them did; empty
// for another.
std::string linear_text(const Ui& ui, const results::Row& row);
std::string parts_text(const Ui& ui, const results::Row& row);
std::string title_of(const Ui& ui, const results::Row& row);
// Says what is known of the result of a kernel whose right result is not known; and, in a tip, what
// its GB/s are of.
std::string unknown_text(const Ui& ui, const results::Row& row);
std::string unknown_tip(const Ui& ui, const results::Row& row);
// The launch shape that was chosen for it, and where from; empty where the header knows none.
std::string launch_text(const Ui& ui, const results::Row& row);

// A chart of measurements, and how far one has come: in the measure view, and on a lesson's page.

struct ChartContent {
    std::string chart;  // an id of figures::measure_charts()
    std::string key;    // all that the results depend on
    std::function<std::vector<results::Measurements>()> results;
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
