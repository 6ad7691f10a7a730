#include <algorithm>
#include <bit>

#include "lang/code/lowering.h"
#include "lang/code/value.h"
#include "lang/tree/parser.h"

namespace lab::lang {
namespace {

using Kind = Expression::Kind;

bool is_comparison(Operator how) {
    return how >= Operator::eq && how <= Operator::ge;
}

// Whether evaluating it can neither be seen nor go wrong: it may be evaluated though nobody asked.
bool is_harmless(const Expression& of) {
    if (of.depth > 8) return false;
    switch (of.kind) {
        case Kind::constant:
            return true;
        case Kind::variable:
            return of.variable != nullptr && !of.variable->in_memory &&
                   (of.variable->initial != nullptr || of.variable->is_argument);
        case Kind::binary:
            if ((of.operator_ == Operator::div || of.operator_ == Operator::rem) &&
                !of.type->is_floating())
                return false;
            break;
        case Kind::builtin:
            if (of.known.builtin != Builtin::min && of.known.builtin != Builtin::max &&
                !(of.known.builtin >= Builtin::work_dim &&
                  of.known.builtin <= Builtin::sub_group_local_id))
                return false;
            break;
        case Kind::unary:
        case Kind::convert:
        case Kind::swizzle:
        case Kind::logical_and:
        case Kind::logical_or:
        case Kind::conditional:
            break;
        default:
            return false;
    }
    return std::all_of(of.operands.begin(), of.operands.end(),
                       [](const Expression* each) { return is_harmless(*each); });
}

}  // namespace

std::uint32_t Lowering::scalar(const E& of, std::optional<std::uint32_t> want) {
    return value(of, want).front();
}

Registers Lowering::value(const E& of, std::optional<std::uint32_t> want) {
    switch (of.kind) {
        case Kind::constant:
            return {constant(of.bits)};
        case Kind::variable:
            return variable(of);
        case Kind::unary:
            return unary(of, want);
        case Kind::binary:
            return binary(of, want);
        case Kind::logical_and:
        case Kind::logical_or:
            return logical(of);
        case Kind::conditional:
            return conditional(of);
        case Kind::assign:
            return assign(of);
        case Kind::compound:
            return compound(of);
        case Kind::increment:
            return increment(of, true);
        case Kind::dereference:
        case Kind::member:
        case Kind::swizzle:
            if (of.lvalue) return load(location(of), of.place, want);
            if (of.kind == Kind::swizzle) {
                const Registers from = value(*of.operands[0]);
                Registers made;
                for (const std::uint8_t lane : of.lanes)
                    made.push_back(from[lane]);
                return made;
            } else {
                // A member of what a function returned.
                Location at;
                at.type = of.type;
                at.pointer = pointer_to(of);
                at.space = of.space;
                return load(at, of.place, want);
            }
        case Kind::address:
        case Kind::decay:
            return {pointer_to(*of.operands[0])};
        case Kind::offset: {
            const std::uint32_t pointer = scalar(*of.operands[0]);
            const std::uint32_t by = scalar(*of.operands[1]);
            const auto size = static_cast<std::int64_t>(of.type->element->bytes);
            return {offset_pointer(pointer, by, of.minus ? -size : size, of.place)};
        }
        case Kind::difference: {
            const std::uint32_t a = scalar(*of.operands[0]), b = scalar(*of.operands[1]);
            const std::uint32_t to = operation(Op::difference, of.place, a, b, want);
            last().imm = std::max<std::uint64_t>(1, of.operands[0]->type->element->bytes);
            return {to};
        }
        case Kind::build:
            return build(of);
        case Kind::convert:
            return convert(of, want);
        case Kind::reinterpret:
            return reinterpret(of);
        case Kind::call:
            return call(of);
        case Kind::builtin:
            return builtin(of, want);
        case Kind::comma:
            effect(*of.operands[0]);
            if (of.operands.size() == 1) return {};
            return value(*of.operands[1], want);
        case Kind::initializer:
            break;
    }
    stop(of.place, "this cannot be evaluated here");
}

void Lowering::effect(const E& of) {
    if (of.kind == Kind::increment) {
        increment(of, false);
    } else if (of.kind == Kind::comma) {
        for (const E* each : of.operands)
            effect(*each);
    } else if (of.kind == Kind::assign && of.type->is_structure()) {
        const E& from = *of.operands[1];
        const std::uint32_t to = pointer_to(*of.operands[0]);
        copy(*of.type, to, of.operands[0]->space, pointer_to(from), from.space, of.place);
    } else if (of.type->in_registers() || of.type->is_void()) {
        (void)value(of);
    } else if (of.kind == Kind::call) {
        (void)call(of);
    }
}

Registers Lowering::variable(const E& of) {
    if (of.type->is_array() || of.type->is_structure()) return {pointer_to(of)};
    return load(location(of), of.place);
}

Registers Lowering::unary(const E& of, std::optional<std::uint32_t> want) {
    const Registers from = value(*of.operands[0]);
    const Scalar type = of.type->scalar;
    if (from.size() > 1) want.reset();
    Registers made;
    for (const std::uint32_t each : from) {
        const Op op = of.operator_ == Operator::negate ? typed(Op::negate_i32, number_of(type))
                                                       : Op::complement;
        std::uint32_t to = operation(op, of.place, each, 0, want);
        if ((info(type).bytes < 4 || op == Op::complement) && !info(type).floating &&
            type != Scalar::long_ && type != Scalar::ulong) {
            to = operation(Op::wrap, of.place, to, 0, to);
            last().type = type;
        }
        made.push_back(to);
    }
    return made;
}

Registers Lowering::compare(Operator how, const Type& of, const Registers& a, const Registers& b,
                            const Place& place, std::optional<std::uint32_t> want) {
    const Number number = of.is_pointer() ? Number::u64 : number_of(of.scalar);
    const bool swapped = how == Operator::gt || how == Operator::ge;
    const Op op = how == Operator::eq                          ? Op::eq_i32
                  : how == Operator::ne                        ? Op::ne_i32
                  : how == Operator::lt || how == Operator::gt ? Op::lt_i32
                                                               : Op::le_i32;
    if (a.size() > 1) want.reset();
    Registers made;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const std::uint32_t to =
            operation(typed(op, number), place, swapped ? b[i] : a[i], swapped ? a[i] : b[i], want);
        last().flags |= kChooses;
        if (of.is_vector()) operation(Op::negate_i32, place, to, 0, to);
        made.push_back(to);
    }
    return made;
}

