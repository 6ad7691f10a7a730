#include "machine/executor.h"

#include <fmt/format.h>

#include <bit>
#include <type_traits>

#include "lang/value.h"
#include "machine/functions.h"

namespace lab::machine {
namespace {

using lang::Instruction;
using lang::Op;

template <typename T>
T get(std::uint64_t bits) {
    if constexpr (std::is_same_v<T, float>)
        return lang::float_of(bits);
    else if constexpr (std::is_same_v<T, double>)
        return lang::double_of(bits);
    else
        return static_cast<T>(bits);
}
template <typename T>
std::uint64_t put(T value) {
    if constexpr (std::is_floating_point_v<T>)
        return lang::bits_of(value);
    else if constexpr (std::is_signed_v<T>)
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    else
        return value;
}

// Signed integers wrap, as on devices: computed as unsigned ones.
struct Add {
    template <typename T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
        else
            return a + b;
    }
};
struct Sub {
    template <typename T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(std::make_unsigned_t<T>(a) - std::make_unsigned_t<T>(b));
        else
            return a - b;
    }
};
struct Mul {
    template <typename T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(std::make_unsigned_t<T>(a) * std::make_unsigned_t<T>(b));
        else
            return a * b;
    }
};
struct Min {
    template <typename T>
    T operator()(T a, T b) const {
        return b < a ? b : a;
    }
};
struct Max {
    template <typename T>
    T operator()(T a, T b) const {
        return a < b ? b : a;
    }
};
struct Negate {
    template <typename T>
    T operator()(T a, T) const {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(std::make_unsigned_t<T>(0) - std::make_unsigned_t<T>(a));
        else
            return -a;
    }
};
struct ShiftLeft {
    template <typename T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(std::make_unsigned_t<T>(a)
                                  << (static_cast<unsigned>(b) & (sizeof(T) * 8U - 1U)));
        else
            return a;
    }
};
struct ShiftRight {
    template <typename T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(a >> (static_cast<unsigned>(b) & (sizeof(T) * 8U - 1U)));
        else
            return a;
    }
};
struct Divide {
    template <typename T>
    T operator()(T a, T b) const {
        return a / b;
    }
};
struct Equal {
    template <typename T>
    bool operator()(T a, T b) const {
        return a == b;
    }
};
struct Unequal {
    template <typename T>
    bool operator()(T a, T b) const {
        return a != b;
    }
};
struct Less {
    template <typename T>
    bool operator()(T a, T b) const {
        return a < b;
    }
};
struct LessOrEqual {
    template <typename T>
    bool operator()(T a, T b) const {
        return a <= b;
    }
};

}  // namespace

template <bool kLineage>
Executor<kLineage>::Executor(const Surroundings& around, Group& group, std::uint32_t warp)
    : around_(around),
      context_(around.context),
      group_(group),
      warp_(group.warps[warp]),
      warp_index_(warp),
      lanes_(context_.lanes),
      code_(context_.code->instructions.data()),
      own_(group.registers.data() + std::size_t{warp} * context_.registers * lanes_),
      bases_{own_, context_.uniforms.data()},
      masks_(group.masks.data() + std::size_t{warp} * context_.masks),
      exec_(warp_.exec),
      full_(lanes_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes_) - 1),
      pc_(warp_.pc) {
    if constexpr (kLineage) {
        own_nodes_ = group.nodes.data() + std::size_t{warp} * context_.registers * lanes_;
        node_bases_[0] = own_nodes_;
        node_bases_[1] = context_.no_nodes.data();
    }
}

template <bool kLineage>
void Executor<kLineage>::fault(Fault::Kind kind, const Instruction& of, std::uint32_t lane,
                               std::string what, std::string why, std::string hint) const {
    throw Fault{kind,
                std::move(what),
                std::move(why),
                std::move(hint),
                context_.code->place(of),
                context_.launch,
                item(lane)};
}

// Whether nobody has told of this place yet; counts it if so.
template <bool kLineage>
bool Executor<kLineage>::is_news(const Instruction& of) {
    if (around_.findings == nullptr) return false;
    const lang::Place& place = context_.code->place(of);
    for (Finding& known : *around_.findings)
        if (known.place == place && known.launch == context_.launch) {
            ++known.count;
            return false;
        }
    return true;
}

template <bool kLineage>
void Executor<kLineage>::find(const Instruction& of, std::uint32_t lane, std::string what,
                              std::string hint) {
    around_.findings->push_back({std::move(what), "What it holds then is anything", std::move(hint),
                                 context_.code->place(of), context_.launch, item(lane), 1});
}

