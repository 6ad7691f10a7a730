// Parts of state_json that are long enough for a file of their own.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "session/session.h"

namespace lab::session {

nlohmann::json race_part(const Session& session);
nlohmann::json machine_part(const Session& session);

}  // namespace lab::session
