#include "analysis/rows/lattice.h"

#include <algorithm>
#include <cstring>

#include "lang/code/value.h"

namespace lab::analysis {

const LatticeChange* change_of(const LatticeRow& row, std::uint64_t cell) {
    const auto at = std::lower_bound(
        row.changes.begin(), row.changes.end(), cell,
        [](const LatticeChange& change, std::uint64_t asked) { return change.cell < asked; });
    return at == row.changes.end() || at->cell != cell ? nullptr : &*at;
}

std::span<const std::uint32_t> sources_of(const LatticeRow& row, const LatticeChange& change) {
    const auto at = static_cast<std::size_t>(&change - row.changes.data());
    const std::size_t end =
        at + 1 < row.changes.size() ? row.changes[at + 1].from : row.from.size();
    return {row.from.data() + change.from, end - change.from};
}

std::optional<std::uint64_t> value_of(const Lattice& of, std::size_t row, std::uint64_t cell) {
    const LatticeArray& array = of.arrays[of.rows[row].array];
    const std::size_t size = lang::info(array.element).bytes;
    const auto read = [&](const std::vector<std::byte>& bytes, std::size_t place) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, bytes.data() + place * size, size);
        return lang::canonical(array.element, bits);
    };
    for (std::size_t at = row; at != kNoRow; at = of.rows[at].before)
        if (const LatticeChange* change = change_of(of.rows[at], cell))
            return read(of.rows[at].values,
                        static_cast<std::size_t>(change - of.rows[at].changes.data()));
    if ((cell + 1) * size > array.initial.size()) return std::nullopt;
    return read(array.initial, cell);
}

std::string value_text(const Lattice& of, std::size_t row, std::uint64_t cell) {
    const auto value = value_of(of, row, cell);
    return value ? lang::text_of(*value, of.arrays[of.rows[row].array].element) : "?";
}

Cell cell_of(const Lattice& of, std::size_t row, std::uint64_t cell) {
    const LatticeRow& in = of.rows[row];
    Cell made;
    made.value = value_text(of, row, cell);
    made.stale = (in.cells[cell] & kStaleBit) != 0;
    made.written = state_of(in.cells[cell]) == CellState::written;
    for (const LatticeLate& each : of.late)
        if (each.row == row && each.cell == cell) {
            made.late_item = each.item;
            made.late_pass = each.pass;
        }
    const LatticeChange* change = made.written ? change_of(in, cell) : nullptr;
    if (change == nullptr) return made;
    made.item = change->item;
    const auto sources = sources_of(in, *change);
    made.from.assign(sources.begin(), sources.end());
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
                 row.values.capacity() + row.from.capacity() * sizeof(std::uint32_t);
    for (const LatticeArray& array : of.arrays)
        bytes += array.initial.capacity();
    return bytes + of.stale.capacity() * sizeof(LatticeStale) +
           of.raced.capacity() * sizeof(LatticeRace);
}

}  // namespace lab::analysis
