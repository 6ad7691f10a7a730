// On the first device of the machine; PoCL is always there.
#include "device/measure.h"

#include <gmock/gmock.h>

#include "support/cuda_twins.h"
#include "support/first_device.h"

namespace lab::device {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kScale = R"(
kernel void scale(global const int* in, global int* out, const int by, local int* room)
{
    const uint id = get_global_id(0), lid = get_local_id(0);
    room[lid] = in[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = room[lid] * by;
}
)";

catalogue::LaunchForm scale(std::uint64_t n) {
    catalogue::LaunchForm kernel;
    kernel.file = "scale.cl";
    kernel.text = kScale;
    kernel.global = n;
    kernel.local = 16;
    const std::string count = std::to_string(n);
    kernel.arguments = {"in:int[" + count + "]=ramp", "out:int[" + count + "]", "3",
                        "room:local int[16]"};
    return kernel;
}

results::MeasureRequest times(int repeat) {
    results::MeasureRequest request;
    request.repeat = repeat;
    return request;
}

results::Measurements timed_form(const catalogue::LaunchForm& form,
                                 const results::MeasureRequest& request) {
    const catalogue::Kernel kernel = catalogue::kernel_of(form);
    return measure(first_device(), {&kernel}, request);
}

Problem problem_of(const catalogue::LaunchForm& kernel) {
    try {
        (void)timed_form(kernel, times(1));
    } catch (const Problem& problem) {
        return problem;
    }
    return {};
}

TEST(UserKernelTiming, IsARowWithoutAVerdictThatSaysWhatTheSimulatorHas) {
    const results::Measurements measured = timed_form(scale(64), times(5));
    EXPECT_TRUE(measured.complete);
    ASSERT_EQ(measured.rows.size(), 1U);
    const results::Row& row = measured.rows.front();
    EXPECT_EQ(row.variant, "scale.cl");
    EXPECT_EQ(row.expect, "unknown");
    EXPECT_FALSE(row.ranked());
    EXPECT_EQ(row.n, 64U);
    EXPECT_EQ(row.group, 16U);
    EXPECT_EQ(row.groups, 4U);
    EXPECT_EQ(row.bytes, 2 * 64 * sizeof(int));
    EXPECT_EQ(row.device_ms.size(), 5U);
    EXPECT_EQ(row.wall_ms.size(), 5U);
    EXPECT_GT(row.gigabytes_per_second(), 0);
    EXPECT_THAT(row.result, HasSubstr("out: "));
    EXPECT_EQ(row.result, row.expected);
}

TEST(UserKernelTiming, AsksNoSimulatorAboutALargeLaunch) {
    const results::Measurements measured = timed_form(scale(1 << 18), times(2));
    ASSERT_EQ(measured.rows.size(), 1U);
    EXPECT_EQ(measured.rows.front().expected, "");
}

TEST(UserKernelTiming, RandomKernelsInCudaLeaveWhatTheyDoOnTheSimulator) {
    for (unsigned seed = 1000; seed < 1015; ++seed) {
        catalogue::LaunchForm kernel;
        kernel.file = "k.cu";
        kernel.text = CudaTwinMaker(seed, false).twins().cuda;
        kernel.global = kTwinItems;
        kernel.local = kTwinGroup;
        kernel.arguments = {fmt::format("o:int[{}]=0", kTwinNumbers)};
        const results::Measurements measured = timed_form(kernel, times(1));
        ASSERT_EQ(measured.rows.size(), 1U);
        EXPECT_EQ(measured.rows.front().result, measured.rows.front().expected) << kernel.text;
    }
}

// Each run begins with the same buffers.
TEST(UserKernelTiming, RestoresWhatTheKernelWrites) {
    catalogue::LaunchForm kernel;
    kernel.file = "twice.cl";
    kernel.text = "kernel void twice(global int* data) { data[get_global_id(0)] *= 2; }";
    kernel.global = kernel.local = 4;
    kernel.arguments = {"data:int[4]=1,2,3,4"};
    const results::Measurements measured = timed_form(kernel, times(3));
    ASSERT_EQ(measured.rows.size(), 1U);
    EXPECT_EQ(measured.rows.front().result, "data: 2 4 6 8");
    EXPECT_EQ(measured.rows.front().expected, "data: 2 4 6 8");
}

TEST(UserKernelTiming, OfAKernelThatCannotRunIsAProblem) {
    catalogue::LaunchForm kernel = scale(64);
    kernel.text = "kernel void scale(global int* out) { out[0] = nothing; }";
    EXPECT_THAT(problem_of(kernel).where, StartsWith("scale.cl:1"));
    kernel = scale(64);
    kernel.arguments.pop_back();
    EXPECT_EQ(problem_of(kernel).where, "--arg");
    kernel = scale(64);
    kernel.local = 24;
    EXPECT_THAT(problem_of(kernel).what_happened, HasSubstr("24"));
    kernel = scale(1 << 18);
    kernel.local = 1 << 15;
    EXPECT_EQ(problem_of(kernel).where, "--local");
    // The device is never asked to write where nothing is.
    kernel = scale(64);
    kernel.arguments[1] = "out:int[8]";
    EXPECT_THAT(problem_of(kernel).why, HasSubstr("not run on the device"));
}

}  // namespace
}  // namespace lab::device
