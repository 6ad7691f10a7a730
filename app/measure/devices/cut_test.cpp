#include "measure/devices/cut.h"

#include <gmock/gmock.h>

namespace lab::measure {
namespace {

using testing::ElementsAre;

TEST(Cut, IsEqualWhereWeightsAre) {
    EXPECT_THAT(cut(1U << 20U, {1, 1}),
                ElementsAre(Cut{0, 0, 1U << 19U}, Cut{1, 1U << 19U, 1U << 19U}));
    EXPECT_THAT(cut(10, {1, 1}), ElementsAre(Cut{0, 0, 5}, Cut{1, 5, 5}));
}

TEST(Cut, IsInProportionElsewhere) {
    EXPECT_THAT(cut(1U << 20U, {3, 1}),
                ElementsAre(Cut{0, 0, 3U << 18U}, Cut{1, 3U << 18U, 1U << 18U}));
    EXPECT_THAT(cut(1U << 17U, {3, 1}),
                ElementsAre(Cut{0, 0, 3U << 15U}, Cut{1, 3U << 15U, 1U << 15U}));
}

TEST(Cut, LeavesOutADeviceWithNothingToDo) {
    EXPECT_THAT(cut(1, {1, 1, 1}), ElementsAre(Cut{1, 0, 1}));
    EXPECT_THAT(cut(0, {1, 1}), ElementsAre(Cut{0, 0, 0}));
    EXPECT_THAT(cut(1U << 20U, {1, 1e-9}), ElementsAre(Cut{0, 0, 1U << 20U}));
}

TEST(Cut, CoversEveryElementOnceAndMeetsAtWholeSteps) {
    for (const std::uint64_t n :
         {std::uint64_t{1}, std::uint64_t{65535}, std::uint64_t{65537}, std::uint64_t{1000003},
          (std::uint64_t{1} << 32U) + 3, (std::uint64_t{1} << 40U) + 12345}) {
        for (const std::vector<double>& weights :
             {std::vector<double>{1}, {1, 1, 1}, {5, 0.1, 3}, {1e-9, 1}, {1, 1, 1, 1, 1, 1, 1}}) {
            std::uint64_t next = 0;
            for (const Cut& part : cut(n, weights)) {
                EXPECT_EQ(part.first, next);
                EXPECT_GT(part.count, 0U);
                if (n >= 8 * 65536 * weights.size()) {
                    EXPECT_EQ(part.first % 65536, 0U);
                }
                next = part.first + part.count;
            }
            EXPECT_EQ(next, n);
        }
    }
}

}  // namespace
}  // namespace lab::measure
