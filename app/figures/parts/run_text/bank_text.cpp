#include "figures/parts/run_text/bank_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "figures/parts/figure_page.h"

namespace lab::figures {
namespace {

using fmt::arg;

// The word that most lanes share, and of how many banks they want several words.
struct BankSummary {
    const Word* shared = nullptr;
    std::uint64_t worst_bank = 0, worst = 0, banks_in_conflict = 0;
};
BankSummary summary_of(const analysis::RequestDetail& request, const Words& words) {
    BankSummary summary;
    std::vector<bool> conflict(request.banks);
    for (const auto& [number, word] : words) {
        if (word.lanes.size() > 1 &&
            (summary.shared == nullptr || word.lanes.size() > summary.shared->lanes.size()))
            summary.shared = &word;
        const std::uint64_t bank = number % request.banks;
        conflict[bank] = conflict[bank] || word.of > 1;
        if (word.of > summary.worst) {
            summary.worst = word.of;
            summary.worst_bank = bank;
        }
    }
    summary.banks_in_conflict =
        static_cast<std::uint64_t>(std::count(conflict.begin(), conflict.end(), true));
    return summary;
}

std::string said_of_banks(const analysis::RequestDetail& request, const Words& words,
                          const Translations& tr) {
    const BankSummary summary = summary_of(request, words);
    std::string text;
    if (summary.worst > 1)
        text = tr("banks.sentence_conflict", arg("bank", summary.worst_bank),
                  arg("words", summary.worst), arg("turns", request.cost.degree),
                  arg("least", request.cost.least_degree));
    else
        text = tr("banks.sentence_free", arg("words", words.size()));
    if (summary.shared != nullptr)
        text += tr("figure.space") +
                tr("banks.sentence_broadcast", arg("lanes", summary.shared->lanes.size()));
    return text;
}

}  // namespace

std::uint32_t word_bytes(const analysis::RequestDetail& request) {
    return request.cost.local ? request.bank_bytes : kGlobalWord;
}

Words words_of(const analysis::RequestDetail& request) {
    Words words;
    const std::uint64_t size = word_bytes(request);
    for (const analysis::LaneBytes& bytes : request.touched)
        for (std::uint64_t number = bytes.first / size; number * size < bytes.end; ++number) {
            Word& word = words[number];
            if (std::find(word.lanes.begin(), word.lanes.end(), bytes.lane) != word.lanes.end())
                continue;
            word.lanes.push_back(bytes.lane);
            word.items.push_back(bytes.item);
        }
    if (!request.cost.local) return words;
    std::vector<std::uint32_t> turns(request.banks);
    for (auto& [number, word] : words)
        word.turn = ++turns[number % request.banks];
    for (auto& [number, word] : words)
        word.of = turns[number % request.banks];
    return words;
}

std::string lanes_text(const Word& word) {
    const auto& lanes = word.lanes;
    if (lanes.size() == 1) return std::to_string(lanes.front());
    if (lanes.back() - lanes.front() + 1 == lanes.size() && lanes.back() < 100)
        return fmt::format("{}–{}", lanes.front(), lanes.back());
    if (lanes.size() == 2 && lanes.back() < 100) return fmt::format("{}", fmt::join(lanes, ","));
    return fmt::format("{}×", lanes.size());
}

std::string cost_text(const analysis::RequestDetail& request, const Translations& tr) {
    const analysis::Request& cost = request.cost;
    const std::uint64_t took = cost.local ? cost.degree : cost.sectors;
    const std::uint64_t least = cost.local ? cost.least_degree : cost.ideal_sectors;
    if (took <= least)
        return tr(cost.local ? "banks.turns_least" : "banks.sectors_least", arg("took", took));
    return tr(cost.local ? "banks.turns" : "banks.sectors", arg("took", took), arg("least", least));
}

std::string bank_sentence(const analysis::RequestDetail& request, const Words& words,
                          const Translations& tr) {
    std::string text;
    if (request.cost.local) {
        text = said_of_banks(request, words, tr);
    } else {
        const std::uint64_t fetched = request.cost.sectors * request.sector_bytes;
        const double share =
            static_cast<double>(request.cost.useful_bytes) / static_cast<double>(fetched);
        text = tr("banks.sentence_sectors", arg("sectors", request.cost.sectors),
                  arg("fetched", fetched), arg("useful", request.cost.useful_bytes),
                  arg("percent", percent_text(share)));
    }
    return text + tr("figure.space") +
           tr("banks.sentence_line", arg("line", request.line), arg("array", request.array),
              arg("costly", request.costly), arg("requests", request.requests));
}

}  // namespace lab::figures
