#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/rows.h"
#include "support/example_job.h"

namespace lab::analysis {
namespace {

using machine::Example;
using machine::SchedulingPolicy;

// Two groups of two; a group's barrier keeps its own passes apart, and no other's.
const Example kSpan{
    "kernel void k(global int* x) {\n    const uint id = get_global_id(0);\n"
    "    for (uint span = 2; span <= 4; span *= 2) {\n"
    "        if (id % span == 0)\n            x[id] = x[id] + x[id + span / 2];\n"
    "        barrier(CLK_GLOBAL_MEM_FENCE);\n    }\n}\n",
    4,
    2,
    {{1, 2, 4, 8}}};

std::vector<Row> rows_of(const Example& example, SchedulingPolicy order, std::uint32_t lanes = 1) {
    const auto run = play(machine::job_of(example, lanes), std::move(order));
    return stale_rows(run, 0);
}
SchedulingPolicy in_order_schedule() {
    return machine::order_of(SchedulingPolicy::Kind::in_order);
}
SchedulingPolicy listed_turns(std::vector<machine::ScheduleSlice> turns) {
    SchedulingPolicy order = machine::order_of(SchedulingPolicy::Kind::list);
    order.turns = std::move(turns);
    return order;
}
std::size_t stale_in(const std::vector<Row>& rows) {
    std::size_t count = 0;
    for (const Row& row : rows)
        count += row.stale.size();
    return count;
}

TEST(StaleRows, AReadThatCameTooEarlyStandsInItsRowWithThePassThatItMissed) {
    const std::vector<Row> rows = rows_of(kSpan, in_order_schedule());
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(text_of(rows[2].cells[0].value), "7");  // 3 + 4, not 3 + 12
    EXPECT_TRUE(rows[1].stale.empty());
    ASSERT_EQ(rows[2].stale.size(), 1U);
    const StaleValue& read = rows[2].stale[0];
    EXPECT_EQ(read.item, 0);
    EXPECT_EQ(read.array, "x");
    EXPECT_EQ(read.cell, 2U);
    EXPECT_EQ(text_of(read.took), "4");
    EXPECT_EQ(text_of(read.missed), "12");
    EXPECT_EQ(read.writer, 2);
    EXPECT_EQ(read.pass, 1U);
    EXPECT_EQ(read.line, 5U);
    EXPECT_EQ(read.write_line, 5U);
    EXPECT_FALSE(read.too_new);
    EXPECT_TRUE(rows[2].cells[0].stale);
    EXPECT_FALSE(rows[2].cells[2].stale);
    EXPECT_FALSE(rows[1].cells[0].stale);
}

TEST(StaleRows, NoneWhereTheOtherGroupCameFirst) {
    EXPECT_EQ(stale_in(rows_of(kSpan, listed_turns({{1, 0, 3, 0}}))), 0U);
    EXPECT_EQ(stale_in(rows_of(kSpan, machine::order_of(SchedulingPolicy::Kind::round_robin))), 0U);
}

TEST(StaleRows, ARaceIsNamedWhetherOrNotItShowed) {
    for (const SchedulingPolicy& order : {in_order_schedule(), listed_turns({{1, 0, 3, 0}})}) {
        const std::vector<Row> rows = rows_of(kSpan, order);
        EXPECT_TRUE(rows[1].raced.empty());
        ASSERT_EQ(rows[2].raced.size(), 1U);
        const RacedCell& raced = rows[2].raced[0];
        EXPECT_EQ(raced.cell, 2U);
        EXPECT_EQ(raced.first, 2);
        EXPECT_TRUE(raced.first_writes);
        EXPECT_EQ(raced.second, 0);
        EXPECT_FALSE(raced.second_writes);
        EXPECT_EQ(raced.first_line, 5U);
        EXPECT_EQ(raced.second_line, 5U);
        EXPECT_TRUE(raced.across_groups);
    }
}

TEST(StaleRows, ARaceInLocalMemoryStandsInTheCellsOfItsGroup) {
    const Example shift{
        "kernel void k(global int* x) {\n    local int buf[2];\n"
        "    const int i = get_local_id(0);\n    buf[i] = x[get_global_id(0)];\n"
        "    x[get_global_id(0)] = buf[(i + 1) % 2];\n}\n",
        4,
        2,
        {{1, 2, 3, 4}}};
    const std::vector<Row> rows = rows_of(shift, in_order_schedule());
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_TRUE(rows[1].local_memory);
    EXPECT_EQ(rows[1].group_cells, 2U);
    std::set<std::uint64_t> cells;
    for (const RacedCell& raced : rows[1].raced) {
        EXPECT_FALSE(raced.across_groups);
        cells.insert(raced.cell);
    }
    EXPECT_EQ(cells, (std::set<std::uint64_t>{0, 1, 2, 3}));
    EXPECT_FALSE(rows[2].local_memory);
    EXPECT_TRUE(rows[2].raced.empty());
}

TEST(StaleRows, ARaceOfAPassThatWritesElsewhereStandsInTheLastRowOfItsArray) {
    Example master{
        "kernel void k(global const int* in, global int* out, local int* buf) {\n"
        "    const uint lid = get_local_id(0);\n    buf[lid] = in[lid];\n"
        "    if (lid == 0) out[0] = buf[0] + buf[1];\n}\n",
        2,
        2,
        {{1, 2}, {0}}};
    master.local_ints = {2};
    const std::vector<Row> rows = rows_of(master, in_order_schedule(), 2);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1].array, "buf");
    ASSERT_EQ(rows[1].raced.size(), 1U);
    EXPECT_EQ(rows[1].raced[0].cell, 1U);
    EXPECT_TRUE(rows[2].raced.empty());
}

