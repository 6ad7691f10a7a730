// Calls that are more than arithmetic: geometry, half in memory, printf, barriers, and copies that
// a group makes in the background.
#include <algorithm>

#include "lang/code/lowering.h"
#include "lang/tree/parser.h"

namespace lab::lang {

std::uint32_t Lowering::dot(const Registers& a, const Registers& b, Scalar type,
                            const Place& place) {
    const Number number = number_of(type);
    std::uint32_t sum = operation(typed(Op::mul_i32, number), place, a[0], b[0]);
    for (std::size_t i = 1; i < a.size(); ++i) {
        const std::uint32_t product = operation(typed(Op::mul_i32, number), place, a[i], b[i]);
        sum = operation(typed(Op::add_i32, number), place, sum, product);
    }
    return sum;
}

Registers Lowering::geometric(const E& expr) {
    const Scalar type = expr.type->scalar;
    const Number number = number_of(type);
    const Place& place = expr.place;
    Registers a = value(*expr.operands[0]), b;
    if (expr.operands.size() > 1) b = value(*expr.operands[1]);
    const auto sub = [&](std::uint32_t x, std::uint32_t y) {
        return operation(typed(Op::sub_i32, number), place, x, y);
    };
    const auto mul = [&](std::uint32_t x, std::uint32_t y) {
        return operation(typed(Op::mul_i32, number), place, x, y);
    };
    switch (expr.known.builtin) {
        case Builtin::dot:
            return {dot(a, b, type, place)};
        case Builtin::cross: {
            Registers result;
            for (const auto& [i, k] : {std::pair(1U, 2U), std::pair(2U, 0U), std::pair(0U, 1U)})
                result.push_back(sub(mul(a[i], b[k]), mul(a[k], b[i])));
            if (a.size() == 4) result.push_back(constant(0));
            return result;
        }
        case Builtin::distance:
            for (std::size_t i = 0; i < a.size(); ++i)
                a[i] = sub(a[i], b[i]);
            break;
        default:
            break;
    }
    const std::uint32_t length = pure_operation(Fn::sqrt, type, place, dot(a, a, type, place));
    if (expr.known.builtin != Builtin::normalize) return {length};
    Registers result;  // of no length: as it is
    for (const std::uint32_t each : a) {
        const std::uint32_t to = operation(typed(Op::div_i32, number), place, each, length);
        emit(Op::select, place);
        last().to = to;
        last().a = to;
        last().b = each;
        last().c = length;
        result.push_back(to);
    }
    return result;
}

// The bits of halves are loaded and stored as ushort.
Registers Lowering::half_memory(const E& expr) {
    const bool load = expr.known.builtin == Builtin::vload_half;
    Registers given;
    if (!load) given = value(*expr.operands[0]);
    const std::uint32_t by = scalar(*expr.operands[load ? 0 : 1]);
    const E& to = *expr.operands[load ? 1 : 2];
    const unsigned width = expr.known.number;
    const unsigned step = expr.known.aligned && width == 3 ? 4U : width;
    const std::uint32_t pointer =
        offset_pointer(scalar(to), by, 2 * std::int64_t{step}, expr.place);
    const Space space = to.type->space;
    if (!load) {
        const Scalar from = expr.operands[0]->type->scalar;
        for (std::uint32_t& each : given)
            each = pure_operation(expr.known.rounding, from, expr.place, each);
        store_at(pointer, space, Scalar::ushort, given, expr.place);
    } else {
        given = load_at(pointer, space, Scalar::ushort, expr.known.number, expr.place);
    }
    if (expr.known.aligned && width > 1) last().flags |= kAligned;
    if (!load) return {};
    for (std::uint32_t& each : given)
        each = pure_operation(Fn::half_value, Scalar::ushort, expr.place, each);
    return given;
}

Registers Lowering::print(const E& expr) {
    Registers given;
    for (const E* each : expr.operands) {
        const Registers part = value(*each);
        given.insert(given.end(), part.begin(), part.end());
    }
    std::uint32_t first = 0;
    if (!given.empty()) {
        const Registers row = fresh_registers(given.size());
        for (std::size_t i = 0; i < given.size(); ++i)
            operation(Op::move, expr.place, given[i], 0, row[i]);
        first = row[0];
    }
    emit(Op::print, expr.place);
    last().to = first;
    last().count = static_cast<std::uint8_t>(given.size());
    last().imm = code_.prints.size();
    code_.prints.push_back(*expr.format);
    return {constant(0)};
}

Registers Lowering::barrier(const E& expr) {
    const auto flags = constant_of(*expr.operands[0]);
    std::uint32_t computed = 0;
    if (!flags) computed = scalar(*expr.operands[0]);
    emit(Op::barrier, expr.place);
    last().a = computed;
    last().extra = static_cast<std::uint16_t>(
        (flags ? static_cast<std::uint16_t>(*flags & 3U) : kFenceComputed) |
        bits_of(expr.known.scope));
    code_.has_barrier = true;
    return {};
}

Registers Lowering::copy_together(const E& expr) {
    const bool strided = expr.known.builtin == Builtin::async_strided_copy;
    Registers given;
    for (const E* each : expr.operands)
        given.push_back(scalar(*each));
    if (!strided) given.insert(given.begin() + 3, constant(1));
    const Registers row = fresh_registers(kCopyOperands);
    for (std::size_t i = 0; i < kCopyOperands; ++i)
        operation(Op::move, expr.place, given[i], 0, row[i]);
    const Type& to = *expr.operands[0]->type;
    const std::uint32_t event = fresh();
    emit(Op::group_copy, expr.place);
    last().to = event;
    last().a = row[0];
    last().type = to.element->scalar;
    last().count = to.element->width;
    last().extra = to.space == Space::local ? 1 : 0;
    last().imm = to.element->bytes;
    code_.has_barrier = true;
    return {event};
}

Registers Lowering::wait_events(const E& expr) {
    const E& list = *expr.operands[0];
    const std::uint32_t pointer = scalar(list);
    for (unsigned i = 0; i < expr.known.number; ++i) {
        const std::uint32_t at = offset_pointer(pointer, constant(i), 8, expr.place);
        const Registers event = load_at(at, list.type->space, Scalar::ulong, 1, expr.place);
        emit(Op::group_wait, expr.place);
        last().a = event[0];
    }
    return {};
}

}  // namespace lab::lang
