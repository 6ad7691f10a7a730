#include "analysis/size_map.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analysis/launch_guess.h"

namespace lab::analysis {
namespace {

using RuleKind = MapCondition::Kind;
using testing::ElementsAre;

SimulatorOptions independent() {
    SimulatorOptions options;
    options.config.lanes = 1;
    options.config.resident = 0;
    options.order = machine::usual_order(options.config);
    return options;
}

// Adds the upper half to the lower half, which is `half` wide, until one is left.
PlannedKernel tree(const char* half) {
    catalogue::LaunchForm form;
    form.file = "tree.cl";
    form.text = fmt::format(
        "kernel void tree(global const int* in, global int* out, local int* t) {{\n"
        "    const uint me = get_local_id(0), L = get_local_size(0);\n"
        "    t[me] = in[get_global_id(0)];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    for (uint live = L; live > 1;) {{\n"
        "        const uint h = {};\n"
        "        if (me < h && me + h < L) t[me] += t[me + h];\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "        live = h;\n"
        "    }}\n"
        "    if (me == 0) out[get_group_id(0)] = t[0];\n"
        "}}\n",
        half);
    return planned_kernel(form, independent());
}

SizeMap map_of(const PlannedKernel& planned, const MapAxis& rows, const MapAxis& columns) {
    SizeMapSearch search({planned.kernel, planned.shape, independent()}, rows, columns);
    while (search.go_on()) {
    }
    return search.map();
}

MapAxis axis(const char* name, const char* values) {
    return {name, parse_axis_values(values)};
}

const MapRule* rule_for(const std::vector<MapRule>& rules, ShapeVerdict verdict) {
    for (const MapRule& each : rules)
        if (each.verdict == verdict) return &each;
    return nullptr;
}

TEST(SizeMap, ValuesOfAnAxisAreListsAndRanges) {
    EXPECT_THAT(parse_axis_values("1..4"), ElementsAre("1", "2", "3", "4"));
    EXPECT_THAT(parse_axis_values("2^0..2^3, 6"), ElementsAre("1", "2", "4", "8", "6"));
    EXPECT_THAT(parse_axis_values("none,group"), ElementsAre("none", "group"));
    EXPECT_THROW(parse_axis_values("8..1"), Problem);
}

// Contents that have no form for other sizes are not left out.
TEST(SizeMap, ContentsThatAreGivenStay) {
    catalogue::LaunchForm form;
    form.file = "top.cl";
    form.text =
        "kernel void top(global const int* a, global int* w, global int* out) {\n"
        "    const int i = get_global_id(0); atomic_max(&out[0], max(a[i], w[i & 1])); }\n";
    form.global = form.local = Extent(8);
    form.arguments = {"a:int[8]=ramp", "w:int[2]=-1,-1", "out:int[1]=-9"};
    EXPECT_THAT(planned_kernel(form, independent()).header,
                testing::HasSubstr("= -1, out: T[groups] = -9"));
    form.arguments[1] = "w:int[2]=-1,-3";
    try {
        (void)planned_kernel(form, independent());
        ADD_FAILURE();
    } catch (const Problem& problem) {
        EXPECT_EQ(problem.why, "w begins with -1,-3, which is meant for one size");
    }
}

// Threads that take several elements each: as many blocks as come to the launch of the host code.
TEST(SizeMap, TheGuessedHeaderComesToTheLaunchOfTheHost) {
    const auto header_of = [](const char* launch, const char* bound) {
        catalogue::LaunchForm form;
        form.file = "strided.cu";
        form.text = fmt::format(
            "__global__ void strided(const int* in, int* out{0}) {{\n"
            "    int sum = 0;\n"
            "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < {1}; i += gridDim.x * "
            "blockDim.x)\n"
            "        sum += in[i];\n"
            "    atomicAdd(out, sum);\n"
            "}}\n"
            "int main() {{ int *a, *b;\n"
            "  cudaMalloc(&a, 64 * sizeof(int)); cudaMalloc(&b, sizeof(int));\n"
            "  strided<<<{2}>>>(a, b{3}); }}\n",
            *bound == 'n' ? ", int n" : "", bound, launch, *bound == 'n' ? ", 64" : "");
        return planned_kernel(form, independent()).header;
    };
    EXPECT_THAT(header_of("3, 4", "n"),
                testing::HasSubstr("global:   div_up(n, group * 6) * group\n"));
    EXPECT_THAT(header_of("4, 8", "n"),
                testing::HasSubstr("global:   div_up(n, group * 2) * group\n"));
    // With two each it would be four blocks.
    EXPECT_THAT(header_of("6, 10", "n"), testing::HasSubstr("global:   group * 6\n"));
    const std::string fixed = header_of("3, 4", "64");
    EXPECT_THAT(fixed, testing::HasSubstr("global:   group * 3\n"));
    EXPECT_THAT(fixed, testing::HasSubstr("legal:    n == 64\n"));
}

TEST(SizeMap, ALaunchForAllSizesIsGuessedAndTried) {
    const PlannedKernel planned = tree("live / 2");
    EXPECT_TRUE(planned.judged);
    EXPECT_THAT(planned.header, testing::HasSubstr("out: T[groups]"));
    EXPECT_THAT(planned.header, testing::HasSubstr("legal:    n % group == 0"));
    catalogue::LaunchForm copies;
    copies.file = "copy.cl";
    copies.text =
        "kernel void copy(global const int* in, global int* out) {\n"
        "    out[get_global_id(0)] = in[get_global_id(0)];\n}\n";
    EXPECT_FALSE(planned_kernel(copies, independent()).judged);
    // The least of one row of numbers, by chance.
    copies.text =
        "kernel void copy(global const int* in, global int* out) {\n"
        "    if (get_global_id(0) == 18) out[0] = in[18];\n}\n";
    EXPECT_FALSE(planned_kernel(copies, independent()).judged);
    // The greatest of numbers up to 99 alone.
    copies.text =
        "kernel void cut(global const int* in, global int* out) {\n"
        "    int most = in[0];\n"
        "    for (int i = 1; i < get_global_size(0); ++i) most = max(most, in[i]);\n"
        "    if (get_global_id(0) == 0) out[0] = min(most, 1000);\n}\n";
    EXPECT_FALSE(planned_kernel(copies, independent()).judged);
}

PlannedKernel planned(const char* parameters, const char* body,
                      std::optional<catalogue::Op> asked = {}) {
    catalogue::LaunchForm form;
    form.file = "k.cl";
    form.text = fmt::format(
        "kernel void k({}) {{\n    int g = get_global_id(0), l = get_local_id(0);\n{}}}\n",
        parameters, body);
    return planned_kernel(form, independent(), asked);
}

// The greatest number of a kernel that does nothing is still among its numbers, and so is the
// least.
TEST(SizeMap, AnOperatorIsNoneThatNumbersLeftAloneComeTo) {
    EXPECT_FALSE(planned("global int* a", "a[g] = a[g];").judged);
    EXPECT_FALSE(planned("global int* a",
                         "int n = get_global_size(0);\n"
                         "if (g < n / 2) { int t = a[g]; a[g] = a[n - 1 - g]; a[n - 1 - g] = t; }")
                     .judged);
    // Moves numbers to and fro beside those it leaves.
    EXPECT_FALSE(planned("global int* a, global int* b", "b[g] = a[g];").judged);
}

constexpr const char* kTopOfGroup =
    "for (int s = get_local_size(0) / 2; s > 0; s /= 2) {\n"
    "    if (l < s) a[g] = max(a[g], a[g + s]);\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE); }\n";

// In place, the result of each group is its first number: it may miss others that are still there.
TEST(SizeMap, InPlaceTheFirstNumberOfAGroupIsItsResult) {
    const PlannedKernel top = planned("global int* a", kTopOfGroup);
    EXPECT_TRUE(top.judged);
    EXPECT_EQ(top.shape.op, catalogue::Op::max);
    EXPECT_THAT(top.header, testing::HasSubstr("every:    group\n"));
    const auto rules = rules_of(map_of(top, axis("group", "1..8"), axis("groups", "1..3")));
    const MapRule* wrong = rule_for(rules, ShapeVerdict::wrong);
    ASSERT_NE(wrong, nullptr);
    EXPECT_THAT(wrong->conditions, ElementsAre(MapCondition{RuleKind::not_power, "group", ""}));
}

TEST(SizeMap, WhatReducesInOneGroupAloneIsJudged) {
    for (const char* type : {"float", "int", "uint"}) {
        const PlannedKernel top =
            planned(fmt::format("global {}* a", type).c_str(),
                    "int n = get_local_size(0);\n"
                    "for (int s = 1; s < n; s *= 2) {\n"
                    "    if (l % (2 * s) == 0 && l + s < n && a[l] < a[l + s]) a[l] = a[l + s];\n"
                    "    barrier(CLK_GLOBAL_MEM_FENCE); }\n");
        EXPECT_TRUE(top.judged) << type;
        EXPECT_EQ(top.shape.op, catalogue::Op::max) << type;
        const auto rules = rules_of(map_of(top, axis("group", "1..8"), axis("groups", "1..1")));
        ASSERT_EQ(rules.size(), 1U) << type;
        EXPECT_EQ(rules[0].verdict, ShapeVerdict::right) << type;
    }
}

TEST(SizeMap, AnOperatorThatIsAskedForIsTakenOrRefused) {
    EXPECT_EQ(planned("global int* a", kTopOfGroup, catalogue::Op::max).shape.op,
              catalogue::Op::max);
    EXPECT_THROW(planned("global int* a", kTopOfGroup, catalogue::Op::min), Problem);
}

// What is told of a number stays, but for the n of that launch.
TEST(SizeMap, NumbersThatAreToldStay) {
    const auto header_of = [](const char* number) {
        catalogue::LaunchForm form;
        form.file = "k.cl";
        form.text =
            "kernel void k(global const int* in, global int* out, int d) {\n"
            "    out[get_global_id(0) / d] = in[get_global_id(0)]; }\n";
        form.global = form.local = 4;
        form.arguments = {"in:int[4]=1,2,3,4", "out:int[4]", number};
        return planned_kernel(form, independent()).header;
    };
    EXPECT_THAT(header_of("1"), testing::HasSubstr("d: int = 1\n"));
    EXPECT_THAT(header_of("4"), testing::HasSubstr("d: int = n\n"));
}

// No fault comes of a length that nobody told.
TEST(SizeMap, WhatIsOfUnknownLengthIsAsLongAsTheKernelNeeds) {
    for (const auto& [parameters, body] :
         {std::pair{"global const int* in, global int* out",
                    "out[2 * g] = in[g]; out[2 * g + 1] = -in[g];"},
          {"global const float* in, global float* out",
           "out[g] = (in[g] + in[g + 1] + in[g + 2]) / 3;"},
          {"global const uint* in, global uint* out", "atomic_inc(&out[in[g] % 16]);"}}) {
        const PlannedKernel wide = planned(parameters, body);
        const auto rules = rules_of(map_of(wide, axis("group", "1..4"), axis("n", "1..80")));
        EXPECT_EQ(rule_for(rules, ShapeVerdict::fault), nullptr) << body << wide.header;
    }
    // The numbers themselves are n.
    const auto rules =
        rules_of(map_of(planned("global const int* in, global int* out, int n", "out[g] = in[g];"),
                        axis("group", "1..4"), axis("n", "1..8")));
    EXPECT_NE(rule_for(rules, ShapeVerdict::fault), nullptr);
}

TEST(SizeMap, RulesHoldInEveryCell) {
    // An odd half drops an element.
    const auto rules =
        rules_of(map_of(tree("live / 2"), axis("group", "1..16"), axis("groups", "1..3")));
    const MapRule* wrong = rule_for(rules, ShapeVerdict::wrong);
    ASSERT_NE(wrong, nullptr);
    EXPECT_THAT(wrong->conditions, ElementsAre(MapCondition{RuleKind::not_power, "group", ""}));
    // Rounded up, an element is added twice.
    const auto others =
        rules_of(map_of(tree("(live + 1) / 2"), axis("group", "1..16"), axis("groups", "1..3")));
    wrong = rule_for(others, ShapeVerdict::wrong);
    ASSERT_NE(wrong, nullptr);
    EXPECT_THAT(wrong->conditions,
                ElementsAre(MapCondition{RuleKind::not_near_power, "group", ""}));
}

TEST(SizeMap, NoRuleHasAnException) {
    SizeMap map;
    map.rows = axis("group", "1..4");
    map.columns = axis("n", "1..8");
    for (std::uint64_t group = 1; group <= 4; ++group)
        for (std::uint64_t n = 1; n <= 8; ++n) {
            ShapeJudgement cell;
            cell.verdict = n % group == 0 ? ShapeVerdict::right : ShapeVerdict::wrong;
            cell.n = n;
            cell.group = group;
            cell.groups = (n + group - 1) / group;
            map.cells.push_back(cell);
        }
    map.judged = map.cells.size();
    const auto conditions = [&](ShapeVerdict verdict) {
        return rule_for(rules_of(map), verdict)->conditions;
    };
    EXPECT_THAT(conditions(ShapeVerdict::wrong),
                ElementsAre(MapCondition{RuleKind::not_multiple, "n", "group"}));
    // What cannot be launched is no exception, what is unknown is one.
    ShapeJudgement& cell = map.cells[1 * 8 + 2];
    ASSERT_EQ(cell.verdict, ShapeVerdict::wrong);
    cell.verdict = ShapeVerdict::not_launched;
    EXPECT_THAT(conditions(ShapeVerdict::wrong),
                ElementsAre(MapCondition{RuleKind::not_multiple, "n", "group"}));
    cell.verdict = ShapeVerdict::unknown;
    EXPECT_THAT(conditions(ShapeVerdict::wrong), testing::IsEmpty());
    map.judged = 3;
    EXPECT_THAT(conditions(ShapeVerdict::right), testing::IsEmpty());
}

// Without a launch there are no groups, which are a multiple of nothing, and even in nothing.
TEST(SizeMap, NoRuleIsOfGroupsThatAreNone) {
    SizeMap map;
    map.rows = axis("group", "1..4");
    map.columns = axis("n", "1..12");
    for (std::uint64_t group = 1; group <= 4; ++group)
        for (std::uint64_t n = 1; n <= 12; ++n) {
            ShapeJudgement cell;
            cell.n = n;
            cell.group = group;
            cell.groups = n == 1 ? 0 : (n + group - 1) / group;
            cell.verdict = cell.groups % group == 0 ? ShapeVerdict::right : ShapeVerdict::race;
            map.cells.push_back(cell);
        }
    map.judged = map.cells.size();
    const auto rules = rules_of(map);
    for (const ShapeVerdict each : {ShapeVerdict::right, ShapeVerdict::race})
        for (const MapCondition& condition : rule_for(rules, each)->conditions)
            EXPECT_TRUE(condition.quantity != "groups" && condition.value != "groups");
}

TEST(SizeMap, OfSeveralKernelsOneIsToBeNamed) {
    catalogue::LaunchForm two;
    two.file = "two.cl";
    two.text =
        "kernel void a(global int* x) { x[get_global_id(0)] = 1; }\n"
        "kernel void b(global int* x) { x[get_global_id(0)] = 2; }\n";
    EXPECT_THROW(planned_kernel(two, independent()), Problem);
    two.kernel = "nope";
    EXPECT_THROW(planned_kernel(two, independent()), Problem);
}

TEST(SizeMap, IsFilledFromCoarseToFine) {
    const PlannedKernel planned = tree("live / 2");
    SizeMapSearch search({planned.kernel, planned.shape, independent()}, axis("group", "1..8"),
                         axis("groups", "1..8"));
    for (int i = 0; i < 4; ++i)
        search.go_on();
    for (const std::size_t row : {0U, 4U})
        for (const std::size_t column : {0U, 4U})
            EXPECT_EQ(search.map().at(row, column).group, row + 1) << row << column;
    std::atomic<bool> cancel = true;
    JudgeEffort effort;
    effort.cancel = &cancel;
    SizeMapSearch none({planned.kernel, planned.shape, independent()}, axis("group", "1..8"),
                       axis("groups", "1..8"), effort);
    EXPECT_FALSE(none.go_on());
    EXPECT_EQ(none.map().judged, 0U);
}

TEST(SizeMap, ShippedKernelsAreAsTheirHeadersSay) {
    const catalogue::Catalogue all = catalogue::load_catalogue();
    RunSpec spec{all.find("span-modulo"), {}, independent()};
    spec.shape.set["BARRIER"] = "group";
    SizeMapSearch search(spec, axis("group", "2^1..2^3"), axis("n", "2^1..2^5"));
    while (search.go_on()) {
    }
    const auto rules = rules_of(search.map());
    const MapRule* race = rule_for(rules, ShapeVerdict::race);
    ASSERT_NE(race, nullptr);
    EXPECT_THAT(race->conditions, ElementsAre(MapCondition{RuleKind::more, "groups", "1"}));
    EXPECT_EQ(rules.size(), 2U);
}

TEST(SizeMap, ANumberOfGroupsIsMadeByAnN) {
    const catalogue::Catalogue all = catalogue::load_catalogue();
    for (const char* id : {"local-tree", "span-modulo", "sync-leaders", "groups-coarsened"})
        for (const char* groups : {"1", "2", "3"}) {
            const RunSpec spec = with_value({all.find(id), {}, independent()}, "groups", groups);
            EXPECT_EQ(std::to_string(job_of(spec).launches.front().range.groups()), groups) << id;
        }
}

// Neither lockstep nor a group that waits for room is promised. Of a map that varies them, they
// count.
TEST(SizeMap, WhatAMachineHidesMayHappen) {
    const RunSpec spec{
        catalogue::parse_opened(catalogue::load_catalogue(), "hides.cl",
                                "/* title:    T\n * chapter:  U 1\n * origin:   new\n"
                                " * teaches:  t\n * entry:    k\n * plan:     once\n"
                                " * args:     in: const T[n] = input, out: T[1], "
                                "t: T[1] = 0\n * global:   n\n * local:    group\n"
                                " * result:   out\n * depth:    n\n"
                                " * legal:    n % group == 0\n"
                                " * expect:   correct\n */\n"
                                "kernel void k(global const T* in, global T* out, "
                                "global T* t)\n{\n"
                                "    atomic_add(t, in[get_global_id(0)]);\n"
                                "    if (get_global_id(0) == get_global_size(0) - 1)\n"
                                "        out[0] = atomic_or(t, 0);\n}\n"),
        {},
        options_of({})};
    ASSERT_EQ(spec.machine.config.lanes, 4U);
    const auto verdicts = [](RunSpec of, const MapAxis& rows, const MapAxis& columns) {
        SizeMapSearch search(std::move(of), rows, columns);
        while (search.go_on()) {
        }
        std::string all;
        for (const ShapeJudgement& each : search.map().cells)
            all += fmt::format("{} ", name_of(each.verdict));
        return all;
    };
    EXPECT_EQ(verdicts(spec, axis("group", "1,4"), axis("n", "1,4")),
              "right several not_launched several ");
    EXPECT_EQ(verdicts(with_value(spec, "n", "4"), axis("group", "4"), axis("lanes", "1,4")),
              "several right ");
    EXPECT_EQ(verdicts(with_value(spec, "n", "4"), axis("group", "1"), axis("resident", "1,2")),
              "right several ");
}

ShapeJudgement judged(std::string text, std::vector<std::string> arguments) {
    RunSpec spec;
    spec.kernel = catalogue::kernel_of(catalogue::LaunchForm{.file = "k.cl",
                                                             .text = std::move(text),
                                                             .kernel = "",
                                                             .defines = {},
                                                             .global = 3,
                                                             .local = 1,
                                                             .arguments = std::move(arguments)});
    spec.machine = independent();
    CodeCache codes;
    return judge_shape(spec, codes);
}

// Neither a race nor one result: who takes the lock first decides.
TEST(SizeMap, SeveralResultsNeedNoRace) {
    const ShapeJudgement found = judged(
        "kernel void k(global int* x) { atomic_xchg(x, (int)get_global_id(0)); }", {"x:int[1]=0"});
    EXPECT_EQ(found.verdict, ShapeVerdict::several);
    EXPECT_EQ(found.results, 3U);
}

// No race, and not right by what chance left there.
TEST(SizeMap, AReadOfWhatNobodyWroteHasAVerdictOfItsOwn) {
    const ShapeJudgement found = judged(
        "kernel void k(global int* x, local int* b) { x[get_global_id(0)] = b[1] < 0 ? 1 : 2; }",
        {"x:int[3]=0", "b:local:int[2]"});
    EXPECT_EQ(found.verdict, ShapeVerdict::unwritten);
    EXPECT_THAT(found.what, testing::HasSubstr("which nobody has written yet"));
    EXPECT_EQ(found.line, 1U);
}

}  // namespace
}  // namespace lab::analysis
