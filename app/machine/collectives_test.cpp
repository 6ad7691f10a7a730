#include <gtest/gtest.h>

#include "machine/collectives.h"
#include "support/example_job.h"

namespace lab::machine {
namespace {

// Work-items part and meet again in every way that the language has, between barriers.
const char* const kParting =
    "kernel void f(global const int* in, global int* out, local int* buf)\n{\n"
    "    const uint lid = get_local_id(0), size = get_local_size(0);\n"
    "    buf[lid] = in[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int round = 0; round < 4; ++round) {\n"
    "        int a = (int)lid * 3 + round, b = 0;\n"
    "        if (a % 2 == 0) a += 7;\n"
    "        else if (lid > 5) { a -= 2; b = a << 1; }\n"
    "        else b = 1;\n"
    "        for (int k = 0; k < (int)lid; ++k) {\n"
    "            if (k == 4) continue;\n"
    "            if (k == 9 + round) break;\n"
    "            b += k ^ a;\n"
    "        }\n"
    "        do { a >>= 1; } while (a > 10);\n"
    "        switch (lid & 3u) {\n"
    "            case 0: b += 1; break;\n"
    "            case 1: b = -b;\n"
    "            default: b ^= 3;\n"
    "        }\n"
    "        const int other = lid % 3 == round % 3 ? buf[(lid + 1) % size] : b;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (lid % 5 != 2) buf[lid] = a + other;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (lid == 3) return;\n"
    "    out[get_global_id(0)] = buf[lid] * 2;\n}\n";

Job parting(std::uint64_t group, std::uint64_t budget) {
    Example example{kParting, 2 * group, group, {{}, {}}, 2 * group, {group}};
    for (std::uint64_t i = 0; i < 2 * group; ++i)
        example.buffers[0].push_back(static_cast<std::int32_t>(i * i % 97));
    Job job = job_of(example, 1);
    job.budget = budget;
    return job;
}

void expect_same(const Run& a, const Run& b) {
    EXPECT_EQ(a.end().steps, b.end().steps);
    EXPECT_EQ(ints_of(a, 1), ints_of(b, 1));
    ASSERT_EQ(a.fault().has_value(), b.fault().has_value());
    if (a.fault()) {
        EXPECT_EQ(a.fault()->item, b.fault()->item);
        EXPECT_EQ(a.fault()->place.line, b.fault()->place.line);
    }
    ASSERT_EQ(a.trace().size(), b.trace().size());
    for (std::uint64_t time = 0; time < a.trace().size(); ++time) {
        const Action& x = a.trace().action(time);
        const Action& y = b.trace().action(time);
        ASSERT_TRUE(x.group == y.group && x.warp == y.warp && x.place == y.place &&
                    x.mask == y.mask && x.pass == y.pass && x.turn == y.turn && x.kind == y.kind &&
                    x.object == y.object)
            << time;
        const auto p = a.trace().accesses(x), q = b.trace().accesses(y);
        for (std::size_t i = 0; i < p.size(); ++i)
            ASSERT_TRUE(p[i].index == q[i].index && p[i].after == q[i].after) << time;
    }
}

// Where somebody asks for the flow, each item runs by itself; where turns are listed, a choice is
// made for each action.
TEST(Together, ItemsDoWhatEachDoesByItself) {
    for (const std::uint64_t group : {1U, 6U, 64U, 100U})
        for (const std::uint64_t budget : {0U, 3000U, 20'000U}) {
            Recording recording;
            recording.lineage = false;
            const auto together =
                play(parting(group, budget), order_of(SchedulingPolicy::Kind::in_order), recording);
            recording.flow = true;
            SchedulingPolicy turns = order_of(SchedulingPolicy::Kind::list);
            turns.turns = turns_of(together.trace());
            expect_same(together, play(parting(group, budget), turns, recording));
        }
}

TEST(Together, TheyDoInAnyOrder) {
    Recording recording;
    recording.lineage = false;
    const auto together =
        play(parting(20, 0), order_of(SchedulingPolicy::Kind::random, 3), recording);
    recording.flow = true;
    expect_same(together,
                play(parting(20, 0), order_of(SchedulingPolicy::Kind::random, 3), recording));
    EXPECT_FALSE(together.fault());
}

}  // namespace
}  // namespace lab::machine
