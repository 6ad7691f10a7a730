#include <gtest/gtest.h>

#include "analysis/lineage.h"
#include "analysis/memory_traffic.h"
#include "analysis/rows.h"
#include "analysis/timeline.h"
#include "analysis/warps.h"
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

machine::Run played_race(machine::SchedulingPolicy::Kind order) {
    return machine::play(machine::job_of(kTimelineRace, 2), machine::order_of(order), {});
}

TEST(Timeline, TellsEachActionWithItsCellsAndValues) {
    const Timeline line = timeline_of(played_race(machine::SchedulingPolicy::Kind::round_robin));
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
    const Timeline line = timeline_of(played_race(machine::SchedulingPolicy::Kind::in_order));
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

using machine::ActionKind;
using machine::Example;
using machine::SchedulingPolicy;
using machine::Status;

// Two groups of one warp: the first reads what the second is still to write.
const Example kRace{
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

machine::Run played(SchedulingPolicy::Kind order) {
    return machine::play(machine::job_of(kRace, 2), machine::order_of(order));
}

std::vector<std::string> values_of(const StateArray& array) {
    std::vector<std::string> texts;
    for (const StateCell& cell : array.cells)
        texts.push_back(cell.value);
    return texts;
}

TEST(StateView, AtTheStartEachWarpStandsBeforeItsFirstAction) {
    auto run = played(SchedulingPolicy::Kind::in_order);
    const StateView state = state_view_of(run, 0);
    EXPECT_FALSE(state.done);
    EXPECT_FALSE(state.last.has_value());
    ASSERT_EQ(state.arrays.size(), 1U);
    EXPECT_EQ(values_of(state.arrays[0]), (std::vector<std::string>{"7", "1", "6", "8"}));
    ASSERT_EQ(state.warps.size(), 2U);
    for (const WarpView& warp : state.warps) {
        EXPECT_EQ(warp.status, Status::ready);
        ASSERT_TRUE(warp.next.has_value());
        EXPECT_EQ(warp.next->kind, ActionKind::load);
        EXPECT_EQ(warp.next->line, 4U);
        ASSERT_EQ(warp.next->touches.size(), 1U);
    }
    EXPECT_EQ(state.warps[1].next->touches[0].item, 2U);
}

TEST(StateView, LookingChangesNothing) {
    auto run = played(SchedulingPolicy::Kind::in_order);
    for (std::uint64_t time = 0; time <= run.trace().size(); ++time) {
        const StateView once = state_view_of(run, time), again = state_view_of(run, time);
        ASSERT_EQ(values_of(once.arrays[0]), values_of(again.arrays[0])) << time;
        EXPECT_EQ(once.warps.size(), again.warps.size());
    }
    EXPECT_EQ(machine::ints_of(run, 0)[0], 14);  // 8 + 6, the stale value
}

TEST(StateView, WhatAWarpWouldDoIsWhatItDoes) {
    auto run = played(SchedulingPolicy::Kind::in_order);
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        const machine::Action& action = run.trace().action(time);
        const StateView before = state_view_of(run, time), after = state_view_of(run, time + 1);
        const WarpView* who = nullptr;
        for (const WarpView& warp : before.warps)
            if (warp.group == action.group && warp.warp == action.warp) who = &warp;
        ASSERT_NE(who, nullptr);
        ASSERT_TRUE(who->next.has_value()) << time;
        ASSERT_TRUE(after.last.has_value());
        EXPECT_EQ(who->next->kind, after.last->kind);
        EXPECT_EQ(who->next->line, after.last->line);
        ASSERT_EQ(who->next->touches.size(), after.last->touches.size());
        for (std::size_t i = 0; i < after.last->touches.size(); ++i) {
            EXPECT_EQ(who->next->touches[i].index, after.last->touches[i].index);
            EXPECT_EQ(who->next->touches[i].value, after.last->touches[i].value);
        }
    }
}

TEST(StateView, AStoreTellsTheTwoValuesThatItIsTheSumOf) {
    auto run = played(SchedulingPolicy::Kind::in_order);
    bool told = false;
    for (std::uint64_t time = 1; time <= run.trace().size(); ++time) {
        const StateView state = state_view_of(run, time);
        if (state.last->kind != ActionKind::store) continue;
        const LaneTouch& touch = state.last->touches.at(0);
        ASSERT_FALSE(touch.left.empty());
        EXPECT_EQ(std::stoi(touch.left) + std::stoi(touch.right), std::stoi(touch.value));
        told = true;
    }
    EXPECT_TRUE(told);
}

TEST(StateView, MarksWhatChangedAndWhereGroupsMeet) {
    auto run = played(SchedulingPolicy::Kind::in_order);
    std::size_t changed = 0, met = 0;
    for (std::uint64_t time = 1; time <= run.trace().size(); ++time) {
        const StateView state = state_view_of(run, time);
        for (const StateCell& cell : state.arrays[0].cells) {
            changed += cell.changed ? 1U : 0U;
            met +=
                cell.next_read && cell.next_write && *cell.next_read != *cell.next_write ? 1U : 0U;
            EXPECT_TRUE(!cell.changed || cell.wrote);
        }
    }
    EXPECT_EQ(changed, 3U);  // one for each sum
    EXPECT_EQ(met, 0U);      // in order the first group has ended before the second one writes
}

TEST(StateView, GroupsThatHaveEndedStayInSight) {
    auto run = played(SchedulingPolicy::Kind::in_order);
    const StateView end = state_view_of(run, run.trace().size());
    EXPECT_TRUE(end.done);
    ASSERT_EQ(end.warps.size(), 2U);
    for (const WarpView& warp : end.warps)
        EXPECT_EQ(warp.status, Status::done);
}

TEST(StateView, ANextActionThatWouldFaultIsSaid) {
    auto run = machine::play(
        machine::job_of(
            {"kernel void f(global int* a) { a[get_global_id(0) + 100] = 1; }", 2, 2, {{1, 2}}}, 2),
        machine::order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_TRUE(run.fault().has_value());
    const StateView state = state_view_of(run, 0);
    EXPECT_FALSE(state.warps.at(0).fault.empty());
}

TEST(StateView, CellsAreSummedUp) {
    EXPECT_EQ(cells_text({}), "");
    EXPECT_EQ(cells_text({4}), "[4]");
    EXPECT_EQ(cells_text({0, 1, 2, 3}), "[0…3]");
    EXPECT_EQ(cells_text({0, 2, 4, 6}), "[0,2…6]");
    EXPECT_EQ(cells_text({5, 5, 5}), "[5]");
    EXPECT_EQ(cells_text({3, 1, 2}), "[3,1,…]");
    EXPECT_EQ(cells_text({0}, {true}), "");
    EXPECT_EQ(cells_text({5, 6, 7}, {false, {4}}), "[1][1…3]");
    EXPECT_EQ(cells_text({3, 4}, {false, {4}}), "[0][3],[1][0]");
    EXPECT_EQ(cells_text({0, 2, 4}, {false, {4}}), "[0][0],[0][2]…[1][0]");
}

TEST(WarpVariables, AreThoseAliveWhereTheWarpStands) {
    auto run = played(SchedulingPolicy::Kind::in_order);
    const machine::State start = run.state_at(0);
    const auto rows = variables_of(run.machine(), start, 1, 0);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].name, "id");
    EXPECT_EQ(rows[0].type, "int");
    EXPECT_EQ(rows[0].values, (std::vector<std::string>{"2", "3"}));
    EXPECT_FALSE(rows[0].same);
    EXPECT_EQ(rows[1].name, "span");
    EXPECT_EQ(rows[1].values, (std::vector<std::string>{"1", "1"}));
    EXPECT_TRUE(rows[1].same);
    EXPECT_TRUE(variables_of(run.machine(), run.end(), 0, 0).empty());
}

