// Opening and exporting: the panel to open files, by folders or by a typed path; the field that
// says where to export to, a path and a format; and the export itself.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gui/ui.h"

namespace lab::gui {

// Writes what a view shows to a file: a picture, a table or data, by the file's suffix; whole or
// not at all. Throws Problem if the current view has nothing to show or does not support the
// format, or if the file cannot be written.
void export_shown(Ui& ui, const std::filesystem::path& file);
std::string format_name(const char* suffix);  // "PNG" of ".png"

// Overlays.
void open_panel(Ui& ui);
void export_field(Ui& ui);
void link_panel(Ui& ui);

struct FolderEntry {
    std::string name;  // ".." leads up, "." opens the lessons of this folder
    bool folder = false;
    std::string size;  // of a file, as text
};
// The subfolders and files of `folder` that can be opened: first of all its lessons, if it is the
// folder of one or has such folders; then folders first, by name; hidden ones only if `hidden`.
// Throws Problem if it cannot be read.
std::vector<FolderEntry> entries_of(const std::filesystem::path& folder, bool hidden);

}  // namespace lab::gui
