#include "lang/code/value.h"

#include <fmt/format.h>

#include <cmath>

namespace lab::lang {
namespace {

template <typename T>
std::string text_of_floating(T value) {
    if (std::isnan(value)) return "nan";
    if (value == std::trunc(value) && std::abs(value) < T(1e7)) return fmt::format("{:.0f}", value);
    return fmt::format("{}", value);
}

}  // namespace

std::string text_of(std::uint64_t bits, Scalar scalar) {
    if (scalar == Scalar::float_) return text_of_floating(float_of(bits));
    if (scalar == Scalar::double_) return text_of_floating(double_of(bits));
    if (info(scalar).is_signed) return fmt::format("{}", static_cast<std::int64_t>(bits));
    return fmt::format("{}", bits);
}

}  // namespace lab::lang
