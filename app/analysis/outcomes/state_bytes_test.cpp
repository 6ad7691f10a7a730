#include "analysis/outcomes/state_bytes.h"

#include <gtest/gtest.h>

#include "support/example_job.h"

namespace lab::analysis {
namespace {

TEST(StateBytes, ACopyAddsWhatItWritesAndDropsItAgain) {
    const machine::Example example{
        "kernel void k(global int* x) { x[get_group_id(0)] = 1; }", 2, 1, {{0, 0}}};
    machine::Machine machine(machine::job_of(example, 1), false);
    machine::State first;
    machine.start(first);
    const std::uint64_t whole = bytes_added(first);
    EXPECT_GT(whole, machine::kPageBytes);
    EXPECT_EQ(bytes_dropped(first), whole);
    machine::State second = first;
    const std::uint64_t shared = bytes_added(second, &first);
    EXPECT_LT(shared, 500U);
    EXPECT_EQ(bytes_dropped(second), shared);
    machine::Done done;
    machine.act(second, {0, 0}, done);
    const std::uint64_t written = bytes_added(second, &first);
    EXPECT_GT(written, machine::kPageBytes);
    EXPECT_LT(written, whole);
    EXPECT_EQ(bytes_dropped(second), written);
}

}  // namespace
}  // namespace lab::analysis
