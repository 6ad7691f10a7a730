// Golden tests of what stops a run: kernel, launch, and the whole verdict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/translations.h"
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
         "  why:  The pointer is null, or was made of a number\n"
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
         "  why:  What comes of it differs from device to device\n"
         "  kernel void f(global int* a) { a[get_global_id(0)] = 8 / ((int)get_global_id(0) - 2); "
         "}\n"
         "                                                       ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
         "  hint: Ask for zero before it"},
        {"BarrierInABranch",
         {"kernel void f(global int* a)\n{\n    if (get_local_id(0) < 2)\n"
          "        barrier(CLK_LOCAL_MEM_FENCE);\n    a[0] = 1;\n}\n",
          4,
          4,
          {{0}}},
         Fault::Kind::divergence,
         "example.cl:4:9: Not all work-items of group 0 come to the barrier in line 4\n"
         "  why:  2 work-items, 0 among them, came to it, but 2 work-items, 2 among them, went "
         "another way in line 3\n"
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
            const auto run = play(job_of(verdict.example, lanes), order_of(Order::Kind::in_order));
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
    const auto run = play(job_of(example), order_of(Order::Kind::in_order));
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
    const auto run = play(job_of(example, 2), order_of(Order::Kind::in_order));
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
        const auto run = play(job_of(example, lanes), order_of(Order::Kind::round_robin));
        ASSERT_TRUE(run.fault()) << lanes;
        EXPECT_EQ(run.fault()->kind, Fault::Kind::divergence);
        EXPECT_EQ(run.fault()->place.line, 5U);
        EXPECT_THAT(run.fault()->why, testing::HasSubstr("another way in line 4")) << lanes;
    }
}

TEST(Fault, ABarrierOfWholeGroupsIsNone) {
    const Example example{
        "kernel void f(global int* a)\n{\n    if (get_group_id(0) == 1)\n        return;\n"
        "    barrier(CLK_GLOBAL_MEM_FENCE);\n    a[get_global_id(0)] = 1;\n}\n",
        6,
        2,
        {{0, 0, 0, 0, 0, 0}}};
    const auto run = play(job_of(example), order_of(Order::Kind::random, 3));
    EXPECT_FALSE(run.fault());
    EXPECT_EQ(ints_of(run, 0), (std::vector<std::int32_t>{1, 1, 0, 0, 1, 1}));
}

// Each part that a fault can be told in has words in every language, and other ones than English.
void expect_words(const Fault& fault) {
    const Translations russian("ru"), chinese("zh");
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

TEST(Fault, HasWordsInEveryLanguage) {
    setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
    for (const Verdict& verdict : verdicts()) {
        SCOPED_TRACE(verdict.name);
        const auto run = play(job_of(verdict.example, 4), order_of(Order::Kind::in_order));
        ASSERT_TRUE(run.fault());
        expect_words(*run.fault());
        expect_translated(run.problem(*run.fault()));
        const Problem problem = translated(run.problem(*run.fault()), Translations("ru"));
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
    const auto run = play(job, order_of(Order::Kind::in_order));
    ASSERT_TRUE(run.fault());
    EXPECT_EQ(run.fault()->kind, Fault::Kind::deadlock);
    EXPECT_EQ(run.fault()->what, "The kernel has not ended after 10000 instructions");
    EXPECT_THAT(run.fault()->why,
                testing::HasSubstr("Work-item 0 (group 0) spins in line 3: it reads flag[1] again "
                                   "and again, which stays 3"));
    EXPECT_THAT(run.fault()->why, testing::HasSubstr("1 of 2 groups have not begun"));
    EXPECT_THAT(run.fault()->hint, testing::HasSubstr("--resident"));
    setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
    expect_words(*run.fault());
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
    const auto run = play(job, order_of(Order::Kind::in_order));
    ASSERT_TRUE(run.fault());
    EXPECT_EQ(run.fault()->kind, Fault::Kind::budget);
    EXPECT_THAT(run.fault()->why, testing::HasSubstr("Work-item 0 goes round in line"));
}

TEST(Fault, AVectorBetweenItsMultiples) {
    const Example example{
        "kernel void f(global int* a)\n{\n    int4 v = *(global int4*)(a + 1);\n"
        "    a[0] = v.x;\n}\n",
        1,
        1,
        {{1, 2, 3, 4, 5, 6, 7, 8}}};
    const auto run = play(job_of(example), order_of(Order::Kind::in_order));
    ASSERT_TRUE(run.fault());
    EXPECT_EQ(run.fault()->what, "Work-item 0 reads an int4 at byte 4 of 'a'");
    EXPECT_THAT(run.fault()->hint, testing::HasSubstr("vload"));
    Example right = example;
    right.text =
        "kernel void f(global int* a)\n{\n    int4 v = vload4(0, a + 1);\n"
        "    a[0] = v.x + (*(global int4*)(a + 4)).y;\n}\n";
    const auto good = play(job_of(right), order_of(Order::Kind::in_order));
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
    const auto run = play(job_of(example), order_of(Order::Kind::in_order));
    EXPECT_FALSE(run.fault());
    ASSERT_EQ(run.findings().size(), 1U);
    EXPECT_EQ(run.findings()[0].what, "Work-item 0 reads buf[3], which nobody has written yet");
    EXPECT_EQ(run.findings()[0].count, 4U);
    EXPECT_EQ(run.findings()[0].place.line, 3U);
    // What it holds is always the same, and no likely number.
    EXPECT_EQ(ints_of(run, 0)[0], static_cast<std::int32_t>(0xA5A5A5A5U));
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
    const auto bad = play(job_of(example), order_of(Order::Kind::in_order));
    ASSERT_EQ(bad.findings().size(), 1U);
    EXPECT_EQ(bad.findings()[0].what, "Work-item 0 reads the variable 'x', which has no value yet");
    Example with = example;
    with.numbers = {2};
    const auto good = play(job_of(with), order_of(Order::Kind::in_order));
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
    const auto run = play(job_of(example), order_of(Order::Kind::in_order));
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
    const auto run = play(std::move(job), order_of(Order::Kind::in_order), recording);
    ASSERT_TRUE(run.fault());
    EXPECT_EQ(run.fault()->what,
              "The run is too long to be recorded: more than 50000 loads and stores");
    EXPECT_GT(run.trace().size(), 20'000U);
    EXPECT_LT(run.trace().size() + run.trace().events(), 100'000U);
    EXPECT_THAT(run.fault()->why, testing::HasSubstr("still at work in line 4"));
}

TEST(Job, ArgumentsThatDoNotFitAreAProblem) {
    const Example example{"kernel void f(global int* a, int n) { a[0] = n; }", 1, 1, {{0}}};
    EXPECT_THROW(play(job_of(example), order_of(Order::Kind::in_order)), Problem);
    Example odd = example;
    odd.numbers = {1};
    odd.global = 5;
    odd.local = 2;
    EXPECT_THROW(play(job_of(odd), order_of(Order::Kind::in_order)), Problem);
    Example large = example;
    large.numbers = {1};
    large.global = large.local = 2048;
    EXPECT_THROW(play(job_of(large), order_of(Order::Kind::in_order)), Problem);
}

}  // namespace
}  // namespace lab::machine
