#include "analysis/rows/cell_value.h"

#include <cstdlib>
#include <cstring>
#include <limits>

#include "lang/code/value.h"

namespace lab::analysis {

using lang::Scalar;

namespace {

std::uint64_t bits_of(const std::string& text, Scalar type) {
    if (type == Scalar::half_) return lang::half_of(std::strtod(text.c_str(), nullptr));
    if (type == Scalar::float_) return lang::bits_of(std::strtof(text.c_str(), nullptr));
    if (lang::info(type).floating) return lang::bits_of(std::strtod(text.c_str(), nullptr));
    if (!lang::info(type).is_signed) return std::strtoull(text.c_str(), nullptr, 10);
    return static_cast<std::uint64_t>(std::strtoll(text.c_str(), nullptr, 10));
}

}  // namespace

CellValue value_in(std::span<const std::byte> bytes, std::uint64_t index, Scalar type) {
    const std::size_t size = lang::info(type).bytes;
    if ((index + 1) * size > bytes.size()) return {{}, type};
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + index * size, size);
    return {lang::canonical(type, bits), type};
}

std::string text_of(const CellValue& value) {
    return value.bits ? lang::text_of(*value.bits, value.type) : "?";
}

CellValue value_of(const std::string& text, Scalar type) {
    for (const Scalar each : {type, Scalar::long_, Scalar::ulong, Scalar::double_}) {
        const CellValue value{lang::canonical(each, bits_of(text, each)), each};
        if (text_of(value) == text) return value;
    }
    return {};
}

bool operator==(const CellValue& a, const CellValue& b) {
    return (a.type == b.type && a.bits == b.bits) || text_of(a) == text_of(b);
}

double number_of(const CellValue& value) {
    if (!value.bits) return std::numeric_limits<double>::quiet_NaN();
    if (value.type == Scalar::half_)
        return double{lang::value_of_half(static_cast<std::uint16_t>(*value.bits))};
    if (value.type == Scalar::float_) return double{lang::float_of(*value.bits)};
    if (lang::info(value.type).floating) return lang::double_of(*value.bits);
    return lang::info(value.type).is_signed
               ? static_cast<double>(static_cast<std::int64_t>(*value.bits))
               : static_cast<double>(*value.bits);
}

}  // namespace lab::analysis
