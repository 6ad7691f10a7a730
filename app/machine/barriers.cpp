// What the warps of a group wait for together: barriers, collectives, asynchronous copies.
#include <algorithm>
#include <bit>

#include "machine/execute/collective.h"
#include "machine/execute/copies.h"
#include "machine/execute/divergence.h"
#include "machine/execute/together.h"
#include "machine/machine.h"

namespace lab::machine {

using lang::Instruction;
using lang::Op;

template <bool kLineage, bool kOneLane>
void Machine::arrive(const ExecutionContext& execution, Group& group, std::uint32_t index,
                     std::size_t parts) {
    const Context& context = execution.context;
    const std::uint32_t pc = group.warps[index].pc;
    const Instruction& instruction = context.code->instructions[pc];
    if (group.warps[index].exec != group.warps[index].live) check_warp(context, group, index);
    const bool barrier = instruction.op == Op::barrier;
    std::vector<Part>& result = execution.done->parts;
    Action& first = add_part(context, group, index, instruction,
                             barrier ? ActionKind::barrier : ActionKind::collective,
                             group.warps[index].exec, *execution.done);
    if (barrier)
        first.object = static_cast<std::uint8_t>(fence_flags(context, group, index, instruction));
    for (const Part part = result.back();;) {
        ++execution.state.time;
        group.warps[index].status = Status::waiting;
        set_ready(group, index, false);
        ++group.waiting;
        if (result.size() >= parts || none_runs(group)) break;
        index = ready_from(group, index);
        const Warp& next = group.warps[index];
        if (next.pc != pc || next.exec != next.live) break;
        Action& action = result.emplace_back(part).action;
        if (barrier)
            action.object =
                static_cast<std::uint8_t>(fence_flags(context, group, index, instruction));
        action.mask = next.exec;
        action.warp = index & 0x3ffU;
        action.turn = static_cast<std::uint16_t>(std::min(next.turn, kLastTurn));
    }
    if (!none_runs(group)) return;
    check_group(context, group);
    release<kLineage, kOneLane>(execution, group);
}

template <bool kLineage, bool kOneLane>
void Machine::release(const ExecutionContext& execution, Group& group) {
    const Context& context = execution.context;
    const Instruction& instruction = context.code->instructions[group.warps[0].pc];
    switch (instruction.op) {
        case Op::group_collective:
            compute_together<kLineage>(execution.state, group, instruction);
            break;
        case Op::group_copy:
            begin_copy(context, execution.state, group, instruction);
            break;
        case Op::group_wait:
            finish_copies<kLineage, kOneLane>(execution, group, instruction);
            break;
        default: {
            const std::uint32_t flags = agreed_flags(context, group, instruction);
            if ((flags & lang::kFenceLocal) != 0) ++group.epoch_local;
            if ((flags & lang::kFenceGlobal) != 0) ++group.epoch_global;
        }
    }
    if (instruction.op != Op::group_copy) ++group.passes;
    group.waiting = 0;
    for (Warp& warp : group.warps)
        ++warp.pc;
    advance_all<kLineage, kOneLane>(execution, group);
}

// All elements of the copies of an event, as if work-item i copied element i of each round.
template <bool kLineage, bool kOneLane>
void Machine::finish_copies(const ExecutionContext& execution, Group& group,
                            const Instruction& instruction) {
    const Context& context = execution.context;
    for (const Copy& copy : waited_for(context, group, instruction)) {
        if (copy.elements == 0) continue;
        Done& done = *execution.done;
        Detail began;
        began.kind = Detail::Kind::copy;
        began.launch = context.launch;
        began.group = group.id;
        began.mask = copy.time;
        done.details.push_back({done.parts.size(), began});
        const CopyAccesses accesses(context, copy);
        const std::uint32_t lanes = context.lanes;
        std::vector<std::uint64_t> from(lanes), to(lanes);
        for (std::uint64_t first = 0; first < copy.elements; first += context.local)
            for (std::uint32_t warp = 0; warp < context.warps; ++warp) {
                std::uint64_t mask = 0;
                for (std::uint32_t lane = 0; lane < lanes; ++lane) {
                    const std::uint64_t item = std::uint64_t{warp} * lanes + lane;
                    if (item >= context.local || first + item >= copy.elements) break;
                    mask |= std::uint64_t{1} << lane;
                    from[lane] = accesses.from(first + item);
                    to[lane] = accesses.to(first + item);
                }
                if (mask == 0) break;
                execution.state.steps += static_cast<unsigned>(std::popcount(mask));
                Executor<kLineage, kOneLane>(execution, group, warp)
                    .copy(accesses.load, accesses.store, mask, from.data(), to.data(), copy, done);
            }
    }
}

template <bool kLineage>
void Machine::compute_together(State& state, Group& group, const Instruction& instruction) {
    const Context& context = *contexts_[state.launch];
    const std::size_t lanes = context.lanes;
    std::vector<Member> members(context.local);
    const auto place = [&](std::size_t item, std::uint32_t reg) {
        return ((item / lanes) * context.registers + reg) * lanes + item % lanes;
    };
    const auto read = [&](std::size_t item, std::uint32_t reg) {
        return (reg & lang::kUniform) != 0
                   ? context.uniforms[std::size_t{reg & ~lang::kUniform} * lanes]
                   : group.registers[place(item, reg)];
    };
    for (std::size_t i = 0; i < members.size(); ++i) {
        members[i].lane = static_cast<std::uint32_t>(i);
        members[i].value = read(i, instruction.a);
        members[i].second = read(i, instruction.b);
        if (kLineage && (instruction.a & lang::kUniform) == 0)
            members[i].node = group.nodes[place(i, instruction.a)];
    }
    collect(instruction, context.local, members, state, kLineage ? &lineage_ : nullptr);
    for (std::size_t i = 0; i < members.size(); ++i) {
        group.registers[place(i, instruction.to)] = members[i].result;
        if constexpr (kLineage) group.nodes[place(i, instruction.to)] = members[i].made;
    }
}

template void Machine::arrive<false, false>(const ExecutionContext&, Group&, std::uint32_t,
                                            std::size_t);
template void Machine::arrive<false, true>(const ExecutionContext&, Group&, std::uint32_t,
                                           std::size_t);
template void Machine::arrive<true, false>(const ExecutionContext&, Group&, std::uint32_t,
                                           std::size_t);
template void Machine::arrive<true, true>(const ExecutionContext&, Group&, std::uint32_t,
                                          std::size_t);

}  // namespace lab::machine
