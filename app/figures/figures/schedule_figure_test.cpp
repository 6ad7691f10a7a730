#include "figures/figures/schedule_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/parts/schedule/schedule_layout.h"
#include "support/figure_checks.h"
#include "support/golden.h"

namespace lab::figures {
namespace {

using machine::Order;

Scene figure(const analysis::Timeline& timeline, const char* language = "en", float scale = 1) {
    FigureOptions options;
    options.text_scale = scale;
    RunSubject subject = example_subject(8, 4, 4);
    subject.machine.order = "in-order";
    return schedule_figure(timeline, subject, options, test_fonts(), Translations(language));
}

analysis::Timeline eight_timeline(Order::Kind order) {
    return analysis::timeline_of(run_of(racing_job({7, 1, 6, 8, 5, 6, 7, 1}, 4, 4), order));
}

TEST(ScheduleFigure, IsAsItWasFoundGood) {
    expect_golden(figure(eight_timeline(Order::Kind::in_order)), "schedule");
}

TEST(ScheduleFigure, ShowsCellsAndValues) {
    const auto texts = texts_of(figure(eight_timeline(Order::Kind::round_robin)));
    EXPECT_THAT(texts, testing::IsSupersetOf({"group 0", "group 1", "load", "store", "[4]"}));
    EXPECT_THAT(texts, testing::Contains("← 22"));
    EXPECT_THAT(texts, testing::Contains("→ 7 6"));
}

std::size_t dotted(const Scene& scene) {
    std::size_t count = 0;
    for (const Shape& shape : scene.shapes)
        if (const auto* path = std::get_if<Path>(&shape.what))
            count += path->stroke.dash == Dash::dotted && path->points.size() == 4;
    return count;
}

TEST(ScheduleFigure, AStaleReadIsTiedToItsWriteOrNumberedWithIt) {
    const analysis::Timeline stale = eight_timeline(Order::Kind::in_order);
    ASSERT_EQ(stale.stale_reads, 1U);
    EXPECT_EQ(dotted(figure(stale)), 1U);
    const Scene bands = figure(stale, "en", 1.6F);  // too wide for one
    EXPECT_EQ(dotted(bands), 0U);
    EXPECT_THAT(texts_of(bands),
                testing::Contains("the stale read 1 and the write that it missed"));
    EXPECT_EQ(dotted(figure(eight_timeline(Order::Kind::round_robin))), 0U);
}

TEST(ScheduleFigure, ActionsShrinkToMarksAndColumns) {
    const auto level = [](std::uint64_t n) {
        const analysis::Timeline timeline =
            analysis::timeline_of(run_of(tree_job(n, 4, 4), Order::Kind::round_robin));
        const FigureOptions options;
        const Translations tr("en");
        const Page page(options, test_fonts(), tr);
        return lay_out_schedule(timeline, page, 100).level;
    };
    EXPECT_EQ(level(8), ScheduleLevel::boxes);
    EXPECT_EQ(level(64), ScheduleLevel::marks);
    EXPECT_EQ(level(1024), ScheduleLevel::columns);
}

TEST(ScheduleFigure, EveryActionHasItsPlace) {
    for (const TestShape& shape : kTestShapes) {
        const analysis::Timeline timeline = analysis::timeline_of(
            run_of(tree_job(shape.n, shape.group, shape.lanes), Order::Kind::round_robin));
        const FigureOptions options;
        const Translations tr("en");
        const Page page(options, test_fonts(), tr);
        const ScheduleLayout layout = lay_out_schedule(timeline, page, 100);
        EXPECT_GE(layout.actions.size() * layout.per_column, timeline.actions.size());
        for (std::size_t i = 0; i < layout.actions.size(); ++i) {
            const PlacedAction& action = layout.actions[i];
            EXPECT_LE(action.x + action.width, layout.band_right[action.band]);
            EXPECT_LT(action.lane, layout.lanes.size());
            if (i == 0 || action.band != layout.actions[i - 1].band) continue;
            EXPECT_GE(action.x + 0.01F, layout.actions[i - 1].x + layout.actions[i - 1].width);
        }
    }
}

TEST(ScheduleFigure, KeepsInsideAndApartAtAnySizeAndInAnyLanguage) {
    for (const TestShape& shape : kTestShapes)
        for (const Order::Kind order : {Order::Kind::round_robin, Order::Kind::random}) {
            const analysis::Timeline sum =
                analysis::timeline_of(run_of(tree_job(shape.n, shape.group, shape.lanes), order));
            const analysis::Timeline race = analysis::timeline_of(
                run_of(racing_job(std::vector<std::int32_t>(shape.n, 100),
                                  shape.n % shape.group == 0 ? shape.group : 1, shape.lanes),
                       order));
            for (const char* language : kLanguages) {
                SCOPED_TRACE(std::to_string(shape.n) + " " + language);
                expect_sound(figure(sum, language));
                expect_sound(figure(race, language, 1.4F));
            }
        }
}

}  // namespace
}  // namespace lab::figures
