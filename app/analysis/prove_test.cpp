// Tests that what is proved has no race: on the shipped kernels, on the same without one of their
// barriers, and on random kernels, which the simulator runs in many shapes.
//
// 150 random kernels by default; LAB_RANDOM_KERNELS=20000 for more, LAB_RANDOM_SEED=N begins at
// another one.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/formula.h"
#include "analysis/hazards.h"
#include "analysis/prove.h"
#include "base/problem.h"
#include "catalogue/kernel.h"
#include "support/example_job.h"
#include "support/sanitized.h"

namespace lab::analysis::proving {
namespace {

using Verdict = Proof::Verdict;

bool has_solver() {
    try {
        formula::Solver solver;
        return formula::Question(true).ask(solver, {}, 1000).how == formula::Answer::How::met;
    } catch (const Problem&) {
        return false;
    }
}

// Needs z3. Where warnings are errors, so is a solver that is not there.
class Prove : public testing::Test {
  protected:
    void SetUp() override {
        static const bool has = has_solver();
        if (has) return;
        constexpr const char* kMissing = "needs z3: apt-get install z3";
        if (std::getenv("LAB_WERROR") != nullptr) FAIL() << kMissing;
        GTEST_SKIP() << kMissing;
    }
};

ProofOptions quick() {
    ProofOptions options;
    options.effort = 2'000'000;
    options.most_questions = 150;
    options.confirm = false;
    return options;
}

RunSpec spec_of_text(const std::string& text, std::uint64_t group = 0) {
    catalogue::LaunchForm form;
    form.file = "example.cl";
    form.text = text;
    if (group != 0) form.local = Extent(group);
    RunSpec spec;
    spec.kernel = catalogue::kernel_of(form);
    return spec;
}
Verdict verdict_of(const std::string& text) {
    return prove(spec_of_text(text), quick()).verdict;
}
bool is_proved(const std::string& parameters, const std::string& body) {
    return verdict_of(fmt::format("kernel void k({}) {{\n"
                                  "    const uint l = get_local_id(0), L = get_local_size(0);\n"
                                  "    const uint g = get_global_id(0);\n{}}}\n",
                                  parameters, body)) == Verdict::proved;
}

RunSpec shipped(const std::string& id, const std::map<std::string, std::string>& set = {}) {
    static const catalogue::Catalogue all = catalogue::load_catalogue(LAB_SOURCE_DIR "/kernels");
    RunSpec spec;
    spec.kernel = all.find(id);
    spec.shape.set = set;
    return spec;
}

struct Shipped {
    const char* id;
    std::map<std::string, std::string> set;
    Verdict verdict;
};
const std::vector<Shipped>& shipped_verdicts() {
    static const std::vector<Shipped> all{
        {"one-pass", {}, Verdict::proved},
        {"span-modulo", {{"BARRIER", "group"}}, Verdict::proved},
        {"span-modulo", {}, Verdict::unknown},
        {"span-scatter", {{"BARRIER", "group"}}, Verdict::proved},
        {"span-scatter", {}, Verdict::unknown},
        {"span-halving", {{"BARRIER", "group"}}, Verdict::unknown},
        {"span-halving", {}, Verdict::unknown},
        {"relaunch", {}, Verdict::proved},
        {"block-interleaved", {}, Verdict::proved},
        {"block-sequential", {}, Verdict::proved},
        {"block-local", {}, Verdict::proved},
        {"groups-atomic", {}, Verdict::proved},
        {"groups-coarsened", {}, Verdict::proved},
        {"local-master", {}, Verdict::proved},
        {"local-tree", {}, Verdict::proved},
        {"local-tree", {{"BARRIER_LOOP", "off"}}, Verdict::unknown},
        {"local-tree", {{"BARRIER_LOAD", "off"}}, Verdict::unknown},
        {"ladder-1-modulo", {}, Verdict::proved},
        {"ladder-2-strided", {}, Verdict::proved},
        {"ladder-3-sequential", {}, Verdict::proved},
        {"ladder-4-first-add", {}, Verdict::proved},
        {"ladder-5-unrolled", {{"SYNC", "barrier"}}, Verdict::proved},
        {"ladder-5-unrolled", {}, Verdict::unknown},
        {"two-stage", {}, Verdict::proved},
        {"workgroup-builtin", {}, Verdict::proved},
        {"chunk-tree", {}, Verdict::proved},
        // Whether they go on is what memory tells them; or they wait for other groups.
        {"single-pass", {}, Verdict::not_of_that_kind},
        {"tile", {}, Verdict::not_of_that_kind},
        {"grid-barrier", {}, Verdict::not_of_that_kind},
        {"sync-every-item", {}, Verdict::not_of_that_kind},
        {"subgroup", {}, Verdict::not_of_that_kind},
    };
    return all;
}

TEST_F(Prove, ShippedKernelsHaveTheirVerdicts) {
    for (const Shipped& each : shipped_verdicts()) {
        ProofOptions options = quick();
        options.effort = 5'000'000;
        const Proof proof = prove(shipped(each.id, each.set), options);
        EXPECT_EQ(proof.verdict, each.verdict)
            << each.id << " " << catalogue::settings_text(each.set) << ": " << proof.why
            << ", line " << proof.line;
    }
}

// Blanks take the place of the barrier, so that lines stay.
std::vector<std::string> without_a_barrier(const std::string& text) {
    std::vector<std::string> all;
    const std::size_t kernel = text.find("*/");
    for (std::size_t at = kernel; (at = text.find("barrier(", at)) != std::string::npos; ++at) {
        const std::size_t end = text.find(';', at);
        std::string less = text;
        std::fill(less.begin() + static_cast<std::ptrdiff_t>(at),
                  less.begin() + static_cast<std::ptrdiff_t>(end), ' ');
        all.push_back(less);
    }
    return all;
}

TEST_F(Prove, WithoutOneOfItsBarriersAKernelIsNotProved) {
    std::size_t tried = 0;
    for (const Shipped& each : shipped_verdicts()) {
        if (each.verdict != Verdict::proved) continue;
        RunSpec spec = shipped(each.id, each.set);
        for (const std::string& text : without_a_barrier(spec.kernel.text)) {
            spec.kernel.text = text;
            EXPECT_NE(prove(spec, quick()).verdict, Verdict::proved) << text;
            ++tried;
        }
    }
    EXPECT_GE(tried, 20U);
}

TEST_F(Prove, AnIndexThatIsOffByOneIsNotProved) {
    RunSpec spec = shipped("local-tree");
    const std::string text = spec.kernel.text;
    for (const auto& [from, to] :
         std::map<std::string, std::string>{{"lid < width)", "lid <= width)"},
                                            {"buf[lid] = COMBINE", "buf[lid + 1] = COMBINE"},
                                            {"buf[lid] = sum", "buf[lid / 2] = sum"},
                                            {"if (lid == 0)", "if (lid <= 1)"},
                                            {"lid + width]", "lid + width - 1]"},
                                            {"out[get_group_id(0)]", "out[get_group_id(0) / 2]"}}) {
        spec.kernel.text = text;
        const std::size_t at = text.find(from, text.find("*/"));
        ASSERT_NE(at, std::string::npos) << from;
        spec.kernel.text.replace(at, from.size(), to);
        EXPECT_NE(prove(spec, quick()).verdict, Verdict::proved) << to;
    }
}

TEST_F(Prove, RefutesOnlyWhatTheSimulatorConfirms) {
    ProofOptions options = quick();
    options.confirm = true;
    const Proof racy = prove(shipped("local-tree", {{"BARRIER_LOOP", "off"}}), options);
    EXPECT_EQ(racy.verdict, Verdict::refuted);
    EXPECT_NE(racy.run.find("--group "), std::string::npos) << racy.run;
    EXPECT_NE(racy.line, 0U);
    // It races with more than one group, which its header says, and the proof would not be of.
    EXPECT_EQ(prove(shipped("span-halving", {{"BARRIER", "group"}}), options).verdict,
              Verdict::unknown);
    // No data of ours leads there, so it is not said.
    const Proof rare = prove(spec_of_text("kernel void k(global int* x, global const int* y) {\n"
                                          "    if (y[0] == 1234567) x[0] = get_global_id(0);\n}\n"),
                             options);
    EXPECT_EQ(rare.verdict, Verdict::unknown) << rare.run;
}

TEST_F(Prove, BarriersOrderTheMemoryThatTheyName) {
    for (const auto& [space, flag] : {std::pair{"local", "LOCAL"}, std::pair{"global", "GLOBAL"}})
        for (const char* named : {"LOCAL", "GLOBAL"}) {
            // One group, for no barrier orders two.
            const std::string text = fmt::format(
                "kernel void k({} int* x) {{\n    uint l = get_local_id(0);\n"
                "    if (get_num_groups(0) > 1) return;\n"
                "    x[l] = 1;\n    barrier(CLK_{}_MEM_FENCE);\n    int y = x[l + 1];\n}}\n",
                space, named);
            EXPECT_EQ(verdict_of(text) == Verdict::proved, std::string(flag) == named) << text;
        }
}

TEST_F(Prove, TwoGroupsMayTakeTwoWays) {
    const std::string wait = " barrier(CLK_GLOBAL_MEM_FENCE); ";
    const auto proved = [&](const std::string& otherwise) {
        return is_proved("global int* x", "    if (get_group_id(0) == 0) {" + wait +
                                              "if (l == 0) x[1] = 2; }\n" + "    else {" + wait +
                                              otherwise + " }\n");
    };
    EXPECT_FALSE(proved("int y = x[1];"));
    EXPECT_TRUE(proved("int y = x[2];"));
}

TEST_F(Prove, AtomicsDoNotRaceWithEachOther) {
    EXPECT_TRUE(is_proved("global int* x", "    atomic_inc(x);\n    atomic_add(x, 2);\n"));
    EXPECT_FALSE(is_proved("global int* x", "    atomic_inc(x);\n    if (g == 0) x[0] = 2;\n"));
    EXPECT_FALSE(is_proved("global int* x", "    atomic_inc(x);\n    int y = x[0];\n"));
    // Half of one number and the whole of another are not updated in one piece.
    EXPECT_FALSE(is_proved("global int* x",
                           "    atomic_inc(x);\n    atom_inc((volatile global long*)x);\n"));
}

TEST_F(Prove, AccessesThatOverlapMeet) {
    const std::string cells = "    global uchar* c = (global uchar*)x;\n    if (w > 0) return;\n";
    const auto proved = [&](const std::string& body) {
        return is_proved("global int* x", "    const uint w = get_group_id(0);\n" + cells + body);
    };
    EXPECT_TRUE(proved("    c[l] = 1;\n"));
    EXPECT_TRUE(proved("    ((global short*)x)[l] = 1;\n"));
    EXPECT_FALSE(proved("    x[l] = 1;\n    int y = ((global uchar*)x)[4 * l + 7];\n"));
    EXPECT_TRUE(proved("    x[l] = 1;\n    int y = ((global uchar*)x)[4 * l + 3];\n"));
    EXPECT_FALSE(proved("    x[l + 1] = 42;\n    atomic_inc((volatile global int*)(c + 1));\n"));
    EXPECT_TRUE(proved("    vstore4((int4)(1), l, x);\n"));
    EXPECT_FALSE(proved("    vstore4((int4)(1), 0, x + l);\n"));
    EXPECT_FALSE(proved("    ((global int2*)x)[l].y = 1;\n    int y = x[2 * l + 3];\n"));
    EXPECT_TRUE(proved("    ((global int2*)x)[l].y = 1;\n    int y = x[2 * l];\n"));
}

TEST_F(Prove, NobodyPassesABarrierThatOthersDoNotReach) {
    const auto kind = [](const std::string& body) {
        return verdict_of(
            "kernel void k(local int* b, const uint n) {\n"
            "    uint l = get_local_id(0);\n" +
            body + "}\n");
    };
    EXPECT_EQ(kind("    if (l < n) barrier(CLK_LOCAL_MEM_FENCE);\n"), Verdict::not_of_that_kind);
    EXPECT_EQ(kind("    if (l >= n) return;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"),
              Verdict::not_of_that_kind);
    EXPECT_EQ(kind("    for (uint i = l; i < n; ++i) barrier(CLK_LOCAL_MEM_FENCE);\n"),
              Verdict::not_of_that_kind);
    EXPECT_EQ(kind("    for (uint i = 0; i < n; ++i) { if (b[l] > 2) break;\n"
                   "        barrier(CLK_LOCAL_MEM_FENCE); }\n"),
              Verdict::not_of_that_kind);
    for (const char* each :
         {"    for (uint i = 0; i < n; ++i) { barrier(CLK_LOCAL_MEM_FENCE); if "
          "(b[l] > 2) break; }\n",
          "    do barrier(CLK_LOCAL_MEM_FENCE); while (b[l] > 2);\n",
          "    for (uint i = 0; ; ++i) if (i >= n) break;\n    if (l < n) "
          "barrier(CLK_LOCAL_MEM_FENCE);\n",
          "    for (uint i = 0; i < n; ++i) if (l == 0) return;\n    "
          "barrier(CLK_LOCAL_MEM_FENCE);\n",
          "    if (l < n) work_group_reduce_add(1);\n",
          "    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_item);\n"})
        EXPECT_EQ(kind(each), Verdict::not_of_that_kind) << each;
    // What one of them reads later is another number, where somebody writes it.
    EXPECT_EQ(verdict_of("kernel void k(global int* x, uint n) {\n    int v = x[1];\n"
                         "    for (uint i = 0; i < n; ++i) {\n"
                         "        if (v > 2) barrier(CLK_GLOBAL_MEM_FENCE);\n"
                         "        if ((i & 1) == (get_local_id(0) == 0)) v = x[1];\n"
                         "        barrier(CLK_GLOBAL_MEM_FENCE);\n"
                         "        if (get_global_id(0) == 0) x[1] = 5 - v;\n"
                         "        barrier(CLK_GLOBAL_MEM_FENCE);\n    }\n}\n"),
              Verdict::not_of_that_kind);
    EXPECT_EQ(kind("    if (n > 2) barrier(CLK_LOCAL_MEM_FENCE);\n"), Verdict::proved);
    EXPECT_EQ(kind("    for (uint i = 0; i < n; ++i) barrier(CLK_LOCAL_MEM_FENCE);\n"),
              Verdict::proved);
    // Not each turn of the loop has one.
    EXPECT_NE(kind("    for (uint i = 0; i < n; ++i) { b[l + i] = 1;\n"
                   "        if (i % 2 == 0) barrier(CLK_LOCAL_MEM_FENCE); }\n"),
              Verdict::proved);
    EXPECT_NE(kind("    for (uint i = 0; i < n; ++i) { b[l + i] = 1; if (i == 3) continue;\n"
                   "        barrier(CLK_LOCAL_MEM_FENCE); }\n"),
              Verdict::proved);
}

TEST_F(Prove, ATurnMeetsTheNextOneAndWhatIsAroundTheLoop) {
    const auto proved = [](const std::string& body) {
        return is_proved("local int* b, const uint n", body);
    };
    const std::string wait = "barrier(CLK_LOCAL_MEM_FENCE);";
    EXPECT_TRUE(proved("    for (uint i = 0; i < n; ++i) { b[l] = 1; " + wait +
                       " int y = b[l + 1]; " + wait + " }\n"));
    EXPECT_FALSE(
        proved("    for (uint i = 0; i < n; ++i) { b[l] = 1; " + wait + " int y = b[l + 1]; }\n"));
    EXPECT_FALSE(proved("    int y = b[l + 1];\n    for (uint i = 0; i < n; ++i) { b[l] = 1; " +
                        wait + " }\n"));
    EXPECT_FALSE(proved("    for (uint i = 0; i < n; ++i) { " + wait +
                        " b[l] = 1; }\n    int y = b[l + 1];\n"));
    EXPECT_FALSE(proved("    b[l] = 1;\n    for (uint i = 0; i < n; ++i) { " + wait +
                        " }\n    int y = b[l + 1];\n"));
    EXPECT_FALSE(proved("    b[l] = 1;\n    for (uint i = 0; ; ++i) { if (i >= n) break; " + wait +
                        " }\n    int y = b[l + 1];\n"));
    EXPECT_FALSE(proved("    for (uint i = 0; ; ++i) { " + wait +
                        " b[l] = 1; if (i >= n) break; }\n    int y = b[l + 1];\n"));
    EXPECT_TRUE(proved("    for (uint i = 0; ; ++i) { b[l] = 1; " + wait + " if (i >= n) break; " +
                       wait + " }\n    int y = b[l + 1];\n"));
}

// What terms are simplified to has the value that it had: the solver works out both.
TEST_F(Prove, SharesThatAreAsLongAsEachOtherDoNotOverlap) {
    const auto proved = [](const std::string& chunk, const std::string& body) {
        ProofOptions options = quick();
        options.effort = 5'000'000;
        const std::string text = fmt::format(
            "kernel void k(global int* x, uint n, ulong m) {{\n"
            "    const uint l = get_local_id(0), L = get_local_size(0);\n"
            "    if (get_group_id(0) > 0) return;\n    const ulong c = {};\n{}}}\n",
            chunk, body);
        return prove(spec_of_text(text), options).verdict == Verdict::proved;
    };
    const std::string from = "    const ulong i = l * c;\n    if (i >= n) return;\n";
    const std::string up = "(n + (ulong)L - 1) / L";
    EXPECT_TRUE(proved(up, from + "    x[i] = 1;\n"));
    EXPECT_TRUE(
        proved(up, from + "    for (ulong k = i; k < min(i + c, (ulong)n); ++k) x[k] = 1;\n"));
    EXPECT_TRUE(proved(up, from + "    if (l % 2 == 0) x[i] = x[i + c];\n"));
    // A share more, a cell more, a share of none, and one that is so long that all begins anew.
    EXPECT_FALSE(proved(up, from + "    if (l % 2 == 0) x[i] = x[i + 2 * c];\n"));
    EXPECT_FALSE(
        proved(up, from + "    for (ulong k = i; k < min(i + c + 1, (ulong)n); ++k) x[k] = 1;\n"));
    EXPECT_FALSE(proved("n / L", from + "    x[i] = 1;\n"));
    EXPECT_FALSE(proved("m", "    if (m == 0) return;\n    x[l * c] = 1;\n"));
}

// What is required of a product, a quotient or a rest in the place of its value holds for it.
TEST_F(Prove, ProductsThatAreOnlyOrderedMayHaveTheirValues) {
    using formula::Question;
    formula::Solver solver;
    std::mt19937_64 random(2);
    for (int round = 0; round < 60; ++round) {
        const std::uint8_t width = round % 3 == 0 ? 8 : round % 3 == 1 ? 32 : 64;
        const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
        formula::Terms terms;
        Question question(true, Question::Products::ordered);
        std::vector<std::pair<const formula::Term*, std::uint64_t>> numbers;
        for (int i = 0; i < 6; ++i)
            numbers.emplace_back(terms.symbol(formula::Scope::item, width),
                                 (random() >> (random() % 64)) & mask);
        const auto is = [&](const formula::Term* term, std::uint64_t value) {
            question.require(
                fmt::format("(= {} (_ bv{} {}))", question.name(term, 0), value & mask, width));
        };
        for (const auto& [term, value] : numbers)
            is(term, value);
        for (const auto& [a, x] : numbers)
            for (const auto& [b, y] : numbers) {
                is(terms.multiply(a, b), x * y);
                if (y == 0) continue;
                is(terms.divide(a, b, false), x / y);
                is(terms.remainder(a, b, false), x % y);
            }
        EXPECT_FALSE(question.is_exact());
        EXPECT_EQ(question.ask(solver, {}, 5'000'000).how, formula::Answer::How::met) << round;
    }
}

TEST_F(Prove, AFenceOrdersWhatTwoWorkItemsDoNotTell) {
    const std::string hand =
        "kernel void k(global int* x, global atomic_int* f) {\n"
        "    x[get_global_id(0) / 2] = 1;\n    atomic_fetch_add(f, 1);\n";
    EXPECT_EQ(verdict_of(hand + "}\n"), Verdict::unknown);
    const Proof fenced = prove(
        spec_of_text(hand + "    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel,"
                            " memory_scope_device);\n}\n"),
        quick());
    EXPECT_EQ(fenced.verdict, Verdict::not_of_that_kind);
    EXPECT_EQ(fenced.line, 4U);
}

// One that has ended, or was asked something else before, answers as a new one does.
TEST_F(Prove, ASolverAnswersEachQuestionForItself) {
    const std::string a = "(declare-const a Bool)(assert a)", no = "(assert (not a))";
    const std::string ask = "(check-sat)\n";
    formula::Solver solver;
    for (int round = 0; round < 2; ++round) {
        EXPECT_THAT(solver.answer(a + ask, 1000), testing::StartsWith("sat\n"));
        EXPECT_THAT(solver.answer(a + no + ask, 1000), testing::StartsWith("unsat\n"));
        EXPECT_THAT(solver.answer("(exit)", 1000), testing::Not(testing::StartsWith("sat")));
    }
}

TEST_F(Prove, SimplifiedFormulasKeepTheirValues) {
    using formula::Op;
    using formula::Term;
    std::mt19937_64 random(1);
    const auto any = [&](std::uint64_t bound) { return random() % bound; };
    formula::Terms terms;
    formula::Question question(true);
    formula::Solver solver;
    std::vector<std::string> wrong;
    const auto low = [](std::uint64_t value, int width) {
        return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
    };
    const auto with_sign = [](std::uint64_t value, int width) {
        return static_cast<std::int64_t>(value << (64 - width)) >> (64 - width);
    };
    struct Known {
        const Term* term;
        std::uint64_t value;
    };
    for (int round = 0; round < 100; ++round) {
        std::vector<Known> all;
        const auto width_at = [](int i) {
            return std::uint8_t(i % 2 == 0 ? 32 : i % 4 == 1 ? 8 : 64);
        };
        for (int i = 0; i < 8; ++i) {
            const std::uint8_t width = width_at(i);
            const std::uint64_t bit = any(width);
            const Known made[] = {
                {terms.symbol(formula::Scope::launch, width), low(random() >> any(64), width)},
                {terms.value(width, low(random() >> any(64), width)), 0},
                {terms.symbol(formula::Scope::launch, width), bit}};
            Known each = made[any(3)];
            if (each.term->is_value())
                each.value = each.term->value;
            else
                question.require(fmt::format("(= {} (_ bv{} {}))", question.name(each.term, 0),
                                             each.value, width));
            if (each.value == bit && each.term == made[2].term)
                each = {terms.power(width, each.term), std::uint64_t{1} << bit};
            all.push_back(each);
        }
        for (int step = 0; step < 12; ++step) {
            const Known a = all[any(all.size())], other = all[any(all.size())];
            const std::uint8_t width = a.term->width;
            const bool is_signed = any(2) == 0;
            const Known b{terms.resized(other.term, width, is_signed),
                          low(is_signed ? static_cast<std::uint64_t>(
                                              with_sign(other.value, other.term->width))
                                        : other.value,
                              width)};
            const std::int64_t x = with_sign(a.value, width), y = with_sign(b.value, width);
            const bool less = is_signed ? x < y : a.value < b.value;
            const bool plain = b.value != 0 && !(is_signed && y == -1);
            const Term* condition = terms.less(a.term, b.term, is_signed);
            const std::uint64_t count = low(b.value, 8) % width;
            const Term* by = terms.bits(Op::bits_and, b.term, terms.value(width, width - 1U));
            const std::uint64_t counted = b.value & (width - 1U);
            Known made = b;
            switch (any(12)) {
                case 0:
                    made = {terms.add(a.term, b.term), a.value + b.value};
                    break;
                case 1:
                    made = {terms.subtract(a.term, b.term), a.value - b.value};
                    break;
                case 2:
                case 3:
                    made = {terms.multiply(a.term, b.term), a.value * b.value};
                    break;
                case 4:
                    if (plain)
                        made = {terms.divide(a.term, b.term, is_signed),
                                is_signed ? static_cast<std::uint64_t>(x / y) : a.value / b.value};
                    break;
                case 5:
                    if (plain)
                        made = {terms.remainder(a.term, b.term, is_signed),
                                is_signed ? static_cast<std::uint64_t>(x % y) : a.value % b.value};
                    break;
                case 6:
                    made = {terms.shift_left(a.term, by), a.value << counted};
                    break;
                case 7:
                    made = {
                        terms.shift_right(a.term, by, is_signed),
                        is_signed ? static_cast<std::uint64_t>(x >> counted) : a.value >> counted};
                    break;
                case 8:
                    made = {terms.bits(Op::bits_and, a.term, b.term), a.value & b.value};
                    break;
                case 9:
                    made = {terms.bits(Op::bits_xor, a.term, b.term), a.value ^ b.value};
                    break;
                case 10:
                    made = {terms.choose(condition, a.term, b.term), less ? a.value : b.value};
                    break;
                default:
                    made = {terms.choose(terms.equal(terms.choose(condition, terms.value(width, 1),
                                                                  terms.value(width, count)),
                                                     terms.value(width, 1)),
                                         b.term, a.term),
                            less || count == 1 ? b.value : a.value};
            }
            made.value = low(made.value, width);
            all.push_back(made);
            wrong.push_back(question.define(fmt::format(
                "(not (= {} (_ bv{} {})))", question.name(made.term, 0), made.value, width)));
        }
    }
    question.require(formula::any_of(wrong));
    EXPECT_EQ(question.ask(solver, {}, 100'000'000).how, formula::Answer::How::unmet);
}

// Small kernels with affine indices, guards, loops over powers of two or over ids, barriers that
// only some launches meet, functions, and pointers that move.
class RandomText {
  public:
    explicit RandomText(std::uint32_t seed) : random_(seed), care_(30 * any(4)) {
        text_ =
            "uint get(local int* b, uint i) { return b[i]; }\n"
            "void put(local int* b, uint i, uint n) {\n"
            "    if (i < n) {\n        b[i] = 1;\n        return;\n    }\n    b[i + 1] = 2;\n}\n"
            "void meet(uint n) {\n    if (n > 3) barrier(CLK_LOCAL_MEM_FENCE);\n}\n"
            "kernel void k(global int* x, global int* y, local int* b, local int* c, const uint n) "
            "{\n"
            "    const uint l = get_local_id(0), L = get_local_size(0);\n"
            "    const uint g = get_global_id(0), w = get_group_id(0);\n"
            "    uint s = L, i = l, p = 1;\n    int v = 0;\n    uchar t = (uchar)l;\n"
            "    bool f = n > 2;\n    local int* q = b + l;\n    global int* r = x + g;\n";
        // Of one group only, or of all.
        if (chance(40)) text_ += "    if (get_num_groups(0) > 1) return;\n";
        const int count = 1 + any(4);
        for (int at = 0; at < count; ++at)
            statement(1);
        text_ += "}\n";
    }
    const std::string& text() const { return text_; }

