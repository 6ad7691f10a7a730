#include "analysis/races/hazards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/example_job.h"

namespace lab::analysis {
namespace {

using machine::Example;
using machine::Order;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<Hazard> hazards_in(const Example& example, Order order = {}, std::uint32_t lanes = 4,
                               std::uint32_t resident = 0) {
    RaceDetector detector;
    machine::Recording recording;
    recording.trace = false;
    recording.observers.push_back(&detector);
    const auto run = play(machine::job_of(example, lanes, resident), std::move(order), recording);
    EXPECT_FALSE(run.fault());
    return hazards_of(run, detector);
}

Order in_order() {
    return machine::order_of(Order::Kind::in_order);
}
Order list(std::vector<machine::Turn> turns) {
    Order order = machine::order_of(Order::Kind::list);
    order.turns = std::move(turns);
    return order;
}

// Item i writes its cell, then reads its neighbour's.
Example neighbours(const std::string& between) {
    return {
        "kernel void k(global int* out, local int* buf)\n{\n    const int i = get_local_id(0);\n"
        "    buf[i] = i + 10;\n    " +
            between + "\n    out[i] = buf[(i + 1) % 4];\n}\n",
        4,
        4,
        {{}},
        4,
        {4}};
}

TEST(Hazards, AGroupThatRestsForLongIsNotForgotten) {
    // Group 0 begins, 399 others come and go beside it, then its second item writes the same cell.
    constexpr std::uint32_t kGroups = 400;
    const Example example{"kernel void k(local int* x)\n{\n    x[0] = 1 + get_local_id(0);\n}\n",
                          2 * kGroups,
                          2,
                          {},
                          4,
                          {1}};
    std::vector<machine::Turn> turns{{0, 0, 1}};
    for (std::uint32_t group = 1; group < kGroups; ++group) {
        turns.push_back({group, 0, 1});
        turns.push_back({group, 1, 1});
    }
    const std::vector<Hazard> found = hazards_in(example, list(turns), 1, 2);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].count, kGroups);
}

TEST(Hazards, AMissingBarrierIsOneLinePairWithBothLinesQuoted) {
    const std::vector<Hazard> found = hazards_in(neighbours(""), in_order(), 1);
    ASSERT_EQ(found.size(), 2U);  // and what was read before it was written at all
    const Hazard& race = found[0].kinds[0] == "uninitialised" ? found[1] : found[0];
    EXPECT_EQ(race.severity, Hazard::Severity::race);
    EXPECT_THAT(race.kinds, ElementsAre("WAR", "RAW"));
    EXPECT_TRUE(race.could.empty());
    EXPECT_FALSE(race.across_groups);
    EXPECT_EQ(race.count, 4U);  // items 0 to 2 read too early, 3 reads what 0 wrote first
    EXPECT_TRUE(race.shown);
    EXPECT_EQ(race.times_shown, 3U);
    ASSERT_EQ(race.sides.size(), 2U);
    EXPECT_EQ(race.sides[0].line, 4U);
    EXPECT_EQ(race.sides[0].column, 5U);
    EXPECT_EQ(race.sides[0].text, "    buf[i] = i + 10;");
    EXPECT_EQ(race.sides[0].does, "writes");
    EXPECT_EQ(race.sides[0].item, 1U);
    EXPECT_EQ(race.sides[0].value, "11");
    EXPECT_EQ(race.sides[1].line, 6U);
    EXPECT_EQ(race.sides[1].does, "reads");
    EXPECT_EQ(race.sides[1].item, 0U);
    EXPECT_EQ(race.object, "buf");
    EXPECT_EQ(race.index, 1U);
    EXPECT_THAT(race.hint,
                HasSubstr("barrier(CLK_LOCAL_MEM_FENCE) stand between line 4 and line 6"));
}

