// How near a right result is to what exact arithmetic gives: floats round, and integers wrap.
#pragma once

#include <cstdint>
#include <string>

namespace lab {

struct Exactness {
    enum class Kind : std::uint8_t {
        exact,       // as near as its type allows
        within,      // a float within the bound of its algorithm
        no_digit,    // likewise, but the bound is as large as the exact value
        left_range,  // some order of combining leaves the range of the float's type
        wrapped,     // an integer, right modulo 2^w
    } kind = Kind::exact;
    std::string value, bound;  // of exact arithmetic, and how far from it may be; else empty

    bool operator==(const Exactness&) const = default;
};

}  // namespace lab
