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
        const std::uint32_t made =
            operation(typed(Op::ne_i32, number_of(from_type)), place, from, constant(0), want);
        return made;
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

Registers Lowering::convert(const E& of, std::optional<std::uint32_t> want) {
    const E& from = *of.operands[0];
    if (of.type->is_pointer() || from.type->is_pointer()) {
        const std::uint32_t given = scalar(from);
        if (of.type->is_pointer() && from.type->is_pointer()) return {given};
        if (of.type->is_pointer()) return {given};
        return {converted(given, Scalar::ulong, of.type->scalar, of.place, 0, want)};
    }
    const Registers given = value(from);
    if (given.size() > 1) want.reset();
    const auto how = static_cast<std::uint16_t>(static_cast<unsigned>(of.rounding) |
                                                (of.saturate ? kSaturate : 0U));
    Registers made;
    for (const std::uint32_t each : given)
        made.push_back(converted(each, from.type->scalar, of.type->scalar, of.place, how, want));
    return made;
}

Registers Lowering::build(const E& of) {
    Registers made;
    for (const E* part : of.operands) {
        const Registers given = value(*part);
        made.insert(made.end(), given.begin(), given.end());
    }
    if (made.size() == 1) made.resize(of.type->width, made[0]);
    // Parts may be variables that change before the vector is used: only copies are safe.
    Registers copies;
    for (const std::uint32_t each : made)
        copies.push_back((each & kUniform) != 0 ? each : operation(Op::move, of.place, each));
    return copies;
}

// The same bits: components are cut up or put together by way of shifts.
Registers Lowering::reinterpret(const E& of) {
    const Type& from = *of.operands[0]->type;
    const Type& to = *of.type;
    const Registers given = value(*of.operands[0]);
    const unsigned from_bits = info(from.scalar).bytes * 8U, to_bits = info(to.scalar).bytes * 8U;
    Registers made;
    const auto wrapped = [&](std::uint32_t each) {
        const std::uint32_t done = operation(Op::wrap, of.place, each);
        last().type = to.scalar;
        return done;
    };
    for (unsigned i = 0; i < to.width; ++i) {
        const unsigned first = i * to_bits / from_bits;
        if (from_bits == to_bits) {
            made.push_back(wrapped(given[std::min<std::size_t>(i, given.size() - 1)]));
        } else if (from_bits > to_bits) {
            const unsigned shift = i * to_bits % from_bits;
            made.push_back(wrapped(operation(Op::shr_u64, of.place,
                                             given[std::min<std::size_t>(first, given.size() - 1)],
                                             constant(shift))));
        } else {
            std::uint32_t joined = constant(0);
            for (unsigned part = 0; part < to_bits / from_bits; ++part) {
                const std::size_t at = std::min<std::size_t>(first + part, given.size() - 1);
                std::uint32_t piece = operation(Op::and_, of.place, given[at],
                                                constant((std::uint64_t{1} << from_bits) - 1));
                piece = operation(Op::shl_u64, of.place, piece, constant(part * from_bits));
                joined = operation(Op::or_, of.place, joined, piece);
            }
            made.push_back(wrapped(joined));
        }
    }
    return made;
}

std::uint32_t Lowering::offset_pointer(std::uint32_t pointer, std::uint32_t by, std::int64_t scale,
                                       const Place& place) {
    const std::uint32_t to = operation(Op::offset, place, pointer, by);
    last().imm = static_cast<std::uint64_t>(scale);
    return to;
}

}  // namespace lab::lang
