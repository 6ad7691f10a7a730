#include "figures/parts/run_text/lineage_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lab::figures {
namespace {

using fmt::arg;

constexpr std::size_t kMostNames = 4, kMostWays = 3;
// In the order of Loss::Kind.
constexpr std::array<const char*, 5> kLosses{"lineage.lost_never_read", "lineage.lost_read_early",
                                             "lineage.lost_overwritten", "lineage.lost_last_stored",
                                             "lineage.lost_last_read"};

// "data[6], data[7]", "data[0], data[1], data[2], data[3] and 12 more".
std::string listed(const std::vector<std::string>& names, const Translations& tr) {
    const std::size_t shown = std::min(names.size(), kMostNames);
    std::string list;
    for (std::size_t i = 0; i < shown; ++i) {
        const bool last = i + 1 == names.size();
        if (i > 0) list += tr(last ? "figure.and" : "figure.comma");
        list += names[i];
    }
    if (shown == names.size()) return list;
    return tr("figure.more", arg("list", list), arg("count", names.size() - shown));
}

std::string way_of(const analysis::LostInput& lost, const std::string& inputs,
                   const Translations& tr) {
    const analysis::AccessRef none;
    const analysis::AccessRef& stored = lost.stored ? *lost.stored : none;
    const analysis::AccessRef& read = lost.read ? *lost.read : none;
    const analysis::AccessRef& over = lost.overwritten ? *lost.overwritten : none;
    return tr(kLosses.at(static_cast<std::size_t>(lost.kind)), arg("inputs", inputs),
              arg("cell", lost.cell), arg("reader", read.item), arg("line", read.line),
              arg("writer", stored.item), arg("stored_line", stored.line), arg("other", over.item),
              arg("over_line", over.line));
}

}  // namespace

std::string times_text(std::uint64_t times, const Translations& tr) {
    if (times == analysis::kCountless) return tr("lineage.countless");
    return times == 2 ? tr("lineage.twice") : tr("lineage.times", arg("count", times));
}

std::string lineage_sentence(const analysis::LineageTree& tree, const Translations& tr) {
    std::vector<std::string> said;
    if (tree.judged && tree.lost.empty() && tree.repeated == 0 && tree.unwritten == 0)
        said.push_back(tr("lineage.sentence_whole"));
    if (!tree.judged) {
        std::uint64_t leaves = 0;
        for (const analysis::TreeRoot& root : tree.roots)
            leaves += tree.nodes[root.node].kind == analysis::TreeNode::Kind::none
                          ? 0
                          : std::min<std::uint64_t>(tree.nodes[root.node].leaves,
                                                    analysis::kCountless / 64);
        said.push_back(tr("lineage.sentence_cell", arg("cell", tree.roots.front().cell),
                          arg("count", leaves)));
    }
    if (!tree.lost.empty()) {
        std::vector<std::string> names;
        for (const analysis::LostInput& lost : tree.lost)
            names.push_back(lost.name);
        said.push_back(tr("lineage.sentence_lost", arg("list", listed(names, tr))));
    }
    if (tree.repeated > 0)
        said.push_back(
            tr(tree.chooses ? "lineage.sentence_repeated_harmless" : "lineage.sentence_repeated",
               arg("count", tree.repeated)));
    if (tree.unwritten > 0)
        said.push_back(tr("lineage.sentence_unwritten", arg("count", tree.unwritten)));
    std::string text;
    for (const std::string& each : said)
        text += (text.empty() ? "" : tr("figure.space")) + each;
    return text;
}

std::vector<std::string> loss_sentences(const analysis::LineageTree& tree, const Translations& tr) {
    struct Way {
        const analysis::LostInput* first;
        std::vector<std::string> inputs;
    };
    std::vector<Way> ways;
    for (const analysis::LostInput& lost : tree.lost) {
        if (!lost.explained) continue;
        const std::string words = way_of(lost, "", tr);
        const auto position = std::find_if(ways.begin(), ways.end(), [&](const Way& way) {
            return way_of(*way.first, "", tr) == words;
        });
        if (position == ways.end())
            ways.push_back({&lost, {lost.name}});
        else
            position->inputs.push_back(lost.name);
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(ways.size(), kMostWays); ++i)
        names.push_back(way_of(*ways[i].first, listed(ways[i].inputs, tr), tr));
    if (ways.size() > kMostWays)
        names.push_back(tr("lineage.more_ways", arg("count", ways.size() - kMostWays)));
    return names;
}

}  // namespace lab::figures