TEST(CellCoverage, CountsEachInputAndThoseThatAreLost) {
    auto run = played(SchedulingPolicy::Kind::in_order);
    const std::vector<Row> rows = stale_rows(run, 0);
    const auto cell = memory_cell(run, rows.back(), 0);
    ASSERT_TRUE(cell.has_value());
    const auto account = cell_account(run, *cell, run.trace().size());
    ASSERT_TRUE(account.has_value());
    EXPECT_EQ(account->value, "14");
    ASSERT_EQ(account->inputs.size(), 4U);
    const std::vector<std::uint64_t> times{account->inputs[0].times, account->inputs[1].times,
                                           account->inputs[2].times, account->inputs[3].times};
    EXPECT_EQ(times, (std::vector<std::uint64_t>{1, 1, 1, 0}));  // a[3] is lost
    EXPECT_EQ(account->inputs[3].value, "8");
    MemoryCell far = *cell;
    far.index = 99;
    EXPECT_FALSE(cell_account(run, far, 0).has_value());
}

TEST(LineCosts, CountWorkItemsSectorsAndSplits) {
    machine::Recording recording;
    recording.flow = true;
    const auto run =
        machine::play(machine::job_of(kRace, 2),
                      machine::order_of(SchedulingPolicy::Kind::round_robin), recording);
    const auto lines = line_costs(run);
    ASSERT_TRUE(lines.contains(4));
    EXPECT_EQ(lines.at(4).hits, 9U);  // three sums of two loads and a store
    EXPECT_EQ(lines.at(4).requests, 9U);
    EXPECT_GT(lines.at(4).splits, 0U);
    EXPECT_GE(lines.at(4).taken, lines.at(4).least);
    ASSERT_TRUE(lines.contains(5));
    EXPECT_EQ(lines.at(5).waits, 8U);  // four items, two turns
    EXPECT_FALSE(lines.contains(2));
}

}  // namespace
}  // namespace lab::analysis
