#include "machine/executor.h"

#include <fmt/format.h>

#include "machine/values.h"

namespace lab::machine {

using lang::Instruction;
using lang::Op;

constexpr std::uint64_t kBetweenLooks = 1U << 16U;  // instructions

template <bool kLineage, bool kOneLane>
Executor<kLineage, kOneLane>::Executor(const ExecutionContext& execution, Group& group,
                                       std::uint32_t warp)
    : execution_(execution),
      context_(execution.context),
      group_(group),
      warp_(group.warps[warp]),
      warp_index_(warp),
      lanes_(context_.lanes),
      code_(context_.code->instructions.data()),
      own_(group.registers.data() + std::size_t{warp} * context_.registers * lanes()),
      bases_{own_, context_.uniforms.data()},
      masks_(group.masks.data() + std::size_t{warp} * context_.masks),
      exec_(warp_.exec),
      full_(lanes() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes()) - 1),
      pc_(warp_.pc) {
    if constexpr (kLineage) {
        own_nodes_ = group.nodes.data() + std::size_t{warp} * context_.registers * lanes();
        node_bases_[0] = own_nodes_;
        node_bases_[1] = context_.no_nodes.data();
    }
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::fault(Fault::Kind kind, const Instruction& instruction,
                                         std::uint32_t lane, std::string what, std::string why,
                                         std::string hint, ProblemPhrases phrases) const {
    throw Fault{kind,
                std::move(what),
                std::move(why),
                std::move(hint),
                context_.code->place(instruction),
                context_.launch,
                item(lane),
                std::move(phrases)};
}

template <bool kLineage, bool kOneLane>
Node Executor<kLineage, kOneLane>::joined(Node a, Node b) {
    if (a == 0) return b;
    if (b == 0) return a;
    const Node node = execution_.lineage->combine(execution_.state.next_node, a, b);
    execution_.state.next_node = node + 1;
    return node;
}

// The lineage of what `of` just computed.
template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::carry(const Instruction& instruction) {
    const Node* a = nodes_in(instruction.a);
    const Node* b = nodes_in(instruction.b);
    const Node* c = nodes_in(instruction.c);
    Node* to = nodes_out(instruction.to);
    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        to[lane] = joined(joined(a[lane], b[lane]), c[lane]);
    }
}

template <bool kLineage, bool kOneLane>
template <typename F>
void Executor<kLineage, kOneLane>::raw(const Instruction& instruction, F f) {
    const std::uint64_t* a = in(instruction.a);
    const std::uint64_t* b = in(instruction.b);
    std::uint64_t* to = out(instruction.to);
    if constexpr (kOneLane) {
        to[0] = f(a[0], b[0]);
    } else if (exec_ == full_) {
        for (std::uint32_t lane = 0; lane < lanes(); ++lane)
            to[lane] = f(a[lane], b[lane]);
    } else {
        for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
            const int lane = std::countr_zero(left);
            to[lane] = f(a[lane], b[lane]);
        }
    }
    if constexpr (kLineage)
        if ((instruction.flags & lang::kCarries) != 0) carry(instruction);
}

template <bool kLineage, bool kOneLane>
template <typename T>
void Executor<kLineage, kOneLane>::divide(const Instruction& instruction, bool rest) {
    const std::uint64_t* b = in(instruction.b);
    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        if (get<T>(b[lane]) != 0) continue;
        const std::string who = name(static_cast<std::uint32_t>(lane));
        if ((instruction.flags & lang::kAsserts) != 0) {
            const std::string& text = context_.code->prints[instruction.imm].front().text;
            fault(Fault::Kind::assertion, instruction, static_cast<std::uint32_t>(lane),
                  fmt::format("Work-item {} comes to assert({}), which does not hold", who, text),
                  "The text says that this is always so",
                  "Look at the values in it at this step, and where they come from",
                  phrases_of("fault.assertion", {{"item", who}, {"text", text}}));
        }
        fault(Fault::Kind::division, instruction, static_cast<std::uint32_t>(lane),
              fmt::format("Work-item {} divides an integer by zero", who),
              "What it gives differs from device to device", "Test the divisor for zero first",
              phrases_of("fault.division", {{"item", who}}));
    }
    const auto quotient = [rest](T x, T y) -> T {
        if constexpr (std::is_signed_v<T>)
            if (y == -1) return rest ? T(0) : Negate()(x, x);
        return static_cast<T>(rest ? x % y : x / y);
    };
    // Lanes that rest may hold a zero.
    const std::uint64_t* a = in(instruction.a);
    std::uint64_t* to = out(instruction.to);
    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        to[lane] = put<T>(quotient(get<T>(a[lane]), get<T>(b[lane])));
    }
    if constexpr (kLineage)
        if ((instruction.flags & lang::kCarries) != 0) carry(instruction);
}

