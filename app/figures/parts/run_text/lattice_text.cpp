#include "figures/parts/run_text/lattice_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lab::figures {
namespace {

using fmt::arg;

constexpr std::size_t kMostLatticeSources = 4;

std::string listed_numbers(std::span<const std::uint32_t> numbers, const Translations& tr) {
    std::string list;
    const std::size_t shown = std::min(numbers.size(), kMostLatticeSources);
    for (std::size_t i = 0; i < shown; ++i) {
        const bool last = i + 1 == numbers.size();
        if (i > 0) list += tr(last ? "figure.and" : "figure.comma");
        list += std::to_string(numbers[i]);
    }
    if (shown == numbers.size()) return list;
    return tr("figure.more", arg("list", list), arg("count", numbers.size() - shown));
}

// "32768, 16384, …, 1"
std::string in_short(const std::vector<std::uint64_t>& numbers, const Translations& tr) {
    if (numbers.size() <= kMostLatticeSources) {
        std::string all;
        for (const std::uint64_t number : numbers)
            all += (all.empty() ? "" : tr("figure.comma")) + std::to_string(number);
        return all;
    }
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
    std::string arrays;
    for (const std::string& each : lattice.unshown)
        arrays += (arrays.empty() ? "" : tr("figure.comma")) + each;
    if (!arrays.empty())
        names.push_back(tr("lattice.sentence_unshown", arg("arrays", arrays),
                           arg("most", analysis::kMostLatticeCells)));
    std::uint64_t skipped = 0;
    for (const analysis::Row& pass : lattice.head.rows)
        skipped += pass.skipped;
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
        labels[row].items =
            tr(lattice.rows[row].active == 1 ? "figure.item_works" : "figure.items_work",
               arg("active", lattice.rows[row].active), arg("total", pass.global));
    }
    return labels;
}

std::vector<std::string> lattice_cell_text(const analysis::Lattice& lattice, std::size_t row,
                                           std::uint64_t cell, const Translations& tr) {
    // In the order of CellState.
    constexpr std::array<const char*, 4> keys{"figure.tip_input", "figure.tip_same",
                                              "figure.tip_read", "figure.tip_spent"};
    const analysis::LatticeRow& in = lattice.rows[row];
    const std::uint8_t bits = in.cells[cell];
    const std::string value = text_of(value_of(lattice, row, cell));
    const analysis::Row& pass = lattice.head.rows[row];
    std::vector<std::string> words{pass_title(lattice.head, row, tr) +
                                   (pass.array.empty() ? "" : " · " + pass.array)};
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
            tr(keys.at(static_cast<std::size_t>(analysis::state_of(bits)) % keys.size()),
               arg("cell", cell), arg("value", value)));
    } else {
        const auto from = sources_of(in, *change);
        words.push_back(tr(from.empty() ? "lattice.tip_written" : "figure.tip_written_by",
                           arg("cell", cell), arg("value", value),
                           arg("from", listed_numbers(from, tr)),
                           arg("item", lattice.head.item_name(change->item))));
        if ((bits & analysis::kSeveralBit) != 0) words.push_back(tr("lattice.tip_several"));
        if ((bits & analysis::kStaleBit) != 0)
            if (const analysis::StaleValue* read = stale_at(lattice, row, change->item))
                words.push_back(stale_text(lattice.head, *read, tr));
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
    const analysis::Row& pass = lattice.head.rows[row];
    std::vector<std::string> words{pass_title(lattice.head, row, tr) +
                                   (pass.array.empty() ? "" : " · " + pass.array)};
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
        raced += static_cast<std::size_t>(
            std::count_if(row.cells.begin(), row.cells.end(),
                          [](std::uint8_t cell) { return (cell & analysis::kRacedBit) != 0; }));
    if (raced > 0)
        names.push_back(tr(raced == 1 ? "lattice.sentence_race" : "lattice.sentence_races",
                           arg("count", raced)));
    if (lattice.stale_reads > 0)
        names.push_back(
            tr(lattice.stale_reads == 1 ? "lattice.sentence_stale_one" : "lattice.sentence_stale",
               arg("count", lattice.stale_reads)));
    else if (raced > 0 && !wrong && lattice.head.stale_known)
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
    std::string text;
    for (const std::string& each : names)
        text += (text.empty() ? "" : tr("figure.space")) + each;
    return text;
}

}  // namespace lab::figures
