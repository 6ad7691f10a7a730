#include "machine/collectives.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/ranges.h"
#include "machine/job.h"
#include "machine/values.h"

namespace lab::machine {
namespace {

using lang::Builtin;
using lang::Scalar;
using How = lang::Collective::How;

template <typename T>
T combined_of(How how, T a, T b) {
    return how == How::add   ? a + b
           : how == How::mul ? a * b
           : how == How::min ? std::min(a, b)
                             : std::max(a, b);
}

std::uint64_t combined(How how, Scalar type, std::uint64_t a, std::uint64_t b) {
    if (type == Scalar::float_)
        return lang::bits_of(combined_of(how, lang::float_of(a), lang::float_of(b)));
    if (type == Scalar::double_)
        return lang::bits_of(combined_of(how, lang::double_of(a), lang::double_of(b)));
    switch (how) {
        case How::add:
            return lang::canonical(type, a + b);
        case How::mul:
            return lang::canonical(type, a * b);
        case How::and_:
            return a & b;
        case How::or_:
            return a | b;
        case How::xor_:
            return a ^ b;
        default:
            break;
    }
    const bool less = lang::info(type).is_signed
                          ? static_cast<std::int64_t>(b) < static_cast<std::int64_t>(a)
                          : b < a;
    return less == (how == How::min) ? b : a;
}

std::uint64_t identity(How how, Scalar type) {
    if (how == How::add || how == How::or_ || how == How::xor_) return 0;
    if (how == How::and_) return lang::canonical(type, ~std::uint64_t{0});
    if (how == How::mul)
        return type == Scalar::float_    ? lang::bits_of(1.0F)
               : type == Scalar::double_ ? lang::bits_of(1.0)
                                         : 1;
    const bool least = how == How::max;
    if (type == Scalar::float_) return least ? 0xff800000U : 0x7f800000U;
    if (type == Scalar::double_) return least ? 0xfff0000000000000U : 0x7ff0000000000000U;
    const unsigned bits = lang::info(type).bytes * 8U;
    const std::uint64_t all = ~std::uint64_t{0} >> (64U - bits);
    if (!lang::info(type).is_signed) return least ? 0 : all;
    return lang::canonical(type, least ? std::uint64_t{1} << (bits - 1U) : all >> 1U);
}

class Collector {
  public:
    Collector(const lang::Instruction& instruction, std::uint32_t lanes,
              std::vector<Member>& members, State& state, Lineage* lineage)
        : of_(instruction),
          lanes_(lanes),
          how_(static_cast<How>(instruction.imm)),
          members_(members),
          state_(state),
          lineage_(lineage) {}

    void run() {
        const auto what = static_cast<Builtin>(of_.extra);
        switch (what) {
            case Builtin::reduce:
            case Builtin::scan_inclusive:
            case Builtin::scan_exclusive:
                fold(what);
                break;
            case Builtin::vote_any:
            case Builtin::vote_all:
                vote(what == Builtin::vote_all);
                break;
            case Builtin::sub_group_barrier:
                break;
            case Builtin::ballot:
            case Builtin::elect:
            case Builtin::all_equal:
                ask(what);
                break;
            default:
                for (Member& each : members_)
                    take(each, source(what, each));
        }
    }

  private:
    void fold(Builtin what) {
        std::uint64_t sum = identity(how_, of_.type);
        Node node = 0;
        bool first = true;
        for (Member& each : members_) {
            if (what == Builtin::scan_exclusive) give(each, sum, node);
            sum = first ? each.value : combined(how_, of_.type, sum, each.value);
            first = false;
            node = joined(node, each.node);
            if (what == Builtin::scan_inclusive) give(each, sum, node);
        }
        for (Member& each : members_)
            if (what == Builtin::reduce) give(each, sum, node);
    }

    void vote(bool all) {
        bool answer = all;
        for (const Member& each : members_)
            answer = all ? answer && each.value != 0 : answer || each.value != 0;
        for (Member& each : members_)
            each.result = answer ? 1 : 0;
    }

