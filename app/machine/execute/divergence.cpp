#include "machine/execute/divergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "machine/fault.h"

namespace lab::machine {
namespace {

using lang::Instruction;
using lang::Op;

std::uint64_t first_item(const Context& context, const Group& group, std::uint32_t warp,
                         std::uint64_t mask) {
    return std::uint64_t{group.id} * context.local + std::uint64_t{warp} * context.lanes +
           static_cast<unsigned>(std::countr_zero(mask));
}

std::string items_text(const Context& context, const Group& group, std::uint32_t warp,
                       std::uint64_t mask) {
    const std::string first = context.item_name(first_item(context, group, warp, mask));
    const int count = std::popcount(mask);
    if (count == 1) return fmt::format("work-item {}", first);
    return fmt::format("{} work-items, {} among them,", count, first);
}

std::string place_text(const lang::Place& place) {
    return place.line == 0 ? std::string("elsewhere") : fmt::format("in line {}", place.line);
}

[[noreturn]] void diverged(const Context& context, const Group& group,
                           const Instruction& instruction, const std::string& why,
                           std::uint64_t item, Phrase why_said) {
    const bool call = instruction.op == Op::group_copy || instruction.op == Op::group_wait;
    const lang::Place& place = context.code->place(instruction);
    ProblemPhrases phrases =
        phrases_of(call ? "fault.divergence_call" : "fault.divergence",
                   {{"group", context.group_name(group.id)}, {"line", std::to_string(place.line)}});
    phrases.why = {std::move(why_said)};
    throw Fault{Fault::Kind::divergence,
                fmt::format("Not all work-items of group {} come to the {} in line {}",
                            context.group_name(group.id), call ? "call" : "barrier", place.line),
                why,
                call ? "All work-items of a group must make this call, or none: move it out of the "
                       "condition"
                     : "A barrier must be met by all work-items of a group or by none: move it out "
                       "of the condition, or let all of them come",
                place,
                context.launch,
                item,
                std::move(phrases)};
}

// Of those who wait, and of those who do not come, one each.
Phrase apart(const char* key, const Context& context, std::uint64_t here, std::uint64_t other,
             std::uint32_t line) {
    return {key,
            {{"here", context.item_name(here)},
             {"other", context.item_name(other)},
             {"line", std::to_string(line)}},
            {}};
}

// Where a lane is that does not run.
lang::Place whereabouts(const Context& context, const Group& group, std::uint32_t warp,
                        std::uint32_t lane) {
    const std::uint32_t pc = group.warps[warp].pc;
    // The innermost branch around here that it did not take.
    for (std::uint32_t index = pc; index-- > 0;) {
        const Instruction& instruction = context.code->instructions[index];
        const bool execution =
            (instruction.op == Op::if_ || instruction.op == Op::else_) && instruction.target > pc;
        if (execution &&
            (group.masks[std::size_t{warp} * context.masks + instruction.to] >> lane & 1U) != 0)
            return context.code->place(instruction);
    }
    // None: it left the kernel, or a loop around here.
    const std::uint32_t left = group.left[std::size_t{warp} * context.lanes + lane];
    return left != 0 ? context.code->places[left] : lang::Place();
}

}  // namespace

void check_warp(const Context& context, const Group& group, std::uint32_t index) {
    const Warp& warp = group.warps[index];
    const std::uint64_t missing = warp.live & ~warp.exec;
    if (missing == 0) return;
    const lang::Place other =
        whereabouts(context, group, index, static_cast<std::uint32_t>(std::countr_zero(missing)));
    diverged(context, group, context.code->instructions[warp.pc],
             fmt::format("{} came to it, but {} went another way {}",
                         items_text(context, group, index, warp.exec),
                         items_text(context, group, index, missing), place_text(other)),
             std::uint64_t{group.id} * context.local + std::uint64_t{index} * context.lanes,
             apart(other.line == 0 ? "fault.divergence_elsewhere" : "fault.divergence_way", context,
                   first_item(context, group, index, warp.exec),
                   first_item(context, group, index, missing), other.line));
}

// Whether those who wait in a group where nobody runs do so at one place, all of them.
void check_group(const Context& context, const Group& group) {
    const auto waits = std::find_if(group.warps.begin(), group.warps.end(), [](const Warp& each) {
        return each.status == Status::waiting;
    });
    const auto first = static_cast<std::uint32_t>(waits - group.warps.begin());
    const Instruction& place = context.code->instructions[waits->pc];
    for (std::uint32_t i = 0; i < group.warps.size(); ++i) {
        const Warp& warp = group.warps[i];
        const std::uint64_t item =
            std::uint64_t{group.id} * context.local + std::uint64_t{i} * context.lanes;
        if (warp.status == Status::waiting && warp.pc == waits->pc) continue;
        const std::string waiting = items_text(context, group, first, waits->live);
        const std::string other = items_text(context, group, i, warp.live);
        const auto why = [&](const char* key, std::uint32_t line) {
            return apart(key, context, first_item(context, group, first, waits->live),
                         first_item(context, group, i, warp.live), line);
        };
        if (warp.status == Status::waiting) {
            const lang::Place& there = context.code->place(context.code->instructions[warp.pc]);
            diverged(context, group, place,
                     fmt::format("{} stopped there, but {} stopped at the barrier in line {}",
                                 waiting, other, there.line),
                     item, why("fault.divergence_barrier", there.line));
        }
        const std::uint32_t left = group.left[std::size_t{i} * context.lanes];
        const std::uint32_t line = context.code->places[left].line;
        const std::string where =
            left == 0 ? "came to the end of the kernel"
                      : fmt::format("went another way {}", place_text(context.code->places[left]));
        diverged(context, group, place,
                 fmt::format("{} stopped there, but {} {}", waiting, other, where), item,
                 why(left == 0   ? "fault.divergence_end"
                     : line == 0 ? "fault.divergence_elsewhere"
                                 : "fault.divergence_way",
                     line));
    }
}

}  // namespace lab::machine
