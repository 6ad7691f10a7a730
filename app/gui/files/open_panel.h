// The panel to open files, by folders or by a typed path.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/problem.h"
#include "gui/parts/pick_list.h"

namespace lab::gui {

struct FolderEntry {
    std::string name;  // ".." leads up, "." opens the lessons of this folder
    bool folder = false;
    std::string size;  // of a file, as text
};

// First of all its lessons, if it is the folder of one or has such folders.
// The subfolders and files of `folder` that can be opened: folders first, then by name; hidden ones
// only if `hidden`. Throws Problem if it cannot be read.
std::vector<FolderEntry> entries_of(const std::filesystem::path& folder, bool hidden);

struct OpenPanelState {
    PickState pick;
    std::filesystem::path folder;  // whose entries these are
    std::vector<FolderEntry> entries;
    std::optional<Problem> problem;  // of the folder that was to be shown
};

}  // namespace lab::gui
