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

constexpr int kMostNamed = 4;

std::string items_text(const Context& context, const Group& group, std::uint32_t warp,
                       std::uint64_t mask) {
    const int count = std::popcount(mask);
    const std::string first = context.item_name(first_item(context, group, warp, mask));
    if (count == 1) return fmt::format("work-item {}", first);
    if (count > kMostNamed) return fmt::format("{} work-items, {} among them,", count, first);
    std::string text = "work-items " + first;
    for (std::uint64_t left = mask & (mask - 1); left != 0; left &= left - 1)
        text += ((left & (left - 1)) == 0 ? " and " : ", ") +
                context.item_name(first_item(context, group, warp, left));
    return text;
}

std::string place_text(const lang::Place& place) {
    return place.line == 0 ? std::string("elsewhere") : fmt::format("in line {}", place.line);
}

// What not all come to, as a message names it: its key, and the words in English.
struct Meeting {
    const char* key;
    const char* name;
    const char* hint;
};
constexpr Meeting kBarrier{
    "fault.divergence", "barrier",
    "A barrier must be met by all work-items of a group or by none: move it out of the condition, "
    "or let all of them come"};
constexpr Meeting kGroupCall{
    "fault.divergence_call", "call",
    "All work-items of a group must make this call, or none: move it out of the condition"};
constexpr Meeting kSubGroupCall{
    "fault.divergence_sub", "call",
    "All work-items of a sub-group must make this call, or none: move it out of the condition, and "
    "let those with nothing to add bring the neutral element"};

const Meeting& meeting_of(const Instruction& instruction) {
    return instruction.op == Op::barrier          ? kBarrier
           : instruction.op == Op::sub_collective ? kSubGroupCall
                                                  : kGroupCall;
}

[[noreturn]] void diverged(const Context& context, const Group& group, std::uint32_t warp,
                           const Instruction& instruction, const std::string& why,
                           std::uint64_t item, Phrase why_said) {
    const Meeting& meeting = meeting_of(instruction);
    const lang::Place& place = context.code->place(instruction);
    const std::string who =
        (instruction.op == Op::sub_collective ? fmt::format("sub-group {} of ", warp) : "") +
        fmt::format("group {}", context.group_name(group.id));
    ProblemPhrases phrases = phrases_of(meeting.key, {{"group", context.group_name(group.id)},
                                                      {"sub", std::to_string(warp)},
                                                      {"line", std::to_string(place.line)}});
    phrases.why = {std::move(why_said)};
    throw Fault{Fault::Kind::divergence,
                fmt::format("Not all work-items of {} come to the {} in line {}", who, meeting.name,
                            place.line),
                why,
                meeting.hint,
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
    diverged(context, group, index, context.code->instructions[warp.pc],
             fmt::format("{} came to it, but {} went another way {}",
                         items_text(context, group, index, warp.exec),
                         items_text(context, group, index, missing), place_text(other)),
             std::uint64_t{group.id} * context.local + std::uint64_t{index} * context.lanes,
             apart(other.line == 0 ? "fault.divergence_elsewhere" : "fault.divergence_way", context,
                   first_item(context, group, index, warp.exec),
                   first_item(context, group, index, missing), other.line));
}

void check_source(const Context& context, const Group& group, std::uint32_t index,
                  std::uint32_t lane, std::uint64_t from) {
    const Warp& warp = group.warps[index];
    const std::uint64_t source = std::uint64_t{1} << from;
    if ((warp.exec & source) != 0) return;
    const lang::Place other = whereabouts(context, group, index, static_cast<std::uint32_t>(from));
    const std::uint64_t here = first_item(context, group, index, std::uint64_t{1} << lane);
    const std::uint64_t there = first_item(context, group, index, source);
    const Instruction& instruction = context.code->instructions[warp.pc];
    const lang::Place& place = context.code->place(instruction);
    ProblemPhrases phrases = phrases_of("fault.absent", {{"here", context.item_name(here)},
                                                         {"other", context.item_name(there)},
                                                         {"line", std::to_string(place.line)}});
    phrases.why = {apart(other.line == 0 ? "fault.divergence_elsewhere" : "fault.divergence_way",
                         context, here, there, other.line)};
    throw Fault{
        Fault::Kind::divergence,
        fmt::format("Work-item {} takes the value of work-item {}, which does not come to line {}",
                    context.item_name(here), context.item_name(there), place.line),
        fmt::format("work-item {} came to it, but work-item {} went another way {}",
                    context.item_name(here), context.item_name(there), place_text(other)),
        "Only who makes the call gives a value: let the other one make it, too, or take from one "
        "that does",
        place,
        context.launch,
        here,
        std::move(phrases)};
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
            const bool barrier = context.code->instructions[warp.pc].op == Op::barrier;
            diverged(context, group, first, place,
                     fmt::format("{} stopped there, but {} stopped at the {} in line {}", waiting,
                                 other, barrier ? "barrier" : "call", there.line),
                     item,
                     why(barrier ? "fault.divergence_barrier" : "fault.divergence_other_call",
                         there.line));
        }
        const std::uint32_t left = group.left[std::size_t{i} * context.lanes];
        const std::uint32_t line = context.code->places[left].line;
        const std::string where =
            left == 0 ? "came to the end of the kernel"
                      : fmt::format("went another way {}", place_text(context.code->places[left]));
        diverged(context, group, first, place,
                 fmt::format("{} stopped there, but {} {}", waiting, other, where), item,
                 why(left == 0   ? "fault.divergence_end"
                     : line == 0 ? "fault.divergence_elsewhere"
                                 : "fault.divergence_way",
                     line));
    }
}

}  // namespace lab::machine
