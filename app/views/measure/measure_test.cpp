// The measure view without a device: what it says before a run, and why a kernel is slow.
#include "views/measure/measure.h"

#include "support/session_test.h"

namespace lab::session {
namespace {

TEST_F(SessionTest, ATimeIsEstimatedBeforeARun) {
    Session session(options(), {});
    MeasureView& view = session.view<MeasureView>();
    MeasureChoice choice = session.settings().measure;
    const auto seconds = [&](const char* sizes, const std::vector<std::string>& variants) {
        choice.sizes = sizes;
        view.set(choice);
        return view.seconds_for(variants);
    };
    const double one = seconds("2^20", {"tile"}).value();
    EXPECT_GT(one, 0);
    EXPECT_NEAR(seconds("2^20", {"tile", "local-tree"}).value(), 2 * one, 1e-9);
    EXPECT_GT(seconds("2^26", {"tile"}).value(), 2 * one);
    EXPECT_FALSE(seconds("none", {"tile"}).has_value());
}

TEST_F(SessionTest, TheExampleThatShipsIsReadAndItsKernelsCostsAreCounted) {
    Session session(options(), {});
    session.show_view<MeasureView>();
    MeasureView& view = session.view<MeasureView>();
    const results::Measurements example =
        results::read_results(data_folder() / "assets/example_results.json");
    const auto row = [&](const std::string& variant) -> const results::Row& {
        return *std::find_if(example.rows.begin(), example.rows.end(),
                             [&](const results::Row& each) { return each.variant == variant; });
    };
    EXPECT_EQ(view.costs_of(row("tile")), nullptr);
    view.add({"example_results.json", example});
    EXPECT_TRUE(view.next_move().has_value());
    ASSERT_TRUE(wait(session, [&] { return !view.next_move(); }));
    const analysis::RunCosts* modulo = view.costs_of(row("ladder-1-modulo"));
    const analysis::RunCosts* first_add = view.costs_of(row("ladder-4-first-add"));
    ASSERT_TRUE(modulo != nullptr && first_add != nullptr);
    const auto idle = [](const analysis::RunCosts& of) {
        return static_cast<double>(of.idle) / static_cast<double>(of.offered);
    };
    EXPECT_GT(idle(*modulo), idle(*first_add));
    EXPECT_GT(modulo->barriers, 0U);
    EXPECT_GT(modulo->line, 0U);
}

}  // namespace
}  // namespace lab::session
