#include "lang/code/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lab::lang {
namespace {

template <typename T>
std::string text_of_floating(T value) {
    if (std::isnan(value)) return "nan";
    if (value == std::trunc(value) && std::abs(value) < T(1e7)) return fmt::format("{:.0f}", value);
    return fmt::format("{}", value);
}

}  // namespace

float value_of_half(std::uint16_t bits) {
    const int exponent = bits >> 10U & 0x1f;
    const auto mantissa = static_cast<float>(bits & 0x3ffU);
    const float size = exponent == 31
                           ? ((bits & 0x3ffU) != 0 ? std::numeric_limits<float>::quiet_NaN()
                                                   : std::numeric_limits<float>::infinity())
                       : exponent == 0 ? std::ldexp(mantissa, -24)
                                       : std::ldexp(mantissa + 1024.0F, exponent - 25);
    return (bits & 0x8000U) != 0 ? -size : size;
}

// A multiple of the distance between halves near it.
std::uint64_t half_of(double value, Rounding rounding) {
    const std::uint64_t sign = std::signbit(value) ? 0x8000U : 0;
    const double size = std::fabs(value);
    if (std::isnan(value)) return sign | 0x7e00U;
    if (std::isinf(value)) return sign | 0x7c00U;
    const bool outward = rounding == (sign != 0 ? Rounding::down : Rounding::up);
    const bool nearest = rounding == Rounding::none || rounding == Rounding::even;
    const int exponent = size == 0 ? -14 : std::max(-14, std::ilogb(size));
    if (exponent > 15) return sign | (nearest || outward ? 0x7c00U : 0x7bffU);
    const double steps = std::ldexp(size, 10 - exponent);
    const double whole = nearest   ? std::nearbyint(steps)
                         : outward ? std::ceil(steps)
                                   : std::floor(steps);
    return sign |
           ((static_cast<std::uint64_t>(exponent + 14) << 10U) + static_cast<std::uint64_t>(whole));
}

std::string text_of(std::uint64_t bits, Scalar scalar) {
    if (scalar == Scalar::half_)
        return text_of_floating(value_of_half(static_cast<std::uint16_t>(bits)));
    if (scalar == Scalar::float_) return text_of_floating(float_of(bits));
    if (scalar == Scalar::double_) return text_of_floating(double_of(bits));
    if (info(scalar).is_signed) return fmt::format("{}", static_cast<std::int64_t>(bits));
    return fmt::format("{}", bits);
}

}  // namespace lab::lang
