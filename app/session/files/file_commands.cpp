// Files: moments, exports, results of others.
#include <array>

#include "session/files/export_file.h"
#include "session/files/state_file.h"
#include "session/shell/command_groups.h"

namespace lab::session {
namespace {

bool can_export(const Session& session) {
    return !export_suffixes(session).empty();
}

constexpr std::array kFileCommands{
    Command{"open", "Ctrl+O", always, [](Session& s) { s.show("open"); }},
    Command{"save", "Ctrl+S", always, save_state},
    Command{"export", "Ctrl+E", can_export, export_again},
    Command{"export.as", "Ctrl+Shift+E", can_export, [](Session& s) { s.show("export"); }},
};

}  // namespace

std::span<const Command> file_commands() {
    return kFileCommands;
}

}  // namespace lab::session
