// Finding one's way: all commands by name, what keys there are, what went wrong.
#include <array>

#include "session/command_groups.h"

namespace lab::session {
namespace {

bool always(const Session&) {
    return true;
}

// Open it, or close it again.
template <const char* Overlay>
void toggle(Session& session) {
    session.show(session.overlay() == Overlay ? "" : Overlay);
}
constexpr char kMenu[] = "menu", kPalette[] = "palette", kHelp[] = "help";

constexpr std::array kCommands{
    Command{"help", "F1", always, toggle<kHelp>},
    Command{"palette", "Ctrl+P", always, toggle<kPalette>},
    Command{"menu", "F10", always, toggle<kMenu>},
    Command{"log", "Ctrl+J", always, [](Session& s) { s.show_log(!s.log_shown()); }},
    Command{"hints.again", "Ctrl+H",
            [](const Session& s) { return !s.settings().hints_done.empty(); },
            [](Session& s) { s.repeat_hints(); }},
};

}  // namespace

std::span<const Command> help_commands() {
    return kCommands;
}

}  // namespace lab::session
