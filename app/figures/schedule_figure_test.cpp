#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/figure_page.h"
#include "figures/lineage_figure.h"
#include "figures/schedule_figure.h"
#include "support/example_runs.h"
#include "support/figure_checks.h"
#include "support/golden.h"
#include "support/translated_texts.h"

namespace lab::figures {
namespace {

using machine::SchedulingPolicy;

Scene figure(const analysis::Timeline& timeline, const char* language = "en", float scale = 1) {
    FigureOptions options;
    options.text_scale = scale;
    RunSubject subject = example_subject(8, 4, 4);
    subject.machine.order = "in-order";
    return schedule_figure(timeline, subject, options, test_fonts(), translations_in(language));
}

analysis::Timeline eight_timeline(SchedulingPolicy::Kind order) {
    return analysis::timeline_of(run_of(racing_job({7, 1, 6, 8, 5, 6, 7, 1}, 4, 4), order));
}

TEST(ScheduleFigure, IsAsItWasFoundGood) {
    expect_golden(figure(eight_timeline(SchedulingPolicy::Kind::in_order)), "schedule");
}

TEST(ScheduleFigure, ShowsCellsAndValues) {
    const auto texts = texts_of(figure(eight_timeline(SchedulingPolicy::Kind::round_robin)));
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
    const analysis::Timeline stale = eight_timeline(SchedulingPolicy::Kind::in_order);
    ASSERT_EQ(stale.stale_reads, 1U);
    EXPECT_EQ(dotted(figure(stale)), 1U);
    const Scene bands = figure(stale, "en", 1.6F);  // too wide for one
    EXPECT_EQ(dotted(bands), 0U);
    EXPECT_THAT(texts_of(bands),
                testing::Contains("the stale read 1 and the write that it missed"));
    EXPECT_EQ(dotted(figure(eight_timeline(SchedulingPolicy::Kind::round_robin))), 0U);
}

TEST(ScheduleFigure, ActionsShrinkToMarksAndColumns) {
    const auto level = [](std::uint64_t n) {
        const analysis::Timeline timeline =
            analysis::timeline_of(run_of(tree_job(n, 4, 4), SchedulingPolicy::Kind::round_robin));
        const FigureOptions options;
        const Translations& tr = translations_in("en");
        const Page page(options, test_fonts(), tr);
        return lay_out_schedule(timeline, page, 100).level;
    };
    EXPECT_EQ(level(8), ScheduleLevel::boxes);
    EXPECT_EQ(level(64), ScheduleLevel::marks);
    EXPECT_EQ(level(1024), ScheduleLevel::columns);
}

TEST(ScheduleFigure, EveryActionHasItsPlace) {
    for (const TestShape& shape : kTestShapes) {
        const analysis::Timeline timeline = analysis::timeline_of(run_of(
            tree_job(shape.n, shape.group, shape.lanes), SchedulingPolicy::Kind::round_robin));
        const FigureOptions options;
        const Translations& tr = translations_in("en");
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
        for (const SchedulingPolicy::Kind order :
             {SchedulingPolicy::Kind::round_robin, SchedulingPolicy::Kind::random}) {
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

using machine::SchedulingPolicy;

constexpr float kButton = 92;

// The eight numbers' race in a given order, after `time` actions.
struct Now {
    machine::Run run;
    analysis::Timeline timeline;
    analysis::StateView state;
    std::vector<const analysis::WarpView*> ready;

    Now(SchedulingPolicy::Kind order, std::uint64_t time, std::uint32_t lanes = 4)
        : run(run_of(racing_job({7, 1, 6, 8, 5, 6, 7, 1}, 4, lanes), order)),
          timeline(analysis::timeline_of(run)),
          state(analysis::state_view_of(run, time)) {
        for (const analysis::WarpView& warp : state.warps)
            if (warp.next) ready.push_back(&warp);
    }
    ScheduleNow figure(float width = 1000, const char* language = "en",
                       const ScheduleNowOptions& now = {kButton}) const {
        FigureOptions options;
        options.width = width;
        return schedule_now(timeline, state, ready, 0, now, options, test_fonts(),
                            translations_in(language));
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
    expect_golden(Now(SchedulingPolicy::Kind::in_order, 12).figure().scene, "schedule-now");
}

TEST(ScheduleNow, BeginsWithTheNextActionsAlone) {
    const Now now(SchedulingPolicy::Kind::in_order, 0);
    const Scene scene = now.figure(1000, "en", {}).scene;
    EXPECT_EQ(dashed_boxes(scene), 2U);
    EXPECT_THAT(texts_of(scene), testing::IsSupersetOf({"group 0", "group 1", "[0,2]", "[4,6]"}));
    EXPECT_THAT(texts_of(scene), testing::Contains("→ 7 6"));
    // A button says who it is.
    EXPECT_THAT(texts_of(now.figure().scene), testing::Not(testing::Contains("group 0")));
}

TEST(ScheduleNow, HidesWhatIsToBePredicted) {
    const Now now(SchedulingPolicy::Kind::in_order, 0);
    const auto texts = texts_of(now.figure(1000, "en", {kButton, false, 1, {true, false}}).scene);
    EXPECT_THAT(texts, testing::IsSupersetOf({"[0,2]", "→ ? ?", "→ 5 7"}));
    EXPECT_THAT(texts, testing::Not(testing::Contains("→ 7 6")));
}

std::size_t actions_of(const Scene& scene) {
    std::set<std::string> names;
    for (const Shape& shape : scene.shapes)
        if (shape.name.starts_with("action ")) names.insert(shape.name);
    return names.size();
}

TEST(ScheduleNow, HasAllActionsSideBySideOrAsMarksThatFit) {
    const Now now(SchedulingPolicy::Kind::round_robin, 14);
    const ScheduleNow last = now.figure(420), boxes = now.figure(420, "en", {kButton, true, 1}),
                      marks = now.figure(420, "en", {kButton, true, 0});
    EXPECT_LT(actions_of(last.scene), 14U);
    for (const ScheduleNow* whole : {&boxes, &marks}) {
        EXPECT_EQ(actions_of(whole->scene), 14U);
        EXPECT_GT(whole->scene.pinned.left, kButton);
        expect_inside(whole->scene);
    }
    EXPECT_GT(boxes.scene.width, 420);
    EXPECT_FLOAT_EQ(boxes.closer, 1);
    EXPECT_THAT(texts_of(boxes.scene), testing::Contains("0"));
    EXPECT_LE(marks.scene.width, 420);
    EXPECT_LT(marks.closer, 1);
    EXPECT_GT(marks.closer, 0);
    // With more room than they need they are as wide as ever.
    EXPECT_FLOAT_EQ(now.figure(4000, "en", {kButton, true, 0}).closer, 1);
}

TEST(ScheduleNow, KeepsTheLanesOfEarlierLaunches) {
    machine::Job twice = tree_job(16, 4, 4);
    twice.launches.push_back(twice.launches.front());
    const machine::Run run = run_of(twice, SchedulingPolicy::Kind::in_order);
    const analysis::Timeline timeline = analysis::timeline_of(run);
    ASSERT_GT(timeline.launches.size(), 1U);
    machine::Run again = run_of(twice, SchedulingPolicy::Kind::in_order);
    const analysis::StateView end = analysis::state_view_of(again, again.trace().size());
    FigureOptions options;
    const auto figure = [&](bool whole) {
        return schedule_now(timeline, end, {}, 0, {0, whole}, options, test_fonts(),
                            translations_in("en"))
            .scene;
    };
    EXPECT_EQ(actions_of(figure(true)), timeline.actions.size());
    EXPECT_LT(actions_of(figure(false)), timeline.actions.size());
    EXPECT_THAT(texts_of(figure(true)), testing::Contains(testing::HasSubstr("launch 2")));
}

TEST(ScheduleNow, ShowsNothingThatIsStillToCome) {
    const Now now(SchedulingPolicy::Kind::in_order, 3);
    // Actions 0 to 2 have been taken; in the run that is known already, more follow.
    ASSERT_GT(now.timeline.actions.size(), 3U);
    EXPECT_THAT(texts_of(now.figure().scene), testing::IsSupersetOf({"0", "1", "2"}));
    EXPECT_THAT(texts_of(now.figure().scene), testing::Not(testing::Contains("3")));
    // The read is stale for a write that has not been made: no arc leads to it yet.
    const Now later(SchedulingPolicy::Kind::in_order, now.run.trace().size());
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
    const Now now(SchedulingPolicy::Kind::round_robin, 14);
    const ScheduleNow wide = now.figure(2000), narrow = now.figure(520);
    EXPECT_LT(narrow.scene.shapes.size(), wide.scene.shapes.size());
    EXPECT_THAT(texts_of(narrow.scene), testing::Contains("13"));
    EXPECT_THAT(texts_of(narrow.scene), testing::Not(testing::Contains("0")));
    for (const ScheduleNow* each : {&wide, &narrow}) {
        ASSERT_EQ(each->buttons.size(), now.state.warps.size());
        for (const Box& box : each->buttons) {
            EXPECT_FLOAT_EQ(box.right - box.left, kButton);
            EXPECT_LE(box.right, each->scene.width);
        }
    }
}

// Words that are wider than their room would be cut by the panel that shows them.
TEST(ScheduleNow, IsNeverWiderThanItsPanel) {
    const Now beginning(SchedulingPolicy::Kind::in_order, 0),
        middle(SchedulingPolicy::Kind::in_order, 12);
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
    Now now(SchedulingPolicy::Kind::in_order, 12);
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
    EXPECT_THAT(texts_of(now.figure().scene), testing::Contains("still spins in line 17"));
    now.state.warps[0].fault = "an index outside its array";
    now.ready = {&now.state.warps[0]};
    EXPECT_THAT(texts_of(now.figure().scene), testing::Contains("would stop the run: a fault"));
}

TEST(ScheduleNow, HasALaneForEachWarp) {
    const Now now(SchedulingPolicy::Kind::in_order, 2, 2);
    EXPECT_EQ(now.figure().buttons.size(), 4U);
    EXPECT_THAT(texts_of(now.figure().scene), testing::Contains(testing::HasSubstr("warp 1")));
}

using machine::SchedulingPolicy;

machine::Run story(SchedulingPolicy::Kind kind) {
    return machine::play(machine::job_of(span_kernel({7, 1, 6, 8, 5, 6, 7, 1}, 4), 4),
                         machine::order_of(kind));
}

void expect_kept(const Scene& scene) {
    expect_inside(scene);
    expect_no_text_over_text(scene);
    EXPECT_FALSE(scene.title.empty());
}

TEST(StateFigure, KeepsWithinItselfAtEveryMomentAndWidth) {
    auto run = story(SchedulingPolicy::Kind::round_robin);
    for (std::uint64_t time = 0; time <= run.trace().size(); ++time)
        for (const float width : {420.0F, 700.0F, 1200.0F})
            for (const char* language : {"en", "zh", "ru"}) {
                StateFigureOptions options;
                options.figure.width = width;
                expect_kept(state_figure(analysis::state_view_of(run, time), options, test_fonts(),
                                         translations_in(language)));
            }
}

TEST(StateFigure, ShowsEveryValueAndWorkItem) {
    auto run = story(SchedulingPolicy::Kind::in_order);
    const StateFigureOptions options;
    const auto texts = texts_of(state_figure(analysis::state_view_of(run, run.trace().size()),
                                             options, test_fonts(), translations_in("en")));
    EXPECT_THAT(texts, testing::IsSupersetOf({"27", "19", "group 0", "group 1", "x"}));
}

// A scalar has no index, and an array of arrays has two.
TEST(StateFigure, NamesCellsAsTheTextDoes) {
    machine::Run run = run_of(
        machine::job_of({"kernel void f(global int* x) {\n    local int tile[2][4], met;\n"
                         "    const uint id = get_local_id(0);\n"
                         "    tile[id / 4][id % 4] = x[id];\n    if (id == 0) met = x[7];\n}\n",
                         8,
                         8,
                         {{7, 1, 6, 8, 5, 6, 7, 2}}},
                        4),
        SchedulingPolicy::Kind::in_order);
    const Translations& tr = translations_in("en");
    std::vector<std::string> stores;
    const std::uint64_t actions = run.trace().size();
    for (std::uint64_t time = 1; time <= actions; ++time)
        stores.push_back(action_text(*analysis::state_view_of(run, time).last, tr));
    EXPECT_THAT(stores, testing::IsSupersetOf({"store tile[0][0…3] ← 7 1 6 8", "store met ← 2",
                                               "store tile[1][0…3] ← 5 6 7 2"}));
    EXPECT_THAT(texts_of(figure(analysis::timeline_of(run))),
                testing::IsSupersetOf({"tile[0][0…3]", "tile[1][0…3]", "met"}));
    const Scene scene =
        state_figure(analysis::state_view_of(run, actions - 1), {}, test_fonts(), tr);
    std::vector<std::string> tips;
    for (const Shape& shape : scene.shapes)
        tips.push_back(shape.tip);
    EXPECT_THAT(tips, testing::IsSupersetOf({"tile[0][3] = 8", "met = 2", "x[7] = 2"}));
    EXPECT_THAT(texts_of(scene), testing::Contains("[0][3]"));
}

TEST(StateFigure, ActionsAreToldInWords) {
    auto run = story(SchedulingPolicy::Kind::in_order);
    const Translations& tr = translations_in("en");
    EXPECT_EQ(action_text(*analysis::state_view_of(run, 1).last, tr), "load x[0,2] → 7 6");
    bool barrier = false;
    for (std::uint64_t time = 1; time <= run.trace().size(); ++time)
        barrier = barrier || action_text(*analysis::state_view_of(run, time).last, tr) ==
                                 "wait at the barrier";
    EXPECT_TRUE(barrier);
}

TEST(StateFigure, WarpsAreCalledByWhatTheyAre) {
    const Translations& tr = translations_in("en");
    auto whole = story(SchedulingPolicy::Kind::in_order);
    const analysis::StateView groups = analysis::state_view_of(whole, 0);
    EXPECT_EQ(warp_text(groups.warps.at(1), groups, tr), "group 1");
    EXPECT_EQ(warp_mark(groups.warps.at(1), groups), "1");
    auto single = machine::play(machine::job_of(span_kernel({1, 2, 3, 4}, 4), 1),
                                machine::order_of(SchedulingPolicy::Kind::in_order));
    const analysis::StateView items = analysis::state_view_of(single, 0);
    EXPECT_EQ(warp_text(items.warps.at(3), items, tr), "item 3");
    EXPECT_EQ(warp_mark(items.warps.at(3), items), "3");
    auto pairs = machine::play(machine::job_of(span_kernel({1, 2, 3, 4}, 4), 2),
                               machine::order_of(SchedulingPolicy::Kind::in_order));
    const analysis::StateView warps = analysis::state_view_of(pairs, 0);
    EXPECT_EQ(warp_text(warps.warps.at(1), warps, tr), "group 0, warp 1");
    EXPECT_EQ(warp_mark(warps.warps.at(1), warps), "0.1");
}

TEST(ToggleFigure, TellsBothEndings) {
    const auto broken = story(SchedulingPolicy::Kind::in_order),
               lucky = story(SchedulingPolicy::Kind::round_robin);
    const analysis::Timeline one = analysis::timeline_of(broken),
                             other = analysis::timeline_of(lucky);
    for (const char* language : {"en", "zh", "ru"}) {
        const Scene scene = toggle_figure(
            {{&one, "Broken", "27", "41", false, true}, {&other, "Lucky", "41", "41", true, true}},
            {420, 1, false}, test_fonts(), translations_in(language));
        expect_kept(scene);
        if (std::string(language) != "en") continue;
        EXPECT_THAT(texts_of(scene),
                    testing::IsSupersetOf({"wrong: 27, expected 41", "right: 41, by luck"}));
    }
}

// this_grid().sync() holds all blocks; OpenCL has no such barrier.
TEST(ToggleFigure, SaysWhomABarrierHolds) {
    ::setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
    EXPECT_THAT(translations_in("en")("toggle.sentence"),
                testing::HasSubstr("a barrier of a group holds that group only"));
    const char* grid[][2] = {{"en", "a barrier of the grid and the end of a launch hold them all"},
                             {"ru", "барьер всей сетки"},
                             {"zh", "网格屏障"}};
    for (const auto& [language, text] : grid) {
        EXPECT_THAT(Translations(language, Api::cuda)("toggle.sentence"), testing::HasSubstr(text));
        EXPECT_THAT(translations_in(language)("toggle.sentence"),
                    testing::Not(testing::HasSubstr(text)));
    }
}

TEST(AccountFigure, SaysWhichAreLostAndWhichAreInTwice) {
    analysis::CellCoverage account;
    account.cell = "x[0]";
    account.value = "27";
    for (int i = 0; i < 8; ++i)
        account.inputs.push_back({"x[" + std::to_string(i) + "]", std::to_string(i),
                                  static_cast<std::uint64_t>(i == 0  ? 2
                                                             : i < 5 ? 1
                                                                     : 0)});
    AccountFigureOptions options;
    options.figure.width = 420;
    options.whole = true;
    const Scene scene = account_figure(account, options, test_fonts(), translations_in("en"));
    expect_kept(scene);
    const auto texts = texts_of(scene);
    EXPECT_EQ(std::count(texts.begin(), texts.end(), "lost"), 3);
    EXPECT_THAT(texts, testing::Contains("2 times"));
    options.whole = false;
    options.chooses = true;
    const auto calm =
        texts_of(account_figure(account, options, test_fonts(), translations_in("en")));
    EXPECT_EQ(std::count(calm.begin(), calm.end(), "lost"), 0);
    EXPECT_EQ(std::count(calm.begin(), calm.end(), "2 times"), 0);
}

}  // namespace
}  // namespace lab::figures
