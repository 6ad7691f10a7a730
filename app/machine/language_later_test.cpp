// What kernels use of OpenCL C 2.0 and 3.0: atomics with orders, variables outside of functions,
// ballots.
#include "support/example_job.h"
#include "support/small_kernels.h"

namespace lab::machine {
namespace {

TEST(Language, OrderedAtomics) {
    static constexpr Program kAll[] = {
        {"kernel void f(global atomic_int* out) { const int i = get_local_id(0);\n"
         " local atomic_int t; if (i == 0) atomic_init(&t, 100);\n"
         " work_group_barrier(CLK_LOCAL_MEM_FENCE); atomic_fetch_add(&t, i);\n"
         " atomic_fetch_sub_explicit(out, 2, memory_order_relaxed);\n"
         " atomic_fetch_or_explicit(out + 1, 1 << i, memory_order_acq_rel, memory_scope_device);\n"
         " atomic_fetch_xor(out + 2, i); atomic_fetch_max(out + 3, i); atomic_fetch_min(out + 4, "
         "-i);\n"
         " work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);\n"
         " if (i == 0) { atomic_store(out + 5, atomic_load(&t)); atomic_fetch_and(out + 5, 0x7c); "
         "} }",
         "-8 15 0 3 -3 104",
         {4, 4, 2}},
        {"kernel void f(global int* out) { int e = 0;\n"
         " out[1] = atomic_compare_exchange_strong(out, &e, 5); out[2] = e; e = 7;\n"
         " out[3] = atomic_compare_exchange_weak_explicit(out, &e, 9, memory_order_acq_rel,\n"
         "  memory_order_relaxed, memory_scope_device); out[4] = e;\n"
         " out[5] = atomic_exchange(out, 11); out[6] = atomic_flag_test_and_set(out + 8);\n"
         " out[6] += 10 * atomic_flag_test_and_set(out + 8); atomic_flag_clear(out + 8);\n"
         " out[7] = atomic_load_explicit(out, memory_order_acquire); }",
         "11 1 0 0 5 5 10 11 0"},
        {"kernel void f(global float* out) { volatile global atomic_float* p = out;\n"
         " atomic_fetch_add(p, 1.5f); atomic_fetch_max_explicit(p + 1, (float)get_local_id(0),\n"
         " memory_order_relaxed); }",
         "6 3",
         {4, 4, 4}},
    };
    for (const Program& program : kAll)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

// Pointers that name no memory, as from OpenCL C 2.0 on.
TEST(Language, GenericPointers) {
    static constexpr Program kAll[] = {
        {"int sum(const int* p, int n) { int s = 0; for (int i = 0; i < n; ++i) s += p[i];\n"
         " return s; }\n"
         "void add_to(int* p, int by) { atomic_add(p, by); }\n"
         "int* second(int* p) { return p + 1; }\n"
         "kernel void f(global int* out) { local int part[2]; int own[2] = {1, 2};\n"
         " part[0] = 10; part[1] = 20; out[1] = 100; out[2] = 200;\n"
         " out[3] = sum(own, 2); out[4] = sum(part, 2); out[5] = sum(out + 1, 2);\n"
         " add_to(out, 7); add_to(part, 5); out[6] = part[0]; *second(out + 6) = 4;\n"
         " *second(own) = 9; out[8] = own[1]; }",
         "7 100 200 3 30 300 15 4 9"},
        {"kernel void f(global int* out) { int* p = out; int* q; q = p + 1; p[0] = 3; *q = 4;\n"
         " uint* r = (uint*)(out + 2); r[0] = 5; int x; p = 0; int* own = &x; *own = 6;\n"
         " out[3] = x; }",
         "3 4 5 6"},
        {"void outer(int* p);\n"
         "void inner(int* p, local int* l) { *p = *l; }\n"
         "void outer(int* p) { inner(p, (local int*)0 + 0); }\n"
         "void twice(int* to, const int* from) { *to = 2 * *from; }\n"
         "kernel void f(global int* out) { local int part; int own = 4; part = 3;\n"
         " twice(out, &own); twice(out + 1, &part); twice(&own, out); out[2] = own;\n"
         " twice(&part, &own); out[3] = part; }",
         "8 6 16 32"},
        {"kernel void f(global int* out) { local int part[1]; int own;\n"
         " out[0] = get_fence(out) == CLK_GLOBAL_MEM_FENCE;\n"
         " out[1] = get_fence(part) == CLK_LOCAL_MEM_FENCE;\n"
         " out[2] = to_global(out) == out; out[3] = to_local(out) == 0;\n"
         " out[4] = to_private(&own) != 0; }",
         "1 1 1 1 1"},
    };
    for (const Program& program : kAll)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

// They are shared by all groups and launches, and begin with their values.
TEST(Language, VariablesOutsideOfFunctions) {
    const std::string text =
        "global int counter = 3;\nglobal int table[4] = {1, 2};\n"
        "global atomic_int zero = ATOMIC_VAR_INIT(0);\n"
        "void count(int by) { atomic_add(&counter, by); }\n"
        "kernel void f(global int* out) { count(2); table[get_group_id(0)] += 5;\n"
        " atomic_fetch_add(&zero, 1); if (get_global_id(0) == 3) out[0] = counter; }\n";
    for (const std::uint32_t lanes : {1U, 4U})
        EXPECT_EQ(outcome(text, 1, {4, 1, lanes}), "11");
    Job job = job_of({text, 4, 1, {{0}}}, 1);
    job.launches.push_back(job.launches[0]);
    const auto run = play(std::move(job), order_of(Order::Kind::in_order));
    ASSERT_FALSE(run.fault());
    EXPECT_EQ(run.machine().value(run.end(), 0, 0), 19U);
    ASSERT_EQ(run.machine().job().buffers.size(), 4U);
    const Buffer& table = run.machine().job().buffers[2];
    EXPECT_EQ(table.name, "table");
    EXPECT_TRUE(table.of_program);
    EXPECT_EQ(numbers<std::int32_t>(run.machine().bytes(run.end(), 2)), "11 12 10 10");
}

TEST(Language, Ballots) {
    const auto each = [](const std::string& expression) {
        return outcome(kernel_of("uint",
                                 "const int i = get_local_id(0); uint4 b = "
                                 "sub_group_ballot(i % 3 == 1); out[i] = " +
                                     expression + ";"),
                       6, {6, 6, 4});
    };
    EXPECT_EQ(each("b.x + b.y + b.z + b.w"), "2 2 2 2 1 1");
    EXPECT_EQ(each("sub_group_ballot_bit_count((uint4)(0xff))"), "4 4 4 4 4 4");
    EXPECT_EQ(each("sub_group_inverse_ballot(b)"), "0 1 0 0 1 0");
    EXPECT_EQ(each("sub_group_ballot_bit_extract(b, 1)"), "1 1 1 1 0 0");
    EXPECT_EQ(each("sub_group_ballot_inclusive_scan((uint4)(5))"), "1 1 2 2 1 1");
    EXPECT_EQ(each("sub_group_ballot_exclusive_scan((uint4)(5))"), "0 1 1 2 0 1");
    EXPECT_EQ(each("sub_group_ballot_find_lsb((uint4)(12))"), "2 2 2 2 2 2");
    EXPECT_EQ(each("sub_group_ballot_find_msb((uint4)(12, 1, 0, 0))"), "32 32 32 32 32 32");
    EXPECT_EQ(each("get_sub_group_eq_mask().x"), "1 2 4 8 1 2");
    EXPECT_EQ(each("get_sub_group_ge_mask().x"), "15 14 12 8 15 14");
    EXPECT_EQ(each("get_sub_group_gt_mask().x"), "14 12 8 0 14 12");
    EXPECT_EQ(each("get_sub_group_le_mask().x"), "1 3 7 15 1 3");
    EXPECT_EQ(each("get_sub_group_lt_mask().x"), "0 1 3 7 0 1");
    EXPECT_EQ(each("sub_group_elect()"), "1 0 0 0 1 0");
    EXPECT_EQ(each("sub_group_rotate(i, 1)"), "1 2 3 0 5 4");
    EXPECT_EQ(each("sub_group_shuffle((int4)(i, i + 10, 0, 0), 1).y"), "11 11 11 11 15 15");
    EXPECT_EQ(each("sub_group_reduce_mul(i + 1) * 100 + sub_group_reduce_xor(i)"),
              "2400 2400 2400 2400 3001 3001");
    EXPECT_EQ(
        each("sub_group_non_uniform_all_equal(i / 4) * 10 + sub_group_non_uniform_all_equal(i)"),
        "10 10 10 10 10 10");
    EXPECT_EQ(each("work_group_scan_inclusive_or(1 << i)"), "1 3 7 15 31 63");
}

// Where some lanes rest, lanes are still named by their own numbers.
TEST(Language, SubGroupFunctionsInABranch) {
    const auto each = [](const std::string& expression) {
        return outcome(kernel_of("int",
                                 "const int i = get_local_id(0); out[i] = -1; if (i > 0) "
                                 "out[i] = " +
                                     expression + ";"),
                       4, {4, 4, 4});
    };
    EXPECT_EQ(each("sub_group_shuffle(i * 10, 2)"), "-1 20 20 20");
    EXPECT_EQ(each("sub_group_shuffle_xor(i, i > 1)"), "-1 1 3 2");
    EXPECT_EQ(each("sub_group_shuffle_up(i, i > 1)"), "-1 1 1 2");
    EXPECT_EQ(each("sub_group_broadcast_first(i)"), "-1 1 1 1");
    EXPECT_EQ(each("sub_group_elect() + (int)sub_group_ballot(1).x * 10"), "-1 141 140 140");
    EXPECT_EQ(each("sub_group_non_uniform_reduce_add(i)"), "-1 6 6 6");
}

}  // namespace
}  // namespace lab::machine
