// The moment that the step view or the race view shows, as a page of a lesson.
#pragma once

#include <filesystem>
#include <string>

#include "session/shell/session.h"

namespace lab::session {

// Appends it to the lesson in `folder`, which is made if there is none. Throws Problem.
void add_moment(const Session& session, const std::filesystem::path& folder,
                const std::string& heading);

}  // namespace lab::session
