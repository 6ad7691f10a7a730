// The panels of the measure view.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "gui/shell/ui.h"
#include "results/result.h"

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
// Of a kernel whose right result is not known: what is known of its result; and in a tip, of what
// its GB/s are.
std::string unknown_text(const Ui& ui, const results::Row& row);
std::string unknown_tip(const Ui& ui, const results::Row& row);
// The launch shape that was chosen for it, and where from; empty where the header knows none.
std::string launch_text(const Ui& ui, const results::Row& row);

}  // namespace lab::gui
