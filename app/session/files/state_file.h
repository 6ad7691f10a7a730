// A moment: what is on screen and was chosen by a person, in a small file that can be sent and
// opened elsewhere. JSON, suffix .redlab.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "session/shell/settings.h"

namespace lab::session {

class Session;

inline constexpr const char* kStateSuffix = ".redlab";
inline constexpr const char* kStateSchema = "reduction-lab-moment";

// What a moment keeps of one part of the app beside the settings. Adding a part is one entry; a
// file without it leaves the part as it is.
struct SavedPart {
    const char* id;
    nlohmann::json (*save)(const Session& session);
    // Reads all of it, or throws Problem or nlohmann's exception; what it returns puts it in force.
    std::function<void(Session&)> (*read)(const nlohmann::json& part);
};
std::span<const SavedPart> saved_parts();

struct SavedState {
    Settings settings;  // habits are the standard ones
    std::vector<std::function<void(Session&)>> parts;
};

nlohmann::json saved_json(const Session& session);
// Throws Problem, where = the file, if it is missing, damaged, or of a later version.
SavedState read_saved(const std::filesystem::path& file);
bool looks_like_saved(std::string_view text);

// Puts a moment in force, as one step of undo; the settings are left out where they already are.
void show_saved(Session& session, const SavedState& state, bool with_settings = true);
// Into a new file in the user's documents, named by variant and time. Says where; a failure becomes
// a Problem in view.
void save_state(Session& session);

}  // namespace lab::session
