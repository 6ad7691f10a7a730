#include "analysis/outcomes/spin_acceleration.h"

#include <algorithm>
#include <bit>

#include "machine/schedule.h"

namespace lab::analysis {

using machine::Choice;
using machine::Context;
using machine::Group;
using machine::State;
using machine::Warp;

namespace {

// What a schedule may be long: seconds to replay.
constexpr std::uint64_t kMostActions = std::uint64_t{1} << 28U;

std::size_t register_index(const Context& context, std::uint32_t warp, std::uint32_t reg,
                           std::uint32_t lane) {
    return (std::size_t{warp} * context.registers + reg) * context.lanes + lane;
}

template <typename F>
void for_lanes(std::uint64_t mask, F each) {
    for (; mask != 0; mask &= mask - 1)
        each(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

}  // namespace

// Once round the loop, by that warp alone.
struct SpinAcceleration::Round {
    State after;
    std::uint64_t actions = 0;
    std::vector<LoopCounter> counters;
};

SpinAcceleration::SpinAcceleration(machine::Machine& machine, const machine::StateKeys& keys)
    : machine_(machine), keys_(keys) {
    for (std::uint32_t i = 0; i < machine.job().launches.size(); ++i) {
        const lang::Code* code = machine.context(i).code;
        auto& known = loops_[code];
        if (!known) known = std::make_shared<const WaitLoops>(*code);
    }
}

std::optional<SpinAcceleration::Round> SpinAcceleration::go_round(const State& state,
                                                                  const Choice& choice) {
    constexpr std::uint64_t kMostAround = 32;
    const Warp& warp = state.groups[choice.slot]->warps[choice.warp];
    const Context& context = machine_.context(state.launch);
    Round result;
    result.after = state;
    try {
        for (bool round = false; !round; ++result.actions) {
            if (result.actions == kMostAround) return std::nullopt;
            done_.clear();
            machine_.act(result.after, choice, done_);
            if (result.after.launch != state.launch || result.after.groups.size() <= choice.slot ||
                result.after.groups[choice.slot]->id != state.groups[choice.slot]->id ||
                !machine::is_ready(result.after, choice))
                return std::nullopt;
            round = result.after.groups[choice.slot]->warps[choice.warp].pc == warp.pc;
        }
    } catch (const machine::Fault&) {
        return std::nullopt;
    }
    const Group &before = *state.groups[choice.slot], &after = *result.after.groups[choice.slot];
    if (after.warps[choice.warp].exec != warp.exec) return std::nullopt;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp.exec));
    for (const std::uint32_t reg : keys_.liveness(state.launch).before(warp.pc).running) {
        const std::size_t index = register_index(context, choice.warp, reg, lane);
        const std::uint64_t moved = after.registers[index] - before.registers[index];
        if (moved == 0) continue;
        if (moved + 1 > 2) return std::nullopt;  // neither 1 nor -1
        result.counters.push_back({reg, static_cast<std::int64_t>(moved), lang::Number::u32});
    }
    if (result.counters.empty()) return std::nullopt;  // it goes round forever
    return result;
}

// For how many iterations its lanes' comparisons come out as they do now; 0: nobody knows.
std::uint64_t SpinAcceleration::alike(const State& state, const Choice& choice, Round& round) {
    const Context& context = machine_.context(state.launch);
    const Group& group = *state.groups[choice.slot];
    const Warp& warp = group.warps[choice.warp];
    const WaitLoops::Loop& loop = *loops_[context.code]->around(warp.pc);
    const auto mask = [&](std::uint32_t slot) {
        return group.masks[std::size_t{choice.warp} * context.masks + slot];
    };
    // Nobody who waits for the others of the warp to come round.
    for (std::uint32_t pc = loop.first; pc < loop.last; ++pc) {
        const lang::Instruction& instruction = context.code->instructions[pc];
        if (instruction.op == lang::Op::again && mask(instruction.to) != 0) return 0;
    }
    std::optional<std::uint64_t> fewest;
    for_lanes(warp.exec, [&](std::uint32_t lane) {
        if (fewest == 0U) return;
        std::vector<LoopCounter> counters = round.counters;
        const auto iterations = wait_iterations(
            {context, keys_.liveness(state.launch), loop, group, choice.warp, lane}, counters);
        const bool together =
            iterations && (!fewest || counters == round.counters) &&
            std::all_of(iterations->within.begin(), iterations->within.end(),
                        [&](std::uint32_t slot) { return mask(slot) == warp.exec; });
        fewest = together ? std::min(fewest.value_or(iterations->alike), iterations->alike) : 0;
        round.counters = std::move(counters);
    });
    return *fewest;
}

std::optional<SpinAcceleration::Skipped> SpinAcceleration::skip(State& state,
                                                                const Choice& choice) {
    if (!machine::is_ready(state, choice)) return std::nullopt;
    const Context& context = machine_.context(state.launch);
    const Warp& warp = state.groups[choice.slot]->warps[choice.warp];
    if (!loops_[context.code]->around(warp.pc)) return std::nullopt;
    auto round = go_round(state, choice);
    if (!round) return std::nullopt;
    const std::uint64_t all = alike(state, choice, *round);
    const auto lanes = static_cast<std::uint64_t>(std::popcount(warp.exec));
    if (all <= lanes || all > kMostActions / round->actions) return std::nullopt;
    const std::uint64_t count = all - lanes, exec = warp.exec;
    Group& group = state.groups[choice.slot].write();
    for (const LoopCounter& each : round->counters)
        for_lanes(exec, [&](std::uint32_t lane) {
            std::uint64_t& counter =
                group.registers[register_index(context, choice.warp, each.reg, lane)];
            counter = each.after(counter, count);
        });
    return Skipped{count * round->actions, count * (round->after.steps - state.steps)};
}

}  // namespace lab::analysis
