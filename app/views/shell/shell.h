// The shell stands around the views: the bar above them, what lies over them, notices, the list of
// kernels.
#pragma once

#include <span>

#include "analysis/step_table.h"
#include "gui/ui.h"

namespace lab::gui {

// All views of the app, in the order of their tabs.
std::span<const WindowView> window_views();

// Draws the panels of the view on screen over the whole window, then the overlay.
void draw_window(Ui& ui);

// The bar above the views: menu, tabs, the device, looks; its height in points.
inline constexpr float kTopBar = 52;
void top_bar(Ui& ui, const Area& area);

// Notices: short messages that fade, problems that belong to no view, hints.

void notices(Ui& ui);

// In the right column, for views that have one.
float right_column_width(const Ui& ui);
bool has_right_column(const Ui& ui);

// Pixels that a short message or the hint takes: below the right column, else at the lower edge; 0
// where there is neither, and for a short message that floats, for there was no hint in its place.
float strip_height(const Ui& ui);

// The table of overlays: the menu, the palette, help, files. None is modal: a click elsewhere or
// Escape closes it.

struct Overlay {
    const char* id;  // as session::Session::overlay()
    void (*draw)(Ui& ui);
    bool takes_text = false;  // what is typed while it is shown goes into its field
};
std::span<const Overlay> overlays();
bool overlay_takes_text(const session::Session& session);

// Draws the session's overlay, above all else but the notices.
void draw_overlays(Ui& ui);

void menu(Ui& ui);
void palette(Ui& ui);
void help_page(Ui& ui);

// The log of all problems, below the views while it is shown.

void log_panel(Ui& ui, const Area& area);
float log_height(const Ui& ui);  // pixels that it takes while it is shown

// The kernels, to choose from.
void variant_list(Ui& ui, const Area& area);
// The same over the view, where there is no room for it beside the diagram.
void variant_overlay(Ui& ui);

// The devices: a badge in the top bar, and the panel that hangs from it, with the devices found,
// what this computer lacks and how to get it, and which kernels run where.

// Returns what the badge says of the device beside the run that is shown, which was stopped or not:
// a key that has a tip, or nothing.
std::string witness_key(const analysis::DeviceComparison& witness, bool stopped);

// Ends at the right of the room that begins at `point`, `width` pixels.
void device_badge(Ui& ui, ImVec2 point, float width);
void device_panel(Ui& ui);  // an overlay

}  // namespace lab::gui
