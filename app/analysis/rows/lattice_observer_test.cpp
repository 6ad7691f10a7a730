#include "analysis/rows/lattice_observer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/example_job.h"

namespace lab::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Lattice lattice_of(const machine::Example& example, bool* stale_known = nullptr) {
    LatticeObserver observer(0);
    machine::Recording recording;
    recording.trace = false;
    recording.observers = {&observer};
    machine::Order order;
    order.kind = machine::Order::Kind::in_order;
    const machine::Run run(machine::job_of(example, 4), order, recording);
    EXPECT_FALSE(run.fault());
    Lattice lattice = observer.take();
    if (stale_known != nullptr) *stale_known = observer.stale_known();
    return lattice;
}

machine::Example copy_into(std::uint64_t cells) {
    machine::Example example{
        "kernel void k(global int* x, global int* far) {\n"
        "const int i = get_global_id(0); far[i] = x[i] + 1; x[i] = far[i]; }",
        4,
        4,
        {{1, 2, 3, 4}, {}}};
    example.unwritten = cells;
    return example;
}

TEST(LatticeObserver, AnArrayWithTooManyCellsIsNamedAsNotShown) {
    EXPECT_THAT(lattice_of(copy_into(kMostLatticeCells)).unshown, IsEmpty());
    EXPECT_THAT(lattice_of(copy_into(kMostLatticeCells + 1)).unshown, ElementsAre("far"));
}

TEST(LatticeObserver, SaysWhetherAllCellsWereComparedForStaleReads) {
    const auto counting = [](int turns) {
        bool known = false;
        (void)lattice_of({"kernel void k(global int* x) { for (int i = 0; i < " +
                              std::to_string(turns) + "; ++i) x[0] += 1; }",
                          1,
                          1,
                          {{0}}},
                         &known);
        return known;
    };
    EXPECT_TRUE(counting(1000));
    EXPECT_FALSE(counting(12'000));
}

}  // namespace
}  // namespace lab::analysis
