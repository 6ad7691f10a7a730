// Writes what a view shows to a file: a picture, a table or data, by the file's suffix.
#pragma once

#include <filesystem>

#include "gui/shell/ui.h"

namespace lab::gui {

// Writes the file whole or not at all. Throws Problem if the current view has nothing to show or
// does not support the format, or if the file cannot be written.
void export_shown(Ui& ui, const std::filesystem::path& file);

}  // namespace lab::gui
