// Opens files of all kinds: dropped on the window, named at the start, or chosen.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace lab::session {

class Session;

// To add a kind of file, add an entry.
struct FileKind {
    const char* id;  // its name is the translation "file.<id>"
    const char* suffix;
    bool (*holds)(std::string_view text);  // distinguishes kinds with the same suffix
    void (*open)(Session& session, const std::filesystem::path& file);  // throws Problem
};
std::span<const FileKind> file_kinds();
bool is_known_suffix(const std::filesystem::path& file);

// The same for a link that holds a moment.
bool open_link(Session& session, const std::string& link);

// Opens the file, or the link, and returns whether that worked. If not, a Problem is shown and
// nothing changes. A relative path starts from the folder in which the program was started.
bool open_file(Session& session, const std::filesystem::path& file);

}  // namespace lab::session
