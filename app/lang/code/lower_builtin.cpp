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

Registers Lowering::pure(const E& of, std::optional<std::uint32_t>) {
    std::vector<Registers> given;
    for (const E* each : of.operands)
        given.push_back(value(*each));
    const Scalar type = of.operands[0]->type->scalar;
    Registers made;
    for (std::size_t i = 0; i < of.type->width; ++i) {
        std::array<std::uint32_t, 3> operands{};
        for (std::size_t k = 0; k < given.size() && k < operands.size(); ++k)
            operands[k] = given[k][i];
        std::uint32_t to =
            pure_operation(of.known.fn, type, of.place, operands[0], operands[1], operands[2]);
        if (of.known.signature == Signature::question && of.type->is_vector())
            to = operation(Op::negate_i32, of.place, to);
        made.push_back(to);
    }
    return made;
}

Registers Lowering::builtin(const E& of, std::optional<std::uint32_t> want) {
    switch (of.known.builtin) {
        case Builtin::pure:
            return pure(of, want);
        case Builtin::min:
        case Builtin::max: {
            const Registers a = value(*of.operands[0]), b = value(*of.operands[1]);
            const Op first = of.known.builtin == Builtin::min ? Op::min_i32 : Op::max_i32;
            const Op op = static_cast<Op>(static_cast<unsigned>(first) +
                                          static_cast<unsigned>(number_of(of.type->scalar)));
            if (a.size() > 1) want.reset();
            Registers made;
            for (std::size_t i = 0; i < a.size(); ++i)
                made.push_back(operation(op, of.place, a[i], b[i], want));
            return made;
        }
        case Builtin::any:
        case Builtin::all:
            return any_or_all(of);
        case Builtin::select:
            return select(of);
        case Builtin::shuffle:
        case Builtin::shuffle2:
            return shuffle(of);
        case Builtin::dot: {
            const Registers a = value(*of.operands[0]), b = value(*of.operands[1]);
            const Number number = number_of(of.type->scalar);
            const auto typed = [number](Op first) {
                return static_cast<Op>(static_cast<unsigned>(first) +
                                       static_cast<unsigned>(number));
            };
            std::uint32_t sum = operation(typed(Op::mul_i32), of.place, a[0], b[0]);
            for (std::size_t i = 1; i < a.size(); ++i) {
                const std::uint32_t product = operation(typed(Op::mul_i32), of.place, a[i], b[i]);
                sum = operation(typed(Op::add_i32), of.place, sum, product);
            }
            return {sum};
        }
        case Builtin::modf:
        case Builtin::fract:
        case Builtin::frexp:
        case Builtin::sincos:
            return two_results(of);
        case Builtin::barrier: {
            const std::uint64_t flags = constant_of(*of.operands[0]).value_or(3);
            emit(Op::barrier, of.place);
            last().extra = static_cast<std::uint16_t>(flags & 3U);
            code_.has_barrier = true;
            return {};
        }
        case Builtin::fence:
            return fence(of, kFenceReads | kFenceWrites);
        case Builtin::read_fence:
            return fence(of, kFenceReads);
        case Builtin::write_fence:
            return fence(of, kFenceWrites);
        case Builtin::sub_group_barrier:
            return {};  // memory here is always in order
        case Builtin::prefetch:
            return {};
        case Builtin::vload:
        case Builtin::vstore:
            return vector_memory(of);
        default:
            break;
    }
    if (of.known.builtin >= Builtin::reduce) return collective(of);
    if (of.known.builtin >= Builtin::work_dim && of.known.builtin <= Builtin::sub_group_local_id)
        return where(of);
    return atomic(of);
}

// `kinds`: kFenceReads, kFenceWrites.
Registers Lowering::fence(const E& of, int kinds) {
    const std::uint64_t flags = constant_of(*of.operands[0]).value_or(3);
    emit(Op::fence, of.place);
    last().extra = static_cast<std::uint16_t>((flags & 3U) | static_cast<unsigned>(kinds));
    return {};
}

