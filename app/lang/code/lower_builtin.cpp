// Calls of what OpenCL C brings along.
#include <algorithm>
#include <array>

#include "lang/code/lowering.h"
#include "lang/tree/parser.h"

namespace lab::lang {

std::uint32_t Lowering::pure_operation(Fn fn, Scalar type, const Place& place, std::uint32_t a,
                                       std::uint32_t b, std::uint32_t c) {
    const std::uint32_t to = operation(Op::pure, place, a, b);
    last().c = c;
    last().type = type;
    last().extra = static_cast<std::uint16_t>(fn);
    return to;
}

Registers Lowering::pure(const E& expr, std::optional<std::uint32_t>) {
    std::vector<Registers> given;
    for (const E* each : expr.operands)
        given.push_back(value(*each));
    const Scalar type = expr.operands[0]->type->scalar;
    Registers registers;
    for (std::size_t i = 0; i < expr.type->width; ++i) {
        std::array<std::uint32_t, 3> operands{};
        for (std::size_t k = 0; k < given.size() && k < operands.size(); ++k)
            operands[k] = given[k][i];
        std::uint32_t to =
            pure_operation(expr.known.fn, type, expr.place, operands[0], operands[1], operands[2]);
        if (expr.known.signature == Signature::question && expr.type->is_vector())
            to = operation(Op::negate_i32, expr.place, to);
        registers.push_back(to);
    }
    return registers;
}

Registers Lowering::builtin(const E& expr, std::optional<std::uint32_t> want) {
    switch (expr.known.builtin) {
        case Builtin::pure:
            return pure(expr, want);
        case Builtin::min:
        case Builtin::max: {
            const Registers a = value(*expr.operands[0]), b = value(*expr.operands[1]);
            const Op first = expr.known.builtin == Builtin::min ? Op::min_i32 : Op::max_i32;
            const Op op = static_cast<Op>(static_cast<unsigned>(first) +
                                          static_cast<unsigned>(number_of(expr.type->scalar)));
            if (a.size() > 1) want.reset();
            Registers registers;
            for (std::size_t i = 0; i < a.size(); ++i)
                registers.push_back(operation(op, expr.place, a[i], b[i], want));
            return registers;
        }
        case Builtin::any:
        case Builtin::all:
            return any_or_all(expr);
        case Builtin::select:
            return select(expr);
        case Builtin::shuffle:
        case Builtin::shuffle2:
            return shuffle(expr);
        case Builtin::dot:
        case Builtin::cross:
        case Builtin::length:
        case Builtin::distance:
        case Builtin::normalize:
            return geometric(expr);
        case Builtin::lgamma_r:
        case Builtin::remquo:
        case Builtin::modf:
        case Builtin::fract:
        case Builtin::frexp:
        case Builtin::sincos:
            return two_results(expr);
        case Builtin::barrier:
            return barrier(expr);
        case Builtin::fence:
            return fence(expr, kAcquires | kReleases);
        case Builtin::read_fence:
            return fence(expr, kAcquires);
        case Builtin::write_fence:
            return fence(expr, kReleases);
        case Builtin::sub_group_barrier:
            return sub_group_barrier(expr);
        case Builtin::prefetch:
            return {};
        case Builtin::print:
            return print(expr);
        case Builtin::async_copy:
        case Builtin::async_strided_copy:
            return copy_together(expr);
        case Builtin::wait_events:
            return wait_events(expr);
        case Builtin::vload_half:
        case Builtin::vstore_half:
            return half_memory(expr);
        case Builtin::vload:
        case Builtin::vstore:
            return vector_memory(expr);
        default:
            break;
    }
    if (expr.known.ordered || expr.known.builtin >= Builtin::atomic_init)
        return ordered_atomic(expr);
    if (expr.known.builtin > Builtin::broadcast_first) return ballot(expr);
    if (expr.known.builtin >= Builtin::reduce) return collective(expr);
    if (expr.known.builtin >= Builtin::work_dim &&
        expr.known.builtin <= Builtin::sub_group_local_id)
        return where(expr);
    return atomic(expr);
}

// `does`: kAcquires, kReleases and the like.
Registers Lowering::fence(const E& expr, unsigned does) {
    emit_fence(constant_of(*expr.operands[0]).value_or(3), does, expr.known.scope, expr.place);
    return {};
}

// Nothing but the first component chooses for scalars, the highest bit of each for vectors.
Registers Lowering::select(const E& expr) {
    const Registers no = value(*expr.operands[0]), yes = value(*expr.operands[1]);
    const Registers registers = value(*expr.operands[2]);
    const Type& mask = *expr.operands[2]->type;
    Registers result;
    for (std::size_t i = 0; i < no.size(); ++i) {
        std::uint32_t question = registers[i];
        if (mask.is_vector()) {
            question = operation(Op::wrap, expr.place, question);
            last().type = integer_of(info(mask.scalar).bytes, true);
            question = operation(Op::lt_i64, expr.place, question, constant(0));
        }
        const std::uint32_t to = fresh();
        emit(Op::select, expr.place);
        last().to = to;
        last().a = yes[i];
        last().b = no[i];
        last().c = question;
        result.push_back(to);
    }
    return result;
}

Registers Lowering::any_or_all(const E& expr) {
    const Registers from = value(*expr.operands[0]);
    const Scalar type = integer_of(info(expr.operands[0]->type->scalar).bytes, true);
    std::uint32_t result = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::uint32_t sign = operation(Op::wrap, expr.place, from[i]);
        last().type = type;
        sign = operation(Op::lt_i64, expr.place, sign, constant(0));
        result = i == 0 ? sign
                        : operation(expr.known.builtin == Builtin::any ? Op::or_ : Op::and_,
                                    expr.place, result, sign);
    }
    return {result};
}

