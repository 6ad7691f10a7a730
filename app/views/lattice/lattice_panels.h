// The panel of the lattice view, and the parts of it that a lesson's page shows, too.
#pragma once

#include <filesystem>

#include "gui/ui.h"
#include "views/lattice/lattice.h"

namespace lab::gui {

void lattice_panel(Ui& ui, const Area& area);
void present_lattice(Ui& ui);
void save_lattice(Ui& ui, const std::filesystem::path& file,
                  const std::string& suffix);  // the cells as they are seen now

// The lattice in a rectangle of that size at the cursor, with all that hands do there.
void lattice_canvas(Ui& ui, session::LatticePicture& picture, ImVec2 size);
// Explains what the marks stand for, in as many lines as `width` needs, from its upper left corner
// on, pixels; its height. Into nothing where only that is asked for.
float lattice_legend(const Ui& ui, const analysis::Lattice& lattice, ImDrawList* into, ImVec2 from,
                     float width);

}  // namespace lab::gui
