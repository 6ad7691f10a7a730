// What OpenCL C says, run: each small kernel's results are worked out by the specification.
// Control flow, functions, atomics and work-items together.
#include "support/small_kernels.h"

namespace lab::machine {
namespace {

TEST(Language, Atomics) {
    static constexpr Doing kAll[] = {
        {"int", "out[1] = atomic_add(out, 5); out[2] = atomic_add(out, 2);", "7 0 5"},
        {"int", "out[0] = 5; out[1] = atomic_sub(out, 7);", "-2 5"},
        {"int", "out[0] = 5; out[1] = atomic_xchg(out, 7);", "7 5"},
        {"int", "out[1] = atomic_inc(out); out[2] = atomic_inc(out);", "2 0 1"},
        {"uint", "out[1] = atomic_dec(out);", "4294967295 0"},
        {"int",
         "out[0] = 5; out[1] = atomic_cmpxchg(out, 5, 9); out[2] = atomic_cmpxchg(out, 5, 1);",
         "9 5 9"},
        {"int", "out[0] = -5; out[1] = atomic_min(out, 3); out[2] = atomic_max(out, 3);",
         "3 -5 -5"},
        {"uint", "out[0] = -5; out[1] = atomic_min(out, 3u); out[2] = atomic_max(out, 7u);",
         "7 4294967291 3"},
        {"int",
         "out[0] = 12; out[1] = atomic_and(out, 6); out[2] = atomic_or(out, 3);"
         "out[3] = atomic_xor(out, 5);",
         "2 12 4 7"},
        {"float", "out[0] = 1.5f; out[1] = atomic_xchg(out, 2.5f);", "2.5 1.5"},
        {"long", "out[1] = atom_add(out, 1L << 40); out[2] = atom_inc(out);",
         "1099511627777 0 1099511627776"},
        {"ulong", "out[0] = 3; out[1] = atom_cmpxchg(out, 3UL, ULONG_MAX);",
         "18446744073709551615 3"},
        {"int", "local int n; n = 4; out[0] = atomic_add(&n, 3); out[1] = n;", "4 7"},
        {"int", "atomic_add(&out[1], 2); atomic_inc(out + 1);", "0 3"},
    };
    expect(kAll);
}

// Four work-items in one warp, each on its own way.
TEST(Language, DivergentControlFlow) {
    static const std::vector<Doing> all{
        {"int", "if (i % 2) r = 1; else r = 2;", "2 1 2 1"},
        {"int", "if (i > 0) if (i > 2) r = 1; else r = 2;", "0 2 2 1"},
        {"int", "for (int k = 0; k < i; ++k) r += 10;", "0 10 20 30"},
        {"int", "while (1) { if (r >= i * 2) break; ++r; }", "0 2 4 6"},
        {"int", "for (int k = 0; k < 6; ++k) { if (k % 2 == i % 2) continue; r = r * 10 + k; }",
         "135 24 135 24"},
        {"int",
         "for (int a = 0; a < 3; ++a) for (int b = 0; b < 3; ++b) { if (b > a) break;"
         "if (a == i) continue; ++r; }",
         "5 4 3 6"},
        {"int", "int k = 0; do { if (++k == 2) continue; r += k; } while (k < 4 + i);",
         "8 13 19 26"},
        {"int", "do ++r; while (r < i);", "1 1 2 3"},
        {"int", "do { if (i == 1) break; r = 5; } while (0);", "5 0 5 5"},
        {"int", "switch (i) { case 0: r = 5; break; case 2: r = 7; }", "5 0 7 0"},
        {"int",
         "switch (i) { case 0: ++r; case 1: r += 10; case 2: r += 100; break; case 3: r = 1; }",
         "111 110 100 1"},
        {"int",
         "switch (i) { case 0: r += 1; default: r += 10; case 1: r += 100; break;"
         "case 2: r += 1000; }",
         "111 100 1000 110"},
        {"int", "switch (i - 2) { case -1: r = 1; break; case -2: r = 2; break; default: r = 3; }",
         "2 1 3 3"},
        {"int", "switch ((uchar)(i + 254)) { case 254: r = 1; break; case 0: r = 2; break; }",
         "1 0 2 0"},
        {"int", "switch (i) { default: r = 4; }", "4 4 4 4"},
        {"int", "switch (i) { r = 9; }", "0 0 0 0"},
        {"int",
         "for (int k = 0; k < 4; ++k) { switch (k + i) { case 2: continue; case 4: break;"
         "default: r += 10; } ++r; }",
         "33 23 23 34"},
        {"int",
         "switch (i) { case 1: switch (r) { case 0: r = 8; break; } r += 1; break;"
         "case 2: { r = 3; break; } }",
         "0 9 3 0"},
        {"int", "if (i == 2) { out[i] = 7; return; } r = 1;", "1 1 7 1"},
        {"int",
         "for (int k = 0;; ++k) { if (k == i) { out[i] = k * 10; return; } if (k == 2) break; }"
         "r = 5;",
         "0 10 20 5"},
        {"int", "switch (i) { case 1: out[i] = 9; return; case 2: r = 2; } ++r;", "1 9 3 1"},
        {"int", "r = i < 2 ? i == 0 ? 5 : 6 : i == 2 ? 7 : 8;", "5 6 7 8"},
        {"int", "int x = 0; r = i > 1 && ++x; r = r * 10 + x;", "0 0 11 11"},
        {"int", "int x = 0, y = 0; i % 2 ? x++ : (y += 2); r = x * 10 + y;", "2 10 2 10"},
        {"int", "int a[4]; a[i] = i; a[3 - i] = 5; r = a[i] + a[3 - i];", "5 6 7 8"},
        {"int", "for (int k = 0, j = 4; k < j; ++k, --j) r += j - k + i;", "6 8 10 12"},
        {"int", "for (;;) { for (;;) { if (r == i) break; ++r; } if (r == i) break; } r += 1;",
         "1 2 3 4"},
    };
    for (const Doing& doing : all) {
        const std::string text = kernel_of(
            "int", fmt::format("const int i = get_global_id(0); int r = 0; {} out[i] = r;",
                               doing.statements));
        for (const std::uint32_t lanes : {1U, 2U, 4U})
            EXPECT_EQ(outcome(text, 4, {4, 4, lanes}), doing.gives) << doing.statements;
    }
}

TEST(Language, Functions) {
    static const std::vector<Program> all{
        {"int first(int i) { for (int k = 0; k < 9; ++k) if (k * k >= i) return k; return -1; }\n"
         "kernel void f(global int* out) { const int i = get_global_id(0); out[i] = first(i * 3); "
         "}",
         "0 2 3 3",
         {4, 4, 4}},
        {"void swap(int* a, int* b) { const int t = *a; *a = *b; *b = t; }\n"
         "kernel void f(global int* out) { int x = 1, y = 2; swap(&x, &y); out[0] = x; out[1] = y;"
         " int a[2] = {3, 4}; swap(a, a + 1); out[2] = a[0]; out[3] = a[1]; }",
         "2 1 4 3"},
        {"int sum(local const int* p, int n) { int s = 0; while (n-- > 0) s += *p++; return s; }\n"
         "kernel void f(global int* out) { local int a[4]; const int i = get_local_id(0);"
         " a[i] = i + 1; barrier(CLK_LOCAL_MEM_FENCE); out[i] = sum(a, i + 1); }",
         "1 3 6 10",
         {4, 4, 2}},
        {"typedef struct { int a, b; } P;\n"
         "P twice(P p) { p.a *= 2; p.b *= 2; return p; }\n"
         "kernel void f(global int* out) { P x = {1, 2}; P y = twice(x); out[0] = x.a; out[1] = "
         "y.a;"
         " out[2] = twice(twice(y)).b; x = twice(y); out[3] = x.b; }",
         "1 2 16 8"},
        {"int count(int x) { x += 1; return x; }\n"
         "kernel void f(global int* out) { int x = 1; out[0] = count(x) + count(count(x)); "
         "out[1] = x; }",
         "5 1"},
        {"float4 half_of(float4 v) { return v * 0.5f; }\n"
         "kernel void f(global float* out) { float4 v = (float4)(1, 2, 3, 4);"
         " vstore2(half_of(v).yw, 0, out); }",
         "1 2"},
        {"int later(int x);\nkernel void g(global int* out) { out[0] = later(3); }\n"
         "int later(int y) { return y + 4; }",
         "7"},
        {"char narrow(int x) { return x; }\n"
         "kernel void f(global int* out) { out[0] = narrow(300); }",
         "44"},
        {"int wide(uchar x) { return x; }\n"
         "kernel void f(global int* out) { out[0] = wide(-1); }",
         "255"},
        {"bool odd(int x) { return x & 1; }\n"
         "kernel void f(global int* out) { out[0] = odd(3) + odd(4) + odd(7); }",
         "2"},
        {"constant int kTable[2][2] = {{1, 2}, {3, 4}};\nconstant float kHalf = 1.0f / 2;\n"
         "int at(constant int* p, int i) { return p[i]; }\n"
         "kernel void f(global int* out) { out[0] = kTable[1][0]; out[1] = at(kTable[1], 1);"
         " out[2] = 8 * kHalf; }",
         "3 4 4"},
        {"void set(global int* p, int v) { if (v > 2) return; *p = v; }\n"
         "kernel void f(global int* out) { const int i = get_global_id(0); set(out + i, i + 1); }",
         "1 2 0 0",
         {4, 4, 4}},
        {"int inner(int i) { while (true) { if (i > 5) return i; i += 3; } }\n"
         "int outer(int i) { if (i == 2) return 0; return inner(i) + 100; }\n"
         "kernel void f(global int* out) { const int i = get_global_id(0);"
         " for (int k = 0; k < 2; ++k) out[i] += outer(i + k); }",
         "213 107 106 213",
         {4, 4, 4}},
        {"kernel void f(global int* out) { local int a[4]; const int i = get_local_id(0);"
         " a[i] = i; barrier(CLK_LOCAL_MEM_FENCE); out[i] = a[3 - i]; }",
         "3 2 1 0",
         {4, 4, 1}},
    };
    for (const Program& program : all)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

// What kernels that one finds in public write.
TEST(Language, Idioms) {
    static const std::vector<Program> all{
        {"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
         "static inline int helper(int x) { return x; }\n"
         "constant float kLeast = -INFINITY; constant float4 kV = (float4)(1, 2, 3, 4);\n"
         "constant struct { int a; float b[2]; } kS = {1, {2, 3}};\n"
         "kernel void f(global float* out) {\n"
         "  int a[2] = {1, 2}, *p = a;\n"
         "  __attribute__((opencl_unroll_hint(2)))\n"
         "  for (int i = 0, *q = a; i < 2; ++i) out[i] = q[i] + kV.y;\n"
         "  #pragma unroll\n"
         "  for (int i = 0; i < 2; ++i) out[i + 2] = p[i] * kS.b[1];\n"
         "  out[4] = kLeast; out[5] = helper((int)-1); do ; while (0); (void)0;\n"
         "}",
         "3 4 3 6 -inf -1"},
        {"#ifndef T\n#define T float\n#endif\n#define STEP(w) if (i < w) buf[i] += buf[i + w]\n"
         "__kernel void f(__global T* restrict out) {\n"
         "  volatile __local T buf[8]; const uint i = get_local_id(0); buf[i] = i;\n"
         "  barrier(CLK_LOCAL_MEM_FENCE);\n"
         "  if (i < 4) { STEP(4); STEP(2); STEP(1); }\n"
         "  if (i == 0) out[get_group_id(0)] = buf[0];\n"
         "}",
         "28 28",
         {16, 8, 4}},
        {"void add(volatile global float* to, float x) {\n"
         "  union { uint i; float f; } was, now;\n"
         "  do { was.f = *to; now.f = was.f + x; }\n"
         "  while (atomic_cmpxchg((volatile global uint*)to, was.i, now.i) != was.i);\n"
         "}\n"
         "kernel void f(global float* out) { add(out, get_global_id(0) + 0.5f); }",
         "8",
         {4, 4, 4}},
        {"typedef struct { int value; uint index; } best_t;\n"
         "best_t better(best_t a, best_t b) { if (b.value > a.value) return b; return a; }\n"
         "kernel void f(global int* out) {\n"
         "  local best_t all[4]; const int i = get_local_id(0); const best_t own = {i * 5 % 7, "
         "i};\n"
         "  all[i] = own; barrier(CLK_LOCAL_MEM_FENCE);\n"
         "  for (int w = 2; w > 0; w >>= 1) {\n"
         "    if (i < w) all[i] = better(all[i], all[i + w]);\n"
         "    barrier(CLK_LOCAL_MEM_FENCE);\n"
         "  }\n"
         "  if (i == 0) { out[0] = all[0].value; out[1] = all->index; }\n"
         "}",
         "5 1",
         {4, 4, 4}},
        {"typedef struct { int a; float b; } P;\n"
         "kernel void f(global int* out) { local P l[2]; P s = {1, 2.5f}, t; t = l[1] = s;\n"
         "  l[0] = t = l[1]; out[0] = t.a; out[1] = (l[1] = t, l[0]).b * 2; out[2] = (l[0] = s).a; "
         "}",
         "1 5 1"},
    };
    for (const Program& program : all)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

TEST(Language, WorkItems) {
    const auto each = [](const std::string& expression, Items items = {6, 3, 4}) {
        return outcome(kernel_of("int", "out[get_global_id(0)] = " + expression + ";"),
                       items.global, items);
    };
    EXPECT_EQ(each("get_global_id(0)"), "0 1 2 3 4 5");
    EXPECT_EQ(each("get_local_id(0)"), "0 1 2 0 1 2");
    EXPECT_EQ(each("get_group_id(0)"), "0 0 0 1 1 1");
    EXPECT_EQ(each("get_global_size(0) * 100 + get_local_size(0) * 10 + get_num_groups(0)"),
              "632 632 632 632 632 632");
    EXPECT_EQ(each("get_global_linear_id() * 10 + get_local_linear_id()"), "0 11 22 30 41 52");
    // There is one dimension: the others are one item wide.
    EXPECT_EQ(each("get_work_dim()"), "1 1 1 1 1 1");
    for (const char* dimension : {"1", "2", "get_work_dim()", "1 + get_local_id(0)"}) {
        const auto of = [&](const char* what) { return fmt::format("{}({})", what, dimension); };
        EXPECT_EQ(each(of("get_global_id")), "0 0 0 0 0 0");
        EXPECT_EQ(each(of("get_local_id")), "0 0 0 0 0 0");
        EXPECT_EQ(each(of("get_group_id")), "0 0 0 0 0 0");
        EXPECT_EQ(each(of("get_global_size")), "1 1 1 1 1 1");
        EXPECT_EQ(each(of("get_local_size")), "1 1 1 1 1 1");
        EXPECT_EQ(each(of("get_num_groups")), "1 1 1 1 1 1");
        EXPECT_EQ(each(of("get_global_offset")), "0 0 0 0 0 0");
    }
    EXPECT_EQ(each("get_global_offset(0)"), "0 0 0 0 0 0");
}

// Six work-items in warps of four: the last one has two.
TEST(Language, SubGroupsWithAPartialLastOne) {
    const auto each = [](const std::string& expression) {
        return outcome(
            kernel_of("int", "const int i = get_local_id(0); out[i] = " + expression + ";"), 6,
            {6, 6, 4});
    };
    EXPECT_EQ(each("get_sub_group_size()"), "4 4 4 4 2 2");
    EXPECT_EQ(each("get_max_sub_group_size()"), "4 4 4 4 4 4");
    EXPECT_EQ(each("get_num_sub_groups()"), "2 2 2 2 2 2");
    EXPECT_EQ(each("get_sub_group_id()"), "0 0 0 0 1 1");
    EXPECT_EQ(each("get_sub_group_local_id()"), "0 1 2 3 0 1");
    EXPECT_EQ(each("sub_group_reduce_add(i)"), "6 6 6 6 9 9");
    EXPECT_EQ(each("sub_group_reduce_min(i)"), "0 0 0 0 4 4");
    EXPECT_EQ(each("sub_group_reduce_max(-i)"), "0 0 0 0 -4 -4");
    EXPECT_EQ(each("sub_group_scan_inclusive_add(i)"), "0 1 3 6 4 9");
    EXPECT_EQ(each("sub_group_scan_exclusive_add(i)"), "0 0 1 3 0 4");
    EXPECT_EQ(each("sub_group_scan_exclusive_max(i)"), "-2147483648 0 1 2 -2147483648 4");
    EXPECT_EQ(each("sub_group_broadcast(i, 1)"), "1 1 1 1 5 5");
    EXPECT_EQ(each("sub_group_any(i == 4)"), "0 0 0 0 1 1");
    EXPECT_EQ(each("sub_group_all(i < 4)"), "1 1 1 1 0 0");
    EXPECT_EQ(each("sub_group_shuffle(i, 0)"), "0 0 0 0 4 4");
    EXPECT_EQ(each("sub_group_shuffle_xor(i, 1)"), "1 0 3 2 5 4");
}

TEST(Language, WorkGroupCollectives) {
    const auto each = [](const std::string& expression, std::uint32_t lanes) {
        return outcome(
            kernel_of("int", "const int i = get_local_id(0); out[i] = " + expression + ";"), 6,
            {6, 6, lanes});
    };
    for (const std::uint32_t lanes : {1U, 4U, 32U}) {
        EXPECT_EQ(each("work_group_reduce_add(i)", lanes), "15 15 15 15 15 15");
        EXPECT_EQ(each("work_group_reduce_min(i - 2)", lanes), "-2 -2 -2 -2 -2 -2");
        EXPECT_EQ(each("work_group_reduce_max((uint)i)", lanes), "5 5 5 5 5 5");
        EXPECT_EQ(each("work_group_reduce_add(i * 0.5f)", lanes), "7 7 7 7 7 7");
        EXPECT_EQ(each("work_group_scan_inclusive_add(i)", lanes), "0 1 3 6 10 15");
        EXPECT_EQ(each("work_group_scan_exclusive_add(i)", lanes), "0 0 1 3 6 10");
        EXPECT_EQ(each("work_group_scan_inclusive_max(5 - i)", lanes), "5 5 5 5 5 5");
        EXPECT_EQ(each("work_group_scan_exclusive_min(5 - i)", lanes), "2147483647 5 4 3 2 1");
        EXPECT_EQ(each("work_group_broadcast(i * 2, 4)", lanes), "8 8 8 8 8 8");
        EXPECT_EQ(each("work_group_any(i == 5) * 10 + work_group_all(i == 5)", lanes),
                  "10 10 10 10 10 10");
    }
}

TEST(Language, DivisionByZeroIsAFault) {
    for (const char* text : {"out[0] = 1 / out[1];", "out[0] = 1 % out[1];", "out[0] /= out[1];",
                             "out[0] = (int)(5UL / (ulong)out[1]);"})
        EXPECT_EQ(outcome(kernel_of("int", text), 2),
                  "fault: Work-item 0 divides an integer by zero");
}

}  // namespace
}  // namespace lab::machine
