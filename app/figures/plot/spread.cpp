#include "figures/plot/spread.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace lab::figures {

std::vector<float> spread(const std::vector<float>& wanted, float apart, float low, float high) {
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
    struct Pool {
        double sum = 0;
        std::size_t count = 0;
        double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<Pool> pools;
    for (std::size_t i = 0; i < order.size(); ++i) {
        pools.push_back({double(wanted[order[i]]) - static_cast<double>(i) * double(apart), 1});
        while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
            pools[pools.size() - 2].sum += pools.back().sum;
            pools[pools.size() - 2].count += pools.back().count;
            pools.pop_back();
        }
    }
    const double last = static_cast<double>(std::max<std::size_t>(order.size(), 1) - 1);
    const double highest = std::max(double(low), double(high) - last * double(apart));
    std::vector<float> placed(wanted.size());
    std::size_t i = 0;
    for (const Pool& pool : pools)
        for (std::size_t k = 0; k < pool.count; ++k, ++i)
            placed[order[i]] = static_cast<float>(std::clamp(pool.mean(), double(low), highest) +
                                                  static_cast<double>(i) * double(apart));
    return placed;
}

}  // namespace lab::figures
