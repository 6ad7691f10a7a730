// What a person could see of the session, as JSON: for tests and scripts that watch the app.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "session/session.h"

namespace lab::session {

struct StatePart {
    const char* name;
    nlohmann::json (*of)(const Session& session);
};

// One table: a view adds what it has to show by one entry.
std::span<const StatePart> state_parts();

// An object with all parts.
nlohmann::json state_json(const Session& session);

}  // namespace lab::session
