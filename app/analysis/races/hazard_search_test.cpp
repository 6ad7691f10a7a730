#include "analysis/races/hazard_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/example_job.h"

namespace lab::analysis {
namespace {

using machine::Order;
using testing::ElementsAre;
using testing::HasSubstr;

HazardSearch search(const machine::Example& example, std::uint32_t lanes, Order order = {},
                    const HazardSearchOptions& options = {}) {
    return search_hazards(machine::job_of(example, lanes, 0), order, options);
}

const machine::Example kStoreAndAtomics{
    "kernel void k(volatile global int* p)\n{\n    if (get_local_id(0) == 0) *p = 0;\n"
    "    atomic_dec(p);\n}\n",
    4,
    4,
    {{9}}};

TEST(HazardSearch, LockstepHidesARaceThatFewerLanesShow) {
    const HazardSearch found = search(kStoreAndAtomics, 4);
    ASSERT_EQ(races_in(found.hazards), 1U);
    EXPECT_EQ(found.hazards[0].hidden,
              "hidden here by lockstep (4 lanes): with 2 lanes it shows (--order reversed)");
    EXPECT_TRUE(found.all_schedules);
    EXPECT_EQ(search(kStoreAndAtomics, 1).hazards[0].hidden, "");
    // Who writes last is the same under any lockstep.
    const machine::Example last{
        "kernel void k(global int* p)\n{\n    const int i = get_local_id(0);\n"
        "    p[0] = i;\n}\n",
        2,
        2,
        {{9}}};
    EXPECT_EQ(races_in(search(last, 2).hazards), 1U);
}

TEST(HazardSearch, SeveralSchedulesAreTriedAndNamed) {
    // Only who comes first writes plainly.
    const machine::Example first{
        "kernel void k(volatile global int* p, global int* x)\n{\n"
        "    const int g = get_group_id(0);\n"
        "    if (atomic_inc(p) == g) x[0] = g;\n}\n",
        2,
        1,
        {{0}, {5}}};
    const HazardSearch one =
        search(first, 1, machine::order_of(Order::Kind::reversed), {.others = false});
    EXPECT_EQ(races_in(one.hazards), 0U);
    EXPECT_THAT(one.schedules, ElementsAre("reversed"));
    EXPECT_FALSE(one.all_schedules);
    const HazardSearch all = search(first, 1, machine::order_of(Order::Kind::reversed));
    EXPECT_EQ(races_in(all.hazards), 1U);
    EXPECT_FALSE(all.hazards[0].here);
    EXPECT_EQ(all.hazards[0].schedule, "in-order");
    EXPECT_LT(all.hazards[0].schedules, all.schedules.size());
    EXPECT_THAT(all.schedules, ElementsAre("reversed", "in-order", "round-robin", "random:1",
                                           "random:2", "random:3", "random:4"));
}

TEST(HazardSearch, WhoAsksWhetherThereIsARaceNeedsTheFirstOnly) {
    const HazardSearch found = search(kStoreAndAtomics, 4, {}, {.first_race = true});
    EXPECT_EQ(races_in(found.hazards), 1U);
    EXPECT_EQ(found.schedules.size(), 1U);
}

TEST(HazardSearch, WhereNothingDependsOnDataOneScheduleSpeaksForAll) {
    const machine::Example tree{
        "kernel void k(global int* x, local int* b)\n{\n    const int i = get_local_id(0);\n"
        "    b[i] = x[i];\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    for (int w = 2; w > 0; w /= 2) {\n        if (i < w) b[i] += b[i + w];\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    if (i == 0) x[0] = b[0];\n}\n",
        4,
        4,
        {{1, 2, 3, 4}},
        4,
        {4}};
    const HazardSearch found = search(tree, 4);
    EXPECT_TRUE(found.hazards.empty());
    EXPECT_TRUE(found.all_schedules);
    EXPECT_EQ(found.schedules.size(), 1U);
    // An atomic decides who comes first, so other schedules may differ.
    const machine::Example ticket{
        "kernel void k(volatile global int* p, global int* x)\n{\n"
        "    const int g = get_group_id(0);\n    if (g == 0) x[0] = 1;\n"
        "    atomic_fetch_add((volatile global atomic_int*)p, 1);\n"
        "    if (g == 1) x[1] = x[0];\n}\n",
        2,
        1,
        {{0}, {5, 6}}};
    const HazardSearch handed = search(ticket, 1, machine::order_of(Order::Kind::in_order));
    EXPECT_FALSE(handed.all_schedules);
    ASSERT_EQ(races_in(handed.hazards), 1U);
    EXPECT_FALSE(handed.hazards[0].here);
    EXPECT_EQ(handed.hazards[0].schedule, "reversed");
}

TEST(HazardSearch, IndependentItemsAreTriedToo) {
    // In lockstep each lane draws its own number.
    const machine::Example draws{
        "kernel void k(volatile global int* p, global int* x)\n{\n"
        "    const int g = get_global_id(0);\n    if (atomic_inc(p) != g) x[0] = g;\n}\n",
        4,
        4,
        {{0}, {5}}};
    const HazardSearch found = search(draws, 4);
    EXPECT_GT(found.independent, 0U);
    ASSERT_EQ(races_in(found.hazards), 1U);
    EXPECT_TRUE(found.hazards[0].independent_only);
    EXPECT_FALSE(found.hazards[0].here);
    EXPECT_THAT(found.hazards[0].schedule, HasSubstr("--lanes 1"));
    EXPECT_EQ(search(draws, 1).independent, 0U);
    EXPECT_FALSE(search(draws, 1).hazards.at(0).independent_only);
    // In the window as well.
    const machine::Job job = machine::job_of(draws, 4, 0);
    std::uint64_t races = 0;
    for (const ScheduleHazards& each : hazards_elsewhere(job, {}))
        races += races_in(each.hazards);
    EXPECT_GT(races, 0U);
    // Where a kernel asks for its lanes, fewer of them are another shape.
    machine::Example asks = draws;
    asks.text =
        "kernel void k(volatile global int* p, global int* x)\n{\n"
        "    const int g = get_global_id(0);\n"
        "    if (atomic_inc(p) != g) x[0] = sub_group_reduce_add(g);\n}\n";
    EXPECT_EQ(search(asks, 4).independent, 0U);
}

TEST(HazardSearch, TheSameValueInOneScheduleMayDifferInAnother) {
    const machine::Example first{
        "kernel void k(global int* count, global int* x)\n{\n"
        "    const int t = atomic_inc(count);\n    x[0] = t == get_global_id(0);\n}\n",
        4,
        2,
        {{0}, {0}}};
    EXPECT_EQ(search(first, 1, machine::order_of(Order::Kind::in_order), {.others = false})
                  .hazards.at(0)
                  .note,
              kSameValue);
    for (const ExampleFrom from : {ExampleFrom::any_schedule, ExampleFrom::first_schedule}) {
        const machine::Job job = machine::job_of(first, 1, 0);
        std::vector<ScheduleHazards> all{
            {"in-order",
             search(first, 1, machine::order_of(Order::Kind::in_order), {.others = false}).hazards},
            {"reversed",
             search(first, 1, machine::order_of(Order::Kind::reversed), {.others = false})
                 .hazards}};
        for (const Hazard& each : merged(all, from))
            EXPECT_EQ(each.note, "");
    }
    EXPECT_EQ(search(first, 1).hazards.at(0).note, "");
}

TEST(HazardSearch, WhomABarrierOrdersMayDependOnData) {
    const machine::Example flags{
        "kernel void k(global int* flag, global int* out, local int* f)\n{\n"
        "    const int l = get_local_id(0), w = get_group_id(0);\n"
        "    if (l == 0) f[0] = w == 0 ? atomic_or(flag, 0) : CLK_GLOBAL_MEM_FENCE;\n"
        "    if (w == 1 && l == 0) atomic_xchg(flag, CLK_LOCAL_MEM_FENCE);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    out[get_global_id(0)] = l;\n"
        "    barrier(f[0]);\n    out[get_global_id(0) ^ 1] += 1;\n}\n",
        4,
        2,
        {{2}, {}},
        4,
        {1}};
    const HazardSearch found = search(flags, 1, machine::order_of(Order::Kind::in_order));
    EXPECT_FALSE(found.all_schedules);
    EXPECT_EQ(races_in(found.hazards), 1U);
}

TEST(HazardSearch, AFaultOfTheFirstScheduleEndsIt) {
    const machine::Example out{
        "kernel void k(global int* p) { p[get_global_id(0) * 9] = 1; }", 2, 1, {{0}}};
    const HazardSearch found = search(out, 1);
    ASSERT_TRUE(found.fault);
    EXPECT_THAT(found.fault->text(), HasSubstr("does not exist"));
    EXPECT_EQ(found.schedules.size(), 1U);
}

TEST(HazardSearch, BesideAPictureTheExampleIsOfItsRun) {
    const auto hazards = [](const char* order, bool shown) {
        ScheduleHazards schedule_hazards{order, std::vector<Hazard>(1)};
        schedule_hazards.hazards[0].sides.resize(2);
        schedule_hazards.hazards[0].shown = shown;
        return schedule_hazards;
    };
    const std::vector<ScheduleHazards> found{hazards("", false), hazards("reversed", true)};
    EXPECT_EQ(merged(found)[0].schedule, "reversed");
    EXPECT_TRUE(merged(found)[0].here);
    EXPECT_EQ(merged(found, ExampleFrom::first_schedule)[0].schedule, "");
    EXPECT_EQ(merged(found)[0].schedules, 2U);
}

}  // namespace
}  // namespace lab::analysis
