// Searches by what work-items may touch, beside one that reduces nothing.
#include "analysis/footprints.h"
#include "support/plain_search.h"

namespace lab::analysis {
namespace {

// Whoever loops forever must not keep others from going wrong.
TEST(Footprints, AnEndlessLoopPutsOffNobodysFault) {
    const Example example{
        "kernel void k(volatile global int* x, volatile global int* y) {\n"
        "if (get_global_id(0) == 0) while (x[0] == 0); else y[y[0]] = 1; }",
        2,
        1,
        {{0}, {99}}};
    Seen seen;
    expect_as_plain(example, 1, 0, seen);
}

// Leaders that wait for each other, while all others of their groups wait for them.
TEST(Footprints, OnlyThoseWhoMeetAreTriedInAllOrders) {
    const Example example{
        "kernel void k(volatile global int* x, volatile global int* come) {\n"
        "const int g = get_global_id(0);\n"
        "const int sum = x[g] + x[(g + 1) % 8] + x[(g + 2) % 8];\n"
        "barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "if (get_local_id(0) == 0) { atomic_inc(come); while (*come < 2); }\n"
        "barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "x[g] = sum; }",
        8,
        4,
        {{1, 2, 3, 4, 5, 6, 7, 8}, {0}}};
    const Outcomes found = outcomes_in(example, 1, 0);
    EXPECT_TRUE(found.complete);
    EXPECT_TRUE(found.needs_progress);
    EXPECT_EQ(results_of(found), std::set<std::string>{"6 9 12 15 18 21 16 11"});
    EXPECT_LT(found.states, 200U);
}

}  // namespace
}  // namespace lab::analysis
