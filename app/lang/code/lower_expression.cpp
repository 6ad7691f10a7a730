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
bool is_harmless(const Expression& expression) {
    if (expression.depth > 8) return false;
    switch (expression.kind) {
        case Kind::constant:
            return true;
        case Kind::variable:
            return expression.variable != nullptr && !expression.variable->in_memory &&
                   (expression.variable->initial != nullptr || expression.variable->is_argument);
        case Kind::binary:
            if ((expression.operator_ == Operator::div || expression.operator_ == Operator::rem) &&
                !expression.type->is_floating())
                return false;
            break;
        case Kind::builtin:
            if (expression.known.builtin != Builtin::min &&
                expression.known.builtin != Builtin::max &&
                !(expression.known.builtin >= Builtin::work_dim &&
                  expression.known.builtin <= Builtin::sub_group_local_id))
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
    return std::all_of(expression.operands.begin(), expression.operands.end(),
                       [](const Expression* each) { return is_harmless(*each); });
}

}  // namespace

std::uint32_t Lowering::scalar(const E& expr, std::optional<std::uint32_t> want) {
    return value(expr, want).front();
}

Registers Lowering::value(const E& expr, std::optional<std::uint32_t> want) {
    switch (expr.kind) {
        case Kind::constant:
            return {constant(expr.bits)};
        case Kind::variable:
            return variable(expr);
        case Kind::unary:
            return unary(expr, want);
        case Kind::binary:
            return binary(expr, want);
        case Kind::logical_and:
        case Kind::logical_or:
            return logical(expr);
        case Kind::conditional:
            return conditional(expr);
        case Kind::assign:
            return assign(expr);
        case Kind::compound:
            return compound(expr);
        case Kind::increment:
            return increment(expr, true);
        case Kind::dereference:
        case Kind::member:
        case Kind::swizzle:
            if (expr.lvalue) return load(location(expr), expr.place, want);
            if (expr.kind == Kind::swizzle) {
                const Registers from = value(*expr.operands[0]);
                Registers registers;
                for (const std::uint8_t lane : expr.lanes)
                    registers.push_back(from[lane]);
                return registers;
            } else {
                // A member of what a function returned.
                Location at;
                at.type = expr.type;
                at.pointer = pointer_to(expr);
                at.alignment = alignment_of(expr);
                at.space = expr.space;
                return load(at, expr.place, want);
            }
        case Kind::address:
        case Kind::decay:
            return {pointer_to(*expr.operands[0], true)};
        case Kind::offset: {
            const std::uint32_t pointer = scalar(*expr.operands[0]);
            const std::uint32_t by = scalar(*expr.operands[1]);
            const auto size = static_cast<std::int64_t>(expr.type->element->bytes);
            return {offset_pointer(pointer, by, expr.minus ? -size : size, expr.place)};
        }
        case Kind::difference: {
            const std::uint32_t a = scalar(*expr.operands[0]), b = scalar(*expr.operands[1]);
            const std::uint32_t to = operation(Op::difference, expr.place, a, b, want);
            last().imm = std::max<std::uint64_t>(1, expr.operands[0]->type->element->bytes);
            return {to};
        }
        case Kind::build:
            return build(expr);
        case Kind::convert:
            return convert(expr, want);
        case Kind::reinterpret:
            return reinterpret(expr);
        case Kind::call:
            return call(expr);
        case Kind::builtin:
            return builtin(expr, want);
        case Kind::statements:
            return statement_expression(expr);
        case Kind::comma:
            effect(*expr.operands[0]);
            if (expr.operands.size() == 1) return {};
            return value(*expr.operands[1], want);
        case Kind::initializer:
            break;
    }
    stop(expr.place, "this cannot be evaluated here");
}

void Lowering::effect(const E& expr) {
    if (expr.kind == Kind::increment) {
        increment(expr, false);
    } else if (expr.kind == Kind::comma) {
        for (const E* each : expr.operands)
            effect(*each);
    } else if (expr.kind == Kind::assign && expr.type->is_structure()) {
        const E& to = *expr.operands[0];
        copy(*expr.operands[1], pointer_to(to), to.space, alignment_of(to), expr.place);
    } else if (expr.type->in_registers() || expr.type->is_void()) {
        (void)value(expr);
    } else if (expr.kind == Kind::call) {
        (void)call(expr);
    }
}

