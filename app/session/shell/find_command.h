// Finding a command by some letters of its name, as the palette does while one types.
#pragma once

#include <string_view>
#include <vector>

#include <optional>

#include "base/translations.h"
#include "session/shell/commands.h"

namespace lab::session {

// How well `letters` are found in `text` in their order: nothing if they are not, else more the
// better; letters in a row, at the start of words and early count more. Case is not distinguished.
std::optional<int> letters_in(std::string_view letters, std::string_view text);

// Those that every word of `query` is found in, by title, tip or id, the best first; all in
// the order of the menus where there is no query.
std::vector<const Command*> find_commands(std::span<const Command> commands, std::string_view query,
                                          const Translations& words);

}  // namespace lab::session
