// How a register holds a value of any type: 64 bits, sign-extended for signed integers,
// zero-extended for everything else. A half is its bits: it is computed with as a float.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "lang/tree/type.h"

namespace lab::lang {

inline std::uint64_t canonical(Scalar scalar, std::uint64_t bits) {
    switch (scalar) {
        case Scalar::bool_:
        case Scalar::uchar:
            return static_cast<std::uint8_t>(bits);
        case Scalar::char_:
            return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(bits)});
        case Scalar::short_:
            return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(bits)});
        case Scalar::ushort:
        case Scalar::half_:
            return static_cast<std::uint16_t>(bits);
        case Scalar::int_:
            return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(bits)});
        case Scalar::uint:
        case Scalar::float_:
            return static_cast<std::uint32_t>(bits);
        default:
            return bits;
    }
}

// The shortest text that reads back to the same value.
std::string text_of(std::uint64_t bits, Scalar scalar);

enum class Rounding : std::uint8_t { none, even, zero, up, down };

// The bits of a half: the nearest one, or that on the asked side.
std::uint64_t half_of(double value, Rounding rounding = Rounding::even);
float value_of_half(std::uint16_t bits);

inline float float_of(std::uint64_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
inline double double_of(std::uint64_t bits) {
    return std::bit_cast<double>(bits);
}
inline std::uint64_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(value);
}
inline std::uint64_t bits_of(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

}  // namespace lab::lang
