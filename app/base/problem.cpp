#include "base/problem.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/translations.h"

namespace lab {

Problem::Problem(std::string what, std::string why_it, std::string hint_to, std::string where_at,
                 Exit exit_as)
    : what_happened(std::move(what)),
      why(std::move(why_it)),
      hint(std::move(hint_to)),
      where(std::move(where_at)),
      exit(exit_as) {
    text_ = where.empty() ? what_happened : fmt::format("{}: {}", where, what_happened);
    if (!why.empty()) text_ += fmt::format("\n  why:  {}", why);
    if (!hint.empty()) text_ += fmt::format("\n  hint: {}", hint);
}

void to_json(nlohmann::json& json, const Problem& problem) {
    json = {{"what", problem.what_happened},
            {"why", problem.why},
            {"hint", problem.hint},
            {"where", problem.where},
            {"exit", static_cast<int>(problem.exit)}};
}

void from_json(const nlohmann::json& json, Problem& problem) {
    problem = Problem(json.at("what"), json.value("why", ""), json.value("hint", ""),
                      json.value("where", ""), static_cast<Exit>(json.value("exit", 2)));
}

constexpr std::size_t kLongest = 40;  // letters of a word; for a longer one no other is suggested

static std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> of(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t k = 0; k <= b.size(); ++k) {
            if (i == 0 || k == 0) {
                of[i][k] = i + k;
                continue;
            }
            const std::size_t change = a[i - 1] == b[k - 1] ? 0 : 1;
            of[i][k] = std::min({of[i - 1][k] + 1, of[i][k - 1] + 1, of[i - 1][k - 1] + change});
            const bool swapped = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
            if (swapped) of[i][k] = std::min(of[i][k], of[i - 2][k - 2] + 1);
        }
    return of[a.size()][b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> known) {
    if (word.size() < 3 || word.size() > kLongest) return {};
    std::size_t least = std::min<std::size_t>(2, word.size() / 3) + 1;
    std::string found;
    for (const std::string& each : known) {
        const std::size_t longer = std::max(each.size(), word.size());
        if (longer - std::min(each.size(), word.size()) >= least) continue;
        const std::size_t letters = distance(word, each);
        if (letters > 0 && letters < least) {
            least = letters;
            found = each;
        }
    }
    return found;
}

std::string choices_hint(std::string_view word, std::span<const std::string> known) {
    const std::string meant = nearest(word, known);
    return fmt::format("{}Choose one of: {}",
                       meant.empty() ? "" : fmt::format("Did you mean {}? ", meant),
                       fmt::join(known, ", "));
}

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
