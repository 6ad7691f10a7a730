#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analysis/memory_traffic.h"
#include "support/example_job.h"

namespace lab::analysis {
namespace {

using machine::Example;

machine::Run recorded_run(const Example& example, std::uint32_t lanes) {
    return machine::play(machine::job_of(example, lanes), {}, {});
}

const Example kStrided{
    "kernel void f(global int* a, local int* b) {\n"
    "  int id = get_local_id(0);\n"
    "  b[id] = 0;\n"
    "  b[id * 32] = id;\n"
    "  a[id * 8] = b[3];\n"
    "}",
    4,
    4,
    {{}},
    32,
    {128}};

TEST(MemoryRequest, TheWorstOfLocalMemoryIsShown) {
    const auto found = most_expensive_request(recorded_run(kStrided, 4));
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->cost.local);
    EXPECT_EQ(found->line, 4U);
    EXPECT_EQ(found->text, "  b[id * 32] = id;");
    EXPECT_EQ(found->array, "b");
    EXPECT_EQ(found->cost.degree, 4U);
    EXPECT_EQ(found->cost.least_degree, 1U);
    ASSERT_EQ(found->touched.size(), 4U);
    EXPECT_EQ(found->touched[3].lane, 3U);
    EXPECT_EQ(found->touched[3].first - found->array_first, 384U);
    EXPECT_EQ(found->requests, 1U);
    EXPECT_EQ(found->costly, 1U);
}

TEST(MemoryRequest, ALineCanBeAskedFor) {
    const machine::Run run = recorded_run(kStrided, 4);
    const auto global = most_expensive_request(run, 3);
    ASSERT_TRUE(global);
    EXPECT_EQ(global->cost.degree, 1U);
    EXPECT_EQ(global->costly, 0U);
    // Line 5 reads local memory, which comes first, from one word.
    const auto broadcast = most_expensive_request(run, 5);
    ASSERT_TRUE(broadcast);
    EXPECT_TRUE(broadcast->cost.local);
    EXPECT_EQ(broadcast->cost.degree, 1U);
    EXPECT_FALSE(most_expensive_request(run, 1));
    EXPECT_THAT(lines_with_requests(run), testing::ElementsAre(3, 4, 5));
}

TEST(RunCosts, AreThoseOfTheRunAndNameItsCostliestLine) {
    const machine::Run strided = recorded_run(kStrided, 4);
    const RunCosts costs = costs_of(strided);
    const Traffic traffic = traffic_of(strided);
    EXPECT_EQ(costs.sectors, traffic.global.sectors);
    EXPECT_GT(costs.sectors, costs.least_sectors);
    EXPECT_EQ(costs.lines, traffic.global.lines);
    EXPECT_EQ(costs.bank_cycles, traffic.local.turns);
    EXPECT_GT(costs.bank_cycles, costs.least_bank_cycles);
    EXPECT_EQ(costs.line, 4U);  // four cycles in place of one
    EXPECT_EQ(costs.idle, 0U);
    EXPECT_EQ(costs.barriers, 0U);
    // Two groups of two warps: a barrier counts once for each group.
    const RunCosts waits = costs_of(recorded_run({"kernel void f(global int* a) {\n"
                                                  "  if (get_local_id(0) == 0)\n"
                                                  "    a[get_group_id(0)] = 1;\n"
                                                  "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                                                  "}",
                                                  16,
                                                  8,
                                                  {{}},
                                                  32},
                                                 4));
    EXPECT_EQ(waits.barriers, 2U);
    EXPECT_GT(waits.idle, 0U);
    EXPECT_GT(waits.offered, waits.idle);
}

TEST(MemoryRequest, WithoutLocalMemoryItIsSectors) {
    const machine::Run run = recorded_run({"kernel void f(global int* a) {\n"
                                           "  a[get_global_id(0) * 8] = 1;\n"
                                           "}",
                                           4,
                                           4,
                                           {{}},
                                           32},
                                          4);
    const auto found = most_expensive_request(run);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->cost.local);
    EXPECT_EQ(found->cost.sectors, 4U);
    EXPECT_EQ(found->cost.ideal_sectors, 1U);
    EXPECT_EQ(found->touched[1].first, 32U);
    EXPECT_EQ(found->array_end, 128U);
}

