// The panel of the lattice view.
#pragma once

#include <filesystem>

#include "gui/shell/ui.h"

namespace lab::gui {

void lattice_panel(Ui& ui, const Area& area);
void present_lattice(Ui& ui);
void save_lattice(Ui& ui, const std::filesystem::path& file,
                  const std::string& suffix);  // the cells as they are seen now

}  // namespace lab::gui
