// On the first device of the machine; PoCL is always there.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "catalogue/reference.h"
#include "device/benchmark_cases.h"
#include "device/job_run.h"
#include "device/measure.h"
#include "support/first_device.h"
#include "support/measured.h"
#include "support/shipped_kernels.h"

namespace lab::device {
namespace {

using catalogue::shipped;
using testing::HasSubstr;

results::MeasureRequest runs(std::vector<std::string> variants, std::vector<std::uint64_t> sizes,
                             int repeat) {
    results::MeasureRequest request;
    request.variants = std::move(variants);
    request.sizes = std::move(sizes);
    request.repeat = repeat;
    return request;
}

const results::Row* row_of(const results::Measurements& measurements, const std::string& variant) {
    for (const results::Row& row : measurements.rows)
        if (row.variant == variant) return &row;
    return nullptr;
}

TEST(HostLoops, AgreeWithTheReference) {
    for (const catalogue::OpInfo& op : catalogue::ops())
        for (const catalogue::TypeInfo& type : catalogue::types())
            for (const std::uint64_t n : {0U, 1U, 63U, 64U, 1000U}) {
                const catalogue::Values input =
                    make_values(catalogue::parse_input("bits:3"), type.type, n, op.op);
                const catalogue::Reference right = reference(input, op.op);
                for (const HostLoop& loop : host_loops()) {
                    const catalogue::Values result = loop.reduce(op.op, type.type, span_of(input));
                    EXPECT_TRUE(judge(result, right, op.op, loop.depth(n)).right)
                        << loop.id << " " << op.name << " " << type.name << " " << n << ": "
                        << catalogue::text_of(result, 0) << " for "
                        << catalogue::text_of(right.value, 0);
                }
            }
}

TEST(HostLoops, FloatMinAndMaxIgnoreNan) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const catalogue::Values input = std::vector<float>{nan, 2, -3, nan};
    for (const HostLoop& loop : host_loops()) {
        EXPECT_EQ(catalogue::text_of(
                      loop.reduce(catalogue::Op::min, catalogue::Type::float_, span_of(input)), 0),
                  "-3");
        EXPECT_EQ(catalogue::text_of(
                      loop.reduce(catalogue::Op::max, catalogue::Type::float_, span_of(input)), 0),
                  "2");
    }
}

TEST(Measure, TakesTurnsWithTheCeilingAndTheHost) {
    const results::Measurements measurements =
        measured(shipped(), runs({"local-tree", "relaunch"}, {1000, 2000}, 3));
    EXPECT_TRUE(measurements.complete);
    EXPECT_TRUE(measurements.problems.empty());
    ASSERT_EQ(measurements.rows.size(), 2U * (2 + 1 + 3));
    for (const results::Row& row : measurements.rows) {
        EXPECT_TRUE(row.right) << row.variant << ": " << row.result << " for " << row.expected;
        EXPECT_GE(row.wall_ms.size(), 3U) << row.variant;
        EXPECT_EQ(row.device_ms.empty(), row.kind == "reference");
        EXPECT_GT(row.gigabytes_per_second(), 0);
    }
    EXPECT_EQ(row_of(measurements, "read-ceiling")->kind, "ceiling");
    EXPECT_EQ(row_of(measurements, "local-tree")->cache, "cold");
    EXPECT_EQ(row_of(measurements, "relaunch")->cache, "warm");  // in place: just written
    for (const char* id : {"cpu-serial", "cpu-openmp", "cpu-tbb"})
        EXPECT_NE(row_of(measurements, id), nullptr) << id;
    EXPECT_GE(row_of(measurements, "read-ceiling")->device_ms.size(), 3U);
    const auto again = nlohmann::json(measurements).get<results::Measurements>();
    EXPECT_EQ(nlohmann::json(again), nlohmann::json(measurements));
}

TEST(Measure, EndsARowOnceItIsPreciseOrItsLimitIsUsedUp) {
    results::MeasureRequest request = runs({"local-tree"}, {4096}, 0);
    request.references = false;
    request.precision = 1;
    request.limit_s = 100;
    EXPECT_EQ(measured(shipped(), request).rows.at(0).wall_ms.size(), 20U);
    request.precision = 1e-6;
    request.limit_s = 0.2;  // the fewest samples may take ten times that
    EXPECT_GE(measured(shipped(), request).rows.at(0).wall_ms.size(), 3U);
}

TEST(Measure, TellsProgressThatAddsUpToTheResult) {
    results::MeasureRequest request = runs({"local-tree", "relaunch"}, {1000, 2000}, 2);
    request.references = false;
    results::Measurements measurements;
    std::size_t done = 0;
    const results::Measurements result =
        measured(shipped(), request, [&](const MeasureProgress& progress) {
            EXPECT_GE(progress.done, done);
            done = progress.done;
            EXPECT_EQ(progress.total, 4U);
            EXPECT_GE(progress.seconds_left, 0);
            merge(measurements, *progress.results);
        });
    EXPECT_EQ(done, 4U);
    EXPECT_FALSE(measurements.complete);
    EXPECT_EQ(nlohmann::json(measurements.rows), nlohmann::json(result.rows));
}

TEST(Measure, TakesSeveralGroups) {
    results::MeasureRequest request = runs({"local-tree"}, {1000}, 1);
    request.groups = {32, 64};
    request.references = false;
    const results::Measurements measurements = measured(shipped(), request);
    ASSERT_EQ(measurements.rows.size(), 2U);
    EXPECT_EQ(measurements.rows[0].group, 32U);
    EXPECT_EQ(measurements.rows[1].group, 64U);
}

TEST(Measure, ARowThatCannotBeMeasuredLeavesTheOthers) {
    results::MeasureRequest request = runs({"local-tree", "relaunch"}, {1000}, 1);
    request.groups = {48};  // no power of two: not for local-tree
    request.references = false;
    const results::Measurements measurements = measured(shipped(), request);
    ASSERT_EQ(measurements.rows.size(), 1U);
    EXPECT_EQ(measurements.rows[0].variant, "relaunch");
    ASSERT_EQ(measurements.problems.size(), 1U);
    EXPECT_THAT(measurements.problems[0].why, HasSubstr("power_of_two"));
    request.all = true;
    const results::Measurements all = measured(shipped(), request);
    EXPECT_TRUE(all.problems.empty());
    ASSERT_EQ(all.skipped.size(), 1U);
    EXPECT_THAT(all.skipped[0], HasSubstr("local-tree: It asks for power_of_two(group)"));
}

TEST(Measure, ABarrierThatCannotBeKeptIsSaidWithTheGroupsThatCan) {
    results::MeasureRequest request = runs({"sync-leaders"}, {1024, 2048}, 1);
    request.groups = {8};
    request.references = false;
    const results::Measurements measurements = measured(shipped(), request);
    if (measurements.problems.empty()) GTEST_SKIP() << "this device runs 256 groups at once";
    EXPECT_EQ(measurements.problems.size(), 1U);  // not tried again with more of them
    EXPECT_THAT(measurements.problems[0].what_happened, HasSubstr("128 groups of 8"));
    EXPECT_THAT(measurements.problems[0].why, HasSubstr("got through"));
}

TEST(Measure, WrongResultsAreMarkedAndNotRanked) {
    results::MeasureRequest request = runs({"local-tree"}, {1000}, 2);
    request.references = false;
    // Told to leave out every element but the first.
    const results::Measurements measurements =
        measured(catalogue::shipped_with("local-tree", "if (i < n)", "if (i < 1)"), request);
    ASSERT_EQ(measurements.rows.size(), 1U);
    EXPECT_FALSE(measurements.rows[0].right);
    EXPECT_FALSE(measurements.rows[0].ranked());
    EXPECT_EQ(measurements.rows[0].result, "1");
    EXPECT_EQ(measurements.rows[0].expected, "500500");
    const results::Measurements part = measured(shipped(), runs({"one-pass"}, {1000}, 2));
    EXPECT_TRUE(row_of(part, "one-pass")->right);
    EXPECT_FALSE(row_of(part, "one-pass")->ranked());  // it has not done the whole work
}

TEST(Measure, TheCeilingReadsEveryWordOfAnyInput) {
    results::MeasureRequest request = runs({"local-tree"}, {0, 1, 5, 100'001}, 1);
    request.shape.type = catalogue::Type::double_;
    request.shape.input = catalogue::parse_input("bits:1");
    for (const results::Row& row : measured(shipped(), request).rows)
        EXPECT_TRUE(row.right) << row.variant << " " << row.n << ": " << row.result << " for "
                               << row.expected;
}

}  // namespace
}  // namespace lab::device
