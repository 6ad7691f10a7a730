// A lattice says of each cell what the step view says of it.
#include <gmock/gmock.h>

#include "analysis/lattice_run.h"
#include "analysis/rows.h"
#include "analysis/simulate.h"
#include "support/example_shapes.h"
#include "support/sanitized.h"

namespace lab::analysis {
namespace {

using testing::ElementsAreArray;

void expect_same_head(const analysis::Row& lattice, const analysis::Row& step) {
    EXPECT_EQ(lattice.launch, step.launch);
    EXPECT_EQ(lattice.variables, step.variables);
    EXPECT_EQ(lattice.global, step.global);
    EXPECT_EQ(lattice.local, step.local);
    EXPECT_EQ(lattice.array, step.array);
    EXPECT_EQ(lattice.number, step.number);
    EXPECT_EQ(lattice.skipped, step.skipped);
    EXPECT_EQ(lattice.local_memory, step.local_memory);
    EXPECT_EQ(lattice.group_cells, step.group_cells);
    EXPECT_EQ(lattice.items_known, step.items_known);
    EXPECT_EQ(lattice.handed_over, step.handed_over);
    EXPECT_EQ(lattice.by_hand, step.by_hand);
    EXPECT_EQ(lattice.working, step.working);
    EXPECT_EQ(lattice.neutral, step.neutral);
    EXPECT_EQ(lattice.waited, step.waited);
}

void expect_same_cells(const analysis::Lattice& lattice, std::size_t row, const analysis::Row& step,
                       const std::vector<analysis::CellState>& states) {
    const analysis::LatticeRow& lattice_row = lattice.rows[row];
    ASSERT_EQ(lattice_row.cells.size(), step.cells.size());
    EXPECT_EQ(lattice_row.written, written_cells(step).size());
    EXPECT_EQ(lattice_row.active, working_items(step).size());
    for (std::size_t i = 0; i < step.cells.size(); ++i) {
        const analysis::Cell cell = cell_of(lattice, row, i);
        const analysis::Cell& same = step.cells[i];
        EXPECT_EQ(analysis::state_of(lattice_row.cells[i]), states[i]) << "cell " << i;
        EXPECT_EQ(cell.value, same.value) << "cell " << i;
        EXPECT_EQ(cell.written, same.written) << "cell " << i;
        EXPECT_EQ(cell.item, same.item) << "cell " << i;
        EXPECT_EQ(cell.stale, same.stale) << "cell " << i;
        EXPECT_EQ(cell.late_item, same.late_item) << "cell " << i;
        EXPECT_EQ(cell.late_pass, same.late_pass) << "cell " << i;
        EXPECT_THAT(cell.from, ElementsAreArray(same.from)) << "cell " << i;
        EXPECT_EQ((lattice_row.cells[i] & analysis::kSeveralBit) != 0, !same.also.empty())
            << "cell " << i;
        bool raced = false;
        for (const analysis::RacedCell& each : step.raced)
            raced = raced || each.cell == i;
        EXPECT_EQ((lattice_row.cells[i] & analysis::kRacedBit) != 0, raced) << "cell " << i;
        EXPECT_EQ(race_at(lattice, row, i) != nullptr, raced) << "cell " << i;
    }
}

std::size_t stale_in(const analysis::Lattice& lattice, std::size_t row) {
    std::size_t count = 0;
    for (const analysis::LatticeStale& each : lattice.stale)
        count += each.row == row ? 1 : 0;
    return count;
}

analysis::Lattice lattice_shown(const catalogue::Kernel& variant, const catalogue::Shape& shape,
                                const SimulatorOptions& options,
                                const std::atomic<bool>* cancel = nullptr) {
    return lattice_of({variant, shape, options}, cancel);
}

void expect_as_stepped(const catalogue::Kernel& variant, const catalogue::Shape& shape,
                       const SimulatorOptions& options) {
    const Simulation run = simulate(variant, shape, options);
    const analysis::StepTable step = table_of(variant, run, options);
    const analysis::Lattice lattice = lattice_shown(variant, shape, options);
    EXPECT_EQ(lattice.head.result, step.result);
    EXPECT_EQ(lattice.head.expected, step.expected);
    EXPECT_EQ(lattice.head.right, step.right);
    EXPECT_EQ(lattice.head.fault, step.fault);
    EXPECT_EQ(lattice.head.group, step.group);
    ASSERT_EQ(lattice.rows.size(), step.rows.size());
    ASSERT_EQ(lattice.head.rows.size(), step.rows.size());
    const auto states = cell_states(step);
    for (std::size_t row = 0; row < lattice.rows.size(); ++row) {
        SCOPED_TRACE("row " + std::to_string(row));
        expect_same_head(lattice.head.rows[row], step.rows[row]);
        expect_same_cells(lattice, row, step.rows[row], states[row]);
        EXPECT_EQ(stale_in(lattice, row), step.rows[row].stale.size());
        for (const analysis::StaleValue& read : step.rows[row].stale)
            EXPECT_NE(stale_at(lattice, row, static_cast<std::uint64_t>(read.item)), nullptr);
    }
}

TEST(LatticeOf, EveryVariantSaysWhatTheStepViewSays) {
    for (const catalogue::Kernel& variant : shipped().variants)
        for (const std::uint64_t n : {8U, 50U, 64U, 256U}) {
            if (kSanitized && n > 50) continue;
            catalogue::Shape shape = shape_of("random:3", 0);
            shape.n = n;
            try {
                (void)job_of({variant, shape, kClassroom});
            } catch (const Problem&) {
                continue;  // not for this size
            }
            SCOPED_TRACE(variant.id + ", n = " + std::to_string(n));
            expect_as_stepped(variant, shape, kClassroom);
        }
}

TEST(LatticeOf, ToldTogglesAndOrdersToo) {
    for (const catalogue::Kernel& variant : shipped().variants)
        for (const catalogue::Toggle& toggle : variant.toggles)
            for (const std::string& value : toggle.values) {
                catalogue::Shape shape = shape_of("random:3", 4, {{toggle.name, value}});
                shape.n = 32;
                SimulatorOptions options =
                    options_of(1, 0, machine::SchedulingPolicy::Kind::random, 5);
                options.budget = 300'000;  // some toggles make work-items wait forever
                try {
                    (void)job_of({variant, shape, options});
                } catch (const Problem&) {
                    continue;
                }
                SCOPED_TRACE(variant.id + ", " + toggle.name + "=" + value);
                expect_as_stepped(variant, shape, options);
            }
}

TEST(LatticeOf, SmallTypesKeepTheirValues) {
    for (const catalogue::Type type :
         {catalogue::Type::int_, catalogue::Type::uint_, catalogue::Type::long_,
          catalogue::Type::float_, catalogue::Type::double_}) {
        catalogue::Shape shape = shape_of("random:7", 4);
        shape.n = 16;
        shape.type = type;
        SCOPED_TRACE(info(type).name);
        expect_as_stepped(shipped().find("relaunch"), shape, kClassroom);
        expect_as_stepped(shipped().find("two-stage"), shape, kClassroom);
    }
}

// Approximately.
std::size_t memory_bytes(const Lattice& lattice) {
    std::size_t bytes = 0;
    for (const LatticeRow& row : lattice.rows)
        bytes += row.cells.capacity() + row.changes.capacity() * sizeof(LatticeChange) +
                 row.values.capacity() + row.from.capacity() * sizeof(std::uint32_t) +
                 row.others.capacity() * sizeof(LatticeWriter) +
                 row.others_from.capacity() * sizeof(std::uint32_t);
    for (const LatticeArray& array : lattice.arrays)
        bytes += array.initial.capacity();
    return bytes + lattice.stale.capacity() * sizeof(LatticeStale) +
           lattice.raced.capacity() * sizeof(LatticeRace);
}

TEST(LatticeOf, ManyElementsTakeLittleMemory) {
    catalogue::Shape shape = shape_of("random:1", 256);
    shape.n = 65'536;
    const analysis::Lattice lattice =
        lattice_shown(shipped().find("relaunch"), shape,
                      options_of(32, 2, machine::SchedulingPolicy::Kind::in_order));
    EXPECT_EQ(lattice.rows.size(), 17U);
    EXPECT_EQ(lattice.width, 65'536U);
    EXPECT_TRUE(lattice.head.right);
    EXPECT_EQ(lattice.rows.back().written, 1U);
    EXPECT_LT(memory_bytes(lattice), std::size_t{20} << 20U);
    for (std::size_t row = 2; row < lattice.rows.size(); ++row)
        EXPECT_EQ(lattice.rows[row].written * 2, lattice.rows[row - 1].written);
}

TEST(LatticeOf, MoreElementsThanItShowsAreRefused) {
    catalogue::Shape shape = shape_of("random:1", 256);
    shape.n = kMostLatticeElements + 1;
    EXPECT_THROW(lattice_shown(shipped().find("relaunch"), shape, kClassroom), Problem);
}

TEST(LatticeOf, ACancelledRunIsSaid) {
    catalogue::Shape shape = shape_of("random:1", 4);
    shape.n = 1024;
    const std::atomic<bool> cancel = true;
    EXPECT_THROW(lattice_shown(shipped().find("relaunch"), shape, kClassroom, &cancel), Problem);
}

}  // namespace
}  // namespace lab::analysis
