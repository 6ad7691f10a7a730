#include "analysis/lanes/item_activity.h"

#include <gtest/gtest.h>

#include "analysis/lanes/lanes.h"
#include "support/example_job.h"

namespace lab::analysis {
namespace {

using machine::Example;

machine::Run recorded(const Example& example, std::uint32_t lanes, std::uint32_t resident = 0) {
    machine::Recording recording;
    recording.flow = true;
    return machine::play(machine::job_of(example, lanes, resident), {}, recording);
}

const Example kTree{
    "kernel void f(global int* a, local int* b) {\n"
    "  int id = get_local_id(0);\n"
    "  b[id] = id;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (id < 4) b[id] += b[id + 4];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (id == 0) a[get_group_id(0)] = b[0];\n"
    "}",
    8,
    8,
    {{}},
    4,
    {8}};

const Example kUneven{
    "kernel void f(global int* a) {\n"
    "  int id = get_global_id(0);\n"
    "  if (id % 3 == 1) return;\n"
    "  for (int i = 0; i < id; i++) a[id] += i;\n"
    "}",
    10,
    5,
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}};

TEST(ItemActivity, TellsWhatEachItemDid) {
    const auto passes = item_activity(recorded(kTree, 4));
    ASSERT_EQ(passes.size(), 3U);
    ASSERT_EQ(passes[0].items.size(), 8U);
    for (const ItemSlots& item : passes[0].items)
        EXPECT_EQ(item.active, 1U);
    EXPECT_EQ(passes[1].items[3].active, 3U);  // load, load, store
    EXPECT_EQ(passes[1].items[4].waiting, 3U);
    EXPECT_EQ(passes[2].items[0].active, 2U);
    EXPECT_EQ(passes[2].items[1].idle, 2U);
    EXPECT_EQ(passes[2].items[7].done, 2U);
    EXPECT_TRUE(passes[2].items[7].ended);
    EXPECT_TRUE(passes[0].barrier[0]);
    EXPECT_FALSE(passes[2].barrier[0]);
    EXPECT_EQ(active_items(passes[2]), 1U);
    EXPECT_DOUBLE_EQ(active_share(passes[2]), 0.125);
}

// The chart and the table of lanes are two views of one thing.
TEST(ItemActivity, SumsToTheCountsOfLanes) {
    for (const Example& example : {kTree, kUneven}) {
        for (const std::uint32_t lanes : {1U, 3U, 4U, 32U}) {
            for (const std::uint32_t resident : {0U, 1U}) {
                const machine::Run run = recorded(example, lanes, resident);
                const Lanes counted = lanes_of(run);
                const auto passes = item_activity(run);
                ASSERT_EQ(passes.size(), counted.passes.size());
                for (std::size_t i = 0; i < passes.size(); ++i) {
                    ItemSlots sum;
                    for (const ItemSlots& item : passes[i].items) {
                        sum.active += item.active;
                        sum.idle += item.idle;
                        sum.waiting += item.waiting;
                        sum.done += item.done;
                    }
                    const LaneCount& count = counted.passes[i].count;
                    EXPECT_EQ(passes[i].launch, counted.passes[i].launch);
                    EXPECT_EQ(passes[i].pass, counted.passes[i].pass);
                    EXPECT_EQ(sum.active, count.active);
                    EXPECT_EQ(sum.idle, count.idle);
                    EXPECT_EQ(sum.waiting, count.waiting);
                    EXPECT_EQ(sum.done, count.done);
                }
            }
        }
    }
}

TEST(ItemActivity, NothingThatRanIsNoPass) {
    const machine::Run run =
        recorded({"kernel void f(global int* a) { int id = get_global_id(0); }", 4, 4, {{1}}}, 4);
    EXPECT_TRUE(item_activity(run).empty());
}

}  // namespace
}  // namespace lab::analysis
