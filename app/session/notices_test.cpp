#include <algorithm>

#include <gmock/gmock.h>

#include "session/app_commands.h"
#include "session/notices.h"
#include "session/view.h"
#include "support/all_views.h"
#include "support/example_session.h"
#include "support/translated_texts.h"
#include "views/measure/measure.h"

namespace lab::session {
namespace {

using std::chrono::milliseconds;

TEST(Notices, AToastFadesAndIsGoneAndThenNothingMoves) {
    Notices notices;
    const Notices::Clock::time_point start{};
    EXPECT_FALSE(notices.next_move(start));
    notices.say("Saved", start);
    // No frame until it begins to fade, then one after the other.
    const auto fades = start + Notices::kShown - Notices::kFading;
    EXPECT_EQ(notices.next_move(start), fades);
    EXPECT_EQ(notices.next_move(fades), fades + milliseconds(16));
    EXPECT_EQ(Notices::strength(notices.toasts()[0], start), 1);
    EXPECT_NEAR(Notices::strength(notices.toasts()[0], fades + Notices::kFading / 2), 0.5, 0.01);
    notices.poll(start + Notices::kShown);
    EXPECT_TRUE(notices.toasts().empty());
    EXPECT_FALSE(notices.next_move(start + Notices::kShown));
}

TEST(Notices, TheSameWordsAreSaidOnce) {
    Notices notices;
    for (const char* words : {"a", "b", "a"})
        notices.say(words);
    ASSERT_EQ(notices.toasts().size(), 2U);
    EXPECT_EQ(notices.toasts()[1].words, "a");
    for (int i = 0; i < 20; ++i)
        notices.say(std::to_string(i));
    EXPECT_LE(notices.toasts().size(), 4U);
}

TEST(Notices, TheLogCountsWhatComesAgainAndKeepsWhatIsTakenAwayFromView) {
    Notices notices;
    const Problem one("One", "why", "hint");
    const Problem two("Two", "", "");
    notices.report("step", one, false);
    notices.report("step", one, true);
    notices.report("file", one, false);
    notices.report("file", two, true);
    ASSERT_EQ(notices.log().size(), 3U);
    EXPECT_EQ(notices.log()[0].times, 2);
    EXPECT_EQ(notices.log()[1].where, "file");
    ASSERT_EQ(notices.problems().size(), 2U);
    notices.forget_problem(0);
    EXPECT_EQ(notices.problems()[0].what_happened, "Two");
    EXPECT_EQ(notices.log().size(), 3U);
    for (int i = 0; i < 1000; ++i)
        notices.report("step", Problem(std::to_string(i), "", ""), false);
    EXPECT_LE(notices.log().size(), 500U);
    EXPECT_EQ(notices.log().back().problem.what_happened, "999");
}

TEST(Notices, ProblemsOfEveryKindComeIntoTheLog) {
    ExampleSession example;
    Session& session = example.session;
    RunChoice choice = session.settings().choice;
    choice.shape.input = catalogue::parse_input("1,2,three");
    session.choose(choice);
    ASSERT_TRUE(example.settle());
    MeasureChoice measure = session.settings().measure;
    measure.sizes = "many";
    session.view<MeasureView>().set(measure);
    session.view<MeasureView>().run();
    session.poll();
    session.poll();
    session.set_language("xx");
    std::vector<std::string> places;
    for (const LogEntry& entry : session.notices.log()) {
        places.push_back(entry.where);
        for (const char* language : kLanguages)
            EXPECT_TRUE(translations_in(language).texts().contains("log." + entry.where));
    }
    EXPECT_THAT(places,
                testing::ElementsAre(testing::AnyOf("step", "machine"), "measure", "settings"));
}

TEST(Hints, OneAtATimeUntilDoneAndRememberedThen) {
    ExampleSession example;
    Session& session = example.session;
    ASSERT_NE(hint_for(session), nullptr);
    EXPECT_STREQ(hint_for(session)->id, "step");
    session.start();
    ASSERT_TRUE(example.settle());
    session.run("step.back");
    ASSERT_NE(hint_for(session), nullptr);
    EXPECT_STREQ(hint_for(session)->id, "toggle");
    EXPECT_THAT(session.settings().hints_done, testing::ElementsAre("step"));
    for (const Hint& hint : hints(session))
        if (std::string_view(hint.id) != "step") session.edit().hints_done.push_back(hint.id);
    EXPECT_EQ(hint_for(session), nullptr);
    EXPECT_TRUE(session.run("hints.again"));
    EXPECT_STREQ(hint_for(session)->id, "step");
}

TEST(Hints, NameCommandsThatThereAreAndHaveWords) {
    const ExampleSession example;
    for (const Hint& hint : hints(example.session)) {
        for (const std::string_view id : hint.done_by)
            EXPECT_NO_THROW(example.session.command(id)) << id;
        for (const char* language : kLanguages)
            EXPECT_TRUE(
                translations_in(language).texts().contains(std::string("hints.") + hint.id));
    }
}

TEST(Overlays, OpenAndCloseByTheirKeysAndEscape) {
    ExampleSession example;
    Session& session = example.session;
    for (const char* id : {"help", "palette", "menu"}) {
        EXPECT_TRUE(session.run(id));
        EXPECT_EQ(session.overlay, id);
        EXPECT_TRUE(session.run("cancel"));
        EXPECT_EQ(session.overlay, "");
        session.run(id);
        session.run(id);
        EXPECT_EQ(session.overlay, "");
    }
    EXPECT_FALSE(session.run("cancel"));
    session.run("log");
    EXPECT_TRUE(session.log_shown);
}

std::vector<std::string> found(const char* query, const char* language) {
    ExampleSession example;
    std::vector<std::string> ids;
    for (const Found& each : find(example.session, query, translations_in(language)))
        ids.emplace_back(each.command != nullptr ? each.command->id : each.variant->id);
    return ids;
}

TEST(FindCommand, ByALetterOfEachWordByIdAndByTip) {
    EXPECT_EQ(found("", "en").size(), CommandTable(kAllViews).all().size());
    EXPECT_EQ(found("undo", "en").front(), "undo");
    EXPECT_EQ(found("nv", "en").front(), "variant.next");
    EXPECT_EQ(found("THEME", "en").front(), "theme.next");
    EXPECT_THAT(found("view.meas", "en"), testing::Contains("view.measure"));
    EXPECT_THAT(found("clipboard zebra", "en"), testing::IsEmpty());
    EXPECT_EQ(found("lockstep", "en").front(), "lanes.next");  // its tip
}

TEST(FindCommand, KernelsToo) {
    EXPECT_EQ(found("span-modulo", "en").front(), "span-modulo");
    EXPECT_THAT(found("tile", "en"), testing::Contains("tile"));
    EXPECT_THAT(found("", "en"), testing::Not(testing::Contains("tile")));
}

TEST(FindCommand, WhatCanBeDoneNowComesFirst) {
    ExampleSession example;
    const std::vector<Found> all = find(example.session, "", translations_in("en"));
    const auto first_that_waits =
        std::find_if(all.begin(), all.end(), [](const Found& each) { return !each.enabled; });
    ASSERT_NE(first_that_waits, all.end());
    EXPECT_TRUE(
        std::none_of(first_that_waits, all.end(), [](const Found& each) { return each.enabled; }));
    EXPECT_FALSE(std::find_if(all.begin(), all.end(), [](const Found& each) {
                     return std::string_view(each.command->id) == "undo";
                 })->enabled);
}

TEST(FindCommand, InTheUsersLanguageAndById) {
    EXPECT_THAT(found("ОТМЕН", "ru"), testing::Contains("undo"));
    EXPECT_THAT(found("вариант", "ru"), testing::Contains("variant.next"));
    EXPECT_THAT(found("变体", "zh"), testing::Contains("variant.next"));
    EXPECT_THAT(found("undo", "zh"), testing::Contains("undo"));
}

TEST(FindCommand, LettersInARowAndAtTheStartsOfWordsCountMore) {
    EXPECT_GT(letters_in("und", "Undo"), letters_in("und", "Up, now, down"));
    EXPECT_GT(letters_in("nv", "Next variant"), letters_in("nv", "Find available"));
    EXPECT_FALSE(letters_in("xyz", "Undo"));
    EXPECT_FALSE(letters_in("odnu", "Undo"));
    EXPECT_EQ(letters_in("", "Undo"), 0);
    EXPECT_FALSE(letters_in("a", "\xff\xfe\xc3"));
}

}  // namespace
}  // namespace lab::session
