// The kernels that were opened, with their launches and what was edited in them, from one start to
// the next: kernels.json in the user's configuration folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "session/shell/settings.h"

namespace lab::session {

struct OpenedKernel {
    Choice choice;        // of it the file, its text and its launch count
    bool edited = false;  // its text is not the file's
};

inline constexpr std::size_t kMostRemembered = 32;                         // files
inline constexpr std::size_t kMostRememberedText = std::size_t{1} << 20U;  // bytes, all edits

std::filesystem::path kernels_file();

// The last ones, as many as are remembered. Of a file without edits its name and launch alone.
std::string memory_text(const std::vector<OpenedKernel>& opened);
// Back again: of a file without edits the text that it has now; left out where it is gone. Throws
// Problem if the text is no memory.
std::vector<OpenedKernel> opened_of_memory(const std::string& text);

// What the file remembers; nothing if there is none. A damaged file is kept beside as
// kernels.json.damaged, and `problem` says so.
std::vector<OpenedKernel> load_opened(std::optional<Problem>& problem);

}  // namespace lab::session
