#include "measure/measure.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "measure/reference.h"

namespace lab {
namespace {

using testing::HasSubstr;

const Catalogue& shipped() {
    static const Catalogue catalogue = load_catalogue(fs::path(LAB_SOURCE_DIR) / "kernels");
    return catalogue;
}

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

TEST(Median, IsTheMiddle) {
    EXPECT_EQ(median({3, 1, 2}), 2);
    EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
    EXPECT_EQ(median({}), 0);
}

struct Case {
    const char* variant;
    Op op;
    Type type;
};

class Measured : public testing::TestWithParam<Case> {};

TEST_P(Measured, IsRightAtManySizes) {
    const compute::Device device = compute::open_device("");
    MeasureRequest request;
    request.variants = {GetParam().variant};
    request.sizes = {0, 1, 2, 3, 7, 8, 100, 255, 256, 257, 1000, 65537};
    request.shape.op = GetParam().op;
    request.shape.type = GetParam().type;
    request.shape.input = parse_input("random:1");
    request.repeat = 1;
    const Measurements made = measure(device, shipped(), request);
    EXPECT_TRUE(made.problems.empty());
    ASSERT_EQ(made.rows.size(), request.sizes.size());
    for (const Row& row : made.rows)
        EXPECT_TRUE(row.right) << row.n << ": " << row.result << " for " << row.expected;
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const char* variant : {"relaunch", "local-tree"})
        for (const OpInfo& op : ops())
            for (const TypeInfo& type : types())
                all.push_back({variant, op.op, type.type});
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, Measured, testing::ValuesIn(cases()), [](const auto& test) {
    std::string name = test.param.variant;
    std::replace(name.begin(), name.end(), '-', '_');
    return name + "_" + name_of(test.param.op) + "_" + lab::info(test.param.type).name;
});

TEST(Measure, KeepsSamplesAndTellsProgress) {
    const compute::Device device = compute::open_device("");
    MeasureRequest request{{"local-tree", "relaunch"}, {1000, 2000}, {}, 3};
    std::size_t told = 0;
    const Measurements made = measure(device, shipped(), request, [&](const MeasureProgress& at) {
        EXPECT_EQ(at.done, ++told);
        EXPECT_EQ(at.total, 4U);
        EXPECT_NE(at.row, nullptr);
    });
    EXPECT_EQ(told, 4U);
    for (const Row& row : made.rows) {
        EXPECT_EQ(row.device_ms.size(), 3U);
        EXPECT_EQ(row.wall_ms.size(), 3U);
        EXPECT_GT(row.gigabytes_per_second(), 0);
    }
    const auto again = nlohmann::json(made).get<Measurements>();
    EXPECT_EQ(nlohmann::json(again), nlohmann::json(made));
}

TEST(Measure, ARowThatCannotBeMeasuredLeavesTheOthers) {
    const compute::Device device = compute::open_device("");
    MeasureRequest request{{"local-tree", "relaunch"}, {1000}, {}, 1};
    request.shape.group = 48;  // no power of two: not for local-tree
    const Measurements made = measure(device, shipped(), request);
    ASSERT_EQ(made.rows.size(), 1U);
    EXPECT_EQ(made.rows[0].variant, "relaunch");
    ASSERT_EQ(made.problems.size(), 1U);
    EXPECT_THAT(made.problems[0].why, HasSubstr("power_of_two"));
}

TEST(Measure, AWrongResultIsMarked) {
    const compute::Device device = compute::open_device("");
    // The same kernel, told to leave out every element but those of the first item's.
    Catalogue broken = shipped();
    for (Variant& variant : broken.variants) {
        const auto at = variant.text.find("if (i < n)");
        if (at != std::string::npos) variant.text.replace(at, 10, "if (i < 1)");
    }
    const Measurements made = measure(device, broken, {{"local-tree"}, {1000}, {}, 2});
    ASSERT_EQ(made.rows.size(), 1U);
    EXPECT_FALSE(made.rows[0].right);
    EXPECT_EQ(made.rows[0].result, "1");
    EXPECT_EQ(made.rows[0].expected, "500500");
}

}  // namespace
}  // namespace lab
