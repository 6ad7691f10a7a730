// Numbers in memory, and as registers hold them; private to access*.cpp.
#pragma once

#include <cstddef>
#include <cstring>

#include "lang/code/value.h"

namespace lab::machine {

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

}  // namespace lab::machine
