#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "catalogue/reference.h"

namespace lab::catalogue {
namespace {

template <typename N>
Values values(std::vector<N> of) {
    return of;
}

TEST(Reference, IntegersWrap) {
    const Reference sum = reference(values<std::int32_t>({2147483647, 1}), Op::add);
    EXPECT_EQ(text_of(sum.value, 0), "-2147483648");
    const Reference product = reference(values<std::uint32_t>({65536, 65536, 3}), Op::product);
    EXPECT_EQ(text_of(product.value, 0), "0");
}

TEST(Reference, OfNothingIsTheIdentity) {
    EXPECT_EQ(text_of(reference(values<std::int32_t>({}), Op::min).value, 0), "2147483647");
    EXPECT_EQ(text_of(reference(values<float>({}), Op::max).value, 0), "-inf");
    EXPECT_EQ(text_of(reference(values<double>({}), Op::product).value, 0), "1");
}

TEST(Reference, FloatMinAndMaxIgnoreNan) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(text_of(reference(values<float>({nan, 2, -3, nan}), Op::min).value, 0), "-3");
    EXPECT_EQ(text_of(reference(values<float>({nan, 2, -3}), Op::max).value, 0), "2");
}

TEST(Reference, SumsFloatsInDouble) {
    std::vector<float> tenths(1 << 20, 0.1F);
    const Reference sum = reference(values(tenths), Op::add);
    EXPECT_NEAR(static_cast<double>(sum.exact), static_cast<double>(0.1F) * (1 << 20), 1e-6);
}

TEST(Judge, TakesWhatSomeOrderGivesWhereTheRangeIsLeftOnTheWay) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Reference sum = reference(values<float>({3e38F, 3e38F, -3e38F, 1}), Op::add);
    for (const float result : {INFINITY, nan, 3e38F})
        EXPECT_TRUE(judge(values<float>({result}), sum, Op::add, 3).right) << result;
    EXPECT_FALSE(judge(values<float>({1}), sum, Op::add, 3).right);
    const Reference product = reference(values<float>({1e30F, 1e30F, 1e-30F, 1e-30F}), Op::product);
    for (const float result : {INFINITY, nan, 1.0F, 0.0F})
        EXPECT_TRUE(judge(values<float>({result}), product, Op::product, 3).right) << result;
    EXPECT_FALSE(judge(values<float>({7}), product, Op::product, 3).right);
}

TEST(Judge, OfNothingButNanTakesNanAndTheIdentity) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Reference only = reference(values<float>({nan, nan}), Op::min);
    EXPECT_TRUE(judge(values<float>({nan}), only, Op::min, 1).right);
    EXPECT_TRUE(judge(values<float>({INFINITY}), only, Op::min, 1).right);
    EXPECT_FALSE(judge(values<float>({0}), only, Op::min, 1).right);
    const Reference some = reference(values<float>({nan, 2}), Op::min);
    EXPECT_FALSE(judge(values<float>({nan}), some, Op::min, 1).right);
}

TEST(Judge, AllowsTheAlgorithmsOwnRoundingAndNoMore) {
    std::vector<float> x(1024, 1.0F / 3);
    const Reference right = reference(values(x), Op::add);
    const auto exact = static_cast<float>(right.exact);
    EXPECT_TRUE(judge(values<float>({exact}), right, Op::add, 10).right);
    const float near = std::nextafter(std::nextafter(exact, 1e9F), 1e9F);
    EXPECT_TRUE(judge(values<float>({near}), right, Op::add, 10).right);
    EXPECT_FALSE(judge(values<float>({exact * 1.00001F}), right, Op::add, 10).right);
    EXPECT_FALSE(
        judge(values<float>({std::numeric_limits<float>::quiet_NaN()}), right, Op::add, 10).right);
}

TEST(Judge, TakesIntegersBitForBit) {
    const Reference right = reference(values<std::int64_t>({1, 2, 3}), Op::add);
    EXPECT_TRUE(judge(values<std::int64_t>({6}), right, Op::add, 2).right);
    EXPECT_FALSE(judge(values<std::int64_t>({7}), right, Op::add, 2).right);
}

