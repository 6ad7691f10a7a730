// Finds the program's own data and the user's folders; reads and writes whole files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace lab {

namespace fs = std::filesystem;

fs::path program_path();  // of the running program, links resolved
// kernels/, assets/ and fonts/: $REDUCTION_LAB_DATA, or ../share/reduction-lab beside bin/.
// Throws Problem if there is no such folder.
fs::path data_folder();
// $XDG_CONFIG_HOME/reduction-lab, or ~/.config/reduction-lab; it need not exist yet. Throws
// Problem if the user has no home folder.
fs::path config_folder();
fs::path home_folder();  // throws Problem if there is none
// Where the user's own files go: XDG_DOCUMENTS_DIR of user-dirs.dirs, else ~/Documents, else the
// home folder; whichever exists. Throws Problem if the user has no home folder.
fs::path documents_folder();
fs::path cache_folder();  // as config_folder(), with $XDG_CACHE_HOME or ~/.cache

// "folder/stem.suffix", or with the first free number: "stem-2.suffix".
fs::path new_file(const fs::path& folder, const std::string& stem, const std::string& suffix);
// A path as typed: "~" is the home folder; a bare name is in `folder`.
fs::path typed_path(const std::string& text, const fs::path& folder);

std::string suffix_of(const fs::path& file);  // ".svg", in lower case; may be empty

// The whole file, or all that a pipe holds. Throws Problem naming the file if it is missing,
// unreadable, a folder or a device, or larger than `limit` bytes.
std::string read_file(const fs::path& path, std::size_t limit = std::size_t{1} << 30);

// The same of a text in UTF-8, without a byte order mark, its lines ended by \n. Throws Problem
// where it is none.
std::string read_text_file(const fs::path& path, std::size_t limit = std::size_t{1} << 30);

// Writes the file whole or not at all (a temporary file beside it, synced, then renamed), creating
// its folder. An existing file keeps its permissions, a link stays a link, and anything that is not
// a regular file (a pipe, /dev/stdout) is simply written to. Throws Problem if that fails, leaving
// an existing file unchanged and no temporary behind.
void write_file(const fs::path& path, std::string_view bytes);

}  // namespace lab
