// What a view shows, into a file: pictures, tables and data by the file's suffix.
#pragma once

#include <filesystem>

#include "gui/shell/ui.h"

namespace lab::gui {

// Writes what the view in force shows, whole or not at all. Throws Problem if the view has nothing
// to show or knows no such format, or if the file cannot be written.
void export_shown(Ui& ui, const std::filesystem::path& file);

}  // namespace lab::gui
