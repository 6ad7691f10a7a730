#include "analysis/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/rows.h"
#include "analysis/step_table.h"
#include "support/example_shapes.h"

namespace lab::analysis {
namespace {

using testing::HasSubstr;

std::string result_of(const std::string& id, const catalogue::Shape& shape,
                      const SimulatorOptions& options) {
    const Simulation simulation = simulate(shipped().find(id), shape, options);
    return simulation.outcome ? simulation.outcome->result : "none";
}

TEST(Simulation, TheStoryOfTheBrokenVariantDependsOnTheSchedule) {
    const catalogue::Shape story = shape_of("7,1,6,8,5,6,7,1", 4, {{"BARRIER", "group"}});
    EXPECT_EQ(result_of("span-modulo", story, kClassroom), "41");
    EXPECT_EQ(result_of("span-modulo", story,
                        options_of(4, 2, machine::SchedulingPolicy::Kind::in_order)),
              "27");
    // Whatever the schedule: only these three (FACTS).
    std::set<std::string> seen;
    for (std::uint64_t seed = 0; seed < 200; ++seed)
        seen.insert(result_of("span-modulo", story,
                              options_of(1, 2, machine::SchedulingPolicy::Kind::random, seed)));
    EXPECT_EQ(seen, (std::set<std::string>{"27", "33", "41"}));
}

TEST(Simulation, TheCpuPresetGivesWhatACpusRuntimeGave) {
    // Measured on PoCL 3.1, in 2000 of 2000 runs each.
    SimulatorOptions cpu;
    cpu.config = machine::find_preset("cpu").config;
    cpu.order = machine::usual_order(cpu.config);
    EXPECT_EQ(result_of("span-modulo", shape_of("4,3,2,1,8,7,6,5", 4, {{"BARRIER", "none"}}), cpu),
              "17");
    EXPECT_EQ(result_of("span-modulo", shape_of("4,3,2,1,8,7,6,5", 4, {{"BARRIER", "group"}}), cpu),
              "18");
}

TEST(Simulation, EveryVariantIsAsItsHeaderPromisesUnderManySchedules) {
    for (const catalogue::Kernel& variant : shipped().variants)
        for (const catalogue::Op op : {catalogue::Op::add, catalogue::Op::max})
            for (std::uint64_t seed = 0; seed < 4; ++seed) {
                catalogue::Shape shape = shape_of("bits:3", 0);
                shape.op = op;
                shape.n = 50;
                const SimulatorOptions options = options_of(
                    seed % 2 == 0 ? 4 : 1, 0, machine::SchedulingPolicy::Kind::random, seed);
                const catalogue::Target target = target_of(options.config);
                try {
                    (void)plan_job(variant, small_shape(variant, shape, 50, target), 50, target);
                } catch (const Problem&) {
                    continue;  // not for this operator or size
                }
                const Simulation simulation = simulate(variant, shape, options);
                ASSERT_TRUE(simulation.outcome) << variant.id;
                if (simulation.job().expect != catalogue::Expect::races) {
                    EXPECT_TRUE(simulation.outcome->verdict.right) << variant.id;
                }
                EXPECT_TRUE(simulation.run->findings().empty()) << variant.id;
            }
}

TEST(Simulation, CountsTheBarriersThatEachGroupPassed) {
    const Simulation simulation =
        simulate(shipped().find("local-tree"), shape_of("ramp", 4, {{"ITEMS", "1"}}), kClassroom);
    EXPECT_EQ(analysis::barriers_passed(*simulation.run),
              (std::vector<std::vector<std::uint32_t>>{{3, 3}, {3}}));
}

TEST(Simulation, TheTextThatPoclMiscompilesIsRightHere) {
    for (const std::uint64_t group : {4U, 8U, 64U}) {
        catalogue::Shape shape = shape_of("bits:2", group);
        shape.n = 1000;
        const Simulation simulation =
            simulate(catalogue::known_bad().find("size-in-condition"), shape, kClassroom);
        ASSERT_TRUE(simulation.outcome);
        EXPECT_TRUE(simulation.outcome->verdict.right) << group;
    }
}

TEST(Simulation, RowsFollowTheArraysThatTheValuesLieIn) {
    const Simulation simulation =
        simulate(shipped().find("local-tree"), shape_of("ramp", 4, {{"ITEMS", "1"}}), kClassroom);
    const analysis::StepTable table =
        table_of(shipped().find("local-tree"), simulation, kClassroom);
    // start, then of the first launch: buf loaded, two sums, out; for the second: the same for 2.
    std::vector<std::string> arrays;
    for (const analysis::Row& pass : table.rows)
        arrays.push_back(pass.array);
    EXPECT_EQ(arrays, (std::vector<std::string>{"in", "buf", "buf", "buf", "out", "buf", "buf",
                                                "buf", "out"}));
    const analysis::Row& sums = table.rows[2];
    EXPECT_EQ(text_of(sums.cells[0].value), "4");
    EXPECT_EQ(sums.cells[0].from, (std::vector<std::uint32_t>{0, 2}));
    EXPECT_EQ(sums.cells[5].from, (std::vector<std::uint32_t>{5, 7}));
    EXPECT_EQ(sums.cells[5].item, 5);
    EXPECT_FALSE(sums.cells[2].written);
    EXPECT_TRUE(sums.items_known);
    EXPECT_EQ(table.rows[4].cells[1].from, (std::vector<std::uint32_t>{4}));
    EXPECT_EQ(table.result, "36");
    EXPECT_TRUE(table.right);
}

TEST(Simulation, WhatAtomicsFindIsNotWhatTheResultWasMadeOf) {
    const catalogue::Kernel& variant = shipped().find("groups-atomic");
    catalogue::Shape shape = shape_of("ramp", 4);
    shape.n = 32;
    const Simulation simulation = simulate(variant, shape, kClassroom);
    const analysis::StepTable table = table_of(variant, simulation, kClassroom);
    const analysis::Row& last = table.rows.back();
    ASSERT_EQ(last.array, "out");
    ASSERT_TRUE(table.rows[table.rows.size() - 2].local_memory);
    // One value of each group's local memory, its first.
    const std::uint64_t each = table.rows[table.rows.size() - 2].group_cells;
    std::vector<std::uint32_t> firsts;
    for (std::uint64_t cell = 0; cell < table.rows[table.rows.size() - 2].cells.size();
         cell += each)
        firsts.push_back(static_cast<std::uint32_t>(cell));
    EXPECT_EQ(firsts.size(), 4U);
    // All leaders wrote the cell, one after another, each with what it had read itself.
    std::vector<std::uint32_t> sources;
    for (const analysis::Writer& writer : writers_of(last.cells[0])) {
        ASSERT_EQ(writer.from.size(), 1U);
        EXPECT_EQ(writer.from[0], static_cast<std::uint64_t>(writer.item) / 4 * each);
        sources.push_back(writer.from[0]);
    }
    std::sort(sources.begin(), sources.end());
    EXPECT_EQ(sources, firsts);
    EXPECT_TRUE(last.cells[0].atomic);
    EXPECT_TRUE(last.cells[0].kept);
    EXPECT_EQ(working_items(last), (std::vector<std::int64_t>{0, 4, 8, 12}));
    EXPECT_TRUE(last.items_known);
}

TEST(Simulation, RowsTellWhereAtomicsOrderTheGroups) {
    catalogue::Shape shape = shape_of("ramp", 4);
    shape.n = 16;
    const auto handed = [&](const char* id) {
        const catalogue::Kernel& variant = shipped().find(id);
        std::vector<bool> rows;
        for (const analysis::Row& pass :
             table_of(variant, simulate(variant, shape, kClassroom), kClassroom).rows)
            rows.push_back(pass.handed_over);
        return rows;
    };
    // By a barrier made by hand after each pass but the last, also where one group alone goes on
    // and reads nothing that another has left.
    EXPECT_EQ(handed("grid-barrier"), (std::vector<bool>{false, true, true, true, false}));
    // The last group reads what all have left; once. Launches and barriers hand over nothing so.
    shape.n = 32;
    const std::vector<bool> single = handed("single-pass");
    EXPECT_EQ(std::count(single.begin(), single.end(), true), 1);
    for (const char* id : {"relaunch", "local-tree", "span-modulo"}) {
        const std::vector<bool> rows = handed(id);
        EXPECT_EQ(std::count(rows.begin(), rows.end(), true), 0) << id;
    }
}

// By the letter nothing orders them, in practice the waiting does: unless it is left out.
TEST(Simulation, RowsTellWhereGroupsWaitForEachOtherByHand) {
    using Ordered = analysis::RacedCell::Ordered;
    const auto table = [&](const char* id, std::map<std::string, std::string> set, unsigned seed) {
        catalogue::Shape shape = shape_of("ramp", 2, std::move(set));
        shape.n = 8;
        const SimulatorOptions options =
            options_of(1, 0, machine::SchedulingPolicy::Kind::random, seed);
        return table_of(shipped().find(id), simulate(shipped().find(id), shape, options), options);
    };
    for (const unsigned seed : {1U, 2U, 3U}) {
        for (const char* id : {"grid-barrier", "sync-every-item", "sync-leaders"}) {
            const analysis::StepTable good = table(id, {}, seed);
            ASSERT_TRUE(good.right) << id;
            for (std::size_t row = 1; row < good.rows.size(); ++row) {
                const bool last = row + 1 == good.rows.size();
                if (!good.rows[row].handed_over) {
                    EXPECT_EQ(good.rows[row].by_hand, last ? "" : "come") << id << row;
                }
                for (const analysis::RacedCell& raced : good.rows[row].raced)
                    EXPECT_EQ(raced.ordered, Ordered::by_hand) << id << row;
            }
        }
        for (const analysis::Row& row : table("span-modulo", {{"BARRIER", "group"}}, seed).rows) {
            EXPECT_EQ(row.by_hand, "");
            for (const analysis::RacedCell& raced : row.raced)
                EXPECT_EQ(raced.ordered, Ordered::by_nothing);
        }
    }
}

TEST(Simulation, TicketsFlagsAndWaitsAreToldAfterThePassThatTheyFollow) {
    using Sign = Signal::Kind;
    const auto said = [](const char* id, std::uint64_t n, Sign kind) {
        const SimulatorOptions options =
            options_of(1, 0, machine::SchedulingPolicy::Kind::round_robin, 1);
        catalogue::Shape shape = shape_of("ramp", 4);
        shape.n = n;
        const StepTable table =
            table_of(shipped().find(id), simulate(shipped().find(id), shape, options), options);
        std::vector<std::string> texts;
        for (const Row& row : table.rows)
            for (const Signal& each : row.signals)
                if (each.kind == kind)
                    texts.push_back(fmt::format("{}[{}] {} {}", each.array, each.cell,
                                                text_of(each.before), text_of(each.after)));
        return texts;
    };
    const std::vector<std::string> tickets = said("single-pass", 32, Sign::counts);
    ASSERT_GE(tickets.size(), 2U);
    EXPECT_EQ(tickets[0], "done[0] 0 1");
    EXPECT_EQ(tickets[1], "done[0] 1 2");
    EXPECT_TRUE(said("single-pass", 32, Sign::waits).empty());
    EXPECT_THAT(said("sync-flags", 8, Sign::counts), testing::Contains(HasSubstr("flags[")));
    EXPECT_THAT(said("sync-flags", 8, Sign::waits), testing::Contains(HasSubstr("flags[")));
    EXPECT_TRUE(said("relaunch", 8, Sign::counts).empty());
}

TEST(Simulation, CellsThatHoldTheIdentityAreReadLikeOthers) {
    catalogue::Shape shape = shape_of("ramp", 4);
    shape.n = 8;
    const catalogue::Kernel& variant = shipped().find("local-master");
    const analysis::StepTable table =
        table_of(variant, simulate(variant, shape, kClassroom), kClassroom);
    const analysis::Row& last = table.rows.back();  // the second launch adds two sums and padding
    EXPECT_EQ(last.cells[0].from, (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(last.neutral, (std::vector<std::uint32_t>{2, 3}));
    EXPECT_TRUE(table.rows[2].neutral.empty());
}

TEST(Simulation, WhatIsReadBeforeAnyWriteHasNoValue) {
    const catalogue::Shape shape = shape_of("7,1,6,8,5,6,7,1", 4, {{"BARRIER_LOAD", "off"}});
    const SimulatorOptions options = options_of(1, 1, machine::SchedulingPolicy::Kind::in_order, 0);
    const catalogue::Kernel& variant = shipped().find("local-master");
    const analysis::StepTable table = table_of(variant, simulate(variant, shape, options), options);
    std::size_t reads = 0;
    for (const analysis::Row& row : table.rows)
        for (const analysis::StaleValue& read : row.stale) {
            EXPECT_EQ(text_of(read.took), "?");
            EXPECT_NE(text_of(read.missed), "?");
            ++reads;
        }
    EXPECT_GT(reads, 0U);
}

TEST(Simulation, WhoStoresTheIdentityIsAtWorkLikeTheOthers) {
    const catalogue::Kernel& variant = shipped().find("ladder-3-sequential");
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
        catalogue::Shape shape = shape_of("ramp", 8);
        shape.n = 3;  // five of eight items have no element of their own
        const SimulatorOptions options =
            options_of(1, 1, machine::SchedulingPolicy::Kind::random, seed);
        const analysis::StepTable table =
            table_of(variant, simulate(variant, shape, options), options);
        EXPECT_EQ(working_items(table.rows[1]).size(), 8U) << seed;
    }
}

TEST(Simulation, NothingToReduceIsTheIdentity) {
    catalogue::Shape shape;
    shape.n = 0;
    const Simulation simulation = simulate(shipped().find("relaunch"), shape, kClassroom);
    EXPECT_FALSE(simulation.run);
    EXPECT_EQ(simulation.outcome->result, "0");
    const analysis::StepTable table = table_of(shipped().find("relaunch"), simulation, kClassroom);
    EXPECT_TRUE(table.right);
}

}  // namespace
}  // namespace lab::analysis
