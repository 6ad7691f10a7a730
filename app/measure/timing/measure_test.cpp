// On the first device of the machine; PoCL is always there.
#include "measure/timing/measure.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "catalogue/reference.h"
#include "device/inputs.h"
#include "device/needs.h"
#include "measure/checks/check.h"
#include "measure/checks/trials.h"
#include "measure/timing/host_loops.h"

namespace lab::measure {
namespace {

using testing::HasSubstr;

const catalogue::Catalogue& shipped_kernels() {
    static const catalogue::Catalogue catalogue =
        catalogue::load_catalogue(fs::path(LAB_SOURCE_DIR) / "kernels");
    return catalogue;
}

const device::Device& first_device() {
    static const device::Device opened = device::open_device("");
    return opened;
}

// The shipped kernels with `from` of one of them replaced.
catalogue::Catalogue with(const char* id, const std::string& from, const std::string& to) {
    catalogue::Catalogue changed = shipped_kernels();
    for (catalogue::Variant& variant : changed.variants) {
        if (variant.id != id) continue;
        const auto position = variant.text.find(from);
        EXPECT_NE(position, std::string::npos);
        variant.text.replace(position, from.size(), to);
    }
    return changed;
}

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
                    const catalogue::Values result =
                        loop.reduce(op.op, type.type, device::bytes_in(input));
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
        EXPECT_EQ(catalogue::text_of(loop.reduce(catalogue::Op::min, catalogue::Type::float_,
                                                 device::bytes_in(input)),
                                     0),
                  "-3");
        EXPECT_EQ(catalogue::text_of(loop.reduce(catalogue::Op::max, catalogue::Type::float_,
                                                 device::bytes_in(input)),
                                     0),
                  "2");
    }
}

// Each variant with a few operators and types; `check all` of the command line has all of them.
struct Case {
    catalogue::Op op;
    catalogue::Type type;
};

class Checked : public testing::TestWithParam<std::string> {};

TEST_P(Checked, KeepsWhatItsHeaderPromises) {
    const catalogue::Variant& variant = shipped_kernels().find(GetParam());
    std::uint64_t cases = 0;
    bool lacks = false;
    for (const Case& test_case : {Case{catalogue::Op::add, catalogue::Type::int_},
                                  Case{catalogue::Op::min, catalogue::Type::ulong_},
                                  Case{catalogue::Op::max, catalogue::Type::double_},
                                  Case{catalogue::Op::product, catalogue::Type::float_}}) {
        results::CheckRequest request;
        request.variants = {variant.id};
        request.sizes = {0, 1, 2, 7, 256, 257, 1000, 65537};
        request.groups = {64, 0};
        request.ops = {test_case.op};
        request.types = {test_case.type};
        request.shape.input = catalogue::parse_input("bits:1");
        for (const catalogue::Toggle& toggle :
             variant.toggles)  // the first of each; others by `check all`
            request.shape.set[toggle.name] = toggle.values.front();
        const results::CheckReport report = check(first_device(), shipped_kernels(), request);
        ASSERT_EQ(report.lines.size(), 1U);
        const results::CheckLine& line = report.lines[0];
        EXPECT_TRUE(line.passed()) << nlohmann::json(report).dump(1);
        cases += line.cases;
        lacks = lacks || !line.lacks.empty();
    }
    EXPECT_TRUE(cases > 0 || lacks);
}

