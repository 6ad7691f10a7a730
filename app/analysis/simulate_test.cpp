#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/lineage.h"
#include "analysis/simulate.h"
#include "support/shipped_kernels.h"
#include "support/trace_event.h"

namespace lab::analysis {
namespace {

struct Broken {
    const char* id;
    std::map<std::string, std::string> set;
    std::uint64_t n, group;
    std::uint32_t lanes;
};

const Broken kBroken[] = {{"span-modulo", {{"BARRIER", "none"}}, 16, 4, 1},
                          {"span-modulo", {{"BARRIER", "none"}}, 16, 4, 4},
                          {"span-modulo", {{"BARRIER", "none"}}, 8, 8, 1},
                          {"span-modulo", {{"BARRIER", "group"}}, 16, 4, 1},
                          {"span-modulo", {{"BARRIER", "group"}}, 13, 4, 4},
                          {"span-scatter", {{"BARRIER", "none"}}, 16, 4, 1},
                          {"span-scatter", {{"BARRIER", "group"}}, 32, 4, 2},
                          {"span-halving", {{"BARRIER", "none"}}, 16, 4, 1},
                          {"span-halving", {{"BARRIER", "none"}}, 21, 2, 4},
                          {"span-halving", {{"BARRIER", "group"}}, 32, 4, 1},
                          {"local-master", {{"BARRIER_LOAD", "off"}}, 16, 4, 1},
                          {"local-master", {{"BARRIER_LOAD", "off"}}, 16, 8, 4},
                          {"local-tree", {{"BARRIER_LOAD", "off"}}, 64, 4, 1},
                          {"local-tree", {{"BARRIER_LOAD", "off"}, {"ITEMS", "1"}}, 32, 8, 2},
                          {"local-tree", {{"BARRIER_LOOP", "off"}}, 64, 8, 1},
                          {"local-tree", {{"BARRIER_LOOP", "off"}, {"ITEMS", "1"}}, 32, 16, 4},
                          {"ladder-5-unrolled", {{"SYNC", "none"}}, 256, 64, 1},
                          {"ladder-5-unrolled", {{"SYNC", "none"}}, 256, 64, 8}};
constexpr std::uint64_t kSeeds = 20;

Simulation simulated(const Broken& broken, std::uint64_t seed) {
    catalogue::Shape shape;
    shape.input = catalogue::parse_input("bits:" + std::to_string(seed + 1));
    shape.n = broken.n;
    shape.group = broken.group;
    shape.set = broken.set;
    SimulatorOptions options;
    options.config.lanes = broken.lanes;
    options.config.resident = 0;
    options.order.kind = machine::SchedulingPolicy::Kind::random;
    options.order.seed = seed;
    return simulate({catalogue::shipped().find(broken.id), shape, options});
}

std::int64_t element(const Simulation& simulation, std::uint64_t index) {
    return std::stoll(
        analysis::text_of(cells_of(simulation.job().buffers[simulation.job().start])[index].value));
}

// What all the values together come to, in 32 bits.
std::string sum_of(const Simulation& simulation, const analysis::Composition& composition) {
    std::uint64_t sum = composition.unwritten * 0xA5A5A5A5U;  // kPoison in every byte
    for (const analysis::Ingredient& each : composition.inputs)
        sum += each.times * static_cast<std::uint64_t>(element(simulation, each.index));
    return std::to_string(static_cast<std::int32_t>(static_cast<std::uint32_t>(sum)));
}

TEST(ResultLineage, EveryWrongSumIsTheSumOfWhatItIsSaidToBeMadeOf) {
    for (const Broken& broken : kBroken) {
        std::size_t wrong = 0;
        for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
            const Simulation simulation = simulated(broken, seed);
            ASSERT_TRUE(simulation.outcome) << broken.id;
            const auto lineage = result_lineage(simulation);
            ASSERT_TRUE(lineage) << broken.id;
            EXPECT_EQ(sum_of(simulation, lineage->composition), simulation.outcome->result)
                << broken.id << " seed " << seed;
            const analysis::InputCoverage& account = lineage->account;
            const bool whole =
                account.missing.empty() && account.repeated.empty() && account.unwritten == 0;
            EXPECT_EQ(whole, simulation.outcome->verdict.right) << broken.id << " seed " << seed;
            if (!whole) ++wrong;
        }
        EXPECT_GT(wrong, 0U) << broken.id << ": no seed tries what this is about";
    }
}

bool holds(const machine::Machine& machine, machine::Node node, const analysis::Ingredient& input) {
    const analysis::Composition composition =
        analysis::composition_of(machine.lineage(), {&node, 1});
    return std::any_of(composition.inputs.begin(), composition.inputs.end(),
                       [&](const analysis::Ingredient& each) {
                           return each.buffer == input.buffer && each.index == input.index;
                       });
}

// Whether that work-item touched the cell then, and with a value that holds the input or not.
bool touched(const machine::Run& run, const analysis::AccessRef& ref,
             const analysis::MemoryCell& cell, const analysis::Ingredient& input, bool held) {
    const machine::Action& action = run.trace().action(ref.time);
    const auto accesses = run.trace().accesses(action);
    for (std::size_t i = 0; i < accesses.size(); ++i)
        if (event_of(run, ref.time, i).item == ref.item &&
            analysis::cell_of(run.machine(), action, accesses[i]) == cell &&
            holds(run.machine(), accesses[i].node, input) == held)
            return true;
    return false;
}

TEST(ResultLineage, WhereAnInputWasLostIsARaceOfTwoWorkItems) {
    for (const Broken& broken : kBroken)
        for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
            const Simulation simulation = simulated(broken, seed);
            const auto lineage = result_lineage(simulation);
            const std::vector<analysis::Loss> losses =
                losses_of(*simulation.run, lineage->cells, lineage->account.missing);
            for (const analysis::Loss& loss : losses) {
                const std::string which = std::string(broken.id) + " seed " + std::to_string(seed) +
                                          ": " + std::to_string(loss.input.index) + " " +
                                          name_of(loss.kind);
                if (loss.kind == analysis::Loss::Kind::read_too_early) {
                    ASSERT_TRUE(loss.read && loss.stored) << which;
                    EXPECT_LT(loss.read->time, loss.stored->time) << which;
                    EXPECT_NE(loss.read->item, loss.stored->item) << which;
                    EXPECT_TRUE(touched(*simulation.run, *loss.read, loss.cell, loss.input, false))
                        << which;
                    EXPECT_TRUE(touched(*simulation.run, *loss.stored, loss.cell, loss.input, true))
                        << which;
                } else {
                    ASSERT_EQ(loss.kind, analysis::Loss::Kind::overwritten) << which;
                    ASSERT_TRUE(loss.stored && loss.overwritten) << which;
                    EXPECT_LT(loss.stored->time, loss.overwritten->time) << which;
                    EXPECT_NE(loss.stored->item, loss.overwritten->item) << which;
                    EXPECT_TRUE(touched(*simulation.run, *loss.stored, loss.cell, loss.input, true))
                        << which;
                    EXPECT_TRUE(
                        touched(*simulation.run, *loss.overwritten, loss.cell, loss.input, false))
                        << which;
                }
            }
        }
}

TEST(ResultLineage, APartialResultIsAllItsPartsTogether) {
    const Simulation simulation = simulated({"one-pass", {}, 9, 4, 4}, 1);
    const auto lineage = result_lineage(simulation);
    ASSERT_TRUE(lineage);
    EXPECT_EQ(lineage->cells.size(), 5U);
    EXPECT_EQ(lineage->composition.inputs.size(), 9U);
    EXPECT_TRUE(lineage->account.missing.empty());
}

TEST(ResultLineage, AnIterationHasNoSingleResult) {
    const Simulation simulation = simulated({"sync-leaders", {}, 16, 4, 4}, 1);
    EXPECT_FALSE(result_lineage(simulation));
}

}  // namespace
}  // namespace lab::analysis
