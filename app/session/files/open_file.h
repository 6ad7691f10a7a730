// Opening a file, whatever kind it is of: dropped on the window, named at the start, or chosen.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace lab::session {

class Session;

// Adding a kind of file is one entry.
struct FileKind {
    const char* id;  // its name is the translation "file.<id>"
    const char* suffix;
    bool (*holds)(std::string_view text);  // tells kinds of one suffix apart
    void (*open)(Session& session, const std::filesystem::path& file);  // throws Problem
};
std::span<const FileKind> file_kinds();
bool is_known_suffix(const std::filesystem::path& file);

// Opens it. What cannot be opened becomes a Problem in view, and all stays as it was; whether it
// could. A relative path is of the folder that the program was started in.
bool open_file(Session& session, const std::filesystem::path& file);

}  // namespace lab::session
