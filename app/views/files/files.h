// Files: moments and links to them, exports of what a view shows, and whatever else can be opened.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform.h"
#include "session/settings.h"

namespace lab::session {

class Session;
struct ViewType;

// A saved state, or moment: what is on screen and what the user chose, in a small file to send and
// open elsewhere. JSON, suffix .redlab.

inline constexpr const char* kStateSuffix = ".redlab";
inline constexpr const char* kStateSchema = "reduction-lab-moment";

struct SavedState {
    Settings settings;                                 // with standard habits
    std::vector<std::function<void(Session&)>> parts;  // of the views
};

nlohmann::json saved_json(const Session& session);
// Throws Problem, where = the file, if it is missing, damaged, or of a later version. A view that
// the file does not mention stays as it is.
SavedState read_saved(const std::filesystem::path& file, std::span<const ViewType* const> views);
// Restores a state as one step of undo; settings that are already so are left out.
void show_saved(Session& session, const SavedState& state, bool with_settings = true);
// Saves to a new file in the user's documents, named by variant and time, and reports the place. A
// failure is shown as a Problem.
void save_state(Session& session);

// A link that holds a moment: the address of the page for browsers, and in its fragment, which no
// server sees, what a .redlab file holds. "m=" and the JSON, deflated (RFC 1951), in base64url (RFC
// 4648) without padding.

// Where the page is served on one's own computer, unless a link has told of another place.
inline constexpr const char* kLocalPage = "http://localhost:8017/";

// True if a file's name or an argument is such a link, with or without the address before it.
bool looks_like_link(std::string_view text);
// The part before the fragment; empty if there is none.
std::string page_of_link(std::string_view link);
std::string fragment_of(const Session& session);
// Throws Problem if the link is damaged, holds more than a moment may, or one of a later version.
SavedState read_link(std::string_view link, std::span<const ViewType* const> views);
// Returns the link to what is on screen, and puts it into a browser's address line.
std::string link_of(const Session& session);
// True if a link leads to a page on this computer, where no other one can open it.
bool stays_here(std::string_view link);
// Copies that link, says so, and shows it as the overlay "link".
void copy_link(Session& session);

// Exports of what the view on screen shows: destination, format, and a repeat by one key.

// The suffixes in which it can be exported here, the usual one first; may be empty.
std::vector<const char*> export_suffixes(const Session& session);
// The suggested file: the last folder and format of this view, with a name for what is shown or the
// name that was given last; always a file that does not exist yet. Throws Problem if there is no
// folder. `suffix`: another format than the last one.
std::filesystem::path suggested_export(const Session& session, const std::string& suffix = {});
// Writes what is shown, under the next free name if `file` exists. Reports the place, and remembers
// it for next time. If it throws Problem, nothing is written.
void export_to(Session& session, const std::filesystem::path& file);
// In that format, beside what was exported before. What fails is reported.
void export_also(Session& session, const std::string& suffix);
// As last time in this view; the first time, asks.
void export_again(Session& session);

// Files of all kinds: dropped on the window, named at the start, or chosen. To add a kind, add an
// entry.
struct FileKind {
    const char* id;  // its name is the translation "file.<id>"
    const char* suffix;
    bool (*holds)(std::string_view text);  // distinguishes kinds with the same suffix
    void (*open)(Session& session, const std::filesystem::path& file);  // throws Problem
};
std::span<const FileKind> file_kinds();
bool is_known_suffix(const std::filesystem::path& file);
// Opens the file, or the link, and returns whether that worked. If not, a Problem is shown and
// nothing changes. A relative path starts from the folder in which the program was started.
bool open_file(Session& session, const std::filesystem::path& file);

}  // namespace lab::session
