// What a window can say in its user's language although it was found where only English is known:
// the key of its words, and what they name.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace lab {

class Translations;
struct Problem;

struct Phrase {
    std::string key;                               // of Translations; empty: there are no words
    std::map<std::string, std::string> arguments;  // by the name they have in the words
    std::string text;                              // said where there are no words for the key

    bool operator==(const Phrase&) const = default;
};

// Of a Problem, part by part; a part without any is said in English.
struct Said {
    Phrase what;
    std::vector<Phrase> why;  // a line each
    Phrase hint;

    bool operator==(const Said&) const = default;
};

// `english`, where the phrase is empty.
std::string words_of(const Phrase& phrase, const Translations& tr, const std::string& english = {});
// The problem as the user reads it; as it is, where nobody has words for it.
Problem in_words(const Problem& problem, const Translations& tr);

}  // namespace lab
