// A saved state: what is on screen and what the user chose, in a small file to send and open
// elsewhere. JSON, suffix .redlab.
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
    Settings settings;                                 // with standard habits
    std::vector<std::function<void(Session&)>> parts;  // of the views
};

nlohmann::json saved_json(const Session& session);
// Throws Problem, where = the file, if it is missing, damaged, or of a later version. A view that
// the file does not mention stays as it is.
SavedState read_saved(const std::filesystem::path& file, std::span<const ViewType* const> views);
SavedState read_saved_text(const std::string& text, std::span<const ViewType* const> views,
                           const std::string& where = {});
bool looks_like_saved(std::string_view text);

// Restores a state as one step of undo; settings that are already so are left out.
void show_saved(Session& session, const SavedState& state, bool with_settings = true);
// Saves to a new file in the user's documents, named by variant and time, and reports the place. A
// failure is shown as a Problem.
void save_state(Session& session);

}  // namespace lab::session
