#include <algorithm>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lang/instrument.h"

namespace lab::lang {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string instrumented(const std::string& text, const std::string& kernel = {}) {
    return instrument({"k.cl", text, ""}, kernel).text.text;
}

std::string shipped(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(LAB_SOURCE_DIR "/kernels/" + name).rdbuf();
    return text.str();
}

std::string macros_of(const std::string& more) {
    return "#define T int\n#define IDENTITY 0\n#define COMBINE(a, b) ((a) + (b))\n" + more;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);)
        lines.push_back(line);
    return lines;
}

// What was changed, as the lines read now.
std::vector<std::string> changed(const std::string& before, const std::string& after) {
    const auto from = lines_of(before), to = lines_of(after);
    EXPECT_EQ(from.size(), to.size());
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
        if (from[i] != to[i]) texts.push_back(to[i].substr(to[i].find_first_not_of(' ')));
    return texts;
}

std::vector<std::string> names_of(const Instrumented& instrumented) {
    std::vector<std::string> names;
    for (const Watched& watched : instrumented.watched)
        names.push_back(watched.name);
    return names;
}

std::string why_not(const std::string& text, const std::string& kernel = {}) {
    try {
        return instrumented(text, kernel);
    } catch (const Problem& problem) {
        return problem.why;
    }
}

using Texts = std::vector<std::string>;

TEST(Instrument, TheLocalTree) {
    const std::string text = shipped("local_tree.cl");
    const Instrumented instrumented = instrument(
        {"k.cl", text,
         macros_of("#define ITEMS 4\n#define BARRIER_LOAD 1\n#define BARRIER_LOOP 1\n")});
    EXPECT_EQ(changed(text, instrumented.text.text),
              (Texts{"global T* out, local T* buf, LAB_ARGUMENTS)", "{ LAB_BEGIN",
                     "barrier(CLK_LOCAL_MEM_FENCE) LAB_SNAPSHOT;",
                     "barrier(CLK_LOCAL_MEM_FENCE) LAB_SNAPSHOT;", "LAB_END }"}));
    EXPECT_EQ(names_of(instrumented), (Texts{"out", "buf"}));
    EXPECT_EQ(instrumented.watched[0].space, Space::global);
    EXPECT_EQ(instrumented.watched[0].parameter, 2U);
    EXPECT_EQ(instrumented.watched[1].space, Space::local);
    EXPECT_EQ(instrumented.watched[1].parameter, 3U);
    EXPECT_EQ(instrumented.parameters, 4U);
    EXPECT_TRUE(instrumented.at_end);
    EXPECT_THAT(instrumented.text.macros, StartsWith(macros_of("#define ITEMS 4\n")));
    EXPECT_THAT(instrumented.text.macros,
                HasSubstr("#define LAB_BEGIN uint lab_taken = 0; uint* lab_count = &lab_taken; "
                          "volatile global uchar* lab_0 = (volatile global uchar*)out; "
                          "volatile local uchar* lab_1 = (volatile local uchar*)buf;\n"));
}

// What conditions leave out is left alone.
TEST(Instrument, BarriersThatAreSwitchedOff) {
    const std::string text = shipped("local_tree.cl");
    const Instrumented instrumented = instrument(
        {"k.cl", text,
         macros_of("#define ITEMS 4\n#define BARRIER_LOAD 1\n#define BARRIER_LOOP 0\n")});
    EXPECT_EQ(changed(text, instrumented.text.text),
              (Texts{"global T* out, local T* buf, LAB_ARGUMENTS)", "{ LAB_BEGIN",
                     "barrier(CLK_LOCAL_MEM_FENCE) LAB_SNAPSHOT;", "LAB_END }"}));
}

