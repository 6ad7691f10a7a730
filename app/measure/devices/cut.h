// Divides the elements of one reduction among several devices.
#pragma once

#include <cstdint>
#include <vector>

namespace lab::measure {

struct Cut {
    std::size_t device = 0;  // index into the weights
    std::uint64_t first = 0, count = 0;
    friend bool operator==(const Cut&, const Cut&) = default;
};

// [0, n) in consecutive parts, in proportion to the devices' weights, which must be above 0. Parts
// meet at multiples of 65536 elements if n has eight of these per device; a device whose part would
// be empty gets none. If n is 0, the first device gets it.
std::vector<Cut> cut(std::uint64_t n, const std::vector<double>& weights);

}  // namespace lab::measure
