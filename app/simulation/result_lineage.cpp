#include "simulation/result_lineage.h"

namespace lab::simulation {
namespace {

// The buffer that holds the elements at the beginning.
std::optional<std::uint32_t> input_of(const machine::Job& job) {
    for (std::uint32_t i = 0; i < job.buffers.size(); ++i)
        if (job.buffers[i].is_input) return i;
    return std::nullopt;
}

}  // namespace

std::vector<analysis::MemoryCell> result_cells(const Simulation& simulation) {
    if (!simulation.run || !simulation.plan.result || simulation.plan.rounds > 0) return {};
    analysis::MemoryCell cell;
    cell.array = static_cast<std::uint32_t>(*simulation.plan.result);
    if (simulation.plan.expect != catalogue::Expect::partial) return {cell};
    std::vector<analysis::MemoryCell> cells;
    for (; cell.index < simulation.plan.buffers[*simulation.plan.result].count;
         cell.index += simulation.plan.every)
        cells.push_back(cell);
    return cells;
}

std::optional<ResultLineage> result_lineage(const Simulation& simulation) {
    ResultLineage lineage;
    lineage.cells = result_cells(simulation);
    if (lineage.cells.empty()) return std::nullopt;
    const machine::Machine& machine = simulation.run->machine();
    const auto input = input_of(machine.job());
    if (!input) return std::nullopt;
    std::vector<machine::Node> nodes;
    for (const analysis::MemoryCell& cell : lineage.cells)
        if (const auto contents = contents_of(machine, simulation.run->end(), cell))
            nodes.push_back(contents->node);
    lineage.composition = analysis::composition_of(machine.lineage(), nodes);
    lineage.account =
        account_of(lineage.composition, *input, catalogue::count_of(simulation.input));
    return lineage;
}

}  // namespace lab::simulation
