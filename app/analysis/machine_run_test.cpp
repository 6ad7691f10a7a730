#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "analysis/machine_run.h"
#include "analysis/recorded_run.h"
#include "analysis/simulate.h"
#include "analysis/step_table.h"
#include "support/example_shapes.h"
#include "support/example_values.h"

namespace lab::analysis {
namespace {

RunSpec spec_of(const std::string& id, const catalogue::Shape& shape) {
    return {shipped().find(id), shape, kClassroom};
}

std::shared_ptr<MachineRun> in_parts(const RunSpec& spec, std::size_t& parts) {
    RunInParts run(spec);
    for (parts = 1;; ++parts)
        if (auto made = run.go_on()) return made;
}

std::vector<std::string> texts_of(const std::vector<analysis::Hazard>& hazards) {
    std::vector<std::string> texts;
    for (const analysis::Hazard& each : hazards)
        texts.push_back(nlohmann::json(each).dump());
    return texts;
}

TEST(RunInParts, IsTheSameAsTheRunInOneGo) {
    catalogue::Shape many = shape_of("random:1", 64);
    many.n = 2048;
    std::vector<RunSpec> specs{
        spec_of("relaunch", many), spec_of("span-modulo", shape_of("7,1,6,8,5,6,7,1", 4)),
        spec_of("sync-flags", shape_of("7,1,6,8,5,6,7,1,7,1,6,8,5,6,7,1",
                                       4)),  // waits forever, two groups at once
        spec_of("relaunch", shape_of("", 4))};
    specs[2].machine.budget = 100'000;
    for (const RunSpec& spec : specs) {
        SCOPED_TRACE(spec.kernel.id);
        const auto whole = run_on_machine(spec);
        std::size_t parts = 0;
        const auto made = in_parts(spec, parts);
        EXPECT_GE(parts, made->run != nullptr ? 6U : 2U);
        EXPECT_EQ(nlohmann::json(made->table), nlohmann::json(whole->table));
        EXPECT_EQ(made->actions(), whole->actions());
        EXPECT_EQ(made->row_ends, whole->row_ends);
        EXPECT_EQ(made->line_ends, whole->line_ends);
        EXPECT_EQ(texts_of(made->hazards), texts_of(whole->hazards));
        EXPECT_EQ(made->marks.size(), whole->marks.size());
        EXPECT_EQ(made->lines.size(), whole->lines.size());
        EXPECT_EQ(made->fault.has_value(), whole->fault.has_value());
        if (whole->fault) {
            EXPECT_EQ(made->fault->what_happened, whole->fault->what_happened);
        }
    }
}

TEST(RunInParts, EndsSoonOnceItIsCancelled) {
    std::atomic<bool> cancel = false;
    catalogue::Shape many = shape_of("random:1", 64);
    many.n = 2048;
    RunInParts run(spec_of("relaunch", many), &cancel);
    EXPECT_EQ(run.go_on(), nullptr);
    EXPECT_EQ(run.go_on(), nullptr);
    cancel = true;
    EXPECT_THROW(run.go_on(), Problem);
}

// As the page asks its worker.
TEST(Requests, AWrongOrderIsOneWhoseResultIsWrong) {
    nlohmann::json asked{{"variant", "span-modulo"},
                         {"shape", shape_of("7,1,6,8,5,6,7,1", 4)},
                         {"machine", {{"lanes", 4}, {"resident", 2}, {"order", "round-robin"}}}};
    const nlohmann::json found = wrong_order_asked(asked, {});
    ASSERT_TRUE(found.is_object()) << found;
    RunSpec spec = spec_of("span-modulo", shape_of("7,1,6,8,5,6,7,1", 4));
    found.get_to(spec.machine.config.shape());
    spec.machine.order.kind = machine::SchedulingPolicy::Kind::list;
    spec.machine.order.turns = machine::parse_turns(found.at("turns").get<std::string>(), "turns");
    EXPECT_FALSE(run_on_machine(spec)->table.right);
    asked["variant"] = "relaunch";  // which never goes wrong
    EXPECT_TRUE(wrong_order_asked(asked, {}).is_null());
}

using OrderKind = machine::SchedulingPolicy::Kind;
using Verdict = analysis::DeviceComparison::Verdict;
using Origin = analysis::DeviceComparison::Origin;

const char* const kNumbers = "7,1,6,8,5,6,7,1";

// What a device tells of a run under that schedule, with the turns of it if it was `recorded`.
analysis::StepTable device_of(const std::string& id, const catalogue::Shape& shape,
                              const SimulatorOptions& options, bool recorded = true) {
    RunSpec spec{shipped().find(id), shape, options};
    spec.machine.target = target_of(kClassroom.config);
    const Simulation simulation = simulate(spec);
    analysis::StepTable table = table_of(spec, simulation);
    table.source = "device";
    table.device = "a device";
    table.machine.reset();
    if (recorded) table.turns = machine::text_of(machine::turns_of(simulation.run->trace()));
    return table;
}

ShownRun shown(const std::string& id, const catalogue::Shape& shape,
               const analysis::StepTable* device, bool automatic = true) {
    return shown_run({shipped().find(id), shape, kClassroom}, automatic, device);
}

analysis::StepTable rows_of(const std::string& id, const catalogue::Shape& shape,
                            const SimulatorOptions& options) {
    const RunSpec spec{shipped().find(id), shape, options};
    return table_of(spec, simulate(spec));
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
    const analysis::StepTable device = device_of("relaunch", shape, kClassroom);
    const ShownRun run = shown("relaunch", shape, &device);
    EXPECT_EQ(run.witness.verdict, Verdict::same);
    EXPECT_EQ(run.witness.origin, Origin::usual);
    EXPECT_EQ(run.options.order.kind, OrderKind::round_robin);
}

TEST(ShownRun, IsTheDevicesWhereItWasRecorded) {
    const catalogue::Shape shape = shape_of(kNumbers, 4, {{"BARRIER", "group"}});
    const analysis::StepTable device =
        device_of("span-modulo", shape, options_of(1, 0, OrderKind::in_order));
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

TEST(ShownRun, OfAChosenOrderStaysAndTheDevicesIsBesideIt) {
    const catalogue::Shape shape = shape_of(kNumbers, 4, {{"BARRIER", "group"}});
    const analysis::StepTable device =
        device_of("span-modulo", shape, options_of(1, 0, OrderKind::in_order));
    const ShownRun run = shown("span-modulo", shape, &device, false);
    EXPECT_EQ(run.witness.verdict, Verdict::explained);
    EXPECT_EQ(run.options.order.kind, OrderKind::round_robin);
    ASSERT_TRUE(run.witness.like_device);
    SimulatorOptions like = kClassroom;
    like.target = target_of(kClassroom.config);
    like.config = run.witness.like_device->config;
    like.order.kind = OrderKind::list;
    like.order.turns = run.witness.like_device->turns;
    EXPECT_EQ(rows_of("span-modulo", shape, like).result, "27");
}

TEST(ShownRun, GoesWrongWhereTheDeviceWasLuckyAndWhereThereIsNone) {
    const catalogue::Shape shape = shape_of(kNumbers, 4, {{"BARRIER", "group"}});
    const analysis::StepTable device = device_of("span-modulo", shape, kClassroom);
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

// Where only what its launches left is known, and that is another thing.
// What a wait comes to that is given up for want of turns, the whole kernel would come to, too.
TEST(ShownRun, DoesNotGoWrongByAWaitThatIsGivenUp) {
    catalogue::Shape shape;
    shape.n = 8;
    shape.group = 4;
    shape.set = {{"LOOK", "plain"}};
    const ShownRun run = shown("sync-every-item", shape, nullptr);
    EXPECT_TRUE(rows_of("sync-every-item", shape, run.options).right);
}

TEST(ShownRun, LeavesWhatWasNotRecordedUnexplained) {
    const catalogue::Shape shape = shape_of(kNumbers, 4, {{"BARRIER", "group"}});
    const analysis::StepTable device =
        device_of("span-modulo", shape, options_of(1, 0, OrderKind::in_order), false);
    const ShownRun run = shown("span-modulo", shape, &device);
    EXPECT_EQ(run.witness.verdict, Verdict::unexplained);
    EXPECT_FALSE(run.witness.complete);  // it races: another order may give that
    analysis::StepTable right = device_of("local-tree", shape_of(kNumbers, 4), kClassroom, false);
    right.rows.back().cells[0].value = analysis::int_value("40");
    const ShownRun wrong = shown("local-tree", shape_of(kNumbers, 4), &right);
    EXPECT_EQ(wrong.witness.verdict, Verdict::unexplained);
    EXPECT_TRUE(wrong.witness.complete);  // in every order it gives the same, by its header
    EXPECT_EQ(wrong.witness.agreement.device, "40");
    EXPECT_EQ(wrong.witness.agreement.machine, "41");
}

// A kernel of one's own has a witness as a shipped one has.
TEST(ShownRun, OfAFormFollowsTheDeviceToo) {
    catalogue::LaunchForm form;
    form.file = "own.cl";
    form.text = "kernel void f(global int* a) { a[0] += 1; }";
    form.global = form.local = 2;
    form.arguments = {"a:int[1]=0"};
    RunSpec spec{catalogue::kernel_of(form), {}, options_of(1, 0, OrderKind::in_order)};
    RunSpec other = spec;
    other.machine.order = machine::parse_order("round-robin");
    const Simulation simulation = simulate(other);
    analysis::StepTable device = table_of(other, simulation);
    device.device = "a device";
    device.turns = machine::text_of(machine::turns_of(simulation.run->trace()));
    ASSERT_EQ(text_of(device.rows.back().cells[0].value), "1");
    const ShownRun run = shown_run(spec, true, &device);
    EXPECT_EQ(run.witness.verdict, Verdict::same);
    EXPECT_EQ(run.witness.origin, Origin::device);
}

// Every schedule's rows are given again by its turns.
TEST(ShownRun, TurnsOfRandomSchedulesGiveTheirRowsAgain) {
    for (const char* id : {"span-modulo", "span-scatter", "span-halving"})
        for (const char* barrier : {"group", "none"})
            for (std::uint64_t seed = 1; seed <= 12; ++seed) {
                const catalogue::Shape shape = shape_of(kNumbers, 4, {{"BARRIER", barrier}});
                const analysis::StepTable device =
                    device_of(id, shape, options_of(1, 0, OrderKind::random, seed));
                const ShownRun run = shown(id, shape, &device, false);
                const std::string what = std::string(id) + " " + barrier + " " +
                                         std::to_string(seed) + ": " + device.result;
                if (run.witness.verdict == Verdict::same) continue;
                ASSERT_EQ(run.witness.verdict, Verdict::explained) << what;
                SimulatorOptions like = kClassroom;
                like.target = target_of(kClassroom.config);
                like.config = run.witness.like_device->config;
                like.order.kind = OrderKind::list;
                like.order.turns = run.witness.like_device->turns;
                const analysis::StepTable rows = rows_of(id, shape, like);
                EXPECT_EQ(rows.result, device.result) << what;
                EXPECT_TRUE(agrees(agreement_of(device, rows))) << what;
            }
}

}  // namespace
}  // namespace lab::analysis
