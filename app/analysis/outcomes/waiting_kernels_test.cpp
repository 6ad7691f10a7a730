// The search on kernels that wait for each other, and give up.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/plain_search.h"

namespace lab::analysis {
namespace {

using machine::Example;

TEST(WaitingKernels, GivingUpTakesAMillionLooksAndFewStates) {
    const Example example{
        "kernel void k(volatile global int* x) {\n"
        "if (get_group_id(0) == 1) { x[0] = 1; return; }\n"
        "int looks = 0; while (x[0] == 0 && ++looks < 1000000);\n"
        "x[1] = looks == 1000000 ? 2 : 1; }",
        2,
        1,
        {{0, 0}}};
    machine::Job job = machine::job_of(example, 1, 0);
    const Outcomes found = outcomes_of(job, ending_of);
    EXPECT_TRUE(found.complete);
    EXPECT_LT(found.states, 30U);
    ASSERT_EQ(results_of(found), (std::set<std::string>{"1 1", "1 2"}));
    for (const PossibleResult& each : found.results) {
        EXPECT_EQ(each.instructions > 0, each.ending.result == "1 2");
        job.budget = each.instructions;
        machine::Order order = machine::order_of(machine::Order::Kind::list);
        order.turns = each.turns;
        const auto run = play(job, std::move(order));
        ASSERT_FALSE(run.fault());
        EXPECT_EQ(ending_of(run.machine(), run.end()).result, each.ending.result);
    }
}

// The lanes of a warp look together, and leave one by one: who is left has looked more often.
TEST(WaitingKernels, LanesThatWaitTogether) {
    for (const char* wait :
         {"int t = 0; while (x[0] != 1 + i && ++t < 20);",
          "int t = 0; do { if (++t == 20) break; } while (x[0] != 1 + i);",
          "int t = 20 - i; while (t > 0 && x[0] != 1 + i) --t; t = t ? 1 : 20;"}) {
        const Example example{
            fmt::format("kernel void k(volatile global int* x) {{ const int i = get_local_id(0);\n"
                        "if (get_group_id(0) == 1) {{ if (i == 0) {{ x[0] = 1; x[0] = 2; }} }}\n"
                        "else {{ {} x[2 + i] = t == 20; }} }}",
                        wait),
            4,
            2,
            {{0, 0, 0, 0}}};
        Seen seen;
        for (const std::uint32_t lanes : {1U, 2U})
            expect_as_plain(example, lanes, 0, seen);
        EXPECT_GT(seen.skips, 0) << wait;
    }
}

// Many looks, of which none can be left out: they can be seen, or others must act between them.
TEST(WaitingKernels, LooksThatCountAreNotSkipped) {
    for (const char* wait : {"int t = 0; while (x[0] == 0 && t < 9) ++t; x[1] = t;",
                             "int t = 0; while (x[0] == 0 && ++t < 9) x[1] = 1 - x[1];",
                             "int t = 0; while (x[0] == 0 && x[t & 1] == 0 && ++t < 9);",
                             "int t = 0; while (atomic_xchg(x, 0) == 0 && ++t < 9);"}) {
        const Example example{fmt::format("kernel void k(volatile global int* x) {{\n"
                                          "if (get_group_id(0) == 1) x[0] = 1; else {{ {} }} }}",
                                          wait),
                              2,
                              1,
                              {{0, 0}}};
        Seen seen;
        expect_as_plain(example, 1, 0, seen);
        EXPECT_EQ(seen.skips, 0) << wait;
    }
}

}  // namespace
}  // namespace lab::analysis
