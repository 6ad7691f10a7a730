#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/schedule.h"
#include "support/example_job.h"
#include "support/temporary_folder.h"

namespace lab::machine {
namespace {

// Each item stores twice.
const Example kTwice{
    "kernel void f(global int* a)\n{\n    a[get_global_id(0)] = 1;\n"
    "    a[get_global_id(0)] = 2;\n}\n",
    4,
    2,
    {{0, 0, 0, 0}}};

std::string turns(const SchedulingPolicy& order, std::uint32_t lanes = 1,
                  std::uint32_t resident = 0) {
    const auto run = play(job_of(kTwice, lanes, resident), order);
    return text_of(turns_of(run.trace()));
}

TEST(Schedule, InOrderRunsEachWarpAsFarAsItGoes) {
    EXPECT_EQ(turns(order_of(SchedulingPolicy::Kind::in_order)), "0.0*2 0.1*2 1.0*2 1.1*2\n");
}

TEST(Schedule, ReversedBeginsWithTheLast) {
    EXPECT_EQ(turns(parse_order("reversed")), "1.1*2 1.0*2 0.1*2 0.0*2\n");
    EXPECT_EQ(turns(parse_order("reversed"), 1, 1), "0.1*2 0.0*2 1.1*2 1.0*2\n");
    EXPECT_EQ(text_of(parse_order("reversed")), "reversed");
}

TEST(Schedule, InOrderMayBeginWithOtherGroups) {
    SchedulingPolicy order = order_of(SchedulingPolicy::Kind::in_order);
    order.groups = {{1}};
    EXPECT_EQ(turns(order), "1.0*2 1.1*2 0.0*2 0.1*2\n");
    order.groups = {{}, {1, 0}};  // of a launch that there is not
    EXPECT_EQ(turns(order), "0.0*2 0.1*2 1.0*2 1.1*2\n");
}

TEST(Schedule, RoundRobinLetsEachWarpActOnce) {
    EXPECT_EQ(turns(order_of(SchedulingPolicy::Kind::round_robin)),
              "0.0 0.1 1.0 1.1 0.0 0.1 1.0 1.1\n");
    EXPECT_EQ(turns(order_of(SchedulingPolicy::Kind::round_robin), 2), "0.0 1.0 0.0 1.0\n");
    EXPECT_EQ(turns(order_of(SchedulingPolicy::Kind::round_robin), 1, 1),
              "0.0 0.1 0.0 0.1 1.0 1.1 1.0 1.1\n");
}

TEST(Schedule, RandomDependsOnTheSeedAlone) {
    const std::string one = turns(order_of(SchedulingPolicy::Kind::random, 1));
    EXPECT_EQ(one, turns(order_of(SchedulingPolicy::Kind::random, 1)));
    EXPECT_NE(one, turns(order_of(SchedulingPolicy::Kind::random, 2)));
}

// What a seed means: the remainder of splitmix64's next number picks one of those that are ready.
void expect_as_by_going_over_all(const Job& job) {
    Machine machine(job);
    State state;
    machine.start(state);
    StepResult done;
    std::vector<ScheduleSlice> turns;
    for (std::uint64_t seed = 7; !machine.done(state);) {
        seed += 0x9E3779B97F4A7C15U;
        std::uint64_t number = seed;
        number = (number ^ number >> 30U) * 0xBF58476D1CE4E5B9U;
        number = (number ^ number >> 27U) * 0x94D049BB133111EBU;
        const std::vector<WarpRef> choices = ready_choices(state);
        const WarpRef choice = choices[(number ^ number >> 31U) % choices.size()];
        const std::uint32_t group = state.groups[choice.slot]->id;
        if (!turns.empty() && turns.back().group == group && turns.back().warp == choice.warp)
            ++turns.back().count;
        else
            turns.push_back({group, choice.warp, 1, 0});
        done.clear();
        machine.act(state, choice, done);
    }
    const auto run = play(job, order_of(SchedulingPolicy::Kind::random, 7));
    EXPECT_TRUE(turns_of(run.trace()) == turns);
}

TEST(Schedule, ARandomOrderIsAsByGoingOverAllThatAreReady) {
    Example example{
        "kernel void f(global int* a)\n{\n"
        "    const int g = get_group_id(0), l = get_local_id(0);\n    if (g % 7 == 3) return;\n"
        "    for (int i = 0; i < g % 5; ++i) a[l] = i;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (l % 3 != g % 3) a[g] = l;\n}\n",
        60 * 66,
        66,
        {{}}};
    example.unwritten = 66;
    for (const std::uint32_t resident : {0U, 3U, 40U}) {
        SCOPED_TRACE(resident);
        Job job = job_of(example, 1, resident);
        job.launches.push_back(job.launches.front());
        expect_as_by_going_over_all(job);
    }
}

// It opens with the last that comes to it, for all groups at once.
TEST(Schedule, ARandomOrderGoesOnBehindABarrierOfTheGrid) {
    Job job = job_of({"kernel void k(global int* a) {}", 120, 3, {{}}, 40}, 1);
    const std::string text =
        "#include <cooperative_groups.h>\nusing namespace cooperative_groups;\n"
        "__global__ void k(int* a) { const int g = blockIdx.x;\n"
        "    a[g] = 1; this_grid().sync(); this_grid().sync();\n"
        "    for (int i = 0; i < g % 4; ++i) a[g] = i; }";
    job.launches[0].code =
        std::make_shared<const lang::Code>(*lang::compile_or_throw({"k.cu", text, ""}).code);
    expect_as_by_going_over_all(job);
}

TEST(Schedule, AFileOfTurnsIsFollowedThenInOrder) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "order.txt";
    std::ofstream(file) << "# the second group first\n1.1*2 0.1,1.0\n";
    EXPECT_EQ(turns(parse_order(file)), "1.1*2 0.1 1.0 0.0*2 0.1 1.0\n");
}

TEST(Schedule, TurnsThatDoNotFitNameTheirLine) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "order.txt";
    std::ofstream(file) << "0.0*2\n0.0\n";
    try {
        turns(parse_order(file));
        FAIL();
    } catch (const Problem& problem) {
        EXPECT_EQ(problem.where, file + ":2");
        EXPECT_EQ(problem.what_happened, "Warp 0 of group 0 cannot act now");
        EXPECT_EQ(problem.why, "It has come to its end");
    }
}

