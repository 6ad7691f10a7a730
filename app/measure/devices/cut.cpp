#include "measure/devices/cut.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lab::measure {

std::vector<Cut> cut(std::uint64_t n, const std::vector<double>& weights) {
    constexpr std::uint64_t kStep = 65536, kStepsEach = 8;  // else a step is too much of a part
    const std::uint64_t step = n / kStep >= kStepsEach * weights.size() ? kStep : 1;
    const long double all = std::accumulate(weights.begin(), weights.end(), 0.0L);
    std::vector<Cut> parts;
    std::uint64_t first = 0;
    long double before = 0;  // the weights so far
    for (std::size_t i = 0; i < weights.size(); ++i) {
        before += weights[i];
        const long double steps = before / all * static_cast<long double>(n / step);
        const std::uint64_t end =
            i + 1 == weights.size()
                ? n
                : std::clamp(static_cast<std::uint64_t>(std::llround(steps)) * step, first, n);
        if (end > first) parts.push_back({i, first, end - first});
        first = end;
    }
    if (parts.empty()) parts.push_back({0, 0, 0});
    return parts;
}

}  // namespace lab::measure
