// Arithmetic of one component, as functions of two operands of one type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lang/builtins.h"
#include "lang/code.h"
#include "lang/type.h"
#include "machine/state.h"
namespace lab::machine {

// A register's bits as a C++ number, and back.
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

// Computes each instruction of plain arithmetic.

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

// Numbers in memory, and as registers hold them; private to access*.cpp.

inline std::uint64_t load_bits(const std::byte* from, lang::Scalar type) {
    const auto read = [from](auto value) {
        std::memcpy(&value, from, sizeof value);
        return value;
    };
    switch (lang::info(type).bytes) {
        case 1:
            return lang::canonical(type, read(std::uint8_t{}));
        case 2:
            return lang::canonical(type, read(std::uint16_t{}));
        case 4:
            return lang::canonical(type, read(std::uint32_t{}));
        default:
            return read(std::uint64_t{});
    }
}

inline void store_bits(std::byte* to, lang::Scalar type, std::uint64_t bits) {
    std::memcpy(to, &bits, lang::info(type).bytes);  // little-endian, as every device here
}

// Converts numbers from one type to another (OpenCL C 1.2, section 6.2.3).

using lang::Rounding;

// Between any two number types of which one is floating, or to an integer with saturation. A value
// that does not fit an integer becomes the nearest that does (0 for NaN); OpenCL leaves it open.
std::uint64_t convert(std::uint64_t bits, lang::Scalar from, lang::Scalar to, Rounding rounding);

using lang::half_of;
using lang::value_of_half;

// The OpenCL C functions that depend on nothing but their arguments (1.2, sections 6.12.2 to
// 6.12.6), for one component. Values are as registers hold them: lang/code.h.

using PureFunction = std::uint64_t (*)(std::uint64_t, std::uint64_t, std::uint64_t);

// For arguments of that type; for `upsample`, `ldexp` and the like, the first argument's. Never
// null: combinations that do not exist return 0.
PureFunction pure_function(lang::Fn fn, lang::Scalar type);

}  // namespace lab::machine
