// A problem that the user can act on: every error in the program has this form.
#pragma once

#include <exception>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>
namespace lab {

// Messages that the window can translate although they arise where only English is known: a
// translation key and its arguments.

class Translations;
struct Problem;

struct Phrase {
    std::string key;                               // in Translations; empty: by its English text
    std::map<std::string, std::string> arguments;  // by their names in the translation
    std::string text;                              // shown if no language has the key

    bool operator==(const Phrase&) const = default;
};

// The parts of a Problem that have keys; an empty part is translated by its English text.
struct ProblemPhrases {
    Phrase what;
    std::vector<Phrase> why;  // one line each
    Phrase hint;

    bool operator==(const ProblemPhrases&) const = default;
};

// The phrase in the user's language; `english` if the phrase is empty.
std::string translated(const Phrase& phrase, const Translations& tr,
                       const std::string& english = {});
// The problem in the user's language; parts without a translation are unchanged.
Problem translated(const Problem& problem, const Translations& tr);

// Exit codes; the command line guarantees these numbers.
enum class Exit {
    done = 0,
    found = 1,
    usage = 2,
    no_device = 3,
    kernel_fault = 4,
    interrupted = 130  // by Ctrl+C, as shells count it
};

// Thrown when something cannot be done, caught once at the edge of each program, request or
// command. `what` happened, `why`, what to do (`hint`), and `where` (a file:line:column, a device,
// an option; may be empty). All four are whole phrases without a full stop at the end.
struct Problem : std::exception {
    std::string what_happened;
    std::string why;
    std::string hint;
    std::string where;
    Exit exit = Exit::usage;
    ProblemPhrases phrases;  // for translation, where it has keys; not sent to other processes

    Problem() = default;
    Problem(std::string what, std::string why, std::string hint, std::string where = {},
            Exit exit = Exit::usage);

    // Returns the same problem at that place of the input.
    Problem at(std::string place) const { return {what_happened, why, hint, std::move(place)}; }

    // The whole problem as lines of text; also what what() gives.
    const std::string& text() const { return text_; }
    const char* what() const noexcept override { return text_.c_str(); }

  private:
    std::string text_;
};

// Returns the problem that `act` throws; nothing if it goes well.
template <typename Do>
std::optional<Problem> thrown_by(Do&& act) {
    try {
        act();
    } catch (const Problem& problem) {
        return problem;
    }
    return std::nullopt;
}

void to_json(nlohmann::json& json, const Problem& problem);
void from_json(const nlohmann::json& json, Problem& problem);

// The name in `known` that needs the fewest edits to become `word` (letters inserted, removed,
// changed, or swapped with their neighbour: the optimal string alignment distance); empty if none
// is within two edits and a third of the letters of `word`.
std::string nearest(std::string_view word, std::span<const std::string> known);

// A hint for a user who wrote `word` where one of `known` belongs: "Did you mean min? Choose one
// of: add, min, max".
std::string choices_hint(std::string_view word, std::span<const std::string> known);

}  // namespace lab
