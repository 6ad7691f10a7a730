// On the first device of the machine; PoCL is always there.
#include <algorithm>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "device/check.h"
#include "device/device.h"
#include "device/device_run.h"
#include "support/example_values.h"
#include "support/first_device.h"
#include "support/shipped_kernels.h"

namespace lab::device {
namespace {

using catalogue::shipped;
using testing::ElementsAre;
using testing::HasSubstr;

DeviceCase case_of(const catalogue::Kernel& kernel, const std::string& input, std::uint64_t group,
                   std::map<std::string, std::string> set = {},
                   catalogue::Type type = catalogue::Type::int_,
                   std::optional<std::uint64_t> n = {}) {
    catalogue::Shape shape;
    shape.input = catalogue::parse_input(input);
    shape.group = group;
    shape.set = std::move(set);
    shape.type = type;
    shape.n = n;
    return {first_device(), kernel, shape, {UINT64_MAX, target_of(first_device().info)}};
}

std::vector<std::string> values(const analysis::Row& pass) {
    std::vector<std::string> texts;
    for (const analysis::Cell& cell : pass.cells)
        texts.push_back(text_of(cell.value));
    return texts;
}

// The rows of the simulator's run in its usual order.
analysis::StepTable usual(const DeviceCase& device_case) {
    return analysis::table_of(device_case.spec(), analysis::simulate(device_case.spec(), {}));
}

TEST(DeviceRun, IsTheDevicesOwn) {
    DeviceCase tree = case_of(shipped().find("local-tree"), "7,1,6,8,5,6,7,1", 4, {{"ITEMS", "1"}});
    const DeviceRun run = device_run(tree);
    ASSERT_EQ(run.rows.size(), 9U);  // the start, four passes of each launch
    EXPECT_THAT(values(run.rows[2]), ElementsAre("13", "9", "6", "8", "12", "7", "7", "1"));
    EXPECT_EQ(run.rows[2].array, "buf");
    EXPECT_EQ(run.rows[2].cells[5].item, -1);  // who wrote it the simulator says
    EXPECT_THAT(values(run.rows[4]), ElementsAre("22", "19"));
    EXPECT_EQ(run.outcome.result, "41");
    EXPECT_TRUE(run.outcome.verdict.right);
    EXPECT_NE(run.turns, "");
    EXPECT_EQ(run.difference, "");
}

// What the device makes of the race is the run that was recorded, and the turns give it again.
TEST(DeviceRun, OfARaceIsGivenAgainByItsTurns) {
    DeviceCase broken =
        case_of(shipped().find("local-tree"), "ramp", 8, {{"ITEMS", "1"}, {"BARRIER_LOOP", "off"}},
                catalogue::Type::int_, 8);
    ASSERT_EQ(broken.job().expect, catalogue::Expect::races);
    const DeviceRun run = device_run(broken);
    ASSERT_NE(run.turns, "");
    EXPECT_EQ(text_of(run.rows.back().cells[0].value), run.outcome.result);
    analysis::RunSpec spec = broken.spec();
    spec.machine.order.kind = machine::SchedulingPolicy::Kind::list;
    spec.machine.order.turns = machine::parse_turns(run.turns, "turns");
    const analysis::StepTable again = analysis::table_of(spec, analysis::simulate(spec, {}));
    EXPECT_EQ(again.result, run.outcome.result);
    ASSERT_EQ(again.rows.size(), run.rows.size());
    for (std::size_t row = 0; row < run.rows.size(); ++row)
        EXPECT_EQ(values(again.rows[row]), values(run.rows[row])) << row;
}

// Which group comes last, and does more, is a matter of time.
TEST(DeviceRun, FollowsTheGroupThatCameLast) {
    for (int i = 0; i < 5; ++i) {
        DeviceCase last =
            case_of(shipped().find("single-pass"), "bits:1", 4, {}, catalogue::Type::int_, 64);
        ASSERT_EQ(last.job().launches[0].range.groups(), 4U);
        const DeviceRun run = device_run(last);
        EXPECT_NE(run.turns, "") << run.note;
        EXPECT_TRUE(run.outcome.verdict.right);
    }
}

// The order of a float's sum is the recorded one: not a bit may differ.
TEST(DeviceRun, AtomicsCombineFloatsInTheOrderOfTheDevice) {
    DeviceCase atomic =
        case_of(shipped().find("groups-atomic"), "bits:1", 2, {}, catalogue::Type::float_, 64);
    const DeviceRun run = device_run(atomic);
    ASSERT_NE(run.turns, "") << run.note;
    EXPECT_EQ(text_of(run.rows.back().cells[0].value), run.outcome.result);
}

// On a busy machine a group that others wait for may get no processor in all attempts: they give
// up, or spin for longer than can be recorded.
DeviceRun patient_run(DeviceCase& device_case) {
    for (int again = 0; device_case.job().stuck && again < 10; ++again)
        try {
            DeviceRun run = device_run(device_case);
            if (run.note.find("one gave up") == std::string::npos &&
                run.note.find("too long to be recorded") == std::string::npos)
                return run;
        } catch (const Problem& problem) {
            if (problem.why.find("a spin gave up") == std::string::npos) throw;
        }
    return device_run(device_case);
}

class EachKernel : public testing::TestWithParam<std::string> {};

TEST_P(EachKernel, IsRecordedUnlessItsItemsActTogether) {
    const catalogue::Kernel& kernel = shipped().find(GetParam());
    catalogue::Shape shape;
    shape.input = catalogue::parse_input("7,1,6,8,5,6,7,1");
    if (lacking(first_device().info, kernel, shape)) GTEST_SKIP() << "not on this device";
    if (kernel.id.starts_with("sync-")) {
        shape.set["ROUNDS"] = "1";
        shape.group = 4;
    }
    DeviceCase device_case(first_device(), kernel, shape);
    if (device_case.job().stuck &&
        device_case.job().launches.front().range.groups() > first_device().info.compute_units)
        GTEST_SKIP() << "its groups do not run at once here";
    if (kernel.id == "sync-every-item" &&
        first_device().info.platform == "Portable Computing Language")
        GTEST_SKIP() << "its items wait for one another, and PoCL runs those of a group in turn";
    const DeviceRun run = patient_run(device_case);
    EXPECT_EQ(run.difference, "");
    if (run.turns.empty()) {
        EXPECT_THAT(run.note, testing::AnyOf(HasSubstr("act together"), HasSubstr("sub-groups")));
    }
}

std::vector<std::string> shipped_ids() {
    std::vector<std::string> ids;
    for (const catalogue::Kernel& kernel : shipped().variants)
        ids.push_back(kernel.id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Kernels, EachKernel, testing::ValuesIn(shipped_ids()),
                         [](const auto& test) {
                             std::string name = test.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

// Where nothing can be recorded, the memory after each launch is compared.
TEST(DeviceRun, WhatCannotBeRecordedTellsOfItsLaunches) {
    catalogue::Kernel kernel = shipped().find("relaunch");
    const std::string sum = "data[id] = COMBINE(data[id], data[other])";
    const std::size_t index = kernel.text.find(sum);
    ASSERT_NE(index, std::string::npos);
    // The device is given another text than the simulator: what a wrong compiler makes of it.
    kernel.text.insert(index + sum.size(), "\n#ifndef __REDUCTION_LAB__\n + 1\n#endif\n");
    DeviceCase wrong = case_of(kernel, "7,1,6,8,5,6,7,1", 4);
    const DeviceRun run = device_run(wrong);
    EXPECT_EQ(run.turns, "");
    EXPECT_THAT(run.note, HasSubstr("Only whole launches are shown"));
    ASSERT_EQ(run.rows.size(), 4U);
    EXPECT_FALSE(run.outcome.verdict.right);
    const auto value = difference_of_launches(run, usual(wrong));
    ASSERT_TRUE(value);
    EXPECT_EQ(value->launch, 0U);
    EXPECT_EQ(value->cell, 0U);
    EXPECT_EQ(value->device, "9");
    EXPECT_EQ(value->simulator, "8");
}

TEST(DeviceRun, ACompilerThatIsWrongIsFoundOut) {
    DeviceCase bad =
        case_of(catalogue::known_bad().find("size-in-condition"), "7,1,6,8,5,6,7,1", 4);
    const DeviceRun run = device_run(bad);
    if (!is_pocl3()) GTEST_SKIP() << "this device is not known to miscompile it";
    EXPECT_EQ(run.turns, "");
    EXPECT_FALSE(run.outcome.verdict.right);
    EXPECT_TRUE(run.optimised);
}

TEST(DeviceRun, GroupsThatWaitForOneAnotherGoOn) {
    if (first_device().info.compute_units < 2) GTEST_SKIP() << "two groups must run at once";
    DeviceCase flags = case_of(shipped().find("sync-flags"), "ramp", 4, {{"ROUNDS", "1"}},
                               catalogue::Type::int_, 8);
    const DeviceRun run = patient_run(flags);
    EXPECT_NE(run.turns, "") << run.note;
    EXPECT_TRUE(run.outcome.verdict.right);
}

// Recorded, its spins would take minutes on some devices.
TEST(DeviceRun, GroupsThatWaitTooOftenAreShownByLaunches) {
    if (first_device().info.compute_units < 2) GTEST_SKIP() << "two groups must run at once";
    for (const char* rounds : {"64", "1000"}) {
        DeviceCase flags = case_of(shipped().find("sync-flags"), "ramp", 4, {{"ROUNDS", rounds}},
                                   catalogue::Type::int_, 8);
        const DeviceRun run = patient_run(flags);
        EXPECT_EQ(run.turns, "");
        EXPECT_THAT(run.note, HasSubstr("too often to be recorded"));
        EXPECT_TRUE(run.outcome.verdict.right);
        EXPECT_FALSE(difference_of_launches(run, usual(flags)));
    }
}

TEST(DeviceRun, RefusesMoreThanCanBeShown) {
    DeviceCase large = case_of(shipped().find("relaunch"), "ramp", 4, {}, catalogue::Type::int_,
                               analysis::kMostSteppedElements + 1);
    try {
        (void)device_run(large);
        ADD_FAILURE();
    } catch (const Problem& problem) {
        EXPECT_EQ(problem.where, "--n");
    }
}

TEST(PassCheck, TakesAFewCasesAndLeavesOutThoseThatRace) {
    const auto line_of = [](const char* id, const std::map<std::string, std::string>& set,
                            const results::CheckRequest& request) {
        results::CheckLine line;
        check_passes(line, first_device(), shipped().find(id), set, request, [] { return true; });
        return line;
    };
    results::CheckRequest request;
    request.shape.input = catalogue::parse_input("bits:1");
    const results::CheckLine right = line_of("local-tree", {}, request);
    EXPECT_GT(right.passes, 15U);
    EXPECT_TRUE(right.passed());
    EXPECT_EQ(right.passes_left, 0U);
    const results::CheckLine races = line_of("local-tree", {{"BARRIER_LOOP", "off"}}, request);
    EXPECT_EQ(races.passes, 0U);
    EXPECT_EQ(races.passes_raced, 4U);
    request.types = {catalogue::Type::float_};
    EXPECT_LT(line_of("local-tree", {}, request).passes, right.passes);
    request.sizes = {1U << 20U};  // too many to step through
    EXPECT_EQ(line_of("local-tree", {}, request).passes, 0U);
    results::CheckLine late;
    check_passes(late, first_device(), shipped().find("local-tree"), {}, results::CheckRequest(),
                 [] { return false; });
    EXPECT_EQ(late.passes_left, 4U);
    EXPECT_EQ(late.why_left, "the time was used up");
}

TEST(PassCheck, DifferencesAreAFailedLineAndReadBack) {
    results::CheckReport report;
    report.complete = true;
    report.lines.resize(1);
    EXPECT_TRUE(report.passed());
    report.lines[0].passes = 7;
    report.lines[0].differences.push_back({"add", "int", 8, 4, 1, 2, "buf", 1, 3, "12", "17"});
    EXPECT_FALSE(report.passed());
    nlohmann::json written = report;
    const auto read = written.get<results::CheckReport>();
    EXPECT_EQ(read.passes(), 7U);
    EXPECT_EQ(text_of(read.lines[0].differences.at(0)),
              "launch 1, pass 2, buf of group 1, cell 3: the device has 12, the machine 17");
    // One from before there were such comparisons.
    for (const char* field :
         {"passes", "passes_raced", "passes_left", "passes_plain", "why_left", "differences"})
        EXPECT_EQ(written["lines"][0].erase(field), 1U) << field;
    EXPECT_EQ(written.get<results::CheckReport>().lines.at(0).passes, 0U);
}

}  // namespace
}  // namespace lab::device
