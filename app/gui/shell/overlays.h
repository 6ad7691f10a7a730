// What lies over the view while it is wanted: the menu, the palette, help, files. One table;
// nothing of it is modal: a click elsewhere or Escape closes it.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "gui/files/open_panel.h"
#include "gui/parts/pick_list.h"
#include "gui/shell/ui.h"

namespace lab::gui {

struct OverlayState {
    std::string shown;       // the one of the last frame
    bool appearing = false;  // this frame is its first
    PickState palette;
    OpenPanelState open;
    std::string export_path, export_suggested;
    std::string export_suffix;  // asked for by its button; empty: the usual one
    std::optional<Problem> export_problem;
    bool export_again = false;  // the field wants the keys back
};

struct Overlay {
    const char* id;  // as session::Session::overlay()
    void (*draw)(Ui& ui, OverlayState& state);
};
std::span<const Overlay> overlays();

// The one that the session shows, above all else but the notices.
void draw_overlays(Ui& ui, OverlayState& state);

// A window of an overlay, at `at` in pixels; `height` 0: as high as what is in it. A click
// elsewhere closes the overlay if `light`.
void begin_overlay(Ui& ui, const OverlayState& state, const char* id, ImVec2 at, ImVec2 size,
                   bool light = true);
void end_overlay();

void menu(Ui& ui, OverlayState& state);
void palette(Ui& ui, OverlayState& state);
void help_page(Ui& ui, OverlayState& state);
void open_panel(Ui& ui, OverlayState& state);
void export_field(Ui& ui, OverlayState& state);

}  // namespace lab::gui