    void ask(Builtin what) {
        std::uint64_t lanes = 0;
        bool equal = true;
        for (const Member& each : members_) {
            if (each.value != 0) lanes |= std::uint64_t{1} << each.lane;
            equal = equal && each.value == members_.front().value;
        }
        for (Member& each : members_)
            each.result = what == Builtin::ballot  ? lanes
                          : what == Builtin::elect ? (&each == &members_.front() ? 1U : 0U)
                                                   : (equal ? 1U : 0U);
    }

    // The lane that a member takes from.
    std::uint64_t source(Builtin what, const Member& own) const {
        const std::uint64_t by = own.second;
        return what == Builtin::sub_shuffle_xor    ? own.lane ^ by
               : what == Builtin::sub_shuffle_up   ? own.lane - by
               : what == Builtin::sub_shuffle_down ? own.lane + by
               : what == Builtin::sub_rotate       ? (own.lane + by) % lanes_
               : what == Builtin::broadcast_first  ? members_.front().lane
                                                   : by;
    }

    // From no member: the user's own.
    void take(Member& to, std::uint64_t lane) {
        to.from = lane;
        const auto found = std::find_if(members_.begin(), members_.end(),
                                        [&](const Member& each) { return each.lane == lane; });
        const Member& source = found != members_.end() ? *found : to;
        give(to, source.value, source.node);
    }

    static void give(Member& to, std::uint64_t result, Node made) {
        to.result = result;
        to.made = made;
    }

    Node joined(Node a, Node b) {
        if (a == 0 || lineage_ == nullptr) return b;
        if (b == 0) return a;
        const Node node = lineage_->combine(state_.next_node, a, b);
        state_.next_node = node + 1;
        return node;
    }

    const lang::Instruction& of_;
    const std::uint32_t lanes_;
    How how_;
    std::vector<Member>& members_;
    State& state_;
    Lineage* lineage_;
};

}  // namespace

void collect(const lang::Instruction& instruction, std::uint32_t lanes,
             std::vector<Member>& members, State& state, Lineage* lineage) {
    Collector(instruction, lanes, members, state, lineage).run();
}

namespace {

using lang::Instruction;
using lang::Op;

// Their registers stay in the nearest cache. Work-items that advance together; more do so in turns,
// with the same result.
constexpr std::uint32_t kMostTogether = 64;
// Instructions that they do together; after these each goes on alone, with the same result.
constexpr std::uint32_t kMostSteps = 256;

// Runs what cannot fault and what nobody sees, for items that stand at one instruction. Where a
// condition holds for some of them only, they go on as two sets.
class Together {
  public:
    Together(const ExecutionContext& execution, Group& group, std::uint32_t first,
             std::uint32_t count)
        : context_(execution.context),
          group_(group),
          first_(first),
          registers_(group.registers.data()),
          masks_(group.masks.data()) {
        std::iota(items_.begin(), items_.begin() + count, first);
        subsets_[0] = {0, count, group.warps[first].pc, 0, true};
        while (open_ > 0)
            run(subsets_[--open_]);
    }

    // Instructions that the item has done.
    std::uint32_t steps(std::uint32_t item) const { return steps_[item - first_]; }
    // Whether it stands before its next action, or has come to its end.
    bool stands(std::uint32_t item) const {
        const Op op = context_.code->instructions[group_.warps[item].pc].op;
        return op == Op::end || lang::is_visible(op);
    }
    // For all items, if each of them stands.
    std::optional<std::uint64_t> all_steps() const {
        return complete_ ? std::optional(all_steps_) : std::nullopt;
    }

  private:
    struct Subset {
        std::uint32_t begin, end;  // of items_
        std::uint32_t pc, steps;
        bool runs;
    };