TEST(Schedule, WhatIsNoTurnIsAProblemWithItsPlace) {
    for (const char* bad : {"0.0 x.1", "0.0 1", "0.0 1.", "0.0 1.2*", "0.0 1.2*0", "0.0 -1.0",
                            "0.0 1.2x3", "0.0 99999999999.0"})
        try {
            parse_turns(bad, "file");
            ADD_FAILURE() << bad;
        } catch (const Problem& problem) {
            EXPECT_EQ(problem.where, "file:1:5") << bad;
        }
    EXPECT_THROW(parse_order("random:x"), Problem);
    EXPECT_THROW(parse_order("no such file"), Problem);
}

TEST(Schedule, TextsReadBack) {
    const std::vector<ScheduleSlice> given{{0, 1, 3, 0}, {12, 0, 1, 0}};
    std::vector<ScheduleSlice> read = parse_turns(text_of(given), "");
    for (ScheduleSlice& turn : read)
        turn.line = 0;
    EXPECT_EQ(read, given);
}

TEST(Schedule, ResidentGroupsMakeRoomOneByOne) {
    Machine machine(job_of(kTwice, 2, 1));
    State state;
    machine.start(state);
    ASSERT_EQ(state.groups.size(), 1U);
    StepResult done;
    machine.act(state, {0, 0}, done);
    EXPECT_EQ(state.groups[0]->id, 0U);
    machine.act(state, {0, 0}, done);
    EXPECT_EQ(state.groups[0]->id, 1U);
}

}  // namespace
}  // namespace lab::machine
