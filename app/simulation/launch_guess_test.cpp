#include "simulation/launch_guess.h"

#include <gmock/gmock.h>

#include "support/example_shapes.h"

namespace lab::simulation {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

UserKernel guessed(const std::string& text, UserKernel kernel = {}) {
    kernel.file = "k.cl";
    kernel.text = text;
    return guessed_launch(kernel, kClassroom);
}

bool runs(const UserKernel& kernel) {
    return !machine::Run(job_of(kernel, kClassroom.config), kClassroom.order).fault();
}

TEST(LaunchGuess, BuffersAreAsLongAsTheKernelNeeds) {
    const UserKernel kernel = guessed(
        "kernel void f(global const float* in, global float* out, local float* part) {\n"
        "  const int i = get_global_id(0);\n"
        "  part[get_local_id(0) + 20] = in[4 * i + 3];\n"
        "  out[i * 2] = part[get_local_id(0) + 20]; }");
    EXPECT_THAT(kernel.arguments,
                ElementsAre("in:float[256]=ramp", "out:float[128]", "part:local float[64]"));
    EXPECT_TRUE(runs(kernel));
}

TEST(LaunchGuess, NumbersThatLeadAstrayBecomeNought) {
    const UserKernel kernel = guessed(
        "kernel void f(global int* next, global int* data) {\n"
        "  const int i = get_global_id(0); data[next[i] * 100000 * 100] = i; }");
    EXPECT_THAT(kernel.arguments, Contains("next:int[64]=0"));
    EXPECT_TRUE(runs(kernel));
}

TEST(LaunchGuess, ANumberThatIsTooLargeIsLowered) {
    const UserKernel kernel = guessed(
        "kernel void f(global float* data, int width, float scale) {\n"
        "  data[get_global_id(0) + (width - 1) * 100000000] = scale; }");
    EXPECT_THAT(kernel.arguments, ElementsAre("data:float[64]=ramp", "width=1", "scale=1"));
    EXPECT_TRUE(runs(kernel));
}

TEST(LaunchGuess, WhatIsGivenStays) {
    UserKernel given;
    given.global = 8;
    given.local = 4;
    const UserKernel kernel =
        guessed("kernel void f(global int* a) { a[get_global_id(0)] = 1; }", given);
    EXPECT_EQ(kernel.global, 8U);
    EXPECT_EQ(kernel.local, 4U);
    EXPECT_EQ(launch_text(kernel), "--global 8 --local 4 --arg a:int[64]=ramp");
    UserKernel moved = kernel;
    moved.offset = 3;
    EXPECT_EQ(launch_text(moved), "--global 8 --local 4 --offset 3 --arg a:int[64]=ramp");
}

TEST(LaunchGuess, NeedsATextThatCompilesAndOneKernel) {
    EXPECT_THAT(guessed("kernel void f(global int* a) { a[0] = ; }").arguments, IsEmpty());
    const std::string two =
        "kernel void f(global int* a) { a[0] = 1; }\n"
        "kernel void g(global int* b) { b[0] = 1; }\n";
    EXPECT_THAT(guessed(two).arguments, IsEmpty());
    UserKernel named;
    named.kernel = "g";
    EXPECT_THAT(guessed(two, named).arguments, ElementsAre("b:int[64]=ramp"));
}

TEST(LaunchGuess, ALaunchThatCannotBeIsLeftToItsRun) {
    UserKernel given;
    given.global = 6;
    given.local = 4;
    EXPECT_THAT(guessed("kernel void f(global int* a) { a[0] = 1; }", given).arguments,
                ElementsAre("a:int[64]=ramp"));
}

TEST(LaunchGuess, AFaultOfTheKernelsOwnStays) {
    EXPECT_FALSE(
        runs(guessed("kernel void f(global int* a) { a[-1 - (int)get_global_id(0)] = 1; }")));
}

}  // namespace
}  // namespace lab::simulation
