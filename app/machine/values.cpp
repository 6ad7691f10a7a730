#include "machine/values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

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
    return rounding == Rounding::even   ? std::nearbyint(value)
           : rounding == Rounding::up   ? std::ceil(value)
           : rounding == Rounding::down ? std::floor(value)
                                        : std::trunc(value);
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

std::uint64_t convert(std::uint64_t bits, Scalar from, Scalar to, Rounding rounding) {
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

namespace {

using lang::Fn;

__extension__ using Signed128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;

template <typename T>
using Wider = std::conditional_t<std::is_signed_v<T>, Signed128, Unsigned128>;

template <typename T>
T saturated(Wider<T> value) {
    using W = Wider<T>;
    if (value > static_cast<W>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    if (value < static_cast<W>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    return static_cast<T>(value);
}

template <typename T>
T of_integers(Fn fn, T a, T b, T c) {
    using W = Wider<T>;
    using U = std::make_unsigned_t<T>;
    constexpr int kBits = static_cast<int>(sizeof(T) * 8);
    const W wa = a, wb = b, wc = c;
    switch (fn) {
        case Fn::abs:
            return a < 0 ? static_cast<T>(U(0) - static_cast<U>(a)) : a;
        case Fn::abs_diff:
            return static_cast<T>(a > b ? wa - wb : wb - wa);
        case Fn::add_sat:
            return saturated<T>(wa + wb);
        case Fn::sub_sat:
            if (!std::is_signed_v<T> && a < b) return 0;
            return saturated<T>(wa - wb);
        case Fn::hadd:
            return static_cast<T>((wa + wb) >> 1);
        case Fn::rhadd:
            return static_cast<T>((wa + wb + 1) >> 1);
        case Fn::clz:
            return static_cast<T>(std::countl_zero(static_cast<U>(a)));
        case Fn::ctz:
            return static_cast<T>(std::countr_zero(static_cast<U>(a)));
        case Fn::popcount:
            return static_cast<T>(std::popcount(static_cast<U>(a)));
        case Fn::mul_hi:
            return static_cast<T>((wa * wb) >> kBits);
        case Fn::mad_hi:
            return static_cast<T>(static_cast<U>((wa * wb) >> kBits) + static_cast<U>(c));
        case Fn::mad_sat:
            return saturated<T>(wa * wb + wc);
        case Fn::rotate: {
            const auto count = static_cast<int>(static_cast<U>(b) % static_cast<unsigned>(kBits));
            return static_cast<T>(std::rotl(static_cast<U>(a), count));
        }
        case Fn::mul24:
        case Fn::mad24: {
            const auto low = [](T value) {
                const auto bits = static_cast<std::uint32_t>(value) << 8U;
                return std::is_signed_v<T>
                           ? static_cast<std::int64_t>(static_cast<std::int32_t>(bits) >> 8)
                           : static_cast<std::int64_t>(bits >> 8U);
            };
            const std::int64_t product = low(a) * low(b);
            return static_cast<T>(product + (fn == Fn::mad24 ? static_cast<std::int64_t>(c) : 0));
        }
        case Fn::clamp:
            return std::min(std::max(a, b), c);
        case Fn::bitselect:
            return static_cast<T>((static_cast<U>(a) & static_cast<U>(~static_cast<U>(c))) |
                                  (static_cast<U>(b) & static_cast<U>(c)));
        default:
            return 0;
    }
}

// Of half turns; taken back to the first quarter before, so that whole ones give 0 and 1 exactly.
template <typename T>
T sine_of_turns(T value) {
    T turns = std::remainder(value, T(2));
    if (std::fabs(turns) > T(0.5)) turns = std::copysign(T(1), turns) - turns;
    // The zeros have the sign of what is asked.
    if (turns == 0) return std::copysign(turns, value);
    return std::sin(turns * static_cast<T>(3.14159265358979323846264338327950288L));
}
template <typename T>
T cosine_of_turns(T value) {
    return sine_of_turns(T(0.5) - std::fabs(std::remainder(value, T(2))));
}

// pow() of numbers that are not negative: exp(y * log(x)), whose limits are not those of pow().
template <typename T>
T power_of_positive(T x, T y) {
    const bool undefined = x < 0 || std::isnan(x) || std::isnan(y) ||
                           (y == 0 && (x == 0 || std::isinf(x))) || (x == 1 && std::isinf(y));
    return undefined ? std::numeric_limits<T>::quiet_NaN() : std::pow(std::fabs(x), y);
}

// The whole part leaves nothing of an infinity; a zero has the sign of what it is part of.
template <typename T>
T rest_of(T value) {
    return std::copysign(std::isinf(value) ? T(0) : value - std::trunc(value), value);
}
template <typename T>
T fraction_of(T value) {
    if (std::isinf(value)) return std::copysign(T(0), value);
    if (value == 0 || std::isnan(value)) return value;
    return std::min(value - std::floor(value), std::nextafter(T(1), T(0)));
}

// The functions of one and of two arguments that C++ calls by the same name.
// clang-format off
#define LAB_ONE_ARGUMENT(X) \
    X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) \
    X(erfc) X(exp) X(exp2) X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log2) X(log10) X(log1p) \
    X(logb) X(round) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define LAB_TWO_ARGUMENTS(X) \
    X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) \
    X(remainder)
#define LAB_QUESTIONS_OF_ONE(X) X(isfinite) X(isinf) X(isnan) X(isnormal) X(signbit)
#define LAB_QUESTIONS_OF_TWO(X) \
    X(isgreater) X(isgreaterequal) X(isless) X(islessequal) X(islessgreater) X(isunordered)
// clang-format on
#define LAB_CASE_ONE(name) \
    case Fn::name:         \
        return std::name(a);
#define LAB_CASE_TWO(name) \
    case Fn::name:         \
        return std::name(a, b);

template <typename T>
T of_floats(Fn fn, T a, T b, T c) {
    constexpr T kPi = static_cast<T>(3.14159265358979323846264338327950288L);
    switch (fn) {
        LAB_ONE_ARGUMENT(LAB_CASE_ONE)
        LAB_TWO_ARGUMENTS(LAB_CASE_TWO)
        case Fn::acospi:
            return std::acos(a) / kPi;
        case Fn::asinpi:
            return std::asin(a) / kPi;
        case Fn::atanpi:
            return std::atan(a) / kPi;
        case Fn::atan2pi:
            return std::atan2(a, b) / kPi;
        case Fn::cospi:
            return cosine_of_turns(a);
        case Fn::degrees:
            return a * (T(180) / kPi);
        case Fn::exp10:
            return std::pow(T(10), a);
        case Fn::fma:
            return std::fma(a, b, c);
        case Fn::mad:
            return a * b + c;
        case Fn::maxmag:
            return std::fabs(a) > std::fabs(b)   ? a
                   : std::fabs(b) > std::fabs(a) ? b
                                                 : std::fmax(a, b);
        case Fn::minmag:
            return std::fabs(a) < std::fabs(b)   ? a
                   : std::fabs(b) < std::fabs(a) ? b
                                                 : std::fmin(a, b);
        case Fn::mix:
            return a + (b - a) * c;
        case Fn::powr:
            return power_of_positive(a, b);
        case Fn::radians:
            return a * (kPi / T(180));
        case Fn::rint:
            return std::nearbyint(a);
        case Fn::rsqrt:
            return T(1) / std::sqrt(a);
        case Fn::sign:
            return std::isnan(a) ? T(0) : a > 0 ? T(1) : a < 0 ? T(-1) : a;
        case Fn::sinpi:
            return sine_of_turns(a);
        case Fn::smoothstep: {
            const T t = std::fmin(std::fmax((c - a) / (b - a), T(0)), T(1));
            return t * t * (T(3) - T(2) * t);
        }
        case Fn::step:
            return b < a ? T(0) : T(1);
        case Fn::tanpi:
            return sine_of_turns(a) / cosine_of_turns(a);
        case Fn::recip:
            return T(1) / a;
        case Fn::divide:
            return a / b;
        case Fn::clamp:
            return std::fmin(std::fmax(a, b), c);
        case Fn::modf_whole:
            return std::trunc(a);
        case Fn::modf_rest:
            return rest_of(a);
        case Fn::fract:
            return fraction_of(a);
        case Fn::frexp_mantissa: {
            int exponent = 0;
            return std::frexp(a, &exponent);
        }
        default:
            return T(0);
    }
}

template <typename T>
std::uint64_t answer(Fn fn, T a, T b) {
    switch (fn) {
        LAB_QUESTIONS_OF_ONE(LAB_CASE_ONE)
        LAB_QUESTIONS_OF_TWO(LAB_CASE_TWO)
        case Fn::isequal:
            return a == b;
        case Fn::isnotequal:
            return a != b;
        case Fn::isordered:
            return !std::isunordered(a, b);
        default:
            return 0;
    }
}

template <typename T>
T root(T value, int degree) {
    const bool odd = degree % 2 != 0;
    if (degree == 0 || (!odd && value < 0)) return std::numeric_limits<T>::quiet_NaN();
    const T size = std::pow(std::fabs(value), T(1) / static_cast<T>(degree));
    return odd ? std::copysign(size, value) : size;
}

template <Fn fn, typename T>
std::uint64_t run_float(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const T x = get<T>(a);
    using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    if constexpr (fn >= Fn::isequal && fn <= Fn::signbit)
        return answer(fn, x, get<T>(b));
    else if constexpr (fn == Fn::ldexp)
        return put(std::ldexp(x, static_cast<int>(b)));
    else if constexpr (fn == Fn::pown)
        // A double has every int: whether it is odd tells the sign.
        return put(static_cast<T>(
            std::pow(static_cast<double>(x), static_cast<double>(static_cast<std::int32_t>(b)))));
    else if constexpr (fn == Fn::rootn)
        return put(root(x, static_cast<int>(b)));
    else if constexpr (fn == Fn::ilogb)
        return put(static_cast<std::int32_t>(std::isnan(x) ? std::numeric_limits<int>::max()
                                                           : std::ilogb(x)));
    else if constexpr (fn >= Fn::half_none && fn <= Fn::half_rtn)
        return half_of(
            static_cast<double>(x),
            static_cast<Rounding>(static_cast<int>(fn) - static_cast<int>(Fn::half_none)));
    else if constexpr (fn == Fn::remquo_quotient) {
        // Seven bits, where the host's library gives three.
        const T by = get<T>(b);
        if (!std::isfinite(x) || std::isnan(by) || by == 0) return put(std::int32_t{0});
        const T rest = std::fmod(x, by * 128);
        const auto quotient =
            static_cast<std::int32_t>(std::round(rest / by - std::remainder(rest, by) / by));
        return put(std::int32_t{quotient < 0 ? -(-quotient & 0x7f) : quotient & 0x7f});
    } else if constexpr (fn == Fn::lgamma_sign) {
        // Gamma is negative between -1 and 0, -3 and -2, and so on.
        const bool pole = x == 0 || (x < 0 && std::floor(x) == x);
        const bool negative = x < 0 && std::fmod(std::floor(x), T(2)) != 0;
        return put(static_cast<std::int32_t>(pole ? 0 : negative ? -1 : 1));
    } else if constexpr (fn == Fn::frexp_exponent) {
        int exponent = 0;
        (void)std::frexp(x, &exponent);
        return put(static_cast<std::int32_t>(std::isfinite(x) ? exponent : 0));
    } else if constexpr (fn == Fn::bitselect) {
        const auto mask = static_cast<Word>(c);
        return (static_cast<Word>(a) & static_cast<Word>(~mask)) | (static_cast<Word>(b) & mask);
    } else {
        return put(of_floats(fn, x, get<T>(b), get<T>(c)));
    }
}

template <Fn fn, typename T>
std::uint64_t run_integer(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    if constexpr (fn == Fn::upsample) {
        if constexpr (sizeof(T) == 8) return 0;
        const std::uint64_t joined =
            (a << (sizeof(T) * 8U % 64U)) | static_cast<std::make_unsigned_t<T>>(b);
        if constexpr (sizeof(T) == 4) return joined;
        using Twice = std::conditional_t<sizeof(T) == 1, std::int16_t, std::int32_t>;
        using Made = std::conditional_t<std::is_signed_v<T>, Twice, std::make_unsigned_t<Twice>>;
        return put(static_cast<Made>(joined));
    } else if constexpr (fn == Fn::abs || fn == Fn::abs_diff) {
        return static_cast<std::make_unsigned_t<T>>(
            of_integers(fn, get<T>(a), get<T>(b), get<T>(c)));
    } else if constexpr (fn == Fn::half_value) {
        return put(value_of_half(static_cast<std::uint16_t>(a)));
    } else if constexpr (fn == Fn::nan) {
        if constexpr (sizeof(T) == 8) return 0x7ff8000000000000U | (a & 0x7ffffffffffffU);
        return 0x7fc00000U | (a & 0x3fffffU);
    } else {
        return put(of_integers(fn, get<T>(a), get<T>(b), get<T>(c)));
    }
}

// Of a half's bits. A double holds the product of two exactly, and what is missing of a sum is
// too small to make it another half.
template <Fn fn>
std::uint64_t run_half(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const auto value = [](std::uint64_t bits) {
        return double{value_of_half(static_cast<std::uint16_t>(bits))};
    };
    constexpr std::uint64_t kSign = 0x8000;
    if constexpr (fn == Fn::fma) {
        return half_of(std::fma(value(a), value(b), value(c)));
    } else if constexpr (fn == Fn::isnormal) {
        return std::isfinite(value(a)) && std::fabs(value(a)) >= 0x1p-14;
    } else if constexpr (fn == Fn::nextafter) {
        const double from = value(a), to = value(b);
        if (std::isnan(from) || std::isnan(to)) return half_of(from + to);
        if (from == to) return b;
        if (from == 0) return to < 0 ? kSign | 1U : 1U;
        return (from < to) == (from > 0) ? a + 1 : a - 1;
    } else {
        return run_integer<fn, std::uint16_t>(a, b, c);
    }
}

std::uint64_t nothing(std::uint64_t, std::uint64_t, std::uint64_t) {
    return 0;
}

using Row = std::array<PureFunction, lang::kScalars.size()>;  // by Scalar

template <std::size_t... fn>
constexpr std::array<Row, lang::kFunctions> make_table(std::index_sequence<fn...>) {
    return {Row{nothing, run_integer<static_cast<Fn>(fn), std::uint8_t>,
                run_integer<static_cast<Fn>(fn), std::int8_t>,
                run_integer<static_cast<Fn>(fn), std::uint8_t>,
                run_integer<static_cast<Fn>(fn), std::int16_t>,
                run_integer<static_cast<Fn>(fn), std::uint16_t>,
                run_integer<static_cast<Fn>(fn), std::int32_t>,
                run_integer<static_cast<Fn>(fn), std::uint32_t>,
                run_integer<static_cast<Fn>(fn), std::int64_t>,
                run_integer<static_cast<Fn>(fn), std::uint64_t>, run_half<static_cast<Fn>(fn)>,
                run_float<static_cast<Fn>(fn), float>, run_float<static_cast<Fn>(fn), double>}...};
}

}  // namespace

PureFunction pure_function(Fn fn, Scalar type) {
    static constexpr auto kTable = make_table(std::make_index_sequence<lang::kFunctions>());
    return kTable[static_cast<std::size_t>(fn)][static_cast<std::size_t>(type)];
}

}  // namespace lab::machine
