// The numbers to reduce: typed in, from a file, counted up, or random.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "catalogue/element.h"

namespace lab::catalogue {

// "7,1,6,8" | "@FILE" | "ramp" | "random:SEED" | "bits:SEED", as on the command line.
struct Input {
    enum class Kind : std::uint8_t { values, file, ramp, random, bits } kind = Kind::ramp;
    std::string text;        // the values, or the file's name
    std::uint64_t seed = 0;  // for random and bits

    bool operator==(const Input&) const = default;
};

Input parse_input(std::string_view text);  // throws Problem
std::string text_of(const Input& input);   // as parse_input reads it

// The elements. `ramp` is 1, 2, 3, …; `random` gives whole numbers 0 to 99 for integer types, and
// multiples of 2^-24 in [0, 1) for float and double; for a product, odd numbers 1 to 99, and floats
// within 2^-14 of 1 (mostly 1 or -1 for more than 8191, so that the product can be right), whose
// product neither vanishes nor leaves the type. `bits` is harder on a kernel than on a reader: all
// the bits of an integer (the lowest set, for a product), and floats of both signs and magnitudes
// 2^-10 to 2^11 (for a product, within 2^-14 of 1 and -1). Each element depends only on the seed
// and its index. `n` is how many; if empty, as many as the values or the file have (8 for a ramp or
// random numbers). Throws Problem if the values or the file do not have `n` numbers, or hold
// anything that is not a number of the type.
Values make_values(const Input& input, Type type, std::optional<std::uint64_t> n, Op op = Op::add);

}  // namespace lab::catalogue
