#include "session/kernels/user_kernel_form.h"

#include <gmock/gmock.h>

#include <regex>

#include "machine/run.h"
#include "session/kernels/user_kernel_copy.h"
#include "support/example_shapes.h"

namespace lab::session {
namespace {

using simulation::UserKernel;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

UserKernel fitted(const std::string& text, UserKernel kernel = {}) {
    kernel.file = "own.cl";
    kernel.text = text;
    fit_launch(kernel, facts_of(kernel));
    return kernel;
}

struct Guess {
    const char* what;
    const char* text;
    std::vector<std::string> arguments;
    Extent global = 64, local = 16;
};

// Each runs as guessed, without a fault.
const Guess kGuesses[] = {
    {"in place",
     "kernel void f(global int* data, const uint n) {\n"
     "  uint i = get_global_id(0); if (i + 1 < n && i % 2 == 0) data[i] += data[i + 1]; }",
     {"data:int[64]=ramp", "n=64"}},
    {"const in, partial sums out, local memory",
     "kernel void f(global const float* in, global float* out, local float* part, int n) {\n"
     "  size_t l = get_local_id(0), i = get_global_id(0);\n"
     "  part[l] = i < n ? in[i] : 0; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  for (size_t s = 8; s > 0; s /= 2) {\n"
     "    if (l < s) part[l] += part[l + s];\n"
     "    barrier(CLK_LOCAL_MEM_FENCE); }\n"
     "  if (l == 0) out[get_group_id(0)] = part[0]; }",
     {"in:float[64]=ramp", "out:float[64]", "part:local float[16]", "n=64"}},
    {"an atomic accumulator",
     "kernel void f(global const int* in, volatile global int* sum) {\n"
     "  atomic_add(sum, in[get_global_id(0)]); }",
     {"in:int[64]=ramp", "sum:int[64]=0"}},
    {"an accumulator that is only added to",
     "kernel void f(global const int* in, global int* sum) {\n"
     "  if (get_global_id(0) == 0) for (int i = 0; i < 64; ++i) sum[ 0 ] += in[i]; }",
     {"in:int[64]=ramp", "sum:int[64]=0"}},
    {"vectors",
     "kernel void f(global const float4* in, global float* out, float4 weights) {\n"
     "  out[get_global_id(0)] = dot(in[get_global_id(0)], weights); }",
     {"in:float4[64]=ramp", "out:float[64]", "weights=1,1,1,1"}},
    {"a structure",
     "typedef struct { int key; float value; } Item;\n"
     "kernel void f(global Item* items, int count) {\n"
     "  int i = get_global_id(0); if (i < count) items[i].key = i; }",
     {"items:uchar[512]=0", "count=64"}},
    {"a structure by value",
     "typedef struct { int a; float b; } Pair;\n"
     "kernel void f(global int* out, Pair p) { out[get_global_id(0)] = p.a + (int)p.b; }",
     {"out:int[64]=ramp", "p=1,1"}},
    {"scalars of several kinds",
     "kernel void f(global long* data, uint offset, uint stride, float scale, uint numItems) {\n"
     "  uint i = get_global_id(0) * stride + offset; if (i < numItems) data[i] *= scale; }",
     {"data:long[64]=ramp", "offset=0", "stride=1", "scale=1", "numItems=64"}},
    {"a lone integer is the count",
     "kernel void f(global double* x, ulong limit) { if (get_global_id(0) < limit) x[0] = 1; }",
     {"x:double[64]=ramp", "limit=64"}},
    {"a required group",
     "__kernel __attribute__((reqd_work_group_size(32, 1, 1)))\n"
     "void f(__global int* a, __local int* b) { b[get_local_id(0)] = 1; a[get_global_id(0)] = "
     "b[get_local_id(0)]; }",
     {"a:int[64]=ramp", "b:local int[32]"},
     64,
     32},
    {"a second dimension",
     "kernel void f(global const float* in, global float* out, int width, int height) {\n"
     "  local float tile[16][17]; int lx = get_local_id(0), ly = get_local_id(1);\n"
     "  int x = get_global_id(0), y = get_global_id(1);\n"
     "  tile[ly][lx] = in[y * width + x]; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  out[x * height + y] = tile[ly][lx]; }",
     {"in:float[64]=ramp", "out:float[64]", "width=8", "height=8"},
     {8, 8},
     {4, 4}},
    {"a matrix product in a helper",
     "float dot_of(global const float* a, global const float* b, int n) {\n"
     "  float sum = 0; for (int i = 0; i < n; ++i)\n"
     "    sum += a[get_global_id(1) * n + i] * b[i * n + get_global_id(0)];\n"
     "  return sum; }\n"
     "kernel void f(global const float* a, global const float* b, global float* c, int n) {\n"
     "  c[get_global_id(1) * n + get_global_id(0)] = dot_of(a, b, n); }",
     {"a:float[64]=ramp", "b:float[64]=ramp", "c:float[64]", "n=8"},
     {8, 8},
     {4, 4}},
    {"a third dimension",
     "kernel void f(global int* out, int w, int h) {\n"
     "  out[(get_global_id(2) * h + get_global_id(1)) * w + get_global_id(0)] = 1; }",
     {"out:int[64]=ramp", "w=4", "h=4"},
     {4, 4, 4},
     {2, 2, 2}},
    {"a required group of two dimensions",
     "kernel __attribute__((reqd_work_group_size(8, 2, 1)))\n"
     "void f(global int* a, local int* b) { b[get_local_id(0)] = 1; a[get_global_id(0)] = 1; }",
     {"a:int[64]=ramp", "b:local int[16]"},
     {8, 8},
     {8, 2}},
    {"bytes",
     "kernel void f(global const uchar* in, global uint* histogram) {\n"
     "  atomic_inc(&histogram[in[get_global_id(0)] % 64]); }",
     {"in:uchar[64]=0", "histogram:uint[64]=0"}},
    {"no parameters", "kernel void f() { local int a; a = 1; }", {}},
    {"constant data and a comment that is no code",
     "// sum[0] += nothing\n"
     "kernel void f(constant int* table, global int* sum) {\n"
     "  sum[get_global_id(0)] = table[get_local_id(0)]; }",
     {"table:int[64]=ramp", "sum:int[64]"}},
};

TEST(UserKernelForm, AFirstGuessRunsMostKernelsAtOnce) {
    for (const Guess& guess : kGuesses) {
        SCOPED_TRACE(guess.what);
        const UserKernel kernel = fitted(guess.text);
        EXPECT_EQ(kernel.arguments, guess.arguments);
        EXPECT_EQ(kernel.global, guess.global);
        EXPECT_EQ(kernel.local, guess.local);
        const simulation::Options& options = simulation::kClassroom;
        const machine::Run run(job_of(kernel, options.config), options.order);
        EXPECT_FALSE(run.fault()) << run.fault()->what << run.fault()->why;
    }
}

TEST(UserKernelForm, RowsTellWhatArgumentsSayAndSayItAgain) {
    for (const Guess& guess : kGuesses) {
        SCOPED_TRACE(guess.what);
        const UserKernel kernel = fitted(guess.text);
        std::vector<std::string> again;
        for (const ArgumentRow& row : rows_of(facts_of(kernel), kernel))
            again.push_back(argument_of(row));
        EXPECT_EQ(again, kernel.arguments);
    }
}

TEST(UserKernelForm, WhatWasSetStaysWhileTheParameterStays) {
    const std::string text = "kernel void f(global int* data, uint n) { data[0] = n; }";
    UserKernel kernel = fitted(text);
    kernel.arguments = {"data:int[8]=7,1,6,8,5,6,7,1", "n=8"};
    kernel.global = 8;
    kernel.local = 4;
    kernel =
        fitted("kernel void f(uint n, local int* tmp, global int* data) { data[0] = n; }", kernel);
    EXPECT_THAT(kernel.arguments,
                ElementsAre("n=8", "tmp:local int[4]", "data:int[8]=7,1,6,8,5,6,7,1"));
    EXPECT_EQ(kernel.global, 8U);
    kernel = fitted("kernel void f(global float* data) { data[0] = 1; }", kernel);
    EXPECT_THAT(kernel.arguments, ElementsAre("data:float[64]=ramp"));
}

TEST(UserKernelForm, ATextWithErrorsLeavesTheLaunchAlone) {
    UserKernel kernel = fitted("kernel void f(global int* data, uint n) { data[0] = n; }");
    kernel.arguments[1] = "n=7";
    const UserKernel before = kernel;
    kernel = fitted("kernel void f(global int* data, uint n) { data[0] = n }", kernel);
    EXPECT_EQ(kernel.arguments, before.arguments);
    const TextFacts facts = facts_of(kernel);
    EXPECT_FALSE(facts.compiles);
    ASSERT_EQ(facts.marks.size(), 1U);
    EXPECT_EQ(facts.marks[0].line, 1U);
    EXPECT_THAT(facts.marks[0].message, HasSubstr("';'"));
}

TEST(UserKernelForm, OfSeveralKernelsTheFirstIsChosenUntilOneIsNamed) {
    const std::string text =
        "kernel void one(global int* a) { a[0] = 1; }\n"
        "kernel void two(global float* b, float by) { b[0] = by; }";
    UserKernel kernel = fitted(text);
    EXPECT_EQ(kernel.kernel, "one");
    EXPECT_THAT(facts_of(kernel).kernels, ElementsAre("one", "two"));
    kernel.kernel = "two";
    kernel = fitted(text, kernel);
    EXPECT_THAT(kernel.arguments, ElementsAre("b:float[64]=ramp", "by=1"));
    kernel = fitted("kernel void one(global int* a) { a[0] = 1; }", kernel);
    EXPECT_EQ(kernel.kernel, "");
    EXPECT_THAT(kernel.arguments, ElementsAre("a:int[64]=ramp"));
}

TEST(UserKernelForm, OfNoKernelItIsSaidWhatOneBeginsWith) {
    for (const char* text : {"", "int f(int a) { return a; }", "not OpenCL at all"}) {
        const TextFacts facts = facts_of({"own.cl", text, ""}, "");
        EXPECT_FALSE(facts.compiles) << text;
        EXPECT_FALSE(facts.marks.empty()) << text;
        EXPECT_THAT(facts.parameters, IsEmpty());
    }
    EXPECT_THAT(facts_of({"own.cl", "", ""}, "").marks[0].hint, HasSubstr("kernel void"));
}

TEST(UserKernelForm, ACountTakesTheKernelsNWithItAndAGroupItsLocalArrays) {
    UserKernel kernel = fitted(
        "kernel void f(global const int* in, local int* part, int n, int span) {\n"
        "  part[0] = in[0] + n + span; }");
    set_count(kernel, rows_of(facts_of(kernel), kernel), 0, 8);
    EXPECT_THAT(kernel.arguments,
                ElementsAre("in:int[8]=ramp", "part:local int[16]", "n=8", "span=1"));
    set_local(kernel, rows_of(facts_of(kernel), kernel), 4);
    EXPECT_EQ(kernel.local, 4U);
    EXPECT_THAT(kernel.arguments,
                ElementsAre("in:int[8]=ramp", "part:local int[4]", "n=8", "span=1"));
    set_fill(kernel, rows_of(facts_of(kernel), kernel), 0, "3,1,2");
    EXPECT_THAT(kernel.arguments,
                ElementsAre("in:int[3]=3,1,2", "part:local int[4]", "n=3", "span=1"));
}

TEST(UserKernelForm, ASizeOfOtherDimensionsTakesTheOthersWithIt) {
    const std::string text = "kernel void f(global int* a, local int* b) { a[0] = b[0] = 1; }";
    UserKernel kernel = fitted(text);
    kernel.offset = 4;
    const auto rows = [&] { return rows_of(facts_of(kernel), kernel); };
    set_global(kernel, rows(), {12, 6});
    EXPECT_EQ(kernel.global, Extent(12, 6));
    EXPECT_EQ(kernel.local, Extent(4, 2));
    EXPECT_FALSE(kernel.offset.given());
    EXPECT_THAT(kernel.arguments, ElementsAre("a:int[64]=ramp", "b:local int[8]"));
    set_local(kernel, rows(), {2, 3});
    EXPECT_EQ(kernel.global, Extent(12, 6));
    set_local(kernel, rows(), {2, 2, 2});
    EXPECT_EQ(kernel.global, Extent(4, 4, 4));
    set_local(kernel, rows(), 8);
    EXPECT_EQ(kernel.global, Extent(64));
    set_global(kernel, rows(), 32);
    EXPECT_EQ(kernel.local, Extent(8));
}

TEST(UserKernelForm, WhatTheCommandLineGivesWithoutNamesIsReadByItsPlace) {
    UserKernel kernel;
    kernel.arguments = {"7", "null", "a:int[4]"};
    kernel.global = kernel.local = 4;
    kernel = fitted("kernel void f(int x, global int* none, global int* a) { a[0] = x; }", kernel);
    EXPECT_THAT(kernel.arguments, ElementsAre("x=7", "null", "a:int[4]"));
}

TEST(UserKernelForm, MacrosCountAsMuchAsTheText) {
    UserKernel kernel;
    kernel.defines = {"T=float", "WIDE"};
    kernel =
        fitted("#ifdef WIDE\nkernel void f(global T* a, uint n) { a[0] = n; }\n#endif\n", kernel);
    EXPECT_THAT(kernel.arguments, ElementsAre("a:float[64]=ramp", "n=64"));
}

std::string without_comments(const std::string& text) {
    return std::regex_replace(text, std::regex("//[^\n]*"), "");
}

TEST(UserKernelCopy, OfEveryVariantRunsAsPlainOpenCl) {
    for (const catalogue::Variant& variant : simulation::shipped().variants) {
        SCOPED_TRACE(variant.id);
        catalogue::Shape shape = simulation::shape_of("ramp", 0);
        UserKernel kernel;
        try {
            kernel = plain_copy(variant, shape, 16);
        } catch (const Problem& problem) {
            EXPECT_FALSE(problem.hint.empty());
            continue;
        }
        const TextFacts facts = facts_of(kernel);
        EXPECT_TRUE(facts.compiles) << kernel.text;
        EXPECT_THAT(without_comments(kernel.text), testing::Not(HasSubstr("COMBINE")));
        EXPECT_THAT(kernel.text, testing::Not(HasSubstr("teaches:")));
        UserKernel again = kernel;
        fit_launch(again, facts);
        EXPECT_EQ(again.arguments, kernel.arguments);
        EXPECT_NO_THROW(job_of(kernel, simulation::kClassroom.config));
    }
}

}  // namespace
}  // namespace lab::session