using testing::ElementsAre;
using testing::Pair;

// 32 work-items in one warp; `body` uses id, the global int* a (1024 of them) and the local int* b.
machine::Run played_warp(const std::string& body, std::uint32_t lanes = 32) {
    machine::Example example;
    example.text =
        "kernel void f(global int* a, local int* b) {\n  int id = get_global_id(0);\n  " + body +
        "\n}";
    example.global = example.local = 32;
    example.buffers = {std::vector<std::int32_t>(1024)};
    example.local_ints = {4096};
    return machine::play(machine::job_of(example, lanes), {});
}

Request first_request(const std::string& body, std::uint32_t lanes = 32) {
    const machine::Run run = played_warp(body, lanes);
    return request_of(run, run.trace().action(0));
}

struct Sectors {
    const char* body;
    std::uint64_t useful, sectors, lines, ideal;
};

TEST(Traffic, SectorsAreCountedAgainstWhatTheBytesWouldFill) {
    const Sectors cases[] = {
        {"a[id] = 1;", 128, 4, 1, 4},       // 32 x 4 bytes from 0: 4 sectors of a line
        {"a[id + 1] = 1;", 128, 5, 2, 4},   // bytes 4 to 131
        {"a[2 * id] = 1;", 128, 8, 2, 4},   // every other of 256 bytes
        {"a[8 * id] = 1;", 128, 32, 8, 4},  // a sector each
        {"a[32 * id] = 1;", 128, 32, 32, 4},
        {"int x = a[5];", 4, 1, 1, 1},  // all lanes the same
        {"if (id == 0) a[0] = 1;", 4, 1, 1, 1},
        {"((global long*)a)[id] = 1;", 256, 8, 2, 8},
        {"((global int4*)a)[id] = 1;", 512, 16, 4, 16},
        {"((global char*)a)[id] = 1;", 32, 1, 1, 1},
        {"vstore2((int2)(1), id, a + 7);", 256, 9, 3, 8},  // bytes 28 to 283
        {"atomic_inc(a + id / 16);", 8, 1, 1, 1}};
    for (const Sectors& each : cases) {
        const Request request = first_request(each.body);
        EXPECT_FALSE(request.local);
        EXPECT_EQ(request.useful_bytes, each.useful) << each.body;
        EXPECT_EQ(request.sectors, each.sectors) << each.body;
        EXPECT_EQ(request.lines, each.lines) << each.body;
        EXPECT_EQ(request.ideal_sectors, each.ideal) << each.body;
    }
}

struct Banks {
    const char* body;
    std::uint64_t degree, least;
};

TEST(Traffic, TheDegreeIsTheMostWordsInOneBank) {
    const Banks cases[] = {
        {"b[id] = 1;", 1, 1},
        {"b[2 * id] = 1;", 2, 1},                 // words 0, 2, …, 62: each even bank twice
        {"b[3 * id] = 1;", 1, 1},                 // 3 and 32 have no common divisor
        {"b[32 * id] = 1;", 32, 1},               // all in bank 0
        {"b[33 * id] = 1;", 1, 1},                // a column more: the classic padding
        {"b[id / 32] = 1;", 1, 1},                // one word for all
        {"b[id % 2 * 32] = 1;", 2, 1},            // two words of bank 0
        {"if (id < 4) b[16 * id] = 1;", 2, 1},    // words 0, 16, 32, 48
        {"((local char*)b)[id] = 1;", 1, 1},      // four lanes a word
        {"((local long*)b)[id] = 1;", 2, 2},      // 64 words in 32 banks
        {"((local long*)b)[2 * id] = 1;", 4, 2},  // banks 0, 1, 4, 5, …: 64 words in 16 of them
        {"((local int4*)b)[id] = 1;", 4, 4}};
    for (const Banks& each : cases) {
        const Request request = first_request(each.body);
        EXPECT_TRUE(request.local);
        EXPECT_EQ(request.degree, each.degree) << each.body;
        EXPECT_EQ(request.least_degree, each.least) << each.body;
    }
}