TEST(Hazards, LockstepHidesARaceAndIsSaidTo) {
    const std::vector<Hazard> found = hazards_in(neighbours(""), in_order(), 4);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].kinds, ElementsAre("RAW"));
    EXPECT_THAT(found[0].could, ElementsAre("WAR"));
    EXPECT_FALSE(found[0].shown);
    EXPECT_THAT(found[0].why, HasSubstr("lockstep"));
    EXPECT_THAT(hazards_in(neighbours(""), in_order(), 2)[0].why, Not(HasSubstr("lockstep")));
}

TEST(Hazards, ABarrierOrdersWhatItsFenceNames) {
    EXPECT_TRUE(hazards_in(neighbours("barrier(CLK_LOCAL_MEM_FENCE);")).empty());
    const std::vector<Hazard> found = hazards_in(neighbours("barrier(CLK_GLOBAL_MEM_FENCE);"));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].why, HasSubstr("does not name local memory"));
    EXPECT_THAT(found[0].hint, HasSubstr("Add CLK_LOCAL_MEM_FENCE"));
}

Example sum_of_groups() {
    return {
        "kernel void k(global int* acc)\n{\n    if (get_local_id(0) == 0)\n"
        "        acc[0] += get_group_id(0) + 1;\n}\n",
        8,
        2,
        {{100}}};
}

TEST(Hazards, ALineThatRacesWithItselfIsAnUpdate) {
    // Each group reads and writes back before the next reads.
    const std::vector<Hazard> one_by_one = hazards_in(sum_of_groups(), in_order());
    ASSERT_EQ(one_by_one.size(), 1U);
    EXPECT_TRUE(one_by_one[0].update);
    EXPECT_TRUE(one_by_one[0].across_groups);
    EXPECT_FALSE(one_by_one[0].shown);
    EXPECT_EQ(one_by_one[0].sides[0].line, one_by_one[0].sides[1].line);
    EXPECT_THAT(one_by_one[0].what, HasSubstr("before the next one read"));

    const std::vector<Hazard> together =
        hazards_in(sum_of_groups(), machine::order_of(Order::Kind::round_robin));
    ASSERT_EQ(together.size(), 1U);
    EXPECT_TRUE(together[0].update);
    EXPECT_TRUE(together[0].shown);
    EXPECT_THAT(together[0].what, HasSubstr("knows nothing of it"));
    EXPECT_THAT(together[0].hint, HasSubstr("atomic"));
    EXPECT_THAT(together[0].hint, Not(HasSubstr("barrier(")));
}

// Where all add the same, the second write leaves what is there already: lost it is all the same.
TEST(Hazards, AnUpdateByTheSameValueIsOneToo) {
    const Example count{"kernel void k(global int* a)\n{\n    a[0] += 1;\n}\n", 2, 1, {{0}}};
    const std::vector<Hazard> found =
        hazards_in(count, machine::order_of(Order::Kind::round_robin), 1);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].update);
    EXPECT_TRUE(found[0].shown);
    EXPECT_EQ(found[0].severity, Hazard::Severity::race);
    EXPECT_THAT(found[0].hint, HasSubstr("atomic"));
}

TEST(Hazards, AcrossGroupsNoBarrierIsAdvised) {
    // Group 1 reads what group 0 writes; with a barrier, which is of no use.
    const Example example{
        "kernel void k(global int* data)\n{\n    const int g = get_group_id(0);\n"
        "    if (g == 0) data[0] = 5;\n    barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "    if (g == 1) data[1] = data[0];\n}\n",
        2,
        1,
        {{1, 2}}};
    for (const bool early : {false, true}) {
        // The barrier and the read of group 1 before all of group 0, or after it.
        const auto found =
            hazards_in(example, early ? list({{1, 0, 2, 0}}) : list({{0, 0, 2, 0}}), 1);
        ASSERT_EQ(found.size(), 1U);
        EXPECT_TRUE(found[0].across_groups);
        EXPECT_THAT(found[0].kinds, ElementsAre(early ? "WAR" : "RAW"));
        EXPECT_EQ(found[0].shown, early);
        EXPECT_EQ(found[0].sides[0].line, 4U);
        EXPECT_EQ(found[0].sides[1].value, early ? "1" : "5");
        EXPECT_THAT(found[0].hint, Not(HasSubstr("barrier(")));
        EXPECT_THAT(found[0].hint, HasSubstr("second launch"));
    }
}

