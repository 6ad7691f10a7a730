#include <gtest/gtest.h>

#include "lang/compile.h"
#include "lang/dataflow.h"

namespace lab::lang {
namespace {

// The first of the pointers leads to a buffer that nobody writes, the others may.
bool depends(const std::string& body) {
    const Code code =
        *compile_or_throw(
             {"example.cl",
              "kernel void k(global const int* in, global int* x, local int* b, const int n)\n{\n"
              "    const int i = get_local_id(0);\n" +
                  body + "\n}\n",
              ""})
             .code;
    return accesses_depend_on_data(code, {true, false, false, false});
}

bool depends_on_numbers(const std::string& body) {
    return accesses_depend_on_numbers(
        *compile_or_throw({"example.cl",
                           "constant int table[2] = {1, 2};\n"
                           "kernel void k(global const int* in, global int* x, const int n)\n{\n"
                           "    const int i = get_local_id(0);\n" +
                               body + "\n}\n",
                           ""})
             .code);
}

TEST(Dependence, OnNumbersIsAlsoOnThoseThatNobodyWrites) {
    EXPECT_FALSE(depends_on_numbers("x[i] = in[i] * 2; if (i < n) x[n] += table[1];"));
    EXPECT_FALSE(depends_on_numbers("x[table[0]] = in[i];"));
    EXPECT_FALSE(
        depends_on_numbers("int most = in[i], other = in[i + 1]; if (other > most) most = other;"
                           "x[i] = most;"));
    EXPECT_TRUE(depends_on_numbers("x[in[i]] = 1;"));
    EXPECT_TRUE(depends_on_numbers("atomic_cmpxchg(x, 5, 1);"));  // whether it writes
    EXPECT_FALSE(depends_on_numbers("atomic_inc(x);"));
    EXPECT_TRUE(depends_on_numbers("if (in[i] > 2) x[i] = 1;"));
    EXPECT_TRUE(depends_on_numbers("for (int k = 0; k < in[0]; ++k) x[k] = 1;"));
    EXPECT_TRUE(accesses_depend_on_numbers(
        *compile_or_throw(
             {"example.cl", "kernel void k(constant int* in, global int* x) { x[in[0]] = 1; }", ""})
             .code));
}

TEST(Dependence, ATreeTouchesTheSameCellsWhateverTheyHold) {
    EXPECT_FALSE(depends("x[i] = x[i] + x[i + 1];"));
    EXPECT_FALSE(
        depends("int sum = 0; for (int k = 0; k < 4; ++k) if (i + k < n) sum += in[i + k];"
                "b[i] = sum; barrier(CLK_LOCAL_MEM_FENCE);"
                "for (int w = 4; w > 0; w /= 2) { if (i < w) { int o = b[i + w];"
                "b[i] = b[i] + o; } barrier(CLK_LOCAL_MEM_FENCE); }"
                "if (i == 0) x[0] = b[0];"));
    // Registers that held a value are used again.
    EXPECT_FALSE(depends("{ int a = x[i]; x[i] = a * 3; } { int c = i * 2; x[c] = 1; }"));
    // So do those of lanes that rest meanwhile, as in a double buffer.
    EXPECT_FALSE(
        depends("int cur = 0; b[i] = in[i]; for (int s = 1; s < n; s *= 2) {"
                "barrier(CLK_LOCAL_MEM_FENCE); int v = b[cur * n + i];"
                "if (i >= s) v += b[cur * n + i - s];"
                "cur = 1 - cur; b[cur * n + i] = v; } x[i] = b[cur * n + i];"));
    // An early end that all of them know beforehand.
    EXPECT_FALSE(
        depends("if (i > n) return; for (int k = 0; k < n; ++k) { if (k == i) break;"
                "x[k] += 1; }"));
}

TEST(Dependence, AnAddressOrAConditionThatMemoryTellsIsOne) {
    EXPECT_TRUE(depends("x[x[i]] = 1;"));
    EXPECT_TRUE(depends("x[i] = x[x[i] & 3];"));
    EXPECT_TRUE(depends("if (x[0] == 1) x[1] = 2;"));
    EXPECT_TRUE(depends("while (x[0] == 0) ;"));
    EXPECT_TRUE(depends("x[0] = x[1] > 0 ? x[1] : x[2];"));  // which is read
    EXPECT_TRUE(depends("for (int k = 0; k < x[0]; ++k) x[k] = 1;"));
    EXPECT_TRUE(depends("int k = 0; if (x[0] == 1) k = 1; x[k] = 2;"));
    EXPECT_TRUE(depends("int t[2]; t[0] = x[0]; x[t[0]] = 1;"));
    EXPECT_TRUE(depends("switch (x[0]) { case 1: x[1] = 5; break; default: x[2] = 5; }"));
    EXPECT_TRUE(depends("if (atomic_inc(x) == 3) x[1] = 5;"));
    EXPECT_TRUE(depends("barrier(b[0]);"));  // whom it orders
    // Held by lanes that rest while others use the register again.
    EXPECT_TRUE(depends("int k = i; if (i > 2) k = b[i]; else k = 1; x[k] = 1;"));
    EXPECT_TRUE(depends("int k = b[i]; if (i > 2) k = 1; x[k] = 1;"));
    // Kept through a loop that some leave early.
    EXPECT_TRUE(
        depends("int k = x[0]; for (int j = 0; j < n; ++j) { if (j == i) break; k = 0; }"
                "x[k] = 1;"));
}

TEST(Dependence, ValuesMayDependWithoutWhatIsTouched) {
    EXPECT_FALSE(depends("int m = x[0]; const int y = x[1]; if (y > m) m = y; x[0] = m;"));
    EXPECT_FALSE(depends("const int y = x[1], z = x[2]; x[0] = y > z ? y : z;"));
    EXPECT_FALSE(depends("int t[2]; t[0] = x[0]; x[i] = t[0];"));
}

TEST(Dependence, WhatNobodyWritesIsKnownBeforehand) {
    EXPECT_FALSE(depends("x[in[i]] = 1;"));
    EXPECT_FALSE(depends("for (int k = in[i]; k < in[i + 1]; ++k) x[k] += 1;"));
    EXPECT_TRUE(depends("x[in[x[i]]] = 1;"));
}

}  // namespace
}  // namespace lab::lang
