// Finding one's way: all commands by name, what keys there are, what went wrong.
#include <array>

#include "session/shell/command_groups.h"

namespace lab::session {
namespace {

constexpr char kMenu[] = "menu", kPaletteId[] = "palette", kHelp[] = "help",
               kGlossary[] = "glossary";

constexpr std::array kHelpCommands{
    Command{"help", "F1", always, toggle<kHelp>},
    Command{"glossary", "Ctrl+Shift+G", always, toggle<kGlossary>},
    Command{"glossary.word", "Alt+W",
            [](const Session& s) { return s.overlay().empty() && !s.glossary().in_sight.empty(); },
            [](Session& s) { focus_next(s.glossary()); }},
    Command{"palette", "Ctrl+P", always, toggle<kPaletteId>},
    Command{"menu", "F10", always, toggle<kMenu>},
    Command{"log", "Ctrl+J", always, [](Session& s) { s.show_log(!s.log_shown()); }},
    Command{"hints.again", "Ctrl+H",
            [](const Session& s) { return !s.settings().hints_done.empty(); },
            [](Session& s) { s.repeat_hints(); }},
};

}  // namespace

std::span<const Command> help_commands() {
    return kHelpCommands;
}

}  // namespace lab::session
