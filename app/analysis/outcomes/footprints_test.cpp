// Searches by what work-items may touch, beside one that reduces nothing.
#include "analysis/outcomes/footprints.h"

#include "support/plain_search.h"

namespace lab::analysis {
namespace {

// Passes with barriers between them, of which data decide who touches what, and sometimes whether
// they are done at all; some wait, some touch what is not there.
Example passes_kernel(std::mt19937& random, std::uint64_t groups, std::uint64_t items) {
    const auto any = [&](int bound) {
        return static_cast<int>(random() % static_cast<unsigned>(bound));
    };
    const auto all = static_cast<int>(groups * items);
    const auto cell = [&]() -> std::string {
        switch (any(8)) {
            case 0:
            case 1:
                return "x[g]";
            case 2:
            case 3:
                return fmt::format("x[(g + 1) % {}]", all);
            case 4:
                return fmt::format("x[x[{}] & 1]", any(2));
            case 5:
                return fmt::format("x[{}]", any(all));
            case 6:
                return "b[l]";
            default:
                return fmt::format("b[{}]", any(2));
        }
    };
    const auto statement = [&]() -> std::string {
        const std::string a = cell(), b = cell();
        const int c = any(3), d = any(3);
        switch (any(16)) {
            case 0:
            case 1:
            case 2:
                return fmt::format("{} = {};", a, b);
            case 3:
            case 4:
                return fmt::format("{} = {};", a, c);
            case 5:
            case 6:
                return fmt::format("if ({} == {}) {} = {};", a, c, b, d);
            case 7:
                return fmt::format("if (x[0] == {}) {{ {} = {}; }} else {{ {} = 1; }}", c, a, d, b);
            case 8:
                return fmt::format("if (g == {}) {{ t = 0; while (x[1] != {} && ++t < 4); }}",
                                   any(all), c);
            case 9:
                return fmt::format("if (g == {}) while ({} == {});", any(all), a, c);
            case 10:
                return fmt::format("for (int i = 0; i < 2; ++i) x[i] = ({} + i) % 3;", a);
            case 11:
                return fmt::format("if (l == 0) atomic_xchg(&x[{}], {});", any(2), c);
            case 12:
                return fmt::format("switch ({}) {{ case 0: {} = 1; break; case 1: {} = 2; }}", a, b,
                                   b);
            case 13:
                return fmt::format("if ({} == 2) return;", a);
            case 14:
                return any(3) == 0
                           ? fmt::format("if (g == {} && {} == {}) x[99] = 1;", any(all), a, c)
                           : fmt::format("{} = {} ? {} : {};", a, b, c, d);
            default:
                return fmt::format("{{ global int* p = x + (({} & 1) ? 1 : 0); *p = {}; }}", b, c);
        }
    };
    Example example;
    example.text =
        "kernel void k(volatile global int* x, volatile local int* b) {\n"
        "const int g = get_global_id(0), l = get_local_id(0); int t = 0;\n";
    const int passes = 1 + any(all > 3 ? 2 : 3);
    for (int pass = 0; pass < passes; ++pass) {
        if (pass > 0) {
            // Sometimes a choice of the group as a whole, or of nobody can tell whom.
            const int kind = any(6);
            example.text += kind == 0   ? "if (b[0] != 2) barrier(CLK_LOCAL_MEM_FENCE);\n"
                            : kind == 1 ? "barrier(CLK_LOCAL_MEM_FENCE); if (b[1] == 2) return;\n"
                                          "barrier(CLK_LOCAL_MEM_FENCE);\n"
                                        : "barrier(CLK_LOCAL_MEM_FENCE);\n";
        } else {
            example.text += "b[l] = l;\nbarrier(CLK_LOCAL_MEM_FENCE);\n";
        }
        const bool one = all > 3 || any(2) == 0;
        if (one) example.text += fmt::format("if (g == {} || l == {}) ", any(all), any(2));
        example.text += "{ " + statement() + (all < 4 ? " " + statement() : "") + " }\n";
    }
    example.text += "}\n";
    example.global = groups * items;
    example.local = items;
    example.buffers = {{any(2), any(3), any(3), any(2)}};
    example.local_ints = {2};
    return example;
}

TEST(Footprints, GiveWhatAPlainSearchFinds) {
    const Seen seen = search_random(3, passes_kernel);
    EXPECT_LT(seen.states, seen.all_states * 3 / 4);
}

// Whoever loops forever must not keep others from going wrong.
TEST(Footprints, AnEndlessLoopPutsOffNobodysFault) {
    const Example example{
        "kernel void k(volatile global int* x, volatile global int* y) {\n"
        "if (get_global_id(0) == 0) while (x[0] == 0); else y[y[0]] = 1; }",
        2,
        1,
        {{0}, {99}}};
    Seen seen;
    expect_as_plain(example, 1, 0, seen);
}

// Leaders that wait for each other, while all others of their groups wait for them.
TEST(Footprints, OnlyThoseWhoMeetAreTriedInAllOrders) {
    const Example example{
        "kernel void k(volatile global int* x, volatile global int* come) {\n"
        "const int g = get_global_id(0);\n"
        "const int sum = x[g] + x[(g + 1) % 8] + x[(g + 2) % 8];\n"
        "barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "if (get_local_id(0) == 0) { atomic_inc(come); while (*come < 2); }\n"
        "barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "x[g] = sum; }",
        8,
        4,
        {{1, 2, 3, 4, 5, 6, 7, 8}, {0}}};
    const Outcomes found = outcomes_in(example, 1, 0);
    EXPECT_TRUE(found.complete);
    EXPECT_TRUE(found.needs_progress);
    EXPECT_EQ(results_of(found), std::set<std::string>{"6 9 12 15 18 21 16 11"});
    EXPECT_LT(found.states, 200U);
}

}  // namespace
}  // namespace lab::analysis
