#include "analysis/rows/cells.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "analysis/rows/lattice.h"

namespace lab::analysis {

namespace {

// The array of a row whatever rows of others are in between. Empty where that is not known; local
// memory is another's in each launch.
using ArrayKey = std::optional<std::tuple<std::string, int, std::size_t>>;

// A row without its cells, and how many these are.
struct StateRow {
    const Row& pass;
    std::size_t cells;

    ArrayKey key() const {
        if (pass.array.empty()) return std::nullopt;
        return std::tuple{pass.array, pass.local_memory ? pass.launch : 0, cells};
    }
};

bool of_one_array(const StateRow& one, const StateRow& other) {
    const bool named = !one.pass.array.empty() && !other.pass.array.empty();
    return one.cells == other.cells && (!named || one.pass.array == other.pass.array);
}

// Goes from row to row, and knows which cells went into others on the way.
class CellStates {
  public:
    // For the next row. written(cell): whether it was written in it; sources(found) calls
    // found(cell, source) for each source of one that was.
    template <typename Written, typename Sources>
    std::vector<CellState> next(const StateRow& row, Written&& written, Sources&& sources) {
        const ArrayKey key = row.key();
        std::vector<bool>& spent = spent_of_[key];
        if (!above_) {
            spent.assign(row.cells, false);
            above_.emplace(row);
            return std::vector<CellState>(row.cells, CellState::input);
        }
        const bool same_array = of_one_array(*above_, row);
        std::vector<bool>& spent_above = spent_of_[above_->key()];
        // For an array that was not there before nothing was read yet.
        if (same_array)
            spent = spent_above;
        else if (!key)
            spent.assign(row.cells, false);
        spent.resize(row.cells, false);
        std::vector<bool> read(row.cells, false);
        sources([&](std::size_t cell, std::size_t source) {
            if (same_array && source != cell && source < read.size()) read[source] = true;
            if (!same_array && key && source < spent_above.size()) spent_above[source] = true;
        });
        std::vector<CellState> states(row.cells, CellState::same);
        for (std::size_t cell = 0; cell < row.cells; ++cell) {
            if (written(cell)) {
                states[cell] = CellState::written;
                spent[cell] = false;
            } else if (read[cell]) {
                states[cell] = CellState::read;
                spent[cell] = true;
            } else if (spent[cell]) {
                states[cell] = CellState::spent;
            }
        }
        above_.emplace(row);
        return states;
    }

  private:
    std::map<ArrayKey, std::vector<bool>> spent_of_;
    std::optional<StateRow> above_;
};

}  // namespace

bool of_one_array(const Row& one, const Row& other) {
    return of_one_array(StateRow{one, one.cells.size()}, StateRow{other, other.cells.size()});
}

std::vector<std::vector<CellState>> cell_states(const StepTable& table) {
    std::vector<std::vector<CellState>> result;
    CellStates states;
    for (const Row& row : table.rows)
        result.push_back(states.next(
            {row, row.cells.size()}, [&](std::size_t cell) { return row.cells[cell].written; },
            [&](auto&& found) {
                for (std::size_t cell = 0; cell < row.cells.size(); ++cell) {
                    for (const std::uint32_t source : row.cells[cell].from)
                        found(cell, source);
                    for (const Writer& other : row.cells[cell].also)
                        for (const std::uint32_t source : other.from)
                            found(cell, source);
                }
            }));
    return result;
}

void add_states(Lattice& lattice) {
    CellStates states;
    for (std::size_t r = 0; r < lattice.rows.size(); ++r) {
        LatticeRow& row = lattice.rows[r];
        const auto result = states.next(
            {lattice.head.rows[r], row.cells.size()},
            [&](std::size_t cell) { return state_of(row.cells[cell]) == CellState::written; },
            [&](auto&& found) {
                for (const LatticeChange& change : row.changes)
                    for (const std::uint32_t source : sources_of(row, change))
                        found(change.cell, source);
                for (const LatticeWriter& other : row.others)
                    for (std::uint32_t i = other.from; i < other.end; ++i)
                        found(other.cell, row.others_from[i]);
            });
        for (std::size_t cell = 0; cell < row.cells.size(); ++cell)
            row.cells[cell] = static_cast<std::uint8_t>((row.cells[cell] & ~kStateBits) |
                                                        static_cast<std::uint8_t>(result[cell]));
    }
}

std::optional<std::size_t> result_cell(const StepTable& table) {
    if (table.rows.empty()) return std::nullopt;
    std::optional<std::size_t> found;
    const auto& cells = table.rows.back().cells;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (text_of(cells[cell].value) != table.result) continue;
        if (cells[cell].written) return cell;
        if (!found) found = cell;
    }
    return found;
}

std::vector<std::int64_t> working_items(const Row& pass) {
    if (!pass.working.empty()) return {pass.working.begin(), pass.working.end()};
    std::vector<std::int64_t> items;
    for (const Cell& cell : pass.cells)
        if (cell.written && cell.item >= 0) {
            items.push_back(cell.item);
            for (const Writer& other : cell.also)
                items.push_back(other.item);
        }
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    return items;
}

std::vector<Writer> writers_of(const Cell& cell) {
    std::vector<Writer> writers = cell.also;
    if (cell.written) writers.push_back({cell.item, cell.from});
    return writers;
}

std::vector<std::size_t> written_cells(const Row& pass) {
    std::vector<std::size_t> cells;
    for (std::size_t cell = 0; cell < pass.cells.size(); ++cell)
        if (pass.cells[cell].written) cells.push_back(cell);
    return cells;
}

}  // namespace lab::analysis
