// Files: moments, exports, results of others.
#include <array>

#include "base/platform.h"
#include "session/files/export_file.h"
#include "session/files/link.h"
#include "session/files/state_file.h"
#include "session/shell/command_groups.h"

namespace lab::session {
namespace {

bool can_export(const Session& session) {
    return !export_suffixes(session).empty();
}

const char* why_no_export(const Session& session) {
    return session.shown().export_offer().why_none;
}

// A page sees the user's files only through the browser's own dialog.
void open(Session& session) {
    if (platform::kBrowser)
        platform::pick_file(".cl,.redlab,.json,.md");
    else
        session.show("open");
}

constexpr std::array kFileCommands{
    Command{"open", "Ctrl+O", always, open},
    Command{"save", "Ctrl+S", always, save_state},
    Command{"link", "Alt+L", always, copy_link},
    Command{"export", "Ctrl+E", can_export, export_again, false, why_no_export},
    Command{"export.as", "Ctrl+Shift+E", can_export, [](Session& s) { s.show("export"); }, false,
            why_no_export},
};

}  // namespace

std::span<const Command> file_commands() {
    return kFileCommands;
}

}  // namespace lab::session
