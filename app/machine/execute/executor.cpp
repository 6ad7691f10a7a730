#include "machine/execute/executor.h"

#include <fmt/format.h>

#include <bit>

#include "machine/execute/compute.h"

namespace lab::machine {
namespace {

using lang::Instruction;
using lang::Op;

}  // namespace

template <bool kLineage, bool kOneLane>
Executor<kLineage, kOneLane>::Executor(const Surroundings& around, Group& group, std::uint32_t warp)
    : around_(around),
      context_(around.context),
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
void Executor<kLineage, kOneLane>::fault(Fault::Kind kind, const Instruction& of,
                                         std::uint32_t lane, std::string what, std::string why,
                                         std::string hint, Said said) const {
    throw Fault{kind,
                std::move(what),
                std::move(why),
                std::move(hint),
                context_.code->place(of),
                context_.launch,
                item(lane),
                std::move(said)};
}

template <bool kLineage, bool kOneLane>
Node Executor<kLineage, kOneLane>::joined(Node a, Node b) {
    if (a == 0) return b;
    if (b == 0) return a;
    const Node made = around_.lineage->combine(around_.state.next_node, a, b);
    around_.state.next_node = made + 1;
    return made;
}

// The lineage of what `of` just computed.
template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::carry(const Instruction& of) {
    const Node* a = nodes_in(of.a);
    const Node* b = nodes_in(of.b);
    const Node* c = nodes_in(of.c);
    Node* to = nodes_out(of.to);
    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        to[lane] = joined(joined(a[lane], b[lane]), c[lane]);
    }
}

template <bool kLineage, bool kOneLane>
template <typename F>
void Executor<kLineage, kOneLane>::raw(const Instruction& of, F f) {
    const std::uint64_t* a = in(of.a);
    const std::uint64_t* b = in(of.b);
    std::uint64_t* to = out(of.to);
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
        if ((of.flags & lang::kCarries) != 0) carry(of);
}

template <bool kLineage, bool kOneLane>
template <typename T>
void Executor<kLineage, kOneLane>::divide(const Instruction& of, bool rest) {
    const std::uint64_t* b = in(of.b);
    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        if (get<T>(b[lane]) == 0)
            fault(Fault::Kind::division, of, static_cast<std::uint32_t>(lane),
                  fmt::format("Work-item {} divides an integer by zero",
                              item(static_cast<std::uint32_t>(lane))),
                  "What comes of it differs from device to device", "Ask for zero before it",
                  said_of("fault.division",
                          {{"item", std::to_string(item(static_cast<std::uint32_t>(lane)))}}));
    }
    const auto quotient = [rest](T x, T y) -> T {
        if constexpr (std::is_signed_v<T>)
            if (y == -1) return rest ? T(0) : Negate()(x, x);
        return static_cast<T>(rest ? x % y : x / y);
    };
    // Lanes that rest may hold a zero.
    const std::uint64_t* a = in(of.a);
    std::uint64_t* to = out(of.to);
    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        to[lane] = put<T>(quotient(get<T>(a[lane]), get<T>(b[lane])));
    }
    if constexpr (kLineage)
        if ((of.flags & lang::kCarries) != 0) carry(of);
}

// clang-format off
#define LAB_DIVIDES(name, rest) \
    case Op::name##_i32: divide<std::int32_t>(of, rest); break; \
    case Op::name##_u32: divide<std::uint32_t>(of, rest); break; \
    case Op::name##_i64: divide<std::int64_t>(of, rest); break; \
    case Op::name##_u64: divide<std::uint64_t>(of, rest); break;
// clang-format on

template <bool kLineage, bool kOneLane>
inline void Executor<kLineage, kOneLane>::step(const Instruction& of) {
    if (compute(of, [&](auto f) { raw(of, f); })) return;
    switch (of.op) {
        LAB_DIVIDES(div, false)
        LAB_DIVIDES(rem, true)
        default:
            others(of);
    }
}

// Apart from the loop that runs instructions, which is not to grow by what is seldom asked for.
template <bool kLineage, bool kOneLane>
[[gnu::noinline, gnu::cold]] void Executor<kLineage, kOneLane>::tell_branch(const Instruction& of,
                                                                            Branch::Kind kind,
                                                                            std::uint64_t came,
                                                                            std::uint64_t held) {
    around_.flow->branch(context_.launch, of.place, kind, came, held);
}

template <bool kLineage, bool kOneLane>
[[gnu::noinline, gnu::cold]] void Executor<kLineage, kOneLane>::tell_end(std::uint64_t lanes) {
    if (lanes == 0) return;
    around_.flow->ended({around_.state.time, lanes, context_.launch, group_.id, warp_index_,
                         context_.code->has_barrier ? group_.passes : warp_.pass});
}