Registers Lowering::unary(const E& expr, std::optional<std::uint32_t> want) {
    const Registers from = value(*expr.operands[0]);
    const Scalar type = expr.type->scalar;
    if (from.size() > 1) want.reset();
    Registers registers;
    for (const std::uint32_t each : from) {
        const Op op = expr.operator_ == Operator::negate ? typed(Op::negate_i32, number_of(type))
                                                         : Op::complement;
        std::uint32_t to = operation(op, expr.place, each, 0, want);
        if ((info(type).bytes < 4 || op == Op::complement) && !info(type).floating &&
            type != Scalar::long_ && type != Scalar::ulong) {
            to = operation(Op::wrap, expr.place, to, 0, to);
            last().type = type;
        }
        registers.push_back(to);
    }
    return registers;
}

Registers Lowering::compare(Operator how, const Type& type, const Registers& a, const Registers& b,
                            const Place& place, std::optional<std::uint32_t> want) {
    const Number number = type.is_pointer() ? Number::u64 : number_of(type.scalar);
    const bool swapped = how == Operator::gt || how == Operator::ge;
    const Op op = how == Operator::eq                          ? Op::eq_i32
                  : how == Operator::ne                        ? Op::ne_i32
                  : how == Operator::lt || how == Operator::gt ? Op::lt_i32
                                                               : Op::le_i32;
    if (a.size() > 1) want.reset();
    Registers registers;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const std::uint32_t to =
            operation(typed(op, number), place, swapped ? b[i] : a[i], swapped ? a[i] : b[i], want);
        last().flags |= kChooses;
        if (type.is_vector()) operation(Op::negate_i32, place, to, 0, to);
        registers.push_back(to);
    }
    return registers;
}