TEST(Judge, TakesInfinityWhereTheSumIsBeyondTheType) {
    const Reference right = reference(values<float>({3e38F, 3e38F}), Op::add);
    EXPECT_TRUE(judge(values<float>({INFINITY}), right, Op::add, 1).right);
    EXPECT_FALSE(judge(values<float>({-INFINITY}), right, Op::add, 1).right);
}

TEST(Judge, SaysNothingRightWithoutARightDigit) {
    std::vector<float> x(1U << 25U, 1);
    const Reference right = reference(values(x), Op::add);
    // A plain loop's sum stops growing at 2^24; its own bound, n * u, would let that through.
    EXPECT_FALSE(judge(values<float>({1U << 24U}), right, Op::add, x.size()).right);
    EXPECT_FALSE(judge(values<float>({INFINITY}), right, Op::add, x.size()).right);
    EXPECT_TRUE(judge(values<float>({1U << 25U}), right, Op::add, x.size()).right);
}

// What stands beside a right result: the exact value, and how far from it any order may be.
TEST(Exactness, SaysHowNearARightFloatIsAndThatIntegersWrap) {
    const auto of = [](const Values& input, Op op, const Values& result) {
        const Reference right = reference(input, op);
        return exactness_of({judge(result, right, op, 3), text_of(result, 0)}, right);
    };
    using Kind = Exactness::Kind;
    const std::vector<float> far{0.1F, 0.2F, 0.3F, 1e8F, 0.5F, -1e8F, 0.7F, 0.8F};
    EXPECT_EQ(of(values(far), Op::add, values<float>({0})),
              (Exactness{Kind::no_digit, "2.6", "36"}));
    std::vector<float> ones(8, 1);
    ones[0] = 16777216;
    EXPECT_EQ(of(values(ones), Op::add, values<float>({16777222})),
              (Exactness{Kind::within, "16777223", "3"}));
    EXPECT_EQ(of(values<float>({1, 2}), Op::add, values<float>({3})), Exactness());
    EXPECT_EQ(of(values<float>({3e38F, 3e38F, -3e38F}), Op::add, values<float>({INFINITY})),
              (Exactness{Kind::left_range, "3e38", ""}));
    const std::vector<std::int32_t> factors{100000, 100000, 3, 4, 5, 6, 7, 8};
    EXPECT_EQ(of(values(factors), Op::product, values<std::int32_t>({-1469906944})),
              (Exactness{Kind::wrapped, "2.02e14", ""}));
    EXPECT_EQ(of(values<std::uint32_t>({4294967295U, 1}), Op::add, values<std::uint32_t>({0})),
              (Exactness{Kind::wrapped, "4294967296", ""}));
    EXPECT_EQ(of(values<std::int32_t>({2, 3}), Op::product, values<std::int32_t>({6})),
              Exactness());
    std::vector<std::int32_t> many((std::size_t{1} << 21U) + 1, 2000);
    EXPECT_EQ(of(values(many), Op::add, values<std::int32_t>({-100661296})),
              (Exactness{Kind::wrapped, "4194306000", ""}));
    EXPECT_EQ(of(values(many), Op::product, values<std::int32_t>({0})),
              (Exactness{Kind::wrapped, "over 1e4932", ""}));
    many.back() = 0;
    EXPECT_EQ(of(values(many), Op::product, values<std::int32_t>({0})), Exactness());
}

TEST(Ring, TriplesEachRound) {
    EXPECT_EQ(text_of(ring_of_ones(Op::add, Type::long_, 4).value, 0), "81");
    EXPECT_EQ(text_of(ring_of_ones(Op::min, Type::float_, 500000).value, 0), "1");
    EXPECT_EQ(text_of(ring_of_ones(Op::add, Type::float_, 1000).value, 0), "inf");
    EXPECT_EQ(text_of(ring_of_ones(Op::add, Type::uint_, 0).value, 0), "1");
}

}  // namespace
}  // namespace lab::catalogue
