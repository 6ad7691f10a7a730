// The files that can be opened, folder by folder, or a path typed in.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/problem.h"
#include "gui/parts/pick_list.h"

namespace lab::gui {

struct FolderEntry {
    std::string name;  // ".." leads up
    bool folder = false;
    std::string size;  // of a file, in words
};

// What of `folder` can be opened or walked into: folders first, each kind by name; hidden ones only
// where `hidden`. Throws Problem if it cannot be read.
std::vector<FolderEntry> entries_of(const std::filesystem::path& folder, bool hidden);

struct OpenPanelState {
    PickState pick;
    std::filesystem::path folder;  // whose entries these are
    std::vector<FolderEntry> entries;
    std::optional<Problem> problem;  // of the folder that was to be shown
};

}  // namespace lab::gui