    void run(Subset start) {
        begin_ = start.begin;
        end_ = start.end;
        pc_ = start.pc;
        runs_ = start.runs;
        for (steps_now_ = start.steps; steps_now_ < kMostSteps; ++steps_now_)
            if (!step(context_.code->instructions[pc_])) break;
        const Op op = context_.code->instructions[pc_].op;
        const bool ended = op == Op::end, stands = ended || lang::is_visible(op);
        steps_now_ += ended ? 2 : stands ? 1 : 0;  // as Executor::advance() counts them
        all_steps_ += std::uint64_t{steps_now_} * (end_ - begin_);
        complete_ = complete_ && stands;
        if (ended) group_.done += end_ - begin_;
        each([&](std::uint32_t item) {
            Warp& warp = group_.warps[item];
            warp.pc = pc_;
            warp.exec = runs_ ? 1 : 0;
            if (stands) warp.status = ended ? Status::done : Status::ready;
            if (stands && !ended) set_ready(group_, item, true);
            steps_[item - first_] = steps_now_;
        });
    }

    template <typename Call>
    void each(Call call) const {
        for (std::uint32_t i = begin_; i < end_; ++i)
            call(items_[i]);
    }

    // An operand of all items, by the row of an item's registers; one that they share has one row.
    struct Operand {
        const std::uint64_t* base;
        std::size_t mask;
        std::uint64_t operator[](std::size_t row) const { return base[row & mask]; }
    };
    Operand in(std::uint32_t reg) const {
        if ((reg & lang::kUniform) != 0)
            return {context_.uniforms.data() + (reg & ~lang::kUniform), 0};
        return {registers_ + reg, ~std::size_t{0}};
    }
    std::size_t row(std::uint32_t item) const { return std::size_t{item} * context_.registers; }
    std::uint64_t& mask(std::uint32_t item, std::uint32_t slot) {
        return masks_[std::size_t{item} * context_.masks + slot];
    }

    template <typename Value>
    void set(const Instruction& instruction, Value value) {
        std::uint64_t* const to = registers_ + instruction.to;
        each([&](std::uint32_t item) { to[row(item)] = value(item); });
        ++pc_;
    }

    // Those for whom it holds run on, the others go to the instruction's target. Asks once for
    // each.
    template <typename RunsOn>
    void branch(const Instruction& instruction, RunsOn runs_on) {
        const auto middle = static_cast<std::uint32_t>(
            std::partition(items_.begin() + begin_, items_.begin() + end_, runs_on) -
            items_.begin());
        runs_ = middle > begin_;
        if (runs_ && middle < end_)
            subsets_[open_++] = {middle, end_, instruction.target, steps_now_ + 1, false};
        if (runs_) end_ = middle;
        pc_ = runs_ ? pc_ + 1 : instruction.target;
    }

    // False: that one is left to an Executor.
    bool step(const Instruction& instruction) {
        if (instruction.op >= Op::jump) return control(instruction);
        const Operand a = in(instruction.a), b = in(instruction.b);
        const auto arithmetic = [&](auto f) {
            set(instruction, [&](std::uint32_t item) { return f(a[row(item)], b[row(item)]); });
        };
        if (compute(instruction, arithmetic)) return true;
        switch (instruction.op) {
            case Op::global_id: {
                const std::uint64_t start = std::uint64_t{group_.id} * context_.local;
                if (context_.plain && instruction.imm % lang::kLinear == 0)
                    set(instruction, [&](std::uint32_t item) { return start + item; });
                else
                    set(instruction, [&](std::uint32_t item) {
                        return context_.global_id(group_.id, item, instruction.imm);
                    });
                return true;
            }
            case Op::local_id:
                if (context_.plain && instruction.imm % lang::kLinear == 0)
                    set(instruction, [](std::uint32_t item) { return std::uint64_t{item}; });
                else
                    set(instruction, [&](std::uint32_t item) {
                        return context_.local_id(item, instruction.imm);
                    });
                return true;
            case Op::group_id: {
                const std::uint64_t id = context_.group_id(group_.id, instruction.imm);
                set(instruction, [&](std::uint32_t) { return id; });
                return true;
            }
            case Op::check_index: {
                bool inside = true;
                each(
                    [&](std::uint32_t item) { inside = inside && a[row(item)] < instruction.imm; });
                if (inside) ++pc_;
                return inside;
            }
            default:
                return false;
        }
    }

