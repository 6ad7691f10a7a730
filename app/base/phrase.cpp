#include "base/phrase.h"

#include "base/problem.h"
#include "base/translations.h"

namespace lab {

std::string words_of(const Phrase& phrase, const Translations& tr, const std::string& english) {
    const std::string& otherwise = phrase.text.empty() ? english : phrase.text;
    return phrase.key.empty() ? otherwise : tr.filled(phrase.key, phrase.arguments, otherwise);
}

Problem in_words(const Problem& problem, const Translations& tr) {
    const Said& said = problem.said;
    std::string why;
    for (const Phrase& line : said.why)
        why += (why.empty() ? "" : "\n") + words_of(line, tr);
    Problem made(words_of(said.what, tr, problem.what_happened),
                 said.why.empty() ? problem.why : why, words_of(said.hint, tr, problem.hint),
                 problem.where, problem.exit);
    made.said = said;
    return made;
}

}  // namespace lab