// clang-format off
#define LAB_DIVIDES(name, rest) \
    case Op::name##_i32: divide<std::int32_t>(instruction, rest); break; \
    case Op::name##_u32: divide<std::uint32_t>(instruction, rest); break; \
    case Op::name##_i64: divide<std::int64_t>(instruction, rest); break; \
    case Op::name##_u64: divide<std::uint64_t>(instruction, rest); break;
// clang-format on

template <bool kLineage, bool kOneLane>
inline void Executor<kLineage, kOneLane>::step(const Instruction& instruction) {
    if (compute(instruction, [&](auto f) { raw(instruction, f); })) return;
    switch (instruction.op) {
        LAB_DIVIDES(div, false)
        LAB_DIVIDES(rem, true)
        default:
            others(instruction);
    }
}

// Apart from the loop that runs instructions, which is not to grow by what is seldom asked for.
template <bool kLineage, bool kOneLane>
[[gnu::noinline, gnu::cold]] void Executor<kLineage, kOneLane>::tell_branch(
    const Instruction& instruction, Branch::Kind kind, std::uint64_t came, std::uint64_t held) {
    execution_.flow->branch(context_.launch, instruction.place, kind, came, held);
}

template <bool kLineage, bool kOneLane>
[[gnu::noinline, gnu::cold]] void Executor<kLineage, kOneLane>::tell_end(std::uint64_t lanes) {
    if (lanes == 0) return;
    execution_.flow->ended({execution_.state.time, lanes, context_.launch, group_.id, warp_index_,
                            context_.code->has_barrier ? group_.passes : warp_.pass});
}

// Masks name apart who meets whom: each is a barrier of its own.
template <bool kLineage, bool kOneLane>
[[gnu::noinline, gnu::cold]] void Executor<kLineage, kOneLane>::tell_fence(
    const Instruction& instruction) {
    for (std::uint64_t left = exec_; left != 0;) {
        const std::uint64_t lanes = (instruction.flags & lang::kNamedLanes) != 0
                                        ? left & in(instruction.a)[std::countr_zero(left)]
                                        : left;
        add_detail(Detail::Kind::fence, lanes, instruction.extra, *execution_.done,
                   execution_.done->parts.size());
        left &= ~lanes;
    }
}

