#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analysis/warps.h"
#include "support/example_job.h"

namespace lab::analysis {
namespace {

using machine::Example;

machine::Run recorded_flow(const Example& example, std::uint32_t lanes) {
    machine::Recording recording;
    recording.flow = true;
    return machine::play(machine::job_of(example, lanes), {}, recording);
}

std::vector<std::uint64_t> numbers(const LaneCount& count) {
    return {count.steps, count.offered, count.active, count.idle, count.waiting, count.done};
}
using Numbers = std::vector<std::uint64_t>;

// Whatever happens, each lane of a group is somewhere in each of its steps.
void expect_all_slots(const Lanes& lanes) {
    for (const WarpLanes& warp : lanes.warps) {
        std::uint64_t longest = 0;
        for (const WarpLanes& other : lanes.warps)
            if (other.launch == warp.launch && other.pass == warp.pass && other.group == warp.group)
                longest = std::max(longest, other.count.steps);
        EXPECT_EQ(warp.count.active + warp.count.idle + warp.count.waiting + warp.count.done,
                  longest * warp.lanes);
    }
}

TEST(Lanes, OneLaneOfFourThatAddsIsAQuarter) {
    const machine::Run run = recorded_flow({"kernel void f(global int* a) {\n"
                                            "  int id = get_global_id(0);\n"
                                            "  if (id == 0)\n"
                                            "    a[0] += a[1];\n"
                                            "}",
                                            4,
                                            4,
                                            {{1, 2, 3, 4}}},
                                           4);
    const Lanes lanes = lanes_of(run);
    ASSERT_EQ(lanes.passes.size(), 1U);
    // Two loads and a store, of one lane each: 3 of 12 lane-slots.
    EXPECT_EQ(numbers(lanes.total), (Numbers{3, 12, 3, 9, 0, 0}));
    EXPECT_DOUBLE_EQ(utilisation(lanes.total), 0.25);
    ASSERT_EQ(lanes.branches.size(), 1U);
    EXPECT_EQ(lanes.branches[0].line, 3U);
    EXPECT_EQ(lanes.branches[0].text, "id == 0");
    EXPECT_EQ(lanes.branches[0].times, 1U);
    EXPECT_EQ(lanes.branches[0].splits, 1U);
    EXPECT_EQ(lanes.branches[0].least, 1U);
    EXPECT_EQ(lanes.branches[0].most, 1U);
}

TEST(Lanes, AWarpWithoutWorkWaitsAndInTheEndIsDone) {
    // 8 items in 2 warps: all store, the first 4 add, the first alone stores the sum.
    const machine::Run run = recorded_flow({"kernel void f(global int* a, local int* b) {\n"
                                            "  int id = get_local_id(0);\n"
                                            "  b[id] = id;\n"
                                            "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                            "  if (id < 4) b[id] += b[id + 4];\n"
                                            "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                            "  if (id == 0) a[0] = b[0];\n"
                                            "}",
                                            8,
                                            8,
                                            {{}},
                                            1,
                                            {8}},
                                           4);
    const Lanes lanes = lanes_of(run);
    ASSERT_EQ(lanes.warps.size(), 6U);
    EXPECT_EQ(numbers(lanes.warps[0].count), (Numbers{1, 4, 4, 0, 0, 0}));
    EXPECT_EQ(numbers(lanes.warps[1].count), (Numbers{1, 4, 4, 0, 0, 0}));
    // load, load, store of warp 0; warp 1 is at the barrier.
    EXPECT_EQ(numbers(lanes.warps[2].count), (Numbers{3, 12, 12, 0, 0, 0}));
    EXPECT_EQ(numbers(lanes.warps[3].count), (Numbers{0, 0, 0, 0, 12, 0}));
    // load and store of lane 0; warp 1 has ended.
    EXPECT_EQ(numbers(lanes.warps[4].count), (Numbers{2, 8, 2, 6, 0, 0}));
    EXPECT_EQ(numbers(lanes.warps[5].count), (Numbers{0, 0, 0, 0, 0, 8}));
    EXPECT_DOUBLE_EQ(utilisation(lanes.passes[2].count), 0.25);
    EXPECT_DOUBLE_EQ(utilisation(lanes.total), 22.0 / 28);
    expect_all_slots(lanes);
    // `id < 4` sends each warp one way as a whole.
    ASSERT_EQ(lanes.branches.size(), 1U);
    EXPECT_EQ(lanes.branches[0].line, 7U);
    EXPECT_EQ(lanes.branches[0].times, 2U);
    EXPECT_EQ(lanes.branches[0].splits, 1U);
}

TEST(Lanes, ThoseWhoReturnedAreDoneAndThoseMaskedOffIdle) {
    const machine::Run run = recorded_flow({"kernel void f(global int* a) {\n"
                                            "  int id = get_global_id(0);\n"
                                            "  if (id == 3) return;\n"
                                            "  if (id > 0) a[id] = 1;\n"
                                            "}",
                                            4,
                                            4,
                                            {{}}},
                                           4);
    EXPECT_EQ(numbers(lanes_of(run).total), (Numbers{1, 4, 2, 1, 0, 1}));
}

TEST(Lanes, LanesThatTheLastWarpDoesNotHaveDoNotExist) {
    const machine::Run run = recorded_flow(
        {"kernel void f(global int* a) { a[get_global_id(0)] = 1; }", 6, 6, {{}}, 6}, 4);
    const Lanes lanes = lanes_of(run);
    ASSERT_EQ(lanes.warps.size(), 2U);
    EXPECT_EQ(lanes.warps[1].lanes, 2U);
    EXPECT_EQ(numbers(lanes.total), (Numbers{2, 6, 6, 0, 0, 0}));
    EXPECT_TRUE(lanes.branches.empty());
}

TEST(Lanes, AnInstructionThatTouchesTwoObjectsIsOneStep) {
    const machine::Run run = recorded_flow({"kernel void f(global int* a, global int* b) {\n"
                                            "  int id = get_global_id(0);\n"
                                            "  global int* to = id % 2 == 0 ? a : b;\n"
                                            "  to[id] = 1;\n"
                                            "}",
                                            4,
                                            4,
                                            {{}, {}}},
                                           4);
    EXPECT_EQ(run.trace().size(), 2U);
    EXPECT_EQ(numbers(lanes_of(run).total), (Numbers{1, 4, 4, 0, 0, 0}));
}

TEST(Lanes, ALoopThatLanesLeaveOneAfterAnotherSplitsTheWarpEachTime) {
    const machine::Run run = recorded_flow({"kernel void f(global int* a) {\n"
                                            "  int id = get_global_id(0);\n"
                                            "  for (int i = 0; i < id; ++i)\n"
                                            "    a[id] += 1;\n"
                                            "}",
                                            4,
                                            4,
                                            {{0, 0, 0, 0}}},
                                           4);
    const Lanes lanes = lanes_of(run);
    ASSERT_EQ(lanes.passes.size(), 3U);  // turns: 3, 2, 1 lanes load and store
    EXPECT_EQ(numbers(lanes.passes[0].count), (Numbers{2, 8, 6, 2, 0, 0}));
    EXPECT_EQ(numbers(lanes.passes[2].count), (Numbers{2, 8, 2, 6, 0, 0}));
    ASSERT_EQ(lanes.branches.size(), 1U);
    const DivergentBranch& loop = lanes.branches[0];
    EXPECT_EQ(loop.kind, machine::Branch::Kind::loop);
    EXPECT_EQ(loop.text, "i < id");
    // 4 tests: 3 of 4 stay, 2 of 3, 1 of 2, 0 of 1; the last sends nobody two ways.
    EXPECT_EQ(loop.times, 4U);
    EXPECT_EQ(loop.splits, 3U);
    EXPECT_EQ(loop.least, 1U);
    EXPECT_EQ(loop.most, 3U);
}

TEST(Lanes, TheCasesOfASwitchSplitAWarpToo) {
    const machine::Run run = recorded_flow({"kernel void f(global int* a) {\n"
                                            "  int id = get_global_id(0);\n"
                                            "  switch (id) {\n"
                                            "    case 0: a[0] = 1; break;\n"
                                            "    default: a[id] = 2;\n"
                                            "  }\n"
                                            "}",
                                            4,
                                            4,
                                            {{}}},
                                           4);
    const Lanes lanes = lanes_of(run);
    ASSERT_EQ(lanes.branches.size(), 1U);
    EXPECT_EQ(lanes.branches[0].kind, machine::Branch::Kind::case_);
    EXPECT_EQ(lanes.branches[0].line, 3U);
    // One lane goes to the one, three to the other.
    EXPECT_EQ(lanes.branches[0].splits, 2U);
    EXPECT_EQ(lanes.branches[0].least, 1U);
    EXPECT_EQ(lanes.branches[0].most, 3U);
    EXPECT_EQ(numbers(lanes.total), (Numbers{2, 8, 4, 4, 0, 0}));
}

TEST(Lanes, LookingBackInARunCountsNothingTwice) {
    machine::Run run = recorded_flow({"kernel void f(global int* a) {\n"
                                      "  if (get_global_id(0) < 2) a[0] = 1;\n"
                                      "}",
                                      4,
                                      4,
                                      {{}}},
                                     4);
    const nlohmann::json before = lanes_of(run);
    (void)run.state_at(0);
    (void)run.state_at(1);
    EXPECT_EQ(nlohmann::json(lanes_of(run)), before);
}

TEST(Lanes, WhoDoesNotAskForBranchesIsToldNone) {
    const machine::Run run = machine::play(
        machine::job_of(
            {"kernel void f(global int* a) { if (get_global_id(0) < 2) a[0] = 1; }", 4, 4, {{}}}),
        {});
    EXPECT_TRUE(run.flow().branches().empty());
    EXPECT_TRUE(run.flow().endings().empty());
    EXPECT_EQ(lanes_of(run).total.active, 2U);
}

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
