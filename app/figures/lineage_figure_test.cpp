#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/lineage_figure.h"
#include "support/figure_checks.h"
#include "support/golden.h"
#include "support/translated_texts.h"

namespace lab::figures {
namespace {

// Of cell 0 of that buffer at the end; `right`: what it should be.
analysis::LineageTree tree_of(const machine::Run& run, std::uint32_t buffer, std::uint64_t n,
                              const std::string& right) {
    const analysis::MemoryCell cell{false, 0, 0, buffer, 0};
    const auto contents = contents_of(run.machine(), run.end(), cell);
    const analysis::RootValue root{text_of(run.machine(), cell), contents->node};
    analysis::LineageTree tree = analysis::lineage_tree(run, {&root, 1});
    const analysis::Composition composition =
        analysis::composition_of(run.machine().lineage(), {&root.node, 1});
    tree.lost = lost_inputs(run, {&cell, 1}, account_of(composition, 0, n).missing);
    tree.judged = true;
    tree.result = std::to_string(static_cast<std::int32_t>(contents->bits));
    tree.expected = right;
    tree.right = tree.result == right;
    return tree;
}

analysis::LineageTree wrong() {
    const machine::Run run = run_of(racing_job({7, 1, 6, 8, 5, 6, 7, 1}, 4, 4),
                                    machine::SchedulingPolicy::Kind::in_order);
    return tree_of(run, 0, 8, "41");
}

Scene figure(const analysis::LineageTree& tree, const char* language = "en", float scale = 1) {
    FigureOptions options;
    options.text_scale = scale;
    RunSubject subject = example_subject(8, 4, 4);
    subject.machine.order = "in-order";
    return lineage_figure(tree, subject, options, test_fonts(), translations_in(language));
}

TEST(LineageFigure, IsAsItWasFoundGood) {
    expect_golden(figure(wrong()), "lineage");
}

TEST(LineageFigure, ShowsWhatIsInAndWhatIsLost) {
    const analysis::LineageTree tree = wrong();
    EXPECT_FALSE(tree.right);
    const auto texts = texts_of(figure(tree));
    EXPECT_THAT(texts, testing::Contains("wrong: 27, expected 41"));
    EXPECT_THAT(texts, testing::IsSupersetOf({"buffer0[0]", "buffer0[4]", "22", "14", "8"}));
    EXPECT_THAT(texts, testing::Contains("Not in the result: 3"));
    EXPECT_THAT(texts, testing::IsSupersetOf({"buffer0[5]", "buffer0[6]", "buffer0[7]"}));
}

TEST(LineageFigure, TheResultIsNamedAsItsKernelNamesIt) {
    analysis::LineageTree tree = wrong();
    tree.roots.front().cell = "out#2[0]";
    EXPECT_THAT(texts_of(figure(tree)), testing::Contains("out[0]"));
    tree.judged = false;  // of a cell that was asked for, as it was asked for
    EXPECT_THAT(texts_of(figure(tree)), testing::Contains("out#2[0]"));
}

TEST(LineageFigure, LargeTreesAreCutAndCounted) {
    const machine::Run run =
        run_of(tree_job(1024, 64, 32), machine::SchedulingPolicy::Kind::round_robin);
    const analysis::LineageTree tree = tree_of(run, 1, 1024, std::to_string(1024 * 1025 / 2));
    EXPECT_TRUE(tree.right);
    const TreePlaces places = place_tree(tree, 32);
    EXPECT_EQ(places.leaves, 32U);
    std::uint64_t inputs = 0;
    for (const PlacedNode& node : places.nodes)
        if (node.left == 0) inputs += tree.nodes[node.node].leaves;
    // All 1024 and what was in out before.
    EXPECT_EQ(inputs, tree.nodes[0].leaves);
    EXPECT_GE(inputs, 1024U);
}

TEST(LineageFigure, WhatIsInTwiceIsMarked) {
    analysis::LineageTree tree;
    tree.nodes = {{analysis::TreeNode::Kind::combined, "14", "", 0, 1, 2, 2},
                  {analysis::TreeNode::Kind::input, "7", "a[0]", 2, 0, 0, 1},
                  {analysis::TreeNode::Kind::input, "7", "a[0]", 2, 0, 0, 1}};
    tree.roots = {{0, "out[0]"}};
    tree.repeated = 1;
    tree.judged = true;
    tree.result = "14";
    tree.expected = "8";
    EXPECT_THAT(texts_of(figure(tree)), testing::Contains("2×").Times(2));
    const auto marked = [](const Scene& scene) {
        for (const Shape& shape : scene.shapes)
            if (const auto* rect = std::get_if<Rect>(&shape.what);
                rect != nullptr && rect->hatch && shape.tip.find("a[0]") != std::string::npos)
                return true;
        return false;
    };
    EXPECT_TRUE(marked(figure(tree)));
    tree.chooses = true;  // the larger of a value and itself is that value
    EXPECT_FALSE(marked(figure(tree)));
    expect_sound(figure(tree));
}

TEST(LineageFigure, KeepsInsideAndApartAtAnySizeAndInAnyLanguage) {
    for (const TestShape& shape : kTestShapes) {
        const machine::Run run = run_of(tree_job(shape.n, shape.group, shape.lanes),
                                        machine::SchedulingPolicy::Kind::in_order);
        std::vector<std::int32_t> values(shape.n, 100);
        const machine::Run raced =
            run_of(racing_job(values, shape.n % shape.group == 0 ? shape.group : 1, shape.lanes),
                   machine::SchedulingPolicy::Kind::in_order);
        for (const char* language : kLanguages) {
            SCOPED_TRACE(std::to_string(shape.n) + " " + language);
            const std::uint64_t sum = shape.n * (shape.n + 1) / 2;
            expect_sound(figure(tree_of(run, 1, shape.n, std::to_string(sum)), language));
            expect_sound(
                figure(tree_of(raced, 0, shape.n, std::to_string(100 * shape.n)), language, 1.4F));
        }
    }
}

}  // namespace
}  // namespace lab::figures
