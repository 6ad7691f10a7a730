#include "analysis/lineage/lineage_tree.h"

#include <gtest/gtest.h>

#include "support/example_job.h"

namespace lab::analysis {
namespace {

using machine::Example;

machine::Run sum_of(const std::string& expression, std::vector<std::int32_t> values) {
    return machine::play(
        machine::job_of(
            {"kernel void f(global int* a, global int* out) {\n  out[0] = " + expression + ";\n}",
             1,
             1,
             {std::move(values), {}},
             1}),
        {}, {});
}

LineageTree tree_of(const machine::Run& run, std::size_t most = kMostEntries) {
    const MemoryCell cell{false, 0, 0, 1, 0};
    const auto contents = contents_of(run.machine(), run.end(), cell);
    const RootValue root{text_of(run.machine(), cell), contents->node};
    return lineage_tree(run, {&root, 1}, most);
}

TEST(LineageTree, EveryPartHasItsNameAndValue) {
    const LineageTree tree = tree_of(sum_of("(a[0] + a[1]) + a[2]", {7, 1, 6}));
    ASSERT_EQ(tree.roots.size(), 1U);
    EXPECT_EQ(tree.roots[0].cell, "buffer1[0]");
    ASSERT_EQ(tree.nodes.size(), 5U);
    EXPECT_EQ(tree.nodes[0].kind, TreeNode::Kind::combined);
    EXPECT_EQ(tree.nodes[0].value, "14");
    EXPECT_EQ(tree.nodes[0].leaves, 3U);
    const TreeNode& right = tree.nodes[tree.nodes[0].right];
    EXPECT_EQ(right.kind, TreeNode::Kind::input);
    EXPECT_EQ(right.name, "buffer0[2]");
    EXPECT_EQ(right.value, "6");
    EXPECT_EQ(tree.repeated, 0U);
}

TEST(LineageTree, WhatIsInTwiceIsCounted) {
    const LineageTree tree = tree_of(sum_of("a[0] + a[0]", {7, 1}));
    EXPECT_EQ(tree.repeated, 1U);
    EXPECT_EQ(tree.nodes[tree.nodes[0].left].times, 2U);
}

TEST(LineageTree, WhatIsLeftOutIsStillCounted) {
    const LineageTree tree = tree_of(sum_of("((a[0] + a[1]) + a[2]) + a[3]", {1, 2, 3, 4}), 3);
    ASSERT_EQ(tree.nodes.size(), 3U);
    EXPECT_EQ(tree.nodes[1].left, 0U);
    EXPECT_EQ(tree.nodes[1].leaves, 3U);
}

TEST(LineageTree, LostInputsHaveTheValueThatWasLost) {
    const machine::Run run = sum_of("a[0]", {7, 5});
    const MemoryCell cell{false, 0, 0, 1, 0};
    const Ingredient missing{0, 1, 0};
    const auto lost = lost_inputs(run, {&cell, 1}, {&missing, 1});
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0].name, "buffer0[1]");
    EXPECT_EQ(lost[0].value, "5");
    EXPECT_EQ(lost[0].kind, Loss::Kind::never_read);
}

}  // namespace
}  // namespace lab::analysis
