#include "analysis/rows/cells.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace lab::analysis {

bool of_one_array(const Pass& one, const Pass& other) {
    const bool named = !one.array.empty() && !other.array.empty();
    return one.cells.size() == other.cells.size() && (!named || one.array == other.array);
}

namespace {

// The array of a row whatever rows of others are in between. Empty where that is not known; local
// memory is another's in each launch.
using ArrayKey = std::optional<std::tuple<std::string, int, std::size_t>>;

ArrayKey key_of(const Pass& pass) {
    if (pass.array.empty()) return std::nullopt;
    return std::tuple{pass.array, pass.local_memory ? pass.launch : 0, pass.cells.size()};
}

}  // namespace

std::vector<std::vector<CellState>> cell_states(const Passes& passes) {
    std::vector<std::vector<CellState>> states;
    std::map<ArrayKey, std::vector<bool>> spent_of;  // before the row in hand
    for (std::size_t row = 0; row < passes.passes.size(); ++row) {
        const auto& cells = passes.passes[row].cells;
        const ArrayKey key = key_of(passes.passes[row]);
        std::vector<bool>& spent = spent_of[key];
        if (row == 0) {
            states.emplace_back(cells.size(), CellState::input);
            spent.assign(cells.size(), false);
            continue;
        }
        const Pass& above = passes.passes[row - 1];
        const bool same_array = of_one_array(above, passes.passes[row]);
        // Of an array that was not there before nothing was read yet.
        if (same_array)
            spent = spent_of[key_of(above)];
        else if (!key)
            spent.assign(cells.size(), false);
        spent.resize(cells.size(), false);
        std::vector<bool> read(cells.size(), false);
        std::vector<bool>& spent_above = spent_of[key_of(above)];
        for (std::size_t cell = 0; cell < cells.size(); ++cell)
            for (const std::uint32_t source : cells[cell].from) {
                if (same_array && source != cell && source < read.size()) read[source] = true;
                if (!same_array && key && source < spent_above.size()) spent_above[source] = true;
            }

        auto& of_row = states.emplace_back(cells.size(), CellState::same);
        for (std::size_t cell = 0; cell < cells.size(); ++cell) {
            if (cells[cell].written) {
                of_row[cell] = CellState::written;
                spent[cell] = false;
            } else if (read[cell]) {
                of_row[cell] = CellState::read;
                spent[cell] = true;
            } else if (spent[cell]) {
                of_row[cell] = CellState::spent;
            }
        }
    }
    return states;
}

std::optional<std::size_t> result_cell(const Passes& passes) {
    if (passes.passes.empty()) return std::nullopt;
    std::optional<std::size_t> found;
    const auto& cells = passes.passes.back().cells;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (cells[cell].value != passes.result) continue;
        if (cells[cell].written) return cell;
        if (!found) found = cell;
    }
    return found;
}

std::vector<std::int64_t> working_items(const Pass& pass) {
    std::vector<std::int64_t> items;
    for (const Cell& cell : pass.cells)
        if (cell.written && cell.item >= 0) {
            items.push_back(cell.item);
            items.insert(items.end(), cell.also.begin(), cell.also.end());
        }
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    return items;
}

std::vector<std::size_t> written_cells(const Pass& pass) {
    std::vector<std::size_t> cells;
    for (std::size_t cell = 0; cell < pass.cells.size(); ++cell)
        if (pass.cells[cell].written) cells.push_back(cell);
    return cells;
}

}  // namespace lab::analysis
