#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/run.h"
#include "support/example_job.h"
#include "support/trace_event.h"

namespace lab::machine {
namespace {

// A tree over a group, in local memory, and a loop over passes in global memory.
const char* const kTree =
    "kernel void f(global int* in, global int* out, local int* buf)\n{\n"
    "    const uint lid = get_local_id(0);\n"
    "    buf[lid] = in[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {\n"
    "        if (lid < s)\n"
    "            buf[lid] += buf[lid + s];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (lid == 0)\n        out[get_group_id(0)] = buf[0];\n}\n";

Example tree(std::uint64_t groups, std::uint64_t group) {
    Example example{kTree, groups * group, group, {{}, {}}, groups, {group}};
    for (std::uint64_t i = 0; i < groups * group; ++i)
        example.buffers[0].push_back(static_cast<std::int32_t>(i + 1));
    return example;
}

const char* const kRacing =
    "kernel void f(global int* a)\n{\n    const uint id = get_global_id(0);\n"
    "    a[id] = a[(id + 1) % get_global_size(0)] + 1;\n}\n";

TEST(Run, EveryScheduleAndShapeSumsTheSame) {
    for (const std::uint32_t lanes : {1U, 3U, 4U, 32U, 64U})
        for (const std::uint32_t resident : {0U, 1U, 2U})
            for (const SchedulingPolicy::Kind kind :
                 {SchedulingPolicy::Kind::in_order, SchedulingPolicy::Kind::round_robin,
                  SchedulingPolicy::Kind::random}) {
                const auto run = play(job_of(tree(3, 16), lanes, resident), order_of(kind, 9));
                ASSERT_FALSE(run.fault());
                EXPECT_TRUE(run.findings().empty());
                EXPECT_EQ(ints_of(run, 1), (std::vector<std::int32_t>{136, 392, 648}));
            }
}

bool operator_same(const Action& a, const Action& b) {
    return a.mask == b.mask && a.group == b.group && a.pass == b.pass && a.place == b.place &&
           a.warp == b.warp && a.kind == b.kind && a.object == b.object && a.count == b.count &&
           a.epoch_local == b.epoch_local && a.epoch_global == b.epoch_global;
}

TEST(Run, InPartsItIsTheSame) {
    const auto racing = job_of({kRacing, 16, 4, {std::vector<std::int32_t>(16, 1)}}, 1);
    const auto endless =
        job_of({"kernel void f(global int* a) { while (1) a[0] += 1; }", 2, 2, {{0}}}, 1);
    for (Job job : {racing, endless, job_of(tree(3, 16), 4)}) {
        job.budget = 5'000;
        for (const SchedulingPolicy::Kind kind :
             {SchedulingPolicy::Kind::in_order, SchedulingPolicy::Kind::random}) {
            const machine::Run whole(job, order_of(kind, 5));
            for (const std::uint64_t actions : {1U, 100U, 1'000'000U}) {
                const auto parts = machine::Run::begun(job, order_of(kind, 5), {});
                EXPECT_EQ(parts->trace().size(), 0U);
                std::size_t calls = 0;
                for (bool more = true; more; ++calls) {
                    const std::uint64_t before = parts->trace().size();
                    more = parts->go_on(actions);
                    EXPECT_TRUE(!more || parts->trace().size() >= before + actions);
                }
                EXPECT_FALSE(parts->go_on(actions));
                EXPECT_LE(calls, 2 + whole.trace().size() / actions);
                EXPECT_TRUE(actions > 100 || !whole.fault() || calls > 10) << calls;
                ASSERT_EQ(parts->trace().size(), whole.trace().size());
                for (std::uint64_t time = 0; time < whole.trace().size(); ++time)
                    ASSERT_TRUE(
                        operator_same(parts->trace().action(time), whole.trace().action(time)));
                EXPECT_EQ(parts->end().steps, whole.end().steps);
                EXPECT_EQ(parts->fault().has_value(), whole.fault().has_value());
                if (whole.fault()) {
                    EXPECT_EQ(parts->fault()->what, whole.fault()->what);
                    EXPECT_EQ(parts->fault()->why, whole.fault()->why);
                }
                EXPECT_EQ(parts->findings().size(), whole.findings().size());
            }
        }
    }
}

TEST(Run, TheSameJobAndOrderGiveTheSameTrace) {
    const Example racing{kRacing, 16, 4, {std::vector<std::int32_t>(16, 1)}};
    const auto first = play(job_of(racing, 1), order_of(SchedulingPolicy::Kind::random, 5));
    const auto again = play(job_of(racing, 1), order_of(SchedulingPolicy::Kind::random, 5));
    const auto other = play(job_of(racing, 1), order_of(SchedulingPolicy::Kind::random, 6));
    ASSERT_EQ(first.trace().size(), again.trace().size());
    bool differs = false;
    for (std::uint64_t time = 0; time < first.trace().size(); ++time) {
        const Action& a = first.trace().action(time);
        const Action& b = again.trace().action(time);
        EXPECT_TRUE(operator_same(a, b)) << time;
        const auto x = first.trace().accesses(a), y = again.trace().accesses(b);
        ASSERT_EQ(x.size(), y.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_EQ(x[i].before, y[i].before);
            EXPECT_EQ(x[i].after, y[i].after);
            EXPECT_EQ(x[i].index, y[i].index);
            EXPECT_EQ(x[i].node, y[i].node);
        }
        differs = differs || !operator_same(a, other.trace().action(time));
    }
    EXPECT_TRUE(differs);
}

TEST(Run, AStateIsReachedAgainAtAnyTime) {
    auto run = play(job_of(tree(4, 32), 4, 2), order_of(SchedulingPolicy::Kind::random, 2));
    // The memory as the trace's own stores make it, step by step.
    std::vector<std::int32_t> out(4, 0);
    std::vector<bool> written(4, false);
    for (std::uint64_t time = 0; time <= run.trace().size(); time += 7) {
        const State state = run.state_at(time);
        EXPECT_EQ(state.time, time);
        std::fill(written.begin(), written.end(), false);
        for (std::uint64_t t = 0; t < time; ++t) {
            const Action& action = run.trace().action(t);
            const Context& context = run.machine().context(0);
            if (action.kind != ActionKind::store || context.objects[action.object].name != "out")
                continue;
            const Access& access = run.trace().accesses(action)[0];
            out[access.index] = static_cast<std::int32_t>(access.after);
            written[access.index] = true;
        }
        const std::vector<std::int32_t> now = ints_of(run.machine(), state, 1);
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(now[i], written[i] ? out[i] : static_cast<std::int32_t>(0xA5A5A5A5U));
    }
    EXPECT_EQ(ints_of(run.machine(), run.state_at(run.trace().size()), 1), ints_of(run, 1));
}

TEST(Run, CheckpointsLeadToTheSameStateAsTheBeginning) {
    // Long enough for several checkpoints.
    auto run = play(job_of(tree(256, 64), 4, 3), order_of(SchedulingPolicy::Kind::random, 4));
    ASSERT_GT(run.trace().events() + run.trace().size(), 4 * 16'384U);
    Machine fresh(job_of(tree(256, 64), 4, 3));
    State state;
    fresh.start(state);
    StepResult done;
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        if (time % 15013 == 0) {
            EXPECT_EQ(ints_of(run.machine(), run.state_at(time), 1), ints_of(fresh, state, 1));
        }
        const Action& action = run.trace().action(time);
        done.clear();
        fresh.act(state, {*slot_of(state, action.group), action.warp}, done);
    }
    EXPECT_TRUE(fresh.done(state));
}

TEST(State, ACopyGoesItsOwnWay) {
    Machine machine(job_of({kRacing, 4, 4, {{1, 2, 3, 4}}}, 1));
    State state;
    machine.start(state);
    StepResult done;
    machine.act(state, {0, 0}, done);
    const State before = state;
    machine.act(state, {0, 0}, done);  // item 0 stores
    State other = before;
    machine.act(other, {0, 3}, done);  // item 3 loads first, of the old cell 0
    EXPECT_EQ(ints_of(machine, before, 0), (std::vector<std::int32_t>{1, 2, 3, 4}));
    EXPECT_EQ(ints_of(machine, state, 0), (std::vector<std::int32_t>{3, 2, 3, 4}));
    EXPECT_EQ(ints_of(machine, other, 0), (std::vector<std::int32_t>{1, 2, 3, 4}));
    machine.act(state, {0, 3}, done);
    machine.act(state, {0, 3}, done);
    machine.act(other, {0, 3}, done);
    EXPECT_EQ(ints_of(machine, state, 0)[3], 4);
    EXPECT_EQ(ints_of(machine, other, 0)[3], 2);
}

std::multiset<std::uint32_t> inputs_in(const Lineage& lineage, Node node) {
    if (node == 0 || node == kUnwritten) return {};
    const Origin& origin = lineage[node];
    if (origin.is_input) return {origin.index};
    std::multiset<std::uint32_t> all = inputs_in(lineage, origin.left);
    for (const std::uint32_t each : inputs_in(lineage, origin.right))
        all.insert(each);
    return all;
}

TEST(Lineage, TellsWhichInputsAreInAValue) {
    const auto run = play(job_of(tree(2, 8), 4), order_of(SchedulingPolicy::Kind::round_robin));
    std::size_t results = 0;
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        const Event event = event_of(run, time, 0);
        if (event.kind != ActionKind::store ||
            run.machine().context(0).objects[event.object].name != "out")
            continue;
        ++results;
        const auto inputs = inputs_in(run.machine().lineage(), event.node);
        std::multiset<std::uint32_t> all;
        for (std::uint32_t i = 0; i < 8; ++i)
            all.insert(event.group * 8 + i);
        EXPECT_EQ(inputs, all);
    }
    EXPECT_EQ(results, 2U);
}

TEST(Lineage, OfAMinimumByComparisonHasBoth) {
    const Example example{
        "kernel void f(global int* a)\n{\n    const int x = a[0];\n    const int y = a[1];\n"
        "    a[2] = x < y ? x : y;\n    a[3] = x + x;\n    a[4] = (int)get_global_id(0);\n}\n",
        1,
        1,
        {{5, 3, 0, 0, 9}}};
    const auto run = play(job_of(example), order_of(SchedulingPolicy::Kind::in_order));
    const auto node_of = [&](std::uint64_t index) {
        for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
            const Event event = event_of(run, time, 0);
            if (event.kind == ActionKind::store && event.index == index) return event.node;
        }
        return Node{0};
    };
    const Lineage& lineage = run.machine().lineage();
    EXPECT_EQ(inputs_in(lineage, node_of(2)), (std::multiset<std::uint32_t>{0, 1}));
    EXPECT_EQ(inputs_in(lineage, node_of(3)), (std::multiset<std::uint32_t>{0, 0}));
    EXPECT_EQ(node_of(4), 0U);
}

