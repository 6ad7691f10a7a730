#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "simulation/machine_run.h"
#include "simulation/requests.h"
#include "support/example_shapes.h"

namespace lab::simulation {
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
    spec.machine.config.lanes = found.at("lanes").get<std::uint32_t>();
    spec.machine.config.resident = found.at("resident").get<std::uint32_t>();
    spec.machine.order.kind = machine::Order::Kind::list;
    spec.machine.order.turns = machine::parse_turns(found.at("turns").get<std::string>(), "turns");
    EXPECT_FALSE(run_on_machine(spec)->table.right);
    asked["variant"] = "relaunch";  // which never goes wrong
    EXPECT_TRUE(wrong_order_asked(asked, {}).is_null());
}

}  // namespace
}  // namespace lab::simulation
