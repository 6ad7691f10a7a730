// The commands that belong to no view, each group in a file of its name, and what commands share.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/translations.h"
#include "session/session.h"
#include "session/view.h"
namespace lab::session {

std::span<const Command> kernel_commands();
std::span<const Command> user_kernel_commands();
std::span<const Command> file_commands();
std::span<const Command> app_commands();
std::span<const Command> help_commands();

// Opens an overlay, or closes it again.
template <const char* Overlay>
void toggle(Session& session) {
    session.overlay = session.overlay == Overlay ? "" : Overlay;
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

// Finding a command, a kernel or a word by some letters of its name, as the palette does while one
// types.

// How well `letters` are found in `text` in their order: nothing if they are not, else more the
// better; letters in a row, at the start of words and early count more. Case is not distinguished.
std::optional<int> letters_in(std::string_view letters, std::string_view text);

struct Found {
    const Command* command = nullptr;            // either this
    const catalogue::Kernel* variant = nullptr;  // or a kernel to choose
    std::optional<std::size_t> word = {};        // or one of the glossary
    const RunChoice* opened = nullptr;           // or an open kernel of the user's own
    bool enabled = true;                         // whether it can be done now
    std::string title = {}, explained = {};      // in words
};

std::string opened_name(const RunChoice& opened);  // of its file

// Commands, kernels and words of the glossary that every word of `query` is found in, by title, tip
// or id: the best first, at equal worth what can be done now. Without a query all commands, those
// that can be done now first, else in the order of the menus.
std::vector<Found> find(const Session& session, std::string_view query, const Translations& words);

// Places of the glossary's words that fit, the best first: by title, names, forms or sentence.
// Without a query all of them.
std::vector<std::size_t> find_words(const lessons::Glossary& glossary, std::string_view query);

// Chooses the hint that a new user sees now.

// For all views; then those that help in each of them.
std::vector<Hint> hints(const Session& session);
// The first of the view on screen that is not done; null if all are.
const Hint* hint_for(const Session& session);
// A command was done, or what it does by hand.
void note_done(Session& session, std::string_view command);

}  // namespace lab::session
