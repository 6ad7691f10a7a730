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

std::vector<analysis::MemoryCell> result_cells(const Simulation& of) {
    if (!of.run || !of.plan.result || of.plan.rounds > 0) return {};
    analysis::MemoryCell cell;
    cell.array = static_cast<std::uint32_t>(*of.plan.result);
    if (of.plan.expect != catalogue::Expect::partial) return {cell};
    std::vector<analysis::MemoryCell> cells;
    for (; cell.index < of.plan.buffers[*of.plan.result].count; cell.index += of.plan.every)
        cells.push_back(cell);
    return cells;
}

std::optional<ResultLineage> result_lineage(const Simulation& of) {
    ResultLineage made;
    made.cells = result_cells(of);
    if (made.cells.empty()) return std::nullopt;
    const machine::Machine& machine = of.run->machine();
    const auto input = input_of(machine.job());
    if (!input) return std::nullopt;
    std::vector<machine::Node> nodes;
    for (const analysis::MemoryCell& cell : made.cells)
        if (const auto contents = contents_of(machine, of.run->end(), cell))
            nodes.push_back(contents->node);
    made.composition = analysis::composition_of(machine.lineage(), nodes);
    made.account = account_of(made.composition, *input, catalogue::count_of(of.input));
    return made;
}

}  // namespace lab::simulation
