// What a variant's result is made of, held against what it should be: each element once.
#pragma once

#include <vector>

#include "analysis/lineage/lineage.h"
#include "simulation/simulate.h"

namespace lab::simulation {

// The cells that hold the result at the end: of a partial result all parts. None where no kernel
// ran, or the plan iterates, whose result is many cells of which each has its own inputs.
std::vector<analysis::MemoryCell> result_cells(const Simulation& simulation);

struct ResultLineage {
    std::vector<analysis::MemoryCell> cells;  // see result_cells()
    analysis::Composition composition;        // of all these together
    analysis::Account account;
};
// For a run that was recorded with lineage. Empty if there are no result cells.
std::optional<ResultLineage> result_lineage(const Simulation& simulation);

}  // namespace lab::simulation
