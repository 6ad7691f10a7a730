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
struct ViewType;

inline constexpr const char* kStateSuffix = ".redlab";
inline constexpr const char* kStateSchema = "reduction-lab-moment";

struct SavedState {
    Settings settings;                                 // habits are the standard ones
    std::vector<std::function<void(Session&)>> parts;  // of the views
};

nlohmann::json saved_json(const Session& session);
// Throws Problem, where = the file, if it is missing, damaged, or of a later version. A view that
// the file says nothing of stays as it is.
SavedState read_saved(const std::filesystem::path& file, std::span<const ViewType* const> views);
bool looks_like_saved(std::string_view text);

// Puts a moment in force, as one step of undo; the settings are left out where they already are.
void show_saved(Session& session, const SavedState& state, bool with_settings = true);
// Into a new file in the user's documents, named by variant and time. Says where; a failure becomes
// a Problem in view.
void save_state(Session& session);

}  // namespace lab::session
