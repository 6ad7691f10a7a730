#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "session/settings.h"
#include "session/view.h"
#include "support/example_session.h"
#include "views/measure/measure.h"

namespace lab::session {
namespace {

using std::chrono::milliseconds;

nlohmann::json choices(const Session& session) {
    const Settings standard;
    return keep_preferences(session.settings(), standard);
}

struct SettingsChange {
    const char* name;
    void (*make)(Session& session);
};

template <typename Act>
void choose(Session& session, Act&& act) {
    RunChoice choice = session.settings().choice;
    act(choice);
    session.choose(choice);
}
template <typename Act>
void measure(Session& session, Act&& act) {
    MeasureChoice choice = session.settings().measure;
    act(choice);
    session.view<MeasureView>().set(choice);
}

const SettingsChange kChanges[] = {
    {"variant", [](Session& s) { choose(s, [](RunChoice& c) { c.variant = "span-modulo"; }); }},
    {"toggle",
     [](Session& s) { choose(s, [](RunChoice& c) { c.shape.set["BARRIER"] = "none"; }); }},
    {"elements", [](Session& s) { choose(s, [](RunChoice& c) { c.shape.n = 8; }); }},
    {"group", [](Session& s) { choose(s, [](RunChoice& c) { c.shape.group = 2; }); }},
    {"operator",
     [](Session& s) { choose(s, [](RunChoice& c) { c.shape.op = catalogue::Op::max; }); }},
    {"type",
     [](Session& s) { choose(s, [](RunChoice& c) { c.shape.type = catalogue::Type::float_; }); }},
    {"order", [](Session& s) { choose(s, [](RunChoice& c) { c.machine.order = "in-order"; }); }},
    {"machine", [](Session& s) { choose(s, [](RunChoice& c) { c.machine.lanes = 1; }); }},
    {"language", [](Session& s) { s.set_language("ru"); }},
    {"theme", [](Session& s) { s.set_theme("dark"); }},
    {"terms", [](Session& s) { s.set_terms("cuda"); }},
    {"scale", [](Session& s) { s.set_scale(2); }},
    {"variants to measure",
     [](Session& s) { measure(s, [](MeasureChoice& m) { m.variants.push_back("tile"); }); }},
    {"sizes", [](Session& s) { measure(s, [](MeasureChoice& m) { m.sizes = "2^12"; }); }},
    {"groups", [](Session& s) { measure(s, [](MeasureChoice& m) { m.groups = "64"; }); }},
    {"cache", [](Session& s) { measure(s, [](MeasureChoice& m) { m.warm = true; }); }},
    {"launch shapes",
     [](Session& s) {
         measure(s, [](MeasureChoice& m) { m.shapes = results::LaunchShapes::search; });
     }},
    {"precision", [](Session& s) { measure(s, [](MeasureChoice& m) { m.precision = 0.05; }); }},
    {"runs", [](Session& s) { measure(s, [](MeasureChoice& m) { m.repeat = 3; }); }},
    {"chart", [](Session& s) { measure(s, [](MeasureChoice& m) { m.shown = "error"; }); }},
};

TEST(Undo, TakesBackEveryChangeOfSettingsAndMakesItAgain) {
    ExampleSession example;
    Session& session = example.session;
    std::vector<nlohmann::json> states{choices(session)};
    for (const SettingsChange& change : kChanges) {
        change.make(session);
        ASSERT_NE(choices(session), states.back()) << change.name;
        states.push_back(choices(session));
    }
    for (std::size_t i = states.size() - 1; i-- > 0;) {
        ASSERT_TRUE(session.run("undo")) << kChanges[i].name;
        EXPECT_EQ(choices(session), states[i]) << kChanges[i].name;
    }
    EXPECT_FALSE(session.run("undo"));
    for (std::size_t i = 1; i < states.size(); ++i) {
        ASSERT_TRUE(session.run("redo")) << kChanges[i - 1].name;
        EXPECT_EQ(choices(session), states[i]) << kChanges[i - 1].name;
    }
    EXPECT_FALSE(session.run("redo"));
}

TEST(Undo, LeavesTheViewTheWindowAndWhatWasLearntAsTheyAre) {
    ExampleSession example;
    Session& session = example.session;
    session.set_theme("dark");
    session.set_view("measure");
    session.set_window(1000, 700);
    session.edit().hints_done.push_back("step");
    session.undo();
    EXPECT_EQ(session.settings().theme, "light");
    EXPECT_EQ(session.settings().view, "measure");
    EXPECT_EQ(session.settings().width, 1000);
    EXPECT_THAT(session.settings().hints_done, testing::ElementsAre("step"));
}

TEST(Undo, BringsTheWordsOfTheLanguageBack) {
    ExampleSession example;
    example.session.set_language("zh");
    EXPECT_EQ(example.session.words().language(), "zh");
    example.session.undo();
    EXPECT_EQ(example.session.words().language(), "en");
}

TEST(Undo, WhatIsNoChangeIsNoStep) {
    ExampleSession example;
    Session& session = example.session;
    session.set_theme(session.settings().theme);
    session.set_language("en");
    session.set_language("xx");  // there is no such one: a problem
    session.set_scale(session.settings().scale);
    session.view<MeasureView>().set(session.settings().measure);
    session.choose(session.settings().choice);
    EXPECT_FALSE(session.can_undo());
    EXPECT_EQ(session.notices.problems().size(), 1U);
}

TEST(Undo, AChangeForgetsWhatCouldBeDoneAgain) {
    ExampleSession example;
    example.session.set_theme("dark");
    example.session.undo();
    example.session.set_scale(2);
    EXPECT_FALSE(example.session.can_redo());
}

TEST(Undo, ChangesOfTheScaleInARowAreOneStep) {
    ExampleSession example;
    Session& session = example.session;
    session.set_theme("dark");
    for (int i = 0; i < 5; ++i)
        session.run("scale.larger");
    session.undo();
    EXPECT_FLOAT_EQ(session.settings().scale, 1);
    EXPECT_EQ(session.settings().theme, "dark");
}

TEST(Undo, OnlyChangesOfOneKindThatFollowSoonJoin) {
    UndoHistory history;
    const UndoHistory::Clock::time_point start{};
    history.record({}, kScaleChange, start);
    history.record({}, kScaleChange, start + milliseconds(500));
    history.record({}, kScaleChange, start + milliseconds(1000));  // goes on
    history.record({}, kScaleChange, start + milliseconds(9000));  // another one
    history.record({}, kThemeChange, start + milliseconds(9100));
    history.record({}, kScaleChange, start + milliseconds(9200));
    int steps = 0;
    for (; history.undo({}); ++steps)
        continue;
    EXPECT_EQ(steps, 4);
}

TEST(Undo, SaysWhatCannotBeSeen) {
    ExampleSession example;
    Session& session = example.session;
    measure(session, [](MeasureChoice& choice) { choice.sizes = "2^12"; });
    session.undo();  // in the step view
    ASSERT_EQ(session.notices.toasts().size(), 1U);
    EXPECT_THAT(session.notices.toasts()[0].words, testing::HasSubstr("what is measured"));
}

}  // namespace
}  // namespace lab::session
