// On the first device of the machine; PoCL is always there.
#include <gmock/gmock.h>

#include <cstring>
#include <set>

#include "base/paths.h"
#include "catalogue/device_scope.h"
#include "device/devices.h"
#include "device/needs.h"
#include "device/reduction.h"
#include "device/resident.h"
#include "device/snapshots.h"
#include "device/steps.h"
#include "support/first_device.h"
#include "support/shipped_kernels.h"

namespace lab::device {
namespace {

using catalogue::shipped;
using testing::ElementsAre;
using testing::HasSubstr;

template <typename Act>
Problem problem_of(Act&& act) {
    try {
        act();
    } catch (const Problem& problem) {
        return problem;
    }
    ADD_FAILURE() << "no problem";
    return {};
}

std::vector<std::int32_t> ints(const catalogue::Values& values) {
    return std::get<std::vector<std::int32_t>>(values);
}

catalogue::Shape story() {
    catalogue::Shape shape;
    shape.input = catalogue::parse_input("7,1,6,8,5,6,7,1");
    return shape;
}

catalogue::Shape with_group(catalogue::Shape shape, std::uint64_t group) {
    shape.group = group;
    return shape;
}

std::vector<catalogue::Values> steps_of(const char* id, const catalogue::Shape& shape,
                                        std::uint64_t group) {
    const catalogue::Values input = make_values(shape.input, shape.type, shape.n);
    const catalogue::Variant& variant = shipped().find(id);
    return run_steps(
        first_device(), variant, shape,
        make_plan(variant, with_group(shape, group), catalogue::count_of(input), {2, 256, true}),
        input);
}

TEST(Devices, AreDescribed) {
    const results::Devices found = find_devices();
    ASSERT_FALSE(found.devices.empty());
    const results::DeviceInfo& first = found.devices.front();
    EXPECT_FALSE(first.name.empty());
    EXPECT_GE(first.compute_units, 1U);
    EXPECT_GE(first.max_group, 1U);
    EXPECT_GT(first.global_bytes, 0U);
    EXPECT_EQ(first.id, "0:0");
}

TEST(Devices, OneThatIsNotThereIsAProblemWithTheListOfThem) {
    const Problem problem = problem_of([] { open_device("9:9"); });
    EXPECT_THAT(problem.hint, HasSubstr("0:0"));
    EXPECT_EQ(problem.exit, Exit::usage);
}

TEST(Program, MapsTheLogToTheLinesOfTheFile) {
    const catalogue::KernelText text{"#define A\n#define B\n", "…", 2, "kernels/x.cl"};
    EXPECT_EQ(mapped_log("/tmp/a-b.cl:5:7: error: no\n  code\n<kernel>:2:1: warning: w\n", text),
              "kernels/x.cl:3:7: error: no\n  code\nmacros:2:1: warning: w");
    EXPECT_EQ(mapped_log("error: /tmp/a.cl:3:9: no\nDevice x failed", text),
              "kernels/x.cl:1:9: error: no\nDevice x failed");
    EXPECT_EQ(mapped_log("Build failed.\n", text), "Build failed.");
}

TEST(Program, AnErrorNamesFileLineAndColumn) {
    catalogue::Variant variant = shipped().find("relaunch");
    const auto position = variant.text.find("get_global_id");
    variant.text.replace(position, 13, "get_globl_id_");
    const auto line =
        std::count(variant.text.begin(),
                   variant.text.begin() + static_cast<std::ptrdiff_t>(position), '\n') +
        1;
    const Problem problem =
        problem_of([&] { build(first_device(), variant, kernel_text(variant, {})); });
    EXPECT_EQ(problem.exit, Exit::kernel_fault);
    EXPECT_THAT(problem.where, HasSubstr("kernels/relaunch.cl:" + std::to_string(line) + ":"));
    EXPECT_THAT(problem.why, HasSubstr("get_globl_id_"));
}

// The sum of the story by a device whose compiler takes `trial` or does not, and how it was built.
std::pair<std::int32_t, std::string> single_pass_where(const std::string& trial) {
    Device device = first_device();
    device.scopes = std::make_shared<TrialBuild>(device.context, device.device, trial,
                                                 newer_standard(device.info));
    const catalogue::Variant& variant = shipped().find("single-pass");
    const catalogue::Shape shape = with_group(story(), 4);
    const catalogue::Values input = make_values(shape.input, shape.type, shape.n);
    const catalogue::KernelText text = kernel_text(variant, shape);
    const Program program = build(device, variant, text);
    const catalogue::Values neutral = identity(shape.op, shape.type);
    Inputs inputs(device, elements_of(input, neutral));
    Reduction reduction(device, program, make_plan(variant, shape, 8, {2, 256, true}), inputs);
    reduction.prepare();
    reduction.run();
    std::int32_t result = 0;
    std::memcpy(&result, reduction.result().data(), sizeof result);
    return {result, build_options(device, text)};
}

TEST(Program, FencesForAllGroupsAreTriedAndReplacedWhereTheyDoNotCompile) {
    const auto [sum, options] = single_pass_where(catalogue::kScopeTrial);
    EXPECT_EQ(sum, 41);
    EXPECT_EQ(options, newer_standard(first_device().info));  // of PoCL; of NVIDIA's, too
    const auto [plain_sum, plain] = single_pass_where("kernel void trial(void) { no_such(); }");
    EXPECT_EQ(plain_sum, 41);
    EXPECT_EQ(plain, "-cl-std=CL1.2 -D NO_DEVICE_SCOPE");
    // What names no scope needs none, and is not tried.
    const Device unasked;
    EXPECT_EQ(build_options(unasked, kernel_text(shipped().find("relaunch"), {})), "-cl-std=CL1.2");
}

TEST(Program, AStandInMovesNoLineOfTheLog) {
    Device device = first_device();
    device.scopes = std::make_shared<TrialBuild>(device.context, device.device, "no text",
                                                 newer_standard(device.info));
    catalogue::Variant variant = shipped().find("single-pass");
    const auto position = variant.text.find("get_num_groups");
    const auto line = std::count(variant.text.begin(), variant.text.begin() + position, '\n') + 1;
    variant.text.replace(position, 14, "get_num_groupz");
    EXPECT_THAT(problem_of([&] { build(device, variant, kernel_text(variant, {})); }).where,
                HasSubstr("kernels/single_pass.cl:" + std::to_string(line) + ":"));
}

TEST(Program, AMissingEntryIsAProblem) {
    catalogue::Variant variant = shipped().find("relaunch");
    variant.entry = "nothing";
    const Problem problem =
        problem_of([&] { build(first_device(), variant, kernel_text(variant, {})); });
    EXPECT_THAT(problem.hint, HasSubstr("entry"));
}

TEST(Steps, GiveTheStoryOfDocumentA) {
    const std::vector<catalogue::Values> steps = steps_of("relaunch", story(), 4);
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_THAT(ints(steps[0]), ElementsAre(8, 1, 14, 8, 11, 6, 8, 1));
    EXPECT_THAT(ints(steps[1]), ElementsAre(22, 1, 14, 8, 19, 6, 8, 1));
    EXPECT_THAT(ints(steps[2]), ElementsAre(41, 1, 14, 8, 19, 6, 8, 1));
}

TEST(Steps, RefuseMoreThanCanBeShown) {
    catalogue::Shape shape;
    shape.n = kMostSteppedElements + 1;
    EXPECT_THAT(problem_of([&] { steps_of("relaunch", shape, 4); }).where, HasSubstr("--n"));
}

TEST(Reduction, RefusesAGroupLargerThanTheDevice) {
    catalogue::Shape shape;
    shape.n = 8;
    const Problem problem = problem_of([&] { steps_of("relaunch", shape, 1U << 20U); });
    EXPECT_THAT(problem.why, HasSubstr(first_device().info.name));
}

TEST(Reduction, RunsAgainAfterAReset) {
    const catalogue::Shape shape = story();
    const catalogue::Variant& variant = shipped().find("relaunch");
    const catalogue::Values input = make_values(shape.input, shape.type, {});
    const catalogue::Values neutral = identity(shape.op, shape.type);
    const catalogue::Plan plan = make_plan(variant, with_group(shape, 4), 8, {2, 256, true});
    const Program program = build(first_device(), variant, kernel_text(variant, shape));
    Inputs inputs(first_device(), elements_of(input, neutral));
    Reduction reduction(first_device(), program, plan, inputs);
    for (int run = 0; run < 3; ++run) {
        reduction.prepare();
        const Times times = reduction.run();
        EXPECT_GT(times.device_ms, 0);
        EXPECT_GE(times.wall_ms, times.device_ms * 0.5);
        std::int32_t result = 0;
        std::memcpy(&result, reduction.result().data(), sizeof result);
        EXPECT_EQ(result, 41);
    }
}

TEST(Reduction, AKernelThatWritesNothingGivesNoEarlierResult) {
    const catalogue::Shape shape = story();
    catalogue::Variant variant = shipped().find("block-local");
    const catalogue::Values input = make_values(shape.input, shape.type, {});
    const catalogue::Values neutral = identity(shape.op, shape.type);
    const catalogue::Plan plan = make_plan(variant, with_group(shape, 4), 8, {2, 256, true});
    Inputs inputs(first_device(), elements_of(input, neutral));
    const auto result_of = [&] {
        const Program program = build(first_device(), variant, kernel_text(variant, shape));
        Reduction reduction(first_device(), program, plan, inputs);
        std::int32_t result = 0;
        for (int run = 0; run < 2; ++run) {
            reduction.prepare();
            reduction.run();
            std::memcpy(&result, reduction.result().data(), sizeof result);
        }
        // And before the next run nothing of this one is left.
        reduction.prepare();
        std::int32_t left = 0;
        std::memcpy(&left, reduction.read(*plan.result, 1).data(), sizeof left);
        EXPECT_NE(left, 41);
        return result;
    };
    EXPECT_EQ(result_of(), 41);
    const auto position = variant.text.find("out[0] = buf[0]");
    ASSERT_NE(position, std::string::npos);
    variant.text.replace(position, 15, "buf[0] = buf[1]");
    EXPECT_NE(result_of(), 41);
}

TEST(Inputs, HoldsAsManyCopiesAsThePoolAndTakesThemInTurn) {
    const catalogue::Values input =
        make_values(catalogue::parse_input("ramp"), catalogue::Type::int_, 1000);
    const catalogue::Values neutral = identity(catalogue::Op::add, catalogue::Type::int_);
    Inputs inputs(first_device(), elements_of(input, neutral), 1 << 20);
    EXPECT_GT(inputs.copies(), 100U);
    std::set<std::size_t> places;
    for (std::uint64_t i = 0; i <= inputs.copies(); ++i) {
        std::vector<std::int32_t> copy(1000);
        first_device().queue.enqueueReadBuffer(inputs.current(), CL_TRUE, 0, 4000, copy.data());
        ASSERT_EQ(copy, ints(input));
        places.insert(inputs.current().getInfo<CL_MEM_OFFSET>());
        inputs.rotate();
    }
    EXPECT_EQ(places.size(), inputs.copies());
    EXPECT_EQ(Inputs(first_device(), elements_of(input, neutral)).copies(), 1U);
}

catalogue::Shape of_type(catalogue::Type type) {
    catalogue::Shape shape;
    shape.type = type;
    return shape;
}

TEST(Needs, SayWhatADeviceLacks) {
    results::DeviceInfo device;
    device.name = "a small device";
    const catalogue::Variant& atomic = shipped().find("groups-atomic");
    EXPECT_FALSE(lacking(device, atomic, of_type(catalogue::Type::int_)));
    EXPECT_THAT(lacking(device, atomic, of_type(catalogue::Type::long_))->why,
                HasSubstr("64-bit atomics"));
    EXPECT_THAT(lacking(device, atomic, of_type(catalogue::Type::double_))->why,
                HasSubstr("cl_khr_fp64"));
    EXPECT_THAT(lacking(device, shipped().find("subgroup"), of_type(catalogue::Type::int_))->why,
                HasSubstr("sub-groups"));
    EXPECT_THAT(
        lacking(device, shipped().find("workgroup-builtin"), of_type(catalogue::Type::int_))->why,
        HasSubstr("work_group_reduce"));
    device.sub_groups = device.group_collectives = true;
    EXPECT_FALSE(lacking(device, shipped().find("subgroup"), of_type(catalogue::Type::int_)));
}

TEST(Resident, TellsTheLargestNumberOfGroupsThatMeet) {
    // Nobody ever comes for the third group: with more than two, every spin gives up.
    catalogue::Variant variant = shipped().find("sync-leaders");
    const auto position = variant.text.find("atomic_inc(come);");
    ASSERT_NE(position, std::string::npos);
    variant.text.replace(position, 17, "if (get_group_id(0) < 2) atomic_inc(come);");
    catalogue::Shape shape = with_group(catalogue::Shape{}, 4);
    const Program program = build(first_device(), variant, kernel_text(variant, shape));
    const std::uint64_t most = most_groups(first_device(), program, variant, shape, 64);
    EXPECT_GE(most, 1U);  // 2 where the device runs two at once
    EXPECT_LE(most, 2U);
    const catalogue::Plan plan = make_plan(variant, shape, 64, target_of(first_device().info));
    const Problem problem = not_resident(variant, plan, most);
    EXPECT_THAT(problem.what_happened, HasSubstr("16 groups of 4"));
    EXPECT_THAT(problem.why, HasSubstr(std::to_string(most)));
}

std::vector<Snapshots> watched(const char* id, const catalogue::Shape& shape, std::uint64_t group,
                               std::uint32_t most) {
    const catalogue::Values input = make_values(shape.input, shape.type, shape.n);
    const catalogue::Variant& variant = shipped().find(id);
    const catalogue::Plan plan =
        make_plan(variant, with_group(shape, group), catalogue::count_of(input), {2, 256, true});
    return run_watched(first_device(), variant, shape, plan, input,
                       std::vector<std::uint32_t>(plan.launches.size(), most));
}

std::vector<std::int32_t> ints(std::span<const std::byte> bytes) {
    std::vector<std::int32_t> values(bytes.size() / sizeof(std::int32_t));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

TEST(Snapshots, ShowLocalMemoryOfEachGroupAfterEachBarrier) {
    catalogue::Shape shape = story();
    shape.set = {{"ITEMS", "1"}};
    const std::vector<Snapshots> snapshots = watched("local-tree", shape, 4, 8);
    ASSERT_EQ(snapshots.size(), 2U);  // 8 to 2 elements, and 2 to 1
    const Snapshots& first = snapshots[0];
    ASSERT_EQ(first.arrays.size(), 2U);
    EXPECT_EQ(first.arrays[1].name, "buf");
    EXPECT_TRUE(first.arrays[1].local);
    EXPECT_TRUE(first.at_end);
    EXPECT_THAT(first.taken, ElementsAre(4, 4));  // loaded, two passes, the end
    EXPECT_THAT(ints(first.of(0, 0, 1)), ElementsAre(7, 1, 6, 8));
    EXPECT_THAT(ints(first.of(0, 1, 1)), ElementsAre(13, 9, 6, 8));
    EXPECT_THAT(ints(first.of(0, 2, 1)), ElementsAre(22, 9, 6, 8));
    EXPECT_THAT(ints(first.of(1, 0, 1)), ElementsAre(5, 6, 7, 1));
    EXPECT_THAT(ints(first.of(1, 2, 1)), ElementsAre(19, 7, 7, 1));
    // Each group saw its own part of the sums at the end.
    EXPECT_EQ(ints(first.of(0, 3, 0))[0], 22);
    EXPECT_EQ(ints(first.of(1, 3, 0))[1], 19);
    EXPECT_EQ(ints(first.after[first.arrays[0].buffer])[0], 22);
    EXPECT_THAT(ints(snapshots[1].of(0, 0, 1)), ElementsAre(22, 19, 0, 0));
    EXPECT_EQ(ints(snapshots[1].of(0, 3, 0))[0], 41);
}

TEST(Snapshots, BeyondTheRoomAreOnlyCounted) {
    catalogue::Shape shape = story();
    shape.set = {{"ITEMS", "1"}};
    const std::vector<Snapshots> snapshots = watched("local-tree", shape, 4, 2);
    EXPECT_THAT(snapshots[0].taken, ElementsAre(4, 4));
    EXPECT_EQ(snapshots[0].kept(1), 2U);
    EXPECT_THAT(ints(snapshots[0].of(1, 1, 1)), ElementsAre(12, 7, 7, 1));
}

// One that waits in functions, has a variable of its own, and waits across groups.
TEST(Snapshots, OfFunctionsAndVariables) {
    const std::vector<Snapshots> snapshots = watched("single-pass", story(), 2, 16);
    ASSERT_EQ(snapshots.size(), 1U);
    ASSERT_EQ(snapshots[0].arrays.size(), 5U);
    EXPECT_EQ(snapshots[0].arrays[4].name, "last");
    EXPECT_FALSE(snapshots[0].at_end);
    EXPECT_EQ(ints(snapshots[0].after[snapshots[0].arrays[2].buffer])[0], 41);

    catalogue::Shape shape = story();
    const std::vector<Snapshots> grid = watched("grid-barrier", shape, 2, 16);
    EXPECT_THAT(grid[0].taken, ElementsAre(6, 6));  // three rounds of two barriers
    EXPECT_EQ(ints(grid[0].after[0])[0], 41);
}

TEST(Snapshots, TooManyAreAProblem) {
    EXPECT_THAT(problem_of([] { watched("local-tree", story(), 4, 1U << 24U); }).text(),
                HasSubstr("too many barriers"));
}

}  // namespace
}  // namespace lab::device
