#include "buffers.h"

#include <array>
#include <bit>

namespace lab::differential {
namespace {

void append(std::vector<std::byte>& bytes, std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

std::uint64_t float_bits(Random& random) {
    static constexpr std::array<std::uint32_t, 8> special = {
        0x00000000, 0x80000000, 0x7f800000, 0xff800000,   // zeros and infinities
        0x7fc00000, 0x00000001, 0x007fffff, 0x7f7fffff};  // NaN, denormals, the largest
    if (random.percent(15)) return random.pick(special);
    if (random.percent(50)) {
        const auto whole = static_cast<float>(random.below(2001)) - 1000.0F;
        return std::bit_cast<std::uint32_t>(whole / 8.0F);
    }
    // Any mantissa and sign, an exponent around that of 1.
    const std::uint64_t exponent = 127 - 20 + random.below(40);
    return (random.next() & 0x807fffffU) | (exponent << 23);
}

std::uint64_t double_bits(Random& random) {
    if (random.percent(60)) {
        const auto bits = static_cast<std::uint32_t>(float_bits(random));
        // By hand, for the conversion of NaN is the machine's own.
        if (bits == 0x7fc00000U) return 0x7ff8000000000000U;
        return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(bits)));
    }
    const std::uint64_t exponent = 1023 - 40 + random.below(80);
    return (random.next() & 0x800fffffffffffffU) | (exponent << 52);
}

std::uint64_t integer_bits(Random& random, Element element) {
    switch (random.below(4)) {
        case 0:
            return random.below(32);
        case 1:
            return std::uint64_t{0} - random.below(32);
        case 2:  // the least and the greatest, and around
            return (std::uint64_t{1} << (8 * bytes(element) - 1)) - random.below(3);
        default:
            return random.next();
    }
}

}  // namespace

unsigned stride(Type type) {
    return bytes(type.element) * (type.width == 3 ? 4 : type.width);
}

std::vector<std::byte> random_bytes(Random& random, Type type, std::uint64_t count) {
    std::vector<std::byte> result;
    const std::uint64_t scalars = count * stride(type) / bytes(type.element);
    for (std::uint64_t i = 0; i < scalars; ++i) {
        std::uint64_t value = 0;
        if (type.element == Element::f32) {
            value = float_bits(random);
        } else if (type.element == Element::f64) {
            value = double_bits(random);
        } else {
            value = integer_bits(random, type.element);
        }
        append(result, value, bytes(type.element));
    }
    return result;
}

}  // namespace lab::differential