std::optional<unsigned> Lowering::exponent_of(std::uint32_t reg) const {
    if ((reg & kUniform) == 0) return std::nullopt;
    const Uniform& of = code_.uniforms[reg & ~kUniform];
    if (of.kind != Uniform::Kind::constant || !std::has_single_bit(of.value)) return std::nullopt;
    return static_cast<unsigned>(std::countr_zero(of.value));
}

Registers Lowering::arithmetic(Operator how, const Type& type, const Registers& a,
                               const Registers& b, const Place& place,
                               std::optional<std::uint32_t> want) {
    static constexpr std::array<Op, 10> kOps{Op::add_i32, Op::sub_i32, Op::mul_i32, Op::div_i32,
                                             Op::rem_i32, Op::shl_i32, Op::shr_i32, Op::and_,
                                             Op::or_,     Op::xor_};
    const Op first = kOps[static_cast<std::size_t>(how)];
    const bool bitwise = first == Op::and_ || first == Op::or_ || first == Op::xor_;
    const bool shifts = how == Operator::shl || how == Operator::shr;
    const bool narrow = !type.is_floating() && info(type.scalar).bytes < 4;
    // An unsigned char or short is shifted and divided as int: its value is not negative.
    const Op op = bitwise ? first : typed(first, number_of(type.scalar));
    if (a.size() > 1) want.reset();
    Registers made;
    const bool plain = is_integer(type.scalar) && !info(type.scalar).is_signed && !narrow;
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::uint32_t count = b[i];
        const auto exponent = exponent_of(count);
        if (plain && exponent && how == Operator::div) {
            made.push_back(operation(typed(Op::shr_i32, number_of(type.scalar)), place, a[i],
                                     constant(*exponent), want));
            continue;
        }
        if (plain && exponent && how == Operator::rem) {
            made.push_back(operation(Op::and_, place, a[i],
                                     constant((std::uint64_t{1} << *exponent) - 1), want));
            continue;
        }
        if (shifts && narrow)
            count = operation(Op::and_, place, count, constant(info(type.scalar).bytes * 8U - 1U));
        std::uint32_t to = operation(op, place, a[i], count, want);
        if (narrow && !bitwise) {
            to = operation(Op::wrap, place, to, 0, to);
            last().type = type.scalar;
        }
        made.push_back(to);
    }
    return made;
}

Registers Lowering::binary(const E& of, std::optional<std::uint32_t> want) {
    const Registers a = value(*of.operands[0]);
    const Registers b = value(*of.operands[1]);
    const Type& type = *of.operands[0]->type;
    if (is_comparison(of.operator_)) {
        const Type& compared = type.is_pointer() ? type : *of.operands[1]->type;
        return compare(of.operator_, compared.is_pointer() ? compared : type, a, b, of.place, want);
    }
    return arithmetic(of.operator_, *of.type, a, b, of.place, want);
}

// a && b, a || b: b only where a does not decide.
Registers Lowering::logical(const E& of) {
    const bool both = of.kind == Kind::logical_and;
    const std::uint32_t first = scalar(*of.operands[0]);
    if (is_harmless(*of.operands[1])) {
        const std::uint32_t left = operation(Op::truth, of.place, first);
        const std::uint32_t second = scalar(*of.operands[1]);
        const std::uint32_t right = operation(Op::truth, of.place, second);
        return {operation(both ? Op::and_ : Op::or_, of.place, left, right, left)};
    }
    const std::uint32_t made = operation(Op::truth, of.place, first);
    const std::uint32_t asks = both ? made : operation(Op::not_, of.place, made);
    const std::uint32_t masks = slot();
    (void)slot();
    const std::size_t branch = emit(Op::if_, of.place);
    last().to = masks;
    last().a = asks;
    const std::uint32_t second = scalar(*of.operands[1]);
    operation(Op::truth, of.place, second, 0, made);
    patch({branch}, here());
    join(masks, of.place);
    return {made};
}