// Nothing but the first component chooses for scalars, the highest bit of each for vectors.
Registers Lowering::select(const E& of) {
    const Registers no = value(*of.operands[0]), yes = value(*of.operands[1]);
    const Registers by = value(*of.operands[2]);
    const Type& mask = *of.operands[2]->type;
    Registers made;
    for (std::size_t i = 0; i < no.size(); ++i) {
        std::uint32_t question = by[i];
        if (mask.is_vector()) {
            question = operation(Op::wrap, of.place, question);
            last().type = integer_of(info(mask.scalar).bytes, true);
            question = operation(Op::lt_i64, of.place, question, constant(0));
        }
        const std::uint32_t to = fresh();
        emit(Op::select, of.place);
        last().to = to;
        last().a = yes[i];
        last().b = no[i];
        last().c = question;
        made.push_back(to);
    }
    return made;
}

Registers Lowering::any_or_all(const E& of) {
    const Registers from = value(*of.operands[0]);
    const Scalar type = integer_of(info(of.operands[0]->type->scalar).bytes, true);
    std::uint32_t made = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::uint32_t sign = operation(Op::wrap, of.place, from[i]);
        last().type = type;
        sign = operation(Op::lt_i64, of.place, sign, constant(0));
        made = i == 0 ? sign
                      : operation(of.known.builtin == Builtin::any ? Op::or_ : Op::and_, of.place,
                                  made, sign);
    }
    return {made};
}

Registers Lowering::shuffle(const E& of) {
    Registers from = value(*of.operands[0]);
    if (of.operands.size() == 3) {
        const Registers more = value(*of.operands[1]);
        from.insert(from.end(), more.begin(), more.end());
    }
    const Registers mask = value(*of.operands.back());
    Registers made;
    for (const std::uint32_t each : mask) {
        const std::uint32_t index = operation(Op::and_, of.place, each, constant(from.size() - 1));
        std::uint32_t chosen = operation(Op::move, of.place, from[0]);
        for (std::size_t i = 1; i < from.size(); ++i) {
            const std::uint32_t same = operation(Op::eq_i64, of.place, index, constant(i));
            emit(Op::select, of.place);
            last().to = chosen;
            last().a = from[i];
            last().b = chosen;
            last().c = same;
        }
        made.push_back(chosen);
    }
    return made;
}

Registers Lowering::where(const E& of) {
    const Builtin what = of.known.builtin;
    std::uint32_t made = 0;
    std::uint64_t beyond = 0;  // in the dimensions that there are not
    switch (what) {
        case Builtin::work_dim:
            return {constant(1)};
        case Builtin::global_size:
            made = uniform(Uniform::Kind::global_size, 0, 0);
            beyond = 1;
            break;
        case Builtin::local_size:
            made = uniform(Uniform::Kind::local_size, 0, 0);
            beyond = 1;
            break;
        case Builtin::num_groups:
            made = uniform(Uniform::Kind::num_groups, 0, 0);
            beyond = 1;
            break;
        case Builtin::max_sub_group_size:
            return {uniform(Uniform::Kind::lanes, 0, 0)};
        case Builtin::num_sub_groups:
            return {uniform(Uniform::Kind::warps, 0, 0)};
        case Builtin::global_id:
            made = operation(Op::global_id, of.place, 0);
            break;
        case Builtin::local_id:
            made = operation(Op::local_id, of.place, 0);
            break;
        case Builtin::group_id:
            made = operation(Op::group_id, of.place, 0);
            break;
        case Builtin::sub_group_id:
            return {operation(Op::warp_id, of.place, 0)};
        case Builtin::sub_group_local_id:
            return {operation(Op::lane_id, of.place, 0)};
        case Builtin::sub_group_size: {
            // The last warp of a group may be a narrow one.
            const std::uint32_t lanes = uniform(Uniform::Kind::lanes, 0, 0);
            const std::uint32_t warp = operation(Op::warp_id, of.place, 0);
            const std::uint32_t first = operation(Op::mul_u32, of.place, warp, lanes);
            const std::uint32_t left =
                operation(Op::sub_u32, of.place, uniform(Uniform::Kind::local_size, 0, 0), first);
            return {operation(Op::min_u32, of.place, left, lanes)};
        }
        default:
            return {constant(0)};  // the global offset
    }
    if (of.operands.empty()) return {made};
    const auto dimension = constant_of(*of.operands[0]);
    if (dimension) return {*dimension == 0 ? made : constant(beyond)};
    const std::uint32_t asked = scalar(*of.operands[0]);
    const std::uint32_t to = fresh();
    emit(Op::select, of.place);
    last().to = to;
    last().a = constant(beyond);
    last().b = made;
    last().c = asked;
    return {to};
}

