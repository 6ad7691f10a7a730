// Names for files that the app writes: in the user's documents, and never over another file.
#pragma once

#include <filesystem>
#include <string>

#include "base/platform.h"

namespace lab::session {

class Session;

// The folder of the last opened file, else the user's documents. Throws Problem if there is none.
std::filesystem::path folder_to_open(const Session& session);

// "folder/stem.suffix", or with the first free number: "stem-2.suffix".
std::filesystem::path new_file(const std::filesystem::path& folder, const std::string& stem,
                               const std::string& suffix);

// A path as typed: "~" is the home folder; a bare name is in `folder`.
std::filesystem::path typed_path(const std::string& text, const std::filesystem::path& folder);

// The translation that says where a file was saved: its path is on the clipboard; in a browser it
// is a download.
inline constexpr const char* kSavedText = platform::kBrowser ? "toast.downloaded" : "toast.saved";

}  // namespace lab::session