TEST(Instrument, SinglePassWaitsInAFunctionAndHasAVariableOfItsOwn) {
    const std::string text = shipped("single_pass.cl");
    const Instrumented instrumented = instrument({"k.cl", text, macros_of("")});
    EXPECT_EQ(changed(text, instrumented.text.text),
              (Texts{"T group_total(T mine, local T* buf, LAB_PARAMETERS)",
                     "barrier(CLK_LOCAL_MEM_FENCE) LAB_SNAPSHOT;",
                     "barrier(CLK_LOCAL_MEM_FENCE) LAB_SNAPSHOT;",
                     "barrier(CLK_LOCAL_MEM_FENCE) LAB_SNAPSHOT;",
                     "global T* out, local T* buf, LAB_ARGUMENTS)", "{ LAB_BEGIN",
                     "sum = group_total(sum, buf, LAB_STATE);", "local uint last; LAB_DECLARED_4",
                     "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE) LAB_SNAPSHOT;",
                     "sum = group_total(sum, buf, LAB_STATE);"}));
    EXPECT_EQ(names_of(instrumented), (Texts{"totals", "done", "out", "buf", "last"}));
    EXPECT_EQ(instrumented.watched[4].bytes, 4U);
    EXPECT_FALSE(instrumented.watched[4].is_parameter);
    // Some items may return before its end.
    EXPECT_FALSE(instrumented.at_end);
}

// In a macro's body the copy belongs to each of its uses, of which some may be switched off.
TEST(Instrument, TheUnrolledLadderWaitsInAMacro) {
    const std::string text = shipped("ladder_5_unrolled.cl");
    const Instrumented instrumented = instrument({"k.cl", text, macros_of("#define SYNC 1\n")});
    EXPECT_EQ(changed(text, instrumented.text.text),
              (Texts{"barrier(CLK_LOCAL_MEM_FENCE) LAB_SNAPSHOT;",
                     "volatile local T* buf, LAB_ARGUMENTS)", "{ LAB_BEGIN",
                     "barrier(CLK_LOCAL_MEM_FENCE) LAB_SNAPSHOT;",
                     "barrier(CLK_LOCAL_MEM_FENCE) LAB_SNAPSHOT;", "LAB_END }"}));
}

TEST(Instrument, ABarrierMayBeAnyStatement) {
    EXPECT_EQ(instrumented("kernel void f(global int* a) {\n"
                           "    if (a[0]) barrier(CLK_LOCAL_MEM_FENCE); else a[1] = 2;\n"
                           "    for (int i = 0; i < 2; ++i, barrier(1)) work_group_barrier(1);\n"
                           "}\n"),
              "kernel void f(global int* a, LAB_ARGUMENTS) { LAB_BEGIN\n"
              "    if (a[0]) barrier(CLK_LOCAL_MEM_FENCE) LAB_SNAPSHOT; else a[1] = 2;\n"
              "    for (int i = 0; i < 2; ++i, barrier(1) LAB_SNAPSHOT) work_group_barrier(1) "
              "LAB_SNAPSHOT;\n"
              "LAB_END }\n");
}

TEST(Instrument, ABarrierOfAMacroIsFollowedInItsBody) {
    EXPECT_EQ(instrumented("#define WAIT barrier(CLK_LOCAL_MEM_FENCE)\n"
                           "#define BOTH do { WAIT; WAIT; } while (0)\n"
                           "kernel void f() { WAIT; BOTH; }"),
              "#define WAIT barrier(CLK_LOCAL_MEM_FENCE) LAB_SNAPSHOT\n"
              "#define BOTH do { WAIT; WAIT; } while (0)\n"
              "kernel void f(LAB_ARGUMENTS) { LAB_BEGIN WAIT; BOTH; LAB_END }");
    // An argument stands where it is used.
    EXPECT_EQ(instrumented("#define AND(a, b) a; b;\n"
                           "kernel void f(global int* x) { AND(barrier(1), x[0] = 1) }"),
              "#define AND(a, b) a; b;\n"
              "kernel void f(global int* x, LAB_ARGUMENTS) { LAB_BEGIN AND(barrier(1) "
              "LAB_SNAPSHOT, x[0] = 1) LAB_END }");
}

TEST(Instrument, WithoutABarrierTheEndIsAllThereIs) {
    EXPECT_EQ(instrumented("int twice(int x) { return 2 * x; }\n"
                           "kernel void f(global int* a) { a[0] = twice(a[0]); }"),
              "int twice(int x) { return 2 * x; }\n"
              "kernel void f(global int* a, LAB_ARGUMENTS) { LAB_BEGIN a[0] = twice(a[0]); "
              "LAB_END }");
}