Registers Lowering::vector_memory(const E& of) {
    const bool load = of.known.builtin == Builtin::vload;
    Registers given;
    if (!load) given = value(*of.operands[0]);
    const std::uint32_t by = scalar(*of.operands[load ? 0 : 1]);
    const E& to = *of.operands[load ? 1 : 2];
    const Type& element = *to.type->element;
    const auto stride = static_cast<std::int64_t>(element.bytes * of.known.number);
    const std::uint32_t pointer = offset_pointer(scalar(to), by, stride, of.place);
    if (load) return load_at(pointer, to.type->space, element.scalar, of.known.number, of.place);
    store_at(pointer, to.type->space, element.scalar, given, of.place);
    return {};
}

Registers Lowering::atomic(const E& of) {
    const std::uint32_t pointer = scalar(*of.operands[0]);
    std::array<std::uint32_t, 2> operands{};
    for (std::size_t i = 1; i < of.operands.size() && i < 3; ++i)
        operands[i - 1] = scalar(*of.operands[i]);
    const std::uint32_t to = fresh();
    emit(Op::atomic, of.place);
    last().to = to;
    last().a = pointer;
    last().b = operands[0];
    last().c = operands[1];
    last().type = of.type->scalar;
    last().extra = static_cast<std::uint16_t>(of.known.builtin);
    return {to};
}

// `imm` keeps what and how; see machine/collective.
Registers Lowering::collective(const E& of) {
    const std::uint32_t given = scalar(*of.operands[0]);
    std::uint32_t second = 0;
    if (of.operands.size() > 1) second = scalar(*of.operands[1]);
    const std::uint32_t to = fresh();
    const bool group = of.known.collective.of == Collective::Of::group;
    emit(group ? Op::group_collective : Op::sub_collective, of.place);
    last().to = to;
    last().a = given;
    last().b = second;
    last().type = of.operands[0]->type->scalar;
    last().extra = static_cast<std::uint16_t>(of.known.builtin);
    last().imm = static_cast<std::uint64_t>(of.known.collective.how);
    if (group) code_.has_barrier = true;
    return {to};
}

Registers Lowering::two_results(const E& of) {
    const Registers from = value(*of.operands[0]);
    const std::uint32_t pointer = scalar(*of.operands[1]);
    const Scalar type = of.type->scalar;
    struct Pair {
        Fn result, second;
    };
    const Pair pair = of.known.builtin == Builtin::modf    ? Pair{Fn::count_, Fn::modf_whole}
                      : of.known.builtin == Builtin::fract ? Pair{Fn::fract, Fn::floor}
                      : of.known.builtin == Builtin::frexp
                          ? Pair{Fn::frexp_mantissa, Fn::frexp_exponent}
                          : Pair{Fn::sin, Fn::cos};
    Registers made, second;
    for (const std::uint32_t each : from) {
        second.push_back(pure_operation(pair.second, type, of.place, each));
        if (pair.result != Fn::count_) {
            made.push_back(pure_operation(pair.result, type, of.place, each));
            continue;
        }
        // What is left of it, with its sign also where that is 0.
        const Op op = type == Scalar::float_ ? Op::sub_f32 : Op::sub_f64;
        const std::uint32_t rest = operation(op, of.place, each, second.back());
        made.push_back(pure_operation(Fn::copysign, type, of.place, rest, each));
    }
    const Type& target = *of.operands[1]->type;
    store_at(pointer, target.space, target.element->scalar, second, of.place);
    return made;
}

}  // namespace lab::lang
