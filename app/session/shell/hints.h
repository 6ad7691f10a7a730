// Which hint a new user sees now.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "session/shell/view.h"

namespace lab::session {

// For all views; then those that help in each of them.
std::vector<Hint> hints(const Session& session);
// The first of the view on screen that is not done; null if all are.
const Hint* hint_for(const Session& session);
// A command was done, or what it does by hand.
void note_done(Session& session, std::string_view command);

}  // namespace lab::session
