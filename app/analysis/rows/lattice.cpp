#include "analysis/rows/lattice.h"

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
    Cell made;
    made.stale = (row.cells[cell] & kStaleBit) != 0;
    made.written = state_of(row.cells[cell]) == CellState::written;
    const LatticeChange* change = made.written ? change_of(row, cell) : nullptr;
    if (change == nullptr) return made;
    made.item = change->item;
    const auto sources = sources_of(row, *change);
    made.from.assign(sources.begin(), sources.end());
    if ((row.cells[cell] & kSeveralBit) == 0) return made;
    auto other = std::lower_bound(
        row.others.begin(), row.others.end(), cell,
        [](const LatticeWriter& each, std::uint64_t asked) { return each.cell < asked; });
    for (; other != row.others.end() && other->cell == cell; ++other)
        made.also.push_back(other->item);
    return made;
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
    const auto at = static_cast<std::size_t>(&change - row.changes.data());
    const std::size_t end =
        at + 1 < row.changes.size() ? row.changes[at + 1].from : row.from.size();
    return {row.from.data() + change.from, end - change.from};
}

CellValue value_of(const Lattice& of, std::size_t row, std::uint64_t cell) {
    const LatticeArray& array = of.arrays[of.rows[row].array];
    for (; row != kNoRow; row = of.rows[row].before)
        if (const LatticeChange* change = change_of(of.rows[row], cell))
            return value_in(of.rows[row].values,
                            static_cast<std::size_t>(change - of.rows[row].changes.data()),
                            array.element);
    return value_in(array.initial, cell, array.element);
}

Cell cell_of(const Lattice& of, std::size_t row, std::uint64_t cell) {
    Cell made = account_of(of.rows[row], cell);
    made.value = value_of(of, row, cell);
    for (const LatticeLate& late : of.late)
        if (late.row == row && late.cell == cell) {
            made.late_item = late.item;
            made.late_pass = late.pass;
        }
    return made;
}

std::vector<Row> whole_rows(const Lattice& of) {
    std::vector<std::vector<CellValue>> values;  // of each array, as they are now
    for (const LatticeArray& array : of.arrays) {
        auto& cells = values.emplace_back(array.cells);
        for (std::size_t cell = 0; cell < cells.size(); ++cell)
            cells[cell] = value_in(array.initial, cell, array.element);
    }
    std::vector<Row> made = of.head.rows;
    for (std::size_t r = 0; r < made.size(); ++r) {
        const LatticeRow& row = of.rows[r];
        for (std::size_t i = 0; i < row.changes.size(); ++i)
            values[row.array][row.changes[i].cell] =
                value_in(row.values, i, of.arrays[row.array].element);
        for (std::size_t cell = 0; cell < row.cells.size(); ++cell) {
            made[r].cells.push_back(account_of(row, cell));
            made[r].cells.back().value = values[row.array][cell];
        }
    }
    for (const LatticeLate& late : of.late) {
        made[late.row].cells[late.cell].late_item = late.item;
        made[late.row].cells[late.cell].late_pass = late.pass;
    }
    for (const LatticeStale& each : of.stale)
        made[each.row].stale.push_back(each.read);
    for (const LatticeRace& each : of.raced)
        made[each.row].raced.push_back(each.raced);
    return made;
}

const StaleValue* stale_at(const Lattice& of, std::size_t row, std::uint64_t item) {
    const auto key = [](const LatticeStale& each) {
        return std::pair(each.row, static_cast<std::uint64_t>(each.read.item));
    };
    const auto at = std::lower_bound(
        of.stale.begin(), of.stale.end(), std::pair(row, item),
        [&](const LatticeStale& each, const auto& asked) { return key(each) < asked; });
    return at == of.stale.end() || key(*at) != std::pair(row, item) ? nullptr : &at->read;
}

const RacedCell* race_at(const Lattice& of, std::size_t row, std::uint64_t cell) {
    const auto key = [](const LatticeRace& each) { return std::pair(each.row, each.raced.cell); };
    const auto at = std::lower_bound(
        of.raced.begin(), of.raced.end(), std::pair(row, cell),
        [&](const LatticeRace& each, const auto& asked) { return key(each) < asked; });
    return at == of.raced.end() || key(*at) != std::pair(row, cell) ? nullptr : &at->raced;
}

std::size_t memory_bytes(const Lattice& of) {
    std::size_t bytes = 0;
    for (const LatticeRow& row : of.rows)
        bytes += row.cells.capacity() + row.changes.capacity() * sizeof(LatticeChange) +
                 row.values.capacity() + row.from.capacity() * sizeof(std::uint32_t) +
                 row.others.capacity() * sizeof(LatticeWriter);
    for (const LatticeArray& array : of.arrays)
        bytes += array.initial.capacity();
    return bytes + of.stale.capacity() * sizeof(LatticeStale) +
           of.raced.capacity() * sizeof(LatticeRace);
}

}  // namespace lab::analysis
