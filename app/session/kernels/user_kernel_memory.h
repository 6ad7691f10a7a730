// Remembers opened kernels, with launches and edits, between starts: kernels.json in the user's
// configuration folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "session/shell/settings.h"

namespace lab::session {

struct OpenedKernel {
    Choice choice;        // only file, text and launch matter
    bool edited = false;  // its text is not the file's
};

inline constexpr std::size_t kMostRemembered = 32;                         // files
inline constexpr std::size_t kMostRememberedText = std::size_t{1} << 20U;  // bytes, all edits

std::filesystem::path kernels_file();

// The last ones, up to the limits. For a file without edits only its name and launch.
std::string memory_text(const std::vector<OpenedKernel>& opened);
// Reads them back; a file without edits is read again, or left out if it is gone. Throws Problem if
// the text has another format.
std::vector<OpenedKernel> opened_of_memory(const std::string& text);

// What the file remembers; nothing if there is none. A damaged file is kept beside as
// kernels.json.damaged, and `problem` says so.
std::vector<OpenedKernel> load_opened(std::optional<Problem>& problem);

}  // namespace lab::session