// Instructions that change which lanes run, and which instruction is next.
template <bool kLineage, bool kOneLane>
inline void Executor<kLineage, kOneLane>::control(const Instruction& instruction,
                                                  std::uint32_t& pc) {
    const auto truths = [&](std::uint32_t reg) {
        const std::uint64_t* a = in(reg);
        if constexpr (kOneLane) return a[0] != 0 ? exec_ : 0;
        std::uint64_t mask = 0;
        for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
            const int lane = std::countr_zero(left);
            mask |= std::uint64_t{a[lane] != 0} << lane;
        }
        return mask;
    };
    const auto go = [&] { pc = exec_ == 0 ? instruction.target : pc + 1; };
    switch (instruction.op) {
        case Op::jump:
            pc = instruction.target;
            return;
        case Op::if_: {
            const std::uint64_t yes = truths(instruction.a);
            if (execution_.flow != nullptr)
                tell_branch(instruction, Branch::Kind::condition, exec_, yes);
            masks_[instruction.to] = exec_;
            masks_[instruction.to + 1] = exec_ & ~yes;
            exec_ = yes;
            go();
            return;
        }
        case Op::else_:
            exec_ = masks_[instruction.to + 1];
            go();
            return;
        case Op::join:
            exec_ = masks_[instruction.to] & ~masks_[instruction.a] & ~masks_[instruction.b] &
                    ~masks_[instruction.c];
            go();
            return;
        case Op::enter:
            masks_[instruction.to] = exec_;
            masks_[instruction.a] = 0;
            ++pc;
            return;
        case Op::test: {
            const std::uint64_t stay = truths(instruction.a);
            if (execution_.flow != nullptr)
                tell_branch(instruction, Branch::Kind::loop, exec_, stay);
            note_left(exec_ & ~stay, instruction);
            exec_ = stay;
            go();
            return;
        }
        case Op::again:
            exec_ |= masks_[instruction.to];
            masks_[instruction.to] = 0;
            go();
            return;
        case Op::leave:
            note_left(exec_, instruction);
            if (execution_.flow != nullptr && instruction.to == lang::kReturnSlot) tell_end(exec_);
            masks_[instruction.to] |= exec_;
            exec_ = 0;
            pc = instruction.target;
            return;
        case Op::case_: {
            const std::uint64_t* chosen = in(instruction.a);
            std::uint64_t enters = 0;
            for (std::uint64_t left = masks_[instruction.to]; left != 0; left &= left - 1) {
                const int lane = std::countr_zero(left);
                enters |= std::uint64_t{chosen[lane] == instruction.imm} << lane;
            }
            if (execution_.flow != nullptr)
                tell_branch(instruction, Branch::Kind::case_, masks_[instruction.to], enters);
            exec_ = instruction.extra != 0 ? enters : exec_ | enters;
            go();
            return;
        }
        case Op::next_pass:
            if (!context_.code->has_barrier) ++warp_.pass;
            warp_.turn = instruction.imm != 0 ? 0 : warp_.turn + 1;
            ++pc;
            return;
        case Op::fence:
            if (execution_.done != nullptr) tell_fence(instruction);
            ++pc;
            return;
        case Op::end:
            if (execution_.flow != nullptr) tell_end(warp_.live & ~masks_[lang::kReturnSlot]);
            ended_ = true;
            return;
        default:
            return;
    }
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::add_detail(Detail::Kind kind, std::uint64_t lanes,
                                              std::uint32_t flags, StepResult& done,
                                              std::size_t part) const {
    Detail detail;
    detail.mask = lanes;
    detail.launch = context_.launch;
    detail.group = group_.id;
    detail.warp = warp_index_;
    detail.kind = kind;
    detail.flags = flags;
    done.add(detail, part);
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::advance() {
    const Instruction* const code = code_;
    std::uint64_t steps = execution_.state.steps;
    const std::uint64_t most =
        std::min(execution_.budget, steps + std::min(execution_.most_alone, UINT64_MAX - steps));
    std::uint64_t look = std::min(most, steps + kBetweenLooks);
    std::uint32_t pc = pc_;
    for (;;) {
        const Instruction& instruction = code[pc];
        if (lang::is_visible(instruction.op)) break;
        if (++steps > look) [[unlikely]] {
            execution_.state.steps = steps;
            warp_.pc = pc;
            warp_.exec = exec_;
            look = next_look(steps, most, instruction);
        }
        if (instruction.op >= Op::jump) {
            control(instruction, pc);
            if (ended_) break;
        } else {
            step(instruction);
            ++pc;
        }
    }
    execution_.state.steps = steps + 1;
    warp_.pc = pc_ = pc;
    warp_.exec = exec_;
    if (ended_) warp_.status = Status::done;
}

// Where it looks next: whether that is too many, or someone wants it to stop.
template <bool kLineage, bool kOneLane>
[[gnu::noinline, gnu::cold]] std::uint64_t Executor<kLineage, kOneLane>::next_look(
    std::uint64_t steps, std::uint64_t most, const Instruction& instruction) const {
    const bool stop = execution_.cancel != nullptr && execution_.cancel->load();
    if (stop || steps > most) used_up(instruction);
    return std::min(most, steps + kBetweenLooks);
}

template <bool kLineage, bool kOneLane>
[[gnu::noinline, gnu::cold]] void Executor<kLineage, kOneLane>::used_up(
    const Instruction& instruction) const {
    fault(Fault::Kind::budget, instruction,
          exec_ == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(exec_)), "", "",
          "");  // explain_spin has the words
}

