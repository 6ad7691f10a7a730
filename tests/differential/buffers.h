// The bytes that buffers hold before the launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "types.h"

namespace lab::differential {

// Bytes between elements of an array: a vector of 3 takes the room of 4.
unsigned stride(Type type);
// `count` elements of all sorts of values. Floats have no signalling NaN.
std::vector<std::byte> random_bytes(Random& random, Type type, std::uint64_t count);

}  // namespace lab::differential
