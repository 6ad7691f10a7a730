// Over two devices. PoCL makes as many of them as it is told to before it is first asked, so each
// test runs in a process of its own.
#include <chrono>
#include <cstdlib>
#include <numeric>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "device/all_devices.h"
#include "results/request.h"
#include "support/shipped_kernels.h"
#include "support/subprocess.h"

namespace lab::device {
namespace {

using catalogue::shipped;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Whether the test that asks has run in a child with these devices of PoCL; false in that child.
bool ran_with(const std::string& devices) {
    constexpr const char* kChild = "LAB_CHILD_WITH_DEVICES";
    if (std::getenv(kChild) != nullptr) return false;
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    RunOptions options;
    options.environment = {{"POCL_DEVICES", devices}, {kChild, "1"}};
    options.limit = std::chrono::minutes(5);  // each kernel is compiled twice, on a busy machine
    const Finished done = run_program(
        "/proc/self/exe",
        {std::string("--gtest_filter=") + test.test_suite_name() + "." + test.name()}, options);
    EXPECT_EQ(done.status, 0) << done.out << done.err;
    return true;
}

std::vector<Device> both() {
    std::vector<Problem> problems;
    std::vector<Device> devices = open_devices(results::kAllDevices, problems);
    EXPECT_EQ(devices.size(), 2U);
    EXPECT_THAT(problems, IsEmpty());
    return devices;
}

results::MeasureRequest runs(std::vector<std::string> variants, std::vector<std::uint64_t> sizes) {
    results::MeasureRequest request;
    request.variants = std::move(variants);
    request.sizes = std::move(sizes);
    request.repeat = 2;
    request.references = false;
    request.shape.device = results::kAllDevices;
    request.shape.input =
        catalogue::parse_input("bits:1");  // all bits count: no part adds up to nothing
    return request;
}

results::Measurements together(const std::vector<Device>& devices,
                               const catalogue::Catalogue& catalogue,
                               const results::MeasureRequest& request,
                               const std::function<void(const MeasureProgress&)>& progress = {}) {
    return measure_together(devices, chosen(catalogue, request), request, progress);
}

std::uint64_t elements_of(const results::Row& row) {
    return std::accumulate(
        row.parts.begin(), row.parts.end(), std::uint64_t{0},
        [](std::uint64_t sum, const results::RowPart& part) { return sum + part.n; });
}

// A part that is left out or counted twice makes each of these sums wrong.
TEST(AllDevices, TakeEveryElementOnce) {
    if (ran_with("pthread pthread")) return;
    const results::Measurements measurements = together(
        both(), shipped(),
        runs({"tile", "two-stage", "local-tree", "relaunch"}, {1, 2, 1000, 200'003, 1'048'593}));
    EXPECT_THAT(measurements.problems, IsEmpty());
    EXPECT_EQ(measurements.rows.size(), 4U * 5);
    for (const results::Row& row : measurements.rows) {
        EXPECT_TRUE(row.right) << row.variant << " " << row.n << ": " << row.result << " for "
                               << row.expected;
        EXPECT_EQ(elements_of(row), row.n);
        EXPECT_EQ(row.parts.size(), row.n == 1 ? 1U : 2U);
        EXPECT_EQ(row.device_ms.size(), 2U);
        for (const results::RowPart& part : row.parts) {
            EXPECT_EQ(part.device_ms.size(), 2U);
            EXPECT_EQ(part.alone_device_ms.size(), 2U);
            EXPECT_EQ(part.alone_wall_ms.size(), 2U);
        }
    }
    EXPECT_TRUE(measurements.complete);
    EXPECT_EQ(measurements.device.id, "all");
}

// How much each gets depends on how fast it is just then, which may be nothing at all.
TEST(AllDevices, ThatAreUnlikeShareByATrial) {
    if (ran_with("pthread basic")) return;
    const results::Measurements measurements =
        together(both(), shipped(), runs({"two-stage", "tile"}, {2, 1000, 2'000'003}));
    EXPECT_THAT(measurements.problems, IsEmpty());
    ASSERT_EQ(measurements.rows.size(), 2U * 3);
    for (const results::Row& row : measurements.rows) {
        EXPECT_TRUE(row.right) << row.variant << " " << row.n << ": " << row.result << " for "
                               << row.expected;
        EXPECT_EQ(elements_of(row), row.n);
    }
    EXPECT_THAT(measurements.device.name, HasSubstr(" + "));
}

TEST(AllDevices, ReduceByEveryOperatorAndType) {
    if (ran_with("pthread basic")) return;
    const std::vector<Device> devices = both();
    for (const catalogue::OpInfo& op : catalogue::ops())
        for (const catalogue::TypeInfo& type : catalogue::types()) {
            if (op.op != catalogue::Op::add && type.type != catalogue::Type::float_)
                continue;  // each compiles again
            results::MeasureRequest request = runs({"tile"}, {3001});
            request.shape.op = op.op;
            request.shape.type = type.type;
            const results::Measurements measurements = together(devices, shipped(), request);
            ASSERT_EQ(measurements.rows.size(), 1U) << op.name << " of " << type.name;
            EXPECT_TRUE(measurements.rows[0].right)
                << op.name << " of " << type.name << ": " << measurements.rows[0].result << " for "
                << measurements.rows[0].expected;
        }
}

TEST(AllDevices, OfOneNameHaveEqualParts) {
    if (ran_with("pthread pthread")) return;
    const results::Measurements measurements =
        together(both(), shipped(), runs({"two-stage"}, {1U << 20U, 7}));
    ASSERT_EQ(measurements.rows.size(), 2U);
    EXPECT_EQ(measurements.rows[0].parts[0].n, 1U << 19U);
    EXPECT_EQ(measurements.rows[0].parts[1].n, 1U << 19U);
    EXPECT_THAT(measurements.device.name, testing::StartsWith("2 x "));
    EXPECT_THAT(measurements.notes, ElementsAre(HasSubstr("they share its processors")));
}

TEST(AllDevices, ADeviceThatCannotRunAVariantIsLeftOut) {
    if (ran_with("pthread basic")) return;
    std::vector<Device> devices = both();
    devices[1].info.doubles = false;
    results::MeasureRequest request = runs({"tile"}, {1000});
    request.shape.type = catalogue::Type::double_;
    const results::Measurements measurements = together(devices, shipped(), request);
    ASSERT_EQ(measurements.rows.size(), 1U);
    ASSERT_EQ(measurements.rows[0].parts.size(), 1U);
    EXPECT_EQ(measurements.rows[0].parts[0].device, devices[0].info.id);
    EXPECT_TRUE(measurements.rows[0].right);
    EXPECT_THAT(measurements.skipped, ElementsAre(HasSubstr("tile on " + devices[1].info.id)));
}

TEST(AllDevices, ADeviceThatFailsEndsItsRowsAlone) {
    if (ran_with("pthread pthread")) return;
    std::vector<Device> devices = both();
    devices[1].info.largest_buffer = 16;
    const results::Measurements measurements =
        together(devices, shipped(), runs({"relaunch"}, {8, 1000, 4}));
    ASSERT_EQ(measurements.rows.size(), 2U);
    EXPECT_EQ(measurements.rows[0].n, 8U);
    EXPECT_EQ(measurements.rows[1].n, 4U);
    EXPECT_TRUE(measurements.rows[0].right && measurements.rows[1].right);
    EXPECT_EQ(measurements.problems.size(), 1U);
    EXPECT_TRUE(measurements.complete);
}

TEST(AllDevices, OneAloneIsMeasuredAndSaidToBeOne) {
    if (ran_with("pthread")) return;
    std::vector<Problem> problems;
    const auto one = open_devices(results::kAllDevices, problems);
    ASSERT_EQ(one.size(), 1U);
    const results::Measurements measurements = together(one, shipped(), runs({"tile"}, {100'000}));
    ASSERT_EQ(measurements.rows.size(), 1U);
    EXPECT_TRUE(measurements.rows[0].right);
    EXPECT_EQ(measurements.rows[0].parts.size(), 1U);
    EXPECT_GT(measurements.rows[0].device_efficiency().value_or(0), 0);
    EXPECT_THAT(measurements.notes, ElementsAre(HasSubstr("one device only")));
}

TEST(AllDevices, FindABrokenKernelWrong) {
    if (ran_with("pthread basic")) return;
    catalogue::Catalogue broken = shipped();
    for (catalogue::Kernel& variant : broken.variants)
        if (variant.id == "two-stage") {
            const auto position = variant.text.find("i += items");
            ASSERT_NE(position, std::string::npos);
            variant.text.replace(position, 10, "i += items + 1");
        }
    const results::Measurements measurements =
        together(both(), broken, runs({"two-stage"}, {100'000}));
    ASSERT_EQ(measurements.rows.size(), 1U);
    EXPECT_FALSE(measurements.rows[0].right);
}

TEST(AllDevices, WhatIsNoReductionIsNotSplit) {
    if (ran_with("pthread basic")) return;
    results::MeasureRequest request = runs({"sync-every-item", "one-pass", "tile"}, {4096});
    const results::Measurements measurements = together(both(), shipped(), request);
    ASSERT_EQ(measurements.rows.size(), 2U);
    EXPECT_EQ(measurements.rows[0].expect, "partial");
    EXPECT_TRUE(measurements.rows[0].right);
    ASSERT_EQ(measurements.problems.size(), 1U);
    EXPECT_THAT(measurements.problems[0].what_happened, HasSubstr("cannot be split"));
}

TEST(AllDevices, OtherWorkSaysThatItIsForOne) {
    if (ran_with("pthread basic")) return;
    EXPECT_THROW(open_device("all"), Problem);
    std::vector<Problem> problems;
    EXPECT_EQ(open_devices("0:1,0:0", problems)[0].info.id, "0:1");
    EXPECT_THROW(open_devices("0:0,5:5", problems), Problem);
}

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
}  // namespace lab::device
