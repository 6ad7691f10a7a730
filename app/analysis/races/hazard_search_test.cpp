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
              "hidden here by lockstep (4 lanes): with 2 lanes it goes wrong (--order reversed)");
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
        "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n    atomic_inc(p);\n"
        "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n    if (g == 1) x[1] = x[0];\n}\n",
        2,
        1,
        {{0}, {5, 6}}};
    const HazardSearch handed = search(ticket, 1, machine::order_of(Order::Kind::in_order));
    EXPECT_FALSE(handed.all_schedules);
    ASSERT_EQ(races_in(handed.hazards), 1U);
    EXPECT_FALSE(handed.hazards[0].here);
    EXPECT_EQ(handed.hazards[0].schedule, "reversed");
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
