// What the races of the shipped variants are, on the machine.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/hazards.h"
#include "support/example_shapes.h"

namespace lab::analysis {
namespace {

std::vector<analysis::Hazard> races_of(const std::string& id, const catalogue::Shape& shape,
                                       const SimulatorOptions& options) {
    analysis::RaceDetector detector;
    machine::Recording recording;
    recording.observers.push_back(&detector);
    const Simulation simulation = simulate(shipped().find(id), shape, options, recording);
    return simulation.run ? hazards_of(*simulation.run, detector) : std::vector<analysis::Hazard>();
}

bool has(const std::vector<std::string>& kinds, const char* kind) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

TEST(Races, ATreeWithAllItsBarriersHasNone) {
    EXPECT_TRUE(races_of("local-tree", shape_of("ramp", 4), kClassroom).empty());
    EXPECT_TRUE(races_of("relaunch", shape_of("ramp", 4), kClassroom).empty());
    EXPECT_TRUE(races_of("groups-atomic", shape_of("ramp", 2), kClassroom).empty());
}

TEST(Races, WithoutTheBarrierAfterLoadingReadsMeetWrites) {
    catalogue::Shape shape = shape_of("random:1", 4, {{"BARRIER_LOAD", "off"}});
    shape.n = 16;
    for (const std::uint32_t lanes : {1U, 2U}) {
        const std::vector<analysis::Hazard> found = races_of(
            "local-tree", shape, options_of(lanes, 2, machine::SchedulingPolicy::Kind::in_order));
        ASSERT_FALSE(found.empty());
        for (const analysis::Hazard& race : found) {
            EXPECT_FALSE(race.across_groups);
            if (race.sides.size() == 1) continue;  // read before it was written
            EXPECT_EQ(race.sides[0].line, 40U);
            EXPECT_EQ(race.sides[0].does, "writes");
            EXPECT_EQ(race.sides[1].line, 47U);
            EXPECT_TRUE(has(race.kinds, "RAW") || has(race.could, "RAW"));
        }
    }
}

// Document C's finding: its lines 43 and 44 are 47 and 48 here.
TEST(Races, WithoutTheBarrierInTheLoopWritesMeetReads) {
    catalogue::Shape shape = shape_of("random:1", 8, {{"BARRIER_LOOP", "off"}});
    shape.n = 32;
    const std::vector<analysis::Hazard> found =
        races_of("local-tree", shape, options_of(1, 2, machine::SchedulingPolicy::Kind::random, 1));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(has(found[0].kinds, "WAR"));
    EXPECT_EQ(found[0].sides[0].line, 48U);
    EXPECT_EQ(found[0].sides[1].line, 47U);
}

// In the default form of each variant, and with each value of a toggle that its expectation names.
TEST(Races, AreWhereTheHeaderExpectsThemAndNowhereElse) {
    for (const catalogue::Kernel& variant : shipped().variants) {
        std::vector<std::map<std::string, std::string>> settings{{}};
        for (const catalogue::Toggle& toggle : variant.toggles)
            for (const std::string& value : toggle.values)
                if (variant.plan.expect.text.find(toggle.name) != std::string::npos)
                    settings.push_back({{toggle.name, value}});
        for (const auto& set : settings) {
            catalogue::Shape shape = shape_of("random:1", 0, set);
            shape.n = 64;
            if (variant.id == "ladder-5-unrolled") shape.group = 64;
            const Simulation simulation = simulate(variant, shape, kClassroom);
            EXPECT_EQ(races_in(races_of(variant.id, shape, kClassroom)) > 0,
                      simulation.job().expect == catalogue::Expect::races)
                << variant.id << ' ' << catalogue::settings_text(set);
        }
    }
}

TEST(Races, AcrossGroupsNoBarrierHelps) {
    const catalogue::Shape two = shape_of("7,1,6,8,5,6,7,1", 4, {{"BARRIER", "group"}});
    const std::vector<analysis::Hazard> found = races_of("span-modulo", two, kClassroom);
    ASSERT_FALSE(found.empty());
    for (const analysis::Hazard& race : found) {
        EXPECT_TRUE(race.across_groups);
        EXPECT_EQ(race.hint.find("barrier("), std::string::npos) << race.hint;
    }
    const catalogue::Shape one = shape_of("7,1,6,8,5,6,7,1", 8, {{"BARRIER", "group"}});
    EXPECT_TRUE(races_of("span-modulo", one, kClassroom).empty());
}

TEST(Races, LanesInLockstepAreNotOrderedEither) {
    catalogue::Shape shape = shape_of("random:1", 64, {{"SYNC", "none"}});
    shape.n = 128;
    const SimulatorOptions lockstep =
        options_of(32, 2, machine::SchedulingPolicy::Kind::round_robin);
    EXPECT_FALSE(races_of("ladder-5-unrolled", shape, lockstep).empty());
    shape.set["SYNC"] = "barrier";
    EXPECT_TRUE(races_of("ladder-5-unrolled", shape, lockstep).empty());
}

}  // namespace
}  // namespace lab::analysis
