#include "analysis/lanes/memory_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/example_job.h"

namespace lab::analysis {
namespace {

using machine::Example;

machine::Run recorded_run(const Example& example, std::uint32_t lanes) {
    return machine::play(machine::job_of(example, lanes), {}, {});
}

const Example kStrided{
    "kernel void f(global int* a, local int* b) {\n"
    "  int id = get_local_id(0);\n"
    "  b[id] = 0;\n"
    "  b[id * 32] = id;\n"
    "  a[id * 8] = b[3];\n"
    "}",
    4,
    4,
    {{}},
    32,
    {128}};

TEST(MemoryRequest, TheWorstOfLocalMemoryIsShown) {
    const auto found = most_expensive_request(recorded_run(kStrided, 4));
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->cost.local);
    EXPECT_EQ(found->line, 4U);
    EXPECT_EQ(found->text, "  b[id * 32] = id;");
    EXPECT_EQ(found->array, "b");
    EXPECT_EQ(found->cost.degree, 4U);
    EXPECT_EQ(found->cost.least_degree, 1U);
    ASSERT_EQ(found->touched.size(), 4U);
    EXPECT_EQ(found->touched[3].lane, 3U);
    EXPECT_EQ(found->touched[3].first - found->array_first, 384U);
    EXPECT_EQ(found->requests, 1U);
    EXPECT_EQ(found->costly, 1U);
}

TEST(MemoryRequest, ALineCanBeAskedFor) {
    const machine::Run run = recorded_run(kStrided, 4);
    const auto global = most_expensive_request(run, 3);
    ASSERT_TRUE(global);
    EXPECT_EQ(global->cost.degree, 1U);
    EXPECT_EQ(global->costly, 0U);
    // Line 5 reads local memory, which comes first, from one word.
    const auto broadcast = most_expensive_request(run, 5);
    ASSERT_TRUE(broadcast);
    EXPECT_TRUE(broadcast->cost.local);
    EXPECT_EQ(broadcast->cost.degree, 1U);
    EXPECT_FALSE(most_expensive_request(run, 1));
    EXPECT_THAT(lines_with_requests(run), testing::ElementsAre(3, 4, 5));
}

TEST(MemoryRequest, WithoutLocalMemoryItIsSectors) {
    const machine::Run run = recorded_run({"kernel void f(global int* a) {\n"
                                           "  a[get_global_id(0) * 8] = 1;\n"
                                           "}",
                                           4,
                                           4,
                                           {{}},
                                           32},
                                          4);
    const auto found = most_expensive_request(run);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->cost.local);
    EXPECT_EQ(found->cost.sectors, 4U);
    EXPECT_EQ(found->cost.ideal_sectors, 1U);
    EXPECT_EQ(found->touched[1].first, 32U);
    EXPECT_EQ(found->array_end, 128U);
}

}  // namespace
}  // namespace lab::analysis
