#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace lab {
namespace {

TEST(Parallel, CoversEveryPlaceOnce) {
    for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U, 1001U}) {
        for (const std::size_t least : {0U, 1U, 3U, 5000U}) {
            std::vector<std::atomic<int>> seen(count);
            in_parallel(count, least, [&](std::size_t first, std::size_t end) {
                EXPECT_LT(first, end);
                for (std::size_t i = first; i < end; ++i)
                    ++seen[i];
            });
            for (const auto& times : seen)
                EXPECT_EQ(times, 1) << count << ", " << least;
        }
    }
}

TEST(Parallel, ThrowsWhatAPartThrew) {
    EXPECT_THROW(in_parallel(100, 1,
                             [](std::size_t, std::size_t end) {
                                 if (end == 100) throw std::runtime_error("the last part");
                             }),
                 std::runtime_error);
}

}  // namespace
}  // namespace lab
