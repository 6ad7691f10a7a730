#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/account_figure.h"
#include "figures/state_figure.h"
#include "figures/toggle_figure.h"
#include "support/example_runs.h"
#include "support/figure_checks.h"

namespace lab::figures {
namespace {

using machine::Order;

machine::Run story(Order::Kind kind) {
    return machine::play(machine::job_of(span_kernel({7, 1, 6, 8, 5, 6, 7, 1}, 4), 4),
                         machine::order_of(kind));
}

void expect_kept(const Scene& scene) {
    expect_inside(scene);
    expect_no_text_over_text(scene);
    EXPECT_FALSE(scene.title.empty());
}

TEST(StateFigure, KeepsWithinItselfAtEveryMomentAndWidth) {
    auto run = story(Order::Kind::round_robin);
    for (std::uint64_t time = 0; time <= run.trace().size(); ++time)
        for (const float width : {420.0F, 700.0F, 1200.0F})
            for (const char* language : {"en", "zh", "ru"}) {
                StateFigureOptions options;
                options.figure.width = width;
                expect_kept(state_figure(analysis::state_view_of(run, time), options, test_fonts(),
                                         Translations(language)));
            }
}

TEST(StateFigure, ShowsEveryValueAndWorkItem) {
    auto run = story(Order::Kind::in_order);
    const StateFigureOptions options;
    const auto texts = texts_of(state_figure(analysis::state_view_of(run, run.trace().size()),
                                             options, test_fonts(), Translations("en")));
    EXPECT_THAT(texts, testing::IsSupersetOf({"27", "19", "group 0", "group 1", "x"}));
}

TEST(StateFigure, ActionsAreToldInWords) {
    auto run = story(Order::Kind::in_order);
    const Translations tr("en");
    EXPECT_EQ(action_text(*analysis::state_view_of(run, 1).last, tr), "load x[0,2] → 7 6");
    bool barrier = false;
    for (std::uint64_t time = 1; time <= run.trace().size(); ++time)
        barrier = barrier || action_text(*analysis::state_view_of(run, time).last, tr) ==
                                 "wait at the barrier";
    EXPECT_TRUE(barrier);
}

TEST(StateFigure, WarpsAreCalledByWhatTheyAre) {
    const Translations tr("en");
    auto whole = story(Order::Kind::in_order);
    const analysis::StateView groups = analysis::state_view_of(whole, 0);
    EXPECT_EQ(warp_text(groups.warps.at(1), groups, tr), "group 1");
    auto single = machine::play(machine::job_of(span_kernel({1, 2, 3, 4}, 4), 1),
                                machine::order_of(Order::Kind::in_order));
    const analysis::StateView items = analysis::state_view_of(single, 0);
    EXPECT_EQ(warp_text(items.warps.at(3), items, tr), "item 3");
    auto pairs = machine::play(machine::job_of(span_kernel({1, 2, 3, 4}, 4), 2),
                               machine::order_of(Order::Kind::in_order));
    const analysis::StateView warps = analysis::state_view_of(pairs, 0);
    EXPECT_EQ(warp_text(warps.warps.at(1), warps, tr), "group 0, warp 1");
}

TEST(ToggleFigure, TellsBothEndings) {
    const auto broken = story(Order::Kind::in_order), lucky = story(Order::Kind::round_robin);
    const analysis::Timeline one = analysis::timeline_of(broken),
                             other = analysis::timeline_of(lucky);
    for (const char* language : {"en", "zh", "ru"}) {
        const Scene scene = toggle_figure(
            {{&one, "Broken", "27", "41", false, true}, {&other, "Lucky", "41", "41", true, true}},
            {420, 1, false}, test_fonts(), Translations(language));
        expect_kept(scene);
        if (std::string(language) != "en") continue;
        EXPECT_THAT(texts_of(scene),
                    testing::IsSupersetOf({"wrong: 27, expected 41", "right: 41, by luck"}));
    }
}

TEST(AccountFigure, SaysWhichAreLostAndWhichAreInTwice) {
    analysis::CellAccount account;
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
    const Scene scene = account_figure(account, options, test_fonts(), Translations("en"));
    expect_kept(scene);
    const auto texts = texts_of(scene);
    EXPECT_EQ(std::count(texts.begin(), texts.end(), "lost"), 3);
    EXPECT_THAT(texts, testing::Contains("2 times"));
    options.whole = false;
    options.chooses = true;
    const auto calm = texts_of(account_figure(account, options, test_fonts(), Translations("en")));
    EXPECT_EQ(std::count(calm.begin(), calm.end(), "lost"), 0);
    EXPECT_EQ(std::count(calm.begin(), calm.end(), "2 times"), 0);
}

}  // namespace
}  // namespace lab::figures
