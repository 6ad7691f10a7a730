// Asynchronous copies and who touches their memory meanwhile.
#include "support/found_hazards.h"

namespace lab::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Four items; `t` is local. Lines 4 and 6 are around the copy in line 5, line 8 behind the wait.
Example copy_with(const std::string& before, const std::string& between, const std::string& after) {
    return {
        "kernel void k(global int* in, global int* out, local int* t)\n{\n"
        "    const int i = get_local_id(0);\n    " +
            before + "\n    event_t e = async_work_group_copy(t, in, 4, 0);\n    " + between +
            "\n    wait_group_events(1, &e);\n    " + after + "\n}\n",
        4,
        4,
        {{1, 2, 3, 4}, {}},
        4,
        {8}};
}

std::vector<Hazard> without_unwritten(std::vector<Hazard> found) {
    std::erase_if(found, [](const Hazard& each) {
        return each.kinds == std::vector<std::string>{"uninitialised"};
    });
    return found;
}

std::vector<Hazard> hazards_with(const std::string& before, const std::string& between,
                                 const std::string& after, std::uint32_t lanes = 4) {
    return without_unwritten(hazards_in(copy_with(before, between, after), in_order(), lanes));
}

TEST(CopyHazards, NoneForWhoWaits) {
    for (const std::uint32_t lanes : {1U, 4U}) {
        EXPECT_TRUE(hazards_with("t[i + 4] = 1;", "out[i] = t[i + 4] + in[3 - i];",
                                 "out[i] = t[3 - i];", lanes)
                        .empty());
        EXPECT_TRUE(hazards_with("t[3 - i] = 1; barrier(CLK_LOCAL_MEM_FENCE);", "",
                                 "out[i] = t[3 - i];", lanes)
                        .empty());
    }
}

TEST(CopyHazards, WhoReadsTooEarlyTakesWhatWasThere) {
    const std::vector<Hazard> found = hazards_with("", "out[i] = t[3 - i];", "");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].kinds, ElementsAre("WAR"));
    EXPECT_THAT(found[0].could, ElementsAre("RAW"));
    EXPECT_TRUE(found[0].shown);
    EXPECT_TRUE(found[0].copy);
    ASSERT_EQ(found[0].sides.size(), 2U);
    EXPECT_EQ(found[0].sides[0].line, 5U);
    EXPECT_EQ(found[0].sides[0].does, "writes");
    EXPECT_EQ(found[0].sides[1].line, 6U);
    EXPECT_EQ(found[0].count, 4U);
    EXPECT_THAT(found[0].why, HasSubstr("until wait_group_events"));
    EXPECT_THAT(found[0].hint, HasSubstr("between line 5 and line 6"));
}

// A barrier does not wait for copies.
TEST(CopyHazards, ABarrierOrdersNoCopy) {
    const std::vector<Hazard> found =
        hazards_with("", "barrier(CLK_LOCAL_MEM_FENCE); out[i] = t[3 - i];", "");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].sides[0].line, 5U);
    EXPECT_EQ(found[0].sides[1].line, 6U);
}

TEST(CopyHazards, WritesBeforeAndWhileItIsDone) {
    // Whose elements it copies may have been written by others: a barrier is missing.
    std::vector<Hazard> found = hazards_with("in[i] = 9;", "", "out[i] = t[3 - i];");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].sides[0].line, 4U);
    EXPECT_EQ(found[0].sides[1].line, 5U);
    EXPECT_EQ(found[0].sides[1].does, "reads");
    EXPECT_THAT(found[0].hint, HasSubstr("barrier(CLK_GLOBAL_MEM_FENCE)"));
    // One that does not name the memory helps as little.
    EXPECT_EQ(hazards_with("in[i] = 9; barrier(CLK_LOCAL_MEM_FENCE);", "", "").size(), 1U);
    EXPECT_EQ(hazards_with("in[i] = 9; barrier(CLK_GLOBAL_MEM_FENCE);", "", "").size(), 0U);
    found = hazards_with("", "in[i] = 9;", "");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].kinds, ElementsAre("RAW"));
    EXPECT_EQ(found[0].sides[0].line, 5U);
    EXPECT_EQ(found[0].sides[1].line, 6U);
    EXPECT_TRUE(found[0].shown);
}

// What comes after the wait is ordered with the copy, but not with other work-items.
TEST(CopyHazards, TheWaitIsNoBarrier) {
    EXPECT_EQ(hazards_with("t[i + 4] = 1;", "", "out[i] = t[4 + (i + 1) % 4];", 1).size(), 1U);
}

TEST(CopyHazards, TwoCopiesAtOnceAndOneAfterTheOther) {
    const auto in_loop = [](const std::string& end) {
        return without_unwritten(
            hazards_in({"kernel void k(global int* in, global int* out, local int* t)\n{\n"
                        "    const int i = get_local_id(0);\n    int sum = 0;\n"
                        "    for (int k = 0; k < 3; ++k) {\n"
                        "        event_t e = async_work_group_copy(t, in + 4 * k, 4, 0);\n"
                        "        wait_group_events(1, &e);\n        sum += t[3 - i];\n        " +
                            end + "\n    }\n    out[i] = sum;\n}\n",
                        4,
                        4,
                        {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {}},
                        4,
                        {4}},
                       in_order(), 2));
    };
    EXPECT_TRUE(in_loop("barrier(CLK_LOCAL_MEM_FENCE);").empty());
    const std::vector<Hazard> found = in_loop("");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].sides[0].line, 8U);
    EXPECT_EQ(found[0].sides[1].line, 6U);  // of the next turn

    const std::vector<Hazard> both = hazards_with(
        "", "event_t f = async_work_group_copy(t, in + 1, 2, 0); wait_group_events(1, &f);", "");
    ASSERT_EQ(both.size(), 1U);
    EXPECT_THAT(both[0].kinds, ElementsAre("WAW"));
    EXPECT_TRUE(hazards_with("event_t f = async_work_group_copy(t, in, 2, 0);"
                             "wait_group_events(1, &f);",
                             "", "")
                    .empty());
}

// Another group has nothing to wait for.
TEST(CopyHazards, AcrossGroups) {
    const std::vector<Hazard> found = without_unwritten(
        hazards_in({"kernel void k(global int* x, local int* t)\n{\n    t[get_local_id(0)] = 1;\n"
                    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                    "    if (get_group_id(0) == 0) {\n"
                    "        event_t e = async_work_group_copy(x, t, 4, 0);\n"
                    "        wait_group_events(1, &e);\n    } else\n"
                    "        t[get_local_id(0)] = x[get_local_id(0)];\n}\n",
                    8,
                    4,
                    {{1, 2, 3, 4}},
                    4,
                    {4}},
                   in_order(), 4));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].across_groups);
    EXPECT_EQ(found[0].sides[0].line, 6U);
    EXPECT_EQ(found[0].sides[1].line, 9U);
}

}  // namespace
}  // namespace lab::analysis
