// Everything that a person can tell the app to do, one table: menus, keys, tooltips and help are
// made from it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "session/shell/session.h"

namespace lab::session {

struct Command {
    const char* id;   // its words are the translations "command.<id>" and "command.<id>.tip"
    const char* key;  // as "Ctrl+Shift+Z", "Space", "1"; names as keyboards show them
    bool (*enabled)(const Session& session);
    void (*act)(Session& session);
};

// Commands that belong together: a menu, a chapter of the help.
struct CommandGroup {
    const char* id;  // its name is the translation "menu.<id>"
    std::span<const Command> commands;
};

// In the order of menus; no two commands share an id or a key.
std::span<const CommandGroup> command_groups();
std::span<const Command> commands();          // of all groups
const Command& command(std::string_view id);  // throws Problem if there is none

// Does it, if it is enabled; whether it was.
bool run(Session& session, const Command& command);

// The views, in the order of their tabs and digits.
std::span<const char* const> views();
std::span<const char* const> themes();

}  // namespace lab::session
