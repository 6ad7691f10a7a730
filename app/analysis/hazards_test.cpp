#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analysis/hazards.h"
#include "support/example_job.h"
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
    std::vector<machine::ScheduleSlice> turns{{0, 0, 1}};
    for (std::uint32_t group = 1; group < kGroups; ++group) {
        turns.push_back({group, 0, 1});
        turns.push_back({group, 1, 1});
    }
    const std::vector<Hazard> found = hazards_in(example, list(turns), 1, 2);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].count, kGroups);
}

// A value is not unwritten because its bytes look like it.
TEST(Hazards, AWrittenValueThatLooksUnwrittenIsNone) {
    const auto race_of = [](const char* second) {
        const Example example{fmt::format("kernel void k(global int* x, local int* b) {{\n"
                                          "    if (get_local_id(0) == 0) b[0] = 0xa5a5a5a5;\n"
                                          "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                          "    {}\n}}\n",
                                          second),
                              2,
                              2,
                              {std::vector<std::int32_t>(2)},
                              0,
                              {1}};
        return hazards_in(example, in_order(), 1);
    };
    std::vector<Hazard> found = race_of("if (get_local_id(0) == 1) b[0] = 3; else x[0] = b[0];");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].sides[1].value, "-1515870811");
    found = race_of("if (get_local_id(0) == 0) b[0] = 3; else x[0] = b[0];");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].sides[1].value, "3");
    EXPECT_THAT(found[0].what, testing::Not(HasSubstr("?")));
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
    EXPECT_EQ(race.sides[1].value, "?");  // as rows have it
    EXPECT_THAT(race.what, HasSubstr("read buf[1] too early and took ?, a stale value"));
    EXPECT_EQ(race.object, "buf");
    EXPECT_EQ(race.index, 1U);
    EXPECT_THAT(race.hint, HasSubstr("come to barrier(CLK_LOCAL_MEM_FENCE) between the two"));
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

// A work-group function parts two passes as a barrier does, and has no flags.
TEST(Hazards, AWorkGroupFunctionIsNoBarrier) {
    const std::vector<Hazard> found = hazards_in(neighbours("int sum = work_group_reduce_add(i);"));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].why, HasSubstr("work-group function between them"));
    EXPECT_THAT(found[0].hint, HasSubstr("come to barrier(CLK_LOCAL_MEM_FENCE) between the two"));
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
        hazards_in(sum_of_groups(), machine::order_of(SchedulingPolicy::Kind::round_robin));
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
        hazards_in(count, machine::order_of(SchedulingPolicy::Kind::round_robin), 1);
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
        for (const SchedulingPolicy::Kind kind :
             {SchedulingPolicy::Kind::in_order, SchedulingPolicy::Kind::round_robin})
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

TEST(Hazards, AnUpdateOfACellFromAnotherIsNoneOfOneCell) {
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
        hazards_in(tree, machine::order_of(SchedulingPolicy::Kind::random, 1), 1);
    ASSERT_EQ(races_in(found), 1U);
    EXPECT_FALSE(found[0].update);
}

// A line may read a cell and write it without writing back what it read.
TEST(Hazards, TwoAccessesOnOneLineAreNoUpdateUnlessOneDependsOnTheOther) {
    const auto race_of = [](const char* line) {
        const std::vector<Hazard> found =
            hazards_in({fmt::format("kernel void k(global int* a, global int* r)\n{{\n"
                                    "    int i = get_local_id(0);\n    {}\n}}\n",
                                    line),
                        4,
                        4,
                        {{100}, std::vector<std::int32_t>(4)}},
                       in_order(), 1);
        EXPECT_EQ(found.size(), 1U) << line;
        return found.at(0);
    };
    for (const char* line : {"if (i & 1) a[0] = i; else r[i] = a[0];",
                             "if (i & 1) r[i] = a[0]; else a[0] = i;", "a[0] = 5; r[i] = a[0];"}) {
        const Hazard race = race_of(line);
        EXPECT_FALSE(race.update) << line;
        EXPECT_THAT(race.hint, Not(HasSubstr("atomic"))) << line;
    }
    for (const char* line : {"a[0] += i;", "a[0] = a[0] + i;", "a[0] = max(a[0], i);",
                             "if (a[0] < 200 + i) a[0] = i;", "int v = a[0]; a[0] = v + 1;"}) {
        const Hazard race = race_of(line);
        EXPECT_TRUE(race.update) << line;
        EXPECT_THAT(race.hint, HasSubstr("Use an atomic function")) << line;
    }
}

// There are none of 16 bits in OpenCL, and few in CUDA.
TEST(Hazards, NoAtomicFunctionIsAdvisedForATypeThatHasNone) {
    const auto hint_of = [](const char* line, std::uint64_t group) {
        const std::vector<Hazard> found = hazards_in(
            {fmt::format("kernel void k(global int* a)\n{{\n    global ushort* s = (global "
                         "ushort*)a;\n    {}\n}}\n",
                         line),
             4,
             group,
             {{0}}},
            in_order(), 1);
        EXPECT_EQ(found.size(), 1U) << line;
        return found.at(0).hint;
    };
    EXPECT_THAT(hint_of("s[0] += 1;", 4), HasSubstr("take a type for the cell"));
    EXPECT_THAT(hint_of("s[0] += 1;", 1), HasSubstr("take a type for the cell"));
    EXPECT_EQ(hint_of("s[0] = 1;", 1), "Let one work-item write it");
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
    EXPECT_EQ(races_in(found), 0U);
    EXPECT_EQ(count_of(found, Hazard::Severity::uninitialised), 1U);
}

TEST(Hazards, AnAtomicThatOnlyStoresReadsNothing) {
    const auto reads_after = [](const char* first) {
        const Example example{
            fmt::format("kernel void k(global int* out, volatile local int* b) {{\n"
                        "    if (get_local_id(0) == 0) {};\n"
                        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                        "    out[get_local_id(0)] = b[0];\n}}\n",
                        first),
            2,
            2,
            {{}},
            2,
            {1}};
        return count_of(hazards_in(example), Hazard::Severity::uninitialised);
    };
    EXPECT_EQ(reads_after("atomic_store((volatile local atomic_int*)b, 1)"), 0U);
    EXPECT_EQ(reads_after("atomic_store_explicit(b, 1, memory_order_release)"), 0U);
    EXPECT_EQ(reads_after("atomic_flag_clear((volatile local atomic_flag*)b)"), 0U);
    EXPECT_EQ(reads_after("atomic_xchg(b, 1)"), 0U);  // nobody uses what it finds
    EXPECT_EQ(reads_after("if (atomic_xchg(b, 1)) out[0] = 1"), 1U);
}

TEST(Hazards, JsonReadsBack) {
    const std::vector<Hazard> found = hazards_in(sum_of_groups());
    const nlohmann::json json = found;
    EXPECT_EQ(nlohmann::json(json.get<std::vector<Hazard>>()), json);
}

using machine::SchedulingPolicy;
using testing::ElementsAre;
using testing::HasSubstr;

HazardSearch search(const machine::Example& example, std::uint32_t lanes,
                    SchedulingPolicy order = {}, const HazardSearchOptions& options = {}) {
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
    // Who of one instruction writes last is open under any lockstep.
    const machine::Example last{
        "kernel void k(global int* p)\n{\n    const int i = get_local_id(0);\n"
        "    p[0] = i;\n}\n",
        2,
        2,
        {{9}}};
    const HazardSearch by_one = search(last, 2);
    ASSERT_EQ(races_in(by_one.hazards), 1U);
    EXPECT_EQ(by_one.hazards[0].hidden, "");
}

TEST(HazardSearch, SaysWhyAnotherScheduleStopped) {
    // Who comes second writes past the end.
    const machine::Example faults{
        "kernel void k(volatile global int* p, global int* x)\n{\n"
        "    const int g = get_group_id(0);\n"
        "    x[atomic_inc(p) == g ? g : 100] = 1;\n}\n",
        2,
        1,
        {{0}, {5, 6}}};
    const HazardSearch found = search(faults, 1);
    EXPECT_GT(found.unfinished, 0U);
    EXPECT_THAT(found.unfinished_why, HasSubstr("writes x[100], which does not exist"));
    EXPECT_THAT(found.unfinished_why, testing::StartsWith("--order "));
    EXPECT_TRUE(found.faults_elsewhere);
}

