#include "figures/run_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/ranges.h"
#include "figures/figure_page.h"

namespace lab::figures {
namespace {

using fmt::arg;

// The word that most lanes share, and the bank of which they want most words.
struct BankSummary {
    const Word* shared = nullptr;
    std::uint64_t worst_bank = 0, worst = 0;
};
BankSummary summary_of(const analysis::RequestDetail& request, const Words& words) {
    BankSummary summary;
    for (const auto& [number, word] : words) {
        if (word.lanes.size() > 1 &&
            (summary.shared == nullptr || word.lanes.size() > summary.shared->lanes.size()))
            summary.shared = &word;
        if (word.of > summary.worst) {
            summary.worst = word.of;
            summary.worst_bank = number % request.banks;
        }
    }
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
            if (contains(word.lanes, bytes.lane)) continue;
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

namespace {

constexpr std::size_t kMostInShort = 4;

// "32768, 16384, …, 1"
std::string in_short(const std::vector<std::uint64_t>& numbers, const Translations& tr) {
    if (numbers.size() <= kMostInShort)
        return fmt::format("{}", fmt::join(numbers, tr("figure.comma")));
    return fmt::format("{0}{3}{1}{3}…{3}{2}", numbers[0], numbers[1], numbers.back(),
                       tr("figure.comma"));
}

// How far apart the two cells stand that went into a cell; 0: it is not made of two, and the like.
std::uint64_t distance_in(const analysis::LatticeRow& row) {
    for (const analysis::LatticeChange& change : row.changes) {
        const auto from = sources_of(row, change);
        if (change.item != analysis::kNobody && from.size() == 2) return from[1] - from[0];
    }
    return 0;
}

// The longest stretch of rows in which a number, which must be more than 0, halves each time.
struct Stretch {
    std::size_t first = 0;  // row
    std::vector<std::uint64_t> numbers;
    std::size_t last() const { return first + numbers.size() - 1; }
};
constexpr std::size_t kLeastStretch = 3;

template <typename Number>
Stretch longest_halving(const analysis::Lattice& lattice, Number&& number) {
    Stretch best;
    Stretch now;
    for (std::size_t row = 1; row < lattice.rows.size(); ++row) {
        const std::uint64_t next = number(lattice.rows[row]);
        const bool goes_on = !now.numbers.empty() && next > 0 && now.numbers.back() == next * 2;
        if (!goes_on) now = {row, {}};
        now.numbers.push_back(next);
        if (now.numbers.size() > best.numbers.size()) best = now;
    }
    return best;
}

std::string work_words(const analysis::Lattice& lattice, const Translations& tr) {
    const Stretch halves = longest_halving(
        lattice, [](const analysis::LatticeRow& row) { return std::uint64_t{row.active}; });
    if (halves.numbers.size() < kLeastStretch) return {};
    const std::string list = in_short(halves.numbers, tr);
    if (halves.first == 1 && halves.last() + 1 == lattice.rows.size())
        return tr("lattice.sentence_halves", arg("list", list));
    return tr("lattice.sentence_halves_between", arg("list", list),
              arg("first", pass_title(lattice.head, halves.first, tr)),
              arg("last", pass_title(lattice.head, halves.last(), tr)));
}

// How far apart partners stand, where that doubles or halves each time.
std::string distance_words(const analysis::Lattice& lattice, const Translations& tr) {
    std::vector<std::uint64_t> all;
    for (std::size_t row = 1; row < lattice.rows.size(); ++row)
        if (const std::uint64_t distance = distance_in(lattice.rows[row]); distance > 0)
            all.push_back(distance);
    if (all.size() < kLeastStretch) return {};
    const auto each = [&](auto&& holds) {
        for (std::size_t i = 1; i < all.size(); ++i)
            if (!holds(all[i - 1], all[i])) return false;
        return true;
    };
    if (each([](auto before, auto now) { return now == 2 * before; }))
        return tr("lattice.sentence_wider", arg("list", in_short(all, tr)));
    if (each([](auto before, auto now) { return before == 2 * now; }))
        return tr("lattice.sentence_closer", arg("list", in_short(all, tr)));
    return {};
}

// What the picture does not show of the run.
std::vector<std::string> left_out_text(const analysis::Lattice& lattice, const Translations& tr) {
    std::vector<std::string> names;
    if (!lattice.unshown.empty())
        names.push_back(
            tr("lattice.sentence_unshown",
               arg("arrays", fmt::format("{}", fmt::join(lattice.unshown, tr("figure.comma")))),
               arg("most", analysis::kMostLatticeCells)));
    const std::uint64_t skipped = sum_of(lattice.head.rows, &analysis::Row::skipped);
    if (skipped > 0) names.push_back(tr("lattice.sentence_skipped", arg("count", skipped)));
    if (!lattice.head.stale_known) names.push_back(tr("lattice.sentence_not_compared"));
    return names;
}

}  // namespace

std::vector<RowLabel> lattice_labels(const analysis::Lattice& lattice, const Translations& tr) {
    std::vector<RowLabel> labels = row_labels(lattice.head, tr);
    for (std::size_t row = 1; row < labels.size(); ++row) {
        const analysis::Row& pass = lattice.head.rows[row];
        if (!pass.items_known || pass.global == 0) continue;
        labels[row].items = tr.counted(
            lattice.rows[row].active == 1 ? "figure.item_works" : "figure.items_work", pass.global,
            arg("active", lattice.rows[row].active), arg("total", pass.global));
    }
    return labels;
}

static std::string row_title(const analysis::Lattice& lattice, std::size_t row,
                             const Translations& tr) {
    const std::string& array = lattice.head.rows[row].array;
    return pass_title(lattice.head, row, tr) + (array.empty() ? "" : " · " + array);
}

std::vector<std::string> lattice_cell_text(const analysis::Lattice& lattice, std::size_t row,
                                           std::uint64_t cell, const Translations& tr) {
    const analysis::LatticeRow& in = lattice.rows[row];
    const std::uint8_t bits = in.cells[cell];
    const std::string value = text_of(value_of(lattice, row, cell));
    const analysis::Row& pass = lattice.head.rows[row];
    std::vector<std::string> words{row_title(lattice, row, tr)};
    if (pass.local_memory && pass.group_cells > 0)
        words.front() +=
            " · " +
            tr("figure.group", arg("n", lattice.head.space.group_name(cell / pass.group_cells)));
    const analysis::LatticeChange* change =
        analysis::state_of(bits) == analysis::CellState::written ? change_of(in, cell) : nullptr;
    if (const analysis::Cell all = cell_of(lattice, row, cell); all.late_item >= 0) {
        words.push_back(tr("figure.tip_late", arg("cell", cell), arg("value", value),
                           arg("item", lattice.head.item_name(all.late_item)),
                           arg("pass", all.late_pass)));
    } else if (change == nullptr) {
        words.push_back(
            tr(kCellTips.at(static_cast<std::size_t>(analysis::state_of(bits)) % kCellTips.size()),
               arg("cell", cell), arg("value", value)));
    } else {
        const auto from = sources_of(in, *change);
        words.push_back(tr(from.empty() ? "lattice.tip_written" : "figure.tip_written_by",
                           arg("cell", cell), arg("value", value), arg("from", listed(from, tr)),
                           arg("item", lattice.head.item_name(change->item))));
        if ((bits & analysis::kSeveralBit) != 0) words.push_back(tr("lattice.tip_several"));
        if ((bits & analysis::kStaleBit) != 0)
            if (const analysis::StaleValue* read = stale_at(lattice, row, change->item))
                words.push_back(stale_text(lattice.head, *read, tr));
        if ((bits & analysis::kStaleBit) == 0)
            for (const analysis::OtherRead& read :
                 other_reads_of(lattice.head.rows[row], change->item))
                if (contains(from, read.cell))
                    words.push_back(other_text(lattice.head, row, read,
                                               value_of(lattice, row - 1, read.cell), tr));
    }
    if ((bits & analysis::kRacedBit) != 0)
        if (const analysis::RacedCell* raced = race_at(lattice, row, cell))
            words.push_back(race_text(lattice.head, *raced, tr));
    return words;
}

std::vector<std::string> lattice_range_text(const analysis::Lattice& lattice, std::size_t row,
                                            std::uint64_t first, std::uint64_t last,
                                            const Translations& tr) {
    const analysis::LatticeRow& in = lattice.rows[row];
    std::uint64_t written = 0, read = 0, stale = 0, raced = 0;
    for (std::uint64_t cell = first; cell <= last && cell < in.cells.size(); ++cell) {
        const std::uint8_t bits = in.cells[cell];
        written += analysis::state_of(bits) == analysis::CellState::written ? 1 : 0;
        read += analysis::state_of(bits) == analysis::CellState::read ? 1 : 0;
        stale += (bits & analysis::kStaleBit) != 0 ? 1 : 0;
        raced += (bits & analysis::kRacedBit) != 0 ? 1 : 0;
    }
    std::vector<std::string> words{row_title(lattice, row, tr)};
    words.push_back(tr("figure.tip_cells", arg("first", first), arg("last", last),
                       arg("written", written), arg("read", read)));
    if (raced > 0) words.push_back(tr("lattice.tip_raced", arg("count", raced)));
    if (stale > 0) words.push_back(tr("lattice.tip_stale", arg("count", stale)));
    return words;
}

std::string lattice_sentence(const analysis::Lattice& lattice, const Translations& tr) {
    if (lattice.rows.empty()) return {};
    std::vector<std::string> names;
    for (std::string text : {work_words(lattice, tr), distance_words(lattice, tr)})
        if (!text.empty()) names.push_back(std::move(text));
    const bool wrong = !lattice.head.fault.empty() || !lattice.head.right;
    std::size_t raced = 0;
    for (const analysis::LatticeRow& row : lattice.rows)
        raced += count_if(row.cells,
                          [](std::uint8_t cell) { return (cell & analysis::kRacedBit) != 0; });
    if (raced > 0)
        names.push_back(tr(raced == 1 ? "lattice.sentence_race" : "lattice.sentence_races",
                           arg("count", raced)));
    if (lattice.stale_reads > 0)
        names.push_back(
            tr(lattice.stale_reads == 1 ? "lattice.sentence_stale_one" : "lattice.sentence_stale",
               arg("count", lattice.stale_reads)));
    else if (!wrong && lattice.head.stale_known &&
             any_of(lattice.raced, [](const analysis::LatticeRace& each) {
                 return each.raced.ordered == analysis::RacedCell::Ordered::by_nothing;
             }))
        names.push_back(tr("lattice.sentence_luck"));
    for (std::string& each : left_out_text(lattice, tr))
        names.push_back(std::move(each));
    if (!lattice.head.fault.empty())
        names.push_back(tr("figure.stopped", arg("why", fault_text(lattice.head, tr))) +
                        tr("figure.stop") + fault_reasons(lattice.head.fault_phrases, tr));
    else if (!lattice.head.expected.empty())
        names.push_back(lattice.head.right
                            ? right_sentence(lattice.head, tr)
                            : tr("figure.sentence_wrong", arg("result", lattice.head.result),
                                 arg("expected", lattice.head.expected)));
    return fmt::format("{}", fmt::join(names, tr("figure.space")));
}

constexpr std::size_t kMostWays = 3;
// In the order of Loss::Kind.
constexpr std::array<const char*, 5> kLosses{"lineage.lost_never_read", "lineage.lost_read_early",
                                             "lineage.lost_overwritten", "lineage.lost_last_stored",
                                             "lineage.lost_last_read"};

static std::string way_of(const analysis::LostInput& lost, const std::string& inputs,
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
        auto names = mapped<std::string>(tree.lost, &analysis::LostInput::name);
        said.push_back(tr("lineage.sentence_lost", arg("list", listed(names, tr))));
    }
    if (tree.repeated > 0)
        said.push_back(
            tr(tree.chooses ? "lineage.sentence_repeated_harmless" : "lineage.sentence_repeated",
               arg("count", tree.repeated)));
    if (tree.unwritten > 0)
        said.push_back(tr("lineage.sentence_unwritten", arg("count", tree.unwritten)));
    return fmt::format("{}", fmt::join(said, tr("figure.space")));
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
        Way* same =
            find_if(ways, [&](const Way& way) { return way_of(*way.first, "", tr) == words; });
        (same != nullptr ? *same : ways.emplace_back(Way{&lost, {}})).inputs.push_back(lost.name);
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(ways.size(), kMostWays); ++i)
        names.push_back(way_of(*ways[i].first, listed(ways[i].inputs, tr), tr));
    if (ways.size() > kMostWays)
        names.push_back(tr("lineage.more_ways", arg("count", ways.size() - kMostWays)));
    return names;
}

// "recorded on NAME, run 9,912" in its language.
static std::string recorded_text(const std::string& of, const Translations& tr) {
    const std::string order = analysis::recorded_in(of);
    constexpr std::string_view on = analysis::kRecordedOn, run = ", run ";
    const std::size_t at = order.rfind(run);
    if (at == std::string::npos) return order;
    return tr("run.recorded", arg("device", order.substr(on.size(), at - on.size())),
              arg("run", order.substr(at + run.size())));
}

std::string sizes_text(const Coordinates& sizes, const NDRange& range, std::uint64_t items) {
    return range.dims > 1 ? size_text(sizes, range.dims) : std::to_string(items);
}

std::string order_text(const std::string& order, const Translations& tr) {
    constexpr std::string_view random = "random:";
    if (order == analysis::kAsOnDevice) return tr("run.as_on_device");
    if (order == analysis::kGoesWrong) return tr("run.goes_wrong");
    if (!analysis::recorded_in(order).empty()) return recorded_text(order, tr);
    if (order == "in-order") return tr("run.in_order");
    if (order == "reversed") return tr("run.reversed");
    if (order == "round-robin") return tr("run.round_robin");
    if (order.starts_with(random))
        return tr("run.random", arg("seed", order.substr(random.size())));
    // A picture for others does not tell in which folder it was made.
    if (order.starts_with(machine::kTurnsPrefix)) return tr("run.chosen");
    return tr("run.turns", arg("name", std::filesystem::path(order).filename().string()));
}

std::string title_of(const RunSubject& subject, const Translations& tr) {
    return tr.get(fmt::format("variant.{}.title", subject.variant), subject.title);
}

std::string shape_text(const machine::MachineShape& machine, const Translations& tr,
                       const std::vector<std::string>& varied) {
    const auto is_one = [&](std::string_view id) {
        return std::find(varied.begin(), varied.end(), id) == varied.end();
    };
    std::vector<std::string> parts;
    if (is_one("lanes"))
        parts.push_back(machine.lanes == 1 ? tr("run.one_lane")
                                           : tr("run.lanes", arg("lanes", machine.lanes)));
    if (is_one("resident"))
        parts.push_back(machine.resident == 0
                            ? tr("run.all_groups")
                            : tr("run.resident", arg("groups", machine.resident)));
    for (const catalogue::MachineOption& option : catalogue::machine_options())
        if (option.offered.empty() && !option.is_usual(machine) && is_one(option.id))
            parts.push_back(tr(fmt::format("run.{}", option.id),
                               arg("count", option.text_of(machine.*option.field))));
    return fmt::format("{}", fmt::join(parts, " · "));
}

std::string machine_text(const analysis::MachineUsed& machine, const Translations& tr) {
    return fmt::format("{} · {}", shape_text(machine, tr), order_text(machine.order, tr));
}

std::string subtitle_of(const RunSubject& subject, const Translations& tr) {
    std::vector<std::string> parts;
    const bool recorded = !analysis::recorded_in(subject.machine.order).empty();
    if (recorded) parts.push_back(order_text(subject.machine.order, tr));  // what matters most
    if (subject.n > 0)
        parts.push_back(fmt::format("n = {}", subject.n));
    else if (subject.items > 0)
        parts.push_back(tr("run.items", arg("items", sizes_text(subject.range.global, subject.range,
                                                                subject.items))));
    if (subject.group > 0)
        parts.push_back(
            tr("figure.groups_of",
               arg("group", sizes_text(subject.range.local, subject.range, subject.group))));
    for (const std::string& part : {subject.op, subject.type, subject.settings})
        if (!part.empty()) parts.push_back(part);
    const std::string shape = shape_text(subject.machine, tr, subject.varied);
    if (!shape.empty()) parts.push_back(shape);
    // The usual order is another one with other lanes.
    if (!recorded && subject.varied.empty()) parts.push_back(order_text(subject.machine.order, tr));
    return fmt::format("{}", fmt::join(parts, " · "));
}

}  // namespace lab::figures
