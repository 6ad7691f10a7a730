// Asynchronous copies in searches of every result: who sees that they are not done at once.
#include "analysis/outcomes/seen_copies.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/plain_search.h"

namespace lab::analysis {
namespace {

using How = SeenCopy::How;

// Sums tiles of `items` numbers; while one is added up, the next one is copied.
Example tiles(const std::string& read, std::uint64_t groups = 2, std::uint64_t items = 2) {
    const std::string body =
        "    const int l = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * 3 * "
        "n;\n"
        "    int sum = 0;\n"
        "    event_t e = async_work_group_copy(t, in + first, n, 0);\n"
        "    for (int k = 0; k < 3; ++k) {\n"
        "        wait_group_events(1, &e);\n"
        "        if (k < 2) e = async_work_group_copy(t + (k + 1) % 2 * n, in + first + (k + 1) * "
        "n, "
        "n, 0);\n        " +
        read +
        "\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    out[get_global_id(0)] = sum;\n}\n";
    Example example{"kernel void k(global int* out, global int* in, local int* t)\n{\n" + body,
                    groups * items,
                    items,
                    {std::vector<std::int32_t>(groups * items), {}}};
    for (std::uint64_t i = 0; i < groups * items * 3; ++i)
        example.buffers[1].push_back(1 << i);
    example.local_ints = {2 * items};
    return example;
}

TEST(SeenCopies, ADoubleBufferedTileIsComplete) {
    for (const std::uint32_t lanes : {1U, 2U})
        for (const std::uint32_t resident : {0U, 1U}) {
            const Outcomes found = outcomes_in(tiles("sum += t[k % 2 * n + (l + 1) % n];"), lanes,
                                               resident, with(Reduction::stubborn));
            EXPECT_TRUE(found.complete);
            EXPECT_TRUE(found.copies.empty());
            EXPECT_EQ(results_of(found), std::set<std::string>{"42 21 2688 1344"});
        }
}

TEST(SeenCopies, WhoReadsWhatIsBeingCopiedIsNamed) {
    const Outcomes found = outcomes_in(tiles("sum += t[(k + 1) % 2 * n + (l + 1) % n];"));
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(found.bound, Bound::none);
    ASSERT_FALSE(found.copies.empty());
    EXPECT_EQ(found.copies.front(), (SeenCopy{How::meanwhile, 9, 8}));
    Outcomes read;
    from_json(nlohmann::json(found), read);
    EXPECT_EQ(read.copies, found.copies);
}

// Four items, or two groups of them; `t` is local. Line 4 is before the call in line 5, line 6
// before the wait in line 7, line 8 behind it.
Outcomes around(const std::string& before, const std::string& between, const std::string& after,
                std::uint64_t global = 2, const char* call = "(t, x, 2, 0)") {
    return outcomes_in(
        {fmt::format("kernel void k(global int* x, global int* y, local int* t)\n{{\n"
                     "    const int i = get_local_id(0), g = get_group_id(0);\n"
                     "    {}\n    event_t e = async_work_group_copy{};\n    {}\n"
                     "    wait_group_events(1, &e);\n    {}\n}}\n",
                     before, call, between, after),
         global,
         2,
         {{1, 2, 3, 4}, {5, 6, 7, 8}},
         4,
         {8}});
}

TEST(SeenCopies, OnlyWhoMeetsACopyCounts) {
    EXPECT_EQ(around("", "", "y[i] = t[1 - i];").copies, std::vector<SeenCopy>{});
    EXPECT_EQ(around("", "y[i] = t[i + 2] = x[1 - i];", "").copies, std::vector<SeenCopy>{});
    EXPECT_EQ(around("", "y[i] = t[1 - i];", "").copies,
              (std::vector<SeenCopy>{{How::meanwhile, 6, 5}}));
    EXPECT_EQ(around("", "barrier(CLK_LOCAL_MEM_FENCE); t[i] = 3;", "").copies,
              (std::vector<SeenCopy>{{How::meanwhile, 6, 5}}));
    EXPECT_EQ(around("", "x[i] = 3;", "").copies, (std::vector<SeenCopy>{{How::meanwhile, 6, 5}}));
    // As it happens, under some schedules alone.
    EXPECT_EQ(around("", "if (atomic_inc(y) == 6) y[1] = t[0];", "").copies,
              (std::vector<SeenCopy>{{How::meanwhile, 6, 5}}));
    // A copy beside another one.
    EXPECT_EQ(around("",
                     "event_t f = async_work_group_copy(t + 1, y, 2, 0);"
                     "wait_group_events(1, &f);",
                     "")
                  .copies,
              (std::vector<SeenCopy>{{How::meanwhile, 6, 5}}));
    EXPECT_EQ(around("",
                     "event_t f = async_work_group_copy(t + 2, x, 2, 0);"
                     "wait_group_events(1, &f);",
                     "")
                  .copies,
              std::vector<SeenCopy>{});
}

TEST(SeenCopies, AnotherGroupThatWritesTheSourceIsNamed) {
    const Outcomes found = around("if (g == 1) { x[i] = 9; return; }", "", "x[2 + i] = t[i];", 4);
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(found.copies, (std::vector<SeenCopy>{{How::meanwhile, 4, 5}}));
    EXPECT_EQ(results_of(found),
              (std::set<std::string>{"9 9 1 2", "9 9 9 2", "9 9 1 9", "9 9 9 9"}));
    // Where it writes something else, or is through by then.
    EXPECT_TRUE(around("if (g == 1) { y[i] = 9; return; }", "", "x[2 + i] = t[i];", 4).complete);
    EXPECT_TRUE(around("if (g == 1) { x[2 + i] = 9; return; }", "", "y[i] = t[i];", 4).complete);
    // Of that group a copy does.
    EXPECT_EQ(around("t[i] = 5; barrier(CLK_LOCAL_MEM_FENCE);", "", "", 4, "(x, t, 2, 0)").copies,
              (std::vector<SeenCopy>{{How::meanwhile, 5, 5}}));
    EXPECT_TRUE(around("t[i] = 5; barrier(CLK_LOCAL_MEM_FENCE);", "", "", 4, "(x + 2 * g, t, 2, 0)")
                    .complete);
}

TEST(SeenCopies, NeitherCallNorWaitIsABarrier) {
    EXPECT_EQ(around("x[1 - i] = 3;", "", "y[i] = t[i];").copies,
              (std::vector<SeenCopy>{{How::unordered, 4, 5}}));
    EXPECT_TRUE(around("x[1 - i] = 3; barrier(CLK_GLOBAL_MEM_FENCE);", "", "").complete);
    EXPECT_EQ(around("t[4 + i] = 3;", "", "y[i] = t[5 - i];").copies,
              (std::vector<SeenCopy>{{How::unordered, 4, 8}}));
    EXPECT_EQ(around("", "y[i] = 3;", "y[1 - i] = 4;").copies,
              (std::vector<SeenCopy>{{How::unordered, 6, 8}}));
    EXPECT_TRUE(around("", "y[i] = 3;", "barrier(CLK_LOCAL_MEM_FENCE); y[1 - i] = 4;").complete);
}

// Columns of a matrix that lie between each other.
TEST(SeenCopies, StridesOfOthersDoNotMeet) {
    const auto columns = [](const std::string& to) {
        return outcomes_in(
            {"kernel void k(global int* x, local int* t)\n{\n"
             "    const int i = get_local_id(0), g = get_group_id(0);\n"
             "    t[i] = 10 * g + i;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    event_t e = async_work_group_strided_copy(" +
                 to + ", 0);\n    wait_group_events(1, &e);\n}\n",
             4,
             2,
             {{0, 0, 0, 0, 0, 0}},
             4,
             {2}});
    };
    const Outcomes apart = columns("x + g, t, 2, 2");
    EXPECT_TRUE(apart.complete);
    EXPECT_EQ(results_of(apart), std::set<std::string>{"0 10 1 11 0 0"});
    EXPECT_EQ(columns("x + 2 * g, t, 2, 2").copies,
              (std::vector<SeenCopy>{{How::meanwhile, 6, 6}}));
    EXPECT_EQ(columns("x + g, t, 2, 0").copies, (std::vector<SeenCopy>{{How::meanwhile, 6, 6}}));
}

TEST(SeenCopies, AFaultOfACopyIsAResult) {
    const Outcomes found = around("", "", "", 2, "(t, x, 5, 0)");
    EXPECT_TRUE(found.complete);
    ASSERT_EQ(found.results.size(), 1U);
    EXPECT_TRUE(found.results.front().fault);
    // It may come before what lies between it and its wait.
    EXPECT_FALSE(
        around("", "barrier(CLK_LOCAL_MEM_FENCE); y[i] = 1 / (y[2] - 7);", "", 2, "(t, x, 5, 0)")
            .complete);
}

}  // namespace
}  // namespace lab::analysis
