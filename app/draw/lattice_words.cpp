#include "draw/lattice_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lab::draw {
namespace {

using fmt::arg;

constexpr std::size_t kMostSources = 4;

std::string listed(std::span<const std::uint32_t> numbers, const Translations& tr) {
    std::string list;
    const std::size_t shown = std::min(numbers.size(), kMostSources);
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
    if (numbers.size() <= kMostSources) {
        std::string all;
        for (const std::uint64_t number : numbers)
            all += (all.empty() ? "" : tr("figure.comma")) + std::to_string(number);
        return all;
    }
    return fmt::format("{}{comma}{}{comma}…{comma}{}", numbers[0], numbers[1], numbers.back(),
                       arg("comma", tr("figure.comma")));
}

// How far apart the two cells stand that went into a cell; 0: it is not made of two, and the like.
std::uint64_t distance_in(const LatticeRow& row) {
    for (const LatticeChange& change : row.changes) {
        const auto from = sources_of(row, change);
        if (change.item != kNobody && from.size() == 2) return from[1] - from[0];
    }
    return 0;
}

// Whether each number is `times` the one before; of fewer than three nobody can say.
bool goes_by(const std::vector<std::uint64_t>& numbers, std::uint64_t times, bool up) {
    if (numbers.size() < 3) return false;
    for (std::size_t i = 1; i < numbers.size(); ++i)
        if (up ? numbers[i] != numbers[i - 1] * times : numbers[i] * times != numbers[i - 1])
            return false;
    return true;
}

// The longest end of the rows that goes on halving, from which pass on.
std::vector<std::uint64_t> halving(const Lattice& of) {
    std::vector<std::uint64_t> counts;
    for (std::size_t row = 1; row < of.rows.size(); ++row)
        counts.push_back(of.rows[row].active);
    std::size_t first = counts.empty() ? 0 : counts.size() - 1;
    while (first > 0 && counts[first - 1] == counts[first] * 2)
        --first;
    counts.erase(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(first));
    return counts;
}

std::string distances(const Lattice& of, const Translations& tr) {
    std::vector<std::uint64_t> all;
    for (std::size_t row = 1; row < of.rows.size(); ++row)
        if (const std::uint64_t distance = distance_in(of.rows[row]); distance > 0)
            all.push_back(distance);
    if (goes_by(all, 2, true)) return tr("lattice.said_wider", arg("list", in_short(all, tr)));
    if (goes_by(all, 2, false)) return tr("lattice.said_closer", arg("list", in_short(all, tr)));
    return {};
}

}  // namespace

std::vector<RowLabel> lattice_labels(const Lattice& of, const Translations& tr) {
    std::vector<RowLabel> labels = row_labels(of.head, tr);
    for (std::size_t row = 1; row < labels.size(); ++row) {
        const Pass& pass = of.head.passes[row];
        if (!pass.items_known || pass.global == 0) continue;
        labels[row].items = tr(of.rows[row].active == 1 ? "figure.item_works" : "figure.items_work",
                               arg("active", of.rows[row].active), arg("total", pass.global));
    }
    return labels;
}

std::vector<std::string> lattice_cell_words(const Lattice& of, std::size_t row, std::uint64_t cell,
                                            const Translations& tr) {
    // In the order of CellState.
    constexpr std::array<const char*, 4> keys{"figure.tip_input", "figure.tip_same",
                                              "figure.tip_read", "figure.tip_spent"};
    const LatticeRow& in = of.rows[row];
    const std::uint8_t bits = in.cells[cell];
    const std::string value = value_text(of, row, cell);
    const Pass& pass = of.head.passes[row];
    std::vector<std::string> words{pass_title(of.head, row, tr) +
                                   (pass.array.empty() ? "" : " · " + pass.array)};
    if (pass.local_memory && pass.group_cells > 0)
        words.front() += " · " + tr("figure.group", arg("n", cell / pass.group_cells));
    const LatticeChange* change =
        state_of(bits) == CellState::written ? change_of(in, cell) : nullptr;
    if (change == nullptr) {
        words.push_back(tr(keys.at(static_cast<std::size_t>(state_of(bits)) % keys.size()),
                           arg("cell", cell), arg("value", value)));
    } else {
        const auto from = sources_of(in, *change);
        words.push_back(tr(from.empty() ? "lattice.tip_written" : "figure.tip_written_by",
                           arg("cell", cell), arg("value", value), arg("from", listed(from, tr)),
                           arg("item", change->item)));
        if ((bits & kSeveralBit) != 0) words.push_back(tr("lattice.tip_several"));
        if ((bits & kStaleBit) != 0)
            if (const StaleValue* read = stale_at(of, row, change->item))
                words.push_back(stale_words(*read, tr));
    }
    if ((bits & kRacedBit) != 0)
        if (const RacedCell* raced = race_at(of, row, cell))
            words.push_back(race_words(*raced, tr));
    return words;
}

