// What compilers take of kernels as they are found, beyond the letter of OpenCL C 1.2.
#include "support/example_job.h"
#include "support/small_kernels.h"

namespace lab::machine {
namespace {

void expect(const Program& program) {
    EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
        << program.text;
}

TEST(LenientLanguage, FunctionsOfOneNameAreToldApartByTheirArguments) {
    static constexpr Program kAll[] = {
        {"#define O __attribute__((overloadable))\n"
         "int O kind(int x) { return 1; }\nint O kind(float x) { return 2; }\n"
         "O int kind(int2 x) { return 3; }\nint O kind(int x, int y) { return 4; }\n"
         "int O kind(global int* x) { return 5; }\n"
         "kernel void f(global int* out) { const char c = 1;\n"
         " out[0] = kind(7); out[1] = kind(1.5f); out[2] = kind((int2)(1)); out[3] = kind(1, 2);\n"
         " out[4] = kind(out); out[5] = kind(c); out[6] = kind(1.0); }",
         "1 2 3 4 5 1 2"},
        {"int __attribute__((overloadable)) later(int x);\n"
         "int __attribute__((overloadable)) later(float x);\n"
         "kernel void f(global int* out) { out[0] = later(1); out[1] = later(1.0f); }\n"
         "int __attribute__((overloadable)) later(int x) { return 1; }\n"
         "int __attribute__((overloadable)) later(float x) { return 2; }\n",
         "1 2"},
    };
    for (const Program& program : kAll)
        expect(program);
}

TEST(LenientLanguage, TextsAreArraysOfConstantMemory) {
    static constexpr Program kAll[] = {
        {"int length_of(constant char* text) { int n = 0; while (text[n] != 0) ++n; return n; }\n"
         "kernel void f(global int* out) { constant char* name = \"four\";\n"
         " out[0] = length_of(name); out[1] = length_of(\"a\" \"bc\"); out[2] = \"xyz\"[1];\n"
         " out[3] = sizeof(\"12345\"); }",
         "4 3 121 6"},
    };
    for (const Program& program : kAll)
        expect(program);
}

TEST(LenientLanguage, PrintfPrintsTextsThatAreChosen) {
    const auto run =
        play(job_of({"kernel void f(global int* out) { const int i = get_global_id(0);\n"
                     " printf(\"%d is %5s|%-4.2s|\\n\", i, i % 2 ? \"odd\" : \"even\",\n"
                     "        i ? \"yes\" : \"no\"); out[0] = 1; }",
                     2,
                     2,
                     {{0}}},
                    1),
             order_of(Order::Kind::in_order));
    ASSERT_FALSE(run.fault());
    ASSERT_EQ(run.prints().size(), 2U);
    EXPECT_EQ(run.prints()[0].text, "0 is  even|no  |\n");
    EXPECT_EQ(run.prints()[1].text, "1 is   odd|ye  |\n");
}

TEST(LenientLanguage, AVectorTakesAConstantIndex) {
    expect(
        {"kernel void f(global int* out) { int4 v = (int4)(1, 2, 3, 4); v[2] = 7;\n"
         " out[0] = v[0] + 10 * v[3]; out[1] = v.z; }",
         "41 7"});
}

TEST(LenientLanguage, VariablesOutsideOfFunctionsAreGlobalIfNothingIsSaid) {
    expect(
        {"int counter = 3;\nconst float half_of[2] = {0.5f, 1.5f};\n"
         "kernel void f(global int* out) { atomic_inc(&counter);\n"
         " barrier(CLK_GLOBAL_MEM_FENCE); out[0] = counter; out[1] = 2 * half_of[1]; }",
         "7 3",
         {4, 4, 4}});
}

TEST(LenientLanguage, APointerIsTakenForAnotherWithAWarning) {
    expect(
        {"kernel void f(global int* out) { global uint* bits = out; global const int* c = out;\n"
         " global int* again = c; bits[0] = 0xffffffffu; again[1] = 5; }",
         "-1 5"});
}

TEST(LenientLanguage, ComponentsByAVariable) {
    expect(
        {"kernel void f(global int* out) { const int i = get_global_id(0);\n"
         " float4 v = (float4)(1, 2, 3, 4); struct { int2 w; } s = {(int2)(5, 6)};\n"
         " v[i] *= 10; s.w[i & 1] = 7; const float8 many = (float8)(v, v);\n"
         " out[i] = v[i] + v[3 - i] * 100 + s.w[1] * 1000 + many[7 - i] * 10000; }",
         "46410 37320 26230 17140",
         {4, 4, 4}});
}

TEST(LenientLanguage, StatementsInAnExpression) {
    static constexpr Program kAll[] = {
        {"#define larger(a, b) ({ int x = (a), y = (b); x > y ? x : y; })\n"
         "kernel void f(global int* out) { const int i = get_global_id(0);\n"
         " out[i] = larger(i, 2) + 10 * larger(({ int y = i; y *= 2; y; }), larger(3, i)); }",
         "32 32 42 63",
         {4, 4, 4}},
        // Loops and choices within, and around; those of a lane that does not come there.
        {"kernel void f(global int* out) { const int i = get_global_id(0); int sum = 0;\n"
         " for (int k = 0; k < 4; ++k) {\n"
         "  if (i == 1) continue;\n"
         "  sum += ({ int n = 0; for (;;) { if (n == i) break; if (n > k) break; ++n; } n; });\n"
         "  if (i == 3 && k == 1) break;\n"
         " }\n out[i] = i > 0 && ({ sum += 100; sum > 105; }) ? sum : -sum; }",
         "0 -100 107 -103",
         {4, 4, 4}},
        // Of nothing, of a vector, of a pointer, and in a function.
        {"int twice(int x) { return ({ if (x > 5) x = 5; x; }) * 2; }\n"
         "kernel void f(global int* out) { ({ out[0] = twice(7); }); ({});\n"
         " const int2 v = ({ int2 w = (int2)(1, 2); w.yx; }); out[1] = v.x * 10 + v.y;\n"
         " *({ int a[2] = {2, 3}; out + a[1] - 1; }) = ({ struct { int m; } s = {4}; s.m; }); }",
         "10 21 4"},
        // As a statement it is a block, that may be left.
        {"kernel void f(global int* out) { const int i = get_global_id(0); out[i] = i;\n"
         " for (int k = 0; k < 3; ++k) { ({ if (k == i) break; out[i] += 10; }); }\n"
         " ({ if (i == 1) return; }); out[i] += 100; }",
         "100 11 122 133",
         {4, 4, 4}},
    };
    for (const Program& program : kAll)
        expect(program);
}

TEST(LenientLanguage, PointersOutsideOfFunctions) {
    expect(
        {"global int g[] = {7, 42};\nconstant int c[][2] = {{-3, 56}, {5, 6}};\n"
         "global int* first = g;\nglobal int* const second = &g[1];\n"
         "constant int* third = c[1] + 1;\nconstant int* constant fourth = &c[0][1];\n"
         "constant int* none = 0;\n"
         "kernel void f(global int* out) { out[0] = *first; out[1] = second[0]; out[2] = *third;\n"
         " out[3] = fourth[-1]; out[4] = none == 0; *second = 1; out[5] = g[1]; }",
         "7 42 6 -3 1 1"});
}

// As from OpenCL C 2.0 on: one pointer for local and for global memory.
TEST(LenientLanguage, APointerThatNamesNoMemoryMayPointToBoth) {
    static constexpr Program kAll[] = {
        {"kernel void f(global int* out) { local int t[4]; const int i = get_global_id(0);\n"
         " t[i] = 10 + i; out[i] = i; int* p;\n"
         " if (i % 2) p = t; else p = out;\n barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
         " const int taken = p[i] + *(p + i);\n"
         " barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
         " atomic_add(&p[0], 1); barrier(CLK_GLOBAL_MEM_FENCE); p = out; p[i] += taken; }",
         "2 23 6 29",
         {4, 4, 4}},
        // Chosen, passed on, and compared.
        {"int sum_of(const int* p, int n) { int s = 0; while (n-- > 0) s += *p++; return s; }\n"
         "kernel void f(global int* out) { local int t[2]; const int i = get_global_id(0);\n"
         " t[0] = 5; t[1] = 6; out[i] = i; barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
         " int* p = i ? t : out; const int sum = sum_of(p, 2);\n"
         " barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
         " out[i] = sum * 10 + sum_of(t, 1) + (p == t) + (p == out) * 2; }",
         "17 116",
         {2, 2, 2}},
    };
    for (const Program& program : kAll)
        expect(program);
}

TEST(LenientLanguage, Mul24TakesWhatGetGlobalIdGives) {
    expect(
        {"kernel void f(global int* out) { const size_t i = get_global_id(0);\n"
         " out[i] = mul24(i, 3) + mad24(get_local_size(0), 2, i) + mul24((long)-2, 1); }",
         "6 10 14 18",
         {4, 4, 4}});
}

}  // namespace
}  // namespace lab::machine