std::optional<unsigned> Lowering::exponent_of(std::uint32_t reg) const {
    if ((reg & kUniform) == 0) return std::nullopt;
    const Uniform& uniform = code_.uniforms[reg & ~kUniform];
    if (uniform.kind != Uniform::Kind::constant || !std::has_single_bit(uniform.value))
        return std::nullopt;
    return static_cast<unsigned>(std::countr_zero(uniform.value));
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
    Registers registers;
    const bool plain = is_integer(type.scalar) && !info(type.scalar).is_signed && !narrow;
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::uint32_t count = b[i];
        const auto exponent = exponent_of(count);
        if (plain && exponent && how == Operator::div) {
            registers.push_back(operation(typed(Op::shr_i32, number_of(type.scalar)), place, a[i],
                                          constant(*exponent), want));
            continue;
        }
        if (plain && exponent && how == Operator::rem) {
            registers.push_back(operation(Op::and_, place, a[i],
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
        registers.push_back(to);
    }
    return registers;
}

Registers Lowering::binary(const E& expr, std::optional<std::uint32_t> want) {
    const Registers a = value(*expr.operands[0]);
    const Registers b = value(*expr.operands[1]);
    const Type& type = *expr.operands[0]->type;
    if (is_comparison(expr.operator_)) {
        const Type& compared = type.is_pointer() ? type : *expr.operands[1]->type;
        return compare(expr.operator_, compared.is_pointer() ? compared : type, a, b, expr.place,
                       want);
    }
    return arithmetic(expr.operator_, *expr.type, a, b, expr.place, want);
}

// a && b, a || b: b only where a does not decide.
Registers Lowering::logical(const E& expr) {
    const bool both = expr.kind == Kind::logical_and;
    const std::uint32_t first = scalar(*expr.operands[0]);
    if (is_harmless(*expr.operands[1])) {
        const std::uint32_t left = operation(Op::truth, expr.place, first);
        const std::uint32_t second = scalar(*expr.operands[1]);
        const std::uint32_t right = operation(Op::truth, expr.place, second);
        return {operation(both ? Op::and_ : Op::or_, expr.place, left, right, left)};
    }
    const std::uint32_t result = operation(Op::truth, expr.place, first);
    const std::uint32_t asks = both ? result : operation(Op::not_, expr.place, result);
    const std::uint32_t masks = slot();
    (void)slot();
    const std::size_t branch = emit(Op::if_, expr.place);
    last().to = masks;
    last().a = asks;
    const std::uint32_t second = scalar(*expr.operands[1]);
    operation(Op::truth, expr.place, second, 0, result);
    patch({branch}, here());
    join(masks, expr.place);
    return {result};
}

Registers Lowering::conditional(const E& expr) {
    const E& question = *expr.operands[0];
    const std::uint32_t condition = scalar(question);
    const bool lineage = question.kind == Kind::binary && is_comparison(question.operator_);
    if (expr.type->is_structure() || expr.type->is_void())
        stop(expr.place, "'?' between structures is not supported here", "Write if and else");
    const std::size_t count = expr.type->width;
    const Registers registers = fresh_registers(count);
    if (is_harmless(*expr.operands[1]) && is_harmless(*expr.operands[2])) {
        const Registers yes = value(*expr.operands[1]), no = value(*expr.operands[2]);
        for (std::size_t i = 0; i < count; ++i) {
            emit(Op::select, expr.place);
            last().to = registers[i];
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
        const Registers yes = value(*expr.operands[1]);
        for (std::size_t i = 0; i < count; ++i)
            move(registers[i], yes[i], expr.place);
        patch({branch}, here());
        const std::size_t other = emit(Op::else_, question.place);
        last().to = masks;
        const Registers no = value(*expr.operands[2]);
        for (std::size_t i = 0; i < count; ++i)
            move(registers[i], no[i], expr.place);
        patch({other}, here());
        join(masks, expr.place);
    }
    if (lineage && count == 1 && expr.type->is_scalar()) {
        emit(Op::lineage_of_choice, expr.place);
        last().to = registers[0];
        last().a = condition;
    }
    return registers;
}

Registers Lowering::assign(const E& expr) {
    const E& to = *expr.operands[0];
    if (expr.type->is_structure()) {
        effect(expr);
        return {pointer_to(to)};
    }
    // A plain variable: its value is computed into its register.
    if (to.kind == Kind::variable && !to.variable->in_memory) {
        const Storage own = storage(*to.variable);
        const bool one = own.registers.size() == 1;
        const Registers given =
            value(*expr.operands[1], one ? std::optional(own.registers[0]) : std::nullopt);
        store(location(to), given, to.place);
        return own.registers;
    }
    const Location place = location(to);
    const Registers given = value(*expr.operands[1]);
    store(place, given, to.place);
    return given;
}

Registers Lowering::compound(const E& expr) {
    const E& to = *expr.operands[0];
    const Location place = location(to);
    // C reads the variable after the other operand is evaluated; only another's write could tell.
    const Registers registers = value(*expr.operands[1]);
    Registers before = load(place, to.place);
    Registers result;
    if (expr.type->is_pointer()) {
        const auto size = static_cast<std::int64_t>(expr.type->element->bytes);
        result = {offset_pointer(before[0], registers[0],
                                 expr.operator_ == Operator::sub ? -size : size, expr.place)};
    } else {
        const Scalar own = expr.type->scalar, computes = expr.compute->scalar;
        for (std::uint32_t& each : before)
            each = converted(each, own, computes, expr.place, 0, {});
        std::optional<std::uint32_t> want;  // a plain variable is computed in place
        if (place.registers.size() == 1 && own == computes) want = place.registers[0];
        result = arithmetic(expr.operator_, *expr.compute, before, registers, expr.place, want);
        for (std::uint32_t& each : result)
            each = converted(each, computes, own, expr.place, 0, {});
    }
    store(place, result, to.place);
    return result;
}

Registers Lowering::increment(const E& expr, bool used) {
    const E& to = *expr.operands[0];
    const Location place = location(to);
    Registers before = load(place, to.place);
    if (used && !expr.prefix && !place.registers.empty()) {
        Registers kept;
        for (const std::uint32_t each : before)
            kept.push_back(operation(Op::move, expr.place, each));
        before = kept;
    }
    Registers registers;
    if (expr.type->is_pointer()) {
        const auto size = static_cast<std::int64_t>(expr.type->element->bytes);
        registers = {offset_pointer(before[0], constant(1), expr.minus ? -size : size, expr.place)};
    } else {
        const Scalar type = expr.type->scalar;
        const std::uint64_t one = type == Scalar::float_    ? bits_of(1.0F)
                                  : type == Scalar::double_ ? bits_of(1.0)
                                                            : 1;
        const Registers by(before.size(), constant(one));
        std::optional<std::uint32_t> want;  // a plain variable in a register is counted in place
        if (place.registers.size() == 1 && info(type).bytes >= 4) want = place.registers[0];
        if (type == Scalar::half_)
            registers = half_step(before, expr.minus, expr.place);
        else if (type == Scalar::bool_)
            registers = {constant(expr.minus ? 0 : 1)};
        else
            registers = arithmetic(expr.minus ? Operator::sub : Operator::add, *expr.type, before,
                                   by, expr.place, want);
    }
    store(place, registers, to.place);
    return expr.prefix || !used ? registers : before;
}

}  // namespace lab::lang