TEST(StaleRows, AReadInATurnOfALoopStandsInTheNextRow) {
    Example master{
        "kernel void k(global const int* in, global int* out, local int* buf) {\n"
        "    const uint lid = get_local_id(0);\n    buf[lid] = in[lid];\n"
        "    if (lid == 0) {\n        int sum = 0;\n"
        "        for (uint k = 0; k < 4; ++k)\n            sum += buf[k];\n"
        "        out[0] = sum;\n    }\n}\n",
        4,
        4,
        {{1, 2, 4, 8}, {0}}};
    master.local_ints = {4};
    const std::vector<Row> rows = rows_of(master, in_order_schedule());
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[2].array, "out");
    ASSERT_EQ(rows[2].stale.size(), 3U);
    EXPECT_EQ(rows[2].stale[0].cell, 1U);
    EXPECT_EQ(text_of(rows[2].stale[0].missed), "2");
    EXPECT_TRUE(rows[2].cells[0].stale);
    EXPECT_EQ(rows[1].raced.size(), 3U);
}

TEST(StaleRows, WhatABarrierOrdersIsNoRace) {
    Example one = kSpan;
    one.local = 4;
    for (const Row& row : rows_of(one, machine::order_of(SchedulingPolicy::Kind::round_robin)))
        EXPECT_TRUE(row.raced.empty());
}

TEST(StaleRows, AReadThatCameTooLateFoundALaterRound) {
    // All are meant to read before anybody writes.
    const Example shift{
        "kernel void k(global int* x) {\n    const int i = get_local_id(0);\n"
        "    const int other = x[(i + 1) % 2];\n    x[i] = other;\n}\n",
        2,
        2,
        {{1, 2}}};
    const std::vector<Row> rows = rows_of(shift, in_order_schedule());
    ASSERT_EQ(stale_in(rows), 1U);
    const StaleValue& read = rows[1].stale[0];
    EXPECT_TRUE(read.too_new);
    EXPECT_EQ(read.item, 1);
    EXPECT_EQ(text_of(read.took), "2");
    EXPECT_EQ(text_of(read.missed), "1");
    EXPECT_EQ(read.writer, 0);
    EXPECT_EQ(stale_in(rows_of(shift, in_order_schedule(), 2)), 0U);  // in lockstep
}

TEST(StaleRows, AnUpdateIsStaleWhereAnotherCameBetween) {
    const Example sum{"kernel void k(global int* x) { x[0] += get_group_id(0) + 1; }", 2, 1, {{0}}};
    EXPECT_EQ(stale_in(rows_of(sum, in_order_schedule())), 0U);
    const std::vector<Row> rows = rows_of(sum, listed_turns({{0, 0, 1, 0}, {1, 0, 2, 0}}));
    ASSERT_EQ(stale_in(rows), 1U);
    EXPECT_TRUE(rows[1].stale[0].update);
    EXPECT_EQ(rows[1].stale[0].item, 0);
    EXPECT_EQ(text_of(rows[1].stale[0].missed), "2");
    EXPECT_EQ(text_of(rows[1].cells[0].value), "1");
}

TEST(StaleRows, WaitingForAValueIsNotStale) {
    const Example poll{
        "kernel void k(volatile global int* x) {\n"
        "    if (get_group_id(0) == 0) x[0] = 1;\n    else { while (x[0] == 0); x[1] = 5; }\n}\n",
        2,
        1,
        {{0, 0}}};
    EXPECT_EQ(stale_in(rows_of(poll, listed_turns({{1, 0, 5, 0}}))), 0U);
}

TEST(StaleRows, ALaunchEndsAllRaces) {
    machine::Job job =
        machine::job_of({"kernel void k(global int* x) { const int i = get_global_id(0);\n"
                         "x[i] = x[3 - i] + 1; }",
                         4,
                         1,
                         {{1, 2, 3, 4}}},
                        1);
    const auto once = play(job, in_order_schedule());
    EXPECT_EQ(stale_in(stale_rows(once, 0)), 2U);  // of items 2 and 3
    job.launches.push_back(job.launches[0]);
    const auto twice = play(job, in_order_schedule());
    EXPECT_EQ(stale_in(stale_rows(twice, 0)), 4U);
}