// An atomic that writes what it found has no value of its own that could stay.
TEST(HazardSearch, OfAnAtomicNoValueIsSaidToBeMeant) {
    const machine::Example reads{
        "kernel void k(global int* flag, global int* out)\n{\n"
        "    const int g = get_global_id(0);\n"
        "    if (g == 0) flag[0] = 1;\n    else out[g] = atomic_or(flag, 0);\n}\n",
        8,
        4,
        {{0}, {0, 0, 0, 0, 0, 0, 0, 0}}};
    const HazardSearch found = search(reads, 1);
    ASSERT_GT(races_in(found.hazards), 0U);
    for (const Hazard& each : found.hazards)
        EXPECT_THAT(each.what, testing::Not(HasSubstr("where the program intends"))) << each.what;
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
        search(first, 1, machine::order_of(SchedulingPolicy::Kind::reversed), {.others = false});
    EXPECT_EQ(races_in(one.hazards), 0U);
    EXPECT_THAT(one.schedules, ElementsAre("reversed"));
    EXPECT_FALSE(one.all_schedules);
    const HazardSearch all = search(first, 1, machine::order_of(SchedulingPolicy::Kind::reversed));
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
    const HazardSearch handed =
        search(ticket, 1, machine::order_of(SchedulingPolicy::Kind::in_order));
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
    EXPECT_EQ(
        search(first, 1, machine::order_of(SchedulingPolicy::Kind::in_order), {.others = false})
            .hazards.at(0)
            .note,
        kSameValue);
    for (const ExampleFrom from : {ExampleFrom::any_schedule, ExampleFrom::first_schedule}) {
        const machine::Job job = machine::job_of(first, 1, 0);
        std::vector<ScheduleHazards> all{
            {"in-order", search(first, 1, machine::order_of(SchedulingPolicy::Kind::in_order),
                                {.others = false})
                             .hazards},
            {"reversed", search(first, 1, machine::order_of(SchedulingPolicy::Kind::reversed),
                                {.others = false})
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
    const HazardSearch found =
        search(flags, 1, machine::order_of(SchedulingPolicy::Kind::in_order));
    EXPECT_FALSE(found.all_schedules);
    EXPECT_EQ(races_in(found.hazards), 1U);
}

TEST(HazardSearch, AFaultOfTheFirstScheduleIsSaid) {
    const machine::Example out{
        "kernel void k(global int* p) { p[get_global_id(0) * 9] = 1; }", 2, 1, {{0}}};
    const HazardSearch found = search(out, 1);
    ASSERT_TRUE(found.fault);
    EXPECT_THAT(found.fault->text(), HasSubstr("does not exist"));
    EXPECT_EQ(found.unfinished, found.schedules.size() - 1);
    EXPECT_EQ(search(out, 1, {}, {.first_race = true}).schedules.size(), 1U);
}

// In lockstep the lane with the lock waits for those without; its release orders nobody, either.
TEST(HazardSearch, AScheduleThatNeverEndsHidesNoRaceOfOthers) {
    const machine::Example lock{
        "kernel void k(volatile global int* lock, volatile global int* total)\n{\n"
        "    while (atomic_xchg(lock, 1))\n        ;\n    *total += 1;\n"
        "    atomic_xchg(lock, 0);\n}\n",
        4,
        4,
        {{0}, {0}}};
    const HazardSearch found = search(lock, 4);
    ASSERT_TRUE(found.fault);
    EXPECT_THAT(found.fault->text(), HasSubstr("has not ended"));
    ASSERT_EQ(races_in(found.hazards), 1U);
    EXPECT_EQ(found.hazards[0].sides[0].line, 5U);
    EXPECT_TRUE(found.hazards[0].independent_only);
    EXPECT_GT(found.unfinished, 0U);
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

// Races where atomics and fences order some accesses and not others.
namespace {

using testing::HasSubstr;

const std::string kFence =
    "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);";

// The last group by ticket reads what all have left.
Example ticket(const std::string& taken, const std::string& before_reading) {
    return {
        "kernel void k(global int* parts, volatile global int* done, global int* out)\n{\n"
        "    local int last;\n"
        "    parts[get_global_id(0)] = get_global_id(0);\n    barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "    if (get_local_id(0) == 0) { " +
            taken + " }\n    " + before_reading +
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
    const std::string fenced = kFence + " last = atomic_inc(done) == 3; " + kFence;
    const std::string ordered =
        "last = atomic_fetch_add_explicit((volatile global atomic_int*)done, 1, "
        "memory_order_acq_rel, memory_scope_device) == 3;";
    for (const std::string& taken : {fenced, ordered})
        for (const auto& order :
             {in_order(), machine::order_of(SchedulingPolicy::Kind::random, 3)}) {
            const std::vector<Hazard> found = hazards_in(ticket(taken, both), order, 1);
            ASSERT_EQ(found.size(), 1U);
            EXPECT_EQ(found[0].note, kOrderedByAtomics);
            EXPECT_TRUE(found[0].across_groups);
            EXPECT_THAT(found[0].hint,
                        HasSubstr(taken == fenced ? "Keep both fences"
                                                  : "Keep the orders of both atomics"));
            EXPECT_EQ(races_in(found), 0U);
        }
    // Item 1 learns of it by a barrier that orders global memory, or not at all.
    EXPECT_EQ(races_in(hazards_in(ticket(fenced, "barrier(CLK_LOCAL_MEM_FENCE);"), in_order(), 1)),
              1U);
    // A ticket drawn plainly hands nothing over.
    EXPECT_GE(races_in(hazards_in(ticket(kFence + " last = done[0]++ == 3; " + kFence, both),
                                  in_order(), 1)),
              2U);
    // A fence on one side only is none; nor is a barrier, whose fences are its group's.
    const std::string drawn = "last = atomic_inc(done) == 3; ";
    for (const std::string& taken : {kFence + drawn, drawn + kFence, drawn})
        EXPECT_EQ(races_in(hazards_in(ticket(taken, both), in_order(), 1)), 1U);
    // The fence of a kernel for 1.2 has the scope of its group, and so has the barrier.
    const std::vector<Hazard> narrow =
        hazards_in(ticket("mem_fence(CLK_GLOBAL_MEM_FENCE); " + drawn, both), in_order(), 1);
    ASSERT_EQ(races_in(narrow), 1U);
    EXPECT_THAT(narrow[0].why, HasSubstr("as mem_fence does by OpenCL 2.0 to 3.0"));
    EXPECT_THAT(narrow[0].why, HasSubstr("by 1.2 nothing does"));
    // A barrier of the device's scope releases what its own work-item did before it, no more.
    const std::string wide =
        "work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);";
    EXPECT_EQ(races_in(hazards_in(ticket(drawn, wide), in_order(), 1)), 1U);
}

TEST(Hazards, AFenceOfItsGroupOrdersNothingBetweenGroups) {
    const auto handed = [](const std::string& fence, std::uint64_t group) {
        return hazards_in({"kernel void k(global int* x, volatile global int* c)\n{\n"
                           "    if (get_global_id(0) == 0) { x[0] = 7; " +
                               fence + " atomic_inc(c); }\n    else if (atomic_or(c, 0) == 1) { " +
                               fence + " x[1] = x[0]; }\n}\n",
                           2,
                           group,
                           {{1, 2}, {0}}},
                          in_order(), 1);
    };
    for (const std::string narrow :
         {"mem_fence(CLK_GLOBAL_MEM_FENCE);",
          "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, "
          "memory_scope_work_group);"}) {
        const std::vector<Hazard> found = handed(narrow, 1);
        ASSERT_EQ(races_in(found), 1U);
        EXPECT_THAT(found[0].why, HasSubstr("scope of their group"));
        EXPECT_THAT(found[0].hint, HasSubstr("memory_scope_device"));
        EXPECT_EQ(races_in(handed(narrow, 2)), 0U);  // within one it does
    }
    EXPECT_EQ(races_in(handed(kFence, 1)), 0U);
    // Two independent items are two sub-groups.
    const std::string sub_group =
        "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, "
        "memory_scope_sub_group);";
    ASSERT_EQ(races_in(handed(sub_group, 2)), 1U);
    EXPECT_THAT(handed(sub_group, 2)[0].why, HasSubstr("same scope on both sides"));
}

TEST(Hazards, TwoAtomicsOfGroupScopeRaceBetweenGroups) {
    const auto count = [](const std::string& scope, std::uint64_t group) {
        return hazards_in({"kernel void k(global atomic_int* c)\n{\n"
                           "    atomic_fetch_add_explicit(c, 1, memory_order_relaxed, " +
                               scope + ");\n}\n",
                           2,
                           group,
                           {{0}}},
                          in_order(), 1);
    };
    const std::vector<Hazard> found = count("memory_scope_work_group", 1);
    ASSERT_EQ(races_in(found), 1U);
    EXPECT_THAT(found[0].why, HasSubstr("not for each other"));
    EXPECT_EQ(found[0].hint, "Give both memory_scope_device");
    EXPECT_TRUE(count("memory_scope_work_group", 2).empty());
    EXPECT_EQ(races_in(count("memory_scope_sub_group", 2)), 1U);
    for (const char* scope : {"memory_scope_device", "memory_scope_all_svm_devices"})
        EXPECT_TRUE(count(scope, 1).empty());
}

// C11, 5.1.2.4, paragraph 10.
TEST(Hazards, AStoreByAnotherEndsAReleaseSequence) {
    const auto then = [](const std::string& between, const std::string& own) {
        return hazards_in(
            {"kernel void k(global int* x, global atomic_int* f)\n{\n"
             "    const int g = get_group_id(0);\n    if (g == 0) {\n        x[0] = 7;\n"
             "        atomic_store_explicit(f, 1, memory_order_release, memory_scope_device);\n"
             "        " +
                 own + "\n    }\n    if (g == 1) { " + between +
                 " }\n    if (g == 2 && atomic_load_explicit(f, memory_order_acquire, "
                 "memory_scope_device) != 0) x[1] = x[0];\n}\n",
             3,
             1,
             {{1, 2}, {0}}},
            in_order(), 1);
    };
    const std::string store =
        "atomic_store_explicit(f, 2, memory_order_relaxed, memory_scope_device);";
    EXPECT_EQ(races_in(then("", "")), 0U);
    EXPECT_EQ(races_in(then(store, "")), 1U);
    EXPECT_EQ(races_in(then("", store)), 0U);  // by the same work-item
    EXPECT_EQ(
        races_in(then("atomic_fetch_add_explicit(f, 1, memory_order_relaxed, memory_scope_device);",
                      "")),
        0U);
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
    for (const char* none : {"", "mem_fence(CLK_GLOBAL_MEM_FENCE);",
                             "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, "
                             "memory_scope_device);"})
        EXPECT_EQ(races_in(hazards_in(chain_with(none), in_order(), 1)), 1U);
    const Example chain = chain_with(kFence);
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
    // The last by ticket makes the counter ready again: it knows of all tickets that were drawn
    // with a release. One before which a fence stands comes after that fence, and is not released.
    const auto reset = [](const std::string& draw) {
        return Example{"kernel void k(volatile global atomic_int* c) {\n    if (" + draw +
                           " == 1) {\n        " + kFence + " *(volatile global int*)c = 0; } }",
                       2,
                       1,
                       {{0}}};
    };
    const Example ticket =
        reset("atomic_fetch_add_explicit(c, 1, memory_order_release, memory_scope_device)");
    const Example relaxed =
        reset("atomic_fetch_add_explicit(c, 1, memory_order_relaxed, memory_scope_device)");
    // Whoever is item 1 does, be it first or last.
    const Example blind{
        "kernel void k(volatile global int* c) { atomic_inc(c);\n"
        "    if (get_global_id(0) == 1) *c = 0; }",
        2,
        1,
        {{0}}};
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const SchedulingPolicy order = machine::order_of(SchedulingPolicy::Kind::random, seed);
        const std::vector<Hazard> found = hazards_in(ticket, order, 1);
        ASSERT_EQ(found.size(), 1U) << seed;
        EXPECT_EQ(found[0].note, kOrderedByAtomics);
        EXPECT_EQ(races_in(hazards_in(relaxed, order, 1)), 1U) << seed;
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
TEST(Hazards, TheRequestedScheduleIsToldAsAWindowTellsIt) {
    using Kind = SchedulingPolicy::Kind;
    int otherwise = 0;  // told without what a window knows
    for (const std::uint64_t items : {8U, 16U, 32U})
        for (const std::uint32_t lanes : {1U, 4U})
            for (const Kind kind : {Kind::in_order, Kind::reversed, Kind::round_robin}) {
                const Example tree{
                    "kernel void f(global int* x)\n{\n    const int i = get_local_id(0);\n"
                    "    for (int s = get_local_size(0) / 2; s > 0; s /= 2)\n"
                    "        if (i < s) {\n            const int other = x[i + s];\n"
                    "            x[i] += other;\n        }\n}\n",
                    items,
                    items,
                    {std::vector<std::int32_t>(items, 1)}};
                RaceDetector detector;
                machine::Recording recording;
                recording.observers.push_back(&detector);
                const auto run =
                    play(machine::job_of(tree, lanes, 0), machine::order_of(kind), recording);
                const ShownRows shown(run);
                const auto sides = [](const std::vector<Hazard>& hazards) {
                    return nlohmann::json(hazards.at(0)).at("sides");
                };
                const nlohmann::json window = sides(hazards_of(run, detector, &shown));
                HazardSearchOptions one;
                one.others = false;
                EXPECT_EQ(sides(search(tree, lanes, machine::order_of(kind), one).hazards), window)
                    << items << " items, " << lanes << " lanes";
                otherwise += sides(hazards_of(run, detector)) != window ? 1 : 0;
            }
    EXPECT_GT(otherwise, 0);
}

// By OpenCL C 3.0, "OpenCL C 1.x Legacy Atomics", these have the scope of their group.
TEST(Hazards, AtomicsOfOpenCL1BetweenGroupsAreSaid) {
    const auto said = [](const std::string& update, std::uint64_t local) {
        const HazardSearch found = search(
            {"kernel void f(global int* x, local int* b)\n{\n    if (get_local_id(0) == 0) b[0] = "
             "0;\n    barrier(CLK_LOCAL_MEM_FENCE);\n    " +
                 update + "\n}\n",
             4,
             local,
             {{0}},
             4,
             {1}},
            1);
        EXPECT_EQ(races_in(found.hazards), 0U) << update;
        return found.legacy_between_groups;
    };
    EXPECT_TRUE(said("atomic_inc(x);", 1));
    EXPECT_TRUE(said("atomic_or(x, 1);", 2));
    EXPECT_FALSE(said("atomic_inc(x);", 4));
    EXPECT_FALSE(said("atomic_inc(b);", 2));
    for (const char* other : {"memory_order_relaxed", "memory_order_seq_cst"})
        EXPECT_FALSE(
            said(fmt::format("atomic_fetch_add_explicit((volatile global atomic_int*)x, 1, "
                             "{}, memory_scope_device);",
                             other),
                 1));
}

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

// OpenCL C 2.0: the orders hand over, without any fence.
TEST(Hazards, MemoryOrdersHandOver) {
    const auto with = [](const std::string& store, const std::string& load) {
        return hazards_in(
            {"kernel void k(global int* x, global atomic_int* flag)\n{\n"
             "    if (get_group_id(0) == 0) {\n        x[0] = 7;\n        " +
                 store + "\n    } else if (" + load + ") {\n        x[1] = x[0];\n    }\n}\n",
             2,
             1,
             {{1, 2}, {0}}},
            in_order(), 1);
    };
    const std::string relaxed = "memory_order_relaxed, memory_scope_device)";
    const std::string store = "atomic_store_explicit(flag, 1, ",
                      load = "atomic_load_explicit(flag, ";
    const std::string release = store + "memory_order_release, memory_scope_device);";
    const std::string acquire = load + "memory_order_acquire, memory_scope_device)";
    EXPECT_EQ(races_in(with(release, acquire)), 0U);
    EXPECT_EQ(with(release, acquire).at(0).note, kOrderedByAtomics);
    EXPECT_EQ(races_in(with("atomic_store(flag, 1);", "atomic_load(flag)")), 0U);
    EXPECT_EQ(races_in(with("atomic_fetch_add(flag, 1);", "atomic_exchange(flag, 2) == 1")), 0U);
    EXPECT_EQ(races_in(with(store + relaxed + ";", acquire)), 1U);
    EXPECT_EQ(races_in(with(release, load + relaxed)), 1U);
    const std::string fence =
        "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device); ";
    EXPECT_EQ(races_in(with(fence + store + relaxed + ";", acquire)), 0U);
    // A load that is atomic is no write; a plain one beside an atomic store is a race.
    EXPECT_EQ(races_in(with(release, "*flag")), 2U);
    EXPECT_EQ(races_in(with(store + "memory_order_release, memory_scope_work_group);",
                            load + "memory_order_acquire, memory_scope_work_group)")),
              2U);
}

// Of a compare-exchange that fails only the second order counts, in each scope.
TEST(Hazards, ACompareExchangeThatFailsHasTheOrderOfItsFailure) {
    for (const char* const scope : {"memory_scope_work_group", "memory_scope_device"})
        for (const char* const order : {"memory_order_relaxed", "memory_order_acquire"}) {
            const Example example{
                fmt::format(
                    "kernel void k(global int* x, global atomic_int* flag) {{\n"
                    "    if (get_local_id(0) == 0) {{\n        x[0] = 7;\n"
                    "        atomic_store_explicit(flag, 1, memory_order_release, {0});\n"
                    "    }} else {{\n        int expected = 0;\n"
                    "        atomic_compare_exchange_strong_explicit(flag, &expected, 2,\n"
                    "            memory_order_acquire, {1}, {0});\n        x[0] = 8;\n    }}\n}}\n",
                    scope, order),
                2,
                2,
                {{1, 2}, {0}}};
            EXPECT_EQ(races_in(hazards_in(example, in_order(), 1)),
                      std::string_view(order) == "memory_order_relaxed" ? 1U : 0U)
                << scope << ' ' << order;
        }
}

// One turn of many schedules comes to the store: a search finds it by the result.
TEST(Hazards, ARaceOfANarrowScheduleIsFoundByItsResult) {
    const Example example{
        "kernel void k(global int* x, global int* at) {\n"
        "    if (get_global_id(0) == 0) {\n"
        "        x[0] = 1;\n"
        "        for (int i = 0; i < 9; ++i) atomic_inc(at);\n"
        "    } else {\n"
        "        const int a = atomic_or(at, 0), b = atomic_or(at, 0), c = atomic_or(at, 0);\n"
        "        if (a == 0 && b == 4 && c == 9) x[0] = 2;\n"
        "    }\n}\n",
        2,
        2,
        {{0}, {0}}};
    for (const std::uint32_t lanes : {1U, 2U}) {
        const machine::Job job = machine::job_of(example, lanes, 0);
        const HazardSearch found = search_hazards(job, machine::usual_order(job.config));
        ASSERT_EQ(races_in(found.hazards), 1U) << lanes;
        const Hazard& race = found.hazards.front();
        EXPECT_EQ(race.sides.front().line + race.sides.back().line, 10U);
        EXPECT_TRUE(race.schedule.starts_with("turns:")) << race.schedule;
        EXPECT_EQ(race.independent_only, lanes > 1);
        // As it is told it can be done again.
        const std::string turns = race.schedule.substr(0, race.schedule.find(" --lanes"));
        EXPECT_EQ(races_in(hazards_in(example, machine::parse_order(turns), 1)), 1U);
    }
}

TEST(Hazards, ASubGroupBarrierOrdersItsSubGroup) {
    const Example neighbour = neighbours("sub_group_barrier(CLK_LOCAL_MEM_FENCE);");
    EXPECT_TRUE(hazards_in(neighbour, {}, 4).empty());
    EXPECT_EQ(races_in(hazards_in(neighbour, {}, 2)), 1U);
    EXPECT_EQ(races_in(hazards_in(neighbours("sub_group_barrier(CLK_GLOBAL_MEM_FENCE);"), {}, 4)),
              1U);
}

}  // namespace

// Asynchronous copies and who touches their memory meanwhile.
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Four items; `t` is local. Lines 4 and 6 are around the copy in line 5, line 8 behind the wait.
Example copy_with(const std::string& before, const std::string& between, const std::string& after) {
    return {
        "kernel void k(global int* in, global int* out, local int* t)\n{\n"
        "    const int i = get_local_id(0);\n    " +
            before + "\n    event_t e = async_work_group_copy(t, in, 4, 0);\n    " + between +
            "\n    wait_group_events(1, &e);\n    " + after + "\n}\n",
        4,
        4,
        {{1, 2, 3, 4}, {}},
        4,
        {8}};
}

std::vector<Hazard> without_unwritten(std::vector<Hazard> found) {
    std::erase_if(found, [](const Hazard& each) {
        return each.kinds == std::vector<std::string>{"uninitialised"};
    });
    return found;
}

std::vector<Hazard> hazards_with(const std::string& before, const std::string& between,
                                 const std::string& after, std::uint32_t lanes = 4) {
    return without_unwritten(hazards_in(copy_with(before, between, after), in_order(), lanes));
}

// What a group wrote before it, one of them hands over to another group.
TEST(Hazards, ABarrierOfCudaOrdersThoseWhoHaveNotEnded) {
    const auto kernel = [](const std::string& barrier) {
        return Example{
            "//! cuda\n__global__ void k(int* d, int* f) {\n"
            "  const int l = threadIdx.x; if (l == 3) return;\n"
            "  if (blockIdx.x == 0) d[l] = 1; " +
                barrier +
                "\n  if (blockIdx.x == 0 && l == 0) { __threadfence(); atomicExch(f, 1); }\n"
                "  if (blockIdx.x == 1 && l == 0 && atomicAdd(f, 0) == 1) {\n"
                "    __threadfence(); d[3] = d[1]; } }\n",
            8,
            4,
            {{0, 0, 0, 0}, {0}}};
    };
    const auto races = [&](const std::string& barrier) {
        const std::vector<Hazard> found = hazards_in(kernel(barrier), in_order(), 1);
        return std::count_if(found.begin(), found.end(), [](const Hazard& each) {
            return each.severity == Hazard::Severity::race;
        });
    };
    EXPECT_EQ(races("__syncthreads();"), 0);
    EXPECT_EQ(races(""), 1);
}

// Of one size and one scope in OpenCL; in CUDA it is enough that each scope includes the other.
TEST(Hazards, AStaticVariableIsSharedByAllGroups) {
    const std::vector<Hazard> found =
        hazards_in({"//! cuda\n__global__ void k(int* d) { static int n; n = n + 1; d[blockIdx.x] "
                    "= n; }\n",
                    2,
                    1,
                    {std::vector<std::int32_t>(2)},
                    0,
                    {}},
                   in_order(), 1);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].object, "k::n");
    EXPECT_TRUE(found[0].across_groups);
}

TEST(Hazards, AtomicsAreIndivisibleForEachOtherWhereTheirSizesAndScopesFit) {
    const auto races = [](const std::string& text) {
        return races_in(hazards_in({text, 2, 2, {{0, 0}}}, in_order(), 1));
    };
    const std::string kernel = "kernel void k(global int* d) { if (get_local_id(0) == 0) ";
    EXPECT_EQ(races(kernel + "atomic_inc(d); else atomic_inc(d); }"), 0U);
    EXPECT_EQ(races("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n" + kernel +
                    "atomic_inc(d); else atom_inc((global long*)d); }"),
              1U);
    const auto scopes = [&](const char* one, const char* other) {
        const auto store = [](const char* scope) {
            return fmt::format(
                "atomic_store_explicit((global atomic_int*)d, 1, "
                "memory_order_relaxed, memory_scope_{}); ",
                scope);
        };
        return races(kernel + store(one) + "else " + store(other) + "}");
    };
    EXPECT_EQ(scopes("work_group", "work_group"), 0U);
    EXPECT_EQ(scopes("device", "work_group"), 1U);
    const std::string cuda = "//! cuda\n__global__ void k(int* d) { if (threadIdx.x == 0) ";
    EXPECT_EQ(races(cuda + "atomicExch(d, 1); else atomicExch_block(d, 2); }"), 0U);
}

// In CUDA an atomic of the device goes with those of its own block, and races with a block's of
// another one, in whatever order they came, and however many came since.
TEST(Hazards, AnAtomicOfABlockThatIsLongAgoRacesWithOneOfTheDevice) {
    for (std::uint64_t seed = 1; seed <= 64; ++seed) {
        const std::vector<Hazard> found =
            hazards_in({"//! cuda\n__global__ void k(int* d)\n{\n"
                        "    if (blockIdx.x == 0 || threadIdx.x == 0) atomicAdd_block(d, 1);\n"
                        "    if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd(d, 1);\n}\n",
                        64,
                        32,
                        {{0}}},
                       machine::order_of(SchedulingPolicy::Kind::random, seed), 1);
        EXPECT_EQ(races_in(found), 2U) << seed;
    }
}

// Those of a block order and exclude nobody in another; all others do.
TEST(Hazards, FencesAndAtomicsOfCudaReachAsFarAsTheirNamesSay) {
    const auto races = [](const char* name, const char* end, std::uint64_t group) {
        const bool fences = std::string_view(name) == "__threadfence";
        const std::string call = fmt::format("{}{}{}", name, end, fences ? "();" : "(d, 1);");
        const char* index = group == 1 ? "blockIdx.x" : "threadIdx.x";
        const std::string text =
            fences ? fmt::format(
                         "if ({0} == 0) {{ d[0] = 7; {1} atomicExch(f, 1); }}\n"
                         "  else if (atomicAdd(f, 0) == 1) {{ {1} d[1] = d[0]; }}",
                         index, call)
                   : call;
        return races_in(
            hazards_in({fmt::format("//! cuda\n__global__ void k(int* d, int* f) {{ {} }}\n", text),
                        2,
                        group,
                        {{0, 0}, {0}}},
                       in_order(), 1));
    };
    for (const char* name : {"__threadfence", "atomicAdd", "atomicExch", "atomicMax"}) {
        EXPECT_EQ(races(name, "", 1), 0U) << name;
        EXPECT_EQ(races(name, "_system", 1), 0U) << name;
        EXPECT_EQ(races(name, "_block", 2), 0U) << name;
        EXPECT_EQ(races(name, "_block", 1), 1U) << name;
    }
    // Nor do fences of the device hand over by them.
    const auto handed = [](const char* by, std::uint64_t group) {
        const char* index = group == 1 ? "blockIdx.x" : "threadIdx.x";
        return races_in(hazards_in(
            {fmt::format(
                 "//! cuda\n__global__ void k(int* d, int* f) {{\n"
                 "  if ({0} == 0) {{ d[0] = 7; __threadfence();\n    atomicExch{1}(f, 1); }}\n"
                 "  else if (atomicAdd(f, 0) == 1) {{ __threadfence();\n    d[1] = d[0]; }}}}\n",
                 index, by),
             2,
             group,
             {{0, 0}, {0}}},
            in_order(), 1));
    };
    EXPECT_EQ(handed("", 1), 0U);
    EXPECT_EQ(handed("_block", 2), 0U);
    EXPECT_EQ(handed("_block", 1), 2U);
}

// Only a warp's barrier orders its lanes, and only of those that its mask names.
TEST(Hazards, ABarrierOfAWarpOrdersItsLanes) {
    const auto races = [](const char* between) {
        return races_in(hazards_in(
            {fmt::format("//! cuda\n__global__ void k(int* d) {{ const int l = threadIdx.x;\n"
                         "  d[l] = l; {} d[4 + l] = d[l ^ 1]; }}\n",
                         between),
             4,
             4,
             {{0, 0, 0, 0, 0, 0, 0, 0}}},
            in_order(), 4));
    };
    EXPECT_EQ(races("__syncwarp();"), 0U);
    EXPECT_EQ(races("if (l < 2) __syncwarp(3); else __syncwarp(12);"), 0U);
    EXPECT_EQ(races("__syncthreads();"), 0U);
    EXPECT_EQ(races(""), 1U);
}

// They are barriers: of what they order there is no note, and no atomic that could go another way.
TEST(Hazards, ABarrierOfSomeLanesIsABarrier) {
    const auto search_with = [](const std::string& between, const char* read) {
        return search({"//! cuda\n#include <cooperative_groups.h>\n"
                       "namespace cg = cooperative_groups;\n"
                       "__global__ void k(int* d, int* f) {\n  const int l = threadIdx.x;\n"
                       "  d[l] = l; " +
                           between + " d[4 + l] = d[" + read + "]; }\n",
                       4,
                       4,
                       {{0, 0, 0, 0, 0, 0, 0, 0}, {0}}},
                      4);
    };
    const std::string masks = "if (l < 2) __syncwarp(3); else __syncwarp(12);";
    for (const char* each : {"", "atomicAdd(f, 1); __threadfence(); "}) {
        const std::string beside = each;
        const HazardSearch two = search_with(beside + masks, "l ^ 1");
        EXPECT_TRUE(two.hazards.empty()) << beside;
        EXPECT_TRUE(two.all_schedules) << beside;
        // Who is there may be others elsewhere.
        const HazardSearch there = search_with(
            beside + "if (l < 2) cg::coalesced_threads().sync(); else __syncwarp(12);", "l ^ 1");
        EXPECT_TRUE(there.hazards.empty()) << beside;
        EXPECT_FALSE(there.all_schedules) << beside;
        const HazardSearch all = search_with(beside + "__syncwarp(__activemask());", "l ^ 3");
        EXPECT_TRUE(all.hazards.empty()) << beside;
        EXPECT_FALSE(all.all_schedules) << beside;
    }
    const char* tiles = "cg::tiled_partition<2>(cg::this_thread_block()).sync();";
    for (const std::string& each :
         {masks, std::string("__syncwarp(l < 2 ? 3 : 12);"), std::string(tiles)}) {
        EXPECT_EQ(races_in(search_with(each, "l ^ 1").hazards), 0U) << each;
        for (const char* read : {"l ^ 2", "l < 2 ? l : 1"}) {  // both ways, and one
            const std::vector<Hazard> found = search_with(each, read).hazards;
            ASSERT_EQ(races_in(found), 1U) << each << read;
            EXPECT_THAT(found[0].why, HasSubstr("No barrier that both come to"));
        }
    }
}

// The letter is that of C++; docs/machine.md has what PTX adds.
TEST(Hazards, IdiomsOfCudaAreJudgedByTheLetterOfCpp) {
    const auto races = [](const char* text, std::uint64_t group) {
        std::uint64_t most = 0;
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            const std::vector<Hazard> found = hazards_in(
                {fmt::format("//! cuda\n__device__ unsigned count;\n"
                             "__global__ void k(volatile int* d, int* f) {{\n"
                             "  __shared__ bool last; const int t = threadIdx.x;\n{}\n}}\n",
                             text),
                 4,
                 group,
                 {{0, 0, 0, 0, 0}, {0, 0}}},
                machine::order_of(SchedulingPolicy::Kind::random, seed), 1);
            most = std::max(most, races_in(found));
        }
        return most;
    };
    const auto message = [&](const char* set, const char* look) {
        return races(fmt::format("  if (blockIdx.x == 0) {{ d[0] = 7; __threadfence(); {} }}\n"
                                 "  else if (blockIdx.x == 1) {{ while ({} == 0);\n"
                                 "    __threadfence(); d[1] = d[0]; }}",
                                 set, look)
                         .c_str(),
                     1);
    };
    EXPECT_EQ(message("atomicExch(f, 1);", "atomicAdd(f, 0)"), 0U);
    EXPECT_EQ(message("d[2] = 1;", "d[2]"), 2U);  // volatile
    const auto last_block = [&](const char* behind_atomic, const char* behind_barrier) {
        return races(fmt::format("  d[blockIdx.x * 2 + t] = t; __threadfence(); __syncthreads();\n"
                                 "  if (t == 0) {{ last = atomicInc(&count, 1) == 1; {} }}\n"
                                 "  __syncthreads(); if (!last) return; {}\n"
                                 "  if (t == 1) d[4] = d[0] + d[2];",
                                 behind_atomic, behind_barrier)
                         .c_str(),
                     2);
    };
    EXPECT_EQ(last_block("", ""), 1U);
    EXPECT_EQ(last_block("__threadfence();", ""), 0U);
    EXPECT_EQ(last_block("", "__threadfence();"), 1U);
    EXPECT_EQ(races("  int* mine = f + blockIdx.x % 2; atomicExch(mine, 1); __threadfence();\n"
                    "  d[blockIdx.x] = atomicAdd(f + 1 - blockIdx.x % 2, 0);",
                    1),
              0U);
}

// What ordered two accesses is said as it is.
TEST(Hazards, WhatHandsOverIsNamed) {
    const auto note = [](const std::string& set, const std::string& look, const char* behind = "") {
        const std::vector<Hazard> found =
            hazards_in({"kernel void k(global int* x, global atomic_int* flag)\n{\n"
                        "    if (get_group_id(0) == 0) { x[0] = 7; " +
                            set + " }\n    else { int seen = " + look + "; " + behind +
                            " if (seen) x[1] = x[0]; }\n}\n",
                        2,
                        1,
                        {{1, 2}, {0}}},
                       in_order(), 1);
        EXPECT_EQ(found.size(), 1U) << set;
        if (found.empty()) return Hazard();
        EXPECT_EQ(found[0].note, kOrderedByAtomics) << set;
        return found[0];
    };
    const auto call = [](const char* name, const char* order) {
        return fmt::format("atomic_{}_explicit(flag, {}memory_order_{}, memory_scope_device)", name,
                           name[0] == 's' ? "1, " : "", order);
    };
    const Hazard orders = note(call("store", "release") + ";", call("load", "acquire"));
    EXPECT_EQ(orders.what,
              "An atomic that releases and one that acquires ordered the two in this run");
    EXPECT_THAT(orders.hint, HasSubstr("Keep the orders of both atomics"));
    const Hazard fences =
        note(kFence + call("store", "relaxed") + ";", call("load", "relaxed"), kFence.c_str());
    EXPECT_EQ(fences.what, "Atomics with a fence on either side ordered the two in this run");
    EXPECT_THAT(fences.hint, HasSubstr("Keep both fences"));
    const Hazard both = note(kFence + call("store", "relaxed") + ";", call("load", "acquire"));
    EXPECT_THAT(both.what, HasSubstr("with their own memory orders, with fences"));
    const char* wide = "work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device); ";
    const Hazard barriers =
        note(wide + call("store", "relaxed") + ";", call("load", "relaxed"), wide);
    EXPECT_THAT(barriers.what, HasSubstr("barriers of a wider scope"));
    EXPECT_EQ(barriers.hint, "Keep the scope of both barriers: without it this is a race");
}

// Each memory has an order of its own: who hands over has to name that of the data.
TEST(Hazards, AFlagInTheOtherMemoryIsExplained) {
    const auto found = [](const char* flag, const std::string& before, const std::string& behind,
                          const char* order = "relaxed") {
        return hazards_in(
            {fmt::format("kernel void k(global int* x, global atomic_int* far) {{\n"
                         "    local atomic_int near; const int i = get_local_id(0);\n"
                         "    if (i == 0) atomic_init(&near, 0);\n"
                         "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                         "    if (i == 0) {{ x[0] = 7; {1}\n"
                         "        atomic_store_explicit({0}, 1, memory_order_{3}, "
                         "memory_scope_work_group); }}\n"
                         "    else {{ int seen = atomic_load_explicit({0}, memory_order_{4}, "
                         "memory_scope_work_group);\n        {2} if (seen) x[1] = x[0]; }}\n}}\n",
                         flag, before, behind, order,
                         std::string_view(order) == "release" ? "acquire" : order),
             2,
             2,
             {{1, 2}, {0}}},
            in_order(), 1);
    };
    const auto fence = [](const char* flags) {
        return fmt::format(
            "atomic_work_item_fence({}, memory_order_acq_rel, memory_scope_work_group);", flags);
    };
    const std::vector<Hazard> near = found("&near", "", "", "release");
    ASSERT_EQ(races_in(near), 1U);
    EXPECT_THAT(near[0].why, HasSubstr("are in local memory: they order global memory only by"));
    EXPECT_THAT(near[0].hint, HasSubstr("CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"));
    EXPECT_EQ(races_in(found("&near", "", "", "seq_cst")), 0U);
    const std::string both = fence("CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE");
    EXPECT_EQ(races_in(found("&near", both, both)), 0U);
    const std::string global = fence("CLK_GLOBAL_MEM_FENCE"), local = fence("CLK_LOCAL_MEM_FENCE");
    EXPECT_THAT(found("&near", global, global).at(0).why, HasSubstr("are in local memory"));
    EXPECT_EQ(races_in(found("far", global, global)), 0U);
    const std::vector<Hazard> other = found("far", local, local);
    ASSERT_EQ(races_in(other), 1U);
    EXPECT_EQ(other[0].why, "The fences that hand over do not name global memory");
    EXPECT_EQ(other[0].hint, "Add CLK_GLOBAL_MEM_FENCE to the flags of the fences");
}

// Of a plain access beside an atomic one.
TEST(Hazards, HintsNameFunctionsThatTakeTheType) {
    const auto hint = [](const std::string& kernel, const std::string& update,
                         const std::string& plain) {
        const std::vector<Hazard> found = hazards_in(
            {kernel + " if (" + (kernel.starts_with("//") ? "threadIdx.x" : "get_local_id(0)") +
                 " == 0) " + update + " else " + plain + " }\n",
             2,
             2,
             {{0, 0}, {0, 0}}},
            in_order(), 1);
        EXPECT_EQ(races_in(found), 1U) << kernel << update;
        return found.empty() ? std::string() : found[0].hint;
    };
    const auto opencl = [&](const char* type, const char* update, const char* plain) {
        return hint(fmt::format("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                                "kernel void k(volatile global {0}* p, global {0}* x) {{",
                                type),
                    update, plain);
    };
    EXPECT_THAT(opencl("int", "atomic_inc(p);", "x[0] = p[0];"),
                testing::EndsWith("by atomic_or(p, 0)"));
    EXPECT_THAT(opencl("uint", "atomic_inc(p);", "p[0] = 2;"),
                testing::EndsWith("by atomic_xchg(p, value)"));
    EXPECT_THAT(opencl("long", "atom_inc(p);", "x[0] = p[0];"),
                testing::EndsWith("by atom_or(p, 0)"));
    EXPECT_THAT(opencl("ulong", "atom_inc(p);", "p[0] = 2;"),
                testing::EndsWith("by atom_xchg(p, value)"));
    EXPECT_THAT(opencl("float", "atomic_xchg(p, 1.0f);", "x[0] = p[0];"),
                testing::EndsWith("by as_float(atomic_or((volatile global int*)p, 0))"));
    EXPECT_THAT(opencl("float", "atomic_xchg(p, 1.0f);", "p[0] = 2;"),
                testing::EndsWith("by atomic_xchg(p, value)"));
    const char* of_two = "kernel void k(global atomic_int* p, global int* x) {";
    EXPECT_THAT(hint(of_two, "x[0] = atomic_load(p);", "atomic_init(p, 2);"),
                testing::EndsWith("by atomic_store(p, value)"));
    EXPECT_THAT(hint(of_two, "atomic_store(p, 1);", "x[0] = *(global int*)p;"),
                testing::EndsWith("by atomic_load(p)"));
    const auto cuda = [&](const char* type, const char* update, const char* plain) {
        return hint(fmt::format("//! cuda\n__global__ void k({0}* p, {0}* x) {{", type), update,
                    plain);
    };
    EXPECT_THAT(cuda("int", "atomicAdd(p, 1);", "x[0] = p[0];"),
                testing::EndsWith("by atomicOr(p, 0)"));
    EXPECT_THAT(cuda("float", "atomicAdd(p, 1);", "x[0] = p[0];"),
                testing::EndsWith("by atomicAdd(p, 0)"));
    EXPECT_THAT(cuda("float", "atomicAdd(p, 1);", "p[0] = 2;"),
                testing::EndsWith("by atomicExch(p, value)"));
    EXPECT_THAT(cuda("double", "atomicAdd(p, 1);", "p[0] = 2;"),
                testing::EndsWith("by store(value) of a cuda::atomic_ref"));
    EXPECT_THAT(cuda("long long", "atomicMax(p, 1LL);", "x[0] = p[0];"),
                testing::EndsWith("by load() of a cuda::atomic_ref"));
    const std::vector<Hazard> sizes =
        hazards_in({"//! cuda\n__global__ void k(int* d) { if (threadIdx.x == 0) atomicAdd(d, 1);\n"
                    "  else atomicAdd((unsigned long long*)d, 1ull); }",
                    2,
                    2,
                    {{0, 0}}},
                   in_order(), 1);
    ASSERT_EQ(races_in(sizes), 1U);
    EXPECT_EQ(sizes[0].hint, "Give both one size");
}

// A variable that is no array has no index, and one of arrays several.
TEST(Hazards, ACellIsNamedAsTheTextNamesIt) {
    const auto cell = [](const char* declared, const char* outside, const char* access) {
        const std::vector<Hazard> found =
            hazards_in({fmt::format("{}\nkernel void k(global int* x) {{ {}\n"
                                    "    {} = get_local_id(0); }}\n",
                                    outside, declared, access),
                        2,
                        2,
                        {{0, 0, 0}}},
                       in_order(), 1);
        EXPECT_EQ(races_in(found), 1U) << access;
        return found.empty() ? std::string() : found[0].cell;
    };
    EXPECT_EQ(cell("", "global int c;", "c"), "c");
    EXPECT_EQ(cell("local int sum;", "", "sum"), "sum");
    EXPECT_EQ(cell("local int s[1];", "", "s[0]"), "s[0]");
    EXPECT_EQ(cell("", "", "x[0]"), "x[0]");
    EXPECT_EQ(cell("local int t[3][2][4];", "", "t[2][1][3]"), "t[2][1][3]");
    const char* pair = "typedef struct { int sum; int n[2]; } pair;";
    EXPECT_EQ(cell("local pair pairs[4];", pair, "pairs[3].sum"), "pairs[3].sum");
    EXPECT_EQ(cell("local pair pairs[4];", pair, "pairs[1].n[1]"), "pairs[1].n[1]");
    EXPECT_EQ(cell("local pair one;", pair, "one.n[0]"), "one.n[0]");
    EXPECT_EQ(cell("", pair, "((global pair*)x)[0].n[0]"), "x[1]");
    const char* mixed =
        "struct M { char tag; int sum; float4 v[2]; union { int a; float b; } u; };";
    EXPECT_EQ(cell("local struct M m[2][3];", mixed, "m[1][2].sum"), "m[1][2].sum");
    EXPECT_EQ(cell("local struct M m[2];", mixed, "m[1].v[1].z"), "m[1].v[1].z");
    EXPECT_EQ(cell("local struct M m[2];", mixed, "m[1].u.a"), "m[1].u");
    EXPECT_EQ(cell("local int4 v[3];", "", "v[2].y"), "v[2].y");
    EXPECT_EQ(cell("local int8 v;", "", "v.s6"), "v.s6");
    EXPECT_EQ(cell("", "global struct { int a, b; } both;", "both.b"), "both.b");
}

// CUDA has one order for all memory, and its scopes need only include each other's thread.
TEST(Hazards, AFlagOfCudaHandsOverDataOfAnyMemory) {
    // Thread 0 of a block tells all others, and they tell what they saw.
    const auto races = [](std::string_view flag, std::string_view set, std::string_view look,
                          std::uint64_t group) {
        return races_in(
            hazards_in({fmt::format("//! cuda\n#include <cuda/atomic>\nusing namespace cuda;\n"
                                    "__global__ void k(int* data, int* flags) {{\n"
                                    "  __shared__ int near, own; const bool first = {} == 0;\n"
                                    "  if (threadIdx.x == 0) near = own = 0; __syncthreads();\n"
                                    "  int& flag = {};\n"
                                    "  if (first) {{ data[0] = own = 7; {} }}\n"
                                    "  else {{ {} data[1 + blockIdx.x] = data[0] + {}; }} }}\n",
                                    group == 1 ? "blockIdx.x" : "threadIdx.x", flag, set, look,
                                    group == 1 ? "1" : "own"),
                        2,
                        group,
                        {{1, 2, 3}, {0}}},
                       in_order(), 1));
    };
    const auto set = [](const char* order, const char* scope) {
        return fmt::format("atomic_ref<int, thread_scope_{}>(flag).store(1, memory_order_{});",
                           scope, order);
    };
    const auto look = [](const char* order, const char* scope) {
        return fmt::format(
            "if (atomic_ref<int, thread_scope_{}>(flag).load(memory_order_{}) == 0) return;", scope,
            order);
    };
    for (const char* flag : {"near", "flags[0]"}) {
        for (const char* one : {"block", "device", "system"})
            for (const char* other : {"block", "device"})
                EXPECT_EQ(races(flag, set("release", one), look("acquire", other), 2), 0U)
                    << flag << one << other;
        EXPECT_EQ(races(flag, set("relaxed", "block"), look("acquire", "block"), 2), 1U);
        EXPECT_EQ(races(flag, set("release", "block"), look("relaxed", "block"), 2), 1U);
        EXPECT_EQ(races(flag, "__threadfence(); " + set("relaxed", "block"),
                        look("relaxed", "device") + " __threadfence_block();", 2),
                  0U);
    }
    // Between two blocks the block's scope is too narrow, on either side.
    const auto between = [&](const char* one, const char* other) {
        return races("flags[0]", set("release", one), look("acquire", other), 1);
    };
    EXPECT_EQ(between("device", "system"), 0U);
    EXPECT_GE(between("block", "device"), 1U);
    EXPECT_GE(between("device", "block"), 1U);
}

// Of its own shared memory a block hears by another one, too, in which nobody sees it.
TEST(Hazards, SharedMemoryOfCudaIsHandedOverByWayOfAnotherBlock) {
    const auto races = [](const char* fence) {
        return races_in(hazards_in(
            {fmt::format("//! cuda\n__global__ void k(int* f, int* out) {{\n"
                         "  __shared__ int s; const int t = threadIdx.x;\n"
                         "  if (t == 0) s = 0; __syncthreads();\n"
                         "  if (blockIdx.x == 0) {{\n"
                         "    if (t == 0) {{ s = 7; __threadfence(); atomicExch(f, 1); }}\n"
                         "    else {{ while (atomicAdd(f + 1, 0) != 1); __threadfence();\n"
                         "           out[0] = s; }}\n"
                         "  }} else if (t == 0) {{\n"
                         "    while (atomicAdd(f, 0) != 1); {}\n"
                         "    atomicExch(f + 1, 1); }} }}\n",
                         fence),
             4,
             2,
             {{0, 0}, {0}}},
            {}, 1));
    };
    EXPECT_EQ(races("__threadfence();"), 0U);
    EXPECT_EQ(races(""), 1U);
}

// The order of a compare-exchange that fails is its own: it acquires, or it does not.
TEST(Hazards, ACompareExchangeThatFailsHasAnOrderOfItsOwn) {
    const auto races = [](const char* orders) {
        return races_in(
            hazards_in({fmt::format("//! cuda\n#include <cuda/atomic>\nusing namespace cuda;\n"
                                    "__global__ void k(int* x, int* f) {{\n"
                                    "  atomic_ref<int> flag(f[0]); int was = 0;\n"
                                    "  if (threadIdx.x == 0) {{ x[0] = 7; flag.store(1); }}\n"
                                    "  else if (!flag.compare_exchange_strong(was, 2, {}))\n"
                                    "    x[1] = x[0]; }}\n",
                                    orders),
                        2,
                        2,
                        {{1, 2}, {0}}},
                       in_order(), 1));
    };
    for (const char* orders : {"memory_order_seq_cst", "memory_order_acq_rel",
                               "memory_order_acquire", "memory_order_relaxed, memory_order_acquire",
                               "memory_order_acq_rel, memory_order_seq_cst"})
        EXPECT_EQ(races(orders), 0U) << orders;
    for (const char* orders : {"memory_order_relaxed", "memory_order_release",
                               "memory_order_acq_rel, memory_order_relaxed"})
        EXPECT_EQ(races(orders), 1U) << orders;
}

// CUDA's barrier orders those who come to it.
TEST(Hazards, AThreadThatEndedBeforeABarrierIsSaid) {
    for (const std::uint32_t lanes : {1U, 4U, 8U})
        for (const char* leaves : {"", "if (t == 5) return;", "if (t >= 4) return;"}) {
            const HazardSearch found = search(
                {fmt::format("//! cuda\n__global__ void k(int* out) {{ __shared__ int s[8];\n"
                             "  const int t = threadIdx.x; s[t] = t; {}\n"
                             "  __syncthreads(); out[t] = s[7 - t]; }}\n",
                             leaves),
                 8,
                 8,
                 {std::vector<std::int32_t>(8)}},
                lanes);
            EXPECT_EQ(races_in(found.hazards), 0U) << lanes << leaves;
            EXPECT_TRUE(found.all_schedules) << lanes << leaves;
            EXPECT_EQ(found.ended_before_barrier, *leaves != 0) << lanes << leaves;
        }
}

// Where the text has a barrier of the grid, that is what is missing.
TEST(Hazards, ARaceOfBlocksNamesTheBarrierOfTheGrid) {
    const HazardSearch found =
        search({"//! cuda\n#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
                "__global__ void k(int* x) {\n"
                "  const int b = blockIdx.x; x[b] = b; cg::this_grid().sync();\n"
                "  x[b] += 1; x[2 + b] = x[1 - b]; }\n",
                2,
                1,
                {std::vector<std::int32_t>(4)}},
               1);
    ASSERT_EQ(races_in(found.hazards), 1U);
    EXPECT_EQ(found.hazards[0].why, "No barrier of the grid comes between the two");
    EXPECT_THAT(found.hazards[0].hint, HasSubstr("come to this_grid().sync() between the two"));
}

TEST(CopyHazards, NoneForWhoWaits) {
    for (const std::uint32_t lanes : {1U, 4U}) {
        EXPECT_TRUE(hazards_with("t[i + 4] = 1;", "out[i] = t[i + 4] + in[3 - i];",
                                 "out[i] = t[3 - i];", lanes)
                        .empty());
        EXPECT_TRUE(hazards_with("t[3 - i] = 1; barrier(CLK_LOCAL_MEM_FENCE);", "",
                                 "out[i] = t[3 - i];", lanes)
                        .empty());
    }
}

TEST(CopyHazards, WhoReadsTooEarlyTakesWhatWasThere) {
    const std::vector<Hazard> found = hazards_with("", "out[i] = t[3 - i];", "");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].kinds, ElementsAre("WAR"));
    EXPECT_THAT(found[0].could, ElementsAre("RAW"));
    EXPECT_TRUE(found[0].shown);
    EXPECT_TRUE(found[0].copy);
    ASSERT_EQ(found[0].sides.size(), 2U);
    EXPECT_EQ(found[0].sides[0].line, 5U);
    EXPECT_EQ(found[0].sides[0].does, "writes");
    EXPECT_EQ(found[0].sides[1].line, 6U);
    EXPECT_EQ(found[0].count, 4U);
    EXPECT_THAT(found[0].why, HasSubstr("until wait_group_events"));
    EXPECT_THAT(found[0].hint, HasSubstr("the copy of line 5 by wait_group_events"));
}

// A barrier does not wait for copies.
TEST(CopyHazards, ABarrierOrdersNoCopy) {
    const std::vector<Hazard> found =
        hazards_with("", "barrier(CLK_LOCAL_MEM_FENCE); out[i] = t[3 - i];", "");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].sides[0].line, 5U);
    EXPECT_EQ(found[0].sides[1].line, 6U);
}

TEST(CopyHazards, WritesBeforeAndWhileItIsDone) {
    // Whose elements it copies may have been written by others: a barrier is missing.
    std::vector<Hazard> found = hazards_with("in[i] = 9;", "", "out[i] = t[3 - i];");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].sides[0].line, 4U);
    EXPECT_EQ(found[0].sides[1].line, 5U);
    EXPECT_EQ(found[0].sides[1].does, "reads");
    EXPECT_THAT(found[0].hint, HasSubstr("barrier(CLK_GLOBAL_MEM_FENCE)"));
    // One that does not name the memory helps as little.
    EXPECT_EQ(hazards_with("in[i] = 9; barrier(CLK_LOCAL_MEM_FENCE);", "", "").size(), 1U);
    EXPECT_EQ(hazards_with("in[i] = 9; barrier(CLK_GLOBAL_MEM_FENCE);", "", "").size(), 0U);
    found = hazards_with("", "in[i] = 9;", "");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].kinds, ElementsAre("RAW"));
    EXPECT_EQ(found[0].sides[0].line, 5U);
    EXPECT_EQ(found[0].sides[1].line, 6U);
    EXPECT_TRUE(found[0].shown);
}

