#include "results/statistics.h"

#include <gtest/gtest.h>

namespace lab::results {
namespace {

TEST(Median, IsTheMiddle) {
    EXPECT_EQ(median({3, 1, 2}), 2);
    EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
    EXPECT_EQ(median({}), 0);
}

TEST(Quantile, LiesBetweenNeighbours) {
    EXPECT_EQ(quantile({5, 1, 4, 2, 3}, 0.25), 2);
    EXPECT_EQ(quantile({1, 2}, 0.25), 1.25);
    EXPECT_EQ(quantile({7}, 0.95), 7);
    EXPECT_EQ(quantile({1, 2, 3}, 1), 3);
}

TEST(Summary, TellsSpreadAndHowSureTheMedianIs) {
    std::vector<double> samples;
    for (int i = 100; i >= 1; --i)
        samples.push_back(i);
    const Summary summary = summary_of(samples);
    EXPECT_DOUBLE_EQ(summary.median, 50.5);
    EXPECT_DOUBLE_EQ(summary.q1, 25.75);
    EXPECT_DOUBLE_EQ(summary.q3, 75.25);
    EXPECT_NEAR(summary.p5, 5.95, 1e-9);
    EXPECT_NEAR(summary.p95, 95.05, 1e-9);
    // Ranks 40 and 60 of 100 (from 0): half of 19 or 20 apart, of 50.5.
    ASSERT_TRUE(summary.precision.has_value());
    EXPECT_NEAR(*summary.precision, 9.5 / 50.5, 0.02);
    EXPECT_FALSE(summary_of({1, 2, 3}).precision.has_value());
    EXPECT_EQ(summary_of({2, 2, 2, 2, 2, 2}).precision, 0);
}

}  // namespace
}  // namespace lab::results
