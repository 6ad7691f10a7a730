// The drawing functions of the panels, each in a file of its own name.
#pragma once

#include "gui/shell/panels.h"

namespace lab::analysis {
struct Hazard;
}

namespace lab {}

namespace lab::gui {

void top_bar(Ui& ui, PanelState& state, const Area& area);
void variant_list(Ui& ui, PanelState& state, const Area& area);
void step_panel(Ui& ui, PanelState& state, const Area& area);
void transport(Ui& ui, PanelState& state, const Area& area);
void kernel_text(Ui& ui, PanelState& state, const Area& area);
void step_side(Ui& ui, PanelState& state, const Area& area);
void race_panel(Ui& ui, PanelState& state, const Area& area);
void race_side(Ui& ui, PanelState& state, const Area& area);
void lattice_panel(Ui& ui, PanelState& state, const Area& area);
void measure_choices(Ui& ui, PanelState& state, const Area& area);
void measure_results(Ui& ui, PanelState& state, const Area& area);
void log_panel(Ui& ui, PanelState& state, const Area& area);
void device_list(Ui& ui, PanelState& state, const Area& area);

// Names for choices.
std::vector<std::string> op_names(const Ui& ui);
std::vector<std::string> type_names();

// Parts of step_panel.
void step_controls(Ui& ui, PanelState& state, float width);

// Part of step_panel: one moment, where one goes by lines or actions.
void show_moment(Ui& ui, PanelState& state, ImVec2 room);
// Parts of measure_choices.
void added_results(Ui& ui, float width);
// On which device, or all; offered where there are several.
bool offers_devices(const Ui& ui);
void measure_device(Ui& ui, session::MeasureChoice& choice, float width);
float added_height(const Ui& ui);

// Parts of race_side. A hazard whose time has not come at `time` is grey. `co_resident`: the
// kernel's header promises no more than that.
void race_results(Ui& ui, PanelState& state, float width);
void hazard_list(Ui& ui, const std::vector<analysis::Hazard>& hazards, std::uint64_t time,
                 float width, bool co_resident);
// The text of a kernel that is open, to be edited.
void own_editor(Ui& ui, PanelState& state, ImVec2 size);
// The kernel's text without a card around it.
void kernel_inside(Ui& ui, PanelState& state, ImVec2 size);

// Parts of measure_results. The charts and the table to choose from, as pills; then the chart that
// is chosen, in `size` (pixels).
void chart_choice(Ui& ui);
bool shows_table_only(const Ui& ui);
void measure_chart(Ui& ui, PanelState& state, ImVec2 size);
// All rows of them, the device named where there are several.
void measure_table(Ui& ui, std::span<const results::Measurements* const> all);

// Of a row over several devices: how close to linear they come, and what each of them did; empty
// for another.
std::string linear_words(const Ui& ui, const results::Row& row);
std::string parts_words(const Ui& ui, const results::Row& row);

// What is chosen: a variant by its title, a kernel of one's own by its file.
std::string chosen_title(const Ui& ui);
// A variant's title in the user's language.
std::string title_of(const Ui& ui, const catalogue::Variant& variant);
std::string title_of(const Ui& ui, const results::Row& row);
// The launch shape that was chosen for it, and where from; empty where the header knows none.
std::string launch_words(const Ui& ui, const results::Row& row);

}  // namespace lab::gui
