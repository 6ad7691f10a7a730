// The lineage of a variant's result, compared with what it should be: each element once.
#pragma once

#include <vector>

#include "analysis/lineage.h"
#include "simulation/simulate.h"

namespace lab::simulation {

// The cells that hold the result at the end; for a partial result all parts. None if no kernel ran,
// or if the plan iterates: then each cell has its own inputs.
std::vector<analysis::MemoryCell> result_cells(const Simulation& simulation);

struct ResultLineage {
    std::vector<analysis::MemoryCell> cells;  // see result_cells(); of an iteration: all
    std::vector<machine::Node> nodes;         // of the values in them
    analysis::Composition composition;        // of all of them together
    analysis::Account account;
};
// For a run that was recorded with lineage. Empty if there are no result cells.
std::optional<ResultLineage> result_lineage(const Simulation& simulation);
// The same of a run that iterates, too: there each cell of the start should be in all cells
// together 3 times after a round, 9 times after two, and so on.
std::optional<ResultLineage> whole_lineage(const Simulation& simulation);

}  // namespace lab::simulation
