// Asynchronous copies of a work-group (OpenCL C 1.2, section 6.12.10).
#include <gmock/gmock.h>

#include "support/example_job.h"
#include "support/small_kernels.h"
#include "support/translated_texts.h"

namespace lab::machine {
namespace {

using testing::HasSubstr;

constexpr const char* kFill = "for (int i = 0; i < 8; ++i) out[i] = i + 1;";

// Of a group of four. `body`: i is the local id, t eight ints of local memory.
std::string gives(const std::string& body, std::uint32_t lanes, std::size_t count = 8) {
    return outcome(kernel_of("int", "local int t[8]; const int i = get_local_id(0);" + body), count,
                   {4, 4, lanes});
}

TEST(Copies, IntoLocalMemoryAndBack) {
    const std::string in = "if (i == 0) { " + std::string(kFill) +
                           " } barrier(CLK_GLOBAL_MEM_FENCE);"
                           "event_t e = async_work_group_copy(t, out + 2, 6, 0);"
                           "wait_group_events(1, &e);";
    for (const std::uint32_t lanes : {1U, 3U, 4U, 64U}) {
        EXPECT_EQ(gives(in + "out[i] = t[5 - i];", lanes), "8 7 6 5 5 6 7 8");
        EXPECT_EQ(gives(in + "t[i] += 10; barrier(CLK_LOCAL_MEM_FENCE);"
                             "event_t f = async_work_group_copy(out, t, 5, 0);"
                             "wait_group_events(1, &f);",
                        lanes),
                  "13 14 15 16 7 6 7 8");
        EXPECT_EQ(gives(in + "event_t f = async_work_group_copy(out, t, 0, 0);"
                             "wait_group_events(1, &f);",
                        lanes),
                  "1 2 3 4 5 6 7 8");
    }
}

TEST(Copies, StridedOnesStrideInGlobalMemory) {
    for (const std::uint32_t lanes : {1U, 4U}) {
        EXPECT_EQ(gives("if (i == 0) { " + std::string(kFill) +
                            " } barrier(CLK_GLOBAL_MEM_FENCE);"
                            "event_t e = async_work_group_strided_copy(t, out + 1, 3, 2, 0);"
                            "wait_group_events(1, &e);"
                            "e = async_work_group_strided_copy(out, t, 3, 3, 0);"
                            "wait_group_events(1, &e);",
                        lanes),
                  "2 2 3 4 5 6 6 8");
    }
}

TEST(Copies, VectorsAndEventsOfSeveral) {
    EXPECT_EQ(outcome(kernel_of("int4",
                                "local int4 t[4]; const int i = get_local_id(0);"
                                "out[i] = (int4)(i, i + 10, i + 20, i + 30);"
                                "barrier(CLK_GLOBAL_MEM_FENCE); event_t e[2];"
                                "e[0] = async_work_group_copy(t, out, 2, 0);"
                                "e[0] = async_work_group_copy(t + 2, out + 2, 1, e[0]);"
                                "e[1] = async_work_group_copy(t + 3, out + 3, 1, 0);"
                                "wait_group_events(2, e); out[i] = t[3 - i].wzyx;"),
                      16, {4, 4, 2}),
              "33 23 13 3 32 22 12 2 31 21 11 1 30 20 10 0");
}

// The copy is in no hurry: until the wait, whoever looks finds what was there.
TEST(Copies, AreDoneWhenTheyAreWaitedFor) {
    EXPECT_EQ(
        gives("out[i] = i + 1; t[i] = 50; barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
              "event_t e = async_work_group_copy(t, out, 4, 0); const int early = t[i];"
              "wait_group_events(1, &e); out[i + 4] = early + t[i];",
              2),
        "1 2 3 4 51 52 53 54");
}

TEST(Copies, CarryLineage) {
    const Example example{
        "kernel void f(global int* in, global int* out, local int* t)\n{\n"
        "    event_t e = async_work_group_copy(t, in, 4, 0);\n"
        "    wait_group_events(1, &e);\n    out[get_local_id(0)] = t[3];\n}\n",
        4,
        4,
        {{1, 2, 3, 4}, {}},
        4,
        {4}};
    const auto run = play(job_of(example, 2), SchedulingPolicy{});
    ASSERT_FALSE(run.fault());
    EXPECT_EQ(run.machine().lineage()[run.end().memory[1].pages[0]->nodes.at(2)].index, 3U);
    // Any moment can be gone back to, also within the copy.
    auto again = play(job_of(example, 2), SchedulingPolicy{});
    for (std::uint64_t time = 0; time <= again.trace().size(); ++time)
        EXPECT_GE(again.state_at(time).time, time);
}

TEST(Copies, Faults) {
    struct Case {
        const char* body;
        const char* says;
    };
    static constexpr Case kAll[] = {
        {"event_t e = 0; if (i < 2) e = async_work_group_copy(t, out, 4, 0); wait_group_events(1, "
         "&e);",
         "Not all work-items of group 0 come to the call in line 1"},
        {"event_t e = async_work_group_copy(t, out, 4, 0); if (i == 0) wait_group_events(1, &e);",
         "Not all work-items of group 0 come to the call in line 1"},
        {"event_t e = async_work_group_copy(t, out + i, 4, 0); wait_group_events(1, &e);",
         "Work-item 1 comes to line 1 with other arguments than work-item 0"},
        {"event_t e = async_work_group_copy(t, out, 4 + i / 3, 0); wait_group_events(1, &e);",
         "Work-item 3 comes to line 1 with other arguments than work-item 0"},
        {"async_work_group_copy(t, out, 4, 0);",
         "Group 0 ends, but nobody waited for its copy in line 1"},
        {"event_t e = 0; wait_group_events(1, &e);",
         "Group 0 waits for an event that there is not"},
        {"async_work_group_copy(t, out, 4, (event_t)9);",
         "Group 0 names an event that there is not"},
        {"event_t e = async_work_group_copy(t, out, 2000000, 0); wait_group_events(1, &e);",
         "Group 0 copies 2000000 elements at once"},
        {"event_t e = async_work_group_copy(t, out, 9, 0); wait_group_events(1, &e);",
         "Work-item 0 reads out[8], which does not exist"},
        {"event_t e = async_work_group_copy(t + 6, out, 4, 0); wait_group_events(1, &e);",
         "Work-item 2 writes t[8], which does not exist"},
        {"event_t e = async_work_group_strided_copy(t, out, 4, 1UL << 60, 0); wait_group_events(1, "
         "&e);",
         "Work-item 1 reads out["},
    };
    for (const Case& each : kAll)
        for (const std::uint32_t lanes : {1U, 4U})
            EXPECT_THAT(gives(each.body, lanes), HasSubstr(each.says)) << each.body;
}

}  // namespace
}  // namespace lab::machine