std::vector<std::string> lattice_range_words(const Lattice& of, std::size_t row,
                                             std::uint64_t first, std::uint64_t last,
                                             const Translations& tr) {
    const LatticeRow& in = of.rows[row];
    std::uint64_t written = 0, read = 0, stale = 0, raced = 0;
    for (std::uint64_t cell = first; cell <= last && cell < in.cells.size(); ++cell) {
        const std::uint8_t bits = in.cells[cell];
        written += state_of(bits) == CellState::written ? 1 : 0;
        read += state_of(bits) == CellState::read ? 1 : 0;
        stale += (bits & kStaleBit) != 0 ? 1 : 0;
        raced += (bits & kRacedBit) != 0 ? 1 : 0;
    }
    const Pass& pass = of.head.passes[row];
    std::vector<std::string> words{pass_title(of.head, row, tr) +
                                   (pass.array.empty() ? "" : " · " + pass.array)};
    words.push_back(tr("figure.tip_cells", arg("first", first), arg("last", last),
                       arg("written", written), arg("read", read)));
    if (raced > 0) words.push_back(tr("lattice.tip_raced", arg("count", raced)));
    if (stale > 0) words.push_back(tr("lattice.tip_stale", arg("count", stale)));
    return words;
}

std::string lattice_sentence(const Lattice& of, const Translations& tr) {
    if (of.rows.empty()) return {};
    std::vector<std::string> said;
    const std::vector<std::uint64_t> counts = halving(of);
    if (counts.size() >= 3 && counts.size() + 1 == of.rows.size())
        said.push_back(tr("lattice.said_halves", arg("list", in_short(counts, tr))));
    else if (counts.size() >= 3)
        said.push_back(tr("lattice.said_halves_later", arg("list", in_short(counts, tr)),
                          arg("pass", pass_title(of.head, of.rows.size() - counts.size(), tr))));
    if (const std::string text = distances(of, tr); !text.empty()) said.push_back(text);
    const bool wrong = !of.head.fault.empty() || !of.head.right;
    std::size_t raced = 0;
    for (const LatticeRow& row : of.rows)
        raced += static_cast<std::size_t>(
            std::count_if(row.cells.begin(), row.cells.end(),
                          [](std::uint8_t cell) { return (cell & kRacedBit) != 0; }));
    if (raced > 0)
        said.push_back(
            tr(raced == 1 ? "lattice.said_race" : "lattice.said_races", arg("count", raced)));
    if (of.stale_reads > 0)
        said.push_back(tr(of.stale_reads == 1 ? "lattice.said_stale_one" : "lattice.said_stale",
                          arg("count", of.stale_reads)));
    else if (raced > 0 && !wrong)
        said.push_back(tr("lattice.said_luck"));
    if (!of.head.fault.empty())
        said.push_back(tr("figure.stopped", arg("why", of.head.fault)) + tr("figure.stop"));
    else
        said.push_back(tr(!of.head.right  ? "figure.said_wrong"
                          : of.head.parts ? "figure.said_right_parts"
                                          : "figure.said_right",
                          arg("result", of.head.result), arg("expected", of.head.expected)));
    std::string text;
    for (const std::string& each : said)
        text += (text.empty() ? "" : tr("figure.space")) + each;
    return text;
}

}  // namespace lab::draw
