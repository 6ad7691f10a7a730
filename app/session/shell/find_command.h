// Finding a command, a kernel or a word by some letters of its name, as the palette does while one
// types.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/translations.h"
#include "session/shell/session.h"

namespace lab::session {

// How well `letters` are found in `text` in their order: nothing if they are not, else more the
// better; letters in a row, at the start of words and early count more. Case is not distinguished.
std::optional<int> letters_in(std::string_view letters, std::string_view text);

struct Found {
    const Command* command = nullptr;             // either this
    const catalogue::Variant* variant = nullptr;  // or a kernel to choose
    std::optional<std::size_t> word = {};         // or one of the glossary
    const Choice* opened = nullptr;               // or an open kernel of the user's own
    bool enabled = true;                          // whether it can be done now
};

std::string opened_name(const Choice& opened);  // of its file

// Commands, kernels and words of the glossary that every word of `query` is found in, by title, tip
// or id: the best first, at equal worth what can be done now. Without a query all commands, those
// that can be done now first, else in the order of the menus.
std::vector<Found> find(const Session& session, std::string_view query, const Translations& words);

// Places of the glossary's words that fit, the best first: by title, names, forms or sentence.
// Without a query all of them.
std::vector<std::size_t> find_words(const lessons::Glossary& glossary, std::string_view query);

}  // namespace lab::session
