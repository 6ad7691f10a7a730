#include "base/phrase.h"

#include "base/problem.h"
#include "base/translations.h"

namespace lab {

std::string translated(const Phrase& phrase, const Translations& tr, const std::string& english) {
    const std::string& otherwise = phrase.text.empty() ? english : phrase.text;
    return phrase.key.empty() ? tr.message(otherwise)
                              : tr.filled(phrase.key, phrase.arguments, otherwise);
}

Problem translated(const Problem& problem, const Translations& tr) {
    const ProblemPhrases& phrases = problem.phrases;
    std::string why;
    for (const Phrase& line : phrases.why)
        why += (why.empty() ? "" : "\n") + translated(line, tr);
    Problem result(translated(phrases.what, tr, problem.what_happened),
                   phrases.why.empty() ? tr.message(problem.why) : why,
                   translated(phrases.hint, tr, problem.hint), problem.where, problem.exit);
    result.phrases = phrases;
    return result;
}

}  // namespace lab
