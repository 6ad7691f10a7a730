// Names for files that the app writes: in the user's documents, and never over another file.
#pragma once

#include <filesystem>
#include <string>

namespace lab::session {

class Session;

// Where a file was opened last, else the user's documents. Throws Problem if there is no
// such folder.
std::filesystem::path folder_to_open(const Session& session);

// "folder/stem.suffix", or with the first number that is free: "stem-2.suffix".
std::filesystem::path new_file(const std::filesystem::path& folder, const std::string& stem,
                               const std::string& suffix);

// As typed by a person: "~" is the home folder, and without a folder it lies in `folder`.
std::filesystem::path typed_path(const std::string& text, const std::filesystem::path& folder);

}  // namespace lab::session