template <bool kLineage>
Node Executor<kLineage>::joined(Node a, Node b) {
    if (a == 0) return b;
    if (b == 0) return a;
    const Node made = around_.lineage->combine(around_.state.next_node, a, b);
    around_.state.next_node = made + 1;
    return made;
}

// The lineage of what `of` just computed.
template <bool kLineage>
void Executor<kLineage>::carry(const Instruction& of) {
    const Node* a = nodes_in(of.a);
    const Node* b = nodes_in(of.b);
    const Node* c = nodes_in(of.c);
    Node* to = nodes_out(of.to);
    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        to[lane] = joined(joined(a[lane], b[lane]), c[lane]);
    }
}

template <bool kLineage>
template <typename T, typename F>
void Executor<kLineage>::two(const Instruction& of, F f) {
    raw(of, [f](std::uint64_t a, std::uint64_t b) { return put<T>(f(get<T>(a), get<T>(b))); });
}

template <bool kLineage>
template <typename T, typename F>
void Executor<kLineage>::compare(const Instruction& of, F f) {
    raw(of,
        [f](std::uint64_t a, std::uint64_t b) { return std::uint64_t{f(get<T>(a), get<T>(b))}; });
}

template <bool kLineage>
template <typename F>
void Executor<kLineage>::raw(const Instruction& of, F f) {
    const std::uint64_t* a = in(of.a);
    const std::uint64_t* b = in(of.b);
    std::uint64_t* to = out(of.to);
    if (lanes_ == 1) {
        to[0] = f(a[0], b[0]);
    } else if (exec_ == full_) {
        for (std::uint32_t lane = 0; lane < lanes_; ++lane)
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

template <bool kLineage>
template <typename T>
void Executor<kLineage>::divide(const Instruction& of, bool rest) {
    const std::uint64_t* b = in(of.b);
    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        if (get<T>(b[lane]) == 0)
            fault(Fault::Kind::division, of, static_cast<std::uint32_t>(lane),
                  fmt::format("Work-item {} divides an integer by zero",
                              item(static_cast<std::uint32_t>(lane))),
                  "What comes of it differs from device to device", "Ask for zero before it");
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
#define LAB_TYPED(how, name, f) \
    case Op::name##_i32: how<std::int32_t>(of, f()); break; \
    case Op::name##_u32: how<std::uint32_t>(of, f()); break; \
    case Op::name##_i64: how<std::int64_t>(of, f()); break; \
    case Op::name##_u64: how<std::uint64_t>(of, f()); break; \
    case Op::name##_f32: how<float>(of, f()); break; \
    case Op::name##_f64: how<double>(of, f()); break;
#define LAB_DIVIDES(name, rest) \
    case Op::name##_i32: divide<std::int32_t>(of, rest); break; \
    case Op::name##_u32: divide<std::uint32_t>(of, rest); break; \
    case Op::name##_i64: divide<std::int64_t>(of, rest); break; \
    case Op::name##_u64: divide<std::uint64_t>(of, rest); break;
// clang-format on

template <bool kLineage>
[[gnu::always_inline]] inline void Executor<kLineage>::step(const Instruction& of) {
    switch (of.op) {
        LAB_TYPED(two, add, Add)
        LAB_TYPED(two, sub, Sub)
        LAB_TYPED(two, mul, Mul)
        LAB_TYPED(two, min, Min)
        LAB_TYPED(two, max, Max)
        LAB_TYPED(two, negate, Negate)
        LAB_TYPED(two, shl, ShiftLeft)
        LAB_TYPED(two, shr, ShiftRight)
        LAB_TYPED(compare, eq, Equal)
        LAB_TYPED(compare, ne, Unequal)
        LAB_TYPED(compare, lt, Less)
        LAB_TYPED(compare, le, LessOrEqual)
        LAB_DIVIDES(div, false)
        LAB_DIVIDES(rem, true)
        case Op::div_f32:
            two<float>(of, Divide());
            break;
        case Op::div_f64:
            two<double>(of, Divide());
            break;
        case Op::and_:
            raw(of, [](std::uint64_t a, std::uint64_t b) { return a & b; });
            break;
        case Op::or_:
            raw(of, [](std::uint64_t a, std::uint64_t b) { return a | b; });
            break;
        case Op::xor_:
            raw(of, [](std::uint64_t a, std::uint64_t b) { return a ^ b; });
            break;
        case Op::complement:
            raw(of, [](std::uint64_t a, std::uint64_t) { return ~a; });
            break;
        case Op::not_:
            raw(of, [](std::uint64_t a, std::uint64_t) { return std::uint64_t{a == 0}; });
            break;
        case Op::truth:
            raw(of, [](std::uint64_t a, std::uint64_t) { return std::uint64_t{a != 0}; });
            break;
        case Op::move:
            raw(of, [](std::uint64_t a, std::uint64_t) { return a; });
            break;
        case Op::wrap: {
            const Scalar type = of.type;
            raw(of, [type](std::uint64_t a, std::uint64_t) { return lang::canonical(type, a); });
            break;
        }
        case Op::offset: {
            const auto scale = of.imm;
            raw(of, [scale](std::uint64_t a, std::uint64_t b) {
                return moved(a, static_cast<std::int64_t>(b * scale));
            });
            break;
        }
        case Op::difference: {
            const auto size = static_cast<std::int64_t>(of.imm);
            raw(of, [size](std::uint64_t a, std::uint64_t b) {
                return static_cast<std::uint64_t>((offset_in(a) - offset_in(b)) / size);
            });
            break;
        }
        default:
            others(of);
    }
    ++pc_;
}

template <bool kLineage>
void Executor<kLineage>::others(const Instruction& of) {
    const auto each = [&](auto value) {
        std::uint64_t* to = out(of.to);
        for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            to[lane] = value(lane);
        }
    };
    if constexpr (kLineage) {
        // Who I am has no lineage; what the register held before may have had one.
        if (of.op >= Op::global_id && of.op <= Op::warp_id && (of.flags & lang::kCarries) != 0)
            for (std::uint64_t left = exec_; left != 0; left &= left - 1)
                nodes_out(of.to)[std::countr_zero(left)] = 0;
    }
    switch (of.op) {
        case Op::convert: {
            const auto rounding = static_cast<Rounding>(of.extra & 0xffU);
            const bool saturate = (of.extra & lang::kSaturate) != 0;
            raw(of, [&](std::uint64_t a, std::uint64_t) {
                return convert(a, of.from, of.type, rounding, saturate);
            });
            break;
        }
        case Op::select: {
            const std::uint64_t* a = in(of.a);
            const std::uint64_t* b = in(of.b);
            const std::uint64_t* c = in(of.c);
            if constexpr (kLineage)
                if ((of.flags & lang::kCarries) != 0)
                    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
                        const int lane = std::countr_zero(left);
                        nodes_out(of.to)[lane] = nodes_in(c[lane] != 0 ? of.a : of.b)[lane];
                    }
            each([&](std::uint32_t lane) { return c[lane] != 0 ? a[lane] : b[lane]; });
            break;
        }
        case Op::pure: {
            const PureFunction function = pure_function(static_cast<lang::Fn>(of.extra), of.type);
            const std::uint64_t* a = in(of.a);
            const std::uint64_t* b = in(of.b);
            const std::uint64_t* c = in(of.c);
            each([&](std::uint32_t lane) { return function(a[lane], b[lane], c[lane]); });
            if constexpr (kLineage)
                if ((of.flags & lang::kCarries) != 0) carry(of);
            break;
        }
        case Op::global_id:
            each([&](std::uint32_t lane) { return item(lane); });
            break;
        case Op::local_id:
            each([&](std::uint32_t lane) { return std::uint64_t{warp_index_} * lanes_ + lane; });
            break;
        case Op::group_id:
            each([&](std::uint32_t) { return std::uint64_t{group_.id}; });
            break;
        case Op::lane_id:
            each([](std::uint32_t lane) { return std::uint64_t{lane}; });
            break;
        case Op::warp_id:
            each([&](std::uint32_t) { return std::uint64_t{warp_index_}; });
            break;
        case Op::undefine:
            each([&](std::uint32_t) { return lang::canonical(of.type, 0xA5A5A5A5A5A5A5A5U); });
            if constexpr (kLineage)
                for (std::uint64_t left = exec_; left != 0; left &= left - 1)
                    nodes_out(of.to)[std::countr_zero(left)] = kUnwritten;
            break;
        case Op::check_defined: {
            const std::uint64_t* defined = in(of.a);
            for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
                if (defined[lane] != 0 || !is_news(of)) continue;
                find(of, lane,
                     fmt::format("Work-item {} reads the variable '{}', which has no value yet",
                                 item(lane), context_.code->undefined_names[of.imm]),
                     "Give it a value where it is declared");
            }
            break;
        }
        case Op::lineage_of_choice:
            // A minimum by a < b ? a : b: both went in.
            if constexpr (kLineage)
                if ((of.flags & lang::kCarries) != 0)
                    for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
                        const int lane = std::countr_zero(left);
                        const Node asked = nodes_in(of.a)[lane];
                        Node& chosen = nodes_out(of.to)[lane];
                        if (asked == 0 || asked == kUnwritten || chosen == 0) continue;
                        const Origin& both = (*around_.lineage)[asked];
                        if (!both.is_input && (both.left == chosen || both.right == chosen))
                            chosen = asked;
                    }
            break;
        case Op::load_private:
        case Op::store_private:
            private_access(of);
            break;
        default:
            break;
    }
}