// So many that to compare them all would keep whoever waits.
TEST(StaleRows, TheyAreNotAllLookedForWhereACellIsTouchedFarTooOften) {
    const auto all_in = [](int turns) {
        const auto run =
            play(machine::job_of({"kernel void k(global int* x) { for (int i = 0; i < " +
                                      std::to_string(turns) + "; ++i) x[0] += 1; }",
                                  1,
                                  1,
                                  {{0}}}),
                 in_order_schedule());
        bool all = false;
        (void)stale_rows(run, 0, &all);
        return all;
    };
    EXPECT_TRUE(all_in(1000));  // a million comparisons
    EXPECT_FALSE(all_in(12'000));
}

using testing::ElementsAre;
using testing::IsEmpty;

Lattice lattice_of(const machine::Example& example, bool* stale_known = nullptr) {
    LatticeObserver observer(0);
    machine::Recording recording;
    recording.trace = false;
    recording.observers = {&observer};
    machine::SchedulingPolicy order;
    order.kind = machine::SchedulingPolicy::Kind::in_order;
    const machine::Run run(machine::job_of(example, 4), order, recording);
    EXPECT_FALSE(run.fault());
    Lattice lattice = observer.take();
    if (stale_known != nullptr) *stale_known = observer.stale_known();
    return lattice;
}

machine::Example copy_into(std::uint64_t cells) {
    machine::Example example{
        "kernel void k(global int* x, global int* far) {\n"
        "const int i = get_global_id(0); far[i] = x[i] + 1; x[i] = far[i]; }",
        4,
        4,
        {{1, 2, 3, 4}, {}}};
    example.unwritten = cells;
    return example;
}

TEST(LatticeObserver, AnArrayWithTooManyCellsIsNamedAsNotShown) {
    EXPECT_THAT(lattice_of(copy_into(kMostLatticeCells)).unshown, IsEmpty());
    EXPECT_THAT(lattice_of(copy_into(kMostLatticeCells + 1)).unshown, ElementsAre("far"));
}

// No row shows what an item stores twice in a pass the first time, so what went into that goes in.
TEST(LatticeObserver, WhatAnItemStoredInThePassBeforeIsReadFromTheRowAbove) {
    const Lattice lattice =
        lattice_of({"kernel void k(global int* x) {\n"
                    "    const uint id = get_global_id(0);\n"
                    "    for (uint d = 2; d > 0; d /= 2)\n"
                    "        if (id == 0) x[0] = x[0] + x[d];\n"
                    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                    "    if (id == 1) { x[1] = x[0]; x[2] = x[1]; x[3] = x[3] + x[2]; }\n"
                    "}\n",
                    4,
                    4,
                    {{1, 2, 4, 8}}});
    ASSERT_EQ(lattice.rows.size(), 3U);
    const auto sources = [&](std::size_t row, std::size_t change) {
        return all_sources_of(lattice.rows[row], lattice.rows[row].changes[change]);
    };
    EXPECT_THAT(sources(1, 0), ElementsAre(0, 1, 2));  // 7
    ASSERT_EQ(lattice.rows[2].changes.size(), 3U);
    EXPECT_THAT(sources(2, 0), ElementsAre(0));
    EXPECT_THAT(sources(2, 1), ElementsAre(0));
    EXPECT_THAT(sources(2, 2), ElementsAre(0, 3));  // 15
    for (const Row& row : lattice.head.rows)
        EXPECT_THAT(row.other_reads, IsEmpty());
}

// The same value stands in x, too, and others read it from there.
TEST(LatticeObserver, WhatIsReadFromAnotherArrayComesFromItsRow) {
    const Lattice lattice =
        lattice_of({"kernel void k(global const int* in, global int* x) {\n"
                    "    const uint id = get_global_id(0);\n"
                    "    x[id] = in[id];\n"
                    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                    "    const int sum = x[id] + in[id ^ 1];\n"
                    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                    "    x[id] = sum;\n"
                    "}\n",
                    2,
                    2,
                    {{1, 2}, {0, 0}}});
    ASSERT_EQ(lattice.rows.size(), 3U);
    EXPECT_THAT(lattice.head.rows[1].far_reads, IsEmpty());
    EXPECT_THAT(all_sources_of(lattice.rows[2], lattice.rows[2].changes[0]), ElementsAre(0));
    EXPECT_THAT(all_sources_of(lattice.rows[2], lattice.rows[2].changes[1]), ElementsAre(1));
    const auto read = [](std::int64_t item, std::uint32_t from) {
        return FarRead{
            item, static_cast<std::uint32_t>(item), 0, from, {from + 1, lang::Scalar::int_}};
    };
    EXPECT_THAT(lattice.head.rows[2].far_reads, ElementsAre(read(0, 1), read(1, 0)));
}

TEST(LatticeObserver, SaysWhetherAllCellsWereComparedForStaleReads) {
    const auto counting = [](int turns) {
        bool known = false;
        (void)lattice_of({"kernel void k(global int* x) { for (int i = 0; i < " +
                              std::to_string(turns) + "; ++i) x[0] += 1; }",
                          1,
                          1,
                          {{0}}},
                         &known);
        return known;
    };
    EXPECT_TRUE(counting(1000));
    EXPECT_FALSE(counting(12'000));
}

}  // namespace
}  // namespace lab::analysis
