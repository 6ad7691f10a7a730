#include <gmock/gmock.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/simulate.h"
#include "catalogue/form.h"
#include "support/example_shapes.h"

namespace lab::analysis {
namespace {

RunSpec spec_of(const catalogue::LaunchForm& form) {
    return {catalogue::kernel_of(form), {}, kClassroom};
}

catalogue::LaunchForm own(std::vector<std::string> arguments) {
    catalogue::LaunchForm kernel;
    kernel.file = "own.cl";
    kernel.text =
        "kernel void f(global int* a, global const float4* b, local char* c, int4 d, "
        "long e) { a[get_global_id(0)] = d.y + (int)e + (int)b[0].z + c[0] * 0; }";
    kernel.global = kernel.local = 2;
    kernel.arguments = std::move(arguments);
    return kernel;
}

TEST(LaunchForm, ArgumentsAreReadByTheKernelsTypes) {
    const catalogue::LaunchForm kernel =
        own({"a:int[2]", "b:float4[1]=1,2,3,4", "c:local char[4]", "1,20,3,4", "2^10"});
    const machine::Run run(job_of(kernel), kClassroom.order);
    ASSERT_FALSE(run.fault());
    const std::vector<BufferContents> buffers = buffers_of(run);
    EXPECT_EQ(buffers[0].values, (std::vector<std::string>{"1047", "1047"}));
    EXPECT_FALSE(buffers[1].written);
    EXPECT_EQ(run.findings().size(), 1U);  // of c[0]
}

// The first two cells of `a`, from which the kernel of own() tells what it was given.
std::string first_of(std::vector<std::string> arguments) {
    const catalogue::LaunchForm kernel = own(std::move(arguments));
    const machine::Run run(job_of(kernel), kClassroom.order);
    return buffers_of(run)[0].values[0];
}

TEST(LaunchForm, ArgumentsAreWrittenAsInC) {
    EXPECT_EQ(first_of({" a : int [2] ", "b:float4[1]=1.f,2,0x3,4.5f", "c:local:char[4]",
                        "{1, 0x14, 3, 4}", "16UL"}),
              "39");
    EXPECT_EQ(first_of({"a:int[2]=0xff", "b:float4[1]=1", "c: local char[4]", "0,'a',0,0", "e=0"}),
              "98");
}

TEST(LaunchForm, BuffersOfStructuresAreNamedByThem) {
    catalogue::LaunchForm kernel;
    kernel.file = "own.cl";
    kernel.text =
        "typedef struct { int key; float value; } Item;\n"
        "kernel void f(global Item* items, global int* out) {\n"
        "  items[1].key = 7; out[0] = items[1].key + items[0].key; }";
    kernel.global = kernel.local = 1;
    kernel.arguments = {"items:Item[2]=0", "out:int[1]"};
    const machine::Run run(job_of(kernel), kClassroom.order);
    ASSERT_FALSE(run.fault());
    EXPECT_EQ(run.machine().job().buffers[0].bytes, 16U);
    EXPECT_EQ(buffers_of(run)[1].values[0], "7");
}

TEST(LaunchForm, HalvesAreReadAndShown) {
    catalogue::LaunchForm kernel;
    kernel.file = "own.cl";
    kernel.text = "kernel void f(global half* a, half by) { a[get_global_id(0)] += by; }";
    kernel.global = kernel.local = 2;
    kernel.arguments = {"a:half[2]=1,2.25", "by=0.5h"};
    const machine::Run run(job_of(kernel), kClassroom.order);
    ASSERT_FALSE(run.fault());
    EXPECT_EQ(buffers_of(run)[0].values, (std::vector<std::string>{"1.5", "2.75"}));
}

TEST(LaunchForm, MacrosThatTheHostDefinesAreNamedAtOnce) {
    catalogue::LaunchForm kernel;
    kernel.file = "own.cl";
    kernel.text = "kernel void f(global REAL* a) {\n  a[get_global_id(0) % TILE] = 1; }";
    kernel.global = kernel.local = 1;
    kernel.arguments = {"a:float[16]"};
    try {
        job_of(kernel);
        FAIL();
    } catch (const Problem& problem) {
        EXPECT_EQ(problem.what_happened,
                  "The text needs macros that its host program defines: REAL, TILE");
        EXPECT_EQ(problem.hint,
                  "Write --set REAL=float --set TILE=16, with the values that the host gives");
        EXPECT_EQ(problem.where, "own.cl:1:22");
    }
    kernel.defines = {"REAL=float", "TILE=16"};
    EXPECT_NO_THROW(job_of(kernel));
}

TEST(LaunchForm, ItsLaunchHasAsManyDimensionsAsItsSizes) {
    catalogue::LaunchForm kernel;
    kernel.text =
        "kernel void f(global int* a) {\n"
        "  a[get_global_id(1) * 8 + get_global_id(0)] = get_work_dim(); }";
    kernel.arguments = {"a:int[64]"};
    kernel.global = {4, 4};
    kernel.local = {2, 4};
    kernel.offset = {1, 2};
    const machine::Job job = job_of(kernel);
    EXPECT_EQ(job.launches[0].range, NDRange(2, {4, 4, 1}, {2, 4, 1}, {1, 2, 0}));
    const Simulation simulation = simulate(spec_of(kernel));
    const analysis::StepTable table = table_of(spec_of(kernel), simulation);
    const std::vector<BufferContents> buffers = buffers_of(*simulation.run);
    for (std::size_t i = 0; i < 64; ++i)
        EXPECT_EQ(buffers[0].values[i],
                  i % 8 >= 1 && i % 8 < 5 && i / 8 >= 2 && i / 8 < 6 ? "2" : "?")
            << i;
    EXPECT_EQ(table.item_name(table.rows[1].cells[2 * 8 + 3].item), "(3,2)");
    nlohmann::json sent = table;
    EXPECT_EQ(sent["passes"][1]["cells"][2 * 8 + 3]["global_id"], nlohmann::json({3, 2}));
    EXPECT_EQ(sent.get<analysis::StepTable>().space.range(), job.launches[0].range);
    sent = kernel;
    EXPECT_EQ(sent["global"], nlohmann::json({4, 4}));
    EXPECT_EQ(sent.get<catalogue::LaunchForm>(), kernel);
}

TEST(LaunchForm, SizesOfDifferentDimensionsAreAProblem) {
    catalogue::LaunchForm kernel;
    kernel.text = "kernel void f(global int* a) { a[0] = 1; }";
    kernel.arguments = {"a:int[4]"};
    kernel.global = {8, 8};
    kernel.local = 16;
    const auto refusal = [&] {
        try {
            job_of(kernel);
        } catch (const Problem& problem) {
            return problem.text();
        }
        return std::string();
    };
    EXPECT_THAT(refusal(),
                testing::AllOf(testing::HasSubstr("--global 8x8 has 2, --local 16 has 1"),
                               testing::HasSubstr("--global 8x8 --local 4x4")));
    kernel.local = {4, 4};
    kernel.offset = 1;
    EXPECT_THAT(refusal(), testing::HasSubstr("--offset 1 has 1"));
    kernel.offset = 0;
    EXPECT_EQ(refusal(), "");
    kernel.global = 0;
    kernel.local = 4;
    EXPECT_THAT(refusal(), testing::HasSubstr("The launch has no size"));
}

TEST(LaunchForm, ItsTitleTellsTheFileWithoutItsFolderAndTheKernel) {
    catalogue::LaunchForm kernel = own({});
    kernel.file = "/home/me/sums.cl";
    EXPECT_EQ(title_of(kernel), "sums.cl");
    kernel.kernel = "second";
    EXPECT_EQ(title_of(kernel), "sums.cl: second");
}

TEST(LaunchForm, WhatDoesNotFitIsAProblemWithTheArgument) {
    const std::vector<std::string> good{"a:int[2]", "b:float4[1]=1,2,3,4", "c:local char[4]",
                                        "1,20,3,4", "7"};
    const std::vector<std::pair<std::size_t, std::string>> wrong{{0, "a:int"},
                                                                 {0, "a:int[0]"},
                                                                 {0, "a:integer[2]"},
                                                                 {0, "a:int[2]="},
                                                                 {0, "a:int[2]=1,2,3"},
                                                                 {0, "a:int[2]x"},
                                                                 {0, "7"},
                                                                 {0, "a:local int[2]"},
                                                                 {1, "b:float4[1]=x"},
                                                                 {2, "c:char[4]"},
                                                                 {2, "c:local char[4]=1"},
                                                                 {3, "1,2,3"},
                                                                 {3, "1,2,3,4,5"},
                                                                 {3, "a,b,c,d"},
                                                                 {4, ""},
                                                                 {4, "1.5"},
                                                                 {4, "99999999999999999999999"},
                                                                 {0, "a:int[99999999999]"}};
    for (const auto& [index, text] : wrong) {
        std::vector<std::string> arguments = good;
        arguments[index] = text;
        try {
            const machine::Run run(job_of(own(arguments)), kClassroom.order);
            ADD_FAILURE() << text;
        } catch (const Problem& problem) {
            EXPECT_FALSE(problem.hint.empty()) << text;
            EXPECT_EQ(problem.exit, Exit::usage) << text << ": " << problem.text();
        }
    }
}

TEST(LaunchForm, OfVeryManyRowsTheFirstAndTheLastAreKept) {
    catalogue::LaunchForm kernel;
    kernel.file = "own.cl";
    kernel.text = "kernel void f(global int* a) { for (int i = 0; i < 800; ++i) a[0] += 1; }";
    kernel.global = kernel.local = 1;
    kernel.arguments = {"a:int[1]=0"};
    const std::vector<analysis::Row> rows =
        table_of(spec_of(kernel), simulate(spec_of(kernel))).rows;
    ASSERT_EQ(rows.size(), 501U);
    EXPECT_EQ(text_of(rows[1].cells[0].value), "1");
    EXPECT_EQ(text_of(rows[499].cells[0].value), "499");
    EXPECT_EQ(text_of(rows[500].cells[0].value), "800");
    EXPECT_EQ(rows[500].skipped, 300U);
}

TEST(LaunchForm, ABufferOfTooManyCellsHasNoneInItsRow) {
    catalogue::LaunchForm kernel;
    kernel.file = "own.cl";
    kernel.text =
        "kernel void f(global const int* in, global int* out) {\n"
        "  int i = get_global_id(0); out[i] = in[i] + in[i + 8000]; }";
    kernel.global = kernel.local = 2;
    kernel.arguments = {"in:int[8192]=ramp", "out:int[2]"};
    const RunSpec spec = spec_of(kernel);
    const StepTable table = table_of(spec, simulate(spec));
    EXPECT_TRUE(table.rows.front().cells.empty());
    ASSERT_EQ(table.rows.back().cells.size(), 2U);
    EXPECT_EQ(text_of(table.rows.back().cells[1].value), "8004");
}

TEST(LaunchForm, ANullPointerIsAnArgumentToo) {
    catalogue::LaunchForm kernel;
    kernel.file = "own.cl";
    kernel.text = "kernel void f(global int* a, global int* b) { a[0] = b == 0 ? 5 : 6; }";
    kernel.global = kernel.local = 1;
    kernel.arguments = {"a:int[1]", "null"};
    const machine::Run run(job_of(kernel), kClassroom.order);
    EXPECT_EQ(buffers_of(run)[0].values[0], "5");
}

RunSpec scan_on(std::uint32_t lanes, std::uint32_t resident) {
    catalogue::LaunchForm form;
    form.file = "scan.cl";
    form.text =
        "kernel void scan(global int* x) { const int i = get_local_id(0);"
        "for (int d = 1; d < 4; d *= 2) { if (i >= d) x[i] += x[i - d];"
        "barrier(CLK_GLOBAL_MEM_FENCE); } }";
    form.global = form.local = 4;
    form.arguments = {"x:int[4]=1,2,4,8"};
    RunSpec spec;
    spec.kernel = catalogue::kernel_of(form);
    spec.machine.config.lanes = lanes;
    spec.machine.config.resident = resident;
    return spec;
}

RunSpec with_text(RunSpec spec, const std::string& text, std::uint64_t local) {
    catalogue::LaunchForm form = *spec.kernel.plan.form;
    form.text = text;
    form.local = local;
    spec.kernel = catalogue::kernel_of(form);
    return spec;
}

// The store of `data` may be seen after that of `flag`, in an order that no interleaving has.
TEST(JudgedOutcomes, SayThatWeakerAtomicsAreSeenInMoreOrdersThanAreSearched) {
    const auto weaker = [](const char* order, const char* flag) {
        const std::string how = fmt::format("memory_order_{}, memory_scope_device", order);
        const RunSpec spec = with_text(
            scan_on(1, 0),
            fmt::format(
                "kernel void f(global atomic_int* x) {{ if (get_global_id(0) == 0) {{\n"
                "  atomic_store_explicit(x, 1, {0}); atomic_store_explicit({1}, 1, {0}); }}\n"
                "  else if (get_global_id(0) == 3) x[3] = atomic_load_explicit({1}, {0}) * 2 +\n"
                "                             atomic_load_explicit(x, {0}); }}\n",
                how, flag),
            2);
        return judged_outcomes(analysis::job_of(spec), {}).weaker_orders;
    };
    EXPECT_TRUE(weaker("relaxed", "&x[1]"));
    EXPECT_FALSE(weaker("seq_cst", "&x[1]"));
    EXPECT_FALSE(weaker("relaxed", "x"));  // one cell
}

TEST(JudgedOutcomes, CountWhatIndependentItemsHaveWhereLanesKeepStep) {
    const auto judged = [](const RunSpec& spec) {
        return judged_outcomes(analysis::job_of(spec), {});
    };
    const analysis::Outcomes independent = judged(scan_on(1, 0));
    EXPECT_EQ(independent.results.size(), 4U);
    EXPECT_FALSE(independent.independent);
    EXPECT_EQ(independent.races, true);
    EXPECT_TRUE(independent.for_these_numbers);
    EXPECT_FALSE(independent.is_one());
    const analysis::Outcomes lockstep = judged(scan_on(4, 2));
    ASSERT_EQ(lockstep.results.size(), 1U);
    EXPECT_EQ(lockstep.independent, (analysis::IndependentOutcomes{1, 4, true, false}));
    EXPECT_FALSE(lockstep.is_one());
    // The worker's answer is the same.
    const auto sent = nlohmann::json(lockstep).get<analysis::Outcomes>();
    EXPECT_EQ(sent.independent, lockstep.independent);
    EXPECT_EQ(sent.races, true);
    EXPECT_TRUE(sent.for_these_numbers);

    const RunSpec right =
        with_text(scan_on(4, 2), "kernel void f(global int* x) { x[get_local_id(0)] *= 2; }", 4);
    const analysis::Outcomes one = judged(right);
    EXPECT_EQ(one.independent, (analysis::IndependentOutcomes{1, 1, true, true}));
    EXPECT_EQ(one.races, false);
    EXPECT_FALSE(one.for_these_numbers);
    EXPECT_TRUE(one.is_one());
    // A bound that ends the second search leaves "at least", and no only result.
    analysis::OutcomesOptions few;
    few.most_states = 3;
    few.samples = 1;
    const RunSpec scan = scan_on(4, 2);
    const analysis::Outcomes least = judged_outcomes(analysis::job_of(scan), few);
    ASSERT_TRUE(least.independent);
    EXPECT_FALSE(least.independent->complete);
    EXPECT_FALSE(least.independent->same);
    EXPECT_GE(least.independent->results, least.results.size());
    // Groups that wait for room.
    const RunSpec waits =
        with_text(scan_on(1, 1), "kernel void f(global int* x) { x[0] += 1; }", 1);
    const analysis::Outcomes after = judged(waits);
    EXPECT_EQ(after.results.size(), 1U);
    EXPECT_EQ(after.independent, (analysis::IndependentOutcomes{1, 4, true, false}));
}

// What OpenCL allows beyond the schedules that are searched, of a kernel for two work-items.
analysis::Outcomes judged_of_two(const std::string& body) {
    catalogue::LaunchForm form;
    form.file = "two.cl";
    form.text =
        "kernel void f(global atomic_int* x) { const int i = get_local_id(0); int e = 0;\n"
        "#define RELAXED memory_order_relaxed, memory_scope_device\n" +
        body + "}\n";
    form.global = form.local = 2;
    form.arguments = {"x:int[4]=1,2,4,8"};
    RunSpec spec = scan_on(1, 0);
    spec.kernel = catalogue::kernel_of(form);
    return judged_outcomes(analysis::job_of(spec), {});
}

bool has_more_orders(const std::string& body) {
    return judged_of_two(body).weaker_orders;
}

// Where it fails it is a load with the second order.
TEST(JudgedOutcomes, AFailingExchangeHasItsOwnOrder) {
    const auto with = [](const char* failure) {
        return has_more_orders(fmt::format(
            "atomic_store(&x[i], 1);\n"
            "atomic_compare_exchange_strong_explicit(&x[1 - i], &e, 7, memory_order_seq_cst,\n"
            "                                        memory_order_{}); x[i + 2] = e;",
            failure));
    };
    EXPECT_TRUE(with("relaxed"));
    EXPECT_FALSE(with("seq_cst"));
}

// Stores that nobody reads leave in two cells what no interleaving leaves.
TEST(JudgedOutcomes, StoresToTwoCellsTellTheirOrder) {
    EXPECT_TRUE(has_more_orders(
        "atomic_store_explicit(&x[i], i, RELAXED); atomic_store_explicit(&x[1 - i], i, RELAXED);"));
}

// A barrier that does not name their memory makes no atomic come before another.
TEST(JudgedOutcomes, AtomicsAroundABarrierThatDoesNotNameTheirMemoryHaveMoreOrders) {
    const auto around = [](const std::string& wait) {
        return has_more_orders("atomic_fetch_add(x, 1); " + wait + " x[i + 1] = atomic_load(x);");
    };
    EXPECT_TRUE(around("barrier(CLK_LOCAL_MEM_FENCE);"));
    EXPECT_TRUE(around("work_group_all(i);"));
    EXPECT_FALSE(around("barrier(CLK_GLOBAL_MEM_FENCE);"));
    EXPECT_FALSE(around("barrier(CLK_LOCAL_MEM_FENCE); barrier(CLK_GLOBAL_MEM_FENCE);"));
    EXPECT_FALSE(has_more_orders("barrier(CLK_LOCAL_MEM_FENCE); x[i + 1] = atomic_inc(x);"));
    EXPECT_TRUE(
        has_more_orders("for (int k = 0; k < 2; ++k) { x[i + 2] = atomic_inc(x);"
                        "barrier(CLK_LOCAL_MEM_FENCE); }"));
    // Sums are the same in any order.
    EXPECT_FALSE(has_more_orders("atomic_inc(x); barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(x);"));
}

TEST(JudgedOutcomes, SayWhatIsLeftOpenByWeakExchangesAndByFloats) {
    const auto weak = judged_of_two("x[i + 1] = atomic_compare_exchange_weak(x, &e, 7);");
    EXPECT_TRUE(weak.weak_exchanges);
    EXPECT_TRUE(nlohmann::json(weak).get<analysis::Outcomes>().weak_exchanges);
    EXPECT_FALSE(
        judged_of_two("x[i + 1] = atomic_compare_exchange_strong(x, &e, 7);").weak_exchanges);
    const auto floats = [](const char* call) {
        return judged_of_two(fmt::format("x[i] = {};", call)).float_collectives;
    };
    EXPECT_TRUE(floats("work_group_reduce_add(i * 0.5f)"));
    EXPECT_TRUE(floats("sub_group_scan_inclusive_add(i * 0.5)"));
    EXPECT_FALSE(floats("work_group_reduce_add(i)"));
    EXPECT_FALSE(floats("work_group_reduce_max(i * 0.5f)"));
}

// Lanes of a sub-group keep step here; who of them draws which ticket is open all the same.
TEST(JudgedOutcomes, TicketsOfASubGroupsLanesAreNoOnlyResult) {
    const auto judged = [](const char* body) {
        const RunSpec spec =
            with_text(scan_on(4, 0),
                      fmt::format("kernel void f(global int* x) {{ const int i = get_local_id(0),\n"
                                  "s = sub_group_reduce_add(1); {} }}",
                                  body),
                      4);
        return judged_outcomes(analysis::job_of(spec), {});
    };
    const analysis::Outcomes tickets =
        judged("const int t = atomic_inc(x + 3); if (i < 3) x[i] = t + s;");
    EXPECT_EQ(tickets.results.size(), 1U);
    EXPECT_FALSE(tickets.is_one());
    EXPECT_TRUE(judged("x[i] = s;").is_one());
}

}  // namespace
}  // namespace lab::analysis
