// The panels of the view of sizes.
#pragma once

#include <filesystem>

#include "gui/ui.h"

namespace lab::gui {

void sizes_panel(Ui& ui, const Area& area);
void sizes_text(Ui& ui, const Area& area);   // the kernel, with the verdict of each barrier
void sizes_found(Ui& ui, const Area& area);  // numbers and barriers
void present_sizes(Ui& ui);
void save_sizes(Ui& ui, const std::filesystem::path& file, const std::string& suffix);

}  // namespace lab::gui
