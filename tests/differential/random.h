// Random numbers that are the same everywhere: xoshiro256** seeded by splitmix64. The library's
// distributions are not used, for they differ between libraries.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab::differential {

struct Random {
    explicit Random(std::uint64_t seed);

    std::uint64_t next();
    // Below `bound`, which is not 0. The bias of the remainder is no matter here.
    std::uint64_t below(std::uint64_t bound) { return next() % bound; }
    bool percent(unsigned chance) { return below(100) < chance; }

    template <typename Items>
    const auto& pick(const Items& items) {
        return items[static_cast<std::size_t>(below(std::size(items)))];
    }

  private:
    std::array<std::uint64_t, 4> state_;
};

}  // namespace lab::differential
