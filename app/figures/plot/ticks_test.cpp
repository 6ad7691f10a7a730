#include "figures/plot/ticks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace lab::figures {
namespace {

using testing::Contains;
using testing::DoubleNear;
using testing::ElementsAre;

TEST(Ticks, SayWhatPeopleSay) {
    EXPECT_EQ(tick_text(Unit::elements, 1 << 16), "64 Ki");
    EXPECT_EQ(tick_text(Unit::elements, 1000), "1000");
    EXPECT_EQ(tick_text(Unit::seconds, 2e-5), "20 µs");
    EXPECT_EQ(tick_text(Unit::seconds, 1e-3), "1 ms");
    EXPECT_EQ(tick_text(Unit::seconds, 1), "1 s");
    EXPECT_EQ(tick_text(Unit::seconds, 5e-10), "0.5 ns");
    EXPECT_EQ(tick_text(Unit::plain, 0.05), "0.05");
    EXPECT_EQ(tick_text(Unit::plain, 10000), "10000");
    EXPECT_EQ(tick_text(Unit::plain, 5e-5), "0.00005");
    EXPECT_EQ(tick_text(Unit::plain, 0), "0");
    EXPECT_EQ(tick_text(Unit::powers, 1e-7), "10⁻⁷");
    EXPECT_EQ(tick_text(Unit::powers, 2e-12), "2·10⁻¹²");
}

TEST(Ticks, TimesHaveTheUnitThatKeepsThemShort) {
    EXPECT_EQ(seconds_text(0.9999e-3), "1 ms");
    EXPECT_EQ(seconds_text(999e-6), "999 µs");
    EXPECT_EQ(seconds_text(1.2345), "1.23 s");
    EXPECT_EQ(seconds_text(4928.176), "4928 s");
}

TEST(Ticks, PowersOfTwoComeInStepsThatDivide) {
    const auto choices = tick_choices(Scale::log2, {1024, 1 << 26});
    EXPECT_EQ(choices.front().size(), 17U);
    EXPECT_THAT(choices, Contains(ElementsAre(1 << 10, 1 << 20)));
    EXPECT_THAT(choices, Contains(ElementsAre(1 << 12, 1 << 16, 1 << 20, 1 << 24)));
}

TEST(Ticks, ANarrowRangeOfLogarithmsHasEvenSteps) {
    const auto choices = tick_choices(Scale::log10, {20, 35});
    EXPECT_GE(choices.front().size(), 3U);
    EXPECT_THAT(choices, Contains(ElementsAre(20, 25, 30, 35)));
}

TEST(Ticks, LieWithinTheRangeAndGetFewer) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> exponent(-12, 6), span(0.05, 9);
    for (int i = 0; i < 300; ++i)
        for (const Scale scale : {Scale::linear, Scale::log2, Scale::log10}) {
            Range range;
            range.low = std::pow(10, exponent(random));
            range.high = range.low * std::pow(10, span(random));
            for (const auto& choice : tick_choices(scale, range)) {
                EXPECT_LE(choice.size(), 64U);
                EXPECT_TRUE(std::is_sorted(choice.begin(), choice.end()));
                EXPECT_GE(choice.front(), range.low * (1 - 1e-6));
                EXPECT_LE(choice.back(), range.high * (1 + 1e-6));
            }
        }
}

TEST(Ticks, ARangeHoldsItsValuesAndIsNeverEmpty) {
    const double infinity = std::numeric_limits<double>::infinity();
    const Range one = range_of(Scale::log10, {5});
    EXPECT_LT(one.low, 5);
    EXPECT_GT(one.high, 5);
    EXPECT_NEAR(part_of(Scale::log10, one, 5), 0.5, 1e-12);
    const Range some = range_of(Scale::log10, {0, -3, infinity, 1, 1000});
    EXPECT_EQ(some.low, 1);
    EXPECT_EQ(some.high, 1000);
    EXPECT_NEAR(part_of(Scale::log10, some, 10), 1.0 / 3, 1e-12);
    const Range none = range_of(Scale::log2, {});
    EXPECT_LT(none.low, none.high);
    const Range flat = range_of(Scale::linear, {3, 3});
    EXPECT_LT(flat.low, 3);
    EXPECT_GT(flat.high, 3);
}

}  // namespace
}  // namespace lab::figures
