#include <gtest/gtest.h>

#include "base/problem.h"
#include "support/example_job.h"

namespace lab::machine {
namespace {

// 1 MiB of private memory an item, five with lineage.
const char* const kLarge =
    "kernel void f(global int* a)\n{\n    char t[1048576];\n"
    "    t[a[0]] = 1;\n    a[0] = t[a[0]];\n}\n";

TEST(Bounds, WhatTakesTooMuchMemoryIsRefusedBeforeItIsTaken) {
    const Example large{kLarge, 512, 256, {{1}}};
    EXPECT_THROW(play(job_of(large, 32), {}), Problem);
    try {
        play(job_of(large, 32, 1), {});
        FAIL() << "one group alone takes as much";
    } catch (const Problem& problem) {
        EXPECT_EQ(problem.what_happened, "The kernel 'f' needs too much memory");
        EXPECT_EQ(problem.where, "--resident");
    }
}

TEST(Bounds, FewerGroupsAtOnceTakeLess) {
    const Example large{kLarge, 300, 1, {{1}}};
    EXPECT_THROW(Machine(job_of(large, 1)), Problem);
    EXPECT_NO_THROW(Machine(job_of(large, 1, 8)));
}

TEST(Bounds, LocalMemoryOfAnArgumentIsBoundedToo) {
    const Example one{
        "kernel void f(local int* t)\n{\n    t[0] = 1;\n}\n", 4, 4, {}, 4, {1ULL << 60U}};
    EXPECT_THROW(play(job_of(one), {}), Problem);
    const Example many{
        "kernel void f(local int* t)\n{\n    t[0] = 1;\n}\n", 64, 4, {}, 4, {1U << 24U}};
    EXPECT_THROW(play(job_of(many), {}), Problem);
}

TEST(Bounds, AFaultBeforeTheFirstActionLeavesAStateToLookAt) {
    auto run = play(
        job_of({"kernel void f(global int* a)\n{\n    int* p = 0;\n    *p = 1;\n}\n", 4, 4, {{7}}}),
        order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_TRUE(run.fault());
    EXPECT_EQ(run.trace().size(), 0U);
    EXPECT_EQ(ints_of(run.machine(), run.state_at(0), 0), (std::vector<std::int32_t>{7}));
}

}  // namespace
}  // namespace lab::machine