TEST(Instrument, NestedFunctions) {
    EXPECT_EQ(instrumented("void inner(void);\n"
                           "int outer(int x) { inner(); return x; }\n"
                           "void inner(void) { barrier(1); }\n"
                           "int other(int x) { return x; }\n"
                           "kernel void f(global int* a) { a[0] = outer(other(outer(1))); }"),
              "void inner(LAB_PARAMETERS);\n"
              "int outer(int x, LAB_PARAMETERS) { inner(LAB_STATE); return x; }\n"
              "void inner(LAB_PARAMETERS) { barrier(1) LAB_SNAPSHOT; }\n"
              "int other(int x) { return x; }\n"
              "kernel void f(global int* a, LAB_ARGUMENTS) { LAB_BEGIN a[0] = "
              "outer(other(outer(1, LAB_STATE)), LAB_STATE); LAB_END }");
}

TEST(Instrument, SeveralVariablesInOneDeclaration) {
    const Instrumented instrumented = instrument(
        {"k.cl", "kernel void f(global const int* a) { local int x[4], y; barrier(1); }", ""});
    EXPECT_EQ(instrumented.text.text,
              "kernel void f(global const int* a, LAB_ARGUMENTS) { LAB_BEGIN local int x[4], y; "
              "LAB_DECLARED_0 LAB_DECLARED_1 barrier(1) LAB_SNAPSHOT; LAB_END }");
    EXPECT_EQ(names_of(instrumented), (Texts{"x", "y"}));  // nobody writes to a
    EXPECT_EQ(instrumented.watched[0].bytes, 16U);
}

TEST(Instrument, WhatCannotBeWatchedSaysWhy) {
    EXPECT_THAT(why_not("kernel void f() { int x = work_group_reduce_add(1); barrier(1); }"),
                HasSubstr("'work_group_reduce_add' waits within the device's library"));
    EXPECT_THAT(why_not("kernel void f() { event_t e = 0; wait_group_events(1, &e); barrier(1); }"),
                HasSubstr("A wait for copies is a barrier of the device's own"));
    EXPECT_THAT(why_not("kernel void g() { barrier(1); }\nkernel void f() { barrier(1); }", "f"),
                HasSubstr("The kernel 'g' waits too"));
    EXPECT_THAT(why_not("#define L(n) local int n;\n"
                        "kernel void f() { L(x) L(y) barrier(1); }"),
                HasSubstr("A macro stands for different things there"));
    try {
        instrument({"k.cl", "kernel void f() { WAIT }", "#define WAIT barrier(1);\n"});
        ADD_FAILURE() << "a barrier of the macros";
    } catch (const Problem& problem) {
        EXPECT_THAT(problem.why, HasSubstr("outside of the file"));
        EXPECT_EQ(problem.where, "k.cl:1:19");
    }
    EXPECT_THROW(instrumented("kernel void f() { x = 1; }"), Problem);
}

TEST(Instrument, WhatTheTextIncludesStaysIncluded) {
    Text text{"k.cl",
              "#include \"twice.h\"\n"
              "kernel void k(global int* a) { a[0] = TWICE(1); barrier(CLK_LOCAL_MEM_FENCE); }\n",
              "",
              {{"twice.h", "#define TWICE(x) (2 * (x))\n", "twice.h"}}};
    const Instrumented made = instrument(text);
    EXPECT_THAT(made.text.text, HasSubstr("barrier(CLK_LOCAL_MEM_FENCE) LAB_SNAPSHOT;"));
    ASSERT_EQ(made.text.includes.size(), 1U);
    EXPECT_TRUE(compile(made.text).code);
}

// Each group of a launch of two or three dimensions has copies of its own, and its work-items share
// the work.
TEST(Instrument, SnapshotsAreNumberedOverAllDimensions) {
    const Instrumented made =
        instrument({"k.cl", "kernel void k(global int* a) { a[0] = 1; barrier(1); }\n", ""});
    for (const char* part : {"get_group_id(2)", "get_num_groups(1)", "get_local_id(2)",
                             "get_local_size(0) * get_local_size(1) * get_local_size(2)"})
        EXPECT_THAT(made.text.macros, HasSubstr(part));
}

}  // namespace
}  // namespace lab::lang