// What comes after the wait is ordered with the copy, but not with other work-items.
TEST(CopyHazards, TheWaitIsNoBarrier) {
    EXPECT_EQ(hazards_with("t[i + 4] = 1;", "", "out[i] = t[4 + (i + 1) % 4];", 1).size(), 1U);
}

TEST(CopyHazards, TwoCopiesAtOnceAndOneAfterTheOther) {
    const auto in_loop = [](const std::string& end) {
        return without_unwritten(
            hazards_in({"kernel void k(global int* in, global int* out, local int* t)\n{\n"
                        "    const int i = get_local_id(0);\n    int sum = 0;\n"
                        "    for (int k = 0; k < 3; ++k) {\n"
                        "        event_t e = async_work_group_copy(t, in + 4 * k, 4, 0);\n"
                        "        wait_group_events(1, &e);\n        sum += t[3 - i];\n        " +
                            end + "\n    }\n    out[i] = sum;\n}\n",
                        4,
                        4,
                        {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {}},
                        4,
                        {4}},
                       in_order(), 2));
    };
    EXPECT_TRUE(in_loop("barrier(CLK_LOCAL_MEM_FENCE);").empty());
    const std::vector<Hazard> found = in_loop("");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].sides[0].line, 8U);
    EXPECT_EQ(found[0].sides[1].line, 6U);  // of the next turn

    const std::vector<Hazard> both = hazards_with(
        "", "event_t f = async_work_group_copy(t, in + 1, 2, 0); wait_group_events(1, &f);", "");
    ASSERT_EQ(both.size(), 1U);
    EXPECT_THAT(both[0].kinds, ElementsAre("WAW"));
    EXPECT_TRUE(hazards_with("event_t f = async_work_group_copy(t, in, 2, 0);"
                             "wait_group_events(1, &f);",
                             "", "")
                    .empty());
}

// Another group has nothing to wait for.
TEST(CopyHazards, AcrossGroups) {
    const std::vector<Hazard> found = without_unwritten(
        hazards_in({"kernel void k(global int* x, local int* t)\n{\n    t[get_local_id(0)] = 1;\n"
                    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                    "    if (get_group_id(0) == 0) {\n"
                    "        event_t e = async_work_group_copy(x, t, 4, 0);\n"
                    "        wait_group_events(1, &e);\n    } else\n"
                    "        t[get_local_id(0)] = x[get_local_id(0)];\n}\n",
                    8,
                    4,
                    {{1, 2, 3, 4}},
                    4,
                    {4}},
                   in_order(), 4));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].across_groups);
    EXPECT_EQ(found[0].sides[0].line, 6U);
    EXPECT_EQ(found[0].sides[1].line, 9U);
}

}  // namespace
}  // namespace lab::analysis