TEST(Lineage, OfAnAtomicSumHasAllThatWasAdded) {
    const Example example{
        "kernel void f(global int* a, global int* sum) { atomic_add(sum, a[get_global_id(0)]); }",
        4,
        2,
        {{1, 2, 3, 4}, {0}}};
    Job job = job_of(example, 1);
    job.buffers[1].is_input = false;
    const auto run = play(std::move(job), order_of(SchedulingPolicy::Kind::random, 3));
    const Event last = event_of(run, run.trace().size() - 1, 0);
    EXPECT_EQ(last.after, 10U);
    EXPECT_EQ(inputs_in(run.machine().lineage(), last.node),
              (std::multiset<std::uint32_t>{0, 1, 2, 3}));
}

TEST(Trace, EventsNameItemPassEpochAndPlace) {
    const auto run = play(job_of(tree(2, 8), 4), order_of(SchedulingPolicy::Kind::round_robin));
    std::set<std::uint64_t> items;
    std::uint32_t last_pass = 0;
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        const Action& action = run.trace().action(time);
        const std::size_t count = run.trace().accesses(action).size();
        EXPECT_EQ(event_of(run, time, 0).time, time);
        for (std::size_t i = 0; i < count; ++i) {
            const Event event = event_of(run, time, i);
            items.insert(event.item);
            EXPECT_EQ(event.pass, event.epoch_local);  // every barrier here fences local memory
            EXPECT_EQ(event.epoch_global, 0U);
            EXPECT_EQ(event.item / 8, event.group);
            last_pass = std::max(last_pass, event.pass);
            const lang::Place& place = run.machine().context(0).code->places[event.place];
            if (event.kind == ActionKind::load && event.pass == 0) {
                EXPECT_EQ(place.line, 4U);
            }
        }
    }
    EXPECT_EQ(items.size(), 16U);
    EXPECT_EQ(last_pass, 4U);
}