Registers Lowering::shuffle(const E& expr) {
    Registers from = value(*expr.operands[0]);
    if (expr.operands.size() == 3) {
        const Registers more = value(*expr.operands[1]);
        from.insert(from.end(), more.begin(), more.end());
    }
    const Registers mask = value(*expr.operands.back());
    Registers registers;
    for (const std::uint32_t each : mask) {
        const std::uint32_t index =
            operation(Op::and_, expr.place, each, constant(from.size() - 1));
        std::uint32_t chosen = operation(Op::move, expr.place, from[0]);
        for (std::size_t i = 1; i < from.size(); ++i) {
            const std::uint32_t same = operation(Op::eq_i64, expr.place, index, constant(i));
            emit(Op::select, expr.place);
            last().to = chosen;
            last().a = from[i];
            last().b = chosen;
            last().c = same;
        }
        registers.push_back(chosen);
    }
    return registers;
}

// One of the sizes and ids that a dimension has.
std::uint32_t Lowering::where_in(Builtin what, std::uint64_t dimension, const Place& place) {
    const auto index = static_cast<std::uint32_t>(dimension);
    const auto id = [&](Op op) {
        const std::uint32_t result = operation(op, place, 0);
        last().imm = dimension;
        return result;
    };
    const bool size =
        what == Builtin::global_size || what == Builtin::local_size || what == Builtin::num_groups;
    if (dimension > kLinear) return constant(size ? 1 : 0);
    switch (what) {
        case Builtin::global_size:
            return uniform(Uniform::Kind::global_size, index, 0);
        case Builtin::local_size:
            return uniform(Uniform::Kind::local_size, index, 0);
        case Builtin::num_groups:
            return uniform(Uniform::Kind::num_groups, index, 0);
        case Builtin::global_id:
            return id(Op::global_id);
        case Builtin::local_id:
            return id(Op::local_id);
        case Builtin::group_id:
            return id(Op::group_id);
        default:
            return uniform(Uniform::Kind::global_offset, index, 0);
    }
}

