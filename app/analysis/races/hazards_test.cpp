#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "support/found_hazards.h"

namespace lab::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

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

TEST(Hazards, WritingTheSameValueIsARaceByTheLetter) {
    const Example same{"kernel void k(global int* flag) { flag[0] = 1; }", 4, 4, {{1}}};
    const std::vector<Hazard> found = hazards_in(same);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].note, kSameValue);
    EXPECT_FALSE(found[0].shown);
    EXPECT_EQ(races_in(found), 1U);
    EXPECT_THAT(found[0].what, HasSubstr("by the letter"));
    // What an atomic returns may differ, though it leaves the same value.
    const Example asked{
        "kernel void k(global int* flag, global int* out) {\n    const int g = get_global_id(0);\n"
        "    if (g == 0) flag[0] = 1;\n    else out[g] = atomic_or(flag, 0);\n}\n",
        4,
        4,
        {{0}, {}},
        4};
    const std::vector<Hazard> atomic = hazards_in(asked);
    ASSERT_EQ(races_in(atomic), 1U);
    EXPECT_EQ(atomic[0].note, "");
    const Example other{
        "kernel void k(global int* flag) { flag[0] = get_local_id(0); }", 4, 4, {{1}}};
    const std::vector<Hazard> race = hazards_in(other);
    ASSERT_EQ(race.size(), 1U);
    EXPECT_THAT(race[0].kinds, ElementsAre("WAW"));
    EXPECT_EQ(races_in(race), 1U);
    EXPECT_EQ(race[0].hint, "Let one work-item write it");
}

TEST(Hazards, BytesOfOneWordAreDifferentPlaces) {
    const auto bytes = [](const std::string& index) {
        return Example{"kernel void k(global int* x) {\n    ((global uchar*)x)[" + index +
                           "] = get_global_id(0);\n}\n",
                       4,
                       4,
                       {{0, 0}}};
    };
    EXPECT_TRUE(hazards_in(bytes("get_global_id(0)"), {}, 1).empty());
    EXPECT_EQ(races_in(hazards_in(bytes("get_global_id(0) / 2"), {}, 1)), 1U);
    // A store of the whole word meets each of them.
    const Example whole{
        "kernel void k(global int* x) {\n    const int i = get_global_id(0);\n"
        "    if (i == 3) x[0] = 5;\n    else ((global uchar*)x)[i] = i;\n}\n",
        4,
        4,
        {{0}}};
    EXPECT_EQ(races_in(hazards_in(whole, {}, 1)), 1U);
    // What another byte holds does not come between the two.
    const Example beside{
        "kernel void k(global int* x, global int* y) {\n    const int i = get_global_id(0);\n"
        "    global uchar* p = (global uchar*)x;\n    if (i == 0) p[0] = 7;\n"
        "    if (i == 1) p[1] = 8;\n    if (i == 2) y[0] = p[0];\n}\n",
        3,
        3,
        {{0}, {0}}};
    const std::vector<Hazard> found = hazards_in(beside, in_order(), 1);
    ASSERT_EQ(races_in(found), 1U);
    EXPECT_THAT(found[0].what, HasSubstr("the write came first"));
}

// However many others have been there, whom a barrier orders.
TEST(Hazards, NoAccessIsForgottenThatRaces) {
    const Example last{
        "kernel void k(global int* x, global int* out) {\n    const int v = x[0];\n"
        "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "    if (get_global_id(0) == get_global_size(0) - 1) x[0] = v + 1;\n"
        "    out[get_global_id(0)] = v;\n}\n",
        96,
        32,
        {{5}, {}},
        96};
    for (const std::uint32_t lanes : {1U, 4U, 32U})
        for (const Order::Kind kind : {Order::Kind::in_order, Order::Kind::round_robin})
            EXPECT_EQ(races_in(hazards_in(last, machine::order_of(kind), lanes)), 1U) << lanes;
    // The first of many readers in a group; all others hand over by atomics of their own.
    const Example first{
        "kernel void k(global int* x, volatile global int* c, global int* out) {\n"
        "    const int i = get_local_id(0), n = get_local_size(0);\n"
        "    if (i < n - 1) out[i] = x[0];\n    if (i > 0 && i < n - 1) {\n"
        "        mem_fence(CLK_GLOBAL_MEM_FENCE);\n        atomic_inc(c);\n    }\n"
        "    if (i == n - 1) {\n        while (atomic_or(c, 0) != n - 2);\n"
        "        mem_fence(CLK_GLOBAL_MEM_FENCE);\n        x[0] = 9;\n    }\n}\n",
        40,
        40,
        {{1}, {0}, {}},
        40};
    const std::vector<Hazard> found = hazards_in(first, in_order(), 1);
    ASSERT_EQ(races_in(found), 1U);
    EXPECT_EQ(found[0].sides[0].item, 0U);
}

// Very many places race: the list ends, and says so.
TEST(Hazards, ManyRacesAreBounded) {
    Example many{"kernel void k(global int* x) {\n", 4, 4, {std::vector<int>(16, 0)}};
    for (int i = 0; i < 3000; ++i)
        many.text += fmt::format("x[{}] = x[{}] + {};\n", i % 16, i * 7 % 16, i);
    many.text += "}\n";
    RaceDetector detector;
    machine::Recording recording;
    recording.trace = false;
    recording.observers.push_back(&detector);
    const auto run = play(machine::job_of(many, 1, 0), in_order(), recording);
    EXPECT_TRUE(detector.left_out());
    EXPECT_FALSE(detector.forgot());
    const std::vector<Hazard> found = hazards_of(run, detector);
    EXPECT_GT(found.size(), 100U);
    EXPECT_LE(found.size(), 1000U);
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
