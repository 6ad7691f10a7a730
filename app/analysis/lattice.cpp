#include "analysis/lattice.h"

#include <algorithm>

namespace lab::analysis {

namespace {

// The first change of that cell or one behind it.
template <typename Changes>
auto change_at(Changes& changes, std::uint64_t cell) {
    return std::lower_bound(
        changes.begin(), changes.end(), cell,
        [](const LatticeChange& change, std::uint64_t asked) { return change.cell < asked; });
}

// All that is known of a cell but its value.
Cell account_of(const LatticeRow& row, std::uint64_t cell) {
    Cell result;
    result.stale = (row.cells[cell] & kStaleBit) != 0;
    result.written = state_of(row.cells[cell]) == CellState::written;
    const LatticeChange* change = result.written ? change_of(row, cell) : nullptr;
    if (change == nullptr) return result;
    result.item = change->item;
    result.kept = change->kept;
    result.atomic = change->atomic;
    const auto sources = sources_of(row, *change);
    result.from.assign(sources.begin(), sources.end());
    if ((row.cells[cell] & kSeveralBit) == 0) return result;
    auto other = std::lower_bound(
        row.others.begin(), row.others.end(), cell,
        [](const LatticeWriter& each, std::uint64_t asked) { return each.cell < asked; });
    for (; other != row.others.end() && other->cell == cell; ++other)
        result.also.push_back(
            {other->item,
             {row.others_from.begin() + other->from, row.others_from.begin() + other->end}});
    return result;
}

}  // namespace

const LatticeChange* change_of(const LatticeRow& row, std::uint64_t cell) {
    const auto change = change_at(row.changes, cell);
    return change == row.changes.end() || change->cell != cell ? nullptr : &*change;
}

void change_value(LatticeRow& row, std::uint32_t cell, std::span<const std::byte> bytes) {
    const auto change = change_at(row.changes, cell);
    const auto value = row.values.begin() +
                       (change - row.changes.begin()) * static_cast<std::ptrdiff_t>(bytes.size());
    if (change != row.changes.end() && change->cell == cell) {
        std::copy(bytes.begin(), bytes.end(), value);
        return;
    }
    row.values.insert(value, bytes.begin(), bytes.end());
    const std::size_t from = change == row.changes.end() ? row.from.size() : change->from;
    row.changes.insert(change, {cell, kNobody, static_cast<std::uint32_t>(from)});
}

std::span<const std::uint32_t> sources_of(const LatticeRow& row, const LatticeChange& change) {
    const auto position = static_cast<std::size_t>(&change - row.changes.data());
    const std::size_t end =
        position + 1 < row.changes.size() ? row.changes[position + 1].from : row.from.size();
    return {row.from.data() + change.from, end - change.from};
}

std::vector<std::uint32_t> all_sources_of(const LatticeRow& row, const LatticeChange& change) {
    const auto own = sources_of(row, change);
    std::vector<std::uint32_t> all(own.begin(), own.end());
    if ((row.cells[change.cell] & kSeveralBit) == 0) return all;
    for (const LatticeWriter& other : row.others)
        if (other.cell == change.cell)
            all.insert(all.end(), row.others_from.begin() + other.from,
                       row.others_from.begin() + other.end);
    sort_unique(all);
    return all;
}

std::vector<std::uint32_t> writers_of(const LatticeRow& row, const LatticeChange& change) {
    std::vector<std::uint32_t> items{change.item};
    if ((row.cells[change.cell] & kSeveralBit) != 0)
        for (const LatticeWriter& other : row.others)
            if (other.cell == change.cell) items.push_back(other.item);
    return items;
}

std::span<const OtherRead> other_reads_of(const Row& row, std::int64_t item) {
    const auto first = std::lower_bound(
        row.other_reads.begin(), row.other_reads.end(), item,
        [](const OtherRead& read, std::int64_t asked) { return read.item < asked; });
    auto end = first;
    while (end != row.other_reads.end() && end->item == item)
        ++end;
    return {std::to_address(first), static_cast<std::size_t>(end - first)};
}

CellValue value_of(const Lattice& lattice, std::size_t row, std::uint64_t cell) {
    const LatticeArray& array = lattice.arrays[lattice.rows[row].array];
    for (; row != kNoRow; row = lattice.rows[row].before)
        if (const LatticeChange* change = change_of(lattice.rows[row], cell))
            return value_in(lattice.rows[row].values,
                            static_cast<std::size_t>(change - lattice.rows[row].changes.data()),
                            array.element);
    return value_in(array.initial, cell, array.element);
}

Cell cell_of(const Lattice& lattice, std::size_t row, std::uint64_t cell) {
    Cell result = account_of(lattice.rows[row], cell);
    result.value = value_of(lattice, row, cell);
    for (const OutOfOrderStore& late : lattice.late)
        if (late.row == row && late.cell == cell) {
            result.late_item = late.item;
            result.late_pass = late.pass;
        }
    return result;
}

std::vector<Row> whole_rows(const Lattice& lattice) {
    std::vector<std::vector<CellValue>> values;  // of each array, as they are now
    for (const LatticeArray& array : lattice.arrays) {
        auto& cells = values.emplace_back(array.cells);
        for (std::size_t cell = 0; cell < cells.size(); ++cell)
            cells[cell] = value_in(array.initial, cell, array.element);
    }
    std::vector<Row> rows = lattice.head.rows;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const LatticeRow& row = lattice.rows[r];
        for (std::size_t i = 0; i < row.changes.size(); ++i)
            values[row.array][row.changes[i].cell] =
                value_in(row.values, i, lattice.arrays[row.array].element);
        for (std::size_t cell = 0; cell < row.cells.size(); ++cell) {
            rows[r].cells.push_back(account_of(row, cell));
            rows[r].cells.back().value = values[row.array][cell];
        }
    }
    for (const OutOfOrderStore& late : lattice.late) {
        rows[late.row].cells[late.cell].late_item = late.item;
        rows[late.row].cells[late.cell].late_pass = late.pass;
    }
    for (const LatticeStale& each : lattice.stale)
        rows[each.row].stale.push_back(each.read);
    for (const LatticeRace& each : lattice.raced)
        rows[each.row].raced.push_back(each.raced);
    return rows;
}

// The entry with that key, or null; entries are in the order of their keys.
template <typename Entry, typename Key, typename KeyOf>
static const Entry* entry_at(const std::vector<Entry>& entries, const Key& key, KeyOf&& key_of) {
    const auto found = std::lower_bound(
        entries.begin(), entries.end(), key,
        [&](const Entry& entry, const Key& asked) { return key_of(entry) < asked; });
    return found == entries.end() || key_of(*found) != key ? nullptr : &*found;
}

const StaleValue* stale_at(const Lattice& lattice, std::size_t row, std::uint64_t item) {
    const auto* found = entry_at(lattice.stale, std::pair(row, item), [](const auto& entry) {
        return std::pair(entry.row, static_cast<std::uint64_t>(entry.read.item));
    });
    return found == nullptr ? nullptr : &found->read;
}

const RacedCell* race_at(const Lattice& lattice, std::size_t row, std::uint64_t cell) {
    const auto* found = entry_at(lattice.raced, std::pair(row, cell), [](const auto& entry) {
        return std::pair(entry.row, entry.raced.cell);
    });
    return found == nullptr ? nullptr : &found->raced;
}

}  // namespace lab::analysis
