#include "machine/execute/copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "machine/fault.h"

namespace lab::machine {
namespace {

using lang::Instruction;
using lang::Op;

constexpr std::uint64_t kMostNumbers = 1'000'000;  // of one copy

std::uint64_t operand(const Context& context, const Group& group, std::uint64_t item,
                      std::uint32_t reg) {
    const std::size_t lanes = context.lanes;
    if ((reg & lang::kUniform) != 0)
        return context.uniforms[std::size_t{reg & ~lang::kUniform} * lanes];
    return group.registers[((item / lanes) * context.registers + reg) * lanes + item % lanes];
}

[[noreturn]] void fault(const Context& context, const Group& group, const lang::Place& place,
                        std::uint64_t item, const char* key, std::string what, std::string why,
                        std::string hint) {
    throw Fault{
        Fault::Kind::copy,
        std::move(what),
        std::move(why),
        std::move(hint),
        place,
        context.launch,
        std::uint64_t{group.id} * context.local + item,
        phrases_of(key,
                   {{"group", context.group_name(group.id)},
                    {"line", std::to_string(place.line)},
                    {"item", context.item_name(std::uint64_t{group.id} * context.local + item)}})};
}

// Of all work-items; a fault if they differ.
std::uint64_t agreed(const Context& context, const Group& group, const Instruction& instruction,
                     std::uint32_t reg) {
    const std::uint64_t first = operand(context, group, 0, reg);
    for (std::uint64_t item = 1; item < context.local; ++item)
        if (operand(context, group, item, reg) != first)
            fault(
                context, group, context.code->place(instruction), item, "fault.disagree",
                fmt::format("Work-item {} comes to line {} with other arguments than work-item {}",
                            context.item_name(std::uint64_t{group.id} * context.local + item),
                            context.code->place(instruction).line,
                            context.item_name(std::uint64_t{group.id} * context.local)),
                "What a group does together, all its work-items must ask for with equal arguments",
                "Compute the arguments from what is the same for the whole group");
    return first;
}

}  // namespace

std::uint32_t fence_flags(const Context& context, const Group& group, std::uint32_t warp,
                          const Instruction& barrier) {
    if ((barrier.extra & lang::kFenceComputed) == 0) return barrier.extra;
    return (operand(context, group, std::uint64_t{warp} * context.lanes, barrier.a) & 3U) |
           (barrier.extra & lang::kScopeBits);
}

std::uint32_t agreed_flags(const Context& context, const Group& group, const Instruction& barrier) {
    if ((barrier.extra & lang::kFenceComputed) == 0) return barrier.extra;
    return (agreed(context, group, barrier, barrier.a) & 3U) | (barrier.extra & lang::kScopeBits);
}

bool copies_in(const Context& context) {
    const std::vector<Instruction>& code = context.code->instructions;
    return std::any_of(code.begin(), code.end(),
                       [](const Instruction& each) { return each.op == Op::group_copy; });
}

Copy copy_at(const Context& context, const Group& group, std::uint32_t warp) {
    const std::uint32_t pc = group.warps[warp].pc;
    const auto given = [&](std::uint32_t number) {
        return operand(context, group, std::uint64_t{warp} * context.lanes,
                       context.code->instructions[pc].a + number);
    };
    Copy copy;
    copy.to = given(0);
    copy.from = given(1);
    copy.elements = given(2);
    copy.stride = std::min(given(3), kMostStride);
    copy.event = given(4);
    copy.instruction = pc;
    return copy;
}

std::uint64_t event_at(const Context& context, const Group& group, std::uint32_t warp) {
    return operand(context, group, std::uint64_t{warp} * context.lanes,
                   context.code->instructions[group.warps[warp].pc].a);
}

void begin_copy(const Context& context, const State& state, Group& group,
                const Instruction& instruction) {
    for (std::uint32_t i = 0; i < lang::kCopyOperands; ++i)
        agreed(context, group, instruction, instruction.a + i);
    Copy copy = copy_at(context, group, 0);
    copy.time = state.time;
    copy.epoch_local = group.epoch_local;
    copy.epoch_global = group.epoch_global;
    if (copy.elements > kMostNumbers / instruction.count)
        fault(context, group, context.code->place(instruction), 0, "fault.copy_long",
              fmt::format("Group {} copies {} elements at once", context.group_name(group.id),
                          copy.elements),
              fmt::format("This machine shows each of them, {} at most", kMostNumbers),
              "Copy fewer elements");
    if (copy.event == 0) copy.event = ++group.events;
    if (copy.event > group.events)
        fault(
            context, group, context.code->place(instruction), 0, "fault.no_event",
            fmt::format("Group {} names an event that there is not", context.group_name(group.id)),
            "An event comes from a copy of the same group", "Pass 0, or an event from a copy");
    for (std::uint64_t item = 0; item < std::uint64_t{context.warps} * context.lanes; ++item) {
        const std::size_t at =
            ((item / context.lanes) * context.registers + instruction.to) * context.lanes +
            item % context.lanes;
        group.registers[at] = copy.event;
        if (!group.nodes.empty()) group.nodes[at] = 0;
    }
    group.copies.push_back(copy);
}

std::vector<Copy> waited_for(const Context& context, Group& group, const Instruction& instruction) {
    const std::uint64_t event = agreed(context, group, instruction, instruction.a);
    if (event == 0 || event > group.events)
        fault(context, group, context.code->place(instruction), 0, "fault.no_event",
              fmt::format("Group {} waits for an event that there is not",
                          context.group_name(group.id)),
              "An event comes from a copy of the same group", "Wait for what a copy returned");
    std::vector<Copy> found;
    const auto rest = std::stable_partition(group.copies.begin(), group.copies.end(),
                                            [&](const Copy& each) { return each.event != event; });
    found.assign(rest, group.copies.end());
    group.copies.erase(rest, group.copies.end());
    return found;
}

void refuse_unfinished(const Context& context, const Group& group) {
    const lang::Place& place =
        context.code->place(context.code->instructions[group.copies.front().instruction]);
    fault(context, group, place, 0, "fault.unfinished_copy",
          fmt::format("Group {} ends, but nobody waited for its copy in line {}",
                      context.group_name(group.id), place.line),
          "Such a copy may never be done, and its event is lost",
          "Call wait_group_events(1, &event) before the end");
}

CopyAccesses::CopyAccesses(const Context& context, const Copy& copy) : copy_(copy) {
    const Instruction& began = context.code->instructions[copy.instruction];
    const bool to_local = began.extra != 0;
    bytes_ = began.imm;
    from_stride_ = to_local ? copy.stride : 1;
    to_stride_ = to_local ? 1 : copy.stride;
    load = began;
    load.op = Op::load;
    load.flags = began.count > 1 ? lang::kAligned : std::uint8_t{0};
    load.extra = static_cast<std::uint16_t>(to_local ? Space::constant : Space::local);
    store = load;
    store.op = Op::store;
    store.extra = static_cast<std::uint16_t>(to_local ? Space::local : Space::global);
}

std::uint64_t CopyAccesses::from(std::uint64_t element) const {
    return moved(copy_.from, static_cast<std::int64_t>(element * from_stride_ * bytes_));
}
std::uint64_t CopyAccesses::to(std::uint64_t element) const {
    return moved(copy_.to, static_cast<std::int64_t>(element * to_stride_ * bytes_));
}

}  // namespace lab::machine
