// What work-items do together: collectives, ballots, atomics with memory orders.
#include "lang/code/lowering.h"
#include "lang/tree/parser.h"

namespace lab::lang {
namespace {

// What memory_order_…, as clang numbers them, makes a fence or an atomic do.
unsigned does_by(unsigned order) {
    const bool acquires = order == 1 || order == 2 || order >= 4;
    return (acquires ? kAcquires : 0U) | (order >= 3 ? kReleases : 0U) |
           (order == 5 ? kSeqCst : 0U);
}

}  // namespace

// `imm` keeps what and how; see machine/collective.
std::uint32_t Lowering::collective_of(const E& expr, std::uint32_t given, std::uint32_t second) {
    const std::uint32_t to = fresh();
    const bool group = expr.known.collective.of == Collective::Of::group;
    emit(group ? Op::group_collective : Op::sub_collective, expr.place);
    last().to = to;
    last().a = given;
    last().b = second;
    if (!expr.operands.empty()) last().type = expr.operands[0]->type->scalar;
    last().extra = static_cast<std::uint16_t>(expr.known.builtin);
    last().imm = static_cast<std::uint64_t>(expr.known.collective.how);
    if (!group && expr.known.collective.uniform) last().flags = kAllLanes;
    if (group) code_.has_barrier = true;
    return to;
}

Registers Lowering::sub_group_barrier(const E& expr) {
    (void)collective_of(expr, constant(0), constant(0));  // all lanes must come
    return fence(expr, kAcquires | kReleases | kTogether);
}

Registers Lowering::collective(const E& expr) {
    const Registers given =
        expr.operands.empty() ? Registers{constant(0)} : value(*expr.operands[0]);
    const std::uint32_t second = expr.operands.size() > 1 ? scalar(*expr.operands[1]) : constant(0);
    Registers result;
    for (const std::uint32_t each : given)
        result.push_back(collective_of(expr, each, second));
    return result;
}

// A ballot is 64 bits: as many as a warp may have lanes. The other half of a uint4 is 0.
Registers Lowering::ballot(const E& expr) {
    const Place& place = expr.place;
    const auto bits = [&](Op op, std::uint32_t a, std::uint32_t b) {
        return operation(op, place, a, b);
    };
    const auto as_vector = [&](std::uint32_t mask) -> Registers {
        return {bits(Op::and_, mask, constant(0xffffffffU)), bits(Op::shr_u64, mask, constant(32)),
                constant(0), constant(0)};
    };
    const auto pure_of = [&](Fn fn, std::uint32_t mask) {
        return pure_operation(fn, Scalar::ulong, place, mask);
    };
    const std::uint32_t all = constant(~std::uint64_t{0});
    const auto lane = [&] { return operation(Op::lane_id, place, 0); };
    // Up to this lane, and all lanes there may be.
    const auto up_to = [&] {
        return bits(Op::shr_u64, all, bits(Op::sub_u64, constant(63), lane()));
    };
    const auto every = [&] {
        const std::uint32_t lanes = uniform(Uniform::Kind::lanes, 0, 0);
        return bits(Op::shr_u64, all, bits(Op::sub_u64, constant(64), lanes));
    };
    const Builtin what = expr.known.builtin;
    switch (what) {
        case Builtin::ballot:
            return as_vector(collective_of(expr, scalar(*expr.operands[0]), constant(0)));
        case Builtin::eq_mask:
            return as_vector(bits(Op::shl_u64, constant(1), lane()));
        case Builtin::le_mask:
            return as_vector(up_to());
        case Builtin::lt_mask:
            return as_vector(bits(Op::shr_u64, up_to(), constant(1)));
        case Builtin::ge_mask:
            return as_vector(bits(Op::and_, bits(Op::shl_u64, all, lane()), every()));
        case Builtin::gt_mask: {
            const std::uint32_t from = bits(Op::shl_u64, all, lane());
            return as_vector(bits(Op::and_, bits(Op::shl_u64, from, constant(1)), every()));
        }
        default:
            break;
    }
    const Registers given = value(*expr.operands[0]);
    const std::uint32_t mask = bits(Op::or_, given[0], bits(Op::shl_u64, given[1], constant(32)));
    const auto bit = [&](std::uint32_t number) {
        return Registers{bits(Op::and_, bits(Op::shr_u64, mask, number), constant(1))};
    };
    switch (what) {
        case Builtin::inverse_ballot:
            return bit(lane());
        case Builtin::ballot_bit_extract:
            return bit(bits(Op::and_, scalar(*expr.operands[1]), constant(63)));
        case Builtin::ballot_bit_count:
            return {pure_of(Fn::popcount, bits(Op::and_, mask, every()))};
        case Builtin::ballot_inclusive_scan:
            return {pure_of(Fn::popcount, bits(Op::and_, mask, up_to()))};
        case Builtin::ballot_exclusive_scan:
            return {pure_of(Fn::popcount,
                            bits(Op::and_, mask, bits(Op::shr_u64, up_to(), constant(1))))};
        case Builtin::ballot_find_lsb:
            return {pure_of(Fn::ctz, mask)};
        default:
            return {bits(Op::sub_u64, constant(63), pure_of(Fn::clz, mask))};
    }
}

// One of a work-item's own scope orders nothing that others see.
void Lowering::emit_fence(std::uint64_t flags, unsigned does, MemoryScope scope,
                          const Place& place) {
    if ((does & (kAcquires | kReleases)) == 0 || scope == MemoryScope::item) return;
    emit(Op::fence, place);
    last().extra = static_cast<std::uint16_t>((flags & 3U) | does | bits_of(scope));
}

std::uint32_t Lowering::atomic_operation(Builtin what, Scalar type, std::uint32_t pointer,
                                         std::uint32_t b, std::uint32_t c, const Place& place,
                                         std::uint64_t order) {
    const std::uint32_t to = fresh();
    emit(Op::atomic, place);
    last().to = to;
    last().a = pointer;
    last().b = b;
    last().c = c;
    last().type = type;
    last().extra = static_cast<std::uint16_t>(what);
    last().imm = order;
    return to;
}

Registers Lowering::ordered_atomic(const E& expr) {
    const Place& place = expr.place;
    const unsigned does = does_by(expr.known.number);
    const Builtin what = expr.known.builtin;
    if (what == Builtin::atomic_fence) return fence(expr, does);
    const unsigned scope = bits_of(expr.known.scope);
    const std::uint32_t pointer = scalar(*expr.operands[0]);
    const Type& target = *expr.operands[0]->type;
    const Scalar type = target.element->scalar;
    if (what == Builtin::atomic_init) {
        store_at(pointer, target.space, type, {scalar(*expr.operands[1])}, place);
        return {};
    }
    if (what == Builtin::atomic_compare_exchange) {
        const std::uint32_t expected = scalar(*expr.operands[1]);
        const std::uint32_t desired = scalar(*expr.operands[2]);
        const Space space = expr.operands[1]->type->space;
        const std::uint32_t wanted = load_at(expected, space, type, 1, place).front();
        const std::uint64_t failed = does_by(expr.known.order_of_failure) | scope;
        const std::uint32_t old =
            atomic_operation(Builtin::atomic_cmpxchg, type, pointer, wanted, desired, place,
                             does | scope | failed << kFailureShift);
        store_at(expected, space, type, {old}, place);
        return {operation(Op::eq_i64, place, old, wanted)};
    }
    const bool flag = what == Builtin::atomic_flag_set || what == Builtin::atomic_flag_clear;
    const std::uint32_t by = flag ? constant(what == Builtin::atomic_flag_set ? 1 : 0)
                             : expr.operands.size() > 1 ? scalar(*expr.operands[1])
                                                        : constant(0);
    const Builtin operation_of = what == Builtin::atomic_flag_set     ? Builtin::atomic_xchg
                                 : what == Builtin::atomic_flag_clear ? Builtin::atomic_store
                                                                      : what;
    const std::uint32_t old =
        atomic_operation(operation_of, type, pointer, by, constant(0), place,
                         does | scope | (operation_of == Builtin::atomic_store ? kStoresOnly : 0U));
    if (what == Builtin::atomic_flag_set) return {operation(Op::truth, place, old)};
    return {old};
}

}  // namespace lab::lang