TEST(Traffic, TheShapeOfTheMachineDecides) {
    machine::Example example{
        "kernel void f(global int* a, local int* b) {\n"
        "  int id = get_global_id(0);\n"
        "  b[4 * id] = a[16 * id];\n"
        "}",
        4,
        4,
        {std::vector<std::int32_t>(64)},
        0,
        {16}};
    machine::Job job = machine::job_of(example);
    job.config.banks = 4;
    job.config.sector_bytes = 64;
    const machine::Run run = machine::play(std::move(job), {});
    const Request load = request_of(run, run.trace().action(0));
    EXPECT_EQ(load.sectors, 4U);
    EXPECT_EQ(load.lines, 2U);
    EXPECT_EQ(request_of(run, run.trace().action(1)).degree, 4U);
}

TEST(Traffic, ALocalArrayBeginsWhereItLies) {
    // Two arrays: c is behind b's 4096 words, d one word further.
    const machine::Run run = played_warp("local int c[1]; local int d[40]; c[0] = 1; d[id] = 1;");
    const Request request = request_of(run, run.trace().action(1));
    EXPECT_EQ(request.degree, 1U);
    EXPECT_EQ(request.useful_bytes, 128U);
}

TEST(Traffic, LinesAddUpTheirRequests) {
    const machine::Run run = played_warp("a[8 * id] = a[id];\n  b[2 * id] = id;", 16);
    const Traffic traffic = traffic_of(run);
    ASSERT_EQ(traffic.lines.size(), 3U);
    // Two warps of 16: 64 bytes in 2 sectors each; then a sector a lane.
    const LineTraffic& load = traffic.lines[0];
    EXPECT_EQ(load.line, 3U);
    EXPECT_EQ(load.array, "a");
    EXPECT_EQ(load.kind, machine::ActionKind::load);
    EXPECT_EQ(load.requests, 2U);
    EXPECT_EQ(load.useful_bytes, 128U);
    EXPECT_EQ(load.sectors, 4U);
    EXPECT_DOUBLE_EQ(efficiency(load), 1.0);
    EXPECT_EQ(traffic.lines[1].sectors, 32U);
    EXPECT_EQ(traffic.lines[1].ideal_sectors, 4U);
    EXPECT_DOUBLE_EQ(efficiency(traffic.lines[1]), 0.125);
    // 16 lanes with a stride of 2 words: 16 banks of 32, no conflict.
    const LineTraffic& local = traffic.lines[2];
    EXPECT_EQ(local.line, 4U);
    EXPECT_THAT(local.degrees, ElementsAre(Pair(1U, 2U)));
    EXPECT_EQ(traffic.global.requests, 4U);
    EXPECT_DOUBLE_EQ(efficiency(traffic.global), 8.0 / 36);
    EXPECT_EQ(traffic.local.turns, 2U);

    const nlohmann::json out = traffic;
    EXPECT_EQ(out["lines"][1]["sectors"], 32);
    EXPECT_EQ(out["lines"][2]["degrees"][0]["requests"], 2);
    EXPECT_EQ(out["lines"][2]["space"], "local");
}

TEST(Traffic, ConstantMemoryIsLeftOut) {
    machine::Example example{
        "constant int table[4] = {1, 2, 3, 4};\n"
        "kernel void f(global int* a) {\n"
        "  int id = get_global_id(0);\n"
        "  a[id] = table[id];\n"
        "}",
        4,
        4,
        {{}}};
    const machine::Run run = machine::play(machine::job_of(example), {});
    const Traffic traffic = traffic_of(run);
    ASSERT_EQ(traffic.lines.size(), 1U);
    EXPECT_EQ(traffic.lines[0].kind, machine::ActionKind::store);
    EXPECT_TRUE(nlohmann::json(traffic)["local"]["efficiency"].is_null());
}

}  // namespace
}  // namespace lab::analysis
