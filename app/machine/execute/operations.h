// Arithmetic of one component, as functions of two operands of one type.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lang/code/value.h"

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

}  // namespace lab::machine
