#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analysis/outcomes.h"
#include "support/example_job.h"
#include "support/plain_search.h"

namespace lab::analysis {
namespace {

using machine::Example;
using testing::ElementsAre;
using testing::HasSubstr;

// A tree over the first half and the second, each item's own element read first; every sum tells
// which elements are in it.
Example tree(std::uint64_t groups, std::uint64_t items) {
    Example example;
    example.text =
        "kernel void k(global int* x, const uint n) {\n"
        "    const uint id = get_global_id(0);\n"
        "    for (uint width = n / 2; width > 0; width /= 2) {\n"
        "        if (id < width) { const int own = x[id]; x[id] = own + x[id + width]; }\n"
        "        barrier(CLK_GLOBAL_MEM_FENCE);\n    }\n}\n";
    example.global = groups * items;
    example.local = items;
    example.buffers = {{}};
    for (std::uint64_t i = 0; i < 2 * example.global; ++i)
        example.buffers[0].push_back(1 << i);
    example.numbers = {static_cast<std::int64_t>(2 * example.global)};
    return example;
}

struct Count {
    std::uint64_t groups, items;
    std::uint64_t plain, alone;
    std::size_t results;
};

// FACTS' table, from a prototype with independent items: states with and without the reduction,
// distinct results. Its 4,980,000 states of eight groups are left out for their time.
TEST(Outcomes, StatesAndResultsAreThoseOfThePrototype) {
    for (const Count& row :
         {Count{1, 4, 274, 22, 1}, Count{2, 2, 639, 66, 4}, Count{2, 4, 181'506, 960, 16},
          Count{4, 2, 0, 5'901, 64}, Count{8, 1, 0, 25'153, 96}}) {
        const Example example = tree(row.groups, row.items);
        OutcomesOptions options = with(Reduction::independent);
        options.shortest = false;
        const Outcomes alone = outcomes_in(example, 1, 0, options, first_of);
        EXPECT_TRUE(alone.complete);
        EXPECT_EQ(alone.states, row.alone) << row.groups << " " << row.items;
        EXPECT_EQ(alone.results.size(), row.results) << row.groups << " " << row.items;
        options.reduction = Reduction::stubborn;
        const Outcomes fewest = outcomes_in(example, 1, 0, options, first_of);
        EXPECT_LE(fewest.states, row.alone);
        EXPECT_EQ(results_of(fewest), results_of(alone));
        if (row.plain == 0) continue;
        options.reduction = Reduction::none;
        const Outcomes plain = outcomes_in(example, 1, 0, options, first_of);
        EXPECT_EQ(plain.states, row.plain);
        EXPECT_EQ(results_of(plain), results_of(alone));
    }
}

TEST(Outcomes, AccumulatorOfFourGroups) {
    const Example example{
        "kernel void k(global int* acc) { acc[0] += 1 << get_group_id(0); }", 4, 1, {{0}}};
    for (const Reduction reduction : {Reduction::none, Reduction::independent}) {
        const Outcomes found = outcomes_in(example, 1, 0, with(reduction));
        EXPECT_EQ(found.states, 673U);
        EXPECT_EQ(found.results.size(), 15U);  // any but none of the four
        EXPECT_TRUE(found.complete);
    }
}

const std::vector<Example>& kernels() {
    static const std::vector<Example> all{
        tree(2, 2),
        tree(1, 4),
        {"kernel void k(global int* x) { x[get_global_id(0)] = x[(get_global_id(0) + 1) % 4]; }",
         4,
         2,
         {{1, 2, 3, 4}}},
        // Local memory and a barrier, then across groups.
        {"kernel void k(global int* x, local int* b) { const int i = get_local_id(0);\n"
         "b[i] = x[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
         "if (i == 0) x[0] = x[0] * 2 + b[0] + b[1]; }",
         4,
         2,
         {{1, 2, 3, 4}},
         4,
         {2}},
        // A barrier that orders, but only within the group.
        {"kernel void k(global int* x) { const int g = get_global_id(0);\n"
         "x[g] += 10; barrier(CLK_GLOBAL_MEM_FENCE); x[g] += x[3 - g]; }",
         4,
         2,
         {{1, 2, 3, 4}}},
        // What is touched depends on data.
        {"kernel void k(global int* x) { const int g = get_global_id(0);\n"
         "x[x[g] & 3] = g + 5; }",
         4,
         1,
         {{1, 2, 3, 0}}},
        {"kernel void k(global int* x) { const int g = get_global_id(0);\n"
         "if (x[0] == 1) x[0] = g + 2; else x[1] = g; }",
         3,
         1,
         {{1, 0}}},
        // Warps of one group, without a barrier.
        {"kernel void k(global int* x) { x[0] += 1; }", 3, 3, {{0}}},
        // Atomics, whose order shows.
        {"kernel void k(global int* x) { x[1 + get_global_id(0)] = atomic_inc(x); }",
         3,
         1,
         {{0, 0, 0, 0}}},
        // One work-item of several ends early; a maximum that is chosen by data, not by a branch.
        {"kernel void k(global int* x) { const int g = get_global_id(0);\n"
         "if (g == 1) return; int m = x[3]; if (x[0] > m) m = x[0]; x[0] = m + 1; }",
         4,
         2,
         {{5, 2, 3, 4}}},
        {"kernel void k(global int* x) { const int g = get_global_id(0); int s = 0;\n"
         "for (int i = 0; i < 2; ++i) { s += x[i]; if (i == g) break; s *= 2; } x[g] = s; }",
         2,
         1,
         {{3, 5}}},
    };
    return all;
}

// What a search once left out although it said COMPLETE, a kernel of each kind.
TEST(Outcomes, LeavesNothingOut) {
    struct Case {
        Example example;
        std::uint32_t lanes, resident;
    };
    const Case cases[] = {
        // A lane that rests does later what another of its warp does behind the barrier.
        {{"kernel void k(global int* x, local int* b) {\n"
          "int l = get_local_id(0), r = 0;\nif (l == 0) b[0] = 0;\n"
          "barrier(CLK_LOCAL_MEM_FENCE);\nif (l == 0) x[1] = 0;\n"
          "if (l == 1) r = atomic_xchg(&b[0], 1);\n"
          "if (l == 2) { if (x[0] != 2) b[0] = 7; x[1] = 2; }\n"
          "barrier(CLK_LOCAL_MEM_FENCE);\nb[0] = x[1];\nif (l == 1) x[2] = r; }",
          4,
          4,
          {{1, 1, 1}},
          4,
          {1}},
         2,
         0},
        // A lost wake-up: who looks too early waits for a signal that nobody sends.
        {{"kernel void k(global int* flag, global int* go, global int* x) {\n"
          "int l = get_local_id(0);\nbarrier(CLK_LOCAL_MEM_FENCE);\nif (l == 0) flag[0] = 1;\n"
          "if (l == 2) x[0] = 1;\n"
          "if (l == 3 && atomic_or(flag, 0) == 0) while (atomic_or(go, 0) == 0);\n"
          "barrier(CLK_GLOBAL_MEM_FENCE);\nif (l == 2) flag[0] = 0; }",
          4,
          4,
          {{0}, {0}, {0}}},
         2,
         0},
        // A fault by data where accesses are known.
        {{"kernel void k(global int* x, global int* z, global int* y) {\n"
          "int g = get_global_id(0);\nif (g == 0) x[0] = 1;\n"
          "if (g == 1) { int d = x[0]; z[0] = d; y[1] = 5; y[2] = 6 / d; }\n"
          "if (g == 2) { int d = z[0]; y[3] = 6 / d; } }",
          3,
          1,
          {{0}, {1}, {0, 0, 0, 0}}},
         1,
         0},
        // Another fault than that of who comes to a barrier alone.
        {{"kernel void k(global int* x) {\nint l = get_local_id(0);\n"
          "if (l == 0) barrier(CLK_LOCAL_MEM_FENCE);\nif (l == 2) x[100] = 1; }",
          4,
          4,
          {{0, 0, 0, 0}}},
         2,
         0},
        // Who ends while another waits is a fault; before it waits, others see what it did.
        {{"kernel void k(volatile global int* x) {\nint g = get_global_id(0);\n"
          "if (g == 0) { x[1] = 1; return; }\nif (g < 2) barrier(CLK_LOCAL_MEM_FENCE);\n"
          "if (g == 2 && x[1] == 1) x[99] = 1; }",
          4,
          2,
          {{0, 0, 0, 0}}},
         1,
         0},
        // A group that begins may fault, which ends who made room for it; another may see what
        // that one did, if it ended first.
        {{"kernel void k(volatile global int* x) {\nint w = get_group_id(0), r = 4 / (3 - w);\n"
          "if (w == 0) x[0] = 1;\nif (w == 1) x[1] = 2;\n"
          "if (w == 2) { if (x[0]) x[99] = 1; x[2] = r; } }",
          4,
          1,
          {{0, 0, 0, 0}}},
         1,
         2},
        // Who waits for the default is not who left by a break.
        {{"kernel void k(volatile global int* x) {\nint g = get_global_id(0);\n"
          "if (g == 1) x[1] = x[1] * 2 + 2;\n"
          "else switch (x[g]) { case 0: x[x[0] & 3] = 1; break; case 1: x[3 - g] = 2;\n"
          "default: x[3 - g] = 0; } }",
          4,
          4,
          {{0, 1, 1, 1}}},
         3,
         0},
        // A const that is cast away.
        {{"kernel void k(global const int* x, global int* y) {\nint g = get_global_id(0);\n"
          "global int* p = (global int*)x;\np[0] = g + 1;\ny[g] = p[0]; }",
          2,
          1,
          {{0}, {0, 0}}},
         1,
         0},
        // A byte that was written is no other's unwritten one, even of that value.
        {{"kernel void k(global int* flag, global uchar* mark) {\nint g = get_global_id(0);\n"
          "if (g == 0 && flag[0]) mark[0] = 0xa5;\nif (g == 1) flag[0] = 1; }",
          2,
          1,
          {{0}, {}}},
         1,
         0},
        {{"kernel void k(global int* x) {\nint g = get_global_id(0);\n"
          "if (g == 0) printf(\"%d\\n\", x[0]);\nif (g == 1) x[0] = 1; }",
          2,
          1,
          {{0}}},
         1,
         0},
        {{"global int total = 0;\nkernel void k(global int* x) {\nint g = get_global_id(0);\n"
          "total = total + g + 1;\nif (g == 0) x[0] = 5; }",
          3,
          1,
          {{0}}},
         1,
         0},
        // Nothing but barriers, forever.
        {{"kernel void k(volatile global int* x) {\nif (get_group_id(0) == 0)\n"
          "for (;;) barrier(CLK_LOCAL_MEM_FENCE);\nx[x[0]] = 1; }",
          4,
          2,
          {{99}}},
         1,
         0},
    };
    Seen seen;
    for (const Case& each : cases)
        expect_as_plain(each.example, each.lanes, each.resident, seen);
    EXPECT_EQ(seen.kernels, std::ssize(cases));
}

// A variable of the program is part of a result, and nothing that a barrier of the grid needs.
TEST(Outcomes, AResultHasOnlyWhatTheTextNames) {
    const machine::Job job = machine::job_of(
        Example{"//! cuda\nnamespace cg = cooperative_groups;\n__device__ int seen;\n"
                "__global__ void k(int* x) { cg::this_grid().sync(); x[0] = 1; seen = 2; }\n",
                2,
                1,
                {{0}}},
        1, 0);
    const Outcomes all = outcomes_of(job, ending_of(job));
    ASSERT_FALSE(all.results.empty());
    EXPECT_EQ(all.results[0].ending.result, "buffer0: 1, seen: 2");
}

// A fault like others: it must not be done at once, as coming to a barrier is.
TEST(Outcomes, AnArrivalInAnotherTurnIsOneOfSeveralFaults) {
    const Example example{
        "kernel void k(global int* x) {\n"
        "    const int l = get_local_id(0);\n"
        "    if (get_group_id(0) == 1) x[100] = 1;\n"
        "    for (int i = 0; i < 2; ++i)\n"
        "        if (i == l) barrier(CLK_LOCAL_MEM_FENCE);\n}\n",
        4,
        2,
        {{0}}};
    const auto all = results_of(outcomes_in(example, 1, 0, with(Reduction::none)));
    EXPECT_EQ(all.size(), 3U);
    EXPECT_EQ(results_of(outcomes_in(example, 1, 0, with(Reduction::stubborn))), all);
}

// More than 256 warps: one group spins in its own memory, which must not keep another from its
// fault.
TEST(Outcomes, NobodyIsPutOffForeverInLargeLaunches) {
    const Example example{
        "kernel void k(volatile global int* x, volatile local int* b) {\n"
        "const int g = get_group_id(0);\nb[0] = 0;\nif (g == 0) while (b[0] == 0);\n"
        "if (g == 1 && x[0] == 0) x[100] = 1; }",
        300,
        1,
        {{0, 0, 0, 0}},
        4,
        {1}};
    const Outcomes found = outcomes_in(example, 1, 0, with(Reduction::stubborn));
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(results_of(found),
              std::set<std::string>{"Work-item 1 writes x[100], which does not exist"});
    EXPECT_TRUE(found.needs_progress);
}

// A loop without any access counts as what it takes; so does what faults before the first one.
// What conflicts with nothing takes no states and hardly any effort, however many do it.
TEST(Outcomes, ManyGroupsThatTouchTheirOwnAreComplete) {
    constexpr std::uint64_t kGroups = 10'000;
    const Example example{
        "kernel void k(global int* x, global int* y)\n{\n"
        "    const size_t i = get_global_id(0);\n    x[i] = x[i] + (int)i;\n"
        "    if (i < 2) atomic_max(y, (int)i + 1);\n    x[i] *= 2;\n}\n",
        kGroups,
        1,
        {std::vector<std::int32_t>(kGroups), {0}}};
    OutcomesOptions options = with(Reduction::stubborn);
    options.most_effort = kSecondOfEffort;
    const Outcomes found = outcomes_in(example, 1, 0, options, first_of);
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(results_of(found), std::set<std::string>{"0"});
    EXPECT_LT(found.states, 10U);
    EXPECT_LT(found.effort, kSecondOfEffort / 4);
    // A division that depends on data may be a fault: it is tried in all orders.
    const Example divides{
        "kernel void k(global int* x, global int* y)\n{\n"
        "    const size_t i = get_global_id(0);\n    const int own = x[i];\n"
        "    y[i] = 6 / own;\n}\n",
        2,
        1,
        {{0, 1}, {0, 0}}};
    EXPECT_EQ(results_of(outcomes_in(divides, 1, 0, with(Reduction::stubborn), first_of)),
              results_of(outcomes_in(divides, 1, 0, with(Reduction::none), first_of)));
}

TEST(Outcomes, LoopsWithoutAccessesEndTheSearch) {
    OutcomesOptions options;
    options.most_effort = kSecondOfEffort;
    for (const char* text :
         {"kernel void k(global int* x) { while (1); }",
          "kernel void k(global int* x) { x[get_global_id(0)] = 1; while (1); }",
          "kernel void k(global int* x) { int i = get_group_id(0) == 1 ? 0 : 8;\n"
          "while (i < 8) { } x[get_global_id(0)] = i; }"}) {
        const Outcomes found = outcomes_in({text, 4, 2, {{0, 0, 0, 0}}}, 2, 0, options);
        EXPECT_FALSE(found.complete);
        EXPECT_TRUE(found.endless);
        EXPECT_LT(found.samples, 100U);
    }
    const Outcomes fault = outcomes_in(
        {"kernel void k(global int* x) { int n = 4 / (int)(get_global_id(0) - 3); x[0] = n; }",
         4,
         2,
         {{0, 0, 0, 0}}},
        2, 0, options);
    EXPECT_TRUE(fault.complete);
    EXPECT_EQ(results_of(fault), std::set<std::string>{"Work-item 3 divides an integer by zero"});
}

TEST(Outcomes, AllReductionsGiveTheSameResults) {
    for (std::size_t i = 0; i < kernels().size(); ++i)
        for (const std::uint32_t lanes : {1U, 2U})
            for (const std::uint32_t resident : {0U, 1U, 2U}) {
                OutcomesOptions options = with(Reduction::none);
                options.shortest = false;
                const Outcomes plain = outcomes_in(kernels()[i], lanes, resident, options);
                ASSERT_TRUE(plain.complete);
                for (const Reduction reduction : {Reduction::independent, Reduction::stubborn}) {
                    options.reduction = reduction;
                    const Outcomes fewer = outcomes_in(kernels()[i], lanes, resident, options);
                    EXPECT_TRUE(fewer.complete);
                    EXPECT_LE(fewer.states, plain.states);
                    EXPECT_EQ(results_of(fewer), results_of(plain))
                        << i << ": " << lanes << " lanes, " << resident << " groups";
                }
            }
}

// Whatever runs at random end in has been found.
TEST(Outcomes, RandomSchedulesGiveNothingElse) {
    for (std::size_t i = 0; i < kernels().size(); ++i) {
        const std::set<std::string> all = results_of(outcomes_in(kernels()[i], 1, 2));
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            const auto run = play(machine::job_of(kernels()[i], 1, 2),
                                  machine::order_of(SchedulingPolicy::Kind::random, seed));
            EXPECT_TRUE(all.contains(plain_ending(run.machine(), run.end()).result)) << i;
        }
    }
}

TEST(Outcomes, EachScheduleReplaysToItsResult) {
    for (const Example& each : kernels())
        for (const std::uint32_t lanes : {1U, 2U})
            for (const bool shortest : {true, false}) {
                OutcomesOptions options;
                options.shortest = shortest;
                for (const PossibleResult& result : outcomes_in(each, lanes, 2, options).results) {
                    EXPECT_EQ(replayed(each, result.turns, lanes, 2), result.ending.result);
                    EXPECT_EQ(result.shortest, shortest);
                }
            }
}

TEST(Outcomes, ShortestMeansFewestTurnsBeforeAllGoesInOrder) {
    // In order group 1 sees what group 0 wrote; one turn of group 1 and it does not.
    const Example example{
        "kernel void k(global int* x) { const int g = get_group_id(0);\n"
        "x[g] = x[1 - g] + 1; }",
        2,
        1,
        {{0, 10}}};
    const Outcomes found = outcomes_in(example);
    ASSERT_EQ(found.results.size(), 3U);
    EXPECT_EQ(found.results[0].ending.result, "11 12");
    EXPECT_TRUE(found.results[0].turns.empty());
    EXPECT_EQ(found.results[1].turns.size(), 1U);
    EXPECT_EQ(found.results[1].turns[0].count, 1U);  // and the fewest actions
    EXPECT_EQ(found.results[2].turns.size(), 1U);
}

TEST(Outcomes, LockstepAndResidentGroupsAreHonoured) {
    const Example swap{
        "kernel void k(global int* x) { const int i = get_local_id(0); x[i] = x[1 - i]; }",
        2,
        2,
        {{1, 2}}};
    EXPECT_EQ(results_of(outcomes_in(swap, 1)), (std::set<std::string>{"1 1", "2 1", "2 2"}));
    EXPECT_EQ(results_of(outcomes_in(swap, 2)), (std::set<std::string>{"2 1"}));
    const Example groups{
        "kernel void k(global int* x) { x[0] = x[0] * 2 + get_group_id(0); }", 3, 1, {{1}}};
    EXPECT_EQ(outcomes_in(groups, 1, 1).results.size(), 1U);
    EXPECT_GT(outcomes_in(groups, 1, 2).results.size(), 1U);
}

// States that are alike but for what a group keeps to itself are two.
TEST(Outcomes, LocalAndPrivateMemoryTellStatesApart) {
    const Example local{
        "kernel void k(global int* x, local int* b) { const int i = get_local_id(0);\n"
        "b[0] = i + 1; barrier(CLK_LOCAL_MEM_FENCE); if (i == 0) x[0] = b[0]; }",
        2,
        2,
        {{0}},
        4,
        {1}};
    EXPECT_EQ(results_of(outcomes_in(local)), (std::set<std::string>{"1", "2"}));
    const Example own{
        "kernel void k(global int* x) { const int i = get_local_id(0); int t[2];\n"
        "if (i == 0) t[x[1] & 1] = x[0]; else x[0] = 5;\n"
        "barrier(CLK_GLOBAL_MEM_FENCE); if (i == 0) x[0] = t[x[1] & 1]; }",
        2,
        2,
        {{3, 0}}};
    EXPECT_EQ(results_of(outcomes_in(own)), (std::set<std::string>{"3 0", "5 0"}));
}

TEST(Outcomes, AFaultIsAnEndingOfItsOwn) {
    // Only if group 1 comes first.
    const Example example{
        "kernel void k(global int* x) { if (get_group_id(0) == 0) x[0] = 1;\n"
        "else x[1] = 10 / x[0]; }",
        2,
        1,
        {{0, 0}}};
    const Outcomes found = outcomes_in(example);
    ASSERT_EQ(found.results.size(), 2U);
    EXPECT_EQ(found.results[0].ending.result, "1 10");
    EXPECT_TRUE(found.results[1].fault);
    EXPECT_THAT(found.results[1].ending.result, HasSubstr("divides an integer by zero"));
    EXPECT_EQ(replayed(example, found.results[1].turns), found.results[1].ending.result);
}

TEST(Outcomes, WaitingForWhatNeverComesNeverEnds) {
    const Example spin{
        "kernel void k(volatile global int* x) {\n"
        "if (get_group_id(0) == 0) while (x[0] == 0); else x[0] = 1; }",
        2,
        1,
        {{0}}};
    const Outcomes one_by_one = outcomes_in(spin, 1, 1);
    EXPECT_TRUE(one_by_one.complete);
    EXPECT_EQ(results_of(one_by_one), std::set<std::string>{"never ends"});
    EXPECT_FALSE(one_by_one.needs_progress);
    const Outcomes together = outcomes_in(spin, 1, 2);
    EXPECT_TRUE(together.complete);
    EXPECT_EQ(results_of(together), std::set<std::string>{"1"});
    EXPECT_TRUE(together.needs_progress);
}

TEST(Outcomes, NeverEndingIsAResultWithAScheduleIntoIt) {
    // Who waits may look in time, or only when it is over.
    const Example flash{
        "kernel void k(volatile global int* s) {\n"
        "if (get_global_id(0) == 0) { s[0] = 1; s[0] = 0; } else while (s[0] == 0); }",
        2,
        1,
        {{0}}};
    const Outcomes found = outcomes_in(flash);
    EXPECT_TRUE(found.complete);
    EXPECT_FALSE(found.needs_progress);  // it may not help
    ASSERT_EQ(found.results.size(), 2U);
    EXPECT_EQ(found.results[0].ending.result, "0");
    const PossibleResult& never = found.results[1];
    EXPECT_TRUE(never.never_ends);
    EXPECT_EQ(never.ending.right, false);
    EXPECT_THAT(replayed(flash, never.turns), HasSubstr("has not ended"));
    Outcomes read;
    from_json(nlohmann::json(found), read);
    EXPECT_TRUE(read.results[1].never_ends);
    // A spin lock whose holder waits for its own warp; where items go by themselves, only who is
    // waited for must get a turn.
    const Example lock{
        "kernel void k(volatile global int* x) {\n"
        "while (atomic_xchg(x, 1) != 0); x[1] = x[1] + 1; atomic_xchg(x, 0); }",
        4,
        4,
        {{0, 0}}};
    const Outcomes lockstep = outcomes_in(lock, 4);
    EXPECT_EQ(results_of(lockstep), std::set<std::string>{"never ends"});
    EXPECT_FALSE(lockstep.needs_progress);
    const Outcomes independent = outcomes_in(lock, 1);
    EXPECT_EQ(results_of(independent), std::set<std::string>{"0 4"});
    EXPECT_TRUE(independent.needs_progress);
}

TEST(Outcomes, TooManyStatesAreIncompleteAndSampled) {
    OutcomesOptions options;
    options.most_states = 150;
    options.samples = 500;
    const Example example = tree(4, 2);
    const Outcomes found = outcomes_in(example, 1, 0, options);
    EXPECT_FALSE(found.complete);
    EXPECT_FALSE(found.cancelled);
    EXPECT_GE(found.states, 150U);
    EXPECT_EQ(found.samples, 500U);
    const bool sampled = std::any_of(found.results.begin(), found.results.end(),
                                     [](const PossibleResult& each) { return each.sampled; });
    EXPECT_TRUE(sampled);
    for (const PossibleResult& each : found.results)
        EXPECT_EQ(replayed(example, each.turns), each.ending.result);
}

TEST(Outcomes, TooManyBytesAreIncompleteAndNamed) {
    OutcomesOptions options;
    options.most_bytes = 100'000;
    options.samples = 20;
    const Outcomes found = outcomes_in(tree(4, 2), 1, 0, options);
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(found.bound, Bound::memory);
    EXPECT_EQ(found.samples, 20U);
    EXPECT_GE(found.bytes, options.most_bytes);
    EXPECT_LT(found.bytes, 2 * options.most_bytes);
    options.most_bytes = OutcomesOptions().most_bytes;
    const Outcomes all = outcomes_in(tree(4, 2), 1, 0, options);
    EXPECT_TRUE(all.complete);
    EXPECT_EQ(all.bound, Bound::none);
    EXPECT_GT(all.bytes, 0U);
    options.most_states = 150;
    EXPECT_EQ(outcomes_in(tree(4, 2), 1, 0, options).bound, Bound::states);
}

// Texts that states have in common are kept once; none is left out of the bound.
TEST(Outcomes, PrintsAreSharedAndCounted) {
    const auto prints = [](int texts) {
        return Example{
            fmt::format("kernel void k(global int* x)\n{{\n    for (int i = 0; i < {}; i++)\n"
                        "        printf(\"%100d\", atomic_inc(x));\n}}\n",
                        texts),
            2,
            1,
            {{0}}};
    };
    OutcomesOptions options = with(Reduction::stubborn);
    options.samples = 0;
    options.shortest = false;
    options.most_states = 1000;
    const Outcomes few = outcomes_in(prints(100), 1, 0, options, first_of);
    EXPECT_EQ(few.bound, Bound::states);
    // Some 200 states on the way, each with a text of its own.
    EXPECT_GT(few.bytes, 200U * 100U);
    options.most_bytes = few.bytes;
    EXPECT_EQ(outcomes_in(prints(100), 1, 0, options, first_of).bound, Bound::states);
    options.most_states = 5000;
    const Outcomes many = outcomes_in(prints(500), 1, 0, options, first_of);
    EXPECT_LT(many.bytes, 16 * few.bytes);
}

// For a state that was left for good its key is kept: a long search of few forks stays small.
TEST(Outcomes, StatesLeftForGoodTakeTheirKeysAlone) {
    OutcomesOptions options = with(Reduction::none);
    options.shortest = false;
    const Outcomes found = outcomes_in(tree(2, 4), 1, 0, options);
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.states, 181'506U);
    EXPECT_LT(found.bytes, found.states * 60);
}

TEST(Outcomes, ToldAndStopped) {
    std::atomic<bool> cancel = false;
    std::uint64_t on_progress = 0;
    OutcomesOptions options = with(Reduction::none);
    options.cancel = &cancel;
    options.on_progress = [&](const Outcomes& so_far) {
        ++on_progress;
        EXPECT_GT(so_far.states, 0U);
        cancel = true;
    };
    const Outcomes found = outcomes_in(tree(4, 2), 1, 0, options);
    EXPECT_GE(on_progress, 1U);
    EXPECT_TRUE(found.cancelled);
    EXPECT_FALSE(found.complete);
    EXPECT_LT(found.states, 100'000U);
}

// The command line is interrupted by the same flag. Units of work are counted, not seconds: each
// search ends with the state at which it is set, whatever is left to be done.
TEST(Outcomes, StopsWithTheStateAtWhichItIsToldTo) {
    for (const std::uint64_t at : {1U, 2U, 8U}) {
        std::atomic<bool> cancel = false;
        std::uint64_t ends = 0;
        OutcomesOptions options;
        options.cancel = &cancel;
        const Outcomes found = outcomes_of(
            machine::job_of(tree(2, 4), 1, 0),
            [&](const machine::Machine& machine, const machine::State& state) {
                cancel = ++ends >= at;
                return plain_ending(machine, state);
            },
            options);
        EXPECT_TRUE(found.cancelled);
        EXPECT_EQ(found.samples, 0U);
        EXPECT_LE(ends, at + found.results.size());
    }
}

TEST(Outcomes, EndsWhereWhatWasFoundIsEnough) {
    OutcomesOptions options;
    options.enough = [](const std::vector<PossibleResult>& results) { return results.size() == 2; };
    const Outcomes two = outcomes_in(tree(2, 4), 1, 0, options);
    EXPECT_EQ(two.results.size(), 2U);
    EXPECT_FALSE(two.complete);
    EXPECT_EQ(two.samples, 0U);
    options.enough_after = kSecondOfEffort;
    EXPECT_EQ(outcomes_in(tree(2, 4), 1, 0, options).results.size(), 16U);
}

// To look at a flag by an atomic that changes nothing is to read it, also while others look.
TEST(Outcomes, AnAtomicThatChangesNothingIsARead) {
    const auto looking = [](const std::string& look) {
        return outcomes_in(
            {"kernel void k(volatile global int* x, global int* y) {\n"
             "    int r = " +
                 look +
                 ";\n"
                 "    if (r == 0) y[get_global_id(0)] = 1;\n}\n",
             4,
             1,
             {{0}, {0, 0, 0, 0}}});
    };
    const Outcomes reads = looking("x[0]");
    EXPECT_TRUE(reads.complete);
    for (const char* look :
         {"atomic_or(x, 0)", "atomic_add(x, 0)", "atomic_sub(x, 0)", "atomic_xor(x, 0)"})
        EXPECT_EQ(looking(look).states, reads.states) << look;
    for (const char* look : {"atomic_or(x, 1)", "atomic_and(x, 0)", "atomic_max(x, 0)"})
        EXPECT_GT(looking(look).states, reads.states) << look;
}

TEST(Outcomes, AUsedUpBudgetIsNotTheEnd) {
    for (const std::uint64_t budget : {1U, 30U}) {
        machine::Job job = machine::job_of(tree(2, 2), 1, 0);
        job.budget = budget;
        const Outcomes found = outcomes_of(job, plain_ending);
        EXPECT_FALSE(found.complete) << budget;
        EXPECT_TRUE(found.endless);
        EXPECT_TRUE(found.results.empty());
    }
}

TEST(Outcomes, NothingToRunHasOneResult) {
    const Outcomes found = outcomes_of({}, [](const auto&, const auto&) {
        return Ending{"0", true};
    });
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(results_of(found), std::set<std::string>{"0"});
}

// In which order lanes come to one cell, and which come together, is the device's.
TEST(Outcomes, WhatIsLeftToLanesIsNotComplete) {
    const auto lanes_of = [](const std::string& text) {
        const Outcomes found =
            outcomes_of(machine::job_of({"//! cuda\n__global__ void k(int* c, int* o) {\n"
                                         "const int t = threadIdx.x; __syncwarp();\n" +
                                             text + " }\n",
                                         3,
                                         3,
                                         {{0}, {0, 0, 0}}},
                                        4, 0),
                        plain_ending);
        EXPECT_EQ(found.complete, found.lanes.empty()) << text;
        EXPECT_EQ(nlohmann::json(found).get<Outcomes>().lanes, found.lanes) << text;
        return found.lanes;
    };
    using How = LaneChoice::How;
    const std::vector<LaneChoice> none, order{{How::order, 4}}, together{{How::together, 4}};
    EXPECT_EQ(lanes_of("o[t] = atomicAdd(c, 1);"), order);
    EXPECT_EQ(lanes_of("atomicAdd(c, 1);"), none);
    EXPECT_EQ(lanes_of("o[t] = atomicAdd(c + t / 3, 0);"), none);
    EXPECT_EQ(lanes_of("atomicCAS(c, 0, t + 1);"), order);
    EXPECT_EQ(lanes_of("atomicCAS(c, 5, t + 1);"), none);
    EXPECT_EQ(lanes_of("atomicExch(c, t);"), order);
    EXPECT_EQ(lanes_of("atomicExch(c, 7);"), none);
    EXPECT_EQ(lanes_of("*c = t;"), order);
    EXPECT_EQ(lanes_of("*c = 7; o[t] = t;"), none);
    EXPECT_EQ(lanes_of("o[t] = __popc(__activemask());"), together);
    EXPECT_EQ(lanes_of("o[t] = __shfl_sync(7, t, 0);"), none);
}

TEST(Outcomes, JsonReadsBack) {
    const nlohmann::json json = outcomes_in(tree(2, 2));
    EXPECT_EQ(nlohmann::json(json.get<Outcomes>()), json);
}

TEST(KnownStates, EachIsNewOnce) {
    KnownStates known;
    constexpr std::uint64_t kCount = 5000;  // the table grows several times
    for (std::uint64_t i = 0; i < kCount; ++i)
        EXPECT_TRUE(known.insert({i * 7919, i}).fresh);
    for (std::uint64_t i = 0; i < kCount; ++i)
        EXPECT_FALSE(known.insert({i * 7919, i}).fresh);
    EXPECT_EQ(known.size(), kCount);
    EXPECT_EQ(known.insert({4000 * 7919, 4000}).number, 4000U);
}

TEST(KnownStates, KeysOfOnePlaceAreToldApart) {
    KnownStates known;
    for (std::uint64_t i = 0; i < 600; ++i)
        EXPECT_TRUE(known.insert({42, i}).fresh);
    EXPECT_TRUE(known.insert({0, 0}).fresh);
    EXPECT_FALSE(known.insert({0, 0}).fresh);
}

TEST(KnownStates, BytesAreThoseOfTheTable) {
    KnownStates known;
    for (std::uint64_t i = 0; i < 768; ++i)
        known.insert({i, i});
    EXPECT_EQ(known.bytes(), 1024U * 20);
    EXPECT_EQ(known.bytes_to_insert(), 3 * known.bytes());
    known.insert({768, 768});
    EXPECT_EQ(known.bytes(), 2048U * 20);
    EXPECT_EQ(known.bytes_to_insert(), known.bytes());
}

TEST(StateBytes, ACopyAddsWhatItWritesAndDropsItAgain) {
    const machine::Example example{
        "kernel void k(global int* x) { x[get_group_id(0)] = 1; }", 2, 1, {{0, 0}}};
    machine::Machine machine(machine::job_of(example, 1), false);
    machine::State first;
    machine.start(first);
    const std::uint64_t whole = bytes_added(first);
    EXPECT_GT(whole, machine::kPageBytes);
    EXPECT_EQ(bytes_dropped(first), whole);
    machine::State second = first;
    const std::uint64_t shared = bytes_added(second, &first);
    EXPECT_LT(shared, 500U);
    EXPECT_EQ(bytes_dropped(second), shared);
    machine::StepResult done;
    machine.act(second, {0, 0}, done);
    const std::uint64_t written = bytes_added(second, &first);
    EXPECT_GT(written, machine::kPageBytes);
    EXPECT_LT(written, whole);
    EXPECT_EQ(bytes_dropped(second), written);
}

}  // namespace

// The search on kernels that wait for each other, and give up.
namespace {

using machine::Example;

TEST(WaitingKernels, GivingUpTakesAMillionLooksAndFewStates) {
    const Example example{
        "kernel void k(volatile global int* x) {\n"
        "if (get_group_id(0) == 1) { x[0] = 1; return; }\n"
        "int looks = 0; while (x[0] == 0 && ++looks < 1000000);\n"
        "x[1] = looks == 1000000 ? 2 : 1; }",
        2,
        1,
        {{0, 0}}};
    machine::Job job = machine::job_of(example, 1, 0);
    const Outcomes found = outcomes_of(job, plain_ending);
    EXPECT_TRUE(found.complete);
    EXPECT_LT(found.states, 30U);
    ASSERT_EQ(results_of(found), (std::set<std::string>{"1 1", "1 2"}));
    for (const PossibleResult& each : found.results) {
        EXPECT_EQ(each.instructions > 0, each.ending.result == "1 2");
        job.budget = each.instructions;
        machine::SchedulingPolicy order = machine::order_of(machine::SchedulingPolicy::Kind::list);
        order.turns = each.turns;
        const auto run = play(job, std::move(order));
        ASSERT_FALSE(run.fault());
        EXPECT_EQ(plain_ending(run.machine(), run.end()).result, each.ending.result);
    }
}

// The lanes of a warp look together, and leave one by one: who is left has looked more often.
TEST(WaitingKernels, LanesThatWaitTogether) {
    for (const char* wait :
         {"int t = 0; while (x[0] != 1 + i && ++t < 20);",
          "int t = 0; do { if (++t == 20) break; } while (x[0] != 1 + i);",
          "int t = 20 - i; while (t > 0 && x[0] != 1 + i) --t; t = t ? 1 : 20;"}) {
        const Example example{
            fmt::format("kernel void k(volatile global int* x) {{ const int i = get_local_id(0);\n"
                        "if (get_group_id(0) == 1) {{ if (i == 0) {{ x[0] = 1; x[0] = 2; }} }}\n"
                        "else {{ {} x[2 + i] = t == 20; }} }}",
                        wait),
            4,
            2,
            {{0, 0, 0, 0}}};
        Seen seen;
        for (const std::uint32_t lanes : {1U, 2U})
            expect_as_plain(example, lanes, 0, seen);
        EXPECT_GT(seen.skips, 0) << wait;
    }
}

// Many looks, of which none can be left out: they can be seen, or others must act between them.
TEST(WaitingKernels, LooksThatCountAreNotSkipped) {
    for (const char* wait : {"int t = 0; while (x[0] == 0 && t < 9) ++t; x[1] = t;",
                             "int t = 0; while (x[0] == 0 && ++t < 9) x[1] = 1 - x[1];",
                             "int t = 0; while (x[0] == 0 && x[t & 1] == 0 && ++t < 9);",
                             "int t = 0; while (atomic_xchg(x, 0) == 0 && ++t < 9);"}) {
        const Example example{fmt::format("kernel void k(volatile global int* x) {{\n"
                                          "if (get_group_id(0) == 1) x[0] = 1; else {{ {} }} }}",
                                          wait),
                              2,
                              1,
                              {{0, 0}}};
        Seen seen;
        expect_as_plain(example, 1, 0, seen);
        EXPECT_EQ(seen.skips, 0) << wait;
    }
}

}  // namespace
}  // namespace lab::analysis