std::vector<std::string> ids() {
    std::vector<std::string> all;
    for (const catalogue::Variant& variant : shipped_kernels().variants)
        all.push_back(variant.id);
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, Checked, testing::ValuesIn(ids()), [](const auto& test) {
    std::string name = test.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(Check, VariesOneToggleAtATime) {
    results::CheckRequest request;
    request.variants = {"local-tree"};
    request.sizes = {100};
    request.groups = {16};
    const results::CheckReport report = check(first_device(), shipped_kernels(), request);
    EXPECT_EQ(report.lines.size(), 1U + 4 + 1 + 1);
    EXPECT_EQ(report.lines[0].cases, catalogue::ops().size() * catalogue::types().size());
    EXPECT_EQ(report.lines[1].set.at("ITEMS"), "1");
    EXPECT_EQ(report.lines[1].cases, 2U);
    const auto again = nlohmann::json(report).get<results::CheckReport>();
    EXPECT_EQ(nlohmann::json(again), nlohmann::json(report));
}

TEST(Check, FindsAKernelThatIsNotAsPromised) {
    results::CheckRequest request;
    request.variants = {"two-stage"};
    request.sizes = {1, 1000};
    request.ops = {catalogue::Op::add};
    request.types = {catalogue::Type::int_};
    request.shape.input = catalogue::parse_input("bits:1");
    const catalogue::Catalogue broken = with("two-stage", "i += items", "i += items + 1");
    const results::CheckReport report = check(first_device(), broken, request);
    EXPECT_FALSE(report.passed());
    EXPECT_GT(report.lines[0].wrong, 0U);
    EXPECT_GT(report.lines[0].right, 0U);  // one element is still right
    ASSERT_FALSE(report.lines[0].examples.empty());
    EXPECT_EQ(report.lines[0].examples[0].n, 1000U);
}

TEST(Check, ATextThatDoesNotBuildFails) {
    results::CheckRequest request;
    request.variants = {"two-stage", "relaunch"};
    request.sizes = {8};
    const results::CheckReport report =
        check(first_device(), with("two-stage", "get_global_id", "get_globl_id"), request);
    EXPECT_FALSE(report.lines[0].passed());
    EXPECT_FALSE(report.lines[0].problems.empty());
    EXPECT_TRUE(report.lines[1].passed());
}

TEST(Check, CatchesTheTextThatPoclMiscompiles) {
    const catalogue::Catalogue known_bad =
        catalogue::load_catalogue(fs::path(LAB_SOURCE_DIR) / "tests/kernels");
    ASSERT_TRUE(known_bad.problems.empty());
    results::CheckRequest request;
    request.variants = {"size-in-condition"};
    request.ops = {catalogue::Op::add};
    request.types = {catalogue::Type::int_};
    request.sizes = {1000};
    request.groups = {8, 64};
    const results::CheckReport report = check(first_device(), known_bad, request);
    const bool pocl3 = first_device().info.platform == "Portable Computing Language" &&
                       first_device().info.driver.starts_with("3.");
    if (!pocl3) GTEST_SKIP() << "this device is not known to miscompile it";
    EXPECT_FALSE(report.passed());
    EXPECT_EQ(report.lines[0].wrong, 2U);
    ASSERT_FALSE(report.lines[0].differences.empty());
    EXPECT_THAT(text_of(report.lines[0].differences[0]),
                HasSubstr("launch 1, pass 2, buf of group 0, cell 0: "));
}

TEST(Check, SinglePassGivesTheSameBitsEachTime) {
    for (const char* id : {"single-pass", "tile"}) {
        results::TrialsRequest request;
        request.variant = id;
        request.shape.type = catalogue::Type::float_;
        request.shape.n = 100'003;
        request.shape.group = 64;
        request.shape.input = catalogue::parse_input("bits:5");
        request.count = 200;
        const results::Trials result = trials(first_device(), shipped_kernels(), request);
        ASSERT_EQ(result.results.size(), 1U) << id;
        EXPECT_EQ(result.right(), 200U);
    }
}

TEST(Trials, FloatMinAndMaxIgnoreNanInEveryVariant) {
    for (const catalogue::Variant& variant : shipped_kernels().variants) {
        if (variant.plan == catalogue::PlanKind::iterate || variant.expect.text == "partial")
            continue;
        // The language leaves it open, and PoCL 6 takes NaN for a number there.
        if (variant.id == "subgroup" || variant.id == "workgroup-builtin") continue;
        for (const catalogue::Op op : {catalogue::Op::min, catalogue::Op::max}) {
            results::TrialsRequest request;
            request.variant = variant.id;
            request.shape.op = op;
            request.shape.type = catalogue::Type::float_;
            request.shape.input = catalogue::parse_input("nan,2,-3,nan,nan,7,nan,1");
            request.shape.group = variant.id == "ladder-5-unrolled" ? 64 : 8;
            for (const catalogue::Toggle& toggle : variant.toggles)
                if (toggle.name == "BARRIER" || toggle.name == "SYNC")
                    request.shape.set[toggle.name] = toggle.values.back();
            request.count = 1;
            if (device::lacking(first_device().info, variant, request.shape)) continue;
            const results::Trials result = trials(first_device(), shipped_kernels(), request);
            EXPECT_EQ(result.results.at(0).result, op == catalogue::Op::min ? "-3" : "7")
                << variant.id;
        }
    }
}

TEST(Trials, CountTheResultsOfABrokenKernel) {
    results::TrialsRequest request;
    request.variant = "span-modulo";
    request.shape.set["BARRIER"] = "group";
    request.shape.input = catalogue::parse_input("7,1,6,8,5,6,7,1");
    request.count = 50;
    const results::Trials result = trials(first_device(), shipped_kernels(), request);
    EXPECT_EQ(result.group, 4U);
    EXPECT_EQ(result.groups, 2U);
    EXPECT_EQ(result.expect, "races");
    EXPECT_EQ(result.expected, "41");
    std::uint64_t runs = 0;
    for (const results::TrialResult& trial_result : result.results) {
        runs += trial_result.count;
        // The three results that there can be: the last pass adds cell 4 at 5, 11 or 19.
        EXPECT_THAT(trial_result.result, testing::AnyOf("27", "33", "41"));
        EXPECT_EQ(trial_result.right, trial_result.result == "41");
    }
    EXPECT_EQ(runs, 50U);
    EXPECT_TRUE(result.predicted.complete);
    EXPECT_THAT(result.predicted.results, testing::UnorderedElementsAre("27", "33", "41"));
    EXPECT_THAT(result.unforeseen(), testing::IsEmpty());
    EXPECT_EQ(nlohmann::json(nlohmann::json(result).get<results::Trials>()),
              nlohmann::json(result));
    request.shape.group = 8;  // one group: its barrier orders all
    EXPECT_EQ(trials(first_device(), shipped_kernels(), request).right(), 50U);
}

// PoCL 3.1 miscompiles it: one result is predicted, and the device gives another.
TEST(Trials, AResultThatNoOrderGivesIsNews) {
    const catalogue::Catalogue known_bad =
        catalogue::load_catalogue(fs::path(LAB_SOURCE_DIR) / "tests/kernels");
    results::TrialsRequest request;
    request.variant = "size-in-condition";
    request.shape.input = catalogue::parse_input("1,2,3,4");
    request.count = 3;
    const results::Trials result = trials(first_device(), known_bad, request);
    EXPECT_TRUE(result.predicted.complete);
    EXPECT_THAT(result.predicted.results, testing::ElementsAre("10"));
    for (const results::TrialResult& trial_result : result.results)
        EXPECT_EQ(result.unforeseen().size(), trial_result.result == "10" ? 0U : 1U);
}

TEST(Trials, WhatCannotBePredictedSaysWhy) {
    results::TrialsRequest request;
    request.variant = "relaunch";
    request.shape.n = 100'000;
    request.count = 1;
    const results::Trials result = trials(first_device(), shipped_kernels(), request);
    EXPECT_THAT(result.predicted.why_not, testing::HasSubstr("too many"));
    EXPECT_FALSE(result.predicted.complete);
    EXPECT_THAT(result.unforeseen(), testing::IsEmpty());
}

TEST(Measure, TakesTurnsWithTheCeilingAndTheHost) {
    const results::Measurements measurements = measure(
        first_device(), shipped_kernels(), runs({"local-tree", "relaunch"}, {1000, 2000}, 3));
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
    EXPECT_EQ(measure(first_device(), shipped_kernels(), request).rows.at(0).wall_ms.size(), 20U);
    request.precision = 1e-6;
    request.limit_s = 0.2;  // the fewest samples may take ten times that
    EXPECT_GE(measure(first_device(), shipped_kernels(), request).rows.at(0).wall_ms.size(), 3U);
}

TEST(Measure, TellsProgressThatAddsUpToTheResult) {
    results::MeasureRequest request = runs({"local-tree", "relaunch"}, {1000, 2000}, 2);
    request.references = false;
    results::Measurements measurements;
    std::size_t done = 0;
    const results::Measurements result =
        measure(first_device(), shipped_kernels(), request, [&](const MeasureProgress& progress) {
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
    const results::Measurements measurements = measure(first_device(), shipped_kernels(), request);
    ASSERT_EQ(measurements.rows.size(), 2U);
    EXPECT_EQ(measurements.rows[0].group, 32U);
    EXPECT_EQ(measurements.rows[1].group, 64U);
}

TEST(Measure, ARowThatCannotBeMeasuredLeavesTheOthers) {
    results::MeasureRequest request = runs({"local-tree", "relaunch"}, {1000}, 1);
    request.groups = {48};  // no power of two: not for local-tree
    request.references = false;
    const results::Measurements measurements = measure(first_device(), shipped_kernels(), request);
    ASSERT_EQ(measurements.rows.size(), 1U);
    EXPECT_EQ(measurements.rows[0].variant, "relaunch");
    ASSERT_EQ(measurements.problems.size(), 1U);
    EXPECT_THAT(measurements.problems[0].why, HasSubstr("power_of_two"));
    request.all = true;
    const results::Measurements all = measure(first_device(), shipped_kernels(), request);
    EXPECT_TRUE(all.problems.empty());
    ASSERT_EQ(all.skipped.size(), 1U);
    EXPECT_THAT(all.skipped[0], HasSubstr("local-tree: It asks for power_of_two(group)"));
}

TEST(Measure, ABarrierThatCannotBeKeptIsSaidWithTheGroupsThatCan) {
    results::MeasureRequest request = runs({"sync-leaders"}, {1024, 2048}, 1);
    request.groups = {8};
    request.references = false;
    const results::Measurements measurements = measure(first_device(), shipped_kernels(), request);
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
        measure(first_device(), with("local-tree", "if (i < n)", "if (i < 1)"), request);
    ASSERT_EQ(measurements.rows.size(), 1U);
    EXPECT_FALSE(measurements.rows[0].right);
    EXPECT_FALSE(measurements.rows[0].ranked());
    EXPECT_EQ(measurements.rows[0].result, "1");
    EXPECT_EQ(measurements.rows[0].expected, "500500");
    const results::Measurements part =
        measure(first_device(), shipped_kernels(), runs({"one-pass"}, {1000}, 2));
    EXPECT_TRUE(row_of(part, "one-pass")->right);
    EXPECT_FALSE(row_of(part, "one-pass")->ranked());  // it has not done the whole work
}

TEST(Measure, TheCeilingReadsEveryWordOfAnyInput) {
    results::MeasureRequest request = runs({"local-tree"}, {0, 1, 5, 100'001}, 1);
    request.shape.type = catalogue::Type::double_;
    request.shape.input = catalogue::parse_input("bits:1");
    for (const results::Row& row : measure(first_device(), shipped_kernels(), request).rows)
        EXPECT_TRUE(row.right) << row.variant << " " << row.n << ": " << row.result << " for "
                               << row.expected;
}

}  // namespace
}  // namespace lab::measure
