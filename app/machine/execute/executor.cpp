#include "machine/execute/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "machine/execute/compute.h"

namespace lab::machine {
namespace {

using lang::Instruction;
using lang::Op;

constexpr std::uint64_t kBetweenLooks = 1U << 16U;  // instructions

}  // namespace

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
        if (get<T>(b[lane]) == 0)
            fault(Fault::Kind::division, instruction, static_cast<std::uint32_t>(lane),
                  fmt::format("Work-item {} divides an integer by zero",
                              name(static_cast<std::uint32_t>(lane))),
                  "What comes of it differs from device to device", "Ask for zero before it",
                  phrases_of("fault.division", {{"item", name(static_cast<std::uint32_t>(lane))}}));
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
            if (execution_.done != nullptr && exec_ != 0)
                add_detail(Detail::Kind::fence, exec_, instruction.extra, *execution_.done,
                           execution_.done->parts.size());
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
                                              std::uint32_t flags, Done& done,
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

}  // namespace lab::machine
