// The table of overlays: the menu, the palette, help, files. None is modal: a click elsewhere or
// Escape closes it.
#pragma once

#include <span>

#include "gui/ui.h"
namespace lab::gui {

struct Overlay {
    const char* id;  // as session::Session::overlay()
    void (*draw)(Ui& ui);
    bool takes_text = false;  // what is typed while it is shown goes into its field
};
std::span<const Overlay> overlays();
bool overlay_takes_text(const session::Session& session);
bool overlay_appears(const Ui& ui);  // this frame is its first

// Draws the session's overlay, above all else but the notices.
void draw_overlays(Ui& ui);

// A window of an overlay, at `at` in pixels; `height` 0: as high as what is in it. A click
// elsewhere closes the overlay if `light`.
void begin_overlay(Ui& ui, const char* id, ImVec2 point, ImVec2 size, bool light = true);
void end_overlay();

void menu(Ui& ui);
void palette(Ui& ui);
void help_page(Ui& ui);
void open_panel(Ui& ui);
void export_field(Ui& ui);

// The log of all problems, below the views while it is shown.

void log_panel(Ui& ui, const Area& area);
float log_height(const Ui& ui);  // pixels that it takes while it is shown

}  // namespace lab::gui