TEST(Hazards, WritingWhatIsThereAlreadyIsANote) {
    const Example same{"kernel void k(global int* flag) { flag[0] = 1; }", 4, 4, {{1}}};
    const std::vector<Hazard> found = hazards_in(same);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Hazard::Severity::note);
    EXPECT_EQ(found[0].note, "same value");
    EXPECT_EQ(races_in(found), 0U);
    const Example other{
        "kernel void k(global int* flag) { flag[0] = get_local_id(0); }", 4, 4, {{1}}};
    const std::vector<Hazard> race = hazards_in(other);
    ASSERT_EQ(race.size(), 1U);
    EXPECT_THAT(race[0].kinds, ElementsAre("WAW"));
    EXPECT_EQ(races_in(race), 1U);
    EXPECT_EQ(race[0].hint, "Let one work-item write it");
}

// The last group by ticket reads what all have left.
Example ticket(const std::string& taken, const std::string& before_reading) {
    return {
        "kernel void k(global int* parts, volatile global int* done, global int* out)\n{\n"
        "    local int last;\n"
        "    parts[get_global_id(0)] = get_global_id(0);\n    barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "    if (get_local_id(0) == 0) last = " +
            taken + " == 3;\n    " + before_reading +
            "\n    if (!last) return;\n"
            "    int sum = 0;\n    for (int i = 0; i < 8; ++i) sum += parts[i];\n"
            "    if (get_local_id(0) == 0) out[0] = sum;\n}\n",
        8,
        2,
        {{}, {0}, {}},
        8};
}

TEST(Hazards, ATicketHandsOver) {
    const std::string both = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);";
    for (const auto& order : {in_order(), machine::order_of(Order::Kind::random, 3)}) {
        const std::vector<Hazard> found = hazards_in(ticket("atomic_inc(done)", both), order, 1);
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(found[0].note, kOrderedByAtomics);
        EXPECT_TRUE(found[0].across_groups);
        EXPECT_EQ(races_in(found), 0U);
    }
    // Item 1 learns of it by a barrier that orders global memory, or not at all.
    const std::vector<Hazard> found =
        hazards_in(ticket("atomic_inc(done)", "barrier(CLK_LOCAL_MEM_FENCE);"), in_order(), 1);
    EXPECT_EQ(races_in(found), 1U);
    // A ticket drawn plainly hands nothing over.
    const std::vector<Hazard> plain = hazards_in(ticket("done[0]++", both), in_order(), 1);
    EXPECT_GE(races_in(plain), 2U);
}

TEST(Hazards, AHandOverGoesOnThroughOthers) {
    // Group 0 tells group 1 by one counter, group 1 tells group 2 by another.
    const auto chain_with = [](const std::string& fence) {
        return Example{
            "kernel void k(global int* x, volatile global int* c)\n{\n"
            "    const int g = get_group_id(0);\n    if (g == 0) { x[0] = 7; " +
                fence + " atomic_inc(c); }\n    if (g == 1) { atomic_inc(c); " + fence +
                " atomic_inc(c + 1); }\n    if (g == 2) { atomic_inc(c + 1); " + fence +
                " x[1] = x[0]; }\n}\n",
            3,
            1,
            {{1, 2}, {0, 0}}};
    };
    for (const char* none : {"", "mem_fence(CLK_LOCAL_MEM_FENCE);"})
        EXPECT_EQ(races_in(hazards_in(chain_with(none), in_order(), 1)), 1U);
    const Example chain = chain_with("mem_fence(CLK_GLOBAL_MEM_FENCE);");
    const std::vector<Hazard> found = hazards_in(chain, in_order(), 1);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].note, kOrderedByAtomics);
    // Where group 2 draws before group 1 it knows nothing.
    EXPECT_EQ(races_in(hazards_in(chain, list({{0, 0, 2, 0}, {2, 0, 2, 0}}), 1)), 1U);
}