template class Executor<false, false>;
template class Executor<false, true>;
template class Executor<true, false>;
template class Executor<true, true>;

namespace {

std::uint64_t first_item(const Context& context, const Group& group, std::uint32_t warp,
                         std::uint64_t mask) {
    return std::uint64_t{group.id} * context.local + std::uint64_t{warp} * context.lanes +
           static_cast<unsigned>(std::countr_zero(mask));
}

constexpr int kMostNamed = 4;  // work-items that a fault names; of more, the first and their count

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
constexpr Meeting kGridBarrier{
    "fault.divergence_grid", "barrier of the grid",
    "All work-items of all groups must come to it, or none: move it out of the condition, or let "
    "all of them come"};
constexpr Meeting kGroupCall{
    "fault.divergence_call", "call",
    "All work-items of a group must make this call, or none: move it out of the condition"};
// Of those that a mask of CUDA names: they may meet elsewhere than on this machine.
constexpr Meeting kNamedCall{
    "fault.divergence_lanes", "call",
    "Lanes of a warp meet here at one place of the text, and one side of a branch runs before the "
    "other; from compute capability 7.0 on they may also meet at two places, or end first. Make "
    "the call where all that its mask names come together"};
constexpr Meeting kSubGroupCall{
    "fault.divergence_sub", "call",
    "All work-items of a sub-group must make this call, or none: move it out of the condition, and "
    "let those with nothing to add bring the neutral element"};

const Meeting& meeting_of(const Instruction& instruction) {
    return lang::is_of_grid(instruction)                  ? kGridBarrier
           : instruction.op == Op::barrier                ? kBarrier
           : instruction.op != Op::sub_collective         ? kGroupCall
           : (instruction.flags & lang::kNamedLanes) != 0 ? kNamedCall
                                                          : kSubGroupCall;
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
    const bool named = &meeting == &kNamedCall;
    throw Fault{Fault::Kind::divergence,
                named ? fmt::format("Lanes of {} do not come to the call in line {} together, "
                                    "though its mask names them",
                                    who, place.line)
                      : fmt::format("Not all work-items of {} come to the {} in line {}", who,
                                    meeting.name, place.line),
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

// Lanes that rest and have nothing left to do but to end, as those that have returned.
std::uint64_t ended_lanes(const Context& context, const Group& group, std::uint32_t index) {
    const Warp& warp = group.warps[index];
    const std::vector<Instruction>& code = context.code->instructions;
    const std::uint64_t* masks = group.masks.data() + std::size_t{index} * context.masks;
    std::uint64_t ended = masks[lang::kReturnSlot], resumed = warp.exec | ended;
    const auto ends = [](Op op) {
        return op == Op::join || op == Op::next_pass || op == Op::leave || op == Op::end;
    };
    std::size_t last = code.size();  // from here on
    while (last > 0 && ends(code[last - 1].op))
        --last;
    for (std::size_t i = warp.pc; i < code.size(); ++i) {
        const Instruction& each = code[i];
        const std::uint64_t lanes =
            each.op == Op::join ? masks[each.to] & ~masks[each.a] & ~masks[each.b] & ~masks[each.c]
            : each.op == Op::else_                         ? masks[each.to + 1]
            : each.op == Op::again || each.op == Op::case_ ? masks[each.to]
                                                           : 0;
        if (each.op == Op::join && i >= last) ended |= lanes & ~resumed;
        resumed |= lanes;
    }
    return ended;
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

void check_warp(const Context& context, const Group& group, std::uint32_t index,
                std::uint64_t wanted) {
    const Warp& warp = group.warps[index];
    const bool spares_ended =
        context.code->is_cuda && !lang::is_of_grid(context.code->instructions[warp.pc]);
    std::uint64_t missing = wanted & warp.live & ~warp.exec;
    if (missing != 0 && spares_ended) missing &= ~ended_lanes(context, group, index);
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

// Of a lane that there is not, or that makes the call with others.
[[noreturn]] static void refuse_source(const Context& context, const Group& group,
                                       std::uint32_t index, std::uint32_t lane,
                                       std::uint64_t from) {
    const Warp& warp = group.warps[index];
    const std::uint64_t here = first_item(context, group, index, std::uint64_t{1} << lane);
    const lang::Place& place = context.code->place(context.code->instructions[warp.pc]);
    const bool exists = (warp.live >> from & 1U) != 0;
    throw Fault{
        Fault::Kind::divergence,
        fmt::format("Work-item {} takes the value of lane {} in line {}, which {}",
                    context.item_name(here), from, place.line,
                    exists ? "its mask does not name" : "does not exist"),
        "Only a lane that the mask names, and that makes the call, has a value to give",
        exists
            ? "Name both in one mask, or take from one that it names"
            : "Take from one that exists: with fewer lanes than a warp has, begin with a smaller "
              "step, or let the others exist, too",
        place,
        context.launch,
        here,
        phrases_of(exists ? "fault.other_mask" : "fault.no_lane",
                   {{"here", context.item_name(here)},
                    {"lane", std::to_string(from)},
                    {"line", std::to_string(place.line)}})};
}

void check_source(const Context& context, const Group& group, std::uint32_t index,
                  std::uint32_t lane, std::uint64_t from, std::uint64_t together) {
    const Warp& warp = group.warps[index];
    const std::uint64_t source = std::uint64_t{1} << from;
    if ((together & source) != 0) return;
    if (((warp.exec | ~warp.live) & source) != 0) refuse_source(context, group, index, lane, from);
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

void check_named(const Context& context, const Group& group, std::uint32_t index,
                 std::uint32_t lane, std::uint64_t named) {
    check_warp(context, group, index, named);
    if ((named >> lane & 1U) != 0) return;
    const Instruction& instruction = context.code->instructions[group.warps[index].pc];
    const lang::Place& place = context.code->place(instruction);
    const std::uint64_t here = first_item(context, group, index, std::uint64_t{1} << lane);
    throw Fault{
        Fault::Kind::divergence,
        fmt::format("Work-item {} makes the call in line {}, but its mask does not name it",
                    context.item_name(here), place.line),
        "A mask has a bit for each lane that makes the call",
        "Write 0xffffffff where all lanes make it; else take the mask from __ballot_sync before "
        "the branch",
        place,
        context.launch,
        here,
        phrases_of("fault.unnamed",
                   {{"here", context.item_name(here)}, {"line", std::to_string(place.line)}})};
}

void refuse_masks(const Context& context, const Group& group, std::uint32_t index,
                  std::uint32_t lane, std::uint32_t other) {
    const Instruction& instruction = context.code->instructions[group.warps[index].pc];
    const lang::Place& place = context.code->place(instruction);
    const std::uint64_t here = first_item(context, group, index, std::uint64_t{1} << lane);
    const std::string who = context.item_name(here);
    const std::string with =
        context.item_name(first_item(context, group, index, std::uint64_t{1} << other));
    throw Fault{
        Fault::Kind::divergence,
        fmt::format("Work-items {} and {} make the call in line {} with different masks", who, with,
                    place.line),
        "All lanes that a mask names have to give that very mask: else what comes of the call is "
        "undefined",
        "Give one mask in all of them",
        place,
        context.launch,
        here,
        phrases_of("fault.masks",
                   {{"here", who}, {"other", with}, {"line", std::to_string(place.line)}})};
}

const Instruction& waited_at(const Context& context, const Group& group) {
    const auto waits = std::find_if(group.warps.begin(), group.warps.end(), [](const Warp& each) {
        return each.status == Status::waiting;
    });
    return context.code->instructions[waits->pc];
}

void check_groups(const Context& context, const State& state) {
    const Instruction& place = waited_at(context, *state.groups[0]);
    const auto misses = [&](std::uint32_t other, const char* key, const std::string& where,
                            std::uint32_t there) {
        const std::string here = context.group_name(state.groups[0]->id);
        const std::string line = std::to_string(context.code->place(place).line);
        ProblemPhrases phrases = phrases_of("fault.grid", {{"line", line}});
        phrases.why = {{key,
                        {{"here", here},
                         {"other", context.group_name(other)},
                         {"line", std::to_string(there)}},
                        {}}};
        throw Fault{Fault::Kind::divergence,
                    fmt::format("Not all groups come to the barrier of the grid in line {}", line),
                    fmt::format("group {} stopped there, but group {} {}", here,
                                context.group_name(other), where),
                    "All groups must come to it, or none: move it out of the condition, or let all "
                    "of them come",
                    context.code->place(place),
                    context.launch,
                    std::uint64_t{other} * context.local,
                    std::move(phrases)};
    };
    std::uint32_t next = 0;
    for (const Shared<Group>& group : state.groups) {
        if (group->id != next) break;
        ++next;
        const Instruction& other = waited_at(context, *group);
        const std::uint32_t line = context.code->place(other).line;
        if (&other != &place && line == context.code->place(place).line)
            misses(group->id, "fault.grid_again", "stopped at another one of that line", line);
        if (&other != &place)
            misses(group->id, "fault.grid_barrier",
                   fmt::format("stopped at the one in line {}", line), line);
    }
    if (next < context.groups) misses(next, "fault.grid_end", "came to the end of the kernel", 0);
}

// Whether those who wait in a group where nobody runs do so at one place, all of them, in the same
// turn of each loop around it (OpenCL C 3.0, work_group_barrier).
void check_group(const Context& context, const Group& group) {
    const auto waits = std::find_if(group.warps.begin(), group.warps.end(), [](const Warp& each) {
        return each.status == Status::waiting;
    });
    const auto first = static_cast<std::uint32_t>(waits - group.warps.begin());
    const Instruction& place = context.code->instructions[waits->pc];
    const auto turn = [&](std::uint32_t warp) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(group.warps[warp].exec));
        return (place.flags & lang::kInTurns) == 0
                   ? 0
                   : group.registers[(std::size_t{warp} * context.registers + place.c) *
                                         context.lanes +
                                     lane];
    };
    for (std::uint32_t i = 0; i < group.warps.size(); ++i) {
        const Warp& warp = group.warps[i];
        const std::uint64_t item =
            std::uint64_t{group.id} * context.local + std::uint64_t{i} * context.lanes;
        const bool here = warp.status == Status::waiting && warp.pc == waits->pc;
        if (here && turn(i) == turn(first)) continue;
        if (warp.status == Status::done && context.code->is_cuda && !lang::is_of_grid(place))
            continue;
        const std::string waiting = items_text(context, group, first, waits->live);
        const std::string other = items_text(context, group, i, warp.live);
        const auto why = [&](const char* key, std::uint32_t line) {
            return apart(key, context, first_item(context, group, first, waits->live),
                         first_item(context, group, i, warp.live), line);
        };
        if (here)
            diverged(
                context, group, first, place,
                fmt::format("{} stopped there in another turn of a loop than {}", waiting, other),
                item, why("fault.divergence_turn", 0));
        if (warp.status == Status::waiting) {
            const lang::Place& there = context.code->place(context.code->instructions[warp.pc]);
            const lang::Place& own = context.code->place(place);
            const bool barrier = context.code->instructions[warp.pc].op == Op::barrier;
            std::string where = fmt::format("stopped at the {} in line {}",
                                            barrier ? "barrier" : "call", there.line);
            Phrase said = why(barrier ? "fault.divergence_barrier" : "fault.divergence_other_call",
                              there.line);
            if (there.file == own.file && there.line == own.line) {
                // Within a function that is called twice, or a macro.
                const bool one = there.column == own.column;
                where = one ? "came there by another call or macro"
                            : fmt::format("stopped in column {} of that line", there.column);
                said.key = one ? "fault.divergence_again" : "fault.divergence_column";
                said.arguments["column"] = std::to_string(there.column);
            }
            diverged(context, group, first, place,
                     fmt::format("{} stopped there, but {} {}", waiting, other, where), item,
                     std::move(said));
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
