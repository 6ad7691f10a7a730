// The commands that belong to no view, each group in a file of its name, and what commands share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "session/shell/commands.h"
#include "session/shell/session.h"

namespace lab::session {

std::span<const Command> kernel_commands();
std::span<const Command> user_kernel_commands();
std::span<const Command> file_commands();
std::span<const Command> app_commands();
std::span<const Command> help_commands();

// Opens an overlay, or closes it again.
template <const char* Overlay>
void toggle(Session& session) {
    session.show(session.overlay() == Overlay ? "" : Overlay);
}

inline bool always(const Session&) {  // a command that is never grey
    return true;
}

// The entry after (or, with -1, before) `now` in a list of names, round and round.
template <typename Names>
std::string next_of(const Names& names, std::string_view now, int by) {
    const auto count = static_cast<std::ptrdiff_t>(std::size(names));
    const auto found = std::find(std::begin(names), std::end(names), now);
    const std::ptrdiff_t at = found == std::end(names) ? 0 : found - std::begin(names);
    return std::string(*(std::begin(names) + (at + by + count) % count));
}

}  // namespace lab::session
