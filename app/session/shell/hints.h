// What a new user is told, one thing at a time, until it has been done once.
#pragma once

#include <span>
#include <string_view>

namespace lab::session {

class Session;

struct Hint {
    const char* id;                             // its words are the translation "hints.<id>"
    const char* view;                           // where it helps; "" in all
    std::span<const std::string_view> done_by;  // commands, any of which shows that it is known
};

std::span<const Hint> hints();  // the first that is not done is shown

// The one to be shown now; nothing if all of this view are done.
const Hint* hint_for(const Session& session);
// A command was done, or what it does by hand.
void note_done(Session& session, std::string_view command);

}  // namespace lab::session
