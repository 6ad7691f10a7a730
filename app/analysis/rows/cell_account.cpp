#include "analysis/rows/cell_account.h"

#include <fmt/format.h>

#include "lang/code/value.h"

namespace lab::analysis {

std::optional<MemoryCell> memory_cell(const machine::Run& run, const Row& pass, std::size_t cell) {
    const std::uint32_t launch = pass.launch > 0 ? static_cast<std::uint32_t>(pass.launch) - 1 : 0;
    const machine::Machine& machine = run.machine();
    if (launch >= machine.job().launches.size()) return std::nullopt;
    const machine::Context& context = machine.context(launch);
    MemoryCell result;
    result.launch = launch;
    result.index = cell;
    for (std::size_t object = 1; object <= context.visible; ++object) {
        const machine::ObjectInfo& info = context.objects[object];
        const bool local = info.space == machine::Space::local;
        const bool first_input =
            pass.array.empty() && !local && machine.job().buffers[info.buffer].is_input;
        if (!first_input && (info.name != pass.array || local != pass.local_memory)) continue;
        result.local = local;
        result.array = static_cast<std::uint32_t>(local ? object : info.buffer);
        if (local && pass.group_cells > 0) {
            result.group = static_cast<std::uint32_t>(cell / pass.group_cells);
            result.index = cell % pass.group_cells;
        }
        return result;
    }
    return std::nullopt;
}

std::optional<CellAccount> cell_account(machine::Run& run, const MemoryCell& cell,
                                        std::uint64_t time) {
    const machine::Machine& machine = run.machine();
    const machine::State state = run.state_at(time);
    const auto contents = contents_of(machine, state, cell);
    if (!contents) return std::nullopt;
    CellAccount account;
    account.cell = text_of(machine, cell);
    if (contents->written) account.value = lang::text_of(contents->bits, contents->type);
    const Composition composition = composition_of(machine.lineage(), {&contents->node, 1});
    account.unwritten = composition.unwritten;
    std::size_t buffer = machine.job().buffers.size();
    for (std::size_t i = buffer; i-- > 0;)
        if (machine.job().buffers[i].is_input) buffer = i;
    if (!composition.inputs.empty()) buffer = composition.inputs.front().buffer;
    if (buffer >= machine.job().buffers.size()) return std::nullopt;
    const machine::Buffer& of = machine.job().buffers[buffer];
    const machine::State start = run.state_at(0);
    const std::uint64_t count = of.bytes / lang::info(of.element).bytes;
    for (std::uint64_t i = 0; i < count; ++i)
        account.inputs.push_back({fmt::format("{}[{}]", of.name, i),
                                  lang::text_of(machine.value(start, buffer, i), of.element), 0});
    for (const Ingredient& each : composition.inputs)
        if (each.buffer == buffer && each.index < count)
            account.inputs[each.index].times += each.times;
    return account;
}

}  // namespace lab::analysis