Registers Lowering::conditional(const E& of) {
    const E& question = *of.operands[0];
    const std::uint32_t condition = scalar(question);
    const bool lineage = question.kind == Kind::binary && is_comparison(question.operator_);
    if (of.type->is_structure() || of.type->is_void())
        stop(of.place, "'?' between structures is not supported here", "Write if and else");
    const std::size_t count = of.type->width;
    const Registers made = fresh_registers(count);
    if (is_harmless(*of.operands[1]) && is_harmless(*of.operands[2])) {
        const Registers yes = value(*of.operands[1]), no = value(*of.operands[2]);
        for (std::size_t i = 0; i < count; ++i) {
            emit(Op::select, of.place);
            last().to = made[i];
            last().a = yes[i];
            last().b = no[i];
            last().c = condition;
        }
    } else {
        const std::uint32_t masks = slot();
        (void)slot();
        const std::size_t branch = emit(Op::if_, question.place);
        last().to = masks;
        last().a = condition;
        const Registers yes = value(*of.operands[1]);
        for (std::size_t i = 0; i < count; ++i)
            move(made[i], yes[i], of.place);
        patch({branch}, here());
        const std::size_t other = emit(Op::else_, question.place);
        last().to = masks;
        const Registers no = value(*of.operands[2]);
        for (std::size_t i = 0; i < count; ++i)
            move(made[i], no[i], of.place);
        patch({other}, here());
        join(masks, of.place);
    }
    if (lineage && count == 1 && of.type->is_scalar()) {
        emit(Op::lineage_of_choice, of.place);
        last().to = made[0];
        last().a = condition;
    }
    return made;
}

Registers Lowering::assign(const E& of) {
    const E& to = *of.operands[0];
    if (of.type->is_structure()) {
        effect(of);
        return {pointer_to(to)};
    }
    // A plain variable: its value is computed into its register.
    if (to.kind == Kind::variable && !to.variable->in_memory) {
        const Storage own = storage(*to.variable);
        const bool one = own.registers.size() == 1;
        const Registers given =
            value(*of.operands[1], one ? std::optional(own.registers[0]) : std::nullopt);
        store(location(to), given, to.place);
        return own.registers;
    }
    const Location place = location(to);
    const Registers given = value(*of.operands[1]);
    store(place, given, to.place);
    return given;
}

Registers Lowering::compound(const E& of) {
    const E& to = *of.operands[0];
    const Location place = location(to);
    // C reads the variable after the other operand is evaluated; only another's write could tell.
    const Registers by = value(*of.operands[1]);
    Registers before = load(place, to.place);
    Registers made;
    if (of.type->is_pointer()) {
        const auto size = static_cast<std::int64_t>(of.type->element->bytes);
        made = {offset_pointer(before[0], by[0], of.operator_ == Operator::sub ? -size : size,
                               of.place)};
    } else {
        const Scalar own = of.type->scalar, computes = of.compute->scalar;
        for (std::uint32_t& each : before)
            each = converted(each, own, computes, of.place, 0, {});
        // A plain variable is computed in place.
        std::optional<std::uint32_t> want;
        if (place.registers.size() == 1 && own == computes) want = place.registers[0];
        made = arithmetic(of.operator_, *of.compute, before, by, of.place, want);
        for (std::uint32_t& each : made)
            each = converted(each, computes, own, of.place, 0, {});
    }
    store(place, made, to.place);
    return made;
}

Registers Lowering::increment(const E& of, bool used) {
    const E& to = *of.operands[0];
    const Location place = location(to);
    Registers before = load(place, to.place);
    if (used && !of.prefix && !place.registers.empty()) {
        Registers kept;
        for (const std::uint32_t each : before)
            kept.push_back(operation(Op::move, of.place, each));
        before = kept;
    }
    Registers made;
    if (of.type->is_pointer()) {
        const auto size = static_cast<std::int64_t>(of.type->element->bytes);
        made = {offset_pointer(before[0], constant(1), of.minus ? -size : size, of.place)};
    } else {
        const Scalar type = of.type->scalar;
        const std::uint64_t one = type == Scalar::float_    ? bits_of(1.0F)
                                  : type == Scalar::double_ ? bits_of(1.0)
                                                            : 1;
        const Registers by(before.size(), constant(one));
        // A plain variable in a register is counted in place.
        std::optional<std::uint32_t> want;
        if (place.registers.size() == 1 && info(type).bytes >= 4) want = place.registers[0];
        if (type == Scalar::bool_)
            made = {constant(of.minus ? 0 : 1)};
        else
            made = arithmetic(of.minus ? Operator::sub : Operator::add, *of.type, before, by,
                              of.place, want);
    }
    store(place, made, to.place);
    return of.prefix || !used ? made : before;
}

}  // namespace lab::lang