TEST(Hazards, WhatHappensBeforeTheAtomicIsHandedOverAndNoMore) {
    const Example late{
        "kernel void k(global int* x, volatile global int* c)\n{\n"
        "    if (get_group_id(0) == 0) { atomic_inc(c); x[0] = 7; }\n"
        "    else { atomic_inc(c); x[1] = x[0]; }\n}\n",
        2,
        1,
        {{1, 2}, {0}}};
    EXPECT_EQ(races_in(hazards_in(late, in_order(), 1)), 1U);
}

// Of three readers two hand over; the one between them does not.
TEST(Hazards, AReaderThatHandsNothingOverIsFoundAmongThoseThatDo) {
    const Example reads{
        "kernel void k(global int* x, volatile global int* c, global int* out)\n{\n"
        "    const int i = get_local_id(0);\n    if (i < 3) out[i] = x[0];\n"
        "    if (i == 0 || i == 2) { mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_inc(c); }\n"
        "    if (i == 3) { while (atomic_or(c, 0) != 2);\n"
        "        mem_fence(CLK_GLOBAL_MEM_FENCE); x[0] = 9; }\n}\n",
        4,
        4,
        {{1}, {0}, {}}};
    for (const std::uint32_t lanes : {1U, 4U}) {
        const std::vector<Hazard> found = hazards_in(reads, in_order(), lanes);
        ASSERT_EQ(races_in(found), 1U) << lanes;
        EXPECT_EQ(found[0].sides[0].item, 1U);
        EXPECT_EQ(found[0].sides[1].item, 3U);
        EXPECT_EQ(found.size(), 2U);  // and the note on the two
    }
}

TEST(Hazards, APlainWriteAfterOnesOwnAtomicMeetsTheOthersAtomic) {
    // The last by ticket makes the counter ready again: it knows of all tickets.
    const Example ticket{
        "kernel void k(volatile global int* c) {\n    if (atomic_inc(c) == 1) {\n"
        "        mem_fence(CLK_GLOBAL_MEM_FENCE); *c = 0; } }",
        2,
        1,
        {{0}}};
    // Whoever is item 1 does, be it first or last.
    const Example blind{
        "kernel void k(volatile global int* c) { atomic_inc(c);\n"
        "    if (get_global_id(0) == 1) *c = 0; }",
        2,
        1,
        {{0}}};
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const Order order = machine::order_of(Order::Kind::random, seed);
        const std::vector<Hazard> found = hazards_in(ticket, order, 1);
        ASSERT_EQ(found.size(), 1U) << seed;
        EXPECT_EQ(found[0].note, kOrderedByAtomics);
        EXPECT_FALSE(hazards_in(blind, order, 1).empty()) << seed;
    }
    EXPECT_EQ(races_in(hazards_in(blind, list({{1, 0, 2, 0}}), 1)), 1U);
}

TEST(Hazards, APlainReadOfWhatAtomicsChangeIsARace) {
    const Example poll{
        "kernel void k(volatile global int* c)\n{\n"
        "    if (get_group_id(0) == 0) atomic_inc(c);\n    else while (*c == 0);\n}\n",
        2,
        1,
        {{0}}};
    const std::vector<Hazard> found = hazards_in(poll, {}, 1);
    ASSERT_EQ(races_in(found), 1U);
    EXPECT_THAT(found[0].hint, HasSubstr("atomic_or"));
    EXPECT_FALSE(found[0].shown);
}