  private:
    int any(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
    bool chance(int percent) { return any(100) < percent; }
    template <std::size_t N>
    std::string one_of(const char* const (&all)[N]) {
        return all[any(N)];
    }
    std::string local_index() {
        if (chance(care_)) return "l";
        return one_of({"l",
                       "l",
                       "l + s",
                       "l + s",
                       "l + 1",
                       "2 * l",
                       "l / 2",
                       "(l + 1) % L",
                       "L - 1 - l",
                       "l ^ 1",
                       "s",
                       "0",
                       "l & ~1u",
                       "i",
                       "i",
                       "l * p",
                       "2 * s * l",
                       "l + p",
                       "v & 3",
                       "w",
                       "l + n",
                       "l + L",
                       "l % s",
                       "i + L",
                       "t",
                       "l + f",
                       "(uchar)(l * 64)",
                       "((int)l - 2) / 2 + 1",
                       "l >> 1",
                       "n > 2 ? l : l + 1",
                       "l << 1 | 1",
                       "i % L"});
    }
    std::string global_index() {
        if (chance(care_)) return "g";
        return one_of({"g",
                       "g",
                       "g + 1",
                       "g + n",
                       "w",
                       "w",
                       "2 * g",
                       "l",
                       "i",
                       "0",
                       "g + s",
                       "w * L + l",
                       "w * L",
                       "w * L + s",
                       "g ^ 1",
                       "get_global_size(0) - 1 - g",
                       "g / L",
                       "v & 3",
                       "g + get_global_size(0)",
                       "g + p",
                       "g + t",
                       "i * get_num_groups(0) + w"});
    }
    std::string cell() {
        switch (any(12)) {
            case 0:
            case 1:
                return fmt::format("x[{}]", global_index());
            case 2:
                return fmt::format("y[{}]", global_index());
            case 3:
                return fmt::format("c[{}]", local_index());
            case 4:
                return one_of({"*q", "*q", "q[s]", "q[L]", "*r", "r[n]"});
            case 5:
                return fmt::format("((local uchar*)b)[4 * ({}) + {}]", local_index(), any(6));
            case 6:
                return fmt::format("((local char*)q)[{}]", any(5));
            default:
                return fmt::format("b[{}]", local_index());
        }
    }
    std::string uniform() {
        return one_of({"n > 2", "n > 2", "n == 5", "w == 0", "L > 3", "s > 2", "p < L", "f"});
    }
    std::string guard() {
        if (chance(20)) return uniform();
        return one_of({"l < s",
                       "l < s",
                       "l == 0",
                       "l < s / 2",
                       "g < n",
                       "l % 2 == 0",
                       "l % (2 * s) == 0",
                       "l % s == 0",
                       "l + s < L",
                       "l + 1 < L",
                       "v > 2",
                       "y[0] > 2",
                       "(l & (s - 1)) == 0",
                       "l >= s",
                       "l < s && l + s < L",
                       "l % (2 * p) == 0 && l + p < L",
                       "l > 0 || n == 5",
                       "l < p",
                       "i < n",
                       "(i += 1) < L",
                       "l < s && b[l] > 0",
                       "v == 0 || (i = 0) < n",
                       "t < 2",
                       "(int)f == 1",
                       "i-- > l",
                       "l != 0"});
    }
    std::string barrier() {
        return one_of({"barrier(CLK_LOCAL_MEM_FENCE);", "barrier(CLK_LOCAL_MEM_FENCE);",
                       "barrier(CLK_GLOBAL_MEM_FENCE);",
                       "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", "meet(n);"});
    }
    void line(int depth, const std::string& words) {
        text_ += std::string(static_cast<std::size_t>(4 * depth), ' ') + words + "\n";
    }
    void statements(int depth, int count) {
        for (int at = 0; at < count; ++at)
            statement(depth + 1);
    }
    void branch(int depth) {
        const bool with_barrier = chance(40);
        line(depth, fmt::format("if ({}) {{", with_barrier ? uniform() : guard()));
        statements(depth, 1 + any(2));
        if (with_barrier) line(depth + 1, barrier());
        if (with_barrier && chance(50)) statement(depth + 1);
        if (chance(12)) line(depth + 1, "return;");
        if (chance(40)) {
            line(depth, "} else {");
            statements(depth, 1 + any(2));
            if (chance(30)) line(depth + 1, barrier());
            if (chance(8)) line(depth + 1, "return;");
        }
        line(depth, "}");
    }
    void loop(int depth) {
        const bool last = chance(25);
        line(depth,
             last ? "do {"
                  : one_of({"for (s = L / 2; s > 0; s /= 2) {", "for (s = 1; s < L; s *= 2) {",
                            "for (s = L / 2; s > 0; s >>= 1) {", "for (i = l; i < n; i += L) {",
                            "for (uint k = 0; k < n; ++k) {", "for (uint k = 0; k < 3; ++k) {",
                            "for (p = 1; p <= L; p <<= 1) {", "for (i = 0; i < 4; i += 1) {",
                            "for (s = L; s > 1; s = (s + 1) / 2) {", "while (s > 2) { s /= 2;",
                            "for (uint k = 0; k < l; ++k) {", "for (i = l; i < L; ++i) {",
                            "while (++i < n) {", "while (i-- > 0) {", "for (; q < b + n; ++q) {",
                            "for (uint k = n; k-- > 0;) {", "for (; i < n; i += s) {"}));
        statements(depth, 1 + any(3));
        if (chance(15)) line(depth + 1, "if (" + guard() + ") break;");
        if (chance(8))
            line(depth + 1, fmt::format("if ({}) {{ {} = 1; break; }}", guard(), cell()));
        if (chance(10)) line(depth + 1, "if (" + guard() + ") continue;");
        if (chance(6)) line(depth + 1, "if (" + guard() + ") return;");
        if (chance(60)) line(depth + 1, barrier());
        if (chance(20)) statement(depth + 1);
        line(depth, !last
                        ? "}"
                        : one_of({"} while (++i < n);", "} while (i++ < s);", "} while (--s > 1);",
                                  "} while ((p *= 2) < L);", "} while (p < n && ++p < L);"}));
    }
    void statement(int depth) {
        switch (depth > 3 ? any(8) : any(16)) {
            case 0:
                line(depth, barrier());
                return;
            case 1:
                line(depth, fmt::format("v = {};", cell()));
                return;
            case 2:
                line(depth, one_of({"s /= 2;",
                                    "i += L;",
                                    "p *= 2;",
                                    "s = L / 2;",
                                    "i = l;",
                                    "v += 1;",
                                    "i = g;",
                                    "p = 1;",
                                    "++q;",
                                    "q += L;",
                                    "q = b;",
                                    "q = c + l;",
                                    "r = y + g;",
                                    "r += s;",
                                    "--r;",
                                    "t += 64;",
                                    "t = (uchar)(l + 250);",
                                    "f = !f;",
                                    "f += 2;",
                                    "f = l < s;",
                                    "i = n > 3 ? i + 1 : i;",
                                    "i = get(b, l) & 3;"}));
                return;
            case 3:
                line(depth, fmt::format("atomic_inc({});",
                                        one_of({"b", "b + l", "x", "x + g", "y + w", "q"})));
                return;
            case 4:
                line(depth, one_of({"put(b, l, n);", "put(c, l, s);", "v = (int)get(b, l + s);",
                                    "vstore2((int2)(v), l, b);", "((local int2*)b)[l].y = 1;",
                                    "v = vload2(l, c).x;", "put(b, i, L);"}));
                return;
            case 5:
            case 6:
            case 7:
                line(depth, fmt::format("{} = v + {};", cell(), any(3)));
                return;
            case 8:
                line(depth, fmt::format("if ({})", guard()));
                line(depth + 1, fmt::format("{} = {};", cell(), cell()));
                return;
            case 9:
            case 10:
            case 11:
                branch(depth);
                return;
            default:
                loop(depth);
        }
    }

    std::mt19937 random_;
    int care_;  // percent of the indices that are each work-item's own
    std::string text_;
};

// The first shape with a race; empty: none was met.
std::string race_of(const std::string& text, std::uint64_t locals = 2) {
    std::mt19937 random(1);
    machine::Example example;
    example.text = text;
    for (const std::uint64_t group : {2U, 4U, 8U, 3U, 5U, 6U})
        for (const std::uint64_t groups : {1U, 2U, 3U})
            for (const int n : {0, 1, 3, 4, 5, 8}) {
                example.global = groups * group;
                example.local = group;
                example.buffers.assign(2, std::vector<std::int32_t>(300));
                for (auto& buffer : example.buffers)
                    for (std::int32_t& each : buffer)
                        each = static_cast<std::int32_t>(random() % 5);
                example.local_ints.assign(locals, 300);
                example.numbers = {n};
                machine::Job job = machine::job_of(example, 1);
                job.budget = 200'000;
                HazardSearchOptions how;
                how.first_race = true;
                how.most_steps = 20'000;
                const HazardSearch search =
                    search_hazards(job, {machine::SchedulingPolicy::Kind::in_order}, how);
                if (races_in(search.hazards) > 0)
                    return fmt::format("{} groups of {}, n = {}", groups, group, n);
            }
    return "";
}

// What each is about, what is declared before the kernel, and the kernel's body.
struct Racy {
    const char *about, *before, *body;
};
constexpr std::array kRacy{
    Racy{"a condition after the turn that counts", "",
         "    uint i = 0;\n    do\n        b[l + i] = 1;\n    while (++i < n);\n"},
    Racy{"the same, where all wait in each turn", "",
         "    uint i = 0;\n    do {\n        if (i == 1) b[0] = (int)l;\n"
         "        barrier(CLK_LOCAL_MEM_FENCE);\n    } while (++i < n);\n"},
    Racy{"a condition before the turn that counts", "",
         "    uint i = n;\n    while (i-- > 0)\n        b[l + i] = 1;\n"},
    Racy{"a read in a literal of a structure", "typedef struct { int a, c; } P;\n",
         "    const P p = (P){b[l + 1], 0};\n    b[l] = p.a;\n"},
    Racy{"a write in a literal of a structure", "typedef struct { int a, c; } P;\n",
         "    const P p = (P){b[0] = (int)l, 0};\n    b[1 + l] = p.a;\n"},
    Racy{"a read in a literal of an array", "",
         "    const int v = ((int[2]){b[l + 1], 0})[0];\n    b[l] = v;\n"},
    Racy{"a way around a barrier that only some launches meet", "",
         "    if (n > 3 || l == 0) {\n        if (l == 0) b[0] = 1;\n"
         "        if (n > 3) barrier(CLK_LOCAL_MEM_FENCE);\n"
         "    } else\n        b[1 + l] = b[0];\n"},
    Racy{"turns that go two ways, whose barriers order other memory", "",
         "    if (get_num_groups(0) > 1) return;\n    for (uint i = 0; i < n; ++i)\n"
         "        if (i % 2 == 0) {\n            x[l] = 1;\n"
         "            barrier(CLK_LOCAL_MEM_FENCE);\n        } else {\n"
         "            y[l] = x[l + 1];\n            barrier(CLK_LOCAL_MEM_FENCE);\n        }\n"},
    Racy{"a return before a barrier, and a way around both", "",
         "    if (n > 3 && l != 0) {\n    } else {\n        if (n > 3) {\n            b[0] = 1;\n"
         "            return;\n        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n"
         "    b[1 + l] = b[0];\n"},
    Racy{"the same in a function",
         "void f(local int* b, uint l, uint n) {\n"
         "    if (n > 3 && l != 0) {\n    } else {\n        if (n > 3) {\n            b[0] = 1;\n"
         "            return;\n        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n"
         "    b[1 + l] = b[0];\n}\n",
         "    f(b, l, n);\n"},
    Racy{"a return from a loop, and others that break out of it", "",
         "    for (uint i = 0; i < n; ++i) {\n        if (n > 3 && l != 0) break;\n"
         "        if (n > 3) {\n            b[0] = 1;\n            return;\n        }\n"
         "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    b[1 + l] = b[0];\n"},
    Racy{"the same in a loop of three turns", "",
         "    for (uint i = 0; i < 3; ++i) {\n        if (n > 3 && l != 0) break;\n"
         "        if (n > 3) {\n            b[0] = 1;\n            return;\n        }\n"
         "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    b[1 + l] = b[0];\n"},
    Racy{"a return in one turn, and a read in the next", "",
         "    for (uint i = 0; i < 3; ++i) {\n        if (i == 1) b[1 + l] = b[0];\n"
         "        if (n > 3 && l != 0) continue;\n        if (n > 3) {\n            b[0] = 1;\n"
         "            return;\n        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n"},
    Racy{"a break in one turn, and a read in the next", "",
         "    for (uint i = 0; i < 3; ++i) {\n        if (i == 1) b[1 + l] = b[0];\n"
         "        if (n > 3 && l != 0) continue;\n        if (n > 3) {\n            b[0] = 1;\n"
         "            break;\n        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n"},
    Racy{"a break before a barrier, and a way around both", "",
         "    for (uint i = 0; i < n; ++i) {\n        if (n > 3 && l != 0) {\n        } else {\n"
         "            if (n > 3) {\n                b[0] = 1;\n                break;\n            "
         "}\n"
         "            barrier(CLK_LOCAL_MEM_FENCE);\n        }\n        b[1 + l] = b[0];\n"
         "        if (n > 3) break;\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n"},
    Racy{"a continue before a barrier, and a way around both", "",
         "    for (uint i = 0; i < n; ++i) {\n        barrier(CLK_LOCAL_MEM_FENCE);\n"
         "        if (n > 3 && l != 0) {\n        } else {\n            if (n > 3) {\n"
         "                if (i == 2) b[0] = 1;\n                continue;\n            }\n"
         "            barrier(CLK_LOCAL_MEM_FENCE);\n        }\n"
         "        if (i == 2) b[1 + l] = b[0];\n    }\n"},
    Racy{"components of components", "",
         "    local int2* p = (local int2*)b;\n    p[l].yx.x = 1;\n"
         "    if (l > 0) b[2 * L + l] = p[l - 1].y;\n"},
    Racy{"what a compare-exchange expects, in one buffer or another", "",
         "    atomic_compare_exchange_strong((volatile global atomic_int*)(x + 50), n > 3 ? x : y, "
         "1);\n"},
    Racy{"ids of all dimensions in one", "", "    b[get_local_linear_id() / 2] = (int)l;\n"},
    Racy{"steps that differ", "",
         "    const uint step = 1u << (l == 0);\n"
         "    for (uint i = 0; i == 0 || i == 2; i += step) {\n"
         "        if (i == 2) b[0] = (int)l;\n        if (l > 0) i += step;\n    }\n"},
    Racy{"a count that passes its type's end", "",
         "    const uchar i = (uchar)(128 * l);\n    b[i] = 1;\n"},
    Racy{"an int that is negative", "",
         "    const int i = (int)l - 1;\n    if (l < 2) b[i / 2 + 1] = 1;\n"},
    Racy{"a shift beyond the width", "", "    if (l >> 33 > 0) b[0] = (int)l;\n"},
    Racy{"a value that the right of && changes", "",
         "    uint i = 0;\n    if (n < 4 && (i = l) > 9) {\n    }\n    b[i] = 1;\n"},
    Racy{"a member beside a cell", "typedef struct { int a, c; } P;\n",
         "    ((local P*)b)[l].c = 1;\n    b[2 * l + 3] = 2;\n"},
    Racy{"an address that one branch moves", "",
         "    local int* p = b + l;\n    if (l == 1) --p;\n    *p = (int)l;\n"},
    Racy{"a byte of another's number", "",
         "    b[l] = 1;\n    ((local uchar*)b)[4 * l + 5] = 1;\n"},
    Racy{"a member of a union", "typedef union { int a; short c[2]; } U;\n",
         "    local U* u = (local U*)b;\n    u[l].a = 1;\n    u[l + 1].c[1] = 2;\n"},
    Racy{"an atomic beside a write", "", "    atomic_inc(b + l);\n    b[l + 1] = 0;\n"},
    Racy{"a volatile flag", "",
         "    volatile local int* f = b;\n    if (l == 0) f[0] = 1;\n"
         "    while (n > 3 && f[0] == 0 && l < 2)\n        b[8 + l] = 1;\n"},
    Racy{"a barrier that only some launches meet, in a turn", "",
         "    b[l + 1] = 1;\n    for (uint i = 0; i < n; ++i) {\n"
         "        if (n > 3) barrier(CLK_LOCAL_MEM_FENCE);\n        b[L + 1 + l] = b[l];\n"
         "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n"},
    Racy{"turns in which no barrier is met, within one that others have", "",
         "    for (uint i = 0; i < n; ++i) {\n        if (i == 0 && l == 0) b[0] = 1;\n"
         "        if (i == 2 && l == 1) b[0] = 2;\n"
         "        for (uint k = 3; k < n; ++k) barrier(CLK_LOCAL_MEM_FENCE);\n    }\n"},
    Racy{"turns of which one has a barrier", "",
         "    for (uint i = 0; i < n; ++i) {\n        if (i == 0 && l == 0) b[0] = 1;\n"
         "        if (i == 2 && l == 1) b[0] = 2;\n"
         "        if (i == 5) barrier(CLK_LOCAL_MEM_FENCE);\n    }\n"},
    Racy{"a cell that is read before and after a write", "",
         "    if (get_num_groups(0) > 1) return;\n    const int before = x[1];\n"
         "    barrier(CLK_GLOBAL_MEM_FENCE);\n    if (l == 0) x[1] = 1;\n"
         "    barrier(CLK_GLOBAL_MEM_FENCE);\n    const int after = x[1];\n"
         "    if ((l == 0 && before == 0) || (l == 1 && after == 1)) b[0] = (int)l;\n"},
    Racy{"a bool that counts by 2", "",
         "    bool f = false;\n    for (uint i = 0; i < n; ++i) {\n"
         "        if ((int)f == 1) b[0] = (int)l;\n        f += 2;\n    }\n"},
    Racy{"a bool that is counted on", "",
         "    bool f = true;\n    f++;\n    if ((int)f == 1) b[0] = (int)l;\n"},
    Racy{"an int below 0 beside another", "", "    if ((int)l - 1 < 1) b[0] = (int)l;\n"},
    Racy{"a long of an int below 0", "", "    if ((long)((int)l - 1) < 1) b[0] = (int)l;\n"},
    Racy{"a bool of a number whose low bits are 0", "",
         "    const bool f = (bool)(256 * l);\n    if (f) b[0] = (int)l;\n"},
    Racy{"a pointer and an index below 0", "",
         "    local int* p = b + 1;\n    if (l == 0) p[(int)l - 1] = 1;\n"
         "    if (l > 0) b[l - 1] = 1;\n"},
    Racy{"a pointer that goes back", "",
         "    if (l == 0) *(b + 9 - 9) = 1;\n    if (l > 0 && l < 4) b[l - 1] = 1;\n"},
    Racy{"a value before it is counted on", "",
         "    uint i = 0;\n    const uint before = i++;\n    b[l * before] = 1;\n"},
    Racy{"a conversion that stops at the type's end", "",
         "    if (l < 4) b[convert_uchar_sat(200 + 40 * l)] = 1;\n"},
    Racy{"atomics of the group, met by two groups", "",
         "    atomic_fetch_add_explicit((volatile global atomic_int*)x, 1, memory_order_relaxed,\n"
         "                              memory_scope_work_group);\n"},
    Racy{"what makes an atomic", "", "    atomic_init((volatile global atomic_int*)x, (int)l);\n"},
    Racy{"what a function writes through a pointer", "",
         "    const float f = fract(1.5f, (local float*)b);\n"},
    Racy{"a step that the loop changes", "",
         "    uint s = 2;\n    for (uint i = 0; i < n; i += s) {\n"
         "        if (i == 1) b[0] = (int)l;\n        s = 1;\n    }\n"},
    Racy{"a step that each turn has anew", "",
         "    for (uint k = 0; k < 2; ++k) {\n        uint i = 0;\n        do {\n"
         "            const uint s = 2 - k;\n"
         "            if (k == 1 && i == 1) b[0] = (int)l;\n            i += s;\n"
         "        } while (i < n);\n    }\n"},
    Racy{"two steps", "",
         "    for (uint i = 0; i < n; ++i) {\n        if (i == 1) b[0] = (int)l;\n"
         "        if (n > 30) i += 2;\n    }\n"},
    Racy{"steps that differ, where all wait", "",
         "    const uint step = 1u << (l == 0);\n"
         "    for (uint i = 0; i == 0 || i == 2; i += step) {\n"
         "        if (i == 2) b[0] = (int)l;\n        barrier(CLK_LOCAL_MEM_FENCE);\n"
         "        if (l > 0) i += step;\n    }\n"},
    Racy{"powers of two that differ", "",
         "    uint p = 1u << (l == 0);\n"
         "    for (uint q = 1; q < n && p == q << (l == 0); q <<= 1) {\n"
         "        if (q > 1) b[0] = (int)l;\n        barrier(CLK_LOCAL_MEM_FENCE);\n"
         "        p <<= 1;\n    }\n"},
    Racy{"turns that only some launches have", "",
         "    uint s = n > 3 ? 64 : 0;\n    for (; s > 0; s /= 2)\n        b[L + l] = 1;\n"
         "    if (n < 4) b[0] = (int)l;\n"},
    Racy{"what becomes no power of two", "",
         "    uint p = 1;\n    while (p < n) {\n        if (p == 3) b[0] = (int)l;\n"
         "        p = 3 * p;\n    }\n"},
    Racy{"what is no power of two at first", "",
         "    uint p = 3;\n    while (p < n) {\n        if (p == 3) b[0] = (int)l;\n"
         "        p *= 2;\n    }\n"},
    Racy{"what grows in some work-items", "",
         "    uint i = 0;\n    for (uint k = 0; k < n; ++k) {\n        b[2 * l + i] = 1;\n"
         "        barrier(CLK_LOCAL_MEM_FENCE);\n        i += (l & 1) ^ 1;\n    }\n"},
    Racy{"a pointer that a turn takes elsewhere", "",
         "    if (get_num_groups(0) > 1) return;\n    global int* p = x;\n"
         "    for (uint i = 0; i < n; ++i) {\n        if (i > 0 && l == 0) *p = 1;\n"
         "        p = y;\n    }\n    if (l == 1) y[0] = 2;\n"},
    Racy{"what a turn takes from the one before", "",
         "    uint i = 0, k = 0;\n    for (uint j = 0; j < n; ++j) {\n"
         "        if (i == 1) b[0] = (int)l;\n        i = k;\n        k = k + 1;\n    }\n"},
    Racy{"a condition at the end that reads", "",
         "    uint i = 0;\n    do\n        b[l] = 1;\n    while (b[l + 1] < 9 && ++i < n);\n"},
    Racy{"a condition that takes and resets", "",
         "    uint p = 1, q = 0, i = 0;\n    while (q = p, p = 1, i++ < n) {\n"
         "        if (q == 5) b[0] = (int)l;\n        p = 5;\n    }\n"},
    Racy{"turns without a barrier, and what follows", "",
         "    for (uint i = 0; i < n; ++i)\n        b[l] = 1;\n    b[L + 1 + l] = b[l + 1];\n"},
    Racy{"a return from a loop of a function, and what follows",
         "void f(local int* b, uint l, uint n) {\n    for (uint i = 0; i <= n; ++i) {\n"
         "        b[l] = 1;\n        if (n > 3) return;\n    }\n}\n",
         "    f(b, l, n);\n    b[L + 1 + l] = b[l + 1];\n"},
    Racy{"turns without end", "",
         "    while (n > 3 && l == L - 1)\n        b[0] = 1;\n    if (l == 0) b[0] = 2;\n"},
    Racy{"what memory holds for each", "",
         "    const uint g = get_global_id(0);\n    const int v = x[g] & 1;\n    x[g] = v;\n"
         "    b[l + v] = 1;\n"},
    Racy{"a comparison of floats", "",
         "    const float v = (float)x[get_global_id(0)];\n    if (v > 1.5f) {\n"
         "        if (l == 0) b[0] = 1;\n    } else if (l == 1)\n        b[0] = 2;\n"},
    Racy{"a float as a condition", "",
         "    const float v = (float)(x[get_global_id(0)] & 1);\n    if (v) {\n"
         "        if (l == 0) b[0] = 1;\n    } else if (l == 1)\n        b[0] = 2;\n"},
    Racy{"two returns", "uint f(uint l) {\n    if (l > 1) return 0;\n    return l;\n}\n",
         "    b[f(l)] = 1;\n"},
    Racy{"two values", "", "    b[n > 2 ? l : 0] = 1;\n"},
    Racy{"the neighbour's first cell", "",
         "    const uint g = get_global_id(0);\n    if (l == 0) x[g] = 1;\n"
         "    if (l == L - 1) y[g] = x[g + 1];\n"},
    Racy{"no input at all", "", "    if (n == 0) b[0] = (int)l;\n"},
};

std::string text_of(const Racy& racy) {
    return fmt::format(
        "{}kernel void k(global int* x, global int* y, local int* b, const uint n) {{\n"
        "    const uint l = get_local_id(0), L = get_local_size(0);\n{}}}\n",
        racy.before, racy.body);
}

TEST_F(Prove, WhatRacesInSomeShapeIsNotProved) {
    for (const Racy& each : kRacy) {
        const std::string text = text_of(each);
        EXPECT_NE(verdict_of(text), Verdict::proved) << each.about << "\n" << text;
        EXPECT_NE(race_of(text, 1), "") << each.about << "\n" << text;
    }
}

// What a reference names is read where it is used; it is followed as a pointer is.
TEST_F(Prove, AReferenceIsReadWhereItIsUsed) {
    const auto text = [](const char* function, const char* index) {
        return fmt::format(
            "//! cuda\n{}__global__ void k(int* o) {{ __shared__ int s[1024];\n"
            "    const int t = threadIdx.x; s[t] = t; __syncthreads();\n"
            "    o[blockIdx.x * blockDim.x + t] = f(s[{}], s, t); }}\n",
            function, index);
    };
    for (const char* each : {"const int&", "int&"}) {
        const std::string late = fmt::format(
            "__device__ int f({} a, int* s, int t) {{ __syncthreads(); s[t] = 9; return a; }}\n",
            each);
        EXPECT_NE(verdict_of(text(late.c_str(), "blockDim.x - 1 - t")), Verdict::proved) << each;
        EXPECT_EQ(verdict_of(text(late.c_str(), "t")), Verdict::proved) << each;
    }
    EXPECT_NE(verdict_of("//! cuda\n__global__ void k(int* o) { static int n; n = n + 1; }\n"),
              Verdict::proved);
}

// The host may have written it.
TEST_F(Prove, NobodyKnowsWhereAPointerOfTheProgramPoints) {
    for (const char* each : {"//! cuda\n__device__ int* y;\n__global__ void k(int* x) {\n"
                             "    y[threadIdx.x] = y[threadIdx.x + 1];\n}\n",
                             "global int* y;\nkernel void k(global int* x) {\n"
                             "    y[get_local_id(0)] = y[get_local_id(0) + 1];\n}\n"})
        EXPECT_EQ(verdict_of(each), Verdict::not_of_that_kind) << each;
}

// With an offset, global ids and those made of the group's are not the same.
TEST_F(Prove, AFilesLaunchHasWholeGroupsAndNoOffset) {
    const RunSpec spec =
        spec_of_text("kernel void k(global int* x) { x[get_global_id(0)] = 1; }\n");
    EXPECT_THAT(prove(spec, quick()).assumptions,
                testing::Contains("whole groups, and global ids from 0 on"));
}

TEST_F(Prove, AllDimensionsAreTold) {
    for (const char* each :
         {"b[get_local_id(0)] = get_local_id(1);", "if (get_local_id(1) > 0) b[0] = 1;",
          "if (get_local_linear_id() != get_local_id(0)) b[get_local_id(1)] = 1;"})
        EXPECT_NE(verdict_of(fmt::format("kernel void k(local int* b) {{ {} }}\n", each)),
                  Verdict::proved)
            << each;
    RunSpec spec = spec_of_text("kernel void k(global int* x) { x[get_global_id(0)] = 1; }\n");
    EXPECT_EQ(prove(spec, quick()).verdict, Verdict::proved);
    catalogue::LaunchForm form = *spec.kernel.plan.form;
    form.offset = Extent(1);
    spec.kernel = catalogue::kernel_of(form);
    EXPECT_EQ(prove(spec, quick()).verdict, Verdict::not_of_that_kind);
}

TEST_F(Prove, AGroupOfMoreDimensionsThanItsTextNamesIsNotProved) {
    EXPECT_NE(verdict_of("kernel __attribute__((reqd_work_group_size(4, 2, 1)))\n"
                         "void k(local int* b) { b[get_local_id(0)] = 1; }\n"),
              Verdict::proved);
}

// From what cannot be, all follows.
TEST_F(Prove, NothingIsProvedForSizesThatNoLaunchHas) {
    RunSpec spec = spec_of_text("kernel void k(global int* x) { x[0] = get_global_id(0); }\n", 64);
    for (const std::uint64_t items : {std::uint64_t{1} << 32, std::uint64_t{1} << 38}) {
        catalogue::LaunchForm form = *spec.kernel.plan.form;
        form.global = Extent(items);
        spec.kernel = catalogue::kernel_of(form);
        EXPECT_NE(prove(spec, quick()).verdict, Verdict::proved) << items;
    }
    const std::vector<std::string> known{"n"};
    RunSpec racy = shipped("span-modulo");
    racy.kernel.plan.expect.kind = catalogue::Expect::races;
    racy.kernel.plan.expect.when = catalogue::Expression("n > 0", known);
    EXPECT_NE(prove(racy, quick()).verdict, Verdict::proved);
}

TEST_F(Prove, WhatIsProvedOfRandomKernelsHasNoRaceInAnyShape) {
    const auto number = [](const char* name, std::uint32_t otherwise) {
        const char* value = std::getenv(name);
        return value == nullptr ? otherwise : static_cast<std::uint32_t>(std::stoul(value));
    };
    const std::uint32_t first = number("LAB_RANDOM_SEED", 1);
    const std::uint32_t count = number("LAB_RANDOM_KERNELS", kSanitized ? 40 : 150);
    std::array<std::uint32_t, 4> verdicts{};
    std::uint32_t tried = 0, racy = 0;
    for (std::uint32_t seed = first; seed < first + count; ++seed) {
        const std::string text = RandomText(seed).text();
        ProofOptions options = quick();
        options.effort = 200'000;
        options.most_questions = 50;
        const Proof proof = prove(spec_of_text(text), options);
        ++verdicts[static_cast<std::size_t>(proof.verdict)];
        const bool proved = proof.verdict == Verdict::proved;
        if (!proved && seed % 8 != 0) continue;
        const std::string race = race_of(text);
        EXPECT_TRUE(!proved || race.empty()) << seed << ", " << race << "\n" << text;
        tried += seed % 8 == 0 ? 1 : 0;
        racy += seed % 8 == 0 && !race.empty() ? 1 : 0;
    }
    RecordProperty("races", static_cast<int>(racy));
    RecordProperty("proved", static_cast<int>(verdicts[0]));
    EXPECT_GE(racy, tried / 4);
    EXPECT_GE(verdicts[0], count / 40);
}

}  // namespace
}  // namespace lab::analysis::proving
