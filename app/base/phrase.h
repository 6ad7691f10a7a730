// Messages that the window can translate although they arise where only English is known: a
// translation key and its arguments.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace lab {

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

}  // namespace lab
