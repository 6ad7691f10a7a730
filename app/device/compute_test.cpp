// On the first device of the machine; PoCL is always there.
#include <gmock/gmock.h>

#include <cstring>
#include <set>

#include "base/paths.h"
#include "catalogue/host_program.h"
#include "device/device.h"
#include "device/job_run.h"
#include "support/first_device.h"
#include "support/shipped_kernels.h"

namespace lab::device {
namespace {

using catalogue::shipped;
using testing::ElementsAre;
using testing::HasSubstr;

template <typename Act>
Problem thrown_by(Act&& act) {
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

catalogue::Shape story_shape() {
    catalogue::Shape shape;
    shape.input = catalogue::parse_input("7,1,6,8,5,6,7,1");
    return shape;
}

catalogue::Shape with_group(catalogue::Shape shape, std::uint64_t group) {
    shape.group = group;
    return shape;
}

// What each launch leaves in the buffer that it shows.
std::vector<catalogue::Values> steps_of(const char* id, const catalogue::Shape& shape,
                                        std::uint64_t group) {
    const catalogue::Values input = make_values(shape.input, shape.type, shape.n);
    const catalogue::Kernel& variant = shipped().find(id);
    const Program program = build(first_device(), variant, shape);
    Inputs inputs(first_device(), input);
    JobRun run(
        first_device(), program,
        plan_job(variant, with_group(shape, group), catalogue::count_of(input), {2, 256, true}),
        &inputs);
    std::vector<catalogue::Values> steps;
    run.reset();
    for (std::size_t k = 0; k < run.job().launches.size(); ++k) {
        run.launch(k);
        const catalogue::Launch& launch = run.job().launches[k];
        steps.push_back(values_from(
            shape.type, run.read(launch.shows, launch.shows_count * info(shape.type).bytes)));
    }
    return steps;
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
    const Problem problem = thrown_by([] { open_device("9:9"); });
    EXPECT_THAT(problem.hint, HasSubstr("0:0"));
    EXPECT_EQ(problem.exit, Exit::usage);
}

TEST(Program, MapsTheLogToTheLinesOfTheFile) {
    const lang::Text text{"kernels/x.cl", "…", "#define A\n#define B\n"};
    EXPECT_EQ(mapped_log("/tmp/a-b.cl:5:7: error: no\n  code\n<kernel>:2:1: warning: w\n", text),
              "kernels/x.cl:3:7: error: no\n  code\nmacros:2:1: warning: w");
    EXPECT_EQ(mapped_log("error: /tmp/a.cl:3:9: no\nDevice x failed", text),
              "kernels/x.cl:1:9: error: no\nDevice x failed");
    EXPECT_EQ(mapped_log("Build failed.\n", text), "Build failed.");
}

TEST(Program, AnErrorNamesFileLineAndColumn) {
    catalogue::Kernel variant = shipped().find("relaunch");
    const auto position = variant.text.find("get_global_id");
    variant.text.replace(position, 13, "get_globl_id_");
    const auto line =
        std::count(variant.text.begin(),
                   variant.text.begin() + static_cast<std::ptrdiff_t>(position), '\n') +
        1;
    const Problem problem = thrown_by([&] { build(first_device(), variant, {}); });
    EXPECT_EQ(problem.exit, Exit::kernel_fault);
    EXPECT_THAT(problem.where, HasSubstr("kernels/relaunch.cl:" + std::to_string(line) + ":"));
    EXPECT_THAT(problem.why, HasSubstr("get_globl_id_"));
}

// The sum of the story by a device whose compiler takes `trial` or does not, and how it was built.
std::pair<std::int32_t, std::string> single_pass_where(const std::string& trial) {
    Device device = first_device();
    device.scopes = std::make_shared<TrialBuild>(device.context, device.device, trial,
                                                 newer_standard(device.info));
    const catalogue::Kernel& variant = shipped().find("single-pass");
    const catalogue::Shape shape = with_group(story_shape(), 4);
    const catalogue::Values input = make_values(shape.input, shape.type, shape.n);
    const Program program = build(device, variant, shape);
    Inputs inputs(device, input);
    JobRun reduction(device, program, plan_job(variant, shape, 8, {2, 256, true}), &inputs);
    reduction.prepare();
    reduction.run();
    std::int32_t result = 0;
    std::memcpy(&result, reduction.result().data(), sizeof result);
    return {result, build_options(device, variant.text, needs_of(variant, shape))};
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
    EXPECT_EQ(build_options(unasked, shipped().find("relaunch").text, {}), "-cl-std=CL1.2");
}

TEST(Program, AStandInMovesNoLineOfTheLog) {
    Device device = first_device();
    device.scopes = std::make_shared<TrialBuild>(device.context, device.device, "no text",
                                                 newer_standard(device.info));
    catalogue::Kernel variant = shipped().find("single-pass");
    const auto position = variant.text.find("get_num_groups");
    const auto line =
        std::count(variant.text.begin(),
                   variant.text.begin() + static_cast<std::ptrdiff_t>(position), '\n') +
        1;
    variant.text.replace(position, 14, "get_num_groupz");
    EXPECT_THAT(thrown_by([&] { build(device, variant, {}); }).where,
                HasSubstr("kernels/single_pass.cl:" + std::to_string(line) + ":"));
}

TEST(Program, WhatADeviceLacksIsSaidAtTheLineInCuda) {
    Device device = first_device();
    const auto said = [&](const char* text) {
        return thrown_by([&] { build(device, {"k.cu", text, ""}, "", {}); });
    };
    device.info.sub_groups = device.info.group_collectives = false;
    const Problem shuffle = said(
        "__device__ int of(int v) {\n  return __shfl_down_sync(0xffffffff, v, 1);\n}\n"
        "__global__ void k(int* o) { o[0] = of(o[0]); }\n");
    EXPECT_EQ(shuffle.where, "k.cu:2:10");
    EXPECT_THAT(shuffle.why, HasSubstr(" has no sub-groups"));
    const Problem count =
        said("__global__ void k(int* o) {\n  o[0] = __syncthreads_count(1);\n}\n");
    EXPECT_EQ(count.where, "k.cu:2:10");
    EXPECT_THAT(count.why, HasSubstr(" has no work_group_reduce"));
    // What a compiler stumbles over is a line of the text, too.
    device.info.sub_groups = device.info.group_collectives = true;
    if (first_device().info.sub_groups) return;
    EXPECT_EQ(said("__global__ void k(int* o) {\n  o[0] = __ballot_sync(1, 1);\n}\n").where,
              "k.cu:2:10");
}

TEST(Program, AMissingEntryIsAProblem) {
    catalogue::Kernel variant = shipped().find("relaunch");
    variant.entry = "nothing";
    const Problem problem = thrown_by([&] { build(first_device(), variant, {}); });
    EXPECT_THAT(problem.hint, HasSubstr("entry"));
}

TEST(JobRun, GivesTheStoryOfDocumentALaunchByLaunch) {
    const std::vector<catalogue::Values> steps = steps_of("relaunch", story_shape(), 4);
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_THAT(ints(steps[0]), ElementsAre(8, 1, 14, 8, 11, 6, 8, 1));
    EXPECT_THAT(ints(steps[1]), ElementsAre(22, 1, 14, 8, 19, 6, 8, 1));
    EXPECT_THAT(ints(steps[2]), ElementsAre(41, 1, 14, 8, 19, 6, 8, 1));
}

TEST(JobRun, RefusesAGroupLargerThanTheDevice) {
    catalogue::Shape shape;
    shape.n = 8;
    const Problem problem = thrown_by([&] { steps_of("relaunch", shape, 1U << 20U); });
    EXPECT_THAT(problem.why, HasSubstr(first_device().info.name));
}

TEST(JobRun, RunsAgainAfterAReset) {
    const catalogue::Shape shape = story_shape();
    const catalogue::Kernel& variant = shipped().find("relaunch");
    const catalogue::Values input = make_values(shape.input, shape.type, {});
    const catalogue::Job plan = plan_job(variant, with_group(shape, 4), 8, {2, 256, true});
    const Program program = build(first_device(), variant, shape);
    Inputs inputs(first_device(), input);
    JobRun reduction(first_device(), program, plan, &inputs);
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

TEST(JobRun, AKernelThatWritesNothingGivesNoEarlierResult) {
    const catalogue::Shape shape = story_shape();
    catalogue::Kernel variant = shipped().find("block-local");
    const catalogue::Values input = make_values(shape.input, shape.type, {});
    const catalogue::Job plan = plan_job(variant, with_group(shape, 4), 8, {2, 256, true});
    Inputs inputs(first_device(), input);
    const auto result_of = [&] {
        const Program program = build(first_device(), variant, shape);
        JobRun reduction(first_device(), program, plan, &inputs);
        std::int32_t result = 0;
        for (int run = 0; run < 2; ++run) {
            reduction.prepare();
            reduction.run();
            std::memcpy(&result, reduction.result().data(), sizeof result);
        }
        // And before the next run nothing of this one is left.
        reduction.prepare();
        std::int32_t left = 0;
        std::memcpy(&left, reduction.read(*plan.result, sizeof left).data(), sizeof left);
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
    Inputs inputs(first_device(), input, 1 << 20);
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
    EXPECT_EQ(Inputs(first_device(), input).copies(), 1U);
}

catalogue::Shape of_type(catalogue::Type type) {
    catalogue::Shape shape;
    shape.type = type;
    return shape;
}

TEST(Needs, SayWhatADeviceLacks) {
    results::DeviceInfo device;
    device.name = "a small device";
    const catalogue::Kernel& atomic = shipped().find("groups-atomic");
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
    catalogue::Kernel variant = shipped().find("sync-leaders");
    const auto position = variant.text.find("atomic_inc(come);");
    ASSERT_NE(position, std::string::npos);
    variant.text.replace(position, 17, "if (get_group_id(0) < 2) atomic_inc(come);");
    catalogue::Shape shape = with_group(catalogue::Shape{}, 4);
    const Program program = build(first_device(), variant, shape);
    const std::uint64_t most = most_groups(first_device(), program, variant, shape, 64);
    EXPECT_GE(most, 1U);  // 2 where the device runs two at once
    EXPECT_LE(most, 2U);
    const catalogue::Job plan = plan_job(variant, shape, 64, target_of(first_device().info));
    const Problem problem = not_resident(variant, plan, most);
    EXPECT_THAT(problem.what_happened, HasSubstr("16 groups of 4"));
    EXPECT_THAT(problem.why, HasSubstr(std::to_string(most)));
}

// A kernel of one's own runs as a shipped one does: here of two dimensions, with what it wrote
// restored before each run.
TEST(JobRun, TakesTheJobOfAForm) {
    catalogue::LaunchForm form;
    form.file = "own.cl";
    form.text =
        "kernel void f(global int* a, const int2 by) {\n"
        "  a[get_global_id(1) * 4 + get_global_id(0)] += by.x * 10 + by.y; }";
    form.global = {4, 2};
    form.local = {2, 1};
    form.arguments = {"a:int[8]=ramp", "by=3,4"};
    const catalogue::Kernel kernel = catalogue::kernel_of(form);
    const Program program = build(first_device(), kernel, {});
    JobRun run(first_device(), program, plan_job(kernel, {}, 0, target_of(first_device().info)));
    for (int i = 0; i < 2; ++i) {
        run.prepare();
        EXPECT_GT(run.run().wall_ms, 0);
        const catalogue::Values left = values_from(catalogue::Type::int_, run.contents().at(0));
        EXPECT_THAT(ints(left), ElementsAre(35, 36, 37, 38, 39, 40, 41, 42));
    }
}

}  // namespace
}  // namespace lab::device