    // What Executor::control() does, where a mask is one bit.
    bool control(const Instruction& instruction) {
        const auto holds = [this, a = in(instruction.a)](std::uint32_t item) {
            return a[row(item)] != 0;
        };
        switch (instruction.op) {
            case Op::jump:
                pc_ = instruction.target;
                return true;
            case Op::if_:
                branch(instruction, [&](std::uint32_t item) {
                    mask(item, instruction.to) = 1;
                    mask(item, instruction.to + 1) = holds(item) ? 0 : 1;
                    return holds(item);
                });
                return true;
            case Op::else_:
                branch(instruction,
                       [&](std::uint32_t item) { return mask(item, instruction.to + 1) != 0; });
                return true;
            case Op::join:
                branch(instruction, [&](std::uint32_t item) {
                    return (mask(item, instruction.to) & ~mask(item, instruction.a) &
                            ~mask(item, instruction.b) & ~mask(item, instruction.c)) != 0;
                });
                return true;
            case Op::enter:
                each([&](std::uint32_t item) {
                    mask(item, instruction.to) = runs_ ? 1 : 0;
                    mask(item, instruction.a) = 0;
                });
                ++pc_;
                return true;
            case Op::test:
                branch(instruction, [&](std::uint32_t item) {
                    if (!holds(item)) group_.left[item] = instruction.place;
                    return holds(item);
                });
                return true;
            case Op::again: {
                const bool came = runs_;
                branch(instruction, [&](std::uint32_t item) {
                    return std::exchange(mask(item, instruction.to), 0) != 0 || came;
                });
                return true;
            }
            case Op::leave:
                each([&](std::uint32_t item) {
                    if (runs_) group_.left[item] = instruction.place;
                    mask(item, instruction.to) |= runs_ ? 1U : 0U;
                });
                runs_ = false;
                pc_ = instruction.target;
                return true;
            case Op::next_pass:
                each([&](std::uint32_t item) {
                    Warp& warp = group_.warps[item];
                    if (!context_.code->has_barrier) ++warp.pass;
                    warp.turn = instruction.imm != 0 ? 0 : warp.turn + 1;
                });
                ++pc_;
                return true;
            default:
                return false;
        }
    }