// The store meets the atomics of three work-items, though its own has come after it.
TEST(Hazards, WhatAnAccessOfOnesOwnFollowsIsNotForgotten) {
    const Example store{
        "kernel void k(volatile global int* p)\n{\n    if (get_local_id(0) == 0) *p = 0;\n"
        "    atomic_dec(p);\n}\n",
        4,
        4,
        {{9}}};
    const std::vector<Hazard> found = hazards_in(store, {}, 4);
    ASSERT_EQ(races_in(found), 1U);
    EXPECT_EQ(found[0].sides[0].line, 3U);
    EXPECT_EQ(found[0].sides[1].line, 4U);
    EXPECT_EQ(found[0].lockstep_lanes, 4U);
    EXPECT_EQ(found[0].hidden, "hidden here by lockstep (4 lanes)");
    EXPECT_FALSE(found[0].shown);
}

TEST(Hazards, AnAtomicOrdersNothingWithoutFences) {
    const Example last{
        "kernel void k(volatile global int* p, global int* x)\n{\n    atomic_inc(p);\n"
        "    if (get_global_id(0) == 1) *x = *p;\n}\n",
        2,
        1,
        {{0}, {}}};
    const std::vector<Hazard> found = hazards_in(last, in_order(), 1);
    ASSERT_EQ(races_in(found), 1U);
    EXPECT_EQ(found[0].note, "");
    // Item 1 first: it misses what item 0 adds.
    const std::vector<Hazard> early = hazards_in(last, list({{1, 0, 3, 0}}), 1);
    ASSERT_EQ(races_in(early), 1U);
    EXPECT_TRUE(early[0].shown);
    EXPECT_THAT(early[0].what, HasSubstr("too early and took 1"));
}

TEST(Hazards, ACompareExchangeThatFailsReads) {
    const auto beside = [](const std::string& access) {
        return Example{
            "kernel void k(volatile global int* p, global int* x)\n{\n"
            "    if (get_group_id(0) == 0) atomic_cmpxchg(p, 5, 6);\n    else " +
                access + "\n}\n",
            2,
            1,
            {{0}, {}}};
    };
    for (const std::uint32_t lanes : {1U, 4U}) {
        EXPECT_TRUE(hazards_in(beside("*x = *p;"), in_order(), lanes).empty());
        const std::vector<Hazard> found = hazards_in(beside("*p = 1;"), in_order(), lanes);
        ASSERT_EQ(races_in(found), 1U);
        EXPECT_EQ(found[0].sides[0].does, "reads atomically");
        Example succeeds = beside("*x = *p;");
        succeeds.buffers[0] = {5};
        EXPECT_EQ(races_in(hazards_in(succeeds, in_order(), lanes)), 1U);
    }
}

TEST(Hazards, InALoopTheBarrierBelongsAtTheEndOfATurn) {
    const Example tree{
        "kernel void k(local int* buf)\n{\n    const int i = get_local_id(0);\n    buf[i] = i;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    for (int w = 4; w > 0; w /= 2) {\n"
        "        if (i < w) buf[i] += buf[i + w];\n    }\n}\n",
        8,
        8,
        {},
        4,
        {8}};
    const std::vector<Hazard> found =
        hazards_in(tree, machine::order_of(Order::Kind::random, 1), 1);
    ASSERT_EQ(races_in(found), 1U);
    EXPECT_FALSE(found[0].update);
    EXPECT_THAT(found[0].hint, HasSubstr("end of each turn"));
}

TEST(Hazards, ReadingWhatNobodyWroteIsOne) {
    const Example example{
        "kernel void k(global int* out, local int* buf)\n{\n"
        "    out[get_local_id(0)] = buf[get_local_id(0)];\n}\n",
        4,
        4,
        {{}},
        4,
        {4}};
    const std::vector<Hazard> found = hazards_in(example);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].kinds, ElementsAre("uninitialised"));
    EXPECT_EQ(found[0].sides[0].line, 3U);
    EXPECT_EQ(races_in(found), 1U);
}

TEST(Hazards, JsonReadsBack) {
    const std::vector<Hazard> found = hazards_in(sum_of_groups());
    const nlohmann::json json = found;
    EXPECT_EQ(nlohmann::json(json.get<std::vector<Hazard>>()), json);
}

}  // namespace
}  // namespace lab::analysis
