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

TEST(LenientLanguage, Mul24TakesWhatGetGlobalIdGives) {
    expect(
        {"kernel void f(global int* out) { const size_t i = get_global_id(0);\n"
         " out[i] = mul24(i, 3) + mad24(get_local_size(0), 2, i) + mul24((long)-2, 1); }",
         "6 10 14 18",
         {4, 4, 4}});
}

}  // namespace
}  // namespace lab::machine
