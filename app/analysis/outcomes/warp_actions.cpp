#include "analysis/outcomes/warp_actions.h"

#include "machine/execute/copies.h"
#include "machine/schedule.h"

namespace lab::analysis {

std::uint32_t warp_number(const machine::Machine& machine, const machine::State& state,
                          const machine::Choice& choice) {
    return state.groups[choice.slot]->id * machine.context(state.launch).warps + choice.warp;
}

std::vector<std::uint32_t> no_actions_done(const machine::Machine& machine,
                                           const machine::State& state) {
    if (machine.done(state)) return {};
    const machine::Context& context = machine.context(state.launch);
    return std::vector<std::uint32_t>(std::size_t{context.groups} * context.warps, 0);
}

std::optional<machine::Choice> arriving(const machine::Machine& machine,
                                        const machine::State& state) {
    for (std::size_t slot = 0; slot < state.groups.size(); ++slot)
        for (std::uint32_t warp = 0; warp < state.groups[slot]->warps.size(); ++warp) {
            const machine::Choice choice{slot, warp};
            if (!machine::is_ready(state, choice)) continue;
            const lang::Op next = machine.next(state, choice).op;
            if (!lang::is_waiting(next)) continue;
            // Who comes last to a copy's call or to the wait for it touches what is copied.
            const bool copies = next == lang::Op::group_copy || next == lang::Op::group_wait;
            if (!copies || !machine::comes_last(*state.groups[slot])) return choice;
        }
    return std::nullopt;
}

}  // namespace lab::analysis
