#include "analysis/input_search.h"

#include <cstdlib>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analysis/barriers.h"
#include "analysis/launch_guess.h"

namespace lab::analysis {
namespace {

using testing::ElementsAre;

RunSpec spec_for(const std::string& text, std::vector<std::string> arguments, std::uint64_t group,
                 std::uint64_t groups = 1) {
    catalogue::LaunchForm form;
    form.file = "k.cl";
    form.text = text;
    form.global = groups * group;
    form.local = group;
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

catalogue::LaunchForm told(const char* text, std::uint64_t items,
                           std::vector<std::string> arguments) {
    catalogue::LaunchForm form;
    form.file = "k.cl";
    form.text = text;
    form.global = form.local = items;
    form.arguments = std::move(arguments);
    return form;
}
SimulatorOptions independent_items() {
    SimulatorOptions options;
    options.config.lanes = 1;
    options.config.resident = 0;
    options.order = machine::usual_order(options.config);
    return options;
}
InputSearchResult varied(const catalogue::LaunchForm& form) {
    return search_inputs({catalogue::kernel_of(form), {}, independent_items()});
}

const char* const kScatter =
    "kernel void k(global const int* a, global const int* b, global int* o, int c) {\n"
    "    const int g = get_global_id(0);\n"
    "    if (b[g] == c) o[0] = a[g]; else o[4 + g] = a[g]; }\n";

// A launch that is told stays: its lengths, its numbers, and what its buffers hold.
TEST(InputSearch, OfALaunchThatIsToldOnlyTheNumbersAreVaried) {
    const auto form =
        told(kScatter, 4, {"a:int[4]=5,6,7,8", "b:int[4]=9,1,0,2", "o:int[8]=0", "3"});
    const InputSearchResult result = varied(form);
    EXPECT_EQ(result.given.verdict, ShapeVerdict::one_result);
    EXPECT_THAT(result.varied, ElementsAre("a", "b"));
    const FoundNumbers* race = found_of(result, ShapeVerdict::race);
    ASSERT_NE(race, nullptr);
    EXPECT_THAT(race->arguments[0], testing::StartsWith("a:int[4]="));
    EXPECT_THAT(race->arguments[1], testing::StartsWith("b:int[4]="));
    EXPECT_EQ(race->arguments[2], "o:int[8]=0");
    EXPECT_EQ(race->arguments[3], "3");
    // The numbers of one buffer are not those of the other.
    EXPECT_NE(found_of(result, ShapeVerdict::several), nullptr);
    EXPECT_EQ(found_of(result, ShapeVerdict::fault), nullptr);
    catalogue::LaunchForm again = form;
    again.arguments = race->arguments;
    CodeCache codes;
    EXPECT_EQ(judge_shape({catalogue::kernel_of(again), {}, independent_items()}, codes).verdict,
              ShapeVerdict::race);
}

TEST(InputSearch, TheGuessedHeaderIsUsedWhereItComesToTheLaunch) {
    const auto as_told = [](const catalogue::LaunchForm& form) {
        return varies_as_told(planned_kernel(form, independent_items()), form, independent_items());
    };
    const std::vector<std::string> count{"keys:uint[4]=0,1,2,3", "table:uint[4]", "count=4"};
    EXPECT_TRUE(as_told(told(kDigitCounts, 4, count)));
    EXPECT_FALSE(as_told(told(kDigitCounts, 4, {count[0], "table:uint[16]", count[2]})));
    EXPECT_TRUE(as_told(told(kDigitCounts, 4, {count[0], count[1], "count=3"})));
    EXPECT_FALSE(
        as_told(told(kScatter, 4, {"a:int[4]=1,2,3,4", "b:int[4]=1,2,3,4", "o:int[8]", "77"})));
}

// Numbers of a type that the other buffer does not have.
TEST(InputSearch, BuffersMayBeOfSeveralTypes) {
    const InputSearchResult result = varied(
        told("kernel void k(global const float* x, global const int* to, global float* o) {\n"
             "    const int g = get_global_id(0);\n"
             "    if (x[g] == 0.5f) o[to[g] & 3] = x[g]; }\n",
             4, {"x:float[4]=1,2,3,4", "to:int[4]=0,1,2,3", "o:float[4]=0"}));
    EXPECT_THAT(result.varied, ElementsAre("x", "to"));
    EXPECT_NE(found_of(result, ShapeVerdict::race), nullptr);
    EXPECT_EQ(result.tried, 400U);
}

// A divisor that is 0 is neither an access nor a branch.
TEST(InputSearch, DivisorsDependOnNumbers) {
    const InputSearchResult result =
        varied(told("kernel void k(global const int* a, global int* o) {\n"
                    "    o[get_global_id(0)] = 100 / (a[get_global_id(0)] - 23456); }\n",
                    2, {"a:int[2]=1,2", "o:int[2]"}));
    EXPECT_TRUE(result.depends);
    EXPECT_EQ(result.tried, 400U);
}

TEST(InputSearch, LargeNumbersBecomeAsSmallAsTheyCan) {
    const InputSearchResult result =
        varied(told("kernel void k(global const int* x, global int* o) {\n"
                    "    o[x[get_global_id(0)] > 1000 ? 0 : 1 + get_global_id(0)] = 1; }\n",
                    2, {"x:int[2]=1,2", "o:int[3]"}));
    const FoundNumbers* race = found_of(result, ShapeVerdict::race);
    ASSERT_NE(race, nullptr);
    EXPECT_THAT(race->numbers, ElementsAre("1001", "1001"));
}

TEST(InputSearch, WithoutNumbersThereIsNothingToVary) {
    EXPECT_THROW(
        varied(told("kernel void k(global int* o) { o[get_global_id(0)] = 1; }", 2, {"o:int[2]"})),
        Problem);
}

const SyncPoint& point_in(const BarrierReport& report, std::uint32_t line) {
    static const SyncPoint kNone;
    for (const SyncPoint& each : report.points)
        if (each.line == line) return each;
    ADD_FAILURE() << line;
    return kNone;
}
SyncPoint::Need need_in(const BarrierReport& report, std::uint32_t line) {
    return point_in(report, line).need;
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

// Two groups of two, launched as it is told and in no other shape.
BarrierReport report_of_two_groups(std::string text, std::vector<std::string> arguments,
                                   std::uint32_t lanes = 1) {
    RunSpec spec;
    spec.kernel = catalogue::kernel_of(catalogue::LaunchForm{.file = "k.cl",
                                                             .text = std::move(text),
                                                             .kernel = "",
                                                             .defines = {},
                                                             .global = 4,
                                                             .local = 2,
                                                             .arguments = std::move(arguments)});
    spec.machine.config.lanes = lanes;
    spec.machine.config.resident = 0;
    spec.machine.order = machine::usual_order(spec.machine.config);
    const BarrierReport report = judge_barriers({spec});
    EXPECT_EQ(report.shapes, 1U);
    EXPECT_EQ(report.racy, 0U);
    return report;
}

TEST(BarrierNeeds, ABarrierOfTheDeviceMayBeOneOfTheGroup) {
    const BarrierReport report = report_of_two_groups(
        "kernel void k(global int* out, local int* t) {\n"
        "    t[get_local_id(0)] = get_global_id(0);\n"
        "    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);\n"
        "    out[get_global_id(0)] = t[(get_local_id(0) + 1) % get_local_size(0)];\n"
        "}\n",
        {"out:int[4]", "t:local:int[2]"});
    EXPECT_EQ(point_in(report, 3).need, SyncPoint::Need::needed);
    EXPECT_EQ(point_in(report, 3).flags, "CLK_LOCAL_MEM_FENCE");
    EXPECT_EQ(point_in(report, 3).scope, "memory_scope_work_group");
    EXPECT_FALSE(point_in(report, 3).together);
    const auto again = nlohmann::json(report).get<BarrierReport>();
    EXPECT_EQ(point_in(again, 3).scope, "memory_scope_work_group");
}

// One work-item of a group, or of all, hands over to the others. Scopes have to fit each other.
TEST(BarrierNeeds, ScopesAreNarrowerWhereAllOfThemAre) {
    const auto report_of = [](const char* whose, const char* give, const char* take) {
        return report_of_two_groups(
            fmt::format("kernel void k(global int* x, global atomic_int* flag) {{\n"
                        "    const size_t at = {};\n"
                        "    if (get_local_id(0) == 0 && get_group_id(0) == at) {{\n"
                        "        x[at] = 7;\n"
                        "{}\n"
                        "    }} else {{\n"
                        "{}\n"
                        "        x[2 + get_global_id(0)] = x[at];\n"
                        "    }}\n"
                        "}}\n",
                        whose, give, take),
            {"x:int[6]=0", "flag:int[2]=0"});
    };
    const char* const give =
        "atomic_store_explicit(&flag[at], 1, memory_order_release, memory_scope_device);";
    const char* const take =
        "if (!atomic_load_explicit(&flag[at], memory_order_acquire, memory_scope_device)) return;";
    const BarrierReport group = report_of("get_group_id(0)", give, take);
    for (const std::uint32_t line : {5U, 7U}) {
        EXPECT_EQ(point_in(group, line).need, SyncPoint::Need::needed);
        EXPECT_EQ(point_in(group, line).scope, "memory_scope_work_group") << line;
        EXPECT_TRUE(point_in(group, line).together) << line;
        EXPECT_EQ(point_in(report_of("0", give, take), line).scope, "") << line;
    }
    const BarrierReport fences = report_of(
        "get_group_id(0)",
        "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_release,"
        " memory_scope_work_group); atomic_store_explicit(&flag[at], 1, memory_order_relaxed,"
        " memory_scope_device);",
        "if (!atomic_load_explicit(&flag[at], memory_order_relaxed, memory_scope_device)) return;"
        " atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire,"
        " memory_scope_work_group);");
    EXPECT_EQ(point_in(fences, 5).kind, SyncPoint::Kind::fence);
    EXPECT_EQ(point_in(fences, 5).flags, "CLK_GLOBAL_MEM_FENCE");
    EXPECT_EQ(point_in(fences, 5).scope, "");
}

// Several results, or what is wrong or read unwritten, may be others without it.
TEST(BarrierNeeds, OtherResultsOfTheSameVerdictAreWorse) {
    const auto report_of = [](const char* before, const char* after, std::uint32_t lanes = 1) {
        return report_of_two_groups(
            fmt::format("kernel void k(global int* out, global int* t, local int* u) {{\n"
                        "    const int l = get_local_id(0), g = get_group_id(0);\n"
                        "    atomic_add(&t[g], l + 1);\n"
                        "    {}\n"
                        "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                        "    {}\n"
                        "}}\n",
                        before, after),
            {"out:int[8]=0", "t:int[4]=0", "u:local:int[2]"}, lanes);
    };
    const char* const first = "const int first = atomic_inc(&t[2 + g]) == 0;";
    const char* const tell = "if (first) { out[g] = l; out[2 + g] = atomic_or(&t[g], 0); }";
    const BarrierReport several = report_of(first, tell);
    EXPECT_EQ(point_in(several, 5).need, SyncPoint::Need::needed);
    EXPECT_EQ(point_in(several, 5).with.verdict, ShapeVerdict::several);
    EXPECT_EQ(point_in(several, 5).with.results, 4U);
    EXPECT_EQ(point_in(several, 5).without.verdict, ShapeVerdict::several);
    EXPECT_TRUE(several.advises());  // the atomic that finds what nobody changes any more
    EXPECT_EQ(need_in(report_of(first, "if (first) out[g] = l;"), 5), SyncPoint::Need::not_needed);
    const char* const unwritten = "if (u[l] == 12345) out[7] = 1;";
    const BarrierReport read = report_of(unwritten, "out[2 * g + l] = atomic_or(&t[g], 0);");
    EXPECT_EQ(point_in(read, 5).need, SyncPoint::Need::needed);
    EXPECT_EQ(point_in(read, 5).without.verdict, ShapeVerdict::unwritten);
    EXPECT_EQ(need_in(report_of(unwritten, "out[2 * g + l] = l;"), 5), SyncPoint::Need::not_needed);
    // Lockstep orders nothing.
    const BarrierReport lanes = report_of("", "if (l == 0) out[g] = atomic_or(&t[g], 0);", 2);
    EXPECT_EQ(point_in(lanes, 5).need, SyncPoint::Need::needed);
    EXPECT_EQ(point_in(lanes, 5).without.verdict, ShapeVerdict::several);
}

TEST(BarrierNeeds, WhereNotAllResultsAreKnownNothingIs) {
    const BarrierReport report = report_of_two_groups(
        "kernel void k(global uint* x) {\n"
        "    uint sum = 0;\n"
        "    for (int i = 0; i < 60; ++i) sum = 3 * sum + atomic_xchg(x, get_global_id(0) + i);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    x[1 + get_global_id(0)] = sum;\n"
        "}\n",
        {"x:uint[5]=0"});
    EXPECT_EQ(need_in(report, 4), SyncPoint::Need::unknown);
    EXPECT_FALSE(report.advises());
}

// One more race would not show there.
TEST(BarrierNeeds, WhereAllShapesFaultNothingIsKnown) {
    const BarrierReport report = report_of_two_groups(
        "kernel void k(global int* x) {\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    x[get_global_id(0) + 100] = 1;\n}\n",
        {"x:int[4]=0"});
    EXPECT_EQ(need_in(report, 2), SyncPoint::Need::unknown);
}

TEST(BarrierNeeds, ABarrierOfAWarpIsNamedAsOne) {
    const BarrierReport report = report_of_two_groups(
        "//! cuda\n__global__ void k(int* x) {\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n    x[i] = i;\n"
        "    __syncwarp();\n    x[4 + i] = x[i ^ 1];\n    __threadfence();\n}\n",
        {"x:int[8]=0"}, 2);
    EXPECT_EQ(point_in(report, 5).kind, SyncPoint::Kind::sub_group_barrier);
    EXPECT_EQ(point_in(report, 5).need, SyncPoint::Need::needed);
    EXPECT_EQ(point_in(report, 7).kind, SyncPoint::Kind::fence);
    EXPECT_EQ(nlohmann::json(report).at("points").at(0).at("kind"), "sub-group barrier");
}

// In CUDA each scope need only include the other's thread.
TEST(BarrierNeeds, AScopeOfCudaIsNarrowerByItself) {
    const BarrierReport report = report_of_two_groups(
        "//! cuda\n#include <cuda/atomic>\nusing namespace cuda;\n"
        "__global__ void k(int* x, int* flags) {\n"
        "    atomic_ref<int> flag(flags[blockIdx.x]);\n"
        "    if (threadIdx.x == 0) {\n"
        "        x[blockIdx.x] = 7;\n"
        "        flag.store(1, memory_order_release);\n"
        "    } else if (flag.load(memory_order_acquire) == 1)\n"
        "        x[2 + blockIdx.x] = x[blockIdx.x];\n"
        "}\n",
        {"x:int[4]=0", "flags:int[2]=0"});
    for (const std::uint32_t line : {8U, 9U}) {
        EXPECT_EQ(point_in(report, line).scope, "thread_scope_block") << line;
        EXPECT_FALSE(point_in(report, line).together) << line;
    }
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

// Each step loads from, stores to or atomically adds to a cell of its group, in local or global
// memory; behind it may be a barrier or a fence. Some of them may be done twice, in a loop. So what
// races is known without running it.
class Steps {
  public:
    explicit Steps(std::uint32_t seed) : random_(seed), items_(2 + any(2)) {
        steps_.push_back({.local = true, .does = Step::stores, .by = 0, .flags = flags()});
        for (int i = 2 + any(4); i > 0; --i) {
            const Step::Does all[] = {Step::loads,  Step::loads,  Step::loads,
                                      Step::stores, Step::stores, Step::adds};
            steps_.push_back(
                {.local = any(3) != 0, .does = all[any(6)], .by = any(items_), .flags = flags()});
            steps_.back().fence = any(5) == 0;
            if (steps_.back().does == Step::adds && any(2) == 0) steps_.back().by = kCommon;
        }
        if (any(3) != 0) return;
        first_ = static_cast<std::size_t>(any(static_cast<int>(size())));
        end_ = first_ + 1 + static_cast<std::size_t>(any(static_cast<int>(size() - first_)));
    }
    std::size_t size() const { return steps_.size(); }
    int& flags_of(std::size_t step) { return steps_[step].flags; }
    bool is_fence(std::size_t step) const { return steps_[step].fence; }
    bool is_atomic(std::size_t step) const { return steps_[step].does == Step::adds; }
    bool loops() const { return end_ > 0; }
    // Whether it races if that atomic is a plain access.
    bool races_as_plain(std::size_t step) {
        steps_[step].does = Step::stores;
        const bool found = races();
        steps_[step].does = Step::adds;
        return found;
    }
    // Of the text, from 1.
    static std::uint32_t line_of_barrier(std::size_t step) {
        return 3 + 2 * static_cast<std::uint32_t>(step);
    }
    static std::uint32_t line_of(std::size_t step) { return line_of_barrier(step) - 1; }
    RunSpec spec() const {
        std::string text = "kernel void k(global int* x, global int* out, local int* t) {\n";
        text +=
            "    const size_t l = get_local_id(0), own = get_group_id(0) * get_local_size(0);"
            " int r = get_global_id(0) + 1;";
        for (std::size_t i = 0; i < size(); ++i) {
            const Step& each = steps_[i];
            if (loops() && i == first_) text += "    for (int k = 0; k < 2; ++k) {";
            const std::string cell = fmt::format(
                "{}{}]", each.local ? "t[" : "x[own + ",
                each.by == kCommon ? "0" : fmt::format("(l + {}) % get_local_size(0)", each.by));
            text += each.does == Step::loads    ? "r += " + cell + ";\n"
                    : each.does == Step::stores ? cell + " = r * 3;\n"
                                                : "atomic_add(&" + cell + ", 3);\n";
            if (each.flags != 0)
                text += fmt::format("    {}({});", each.fence ? "mem_fence" : "barrier",
                                    kFlags[each.flags]);
            text += loops() && i + 1 == end_ ? "}\n" : "\n";
        }
        text += "    out[get_global_id(0)] = r;\n}\n";
        return spec_for(text, {"x:int[6]=1,2,3,4,5,6", "out:int[6]", "t:local int[3]"},
                        static_cast<std::uint64_t>(items_), 2);
    }
    // Two of a group, one cell, one of them stores, and no barrier between names that memory.
    bool races() const {
        std::vector<Step> steps(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(end_));
        steps.insert(steps.end(), steps_.begin() + static_cast<std::ptrdiff_t>(first_),
                     steps_.end());
        for (std::size_t a = 0; a < steps.size(); ++a)
            for (std::size_t b = a; b < steps.size(); ++b) {
                const Step &one = steps[a], &other = steps[b];
                const bool ordered = std::any_of(
                    steps.begin() + static_cast<std::ptrdiff_t>(a),
                    steps.begin() + static_cast<std::ptrdiff_t>(b), [&](const Step& each) {
                        return !each.fence && (each.flags & (one.local ? 1 : 2)) != 0;
                    });
                if (one.local == other.local && (one.by != other.by || one.by == kCommon) &&
                    std::max(one.does, other.does) != Step::loads &&
                    std::min(one.does, other.does) != Step::adds && !ordered)
                    return true;
            }
        return false;
    }
    static constexpr const char* kFlags[] = {"", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
                                             "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"};

  private:
    static constexpr int kCommon = -1;  // the cell that all of a group add to
    struct Step {
        bool local = false;
        enum Does : std::uint8_t { loads, stores, adds } does = loads;
        int by = 0, flags = 0;  // by: to the cell of the item so far on, or kCommon
        bool fence = false;     // in the place of the barrier
    };
    int any(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
    int flags() { return any(4) == 0 ? 0 : 1 + any(3); }

    std::mt19937 random_;
    int items_;
    std::vector<Step> steps_;
    std::size_t first_ = 0, end_ = 0;  // of the loop; 0, 0: none
};

// LAB_RANDOM_KERNELS=300 for more.
TEST(BarrierNeeds, OfRandomKernelsAreThoseOfTheDefinition) {
    const char* asked = std::getenv("LAB_RANDOM_KERNELS");
    const std::uint32_t count =
        asked != nullptr ? static_cast<std::uint32_t>(std::atoi(asked)) : 40;
    std::map<SyncPoint::Need, int> seen;
    int narrower = 0, several = 0, loops = 0, fences = 0;
    std::map<SyncPoint::Need, int> atomics;
    for (std::uint32_t seed = 1; seed <= count; ++seed) {
        Steps steps(seed);
        const RunSpec spec = steps.spec();
        const bool races = steps.races();
        const BarrierReport report = judge_barriers({spec});
        EXPECT_EQ(report.racy, races ? 1U : 0U) << seed;
        loops += steps.loops() ? 1 : 0;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps.is_atomic(i)) {
                const SyncPoint& point = point_in(report, Steps::line_of(i));
                const SyncPoint::Need need = races ? SyncPoint::Need::unknown
                                             : steps.races_as_plain(i)
                                                 ? SyncPoint::Need::needed
                                                 : SyncPoint::Need::not_needed;
                EXPECT_EQ(point.kind, SyncPoint::Kind::atomic) << seed << ' ' << i;
                EXPECT_EQ(point.need, need) << seed << ' ' << point.line << '\n'
                                            << spec.kernel.text;
                ++atomics[need];
            }
            const int flags = steps.flags_of(i);
            if (flags == 0) continue;
            const auto races_with = [&](int others) {
                steps.flags_of(i) = others;
                return steps.races();
            };
            const SyncPoint& point = point_in(report, Steps::line_of_barrier(i));
            const SyncPoint::Need need = races           ? SyncPoint::Need::unknown
                                         : races_with(0) ? SyncPoint::Need::needed
                                                         : SyncPoint::Need::not_needed;
            EXPECT_EQ(point.need, need) << seed << ' ' << point.line << '\n' << spec.kernel.text;
            EXPECT_EQ(point.kind,
                      steps.is_fence(i) ? SyncPoint::Kind::fence : SyncPoint::Kind::barrier)
                << seed;
            fences += steps.is_fence(i) ? 1 : 0;
            ++seen[need];
            const bool both = need == SyncPoint::Need::needed && flags == 3;
            const int enough = !both ? 0 : !races_with(1) ? 1 : !races_with(2) ? 2 : 0;
            EXPECT_EQ(point.flags, Steps::kFlags[enough]) << seed << ' ' << point.line;
            narrower += enough > 0 ? 1 : 0;
            // What a search finds without it, as far as it is quick.
            steps.flags_of(i) = 0;
            OutcomesOptions all;
            all.most_effort = kSecondOfEffort / 20;
            all.samples = 0;
            all.shortest = false;
            const machine::Job job = job_of(steps.spec());
            const Outcomes found = outcomes_of(job, ending_of(job), all);
            EXPECT_TRUE(found.results.size() <= 1 || need != SyncPoint::Need::not_needed)
                << seed << ' ' << point.line;
            several += found.results.size() > 1 && !races ? 1 : 0;
            steps.flags_of(i) = flags;
        }
    }
    fmt::print(
        "{} kernels, {} with a loop: {} needed, {} not, {} unknown, {} with less, {} several "
        "without; {} fences; of atomics {} needed, {} not\n",
        count, loops, seen[SyncPoint::Need::needed], seen[SyncPoint::Need::not_needed],
        seen[SyncPoint::Need::unknown], narrower, several, fences, atomics[SyncPoint::Need::needed],
        atomics[SyncPoint::Need::not_needed]);
    for (const int each : {seen[SyncPoint::Need::needed], seen[SyncPoint::Need::not_needed],
                           seen[SyncPoint::Need::unknown], narrower, several, loops, fences,
                           atomics[SyncPoint::Need::needed]})
        EXPECT_GT(each, static_cast<int>(count) / 20);
}

}  // namespace
}  // namespace lab::analysis
