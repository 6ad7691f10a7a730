#include "simulation/shown_run.h"

#include <gmock/gmock.h>

#include <random>

#include "analysis/witness.h"
#include "simulation/plan_job.h"
#include "support/example_shapes.h"
#include "support/example_values.h"

namespace lab::simulation {
namespace {

using Kind = machine::Order::Kind;
using Verdict = analysis::Witness::Verdict;
using Origin = analysis::Witness::Origin;

const char* const kNumbers = "7,1,6,8,5,6,7,1";

// What a device would tell of a run under that schedule: `at_end`, only what memory held then.
analysis::StepTable device_of(const std::string& id, const catalogue::Shape& shape,
                              const Options& options, bool at_end) {
    Options planned = options;
    planned.target = target_of(kClassroom.config);
    const catalogue::Variant& variant = shipped().find(id);
    analysis::StepTable table = table_of(variant, simulate(variant, shape, planned), planned);
    table.source = "device";
    table.device = "a device";
    table.machine.reset();
    for (std::size_t row = 1; at_end && row + 1 < table.rows.size(); ++row)
        for (analysis::Cell& cell : table.rows[row].cells)
            cell.value = {};
    return table;
}

ShownRun shown(const std::string& id, const catalogue::Shape& shape,
               const analysis::StepTable* device, bool automatic = true) {
    return shown_run(shipped().find(id), shape, kClassroom, automatic, device);
}

analysis::StepTable rows_of(const std::string& id, const catalogue::Shape& shape,
                            const Options& options) {
    const catalogue::Variant& variant = shipped().find(id);
    return table_of(variant, simulate(variant, shape, options), options);
}

std::vector<std::vector<std::string>> values_of(const analysis::StepTable& table) {
    std::vector<std::vector<std::string>> result;
    for (const analysis::Row& pass : table.rows) {
        result.emplace_back();
        for (const analysis::Cell& cell : pass.cells)
            result.back().push_back(text_of(cell.value));
    }
    return result;
}

TEST(ShownRun, IsTheUsualOneWhereTheDeviceSaysTheSame) {
    const catalogue::Shape shape = shape_of(kNumbers, 4);
    const analysis::StepTable device = device_of("relaunch", shape, kClassroom, false);
    const ShownRun run = shown("relaunch", shape, &device);
    EXPECT_EQ(run.witness.verdict, Verdict::same);
    EXPECT_EQ(run.witness.origin, Origin::usual);
    EXPECT_EQ(run.options.order.kind, Kind::round_robin);
}

TEST(ShownRun, IsTheDevicesWhereOneScheduleGivesItsRows) {
    const catalogue::Shape shape = shape_of(kNumbers, 4, {{"BARRIER", "group"}});
    const analysis::StepTable device =
        device_of("span-modulo", shape, options_of(1, 0, Kind::in_order), false);
    ASSERT_EQ(device.result, "27");
    const ShownRun run = shown("span-modulo", shape, &device);
    EXPECT_EQ(run.witness.verdict, Verdict::same);
    EXPECT_EQ(run.witness.origin, Origin::device);
    const analysis::StepTable table = rows_of("span-modulo", shape, run.options);
    EXPECT_EQ(values_of(table), values_of(device));
    EXPECT_EQ(table.machine->order, analysis::kAsOnDevice);
    ASSERT_EQ(table.rows.back().stale.size(), 1U);
    EXPECT_EQ(text_of(table.rows.back().stale[0].took), "5");
}

TEST(ShownRun, OfAChosenOrderStaysAndTheDevicesIsFoundBesideIt) {
    const catalogue::Shape shape = shape_of(kNumbers, 4, {{"BARRIER", "group"}});
    const analysis::StepTable device =
        device_of("span-modulo", shape, options_of(4, 2, Kind::in_order), false);
    const ShownRun run = shown("span-modulo", shape, &device, false);
    EXPECT_EQ(run.witness.verdict, Verdict::explained);
    EXPECT_EQ(run.options.order.kind, Kind::round_robin);
    ASSERT_TRUE(run.witness.like_device);
    Options like = kClassroom;
    like.config = run.witness.like_device->config;
    like.order.kind = Kind::list;
    like.order.turns = run.witness.like_device->turns;
    EXPECT_EQ(rows_of("span-modulo", shape, like).result, "27");
}

TEST(ShownRun, GoesWrongWhereTheDeviceWasLuckyAndWhereThereIsNone) {
    const catalogue::Shape shape = shape_of(kNumbers, 4, {{"BARRIER", "group"}});
    const analysis::StepTable device = device_of("span-modulo", shape, kClassroom, false);
    ASSERT_TRUE(device.right);
    const ShownRun lucky = shown("span-modulo", shape, &device);
    EXPECT_EQ(lucky.witness.verdict, Verdict::lucky);
    EXPECT_EQ(lucky.witness.origin, Origin::goes_wrong);
    EXPECT_FALSE(rows_of("span-modulo", shape, lucky.options).right);
    const ShownRun none = shown("span-modulo", shape, nullptr);
    EXPECT_EQ(none.witness.verdict, Verdict::absent);
    EXPECT_FALSE(rows_of("span-modulo", shape, none.options).right);
    // A kernel that is right in every order is shown as it is.
    EXPECT_EQ(shown("local-tree", shape_of(kNumbers, 4), nullptr).witness.origin, Origin::usual);
}

TEST(ShownRun, LeavesWhatNoScheduleGivesUnexplained) {
    const catalogue::Shape shape = shape_of(kNumbers, 4, {{"BARRIER", "group"}});
    analysis::StepTable device =
        device_of("span-modulo", shape, options_of(1, 0, Kind::in_order), false);
    device.result = "28";
    device.rows.back().cells[0].value = analysis::int_value("28");
    const ShownRun run = shown("span-modulo", shape, &device);
    EXPECT_EQ(run.witness.verdict, Verdict::unexplained);
    EXPECT_TRUE(run.witness.complete);
    // A cell that nobody writes, and one whose value no schedule lets it have.
    analysis::StepTable right = device_of("local-tree", shape_of(kNumbers, 4), kClassroom, false);
    right.rows.back().cells[0].value = analysis::int_value("40");
    const ShownRun wrong = shown("local-tree", shape_of(kNumbers, 4), &right);
    EXPECT_EQ(wrong.witness.verdict, Verdict::unexplained);
    EXPECT_TRUE(wrong.witness.complete);
    EXPECT_EQ(wrong.witness.agreement.device, "40");
    EXPECT_EQ(wrong.witness.agreement.machine, "41");
}

// Any schedule's rows are found again: those of every barrier, and the last alone.
TEST(ShownRun, FindsRandomSchedulesAgain) {
    for (const char* id : {"span-modulo", "span-scatter", "span-halving"})
        for (const char* barrier : {"group", "none"})
            for (std::uint64_t seed = 1; seed <= 12; ++seed) {
                const bool at_end = seed % 2 == 0 || std::string(barrier) == "none";
                const catalogue::Shape shape = shape_of(kNumbers, 4, {{"BARRIER", barrier}});
                const analysis::StepTable device = device_of(
                    id, shape, options_of(seed % 3 == 0 ? 4 : 1, 0, Kind::random, seed), at_end);
                const ShownRun run = shown(id, shape, &device, false);
                const std::string what = std::string(id) + " " + barrier + " " +
                                         std::to_string(seed) + ": " + device.result;
                if (run.witness.verdict == Verdict::same) continue;
                ASSERT_EQ(run.witness.verdict, Verdict::explained) << what;
                Options like = kClassroom;
                like.target = target_of(kClassroom.config);
                like.config = run.witness.like_device->config;
                like.order.kind = Kind::list;
                like.order.turns = run.witness.like_device->turns;
                const analysis::StepTable rows = rows_of(id, shape, like);
                EXPECT_EQ(rows.result, device.result) << what;
                EXPECT_TRUE(agrees(agreement_of(device, rows))) << what;
            }
}

TEST(ShownRun, FindsAScheduleOf64ElementsIn4Groups) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        catalogue::Shape shape = shape_of("random:3", 16, {{"BARRIER", "group"}});
        shape.n = 64;
        const analysis::StepTable device =
            device_of("span-modulo", shape, options_of(1, 0, Kind::random, seed), seed % 2 == 0);
        const ShownRun run = shown("span-modulo", shape, &device, false);
        EXPECT_TRUE(run.witness.verdict == Verdict::same ||
                    run.witness.verdict == Verdict::explained)
            << seed << name_of(run.witness.verdict);
    }
}

}  // namespace
}  // namespace lab::simulation
