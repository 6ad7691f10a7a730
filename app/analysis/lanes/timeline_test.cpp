#include "analysis/lanes/timeline.h"

#include <gtest/gtest.h>

#include "support/example_job.h"

namespace lab::analysis {
namespace {

using machine::Example;

// Two groups of one warp; the first reads what the second is still to write.
const Example kTimelineRace{
    "kernel void f(global int* a) {\n"
    "  int id = get_global_id(0);\n"
    "  for (int span = 1; span < 4; span *= 2) {\n"
    "    if (id % (2 * span) == 0) a[id] += a[id + span];\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  }\n"
    "}",
    4,
    2,
    {{7, 1, 6, 8}}};

machine::Run played_race(machine::Order::Kind order) {
    return machine::play(machine::job_of(kTimelineRace, 2), machine::order_of(order), {});
}

TEST(Timeline, TellsEachActionWithItsCellsAndValues) {
    const Timeline line = timeline_of(played_race(machine::Order::Kind::round_robin));
    ASSERT_GE(line.actions.size(), 8U);
    EXPECT_EQ(line.groups, 2U);
    EXPECT_EQ(line.warps, 1U);
    ASSERT_EQ(line.launches.size(), 1U);
    EXPECT_EQ(line.arrays, std::vector<std::string>{"a"});
    const TimelineAction& first = line.actions[0];
    EXPECT_EQ(first.kind, machine::ActionKind::load);
    EXPECT_EQ(first.cells, "[1]");  // the right side first
    EXPECT_EQ(first.values, "1");
    EXPECT_EQ(first.line, 4U);
    EXPECT_EQ(first.lanes, 1U);
    EXPECT_EQ(line.stale_reads, 0U);
}

TEST(Timeline, AStaleReadIsTiedToTheWriteThatCameTooLate) {
    const Timeline line = timeline_of(played_race(machine::Order::Kind::in_order));
    ASSERT_EQ(line.stale_reads, 1U);
    ASSERT_EQ(line.stale.size(), 1U);
    const StaleArc& arc = line.stale[0];
    EXPECT_EQ(arc.cell, "a[2]");
    EXPECT_EQ(arc.took, "6");
    EXPECT_EQ(arc.missed, "14");
    ASSERT_TRUE(arc.write);
    EXPECT_GT(*arc.write, arc.read);
    EXPECT_EQ(line.actions[*arc.write].kind, machine::ActionKind::store);
    EXPECT_EQ(line.actions[*arc.write].cells, "[2]");
    EXPECT_EQ(line.actions[*arc.write].group, 1U);
    EXPECT_TRUE(line.actions[arc.read].stale);
    EXPECT_FALSE(line.actions[*arc.write].stale);
}

TEST(Timeline, SeveralLanesAreSummedUp) {
    const machine::Run run =
        machine::play(machine::job_of({"kernel void f(global int* a) {\n"
                                       "  a[get_global_id(0) * 2] = get_global_id(0);\n"
                                       "  a[get_global_id(0)] = 5;\n"
                                       "}",
                                       8,
                                       8,
                                       {{}},
                                       16},
                                      8),
                      {}, {});
    const Timeline line = timeline_of(run);
    ASSERT_EQ(line.actions.size(), 2U);
    EXPECT_EQ(line.actions[0].lanes, 8U);
    EXPECT_EQ(line.actions[0].cells, "[0,2…14]");
    EXPECT_EQ(line.actions[0].values, "");
    EXPECT_EQ(line.actions[1].cells, "[0…7]");
}

}  // namespace
}  // namespace lab::analysis