// Instructions that change which lanes run, and which instruction is next.
template <bool kLineage, bool kOneLane>
inline void Executor<kLineage, kOneLane>::control(const Instruction& of, std::uint32_t& pc) {
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
    const auto go = [&] { pc = exec_ == 0 ? of.target : pc + 1; };
    switch (of.op) {
        case Op::jump:
            pc = of.target;
            return;
        case Op::if_: {
            const std::uint64_t yes = truths(of.a);
            if (around_.flow != nullptr) tell_branch(of, Branch::Kind::condition, exec_, yes);
            masks_[of.to] = exec_;
            masks_[of.to + 1] = exec_ & ~yes;
            exec_ = yes;
            go();
            return;
        }
        case Op::else_:
            exec_ = masks_[of.to + 1];
            go();
            return;
        case Op::join:
            exec_ = masks_[of.to] & ~masks_[of.a] & ~masks_[of.b] & ~masks_[of.c];
            go();
            return;
        case Op::enter:
            masks_[of.to] = exec_;
            masks_[of.a] = 0;
            ++pc;
            return;
        case Op::test: {
            const std::uint64_t stay = truths(of.a);
            if (around_.flow != nullptr) tell_branch(of, Branch::Kind::loop, exec_, stay);
            note_left(exec_ & ~stay, of);
            exec_ = stay;
            go();
            return;
        }
        case Op::again:
            exec_ |= masks_[of.to];
            masks_[of.to] = 0;
            go();
            return;
        case Op::leave:
            note_left(exec_, of);
            if (around_.flow != nullptr && of.to == lang::kReturnSlot) tell_end(exec_);
            masks_[of.to] |= exec_;
            exec_ = 0;
            pc = of.target;
            return;
        case Op::case_: {
            const std::uint64_t* chosen = in(of.a);
            std::uint64_t enters = 0;
            for (std::uint64_t left = masks_[of.to]; left != 0; left &= left - 1) {
                const int lane = std::countr_zero(left);
                enters |= std::uint64_t{chosen[lane] == of.imm} << lane;
            }
            if (around_.flow != nullptr)
                tell_branch(of, Branch::Kind::case_, masks_[of.to], enters);
            exec_ = of.extra != 0 ? enters : exec_ | enters;
            go();
            return;
        }
        case Op::next_pass:
            if (!context_.code->has_barrier) ++warp_.pass;
            warp_.turn = of.imm != 0 ? 0 : warp_.turn + 1;
            ++pc;
            return;
        case Op::fence:
            if (around_.done != nullptr && exec_ != 0)
                add_detail(Detail::Kind::fence, exec_, of.extra, *around_.done,
                           around_.done->parts.size());
            ++pc;
            return;
        case Op::end:
            if (around_.flow != nullptr) tell_end(warp_.live & ~masks_[lang::kReturnSlot]);
            ended_ = true;
            return;
        default:
            return;
    }
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::add_detail(Detail::Kind kind, std::uint64_t lanes,
                                              std::uint16_t flags, Done& done,
                                              std::size_t part) const {
    Detail made;
    made.mask = lanes;
    made.launch = context_.launch;
    made.group = group_.id;
    made.warp = warp_index_;
    made.kind = kind;
    made.flags = static_cast<std::uint8_t>(flags);
    done.add(made, part);
}

template <bool kLineage, bool kOneLane>
void Executor<kLineage, kOneLane>::advance() {
    const Instruction* const code = code_;
    const std::uint64_t budget = around_.budget;
    std::uint64_t steps = around_.state.steps;
    std::uint32_t pc = pc_;
    for (;;) {
        const Instruction& of = code[pc];
        if (lang::is_visible(of.op)) break;
        if (++steps > budget) {
            around_.state.steps = steps;
            warp_.pc = pc;
            warp_.exec = exec_;
            used_up(of);
        }
        if (of.op >= Op::jump) {
            control(of, pc);
            if (ended_) break;
        } else {
            step(of);
            ++pc;
        }
    }
    around_.state.steps = steps + 1;
    warp_.pc = pc_ = pc;
    warp_.exec = exec_;
    if (ended_) warp_.status = Status::done;
}

template <bool kLineage, bool kOneLane>
[[gnu::noinline, gnu::cold]] void Executor<kLineage, kOneLane>::used_up(
    const Instruction& of) const {
    fault(Fault::Kind::budget, of,
          exec_ == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(exec_)), "", "",
          "");  // explain_spin has the words
}

template class Executor<false, false>;
template class Executor<false, true>;
template class Executor<true, false>;
template class Executor<true, true>;

}  // namespace lab::machine