TEST(Trace, LanesThatPointToDifferentBuffersAreActionsOfTheirOwn) {
    const Example example{
        "kernel void f(global int* a, global int* b)\n{\n"
        "    global int* p = get_local_id(0) % 2 ? a : b;\n    *p = 7;\n}\n",
        4,
        4,
        {{0}, {0}}};
    auto run = play(job_of(example, 4), order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_EQ(run.trace().size(), 2U);
    EXPECT_FALSE(run.trace().continues(0));
    EXPECT_TRUE(run.trace().continues(1));
    EXPECT_EQ(run.trace().action(0).mask, 0b0101U);
    EXPECT_EQ(run.trace().action(1).mask, 0b1010U);
    EXPECT_EQ(turns_of(run.trace()), (std::vector<ScheduleSlice>{{0, 0, 1, 0}}));
    EXPECT_EQ(ints_of(run, 0)[0], 7);
    EXPECT_EQ(ints_of(run, 1)[0], 7);
    EXPECT_EQ(ints_of(run.machine(), run.state_at(2), 1)[0], 7);
}

TEST(Trace, TakesAtMost64BytesAnEvent) {
    EXPECT_LE(sizeof(Action) + sizeof(Access), 64U);
}

TEST(Run, CanBeCancelled) {
    const std::atomic<bool> cancel{true};
    Recording recording;
    recording.cancel = &cancel;
    const auto run =
        play(job_of(tree(4, 8)), order_of(SchedulingPolicy::Kind::round_robin), recording);
    EXPECT_TRUE(run.cancelled());
}

// Fences, and compare-exchanges that fail, in the order of the run; once more from the trace.
TEST(Run, ObserversSeeDetails) {
    struct Details : Observer {
        std::string text;
        void begin(const Machine&) override {}
        void observe(const Action& action, std::span<const Access>, bool) override {
            text += std::string(name_of(action.kind)) + " ";
        }
        void detail(const Detail& of) override {
            text += of.kind == Detail::Kind::failed  ? "failed"
                    : of.kind == Detail::Kind::fence ? "fence"
                                                     : "ended";
            text += std::to_string(of.flags) + ":" + std::to_string(of.mask) + " ";
        }
    };
    const Example example{
        "kernel void k(global int* x)\n{\n    const int i = get_global_id(0);\n    x[1 + i] = 1;\n"
        "    if (i > 0) write_mem_fence(CLK_GLOBAL_MEM_FENCE);\n    atomic_cmpxchg(x, 0, 5);\n"
        "    mem_fence(CLK_LOCAL_MEM_FENCE);\n    x[1 + i] = 2;\n}\n",
        4,
        4,
        {{0, 0, 0, 0, 0}}};
    Details details;
    Recording recording;
    recording.observers.push_back(&details);
    const auto run = play(job_of(example, 4), {}, recording);
    EXPECT_EQ(details.text, "store fence10:14 failed0:14 atomic fence13:15 store ended0:0 ");
    Details again;
    run.trace().replay(again);
    EXPECT_EQ(again.text, details.text);
}

}  // namespace
}  // namespace lab::machine
