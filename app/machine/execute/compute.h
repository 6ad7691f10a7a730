// What each instruction of plain arithmetic computes.
#pragma once

#include "lang/code/code.h"
#include "machine/context.h"
#include "machine/execute/operations.h"

namespace lab::machine {

// Calls `each` with a function of the two operands' bits. Returns false for all other instructions:
// those that may fault, need more than their operands, or are not arithmetic.
template <typename Each>
[[gnu::always_inline]] inline bool compute(const lang::Instruction& instruction, Each each) {
    using lang::Op;
    using Bits = std::uint64_t;
    const auto two = [&]<typename T>(T, auto f) {
        each([f](Bits a, Bits b) { return put<T>(f(get<T>(a), get<T>(b))); });
    };
    const auto compare = [&]<typename T>(T, auto f) {
        each([f](Bits a, Bits b) { return Bits{f(get<T>(a), get<T>(b))}; });
    };
// clang-format off
#define LAB_TYPED(how, name, f) \
    case Op::name##_i32: how(std::int32_t(), f()); return true; \
    case Op::name##_u32: how(std::uint32_t(), f()); return true; \
    case Op::name##_i64: how(std::int64_t(), f()); return true; \
    case Op::name##_u64: how(std::uint64_t(), f()); return true; \
    case Op::name##_f32: how(float(), f()); return true; \
    case Op::name##_f64: how(double(), f()); return true;
    // clang-format on
    switch (instruction.op) {
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
        case Op::div_f32:
            two(float(), Divide());
            return true;
        case Op::div_f64:
            two(double(), Divide());
            return true;
        case Op::and_:
            each([](Bits a, Bits b) { return a & b; });
            return true;
        case Op::or_:
            each([](Bits a, Bits b) { return a | b; });
            return true;
        case Op::xor_:
            each([](Bits a, Bits b) { return a ^ b; });
            return true;
        case Op::complement:
            each([](Bits a, Bits) { return ~a; });
            return true;
        case Op::not_:
            each([](Bits a, Bits) { return Bits{a == 0}; });
            return true;
        case Op::truth:
            each([](Bits a, Bits) { return Bits{a != 0}; });
            return true;
        case Op::move:
            each([](Bits a, Bits) { return a; });
            return true;
        case Op::wrap:
            each([type = instruction.type](Bits a, Bits) { return lang::canonical(type, a); });
            return true;
        case Op::offset:
            each([scale = instruction.imm](Bits a, Bits b) {
                return moved(a, static_cast<std::int64_t>(b * scale));
            });
            return true;
        case Op::difference:
            each([size = static_cast<std::int64_t>(instruction.imm)](Bits a, Bits b) {
                return static_cast<Bits>((offset_in(a) - offset_in(b)) / size);
            });
            return true;
        default:
            return false;
    }
#undef LAB_TYPED
}

}  // namespace lab::machine
