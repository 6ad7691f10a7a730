// On the first device of the machine; PoCL is always there.
#include "measure/checks/device_passes.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "catalogue/outcome.h"
#include "device/needs.h"
#include "lang/code.h"
#include "measure/checks/pass_check.h"
#include "support/example_values.h"
#include "support/first_device.h"
#include "support/shipped_kernels.h"

namespace lab::measure {
namespace {

using catalogue::shipped;
using device::first_device;
using device::is_pocl3;
using testing::ElementsAre;
using testing::HasSubstr;

struct PassesCase {
    const catalogue::Variant& variant;
    catalogue::Shape shape;
    catalogue::Values input;
    catalogue::Plan plan;
    catalogue::Reference right;
};

PassesCase case_of(const catalogue::Variant& variant, const std::string& input, std::uint64_t group,
                   std::map<std::string, std::string> set = {},
                   catalogue::Type type = catalogue::Type::int_,
                   std::optional<std::uint64_t> n = {}) {
    PassesCase passes_case{variant, {}, {}, {}, {}};
    passes_case.shape.input = catalogue::parse_input(input);
    passes_case.shape.group = group;
    passes_case.shape.set = std::move(set);
    passes_case.shape.type = type;
    passes_case.input = make_values(passes_case.shape.input, type, n);
    passes_case.plan = make_plan(variant, passes_case.shape, catalogue::count_of(passes_case.input),
                                 device::target_of(first_device().info));
    passes_case.right = right_for(passes_case.plan, passes_case.shape, passes_case.input);
    return passes_case;
}

DevicePasses run(const PassesCase& passes_case) {
    return device_passes(first_device(), passes_case.variant, passes_case.shape, passes_case.plan,
                         passes_case.input);
}

Comparison compared(const PassesCase& passes_case, const DevicePasses& passes) {
    return compare(passes, passes_case.shape, passes_case.plan, passes_case.right);
}

std::string said(const Comparison& comparison) {
    return comparison.first ? text_of(*comparison.first) : "alike";
}

std::vector<std::string> values(const analysis::Row& pass) {
    std::vector<std::string> texts;
    for (const analysis::Cell& cell : pass.cells)
        texts.push_back(text_of(cell.value));
    return texts;
}

TEST(DevicePasses, AreTheDevicesOwn) {
    const PassesCase tree =
        case_of(shipped().find("local-tree"), "7,1,6,8,5,6,7,1", 4, {{"ITEMS", "1"}});
    const DevicePasses passes = run(tree);
    ASSERT_EQ(passes.rows.size(), 9U);  // the start, four passes of each launch
    EXPECT_THAT(values(passes.rows[2]), ElementsAre("13", "9", "6", "8", "12", "7", "7", "1"));
    EXPECT_EQ(passes.rows[2].array, "buf");
    EXPECT_EQ(passes.rows[2].cells[5].item, 5);
    EXPECT_THAT(values(passes.rows[4]), ElementsAre("22", "19"));
    EXPECT_EQ(catalogue::text_of(passes.last, 0), "41");
    const Comparison found = compared(tree, passes);
    EXPECT_EQ(said(found), "alike");
    EXPECT_EQ(found.passes, 8U);
}

TEST(DevicePasses, TheFirstDifferenceIsNamed) {
    const PassesCase tree =
        case_of(shipped().find("local-tree"), "7,1,6,8,5,6,7,1", 4, {{"ITEMS", "1"}});
    DevicePasses passes = run(tree);
    passes.rows[7].cells[0].value = analysis::int_value("5");
    passes.rows[2].cells[7].value = analysis::int_value("12");
    passes.rows[1].cells[0].value = {};  // not known: nothing to compare
    EXPECT_EQ(said(compared(tree, passes)),
              "launch 1, pass 2, buf of group 1, cell 3: the device has 12, the machine 1");
    passes.rows[2].cells[7].value = analysis::int_value("1");
    passes.rows[4].cells[1].value = analysis::int_value("20");
    EXPECT_EQ(said(compared(tree, passes)),
              "launch 1, pass 4, out, cell 1: the device has 20, the machine 19");
    passes = run(tree);
    passes.barriers[0][1] = 2;
    EXPECT_EQ(said(compared(tree, passes)),
              "launch 1: group 1 passed 2 barriers on the device, 3 on the machine");
}

// A single group: what the device makes of the race shows in its own passes.
TEST(DevicePasses, OfARaceAreTheDevicesOwn) {
    const PassesCase broken =
        case_of(shipped().find("local-tree"), "ramp", 8, {{"ITEMS", "1"}, {"BARRIER_LOOP", "off"}},
                catalogue::Type::int_, 8);
    ASSERT_EQ(broken.plan.expect, catalogue::Expect::races);
    const DevicePasses passes = run(broken);
    ASSERT_EQ(passes.rows.size(), 4U);
    EXPECT_EQ(text_of(passes.rows.back().cells[0].value), catalogue::text_of(passes.last, 0));
    EXPECT_EQ(passes.rows[2].cells[0].value, passes.rows.back().cells[0].value);
    if (!is_pocl3()) GTEST_SKIP() << "each device breaks it in its own way";
    // Item after item, each in all turns of the loop (FACTS).
    EXPECT_THAT(values(passes.rows[2]), ElementsAre("11", "12", "10", "12", "5", "6", "7", "8"));
    EXPECT_NE(values(passes.machine[2]), values(passes.rows[2]));
}

// Which group comes last, and does more, is a matter of time.
TEST(DevicePasses, FollowTheGroupThatCameLast) {
    const PassesCase last =
        case_of(shipped().find("single-pass"), "bits:1", 4, {}, catalogue::Type::int_, 64);
    ASSERT_EQ(last.plan.launches[0].global, 16U);
    for (int i = 0; i < 20; ++i) {
        const DevicePasses passes = run(last);
        EXPECT_EQ(said(compared(last, passes)), "alike");
        EXPECT_EQ(passes.barriers, passes.machine_barriers);
    }
}

analysis::CellValue float_value(float value) {
    return {lang::bits_of(value), lang::Scalar::float_};
}

TEST(DevicePasses, AtomicsCombineFloatsInAnyOrder) {
    const PassesCase atomic =
        case_of(shipped().find("groups-atomic"), "bits:1", 2, {}, catalogue::Type::float_, 64);
    DevicePasses passes = run(atomic);
    EXPECT_EQ(said(compared(atomic, passes)), "alike");
    analysis::Row& end = passes.rows.back();
    ASSERT_EQ(end.array, "out");
    const auto total = static_cast<float>(number_of(end.cells[0].value));
    // A little off is another order; a millionth of the magnitude is less than what it may be off.
    const auto magnitude = static_cast<float>(atomic.right.magnitude);
    end.cells[0].value = float_value(total + magnitude * 1e-7F);
    EXPECT_EQ(said(compared(atomic, passes)), "alike");
    end.cells[0].value = float_value(total + magnitude * 1e-4F);
    EXPECT_THAT(said(compared(atomic, passes)), HasSubstr("out, cell 0"));
    // In local memory the order is fixed: not a bit may differ.
    passes = run(atomic);
    analysis::CellValue& first = passes.rows[1].cells[0].value;
    first = float_value(static_cast<float>(number_of(first)) * (1 + 1e-6F));
    EXPECT_THAT(said(compared(atomic, passes)), HasSubstr("buf of group 0, cell 0"));
}

TEST(DevicePasses, AKernelWithoutBarriersTellsOfItsLaunches) {
    const PassesCase passes = case_of(shipped().find("relaunch"), "7,1,6,8,5,6,7,1", 4);
    EXPECT_FALSE(has_passes(passes.variant, passes.shape));
    DevicePasses device_passes = run(passes);
    EXPECT_EQ(compared(passes, device_passes).passes, 3U);
    EXPECT_EQ(said(compared(passes, device_passes)), "alike");
    device_passes.rows[2].cells[4].value = analysis::int_value("18");
    EXPECT_EQ(said(compared(passes, device_passes)),
              "launch 2, pass 1, data, cell 4: the device has 18, the machine 19");
}

TEST(DevicePasses, ACompilerThatIsWrongIsFoundOutWhereItIs) {
    const PassesCase bad =
        case_of(catalogue::known_bad().find("size-in-condition"), "7,1,6,8,5,6,7,1", 4);
    const DevicePasses passes = run(bad);
    if (!is_pocl3()) GTEST_SKIP() << "this device is not known to miscompile it";
    EXPECT_EQ(said(compared(bad, passes)),
              "launch 1, pass 2, buf of group 0, cell 0: the device has 7, the machine 8");
    EXPECT_TRUE(passes.optimised);
}

// PoCL 3.1 gets it right, but not with copies in it; PoCL 7.1 corrupts memory.
TEST(DevicePasses, ACompilerThatOnlyGetsTheCopiesWrongIsAskedNotToOptimise) {
    if (!is_pocl3()) GTEST_SKIP() << "this device is not known to get only the copies wrong";
    if (first_device().info.compute_units < 2) GTEST_SKIP() << "two groups must run at once";
    const PassesCase flags = case_of(catalogue::known_bad().find("sync-flags-watch-kept"), "ramp",
                                     4, {{"ROUNDS", "1"}}, catalogue::Type::int_, 8);
    const DevicePasses passes = run(flags);
    EXPECT_EQ(said(compared(flags, passes)), "alike");
    EXPECT_FALSE(passes.optimised);
}

TEST(DevicePasses, GroupsThatWaitForOneAnotherGoOnWithCopiesInThem) {
    if (first_device().info.compute_units < 2) GTEST_SKIP() << "two groups must run at once";
    const PassesCase flags = case_of(shipped().find("sync-flags"), "ramp", 4, {{"ROUNDS", "1"}},
                                     catalogue::Type::int_, 8);
    EXPECT_EQ(said(compared(flags, run(flags))), "alike");
}

// PoCL's are whole groups from release 5 on, NVIDIA's 32 items: what lies in `buf` is another
// thing.
TEST(DevicePasses, WarpsAreAsWideAsTheDevicesSubGroups) {
    if (!first_device().info.sub_groups) GTEST_SKIP() << "this device has no sub-groups";
    for (const std::uint64_t group : {4U, 8U, 64U}) {
        const PassesCase narrow =
            case_of(shipped().find("subgroup"), "ramp", group, {}, catalogue::Type::int_, 64);
        EXPECT_EQ(said(compared(narrow, run(narrow))), "alike") << group;
    }
    const PassesCase wide =
        case_of(shipped().find("subgroup"), "ramp", 256, {}, catalogue::Type::int_, 512);
    try {
        EXPECT_EQ(said(compared(wide, run(wide))), "alike");
    } catch (const Problem& problem) {
        EXPECT_THAT(problem.why, HasSubstr("a warp at most 64"));
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
}  // namespace lab::measure
