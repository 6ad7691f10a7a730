#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/pass_faults.h"
#include "figures/pass_figure.h"
#include "support/example_runs.h"
#include "support/figure_checks.h"
#include "support/golden.h"

namespace lab::figures {
namespace {

using testing::Contains;
using testing::HasSubstr;

Scene drawn(const analysis::StepTable& table, bool legend = true) {
    PassFigureOptions options;
    options.heading = options.legend = legend;
    return pass_figure(table, options, test_fonts(), Translations("en"));
}

std::vector<Path> stale_arcs(const Scene& scene) {
    std::vector<Path> found;
    for (const Shape& shape : scene.shapes)
        if (const auto* path = std::get_if<Path>(&shape.what))
            if (path->stroke.role == Role::race && path->stroke.dash == Dash::dotted)
                found.push_back(*path);
    return found;
}

std::vector<Rect> frames(const Scene& scene) {
    std::vector<Rect> found;
    for (const Shape& shape : scene.shapes)
        if (const auto* rect = std::get_if<Rect>(&shape.what))
            if (rect->stroke.role == Role::race && rect->stroke.dash == Dash::dashed)
                found.push_back(*rect);
    return found;
}

machine::Order in_order() {
    return machine::order_of(machine::Order::Kind::in_order);
}

TEST(PassFaults, AStaleReadIsADottedArcFromWhereTheRightValueWas) {
    const analysis::StepTable table = broken_eight();
    ASSERT_EQ(table.rows.size(), 4U);
    ASSERT_EQ(table.rows[3].stale.size(), 1U);
    const auto missed = missed_at(table, 3, table.rows[3].stale[0]);
    ASSERT_TRUE(missed);
    EXPECT_EQ(missed->row, 2U);
    EXPECT_EQ(missed->cell, 4U);
    EXPECT_EQ(text_of(table.rows[2].cells[4].value), "19");

    const Scene scene = drawn(table, false);
    ASSERT_EQ(stale_arcs(scene).size(), 1U);
    // No arc tells that the value did go in.
    int arcs = 0;
    for (const Shape& shape : scene.shapes)
        if (const auto* path = std::get_if<Path>(&shape.what))
            arcs += path->curved && path->stroke.role == Role::act;
    EXPECT_EQ(arcs, 6);  // of seven combinations
    EXPECT_THAT(texts_of(scene), Contains("read as 5"));
    EXPECT_THAT(scene.description,
                HasSubstr("Item 0 read x[4] as 5: too early. Item 4 wrote 19 there later"));
}

TEST(PassFaults, OfAFileTheNotesSayWhatWentWrong) {
    EXPECT_THAT(texts_of(drawn(broken_eight())),
                Contains(HasSubstr("pass 3: Item 0 read x[4] as 5: too early.")));
    EXPECT_THAT(texts_of(drawn(broken_eight(), false)),
                testing::Not(Contains(HasSubstr("too early"))));
}

TEST(PassFaults, ARaceThatDidNotShowIsFramedAllTheSame) {
    const analysis::StepTable table =
        run_passes(span_kernel({7, 1, 6, 8, 5, 6, 7, 1}, 4),
                   machine::order_of(machine::Order::Kind::round_robin));
    ASSERT_TRUE(table.right);
    const Scene scene = drawn(table, false);
    EXPECT_TRUE(stale_arcs(scene).empty());
    ASSERT_EQ(frames(scene).size(), 1U);
    EXPECT_THAT(scene.description, HasSubstr("Nothing orders who comes first at cell 4"));
    EXPECT_EQ(frames(drawn(table)).size(), 2U);  // and the legend's
    EXPECT_TRUE(frames(drawn(eight())).empty());
}

TEST(PassFaults, MarksPointAtRacesToo) {
    std::vector<std::int32_t> values(300, 1);
    const Scene scene = drawn(run_passes(span_kernel(values, 32), in_order()), false);
    int pointers = 0, signs = 0;
    for (const Shape& shape : scene.shapes) {
        const auto* path = std::get_if<Path>(&shape.what);
        if (path == nullptr || path->fill != Role::race) continue;
        ++(shape.tip.empty() ? signs : pointers);
    }
    EXPECT_GT(pointers, 4);  // between groups of 32
    EXPECT_GT(signs, 0);
    EXPECT_FALSE(stale_arcs(scene).empty());
}

TEST(PassFaults, AValueThatNoRowShowsHasNoPlace) {
    analysis::StepTable table = broken_eight();
    table.rows[3].stale[0].missed = int_value("1234");
    EXPECT_FALSE(missed_at(table, 3, table.rows[3].stale[0]));
    EXPECT_TRUE(stale_arcs(drawn(table, false)).empty());
    table.rows[3].stale[0].missed = int_value("19");
    table.rows[3].stale[0].array = "y";
    EXPECT_FALSE(missed_at(table, 3, table.rows[3].stale[0]));
}

TEST(PassFaults, LocalMemoryStandsBesideGlobalMemoryInAFrameAGroup) {
    const analysis::StepTable table = run_passes(local_kernel(16, 4), in_order());
    ASSERT_TRUE(table.right);
    const Scene scene = drawn(table);
    EXPECT_THAT(texts_of(scene), Contains("local memory: each group has its own"));
    std::vector<Rect> memories;
    for (const Shape& shape : scene.shapes)
        if (const auto* rect = std::get_if<Rect>(&shape.what))
            if (rect->fill == Role::background && rect->radius > 5) memories.push_back(*rect);
    ASSERT_EQ(memories.size(), 2U);
    for (const Shape& shape : scene.shapes) {
        const auto* path = std::get_if<Path>(&shape.what);
        if (path == nullptr || path->stroke.role != Role::barrier || shape.tip.empty()) continue;
        for (const Rect& memory : memories) {  // a barrier never leaves its group
            const bool inside =
                path->points[0].x >= memory.x && path->points[1].x <= memory.x + memory.width;
            const bool outside =
                path->points[1].x <= memory.x || path->points[0].x >= memory.x + memory.width;
            EXPECT_TRUE(inside || outside);
        }
    }
    // Where there is no room, rows stand below each other, and say which memory they are.
    PassFigureOptions narrow;
    narrow.width = 500;
    const auto below = texts_of(pass_figure(run_passes(local_kernel(64, 8), in_order()), narrow,
                                            test_fonts(), Translations("en")));
    EXPECT_THAT(below, Contains("buf · local"));
    EXPECT_THAT(below, testing::Not(Contains(HasSubstr("local memory"))));
}

TEST(PassFaults, FiguresAreAsTheyWereFoundGood) {
    expect_golden(drawn(eight()), "passes-right");
    expect_golden(drawn(broken_eight()), "passes-stale");
    expect_golden(drawn(run_passes(local_kernel(16, 4), in_order())), "passes-local");
    expect_golden(drawn(tree(1024, 64)), "passes-heat");
}

}  // namespace
}  // namespace lab::figures
