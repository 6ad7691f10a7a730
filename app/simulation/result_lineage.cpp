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

namespace {

std::optional<ResultLineage> lineage_of(const Simulation& simulation,
                                        std::vector<analysis::MemoryCell> cells) {
    ResultLineage lineage;
    lineage.cells = std::move(cells);
    if (lineage.cells.empty()) return std::nullopt;
    const machine::Machine& machine = simulation.run->machine();
    const auto input = input_of(machine.job());
    if (!input) return std::nullopt;
    for (const analysis::MemoryCell& cell : lineage.cells)
        if (const auto contents = contents_of(machine, simulation.run->end(), cell))
            lineage.nodes.push_back(contents->node);
    lineage.composition = analysis::composition_of(machine.lineage(), lineage.nodes);
    lineage.account =
        account_of(lineage.composition, *input, catalogue::count_of(simulation.input));
    return lineage;
}

}  // namespace

std::optional<ResultLineage> result_lineage(const Simulation& simulation) {
    return lineage_of(simulation, result_cells(simulation));
}

// In a round each cell becomes the sum of three, so that each value goes into three.
std::optional<ResultLineage> whole_lineage(const Simulation& simulation) {
    if (!simulation.run || !simulation.plan.result || simulation.plan.rounds == 0)
        return result_lineage(simulation);
    std::vector<analysis::MemoryCell> cells(simulation.plan.buffers[*simulation.plan.result].count);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i].array = static_cast<std::uint32_t>(*simulation.plan.result);
        cells[i].index = i;
    }
    auto lineage = lineage_of(simulation, std::move(cells));
    if (!lineage) return lineage;
    std::uint64_t right = 1;
    for (std::uint64_t round = 0; round < simulation.plan.rounds; ++round)
        right = analysis::saturated_sum(right, analysis::saturated_sum(right, right));
    analysis::Account& account = lineage->account;
    account.repeated.clear();
    for (const analysis::Ingredient& each : lineage->composition.inputs)
        if (each.times != right)
            (each.times < right ? account.missing : account.repeated).push_back(each);
    return lineage;
}

}  // namespace lab::simulation
