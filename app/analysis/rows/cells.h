// The state of each cell after each pass, and which cell is the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/rows/step_table.h"

namespace lab::analysis {

enum class CellState : std::uint8_t {
    input,    // in the row before any launch
    same,     // unchanged, and its value is still to be combined
    read,     // unchanged; its value went into another cell in this pass
    spent,    // unchanged; its value went into another cell in an earlier pass
    written,  // a work-item combined values into it in this pass
};

// Whether two rows show the same array, or could if that is not known.
bool of_one_array(const Row& one, const Row& other);

// One row per pass, one state per cell.
std::vector<std::vector<CellState>> cell_states(const StepTable& table);
// The same, into the bytes of a lattice's cells.
struct Lattice;
void add_states(Lattice& lattice);

// The cell of the last row that holds the result; empty if none does (the host finished it).
std::optional<std::size_t> result_cell(const StepTable& table);

// The work-items that did something for this row, ascending, each once.
std::vector<std::int64_t> working_items(const Row& pass);

// All writers of a cell, the last one last; its number is -1 if it is not known.
std::vector<Writer> writers_of(const Cell& cell);

// The cells of the row that were written in this pass.
std::vector<std::size_t> written_cells(const Row& pass);

}  // namespace lab::analysis
