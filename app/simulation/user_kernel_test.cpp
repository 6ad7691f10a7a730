#include "simulation/user_kernel.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "simulation/subject.h"
#include "support/example_shapes.h"

namespace lab::simulation {
namespace {

UserKernel own(std::vector<std::string> arguments) {
    UserKernel kernel;
    kernel.file = "own.cl";
    kernel.text =
        "kernel void f(global int* a, global const float4* b, local char* c, int4 d, "
        "long e) { a[get_global_id(0)] = d.y + (int)e + (int)b[0].z + c[0] * 0; }";
    kernel.global = kernel.local = 2;
    kernel.arguments = std::move(arguments);
    return kernel;
}

TEST(UserKernel, ArgumentsAreReadByTheKernelsTypes) {
    const UserKernel kernel =
        own({"a:int[2]", "b:float4[1]=1,2,3,4", "c:local char[4]", "1,20,3,4", "2^10"});
    const machine::Run run(job_of(kernel, kClassroom.config), kClassroom.order);
    ASSERT_FALSE(run.fault());
    const UserKernelResult result = simulation::result_of(kernel, run, kClassroom);
    EXPECT_EQ(result.buffers[0].values, (std::vector<std::string>{"1047", "1047"}));
    EXPECT_FALSE(result.buffers[1].written);
    EXPECT_EQ(run.findings().size(), 1U);  // of c[0]
}

TEST(UserKernel, ItsLaunchHasAsManyDimensionsAsItsSizes) {
    UserKernel kernel;
    kernel.text =
        "kernel void f(global int* a) {\n"
        "  a[get_global_id(1) * 8 + get_global_id(0)] = get_work_dim(); }";
    kernel.arguments = {"a:int[64]"};
    kernel.global = {4, 4};
    kernel.local = {2, 4};
    kernel.offset = {1, 2};
    const machine::Job job = job_of(kernel, kClassroom.config);
    EXPECT_EQ(job.launches[0].range, NDRange(2, {4, 4, 1}, {2, 4, 1}, {1, 2, 0}));
    const machine::Run run(job, kClassroom.order);
    const UserKernelResult result = simulation::result_of(kernel, run, kClassroom);
    for (std::size_t i = 0; i < 64; ++i)
        EXPECT_EQ(result.buffers[0].values[i],
                  i % 8 >= 1 && i % 8 < 5 && i / 8 >= 2 && i / 8 < 6 ? "2" : "?")
            << i;
    EXPECT_EQ(result.table.item_name(result.table.rows[1].cells[2 * 8 + 3].item), "(3,2)");
    nlohmann::json json = result.table;
    EXPECT_EQ(json["passes"][1]["cells"][2 * 8 + 3]["global_id"], nlohmann::json({3, 2}));
    EXPECT_EQ(json.get<analysis::StepTable>().space.range(), job.launches[0].range);
    json = kernel;
    EXPECT_EQ(json["global"], nlohmann::json({4, 4}));
    EXPECT_EQ(json.get<UserKernel>(), kernel);
}

TEST(UserKernel, SizesOfDifferentDimensionsAreAProblem) {
    UserKernel kernel;
    kernel.text = "kernel void f(global int* a) { a[0] = 1; }";
    kernel.arguments = {"a:int[4]"};
    kernel.global = {8, 8};
    kernel.local = 16;
    const auto refusal = [&] {
        try {
            job_of(kernel, kClassroom.config);
        } catch (const Problem& problem) {
            return problem.text();
        }
        return std::string();
    };
    EXPECT_THAT(refusal(),
                testing::AllOf(testing::HasSubstr("--global 8x8 has 2, --local 16 has 1"),
                               testing::HasSubstr("--global 8x8 --local 4x4")));
    kernel.local = {4, 4};
    kernel.offset = 1;
    EXPECT_THAT(refusal(), testing::HasSubstr("--offset 1 has 1"));
    kernel.offset = 0;
    EXPECT_EQ(refusal(), "");
    kernel.global = 0;
    kernel.local = 4;
    EXPECT_THAT(refusal(), testing::HasSubstr("The launch has no size"));
}

TEST(UserKernel, ItsTitleTellsTheFileWithoutItsFolderAndTheKernel) {
    UserKernel kernel = own({});
    kernel.file = "/home/me/sums.cl";
    EXPECT_EQ(title_of(kernel), "sums.cl");
    kernel.kernel = "second";
    EXPECT_EQ(title_of(kernel), "sums.cl: second");
}

TEST(UserKernel, WhatDoesNotFitIsAProblemWithTheArgument) {
    const std::vector<std::string> good{"a:int[2]", "b:float4[1]=1,2,3,4", "c:local char[4]",
                                        "1,20,3,4", "7"};
    const std::vector<std::pair<std::size_t, std::string>> wrong{{0, "a:int"},
                                                                 {0, "a:int[0]"},
                                                                 {0, "a:integer[2]"},
                                                                 {0, "a:int[2]="},
                                                                 {0, "a:int[2]=1,2,3"},
                                                                 {0, "a:int[2]x"},
                                                                 {0, "7"},
                                                                 {0, "a:local int[2]"},
                                                                 {1, "b:float4[1]=x"},
                                                                 {2, "c:char[4]"},
                                                                 {2, "c:local char[4]=1"},
                                                                 {3, "1,2,3"},
                                                                 {3, "1,2,3,4,5"},
                                                                 {3, "a,b,c,d"},
                                                                 {4, ""},
                                                                 {4, "1.5"},
                                                                 {4, "99999999999999999999999"},
                                                                 {0, "a:int[99999999999]"}};
    for (const auto& [index, text] : wrong) {
        std::vector<std::string> arguments = good;
        arguments[index] = text;
        try {
            const machine::Run run(job_of(own(arguments), kClassroom.config), kClassroom.order);
            ADD_FAILURE() << text;
        } catch (const Problem& problem) {
            EXPECT_FALSE(problem.hint.empty()) << text;
            EXPECT_EQ(problem.exit, Exit::usage) << text << ": " << problem.text();
        }
    }
}

TEST(UserKernel, OfVeryManyRowsTheFirstAndTheLastAreKept) {
    UserKernel kernel;
    kernel.file = "own.cl";
    kernel.text = "kernel void f(global int* a) { for (int i = 0; i < 800; ++i) a[0] += 1; }";
    kernel.global = kernel.local = 1;
    kernel.arguments = {"a:int[1]=0"};
    const machine::Run run(job_of(kernel, kClassroom.config), kClassroom.order);
    const std::vector<analysis::Row> rows =
        simulation::result_of(kernel, run, kClassroom).table.rows;
    ASSERT_EQ(rows.size(), 501U);
    EXPECT_EQ(text_of(rows[1].cells[0].value), "1");
    EXPECT_EQ(text_of(rows[499].cells[0].value), "499");
    EXPECT_EQ(text_of(rows[500].cells[0].value), "800");
    EXPECT_EQ(rows[500].skipped, 300U);
}

TEST(UserKernel, ANullPointerIsAnArgumentToo) {
    UserKernel kernel;
    kernel.file = "own.cl";
    kernel.text = "kernel void f(global int* a, global int* b) { a[0] = b == 0 ? 5 : 6; }";
    kernel.global = kernel.local = 1;
    kernel.arguments = {"a:int[1]", "null"};
    const machine::Run run(job_of(kernel, kClassroom.config), kClassroom.order);
    EXPECT_EQ(simulation::result_of(kernel, run, kClassroom).buffers[0].values[0], "5");
}

}  // namespace
}  // namespace lab::simulation
