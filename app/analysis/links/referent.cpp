#include "analysis/links/referent.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace lab::analysis {
namespace {

using Kind = Referent::Kind;

struct KindName {
    const char* word;
    bool array, pair;  // what follows the word, beside a number
};
// In the order of Kind.
constexpr std::array<KindName, 11> kKindNames{{{"", false, false},
                                               {"cell", false, true},
                                               {"worker", false, true},
                                               {"item", false, false},
                                               {"memory", true, false},
                                               {"line", false, false},
                                               {"action", false, false},
                                               {"group", false, false},
                                               {"next", false, true},
                                               {"race", false, false},
                                               {"print", false, false}}};

std::string_view take_word(std::string_view& rest) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
}

bool take_number(std::string_view& rest, std::uint64_t& number) {
    const std::string_view word = take_word(rest);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size();
}

}  // namespace

std::string name_of(const Referent& referent) {
    const KindName& kind = kKindNames.at(static_cast<std::size_t>(referent.kind));
    if (referent.kind == Kind::none) return {};
    if (kind.array) return fmt::format("{} {} {}", kind.word, referent.array, referent.first);
    if (kind.pair) return fmt::format("{} {} {}", kind.word, referent.first, referent.second);
    return fmt::format("{} {}", kind.word, referent.first);
}

Referent referent_of(std::string_view name) {
    const std::string_view word = take_word(name);
    for (std::size_t i = 1; i < kKindNames.size(); ++i) {
        const KindName& kind = kKindNames.at(i);
        if (word != kind.word) continue;
        Referent referent{static_cast<Kind>(i)};
        if (kind.array) referent.array = take_word(name);
        if (!take_number(name, referent.first)) return {};
        if (kind.pair && !take_number(name, referent.second)) return {};
        return name.empty() ? referent : Referent{};
    }
    return {};
}

Referent memory_of(const std::string& array, bool local, std::uint64_t group, std::uint64_t index) {
    return {Kind::memory, index, 0, local ? fmt::format("{}/{}", array, group) : array};
}

}  // namespace lab::analysis