    const Context& context_;
    Group& group_;
    const std::uint32_t first_;
    std::uint64_t* const registers_;
    std::uint64_t* const masks_;
    std::array<std::uint32_t, kMostTogether> items_;  // those of a subset lie side by side
    std::array<std::uint32_t, kMostTogether> steps_;
    std::array<Subset, kMostTogether> subsets_;  // yet to run
    std::uint32_t open_ = 1;
    std::uint64_t all_steps_ = 0;
    bool complete_ = true;
    // The one at hand.
    std::uint32_t begin_ = 0, end_ = 0, pc_ = 0, steps_now_ = 0;
    bool runs_ = true;
};

}  // namespace

template <bool kLineage, bool kOneLane>
void advance_all(const ExecutionContext& execution, Group& group) {
    State& state = execution.state;
    const auto warps = static_cast<std::uint32_t>(group.warps.size());
    const auto advance = [&](std::uint32_t index) {
        Warp& warp = group.warps[index];
        if (warp.status == Status::done) return;
        warp.status = Status::ready;
        Executor<kLineage, kOneLane>(execution, group, index).advance();
        if (warp.status == Status::done)
            ++group.done;
        else
            set_ready(group, index, true);
    };
    for (std::uint32_t first = 0; first < warps; first += kMostTogether) {
        const std::uint32_t count = std::min(kMostTogether, warps - first);
        const bool together = kOneLane && !kLineage && execution.flow == nullptr &&
                              group.done == 0 &&
                              state.steps + std::uint64_t{count} * kMostSteps <= execution.budget;
        if (!together) {
            for (std::uint32_t i = first; i < first + count; ++i)
                advance(i);
            continue;
        }
        const Together sweep(execution, group, first, count);
        if (const auto steps = sweep.all_steps()) {
            state.steps += *steps;
            continue;
        }
        for (std::uint32_t i = first; i < first + count; ++i) {
            state.steps += sweep.steps(i);
            if (!sweep.stands(i)) advance(i);
        }
    }
}

template void advance_all<false, false>(const ExecutionContext&, Group&);
template void advance_all<false, true>(const ExecutionContext&, Group&);
template void advance_all<true, false>(const ExecutionContext&, Group&);
template void advance_all<true, true>(const ExecutionContext&, Group&);

namespace {

constexpr std::uint64_t kMostNumbers = 1'000'000;  // of one asynchronous copy; more are refused

std::uint64_t operand(const Context& context, const Group& group, std::uint64_t item,
                      std::uint32_t reg) {
    return value_in(context, group, item / context.lanes, reg, item % context.lanes);
}

[[noreturn]] void fault(const Context& context, const Group& group, const lang::Place& place,
                        std::uint64_t item, const char* key, std::string what, std::string why,
                        std::string hint) {
    throw Fault{Fault::Kind::copy,
                std::move(what),
                std::move(why),
                std::move(hint),
                place,
                context.launch,
                context.item(group.id, 0, item),
                phrases_of(key, {{"group", context.group_name(group.id)},
                                 {"line", std::to_string(place.line)},
                                 {"item", context.item_name(context.item(group.id, 0, item))}})};
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
                            context.item_name(context.item(group.id, 0, item)),
                            context.code->place(instruction).line,
                            context.item_name(context.item(group.id, 0, 0))),
                "What a group does together, all its work-items must ask for with equal arguments",
                "Compute the arguments from what is the same for the whole group");
    return first;
}

}  // namespace

void check_broadcast(const Context& context, const Group& group, const Instruction& instruction,
                     const std::vector<Member>& members, std::uint64_t first, std::uint64_t size) {
    if (static_cast<Builtin>(instruction.extra) != Builtin::broadcast) return;
    const lang::Place& place = context.code->place(instruction);
    const auto name = [&](const Member& of) {
        return context.item_name(context.item(group.id, 0, first + of.lane));
    };
    const Member& one = members.front();
    for (const Member& each : members)
        if (each.second != one.second)
            fault(context, group, place, first + each.lane, "fault.broadcast_apart",
                  fmt::format("In line {} work-item {} asks for the value of number {}, but "
                              "work-item {} for that of number {}",
                              place.line, name(each), each.second, name(one), one.second),
                  "A broadcast is of one value, so all must ask for the same one",
                  "Compute the number from what is the same for all");
    const bool some =
        instruction.op == Op::sub_collective && (instruction.flags & lang::kAllLanes) == 0;
    if (one.second >= size && !some)
        fault(context, group, place, first + one.lane, "fault.broadcast_none",
              fmt::format("In line {} work-item {} asks for the value of number {}, but there are "
                          "{}",
                          place.line, name(one), one.second, size),
              "Only who makes the call gives a value, and they are counted from 0",
              "Ask for a number below the size of the group, or of the sub-group");
}

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
    return any_of(code, [](const Instruction& each) { return each.op == Op::group_copy; });
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
            context.place(item / context.lanes, instruction.to, item % context.lanes);
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
    const auto rest = std::stable_partition(group.copies.begin(), group.copies.end(),
                                            [&](const Copy& each) { return each.event != event; });
    std::vector<Copy> found(rest, group.copies.end());
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
