#include "machine/execute/conversion.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lang/code/value.h"

namespace lab::machine {
namespace {

using lang::Scalar;

// A floating value, exactly: long double holds every integer of 64 bits, every float and double.
long double number_of(std::uint64_t bits, Scalar type) {
    switch (type) {
        case Scalar::half_:
            return lang::value_of_half(static_cast<std::uint16_t>(bits));
        case Scalar::float_:
            return lang::float_of(bits);
        case Scalar::double_:
            return lang::double_of(bits);
        default:
            if (lang::info(type).is_signed) return static_cast<std::int64_t>(bits);
            return bits;
    }
}

long double whole(long double value, Rounding rounding) {
    switch (rounding) {
        case Rounding::even:
            return std::nearbyint(value);
        case Rounding::up:
            return std::ceil(value);
        case Rounding::down:
            return std::floor(value);
        default:
            return std::trunc(value);
    }
}

// To the float or double on the asked side of a value that is none.
template <typename T>
T nearest(long double value, Rounding rounding) {
    const T near = static_cast<T>(value);  // to even
    const long double back = near;
    if (rounding == Rounding::none || rounding == Rounding::even || back == value ||
        std::isnan(value))
        return near;
    const bool up = rounding == Rounding::up || (rounding == Rounding::zero && value < 0);
    if (up && back < value) return std::nextafter(near, std::numeric_limits<T>::infinity());
    if (!up && back > value) return std::nextafter(near, -std::numeric_limits<T>::infinity());
    return near;
}

}  // namespace

std::uint64_t convert(std::uint64_t bits, Scalar from, Scalar to, Rounding rounding, bool) {
    const bool plain = rounding == Rounding::none || rounding == Rounding::even;
    if (plain && to == Scalar::float_ && !lang::info(from).floating)
        return lang::bits_of(lang::info(from).is_signed
                                 ? static_cast<float>(static_cast<std::int64_t>(bits))
                                 : static_cast<float>(bits));
    const long double value = number_of(bits, from);
    if (to == Scalar::half_) return lang::half_of(static_cast<double>(value), rounding);
    if (to == Scalar::float_) return lang::bits_of(nearest<float>(value, rounding));
    if (to == Scalar::double_) return lang::bits_of(nearest<double>(value, rounding));
    if (std::isnan(value)) return 0;
    const lang::ScalarInfo& scalar_info = lang::info(to);
    const int width = scalar_info.bytes * 8 - (scalar_info.is_signed ? 1 : 0);
    const long double highest = std::ldexp(1.0L, width) - 1;
    const long double lowest = scalar_info.is_signed ? -std::ldexp(1.0L, width) : 0.0L;
    const long double fits = std::clamp(whole(value, rounding), lowest, highest);
    if (scalar_info.is_signed) return static_cast<std::uint64_t>(static_cast<std::int64_t>(fits));
    return static_cast<std::uint64_t>(fits);
}

}  // namespace lab::machine
