// Conversions, vectors put together, bits seen as another type.
#include <algorithm>

#include "lang/code/lowering.h"
#include "lang/code/value.h"
#include "lang/tree/parser.h"

namespace lab::lang {

std::uint32_t Lowering::converted(std::uint32_t from, Scalar from_type, Scalar to,
                                  const Place& place, std::uint16_t how,
                                  std::optional<std::uint32_t> want) {
    if (from_type == to) return from;
    const bool floating = info(from_type).floating || info(to).floating;
    if (to == Scalar::bool_) {
        if (from_type == Scalar::half_) {
            from = converted(from, from_type, Scalar::float_, place, how, {});
            from_type = Scalar::float_;
        }
        const std::uint32_t result =
            operation(typed(Op::ne_i32, number_of(from_type)), place, from, constant(0), want);
        return result;
    }
    if (floating || (how & kSaturate) != 0) {
        const std::uint32_t made = operation(Op::convert, place, from, 0, want);
        last().type = to;
        last().from = from_type;
        last().extra = how;
        return made;
    }
    // Wider ones already hold it: see value.h.
    const bool same = info(to).bytes == 8 || (info(to).bytes > info(from_type).bytes &&
                                              (info(to).is_signed || !info(from_type).is_signed));
    if (same) return from;
    const std::uint32_t made = operation(Op::wrap, place, from, 0, want);
    last().type = to;
    return made;
}

namespace {

bool holds_pointers(const Type& type) {
    if (type.is_pointer()) return true;
    if (type.is_array()) return holds_pointers(*type.element);
    return std::any_of(type.members.begin(), type.members.end(),
                       [](const Type::Member& each) { return holds_pointers(*each.type); });
}

// Whether a conversion to a pointer may lead to what only pointers to const led to: by itself, by
// way of a number, or by pointers that lie in memory and are seen as others there.
bool may_drop_const(const Expression& from, const Type& to) {
    const Type& type = *from.type;
    if (!type.is_pointer()) return from.kind != Expression::Kind::constant;
    if (type.to_const && !to.to_const) return true;
    return type.element != to.element &&
           (holds_pointers(*type.element) || holds_pointers(*to.element));
}

}  // namespace

bool Lowering::overlays_pointers(const E& member) {
    return member.operands[0]->type->overlaid && holds_pointers(*member.type);
}

Registers Lowering::convert(const E& expr, std::optional<std::uint32_t> want) {
    const E& from = *expr.operands[0];
    if (expr.type->is_pointer() || from.type->is_pointer()) {
        const std::uint32_t given = scalar(from);
        if (expr.type->is_pointer()) {
            drops_const_ = drops_const_ || may_drop_const(from, *expr.type);
            return {given};
        }
        return {converted(given, Scalar::ulong, expr.type->scalar, expr.place, 0, want)};
    }
    const Registers given = value(from);
    if (given.size() > 1) want.reset();
    const auto how = static_cast<std::uint16_t>(static_cast<unsigned>(expr.rounding) |
                                                (expr.saturate ? kSaturate : 0U));
    Registers registers;
    for (const std::uint32_t each : given)
        registers.push_back(
            converted(each, from.type->scalar, expr.type->scalar, expr.place, how, want));
    return registers;
}

Registers Lowering::build(const E& expr) {
    Registers registers;
    for (const E* part : expr.operands) {
        const Registers given = value(*part);
        registers.insert(registers.end(), given.begin(), given.end());
    }
    if (registers.size() == 1) registers.resize(expr.type->width, registers[0]);
    // Parts may be variables that change before the vector is used: only copies are safe.
    Registers copies;
    for (const std::uint32_t each : registers)
        copies.push_back((each & kUniform) != 0 ? each : operation(Op::move, expr.place, each));
    return copies;
}

// One more, or one less: a half is computed with as a float.
Registers Lowering::half_step(const Registers& before, bool minus, const Place& place) {
    Registers after;
    for (const std::uint32_t each : before) {
        const std::uint32_t wide = converted(each, Scalar::half_, Scalar::float_, place, 0, {});
        const std::uint32_t next =
            operation(minus ? Op::sub_f32 : Op::add_f32, place, wide, constant(bits_of(1.0F)));
        after.push_back(converted(next, Scalar::float_, Scalar::half_, place, 0, {}));
    }
    return after;
}

// The same bits: components are cut up or put together by way of shifts.
Registers Lowering::reinterpret(const E& expr) {
    const Type& from = *expr.operands[0]->type;
    const Type& to = *expr.type;
    const Registers given = value(*expr.operands[0]);
    const unsigned from_bits = info(from.scalar).bytes * 8U, to_bits = info(to.scalar).bytes * 8U;
    Registers registers;
    const auto wrapped = [&](std::uint32_t each) {
        const std::uint32_t done = operation(Op::wrap, expr.place, each);
        last().type = to.scalar;
        return done;
    };
    for (unsigned i = 0; i < to.width; ++i) {
        const unsigned first = i * to_bits / from_bits;
        if (from_bits == to_bits) {
            registers.push_back(wrapped(given[std::min<std::size_t>(i, given.size() - 1)]));
        } else if (from_bits > to_bits) {
            const unsigned shift = i * to_bits % from_bits;
            registers.push_back(wrapped(
                operation(Op::shr_u64, expr.place,
                          given[std::min<std::size_t>(first, given.size() - 1)], constant(shift))));
        } else {
            std::uint32_t joined = constant(0);
            for (unsigned part = 0; part < to_bits / from_bits; ++part) {
                const std::size_t index = std::min<std::size_t>(first + part, given.size() - 1);
                std::uint32_t piece = operation(Op::and_, expr.place, given[index],
                                                constant((std::uint64_t{1} << from_bits) - 1));
                piece = operation(Op::shl_u64, expr.place, piece, constant(part * from_bits));
                joined = operation(Op::or_, expr.place, joined, piece);
            }
            registers.push_back(wrapped(joined));
        }
    }
    return registers;
}

std::uint32_t Lowering::offset_pointer(std::uint32_t pointer, std::uint32_t by, std::int64_t scale,
                                       const Place& place) {
    const std::uint32_t to = operation(Op::offset, place, pointer, by);
    last().imm = static_cast<std::uint64_t>(scale);
    return to;
}

}  // namespace lab::lang
