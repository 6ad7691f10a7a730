#include "insight/cells.h"

#include <algorithm>

namespace lab {

bool of_one_array(const Pass& one, const Pass& other) {
    const bool named = !one.array.empty() && !other.array.empty();
    return one.cells.size() == other.cells.size() && (!named || one.array == other.array);
}

std::vector<std::vector<CellState>> cell_states(const Passes& passes) {
    std::vector<std::vector<CellState>> states;
    std::vector<bool> spent;  // before the row in hand
    for (std::size_t row = 0; row < passes.passes.size(); ++row) {
        const auto& cells = passes.passes[row].cells;
        if (row == 0) {
            states.emplace_back(cells.size(), CellState::input);
            spent.assign(cells.size(), false);
            continue;
        }
        // Of another array nothing was read yet.
        const bool same_array = of_one_array(passes.passes[row - 1], passes.passes[row]);
        if (!same_array) spent.assign(cells.size(), false);
        std::vector<bool> read(cells.size(), false);
        for (std::size_t cell = 0; cell < cells.size() && same_array; ++cell)
            for (const std::uint32_t source : cells[cell].from)
                if (source != cell && source < read.size()) read[source] = true;

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
        if (cell.written && cell.item >= 0) items.push_back(cell.item);
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

}  // namespace lab
