// Golden tests of what stops a run: kernel, launch, and the whole verdict.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/translations.h"
#include "lang/builtins.h"
#include "support/example_job.h"
#include "support/translated_texts.h"

namespace lab::machine {
namespace {

struct Verdict {
    const char* name;
    Example example;
    Fault::Kind kind;
    std::string text;
};

std::vector<Verdict> verdicts() {
    return {
        {"BeyondTheEnd",
         {"kernel void f(global int* a)\n{\n    a[get_global_id(0) + 1] = 1;\n}\n",
          4,
          4,
          {{0, 0, 0, 0}}},
         Fault::Kind::out_of_bounds,
         "example.cl:3:5: Work-item 3 writes a[4], which does not exist\n"
         "  why:  'a' has 4 elements of 4 bytes: a[0] to a[3]\n"
         "    a[get_global_id(0) + 1] = 1;\n"
         "    ^~~~~~~~~~~~~~~~~~~~~~~\n"
         "  hint: Compare the index with the number of elements first"},
        {"BeforeTheBeginning",
         {"kernel void f(global int* a) { a[0] = a[(int)get_global_id(0) - 1]; }", 4, 4, {{0}}},
         Fault::Kind::out_of_bounds,
         "example.cl:1:39: Work-item 0 reads a[-1], which does not exist\n"
         "  why:  'a' has 1 element of 4 bytes: a[0]\n"
         "  kernel void f(global int* a) { a[0] = a[(int)get_global_id(0) - 1]; }\n"
         "                                        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
         "  hint: Compare the index with the number of elements first"},
        {"ArrayOfItsOwn",
         {"kernel void f(global int* a) { int x[2]; x[get_local_id(0)] = 1; a[0] = x[0]; }",
          4,
          4,
          {{0}}},
         Fault::Kind::out_of_bounds,
         "example.cl:1:42: Work-item 2 writes x[2], which does not exist\n"
         "  why:  'x' has 2 elements of 4 bytes: x[0] to x[1]\n"
         "  kernel void f(global int* a) { int x[2]; x[get_local_id(0)] = 1; a[0] = x[0]; }\n"
         "                                           ^~~~~~~~~~~~~~~~~~\n"
         "  hint: Compare the index with the number of elements first"},
        {"NullPointer",
         {"kernel void f(global int* a) { global int* p = 0; a[0] = *p; }", 1, 1, {{0}}},
         Fault::Kind::out_of_bounds,
         "example.cl:1:58: Work-item 0 reads through a pointer to nothing\n"
         "  why:  The pointer is null, or was made from a number\n"
         "  kernel void f(global int* a) { global int* p = 0; a[0] = *p; }\n"
         "                                                           ^~\n"
         "  hint: Point it to a buffer or variable"},
        {"DivisionByZero",
         {"kernel void f(global int* a) { a[get_global_id(0)] = 8 / ((int)get_global_id(0) - 2); }",
          4,
          4,
          {{1, 1, 1, 1}}},
         Fault::Kind::division,
         "example.cl:1:54: Work-item 2 divides an integer by zero\n"
         "  why:  What it gives differs from device to device\n"
         "  kernel void f(global int* a) { a[get_global_id(0)] = 8 / ((int)get_global_id(0) - 2); "
         "}\n"
         "                                                       ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
         "  hint: Test the divisor for zero first"},
        {"BarrierInABranch",
         {"kernel void f(global int* a)\n{\n    if (get_local_id(0) < 2)\n"
          "        barrier(CLK_LOCAL_MEM_FENCE);\n    a[0] = 1;\n}\n",
          4,
          4,
          {{0}}},
         Fault::Kind::divergence,
         "example.cl:4:9: Not all work-items of group 0 come to the barrier in line 4\n"
         "  why:  work-items 0 and 1 came to it, but work-items 2 and 3 went another way in line "
         "3\n"
         "          barrier(CLK_LOCAL_MEM_FENCE);\n"
         "          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
         "  hint: A barrier must be met by all work-items of a group or by none: move it out of "
         "the "
         "condition, or let all of them come"},
    };
}

std::string without_margin(std::string text) {
    // The quoted line's indentation is not what these tests are about.
    std::string result;
    for (std::size_t index = 0; index < text.size();) {
        const std::size_t end = std::min(text.find('\n', index), text.size());
        const std::size_t start = std::min(text.find_first_not_of(' ', index), end);
        result += text.substr(start, end - start) + '\n';
        index = end + 1;
    }
    return result;
}

TEST(Fault, SaysWhatHappenedWhyAndWhatToDo) {
    for (const Verdict& verdict : verdicts()) {
        SCOPED_TRACE(verdict.name);
        for (const std::uint32_t lanes : {4U, 1U}) {
            const auto run =
                play(job_of(verdict.example, lanes), order_of(SchedulingPolicy::Kind::in_order));
            ASSERT_TRUE(run.fault());
            EXPECT_EQ(run.fault()->kind, verdict.kind);
            const Problem problem = run.problem(*run.fault());
            EXPECT_EQ(problem.exit, Exit::kernel_fault);
            if (lanes == 4) {
                EXPECT_EQ(without_margin(problem.text()), without_margin(verdict.text));
            }
        }
    }
}

TEST(Fault, KeepsWhatWasRecordedBefore) {
    const Example example{"kernel void f(global int* a) { a[0] = 5; a[9] = 6; }", 1, 1, {{0}}};
    const auto run = play(job_of(example), order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_TRUE(run.fault());
    EXPECT_EQ(ints_of(run, 0), (std::vector<std::int32_t>{5}));
    EXPECT_EQ(run.trace().size(), 1U);
}

TEST(Fault, TwoBarriersForOneGroup) {
    const Example example{
        "kernel void f(global int* a)\n{\n    if (get_local_id(0) < 2)\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n    else\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n    a[0] = 1;\n}\n",
        4,
        4,
        {{0}}};
    const auto run = play(job_of(example, 2), order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_TRUE(run.fault());
    EXPECT_EQ(run.fault()->kind, Fault::Kind::divergence);
    EXPECT_THAT(run.fault()->why, testing::HasSubstr("stopped at the barrier in line 6"));
}

TEST(Fault, ABarrierThatTheOthersHaveLeftBehind) {
    const Example example{
        "kernel void f(global int* a)\n{\n    if (get_local_id(0) >= 2)\n        return;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    a[0] = 1;\n}\n",
        4,
        4,
        {{0}}};
    for (const std::uint32_t lanes : {1U, 2U, 4U}) {
        const auto run =
            play(job_of(example, lanes), order_of(SchedulingPolicy::Kind::round_robin));
        ASSERT_TRUE(run.fault()) << lanes;
        EXPECT_EQ(run.fault()->kind, Fault::Kind::divergence);
        EXPECT_EQ(run.fault()->place.line, 5U);
        EXPECT_THAT(run.fault()->why, testing::HasSubstr("another way in line 4")) << lanes;
    }
}

// Each part that a fault can be told in has words in every language, and other ones than English.
void expect_words(const Fault& fault) {
    const Translations &russian = translations_in("ru"), &chinese = translations_in("zh");
    std::vector<Phrase> phrases = fault.phrases.why;
    phrases.push_back(fault.phrases.what);
    phrases.push_back(fault.phrases.hint);
    for (const Phrase& phrase : phrases)
        for (const Translations* tr : {&russian, &chinese}) {
            ASSERT_TRUE(tr->texts().contains(phrase.key)) << phrase.key;
            const std::string text = translated(phrase, *tr);
            EXPECT_EQ(text.find('{'), std::string::npos) << text;
        }
}

// How a call is left out by some: the lines before it and behind it, the line of the call and of
// what kept the others away.
struct Absence {
    const char* name;
    std::string before, behind;
    std::uint32_t line, kept_away;
};
const Absence kAbsences[] = {
    {"a branch", "if (me < 2)\n", "", 4, 3},
    {"a return", "if (me >= 2)\nreturn;\n", "", 5, 4},
    {"a loop", "for (int i = 0; i <= me; ++i)\n", "", 4, 3},
    {"a case", "switch (me) {\ncase 0:\ncase 1:\n", "break;\n}\n", 6, 0},
};

std::string call_of(const std::string& name) {
    if (name == "barrier" || name.ends_with("_barrier")) return name + "(CLK_LOCAL_MEM_FENCE);\n";
    const unsigned arguments = lang::find_function(name)->arguments;
    const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
    const bool mask = has("ballot_") || has("inverse_ballot");
    // What is taken from a lane, each takes from itself, but for a broadcast.
    if (has("broadcast") && arguments == 2)
        return name + (has("non_uniform") ? "(me, 99);\n" : "(me, 0);\n");
    const bool relative = has("shuffle_") || has("rotate");
    return name + (arguments == 0   ? "();\n"
                   : arguments == 1 ? (mask ? "((uint4)(1));\n" : "(me);\n")
                   : mask           ? "((uint4)(1), 0);\n"
                   : relative       ? "(me, 0);\n"
                                    : "(me, me % 4);\n");
}

Run run_of_absence(const Absence& absence, const std::string& call, std::uint32_t lanes) {
    const Example example{"kernel void f(global int* a)\n{ const int me = get_local_id(0);\n" +
                              absence.before + call + absence.behind + "}\n",
                          8,
                          8,
                          {{0}}};
    return play(job_of(example, lanes), order_of(SchedulingPolicy::Kind::round_robin));
}

TEST(Fault, CallsThatAllOfAGroupMustMake) {
    setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
    unsigned checked = 0;
    for (const std::string& name : lang::function_names()) {
        if (!name.starts_with("work_group_") && name != "barrier") continue;
        for (const Absence& absence : kAbsences)
            for (const std::uint32_t lanes : {1U, 2U, 8U}) {
                SCOPED_TRACE(name + " in " + absence.name);
                const auto run = run_of_absence(absence, call_of(name), lanes);
                ASSERT_TRUE(run.fault());
                EXPECT_EQ(run.fault()->kind, Fault::Kind::divergence);
                EXPECT_EQ(run.fault()->place.line, absence.line);
                EXPECT_EQ(run.problem(*run.fault()).exit, Exit::kernel_fault);
                expect_words(*run.fault());
            }
        ++checked;
    }
    EXPECT_EQ(checked, 26U);
}

// OpenCL C 3.0, work_group_barrier: in a loop all execute it in each iteration before any goes on.
TEST(Fault, CallsThatAllOfAGroupMustMakeInTheSameTurn) {
    setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
    struct Loop {
        const char *before, *behind;
        bool may = false;
    };
    constexpr std::array<Loop, 7> kLoops{{
        {"for (int i = 0; i < 8; ++i) if (i == me) {", "}"},
        {"for (int i = 0; i < 9; ++i) { if (i == me) continue;", "}"},
        // As many calls of each item, one in the first turn and two in the second or the other way.
        {"for (int i = 0; i < 2; ++i) for (int j = 0; j < 1 + (i + me) % 2; ++j) {", "}"},
        {"int i = 0; do { if (i == me % 2) {", "} } while (++i < 2);"},
        {"for (int i = 0; i < 4; ++i) if (i % 2 == 0) {", "}", true},
        {"for (int i = 0; i < 3; ++i) { if (i == 1) continue;", "}", true},
        {"for (int i = 0; i < 2; ++i) for (int j = 0; j <= i; ++j) {", "}", true},
    }};
    for (const std::string& name : lang::function_names()) {
        if (!name.starts_with("work_group_") && name != "barrier") continue;
        for (const Loop& loop : kLoops) {
            SCOPED_TRACE(name + " in " + loop.before);
            const auto run = run_of_absence({"", loop.before, loop.behind, 0, 0}, call_of(name), 1);
            ASSERT_EQ(run.fault().has_value(), !loop.may);
            if (loop.may) continue;
            EXPECT_EQ(run.fault()->kind, Fault::Kind::divergence);
            expect_words(*run.fault());
        }
    }
}

TEST(Fault, CallsThatAllOfASubGroupMustMake) {
    setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
    unsigned all_must = 0, some_may = 0;
    for (const std::string& name : lang::function_names()) {
        if (!name.starts_with("sub_group_") && !name.starts_with("intel_sub_group_")) continue;
        const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
        const bool may = has("non_uniform") || has("shuffle") || has("rotate") || has("elect") ||
                         has("ballot") || has("broadcast_first");
        ++(may ? some_may : all_must);
        for (const Absence& absence : kAbsences) {
            SCOPED_TRACE(name + " in " + absence.name);
            const auto run = run_of_absence(absence, call_of(name), 4);
            ASSERT_EQ(run.fault().has_value(), !may);
            if (may) continue;
            EXPECT_EQ(run.fault()->kind, Fault::Kind::divergence);
            EXPECT_EQ(run.fault()->place.line, absence.line);
            EXPECT_THAT(run.fault()->what, testing::HasSubstr("of sub-group 0 of group 0"));
            if (absence.kept_away != 0) {
                EXPECT_THAT(run.fault()->why,
                            testing::HasSubstr("way in line " + std::to_string(absence.kept_away)));
            }
            expect_words(*run.fault());
        }
        // Sub-groups that come as a whole, or not at all.
        const Absence whole{"a branch", "if (me >= 4)\n", "", 4, 3};
        EXPECT_FALSE(run_of_absence(whole, call_of(name), 4).fault()) << name;
        EXPECT_FALSE(run_of_absence(kAbsences[0], call_of(name), 2).fault()) << name;
    }
    EXPECT_EQ(all_must, 25U);
    EXPECT_EQ(some_may, 42U);
}

// Whether it is right depends on sizes: with as many sub-groups as lanes all of them come.
TEST(Fault, TheFirstSubGroupJoinsTheOthersIfThereAreEnough) {
    const std::string text =
        "kernel void f(global int* out, local int* part)\n"
        "{ const uint lane = get_sub_group_local_id();\n"
        "const int sum = sub_group_reduce_add(1);\n"
        "if (lane == 0) part[get_sub_group_id()] = sum;\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
        "if (get_sub_group_id() == 0 && lane < get_num_sub_groups())\n"
        "out[lane] = sub_group_reduce_add(part[lane]);\n}\n";
    for (const std::uint64_t items : {8U, 16U}) {
        const Example example{text, items, items, {{0, 0, 0, 0}}, 4, {4}};
        const auto run = play(job_of(example, 4), order_of(SchedulingPolicy::Kind::round_robin));
        ASSERT_EQ(run.fault().has_value(), items == 8);
        if (items == 16) {
            EXPECT_EQ(ints_of(run, 0), (std::vector<std::int32_t>(4, 16)));
            continue;
        }
        EXPECT_EQ(run.fault()->what,
                  "Not all work-items of sub-group 0 of group 0 come to the call in line 7");
        EXPECT_EQ(
            run.fault()->why,
            "work-items 0 and 1 came to it, but work-items 2 and 3 went another way in line 6");
    }
}

TEST(Fault, CallsInBothArmsOfABranch) {
    for (const char* call : {"sub_group_reduce_add(me);\n", "work_group_reduce_add(me);\n"}) {
        const Absence absence{"arms", "if (me < 2)\n", std::string("else\n") + call, 4, 3};
        const auto run = run_of_absence(absence, call, 4);
        ASSERT_TRUE(run.fault());
        EXPECT_EQ(run.fault()->place.line, 4U);
        EXPECT_THAT(run.fault()->why, testing::HasSubstr("went another way in line 3"));
    }
    const Absence apart{"arms", "if (me < 2)\n", "else\nwork_group_all(me);\n", 4, 3};
    const auto run = run_of_absence(apart, "work_group_any(me);\n", 1);
    ASSERT_TRUE(run.fault());
    EXPECT_EQ(run.fault()->why,
              "work-item 0 stopped there, but work-item 2 stopped at the call in line 6");
    expect_words(*run.fault());
}

// Two of one line are told apart by their columns, those of two calls or macros by nothing.
TEST(Fault, TwoBarriersOfOneLine) {
    const auto why = [](const char* body) {
        const Example example{
            fmt::format("void meet() {{ barrier(CLK_LOCAL_MEM_FENCE); }}\n"
                        "kernel void f(global int* a)\n{{\n    {}\n    a[0] = 1;\n}}\n",
                        body),
            4,
            4,
            {{0}}};
        const auto run = play(job_of(example, 2), order_of(SchedulingPolicy::Kind::in_order));
        EXPECT_TRUE(run.fault());
        expect_words(*run.fault());
        return run.fault()->why;
    };
    EXPECT_EQ(why("if (get_local_id(0) < 2) barrier(CLK_LOCAL_MEM_FENCE); else "
                  "barrier(CLK_LOCAL_MEM_FENCE);"),
              "work-items 0 and 1 stopped there, but work-items 2 and 3 stopped in column 65 of "
              "that line");
    EXPECT_EQ(why("if (get_local_id(0) < 2) meet(); else meet();"),
              "work-items 0 and 1 stopped there, but work-items 2 and 3 came there by another call "
              "or macro");
}

TEST(Fault, CopiesThatNotAllOfAGroupBeginOrWaitFor) {
    for (const auto& [text, line] :
         {std::pair("if (me < 2)\ne = async_work_group_copy(b, a, 4, 0);\n", 4U),
          std::pair("e = async_work_group_copy(b, a, 4, 0);\nif (me < 2)\n"
                    "wait_group_events(1, &e);\n",
                    5U)})
        for (const std::uint32_t lanes : {1U, 2U, 4U}) {
            const Example example{
                std::string("kernel void f(global int* a, local int* b) { event_t e = 0;\n"
                            "const int me = get_local_id(0);\n") +
                    text + "}\n",
                4,
                4,
                {{1, 2, 3, 4}},
                4,
                {4}};
            const auto run =
                play(job_of(example, lanes), order_of(SchedulingPolicy::Kind::round_robin));
            ASSERT_TRUE(run.fault()) << text;
            EXPECT_EQ(run.fault()->kind, Fault::Kind::divergence) << run.fault()->what;
            EXPECT_EQ(run.fault()->place.line, line);
        }
}

TEST(Fault, AShuffleFromALaneThatIsAbsent) {
    setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
    const Absence half{"a branch", "if (me % 4 < 2)\n", "", 4, 3};
    const auto run = run_of_absence(half, "sub_group_shuffle_down(me, 2);\n", 4);
    ASSERT_TRUE(run.fault());
    EXPECT_EQ(run.fault()->what,
              "Work-item 0 takes the value of work-item 2, which does not come to line 4");
    EXPECT_EQ(run.fault()->why,
              "work-item 0 came to it, but work-item 2 went another way in line 3");
    expect_words(*run.fault());
    EXPECT_FALSE(run_of_absence(half, "sub_group_shuffle_xor(me, 1);\n", 4).fault());
    // Beyond the sub-group is no lane at all: many shuffle so and look at the value only if it is.
    const Absence all{"all", "", "", 3, 0};
    EXPECT_FALSE(run_of_absence(all, "sub_group_shuffle_down(me, 2);\n", 4).fault());
}

TEST(Fault, ABarrierOfWholeGroupsIsNone) {
    const Example example{
        "kernel void f(global int* a)\n{\n    if (get_group_id(0) == 1)\n        return;\n"
        "    barrier(CLK_GLOBAL_MEM_FENCE);\n    a[get_global_id(0)] = 1;\n}\n",
        6,
        2,
        {{0, 0, 0, 0, 0, 0}}};
    const auto run = play(job_of(example), order_of(SchedulingPolicy::Kind::random, 3));
    EXPECT_FALSE(run.fault());
    EXPECT_EQ(ints_of(run, 0), (std::vector<std::int32_t>{1, 1, 0, 0, 1, 1}));
}

TEST(Fault, HasWordsInEveryLanguage) {
    setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
    for (const Verdict& verdict : verdicts()) {
        SCOPED_TRACE(verdict.name);
        const auto run =
            play(job_of(verdict.example, 4), order_of(SchedulingPolicy::Kind::in_order));
        ASSERT_TRUE(run.fault());
        expect_words(*run.fault());
        expect_translated(run.problem(*run.fault()));
        const Problem problem = translated(run.problem(*run.fault()), translations_in("ru"));
        EXPECT_NE(problem.what_happened, run.fault()->what);
        EXPECT_NE(problem.hint, run.fault()->hint);
        // The line of the text is quoted in every language.
        EXPECT_THAT(problem.why, testing::HasSubstr("^~"));
    }
}

TEST(Fault, WhoSpinsOnWhat) {
    const Example example{
        "kernel void f(volatile global int* flag, global int* out)\n{\n"
        "    while (flag[1] != 7)\n        ;\n    out[0] = 1;\n}\n",
        2,
        1,
        {{0, 3}, {0}}};
    Job job = job_of(example, 1, 1);
    job.budget = 10'000;
    const auto run = play(job, order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_TRUE(run.fault());
    EXPECT_EQ(run.fault()->kind, Fault::Kind::deadlock);
    EXPECT_EQ(run.fault()->what, "The kernel has not ended after 10000 instructions");
    EXPECT_THAT(run.fault()->why,
                testing::HasSubstr("Work-item 0 (group 0) spins in line 3: it keeps reading "
                                   "flag[1], which stays 3"));
    EXPECT_THAT(run.fault()->why, testing::HasSubstr("1 of 2 groups have not begun"));
    EXPECT_THAT(run.fault()->hint, testing::HasSubstr("--resident"));
    setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
    expect_words(*run.fault());
}

// A hundred thousand states of as many work-items would take minutes to compare.
TEST(Fault, AHangOfManyWorkItemsIsExplainedAtOnce) {
    const auto why = [](const char* loop, std::uint64_t items) {
        Example example;
        example.text = fmt::format(
            "kernel void f(volatile global int* a) {{\n int g = get_global_id(0);\n {} }}", loop);
        example.global = items;
        example.local = 1;
        example.buffers = {std::vector<std::int32_t>(items, 0)};
        Job job = job_of(example, 1, 0);
        job.budget = 20 * items;
        const auto run = play(std::move(job), order_of(SchedulingPolicy::Kind::round_robin));
        return run.fault() ? run.fault()->why : "";
    };
    EXPECT_THAT(why("while (a[g] == 0);", 100'000), testing::HasSubstr("spins in line 3"));
    for (const std::uint64_t items : {2U, 100U}) {  // states that come back, and that do not
        EXPECT_THAT(why("for (;;) { a[g] = 1; a[g] = 0; }", items),
                    testing::Not(testing::HasSubstr("memory still changed")));
        EXPECT_THAT(why("for (;;) a[g] += 1;", items), testing::HasSubstr("memory still changed"));
    }
}

// A cell that is only touched in the loop is not what it waits for.
TEST(Fault, AWaitIsForWhatItsConditionReads) {
    const auto fault = [](const char* loop) {
        const Example example{
            fmt::format("kernel void f(global int* x, global int* y)\n{{\n    {}\n}}\n", loop),
            1,
            1,
            {{1}, {0}}};
        Job job = job_of(example, 1, 1);
        job.budget = 10'000;
        return *play(std::move(job), order_of(SchedulingPolicy::Kind::in_order)).fault();
    };
    for (const char* loop : {"do { atomic_xchg(y, 0); } while (x[0] != 0);",
                             "do { atomic_or(y, 0); } while (atomic_or(x, 0) == 1);",
                             "for (;;) { y[0] = 0; int was = x[0] + 1; if (was == 1) break; }"}) {
        EXPECT_THAT(fault(loop).why, testing::HasSubstr("it keeps reading x[0], which stays 1"))
            << loop;
        EXPECT_FALSE(fault(loop).by_schedule) << loop;
    }
}

// Whatever else the loop reads, writes and decides, and through whatever registers the value goes.
TEST(Fault, AWaitIsForTheCellThatItsLoopDependsOn) {
    // @ stands for the cell that is waited for, ~ for what else the loop does.
    const char* const waits[] = {
        "while (@ == 0) { ~ }",
        "do { ~ } while (!@);",
        "do { ~ } while (atomic_or(&@, 0) == 0);",
        "while (atomic_cmpxchg(&@, 1, 2) != 1) { ~ }",
        "for (;;) { ~ const int now = @; const int twice = now * 2; if (twice > 0) break; }",
        "int was = 0, now = 0; do { was = now; now = @; ~ } while (was == 0);",
        "for (int go = 1; go != 0;) { ~ go = @ == 0 ? 1 : 0; }",
        "while (looks_at(&@)) { ~ }",
        "while (true) { ~ if (@ != 0) { if (g >= 0) break; } }",
    };
    const char* const others[] = {
        "",
        "sum = z[3];",
        "z[1] = 0;",
        "sum += z[2]; z[4] = sum;",
        "atomic_add(z + 5, 0);",
        "if (z[6] == 1) sum = 2;",
        "sum = z[z[7]];",
        "for (int i = 0; i < 2; i++) sum += z[i];",
        "if (g == 5) z[0] = 3;",
    };
    const std::string cells[] = {"x[0]", "x[3]", "y[1]"};
    int asked = 0;
    for (const std::string wait : waits)
        for (const std::string other : others) {
            const std::string cell = cells[asked++ % 3];
            std::string loop = wait;
            for (const auto& [sign, text] : {std::pair<char, std::string>{'@', cell}, {'~', other}})
                for (std::size_t at; (at = loop.find(sign)) != std::string::npos;)
                    loop.replace(at, 1, text);
            const Example example{
                "int looks_at(volatile global int* p) { return *p == 0; }\n"
                "kernel void f(volatile global int* x, volatile global int* y,\n"
                "              volatile global int* z)\n{\n"
                "    const int g = get_global_id(0);\n    int sum = 0;\n    " +
                    loop + "\n    z[8] = sum;\n}\n",
                2,
                1,
                {{0, 0, 0, 0}, {0, 0}, std::vector<std::int32_t>(9)}};
            Job job = job_of(example, 1, 2);
            job.budget = 20'000;
            const auto run = play(std::move(job), order_of(SchedulingPolicy::Kind::round_robin));
            ASSERT_TRUE(run.fault()) << loop;
            EXPECT_THAT(run.fault()->why,
                        testing::HasSubstr("it keeps reading " + cell + ", which stays 0"))
                << loop;
            EXPECT_FALSE(run.fault()->by_schedule) << loop;
        }
}

// Whoever gets no turn is not to blame for what the text says.
TEST(Fault, AnUnfairScheduleIsToBlameWhereAFairOneEnds) {
    const Example example{
        "kernel void f(volatile global int* x)\n{\n    if (get_global_id(0) == 1) x[0] = 1;\n"
        "    else while (x[0] == 0) ;\n}\n",
        2,
        1,
        {{0}}};
    Job job = job_of(example, 1, 2);
    job.budget = 10'000;
    const auto run = play(job, order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_TRUE(run.fault());
    EXPECT_THAT(run.fault()->why, testing::HasSubstr("ends if everyone gets a turn"));
    EXPECT_TRUE(run.fault()->by_schedule);
    EXPECT_THAT(run.fault()->hint, testing::HasSubstr("choose an order that gives everyone turns"));
    expect_words(*run.fault());
}

// Whom it waits for is of its own warp.
TEST(Fault, ALoopThatLockstepAloneHoldsUpIsSaidToEndWithoutIt) {
    const auto hint = [](const char* after, std::uint32_t lanes) {
        const Example example{
            fmt::format(
                "kernel void f(global int* a)\n{{\n    while (atomic_cmpxchg(a, 0, 1) != 0);"
                "\n    {}\n}}\n",
                after),
            3,
            3,
            {{0}}};
        Job job = job_of(example, lanes);
        job.budget = 10'000;
        const auto run = play(std::move(job), order_of(SchedulingPolicy::Kind::round_robin));
        EXPECT_EQ(run.fault().has_value(), lanes > 1);
        return run.fault() ? run.fault()->hint : std::string();
    };
    EXPECT_EQ(hint("atomic_xchg(a, 0);", 1), "");
    EXPECT_THAT(hint("atomic_xchg(a, 0);", 4), testing::HasSubstr("With --lanes 1 it ends"));
    EXPECT_THAT(hint("", 4), testing::HasSubstr("Fix the condition"));
}

TEST(Fault, AnEndlessLoopThatReadsNothing) {
    const Example example{
        "kernel void f(global int* a)\n{\n    for (int i = 0; i >= 0; i &= 3)\n"
        "        ++i;\n    a[0] = 1;\n}\n",
        1,
        1,
        {{0}}};
    Job job = job_of(example);
    job.budget = 1000;
    const auto run = play(job, order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_TRUE(run.fault());
    EXPECT_EQ(run.fault()->kind, Fault::Kind::budget);
    EXPECT_THAT(run.fault()->why, testing::HasSubstr("Work-item 0 spins in line"));
    // Without a budget of one's own it need not use up that of a million items.
    job.budget = 0;
    job.launches[0].range = {1'000'000, 1};
    const auto large = play(job, order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_TRUE(large.fault());
    EXPECT_EQ(large.fault()->what,
              "Work-item 0 has come to no load, store or barrier in 4000000 instructions");
    EXPECT_LT(large.end().steps, 5'000'000U);
    EXPECT_THAT(large.fault()->why, testing::HasSubstr("Work-item 0 spins in line"));
    expect_words(*large.fault());
}

TEST(Fault, AVectorBetweenItsMultiples) {
    const Example example{
        "kernel void f(global int* a)\n{\n    int4 v = *(global int4*)(a + 1);\n"
        "    a[0] = v.x;\n}\n",
        1,
        1,
        {{1, 2, 3, 4, 5, 6, 7, 8}}};
    const auto run = play(job_of(example), order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_TRUE(run.fault());
    EXPECT_EQ(run.fault()->what, "Work-item 0 reads an int4 at byte 4 of 'a'");
    EXPECT_THAT(run.fault()->hint, testing::HasSubstr("vload"));
    Example right = example;
    right.text =
        "kernel void f(global int* a)\n{\n    int4 v = vload4(0, a + 1);\n"
        "    a[0] = v.x + (*(global int4*)(a + 4)).y;\n}\n";
    const auto good = play(job_of(right), order_of(SchedulingPolicy::Kind::in_order));
    EXPECT_FALSE(good.fault());
    EXPECT_EQ(ints_of(good, 0)[0], 8);
}

TEST(Finding, MemoryThatNobodyHasWritten) {
    const Example example{
        "kernel void f(global int* out, local int* buf)\n{\n"
        "    out[get_local_id(0)] = buf[3 - get_local_id(0)];\n}\n",
        4,
        4,
        {{}},
        4,
        {4}};
    const auto run = play(job_of(example), order_of(SchedulingPolicy::Kind::in_order));
    EXPECT_FALSE(run.fault());
    ASSERT_EQ(run.findings().size(), 1U);
    EXPECT_EQ(run.findings()[0].what, "Work-item 0 reads buf[3], which nobody has written yet");
    EXPECT_EQ(run.findings()[0].count, 4U);
    EXPECT_EQ(run.findings()[0].place.line, 3U);
    // What it holds is always the same, and no likely number.
    EXPECT_EQ(ints_of(run, 0)[0], static_cast<std::int32_t>(0xA5A5A5A5U));
}

// What an exchange leaves does not depend on what it finds.
TEST(Finding, AnExchangeWhoseOldValueNobodyUses) {
    const auto found = [](const char* statement) {
        const Example example{
            fmt::format("kernel void f(global int* out, local int* b)\n{{\n    {}\n"
                        "    out[0] = b[0];\n}}\n",
                        statement),
            1,
            1,
            {{0, 0}},
            4,
            {1}};
        return play(job_of(example), order_of(SchedulingPolicy::Kind::in_order)).findings().size();
    };
    for (const char* set : {"atomic_xchg(b, 7);", "int old = atomic_xchg(b, 7);",
                            "atomic_exchange((local atomic_int*)b, 7);",
                            "atomic_flag_test_and_set((local atomic_flag*)b);"})
        EXPECT_EQ(found(set), 0U) << set;
    for (const char* use :
         {"out[1] = atomic_xchg(b, 7);", "int old = atomic_xchg(b, 7); if (old) out[1] = 1;",
          "if (atomic_flag_test_and_set((local atomic_flag*)b)) out[1] = 1;", "atomic_add(b, 7);",
          "atomic_cmpxchg(b, 0, 7);"})
        EXPECT_EQ(found(use), 1U) << use;
}

// No host fills an array of one's own.
TEST(Finding, AnArrayOfOnesOwnWithoutAValue) {
    const Example example{
        "kernel void f(global int* out, int n)\n{ int a[4]; a[0] = 1; out[0] = a[n]; }\n",
        1,
        1,
        {{}},
        4,
        {},
        {2}};
    const auto run = play(job_of(example), order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_EQ(run.findings().size(), 1U);
    EXPECT_EQ(run.findings()[0].what, "Work-item 0 reads a[2], which nobody has written yet");
    EXPECT_EQ(run.findings()[0].hint, "Give it a value where it is declared");
}

TEST(Finding, AVariableWithoutAValue) {
    const Example example{
        "kernel void f(global int* out, int n)\n{\n    int x;\n"
        "    if (n > 1)\n        x = n;\n    out[0] = x;\n}\n",
        1,
        1,
        {{0}},
        4,
        {},
        {1}};
    const auto bad = play(job_of(example), order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_EQ(bad.findings().size(), 1U);
    EXPECT_EQ(bad.findings()[0].what, "Work-item 0 reads the variable 'x', which has no value yet");
    Example with = example;
    with.numbers = {2};
    const auto good = play(job_of(with), order_of(SchedulingPolicy::Kind::in_order));
    EXPECT_TRUE(good.findings().empty());
    EXPECT_EQ(ints_of(good, 0)[0], 2);
}

TEST(Finding, AComponentOfAVariableWithoutAValue) {
    const Example example{
        "kernel void f(global int* out)\n{\n    int4 v;\n    out[0] = v.y;\n"
        "    v.x = 1;\n    out[1] = v.x;\n}\n",
        1,
        1,
        {{0, 0}}};
    const auto run = play(job_of(example), order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_EQ(run.findings().size(), 1U);
    EXPECT_EQ(run.findings()[0].place.line, 4U);
}

TEST(Fault, ARunTooLongToBeRecordedEndsWithWhatItHas) {
    const Example example{
        "kernel void f(global int* a)\n{\n    while (a[0] < 1000000)\n"
        "        a[0] += 1;\n}\n",
        1,
        1,
        {{0}}};
    Recording recording;
    recording.most_events = 50'000;
    Job job = job_of(example);
    job.budget = 100'000'000;
    const auto run = play(std::move(job), order_of(SchedulingPolicy::Kind::in_order), recording);
    ASSERT_TRUE(run.fault());
    EXPECT_EQ(run.fault()->what,
              "The run is too long to be recorded: more than 50000 loads and stores");
    EXPECT_GT(run.trace().size(), 20'000U);
    EXPECT_LT(run.trace().size() + run.trace().events(), 100'000U);
    EXPECT_THAT(run.fault()->why, testing::HasSubstr("still at work in line 4"));
}

TEST(Job, ArgumentsThatDoNotFitAreAProblem) {
    const Example example{"kernel void f(global int* a, int n) { a[0] = n; }", 1, 1, {{0}}};
    EXPECT_THROW(play(job_of(example), order_of(SchedulingPolicy::Kind::in_order)), Problem);
    Example odd = example;
    odd.numbers = {1};
    odd.global = 5;
    odd.local = 2;
    EXPECT_THROW(play(job_of(odd), order_of(SchedulingPolicy::Kind::in_order)), Problem);
    Example large = example;
    large.numbers = {1};
    large.global = large.local = 2048;
    EXPECT_THROW(play(job_of(large), order_of(SchedulingPolicy::Kind::in_order)), Problem);
}

}  // namespace
}  // namespace lab::machine
