#include "analysis/input_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/barriers.h"
#include "analysis/launch_guess.h"

namespace lab::analysis {
namespace {

using testing::ElementsAre;

RunSpec spec_for(const std::string& text, std::vector<std::string> arguments, std::uint64_t group) {
    catalogue::LaunchForm form;
    form.file = "k.cl";
    form.text = text;
    form.global = form.local = group;
    form.arguments = std::move(arguments);
    SimulatorOptions options;
    options.config.lanes = 1;
    options.config.resident = 0;
    options.order = machine::usual_order(options.config);
    const PlannedKernel planned = planned_kernel(form, options);
    return {planned.kernel, planned.shape, options};
}

// Each work-item clears the counter of its own number, and adds to that of its key.
const char* const kDigitCounts =
    "#define DIGITS 4\n"
    "kernel void digits(global const uint* keys, global uint* table, uint count) {\n"
    "    const uint i = get_global_id(0), me = get_local_id(0);\n"
    "    local uint bins[DIGITS];\n"
    "    if (me < DIGITS) bins[me] = 0;\n"
    "    atomic_add(&bins[keys[i] & (DIGITS - 1)], 1);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (me < DIGITS) table[get_group_id(0) * DIGITS + me] = bins[me];\n"
    "}\n";
// What item 0 writes in line 9, others still read in line 8.
const char* const kScaleByFirst =
    "kernel void scale(global const int* in, global int* out, local int* t) {\n"
    "    const uint me = get_local_id(0), L = get_local_size(0);\n"
    "    const int x = in[get_global_id(0)];\n"
    "    t[me] = x;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (me == 0)\n"
    "        for (uint i = 1; i < L; ++i) t[0] += t[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    const int y = x * t[0];\n"
    "    t[me] = y;\n"
    "    out[get_global_id(0)] = y;\n"
    "}\n";

const FoundNumbers* found_of(const InputSearchResult& result, ShapeVerdict verdict) {
    for (const FoundNumbers& each : result.found)
        if (each.judgement.verdict == verdict) return &each;
    return nullptr;
}

TEST(InputSearch, FindsTheNumbersThatRaceAndMakesThemSmall) {
    const RunSpec spec =
        spec_for(kDigitCounts, {"keys:uint[4]=0,1,2,3", "table:uint[4]", "count=4"}, 4);
    const InputSearchResult result = search_inputs(spec);
    EXPECT_TRUE(result.depends);
    EXPECT_FALSE(is_bad(result.given.verdict)) << name_of(result.given.verdict);
    const FoundNumbers* race = found_of(result, ShapeVerdict::race);
    ASSERT_NE(race, nullptr);
    EXPECT_THAT(race->numbers.front(), "0");
    EXPECT_LE(race->numbers.size(), 4U);
    EXPECT_NE(found_of(result, ShapeVerdict::several), nullptr);
    EXPECT_EQ(result.reached.lines, result.reached.all_lines);
    EXPECT_GT(result.reached.pairs, 1U);
}

TEST(InputSearch, SeveralResultsMayNeedOtherNumbersThanTheRace) {
    const RunSpec spec =
        spec_for(kScaleByFirst, {"in:int[2]=0", "out:int[2]", "t:local int[2]"}, 2);
    const InputSearchResult result = search_inputs(spec);
    EXPECT_EQ(result.given.verdict, ShapeVerdict::race);
    const FoundNumbers* several = found_of(result, ShapeVerdict::several);
    ASSERT_NE(several, nullptr);
    EXPECT_THAT(several->numbers, ElementsAre("0", "1"));
    EXPECT_FALSE(result.depends);
}

TEST(InputSearch, OnlyOneNumberMayBeAFault) {
    const RunSpec spec = spec_for(
        "kernel void k(global const int* in, global int* out) {\n"
        "    const uint i = get_global_id(0);\n"
        "    if (in[i] == -1) out[1000000] = 1;\n"
        "    out[i] = in[i];\n}\n",
        {"in:int[4]=1,1,1,1", "out:int[4]"}, 4);
    const InputSearchResult result = search_inputs(spec);
    const FoundNumbers* fault = found_of(result, ShapeVerdict::fault);
    ASSERT_NE(fault, nullptr);
    EXPECT_THAT(fault->numbers, testing::Contains("-1"));
    for (const std::string& each : fault->numbers)
        EXPECT_TRUE(each == "0" || each == "-1") << each;
}

SyncPoint::Need need_in(const BarrierReport& report, std::uint32_t line) {
    for (const SyncPoint& each : report.points)
        if (each.line == line) return each.need;
    ADD_FAILURE() << line;
    return SyncPoint::Need::unknown;
}

TEST(BarrierNeeds, AreNeededOrNot) {
    const RunSpec spec = spec_for(
        "kernel void k(volatile global const int* in, global int* out, local int* t, int n) {\n"
        "    const uint me = get_local_id(0);\n"
        "    t[me] = in[get_global_id(0)];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
        "    const int y = t[(me + 1) % get_local_size(0)];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (in[0] > 1000000)\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[get_global_id(0)] = y;\n"
        "}\n",
        {"in:int[4]=1,2,3,4", "out:int[4]", "t:local int[4]", "n=4"}, 4);
    const BarrierReport report = judge_barriers(shapes_for_barriers(spec));
    EXPECT_EQ(need_in(report, 1), SyncPoint::Need::orders_nothing);
    EXPECT_EQ(need_in(report, 4), SyncPoint::Need::needed);
    EXPECT_EQ(need_in(report, 6), SyncPoint::Need::not_needed);
    EXPECT_EQ(need_in(report, 8), SyncPoint::Need::not_reached);
    EXPECT_EQ(report.points[1].flags, "CLK_LOCAL_MEM_FENCE");
    EXPECT_EQ(report.points[1].without.verdict, ShapeVerdict::race);
    EXPECT_EQ(report.racy, 0U);
    EXPECT_FALSE(report.cure);
}

TEST(BarrierNeeds, ANameThatBeginsWithVolatileIsNone) {
    const RunSpec spec = spec_for(
        "kernel void k(global int* out) {\n"
        "    const int volatile_count = 1;\n"
        "    out[get_global_id(0)] = volatile_count;\n"
        "}\n",
        {"out:int[4]"}, 4);
    EXPECT_TRUE(judge_barriers({spec}).points.empty());
}

TEST(BarrierNeeds, VolatileIsListedWhereItIsInUse) {
    const RunSpec spec = spec_for(
        "#define V volatile\n"
        "#if 0\n"
        "kernel void old(volatile global int* out) {}\n"
        "#endif\n"
        "kernel void k(V global int* out) {\n"
        "    out[get_global_id(0)] = 1;\n"
        "}\n",
        {"out:int[4]"}, 4);
    const BarrierReport report = judge_barriers({spec});
    ASSERT_EQ(report.points.size(), 1U);
    EXPECT_EQ(need_in(report, 5), SyncPoint::Need::orders_nothing);
}

TEST(BarrierNeeds, AnAtomicIsNeededWhereWorkItemsMeet) {
    const RunSpec spec = spec_for(
        "kernel void k(global const int* in, global int* out, global int* mine) {\n"
        "    atomic_add(&out[0], in[get_global_id(0)]);\n"
        "    atomic_inc(&mine[get_global_id(0)]);\n"
        "}\n",
        {"in:int[4]=1,2,3,4", "out:int[1]=0", "mine:int[4]=0"}, 4);
    const BarrierReport report = judge_barriers(shapes_for_barriers(spec));
    EXPECT_EQ(need_in(report, 2), SyncPoint::Need::needed);
    EXPECT_EQ(need_in(report, 3), SyncPoint::Need::not_needed);
}

TEST(BarrierNeeds, TheOneThatIsMissingIsFound) {
    const RunSpec spec =
        spec_for(kScaleByFirst, {"in:int[2]=2,3", "out:int[2]", "t:local int[2]"}, 2);
    const BarrierReport report = judge_barriers(shapes_for_barriers(spec));
    EXPECT_GT(report.racy, 0U);
    ASSERT_TRUE(report.cure);
    EXPECT_EQ(report.cure->line, 10U);
    EXPECT_EQ(report.cure->call, "barrier(CLK_LOCAL_MEM_FENCE)");
    // Where there is a race already, one more would not show.
    EXPECT_EQ(need_in(report, 5), SyncPoint::Need::unknown);
    // Groups that meet are beyond any barrier.
    const catalogue::Catalogue all = catalogue::load_catalogue();
    RunSpec across{all.find("span-modulo"), {}, spec.machine};
    across.shape.set["BARRIER"] = "group";
    const BarrierReport none = judge_barriers(shapes_for_barriers(across));
    EXPECT_GT(none.racy, 0U);
    EXPECT_FALSE(none.cure);
    EXPECT_GT(none.places, 0U);
}

}  // namespace
}  // namespace lab::analysis
