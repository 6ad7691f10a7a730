// User kernels in two and three dimensions, on the first device of the machine. Which order a run
// has is chance; but each that was recorded has to be one of the simulator's.
#include <gmock/gmock.h>

#include <set>

#include "analysis/recorded_run.h"
#include "analysis/rows.h"
#include "device/check.h"
#include "device/device_run.h"
#include "support/first_device.h"

namespace lab::device {
namespace {

using testing::HasSubstr;

// A tile of an uneven shape: whoever takes x for y finds other cells.
catalogue::LaunchForm transpose() {
    catalogue::LaunchForm kernel;
    kernel.file = "transpose.cl";
    kernel.text =
        "kernel void transpose(global const int* in, global int* out, int width, int height)\n"
        "{\n"
        "    local int tile[2][5];\n"
        "    const int x = get_global_id(0) - get_global_offset(0);\n"
        "    const int y = get_global_id(1) - get_global_offset(1);\n"
        "    const int lx = get_local_id(0), ly = get_local_id(1);\n"
        "    tile[ly][lx] = in[y * width + x];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[x * height + y] = tile[ly][lx] + 100 * tile[1 - ly][3 - lx];\n"
        "}\n";
    kernel.global = {8, 6};
    kernel.local = {4, 2};
    kernel.offset = {1, 3};
    kernel.arguments = {"in:int[48]=ramp", "out:int[48]", "8", "6"};
    return kernel;
}

// Each adds the number to the right of its own, with nothing between the reads and the writes.
catalogue::LaunchForm racy() {
    catalogue::LaunchForm kernel;
    kernel.file = "shift.cl";
    kernel.text =
        "kernel void shift(global int* a)\n"
        "{\n"
        "    const int x = get_global_id(0), y = get_global_id(1) - get_global_offset(1);\n"
        "    a[y * 4 + x] += a[y * 4 + (x + 1) % 4];\n"
        "}\n";
    kernel.global = {4, 2};
    kernel.local = {2, 2};
    kernel.offset = {0, 5};
    kernel.arguments = {"a:int[8]=ramp"};
    return kernel;
}

catalogue::LaunchForm cube() {
    catalogue::LaunchForm kernel;
    kernel.file = "cube.cl";
    kernel.text =
        "kernel void cube(global int* out, local int* mine)\n"
        "{\n"
        "    const int item = get_local_id(0) + get_local_size(0) *\n"
        "        (get_local_id(1) + get_local_size(1) * get_local_id(2));\n"
        "    const int size = get_local_size(0) * get_local_size(1) * get_local_size(2);\n"
        "    const int group = get_group_id(0) + get_num_groups(0) *\n"
        "        (get_group_id(1) + get_num_groups(1) * get_group_id(2));\n"
        "    mine[item] = get_global_id(0) + 10 * get_global_id(1) + 100 * get_global_id(2);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[group * size + item] = mine[size - 1 - item];\n"
        "}\n";
    kernel.global = {4, 4, 3};
    kernel.local = {2, 2, 1};
    kernel.offset = {1, 2, 3};
    kernel.arguments = {"out:int[48]", "mine:local int[4]"};
    return kernel;
}

results::RecordRequest until(const std::string& what, std::uint64_t count = 1000) {
    results::RecordRequest request;
    request.until = what;
    request.count = count;
    return request;
}

// The run that the recorded turns give.
std::unique_ptr<machine::Run> run_of(const catalogue::LaunchForm& kernel,
                                     const results::Recorded& recorded) {
    const analysis::SimulatorOptions options = analysis::replay_options(
        {recorded.units, recorded.max_group, recorded.cpu, recorded.kernel_group});
    machine::SchedulingPolicy order;
    order.kind = machine::SchedulingPolicy::Kind::list;
    order.turns = machine::parse_turns(recorded.turns, recorded.order);
    return std::make_unique<machine::Run>(
        analysis::job_of({catalogue::kernel_of(kernel), {}, options}), order);
}

TEST(RecordKernel, ItemsAndGroupsAreNumberedAsTheSimulatorDoes) {
    for (const catalogue::LaunchForm& kernel : {transpose(), cube()}) {
        SCOPED_TRACE(kernel.file);
        const results::Recorded recorded =
            record(first_device(), catalogue::kernel_of(kernel), until("run:1"));
        EXPECT_EQ(recorded.difference, "");
        EXPECT_TRUE(recorded.right) << recorded.result;
        EXPECT_EQ(recorded.result, recorded.expected);
        EXPECT_EQ(recorded.barriers, kernel.global.items());
        EXPECT_EQ(recorded.groups, kernel.global.items() / kernel.local.items());
        std::set<std::uint64_t> items;
        for (const machine::ScheduleSlice& turn : machine::parse_turns(recorded.turns, "recorded"))
            items.insert(turn.group * kernel.local.items() + turn.warp);
        EXPECT_EQ(items.size(), kernel.global.items());
        EXPECT_EQ(*items.rbegin(), kernel.global.items() - 1);
    }
    EXPECT_EQ(record(first_device(), catalogue::kernel_of(transpose()), until("run:1")).launch,
              "8x6 work-items in groups of 4x2, from 1x3 on");
}

// A vector's ?: becomes a call, too.
TEST(RecordKernel, WhatChoosesIsRecordedByItsName) {
    catalogue::LaunchForm kernel;
    kernel.file = "choose.cl";
    kernel.text =
        "kernel void choose(global const int* in, global int* out)\n"
        "{\n"
        "    const int g = get_global_id(0);\n"
        "    const int2 v = (int2)(in[g], -in[g]);\n"
        "    const int2 w = v > (int2)(2) ? v : (int2)(7, 8);\n"
        "    out[g] = select(in[g], -in[g], g & 1) * 100 + w.x * 10 + w.y;\n"
        "}\n";
    kernel.global = {4};
    kernel.local = {2};
    kernel.arguments = {"in:int[4]=1,2,3,4", "out:int[4]"};
    const results::Recorded recorded =
        record(first_device(), catalogue::kernel_of(kernel), until("run:1"));
    EXPECT_EQ(recorded.difference, "");
    EXPECT_EQ(recorded.result, "out: 178 -122 338 -352");
}

// A structure's copy cannot be recorded: each buffer is compared with its own.
TEST(DeviceRunOfAKernel, ComparesArraysByTheirNames) {
    catalogue::LaunchForm kernel;
    kernel.file = "pairs.cl";
    kernel.text =
        "typedef struct { int a, b; } P;\n"
        "kernel void pairs(global const P* in, global P* out)\n"
        "{\n"
        "    P p = in[get_global_id(0)];\n"
        "    p.a += 1;\n"
        "    out[get_global_id(0)] = p;\n"
        "}\n";
    kernel.global = {4};
    kernel.local = {2};
    kernel.arguments = {"in:int[8]=5,6,7,8,1,2,3,4", "out:int[8]"};
    const auto compared = [](const catalogue::LaunchForm& form) {
        DeviceCase device_case(first_device(), catalogue::kernel_of(form), {});
        const DeviceRun run = device_run(device_case);
        EXPECT_THAT(run.note, HasSubstr("Only whole launches are shown"));
        const analysis::RunSpec spec = device_case.spec();
        return difference_of_launches(run, analysis::table_of(spec, analysis::simulate(spec, {})));
    };
    EXPECT_FALSE(compared(kernel));
    // The device is given another text than the simulator.
    kernel.text.insert(kernel.text.find("    out["),
                       "#ifndef __REDUCTION_LAB__\n    p.b = 9;\n#endif\n");
    const auto value = compared(kernel);
    ASSERT_TRUE(value);
    EXPECT_EQ(value->array, "out");
    EXPECT_EQ(value->cell, 1U);
    EXPECT_EQ(value->device, "9");
    EXPECT_EQ(value->simulator, "6");
}

TEST(RecordKernel, ARaceIsReplayedToEqualRows) {
    const catalogue::LaunchForm kernel = racy();
    for (const char* which : {"run:1", "run:7", "wrong"}) {
        const results::Recorded recorded =
            record(first_device(), catalogue::kernel_of(kernel), until(which));
        if (recorded.run == 0) continue;  // none went another way than the simulator usually does
        EXPECT_EQ(recorded.difference, "") << recorded.turns;
        EXPECT_EQ(recorded.accesses, 3 * kernel.global.items());
        EXPECT_EQ(recorded.barriers, 0U);
        const auto run = run_of(kernel, recorded);
        EXPECT_EQ(analysis::contents_of(run->machine(), run->end()), recorded.result);
        const auto rows = analysis::stale_rows(*run, 0);
        ASSERT_EQ(rows.size(), 2U);
        std::string values;
        for (const analysis::Cell& cell : rows[1].cells)
            values += (values.empty() ? "a: " : " ") + text_of(cell.value);
        EXPECT_EQ(values, recorded.result);
    }
}

// PoCL runs the items of a group one after another, so each finds its neighbour's number as it was,
// but for those at the end of a line; the simulator's lanes all read before one writes.
TEST(RecordKernel, WrongIsOtherwiseThanTheSimulatorUsually) {
    if (!is_pocl3()) GTEST_SKIP() << "another runtime's order";
    const auto recorded_until = [](const std::string& which) {
        return record(first_device(), catalogue::kernel_of(racy()), until(which));
    };
    // A result that an interruption made need not come twice; the usual one does.
    results::Recorded recorded;
    results::Recorded again;
    for (int tries = 0; tries < 10 && again.result.empty(); ++tries) {
        recorded = recorded_until("wrong");
        EXPECT_GT(recorded.run, 0U);
        EXPECT_FALSE(recorded.right);
        EXPECT_NE(recorded.result, recorded.expected);
        EXPECT_GT(recorded.recorded.wrong, 0U);
        again = recorded_until(recorded.result);
    }
    EXPECT_EQ(again.result, recorded.result);
}

TEST(RecordKernel, DelaysWorkInSeveralDimensions) {
    for (const catalogue::LaunchForm& kernel : {transpose(), cube(), racy()}) {
        results::RecordRequest request = until("run:3");
        request.delays = 4;
        const results::Recorded recorded =
            record(first_device(), catalogue::kernel_of(kernel), request);
        EXPECT_EQ(recorded.run, 3U) << kernel.file;
        EXPECT_EQ(recorded.difference, "") << kernel.file;
    }
}

TEST(RecordKernel, AFaultIsFoundBeforeTheDeviceMeetsIt) {
    catalogue::LaunchForm kernel = transpose();
    kernel.arguments[1] = "out:int[40]";
    try {
        record(first_device(), catalogue::kernel_of(kernel), until("run:1"));
        FAIL() << "it was run";
    } catch (const Problem& problem) {
        EXPECT_THAT(problem.why, HasSubstr("not run on the device"));
    }
    kernel = racy();
    kernel.global = {4, 1 << 17};
    kernel.arguments = {"a:int[524288]"};
    EXPECT_THROW(record(first_device(), catalogue::kernel_of(kernel), until("run:1")), Problem);
}

TEST(TrialsOfAKernel, AreAmongThePredictedResults) {
    catalogue::LaunchForm kernel = racy();
    kernel.global = {4, 1};
    kernel.local = {2, 1};
    kernel.arguments = {"a:int[4]=ramp"};
    results::TrialsRequest request;
    request.count = 50;
    request.delays = 3;
    const results::Trials found = trials(first_device(), catalogue::kernel_of(kernel), request);
    EXPECT_EQ(found.count, 50U);
    EXPECT_EQ(found.delayed, 50U);
    EXPECT_EQ(found.launch, "4x1 work-items in groups of 2x1, from 0x5 on");
    EXPECT_TRUE(found.predicted.complete);
    EXPECT_GT(found.predicted.results.size(), 1U);
    EXPECT_THAT(found.unforeseen(), testing::IsEmpty());
}

// Who writes depends on the race: a cell that nobody wrote is known as such.
TEST(TrialsOfAKernel, KnowCellsThatNobodyWrote) {
    catalogue::LaunchForm kernel = racy();
    kernel.text =
        "kernel void first(global int* turn, global int* out)\n"
        "{\n"
        "    if (atomic_inc(turn) == 0) out[get_global_id(1)] = -1515870811;\n"
        "}\n";
    kernel.global = kernel.local = {1, 2};
    kernel.offset = {};
    kernel.arguments = {"turn:int[1]=0", "out:int[2]"};
    results::TrialsRequest request;
    request.count = 5;
    const results::Trials found = trials(first_device(), catalogue::kernel_of(kernel), request);
    EXPECT_EQ(found.expected, "turn: 2, out: -1515870811 ?");
    EXPECT_THAT(found.unforeseen(), testing::IsEmpty());
}

// Launches of more than a few thousand work-items are recorded as those of shipped kernels are.
TEST(RecordKernel, TakesLargeLaunches) {
    catalogue::LaunchForm kernel;
    kernel.file = "double.cl";
    kernel.text = "kernel void twice(global int* a) { a[get_global_id(0)] *= 2; }";
    kernel.global = 16'384;
    kernel.local = 64;
    kernel.arguments = {"a:int[16384]=ramp"};
    const results::Recorded recorded =
        record(first_device(), catalogue::kernel_of(kernel), until("run:1"));
    EXPECT_EQ(recorded.difference, "");
    EXPECT_EQ(recorded.accesses, 32'768U);
    EXPECT_TRUE(recorded.right);
}

TEST(DeviceRunOfAKernel, IsRecordedInSeveralDimensions) {
    for (const catalogue::LaunchForm& kernel : {transpose(), cube()}) {
        SCOPED_TRACE(kernel.file);
        DeviceCase device_case(first_device(), catalogue::kernel_of(kernel), {});
        const DeviceRun run = device_run(device_case);
        EXPECT_EQ(run.note, "");
        EXPECT_NE(run.turns, "");
        analysis::RunSpec spec = device_case.spec();
        spec.machine.order.kind = machine::SchedulingPolicy::Kind::list;
        spec.machine.order.turns = machine::parse_turns(run.turns, "turns");
        const analysis::StepTable here = analysis::table_of(spec, analysis::simulate(spec, {}));
        ASSERT_EQ(run.rows.size(), here.rows.size());
        std::size_t known = 0;
        for (std::size_t row = 1; row < run.rows.size(); ++row)
            for (std::size_t cell = 0; cell < run.rows[row].cells.size(); ++cell) {
                const analysis::CellValue& value = run.rows[row].cells[cell].value;
                known += value.bits ? 1U : 0U;
                EXPECT_EQ(text_of(value), text_of(here.rows[row].cells[cell].value));
            }
        EXPECT_GE(known, 2 * kernel.global.items());
        EXPECT_EQ(run.outcome.result, device_case.expected());
    }
}

}  // namespace
}  // namespace lab::device
