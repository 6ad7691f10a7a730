#include "figures/figures/schedule_now.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/figure_checks.h"
#include "support/golden.h"

namespace lab::figures {
namespace {

using machine::Order;

constexpr float kButton = 92;

// The eight numbers' race in a given order, after `time` actions.
struct Now {
    machine::Run run;
    analysis::Timeline timeline;
    analysis::StateView state;
    std::vector<const analysis::WarpView*> ready;

    Now(Order::Kind order, std::uint64_t time, std::uint32_t lanes = 4)
        : run(run_of(racing_job({7, 1, 6, 8, 5, 6, 7, 1}, 4, lanes), order)),
          timeline(analysis::timeline_of(run)),
          state(analysis::state_view_of(run, time)) {
        for (const analysis::WarpView& warp : state.warps)
            if (warp.next) ready.push_back(&warp);
    }
    ScheduleNow figure(float width = 1000, const char* language = "en") const {
        FigureOptions options;
        options.width = width;
        return schedule_now(timeline, state, ready, 0, kButton, options, test_fonts(),
                            Translations(language));
    }
};

std::size_t dashed_boxes(const Scene& scene) {
    std::size_t count = 0;
    for (const Shape& shape : scene.shapes)
        if (const auto* rect = std::get_if<Rect>(&shape.what))
            count += rect->stroke.dash == Dash::dashed;
    return count;
}

TEST(ScheduleNow, IsAsItWasFoundGood) {
    expect_golden(Now(Order::Kind::in_order, 12).figure().scene, "schedule-now");
}

TEST(ScheduleNow, BeginsWithTheNextActionsAlone) {
    const Now now(Order::Kind::in_order, 0);
    const Scene scene = now.figure().scene;
    EXPECT_EQ(dashed_boxes(scene), 2U);
    EXPECT_THAT(texts_of(scene), testing::IsSupersetOf({"group 0", "group 1", "[0,2]", "[4,6]"}));
    EXPECT_THAT(texts_of(scene), testing::Contains("→ 7 6"));
}

TEST(ScheduleNow, ShowsNothingThatIsStillToCome) {
    const Now now(Order::Kind::in_order, 3);
    // Actions 0 to 2 have been taken; in the run that is known already, more follow.
    ASSERT_GT(now.timeline.actions.size(), 3U);
    EXPECT_THAT(texts_of(now.figure().scene), testing::IsSupersetOf({"0", "1", "2"}));
    EXPECT_THAT(texts_of(now.figure().scene), testing::Not(testing::Contains("3")));
    // The read is stale for a write that has not been made: no arc leads to it yet.
    const Now later(Order::Kind::in_order, now.run.trace().size());
    const auto dotted = [](const Scene& scene) {
        std::size_t count = 0;
        for (const Shape& shape : scene.shapes)
            if (const auto* path = std::get_if<Path>(&shape.what))
                count += path->stroke.dash == Dash::dotted;
        return count;
    };
    EXPECT_EQ(dotted(now.figure().scene), 0U);
    EXPECT_EQ(dotted(later.figure().scene), 1U);
}

TEST(ScheduleNow, KeepsTheLastActionsWhereThereIsNoRoomForAll) {
    const Now now(Order::Kind::round_robin, 14);
    const ScheduleNow wide = now.figure(2000), narrow = now.figure(520);
    EXPECT_LT(narrow.scene.shapes.size(), wide.scene.shapes.size());
    EXPECT_THAT(texts_of(narrow.scene), testing::Contains("13"));
    EXPECT_THAT(texts_of(narrow.scene), testing::Not(testing::Contains("0")));
    for (const ScheduleNow* each : {&wide, &narrow}) {
        ASSERT_EQ(each->beside.size(), now.state.warps.size());
        for (const Box& box : each->beside) {
            EXPECT_FLOAT_EQ(box.right - box.left, kButton);
            EXPECT_LE(box.right, each->scene.width);
        }
    }
}

// Words that are wider than their room would be cut by the panel that shows them.
TEST(ScheduleNow, IsNeverWiderThanItsPanel) {
    const Now beginning(Order::Kind::in_order, 0), middle(Order::Kind::in_order, 12);
    for (const char* language : kLanguages)
        for (const float width : {380.0F, 520.0F, 900.0F})
            for (const Now* now : {&beginning, &middle}) {
                SCOPED_TRACE(testing::Message() << language << " " << width);
                const Scene scene = now->figure(width, language).scene;
                EXPECT_LE(scene.width, width);
                expect_inside(scene);
            }
}

TEST(ScheduleNow, SaysWhatIsWithWarpsThatCannotGoOn) {
    Now now(Order::Kind::in_order, 12);
    now.ready.clear();
    for (analysis::WarpView& warp : now.state.warps) {
        warp.next.reset();
        warp.line = 17;
    }
    now.state.warps[0].status = machine::Status::waiting;
    now.state.warps[1].status = machine::Status::done;
    EXPECT_THAT(texts_of(now.figure(420).scene),
                testing::IsSupersetOf({"waits at the barrier in line 17", "has ended"}));
    now.state.warps[0].status = machine::Status::ready;
    EXPECT_THAT(texts_of(now.figure().scene), testing::Contains("still asks in line 17"));
    now.state.warps[0].fault = "an index outside its array";
    now.ready = {&now.state.warps[0]};
    EXPECT_THAT(texts_of(now.figure().scene), testing::Contains("would stop the run: a fault"));
}

TEST(ScheduleNow, HasALaneForEachWarp) {
    const Now now(Order::Kind::in_order, 2, 2);
    EXPECT_EQ(now.figure().beside.size(), 4U);
    EXPECT_THAT(texts_of(now.figure().scene), testing::Contains(testing::HasSubstr("warp 1")));
}

}  // namespace
}  // namespace lab::figures
