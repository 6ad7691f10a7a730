// How the elements of one reduction are shared out among several devices.
#pragma once

#include <cstdint>
#include <vector>

namespace lab::measure {

struct Cut {
    std::size_t device = 0;  // its place among the weights
    std::uint64_t first = 0, count = 0;
    friend bool operator==(const Cut&, const Cut&) = default;
};

// [0, n) in parts that follow each other, each in proportion to its device's weight. They meet at
// multiples of 65536 elements where n has eight of these for each; a device whose part would be
// empty has none. Of no elements the first device has them. The weights are above 0.
std::vector<Cut> cut(std::uint64_t n, const std::vector<double>& weights);

}  // namespace lab::measure
