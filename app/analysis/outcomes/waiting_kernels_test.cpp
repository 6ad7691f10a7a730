// The search beside one without any reduction, on random kernels that wait for each other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "support/plain_search.h"

namespace lab::analysis {
namespace {

using machine::Example;

// Few work-items that write, wait for each other and choose, in global and local memory.
Example waiting_kernel(std::mt19937& random, std::uint64_t groups, std::uint64_t items) {
    const auto any = [&](int bound) {
        return static_cast<int>(random() % static_cast<unsigned>(bound));
    };
    const auto cell = [&] {
        return std::string(any(4) == 0 ? "b[" : "x[") + std::to_string(any(2)) + "]";
    };
    const auto statement = [&]() -> std::string {
        const std::string a = cell(), b = cell();
        const int c = any(3), d = any(3);
        switch (any(9)) {
            case 0:
            case 1:
                return fmt::format("{} = {};", a, c);
            case 2:
                return fmt::format("{} = {};", a, b);
            case 3:
            case 4:
                return fmt::format("while ({} != {});", a, c);
            case 5:
                return fmt::format("if ({} == {}) {} = {};", a, c, b, d);
            case 6:
                return fmt::format("{} = ({} + 1) % 3;", a, a);
            case 7:
                return fmt::format("do {{ {} = {}; }} while ({} == {});", a, c, b, d);
            default:
                return fmt::format("atomic_xchg(&x[{}], {});", any(2), c);
        }
    };
    Example example;
    example.text =
        "kernel void k(volatile global int* x, volatile local int* b) {\n"
        "const int g = get_global_id(0);\n"
        "if (get_local_id(0) == 0) { b[0] = 0; b[1] = 1; }\nbarrier(CLK_LOCAL_MEM_FENCE);\n";
    for (std::uint64_t item = 0; item < groups * items; ++item) {
        example.text += fmt::format("if (g == {}) {{", item);
        for (int i = 1 + any(groups * items > 3 ? 1 : 3); i > 0; --i)
            example.text += " " + statement();
        example.text += " }\n";
    }
    example.text += "}\n";
    example.global = groups * items;
    example.local = items;
    example.buffers = {{any(2), any(3)}};
    example.local_ints = {2};
    return example;
}

TEST(WaitingKernels, GiveWhatAPlainSearchFinds) {
    const int count = random_kernels();
    const Seen seen = search_random(1, waiting_kernel);
    EXPECT_GT(seen.hangs, count / 20);
    EXPECT_GT(seen.rounds, count / 20);
}

// Waits that give up after a few looks, in all the forms that people write, and some that only look
// like it: the number of looks, or what they change, can be seen afterwards.
Example bounded_kernel(std::mt19937& random, std::uint64_t groups, std::uint64_t items) {
    const auto any = [&](int bound) {
        return static_cast<int>(random() % static_cast<unsigned>(bound));
    };
    bool together = false;
    const auto cell = [&]() -> std::string {
        const std::string array = any(5) == 0 ? "b[" : "x[";
        return array + (together && any(2) == 0 ? "g & 1" : std::to_string(any(2))) + "]";
    };
    const char* const types[] = {"int", "uint", "int", "uint", "long", "ulong", "short", "uchar"};
    const std::string type = types[any(8)];
    const auto bounded = [&]() -> std::string {
        const std::string a = cell(), b = cell(), to = cell();
        const int c = any(3), d = any(3), e = any(3);
        const std::string most = any(4) == 0   ? fmt::format("{} + get_local_id(0)", 2 + any(3))
                                 : any(6) == 0 ? std::string("most")
                                               : std::to_string(2 + any(5));
        const std::string none = any(6) == 0 ? "g & 1" : "0";
        switch (any(18)) {
            case 0:
                return fmt::format("for (t = {}; {} != {} && t < {}; ++t);", none, a, c, most);
            case 1:
                return fmt::format("t = {}; while ({} != {} && ++t < {});", none, a, c, most);
            case 2:
                return fmt::format("t = 0; while ({} != {}) if (++t == {}) break;", a, c, most);
            case 3:
            case 4:
                return fmt::format(
                    "t = 0; while ({} != {} && {} != {}) if (++t >= {}) {{ {} = {}; break; }}", a,
                    c, b, d, most, to, e);
            case 5:
                return fmt::format("for (t = {}; {} != {} && t > 0; --t);", most, a, c);
            case 6:
                return fmt::format("t = {}; do {{ }} while ({} != {} && --t);", most, a, c);
            case 7:
                return fmt::format("t = 0; while ({} != {} && t++ < {});", a, c, most);
            case 8:
                return fmt::format("for (t = 0; {} != {} && t < {}; ++t); if (t == {}) {} = {};", a,
                                   c, most, most, to, e);
            case 9:
                return fmt::format("for (t = 0; {} != {} && t < 3; ++t); {} = t;", a, c, to);
            case 10:
                return fmt::format("t = 0; while ({} != {} && ++t < 3) {} = ({} + 1) % 3;", a, c,
                                   to, to);
            case 11:
                return fmt::format("t = 0; while ({} + {} != {} && ++t < {});", a, b, c, most);
            case 12:
                return fmt::format("while ({} != {} && t < {}) ++t;", a, c, 3 + any(3));
            case 13:
                return fmt::format("t = 0; while (atomic_add(&x[{}], 0) != {} && ++t < {});",
                                   any(2), c, most);
            case 14:
                return fmt::format("t = 0; while ({} != {} && t < {}) ++t;", a, c, b);
            case 15:
                return fmt::format(
                    "for (int r = 0; r < 2; ++r) {{ t = 0; while ({} != {} && ++t < {}); {} = r; "
                    "}}",
                    a, c, most, to);
            case 16:
                return fmt::format(
                    "t = 0; while ({} != {}) {{ if ({} == {}) continue; if (++t == {}) return; "
                    "if (t > 9) break; }}",
                    a, c, b, d, most);
            default:
                return fmt::format(
                    "t = 0; do {{ if ({} == {}) break; if ({} == {}) {{ {} = {}; break; }} }} "
                    "while (++t < {});",
                    a, c, b, d, to, e, most);
        }
    };
    const auto statement = [&]() -> std::string {
        const std::string a = cell(), b = cell();
        const int c = any(3), d = any(3);
        switch (any(8)) {
            case 0:
            case 1:
                return fmt::format("{} = {};", a, c);
            case 2:
                return fmt::format("if ({} == {}) {} = {};", a, c, b, d);
            case 3:
                return fmt::format("{} = ({} + 1) % 3;", a, a);
            case 4:
                return any(3) == 0 ? fmt::format("while ({} != {});", a, c)
                                   : fmt::format("atomic_xchg(&x[{}], {});", any(2), c);
            default:
                return bounded();
        }
    };
    Example example;
    example.text = fmt::format(
        "kernel void k(volatile global int* x, volatile local int* b, int most) {{\n"
        "const int g = get_global_id(0);\n{} t = 0;\n"
        "if (get_local_id(0) == 0) {{ b[0] = 0; b[1] = 1; }}\nbarrier(CLK_LOCAL_MEM_FENCE);\n",
        type);
    together = any(2) == 0;
    if (together) example.text += bounded() + "\n";
    together = false;
    for (std::uint64_t item = 0; item < groups * items; ++item) {
        example.text += fmt::format("if (g == {}) {{", item);
        for (int i = 1 + any(groups * items > 3 ? 1 : 3); i > 0; --i)
            example.text += " " + statement();
        example.text += " }\n";
    }
    example.text += "}\n";
    example.global = groups * items;
    example.local = items;
    example.buffers = {{any(2), any(3)}};
    example.local_ints = {2};
    example.numbers = {2 + any(4)};
    return example;
}

TEST(WaitingKernels, BoundedWaitsGiveWhatAPlainSearchFinds) {
    const int count = random_kernels();
    const Seen seen = search_random(2, bounded_kernel);
    EXPECT_GT(seen.hangs, count / 50);
    EXPECT_GT(seen.skips, count / 5);
}

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
    const Outcomes found = outcomes_of(job, ending_of);
    EXPECT_TRUE(found.complete);
    EXPECT_LT(found.states, 30U);
    ASSERT_EQ(results_of(found), (std::set<std::string>{"1 1", "1 2"}));
    for (const PossibleResult& each : found.results) {
        EXPECT_EQ(each.instructions > 0, each.ending.result == "1 2");
        job.budget = each.instructions;
        machine::Order order = machine::order_of(machine::Order::Kind::list);
        order.turns = each.turns;
        const auto run = play(job, std::move(order));
        ASSERT_FALSE(run.fault());
        EXPECT_EQ(ending_of(run.machine(), run.end()).result, each.ending.result);
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