// Instructions that change which lanes run, and which instruction is next.
template <bool kLineage>
[[gnu::always_inline]] inline void Executor<kLineage>::control(const Instruction& of) {
    const auto truths = [&](std::uint32_t reg) {
        const std::uint64_t* a = in(reg);
        std::uint64_t mask = 0;
        for (std::uint64_t left = exec_; left != 0; left &= left - 1) {
            const int lane = std::countr_zero(left);
            mask |= std::uint64_t{a[lane] != 0} << lane;
        }
        return mask;
    };
    const auto go = [&] { pc_ = exec_ == 0 ? of.target : pc_ + 1; };
    switch (of.op) {
        case Op::jump:
            pc_ = of.target;
            return;
        case Op::if_: {
            const std::uint64_t yes = truths(of.a);
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
            ++pc_;
            return;
        case Op::clear:
            masks_[of.to] = 0;
            ++pc_;
            return;
        case Op::test: {
            const std::uint64_t stay = truths(of.a);
            for (std::uint64_t left = exec_ & ~stay; left != 0; left &= left - 1)
                group_.left[std::size_t{warp_index_} * lanes_ +
                            static_cast<std::size_t>(std::countr_zero(left))] = of.place;
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
            for (std::uint64_t left = exec_; left != 0; left &= left - 1)
                group_.left[std::size_t{warp_index_} * lanes_ +
                            static_cast<std::size_t>(std::countr_zero(left))] = of.place;
            masks_[of.to] |= exec_;
            exec_ = 0;
            pc_ = of.target;
            return;
        case Op::case_: {
            const std::uint64_t* chosen = in(of.a);
            std::uint64_t enters = 0;
            for (std::uint64_t left = masks_[of.to]; left != 0; left &= left - 1) {
                const int lane = std::countr_zero(left);
                enters |= std::uint64_t{chosen[lane] == of.imm} << lane;
            }
            exec_ = of.extra != 0 ? enters : exec_ | enters;
            go();
            return;
        }
        case Op::next_pass:
            if (!context_.code->has_barrier) ++warp_.pass;
            ++pc_;
            return;
        case Op::end:
            ended_ = true;
            return;
        default:
            return;
    }
}

template <bool kLineage>
void Executor<kLineage>::advance() {
    std::uint64_t steps = around_.state.steps;
    for (;;) {
        const Instruction& of = code_[pc_];
        if (lang::is_visible(of.op)) break;
        if (++steps > around_.budget) {
            around_.state.steps = steps;
            warp_.pc = pc_;
            warp_.exec = exec_;
            fault(Fault::Kind::budget, of,
                  exec_ == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(exec_)),
                  "The kernel does not end", "", "");
        }
        if (of.op >= Op::jump) {
            control(of);
            if (ended_) break;
        } else {
            step(of);
        }
    }
    around_.state.steps = steps + 1;
    warp_.pc = pc_;
    warp_.exec = exec_;
    if (ended_) warp_.status = Status::done;
}

template <bool kLineage>
lang::Place Executor<kLineage>::whereabouts(std::uint32_t lane) const {
    const std::uint32_t left = group_.left[std::size_t{warp_index_} * lanes_ + lane];
    if (left != 0) return context_.code->places[left];
    // The innermost branch around here that it did not take.
    for (std::uint32_t at = pc_; at-- > 0;) {
        const Instruction& of = code_[at];
        const bool around = (of.op == Op::if_ || of.op == Op::else_) && of.target > pc_;
        if (around && (masks_[of.to] >> lane & 1U) != 0) return context_.code->place(of);
    }
    return {};
}

template class Executor<false>;
template class Executor<true>;

}  // namespace lab::machine
