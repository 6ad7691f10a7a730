#include "session/shell/commands.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "session/shell/command_groups.h"
#include "session/shell/hints.h"

namespace lab::session {

std::span<const CommandGroup> command_groups() {
    static const std::array kGroups{
        CommandGroup{"step", step_commands()},       CommandGroup{"race", race_commands()},
        CommandGroup{"lattice", lattice_commands()}, CommandGroup{"kernel", kernel_commands()},
        CommandGroup{"own", own_commands()},         CommandGroup{"measure", measure_commands()},
        CommandGroup{"file", file_commands()},       CommandGroup{"app", app_commands()},
        CommandGroup{"help", help_commands()},
    };
    return kGroups;
}

std::span<const Command> commands() {
    static const std::vector<Command> kAll = [] {
        std::vector<Command> all;
        for (const CommandGroup& group : command_groups())
            all.insert(all.end(), group.commands.begin(), group.commands.end());
        return all;
    }();
    return kAll;
}

const Command& command(std::string_view id) {
    for (const Command& candidate : commands())
        if (id == candidate.id) return candidate;
    throw Problem(fmt::format("There is no command '{}'", id), "", "");
}

bool run(Session& session, const Command& command) {
    if (!command.enabled(session)) return false;
    command.act(session);
    note_done(session, command.id);
    return true;
}

}  // namespace lab::session