Registers Lowering::where(const E& expr) {
    const Builtin what = expr.known.builtin;
    switch (what) {
        case Builtin::work_dim:
            return {uniform(Uniform::Kind::work_dim, 0, 0)};
        case Builtin::max_sub_group_size:
            return {uniform(Uniform::Kind::lanes, 0, 0)};
        case Builtin::num_sub_groups:
            return {uniform(Uniform::Kind::warps, 0, 0)};
        case Builtin::sub_group_id:
            return {operation(Op::warp_id, expr.place, 0)};
        case Builtin::sub_group_local_id:
            return {operation(Op::lane_id, expr.place, 0)};
        case Builtin::sub_group_size: {
            // The last warp of a group may be a narrow one.
            const std::uint32_t lanes = uniform(Uniform::Kind::lanes, 0, 0);
            const std::uint32_t warp = operation(Op::warp_id, expr.place, 0);
            const std::uint32_t first = operation(Op::mul_u32, expr.place, warp, lanes);
            const std::uint32_t left = operation(Op::sub_u32, expr.place,
                                                 uniform(Uniform::Kind::group_items, 0, 0), first);
            return {operation(Op::min_u32, expr.place, left, lanes)};
        }
        default:
            break;
    }
    if (expr.operands.empty()) return {where_in(what, kLinear, expr.place)};
    if (const auto dimension = constant_of(*expr.operands[0]))
        return {where_in(what, *dimension < kDimensions ? *dimension : kLinear + 1, expr.place)};
    const std::uint32_t asked = scalar(*expr.operands[0]);
    std::uint32_t chosen = where_in(what, kLinear + 1, expr.place);  // beyond those there are
    for (std::uint64_t dimension = kDimensions; dimension-- > 0;) {
        const std::uint32_t here = where_in(what, dimension, expr.place);
        const std::uint32_t is_it = operation(Op::eq_i64, expr.place, asked, constant(dimension));
        const std::uint32_t to = fresh();
        emit(Op::select, expr.place);
        last().to = to;
        last().a = here;
        last().b = chosen;
        last().c = is_it;
        chosen = to;
    }
    return {chosen};
}

Registers Lowering::vector_memory(const E& expr) {
    const bool load = expr.known.builtin == Builtin::vload;
    Registers given;
    if (!load) given = value(*expr.operands[0]);
    const std::uint32_t by = scalar(*expr.operands[load ? 0 : 1]);
    const E& to = *expr.operands[load ? 1 : 2];
    const Type& element = *to.type->element;
    const auto stride = static_cast<std::int64_t>(element.bytes * expr.known.number);
    const std::uint32_t pointer = offset_pointer(scalar(to), by, stride, expr.place);
    if (load)
        return load_at(pointer, to.type->space, element.scalar, expr.known.number, expr.place);
    store_at(pointer, to.type->space, element.scalar, given, expr.place);
    return {};
}

Registers Lowering::atomic(const E& expr) {
    const std::uint32_t pointer = scalar(*expr.operands[0]);
    std::array<std::uint32_t, 2> operands{};
    for (std::size_t i = 1; i < expr.operands.size() && i < 3; ++i)
        operands[i - 1] = scalar(*expr.operands[i]);
    return {atomic_operation(expr.known.builtin, expr.type->scalar, pointer, operands[0],
                             operands[1], expr.place, kPlainAtomic)};
}

Registers Lowering::two_results(const E& expr) {
    const Registers from = value(*expr.operands[0]);
    Registers other;
    if (expr.operands.size() == 3) other = value(*expr.operands[1]);
    const std::uint32_t pointer = scalar(*expr.operands.back());
    const Scalar type = expr.type->scalar;
    struct Pair {
        Fn result, second;
    };
    const auto pair = [&]() -> Pair {
        switch (expr.known.builtin) {
            case Builtin::modf:
                return {Fn::modf_rest, Fn::modf_whole};
            case Builtin::fract:
                return {Fn::fract, Fn::floor};
            case Builtin::frexp:
                return {Fn::frexp_mantissa, Fn::frexp_exponent};
            case Builtin::lgamma_r:
                return {Fn::lgamma, Fn::lgamma_sign};
            case Builtin::remquo:
                return {Fn::remainder, Fn::remquo_quotient};
            default:
                return {Fn::sin, Fn::cos};
        }
    }();
    Registers registers, second;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const std::uint32_t each = from[i], by = other.empty() ? 0 : other[i];
        second.push_back(pure_operation(pair.second, type, expr.place, each, by));
        registers.push_back(pure_operation(pair.result, type, expr.place, each, by));
    }
    const Type& target = *expr.operands.back()->type;
    store_at(pointer, target.space, target.element->scalar, second, expr.place);
    return registers;
}

}  // namespace lab::lang
