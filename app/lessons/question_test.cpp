#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lessons/question.h"
#include "support/typed_lesson.h"

namespace lab::lessons {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(TypedNumber, WritingsOfTheSameNumber) {
    for (const char* text : {"2048",
                             " 2048 ",
                             "2,048",
                             "2 048",
                             "2'048",
                             "2^11",
                             "2**11",
                             "2*1024",
                             "2 × 1024",
                             "2Ki",
                             "2 Ki",
                             "0x800",
                             "2.048e3",
                             "2048.0",
                             "2048,0",
                             "(2+2)*512",
                             "4096/2",
                             "+2048",
                             "２０４８",
                             "2\xc2\xa0"
                             "048",
                             "2.048k"})
        EXPECT_THAT(typed_numbers(text), Contains(2048)) << text;
    EXPECT_THAT(typed_numbers("10,240,000"), ElementsAre(10'240'000));
    EXPECT_THAT(typed_numbers("−3"), ElementsAre(-3));
    EXPECT_THAT(typed_numbers("2^-1"), ElementsAre(0.5));
    EXPECT_THAT(typed_numbers("-2^2"), ElementsAre(-4));
    EXPECT_THAT(typed_numbers("12.5 %"), ElementsAre(12.5));
    EXPECT_THAT(typed_numbers("55,9"), ElementsAre(55.9));
    EXPECT_THAT(typed_numbers("1,500"), ElementsAre(1500, 1.5));  // it may be either
}

TEST(TypedNumber, WhatIsNone) {
    for (const char* text : {"", " ", "abc", "passes", "2 04", "2,,048", "1/0", "1e999", "2^", "(2",
                             "2 048 000 0", "--", ".", "nan", "inf", "12 cells", "0x", "2..3"})
        EXPECT_THAT(typed_numbers(text), testing::Not(Contains(2048))) << text;
    for (const char* text : {"", "abc", "passes", "2,,048", "1/0", "1e999", "2^", "(2", ".", "nan",
                             "inf", "12 cells", "2..3"})
        EXPECT_THAT(typed_numbers(text), IsEmpty()) << text;
    EXPECT_THAT(typed_numbers(std::string(100'000, '(')), IsEmpty());
    EXPECT_THAT(typed_numbers(std::string(100'000, '-')), IsEmpty());
}

using testing::HasSubstr;

constexpr const char* kSchedule = "```ask schedule\nuntil: wrong\n```\n";
constexpr const char* kRatio =
    "```ask measure\nkernels: relaunch, chunk-tree\nn: 1024\npredict: ratio\n```\n";
constexpr const char* kShare = "```ask measure\ntrials: 10\npredict: share\n```\n";
constexpr const char* kNumber = "```ask number\nvalue: passes\n```\n";

// A page that shows this beside what page_with() has.
Page page_of(TypedLesson& lesson, std::initializer_list<std::pair<const char*, const char*>> keys) {
    Page page = lesson.page();
    for (const auto& [key, value] : keys)
        set_key(page.show, key, value);
    return page;
}

std::string refusal(const char* ask,
                    std::initializer_list<std::pair<const char*, const char*>> keys) {
    TypedLesson lesson(page_with(ask));
    const auto problem = cannot_show(page_of(lesson, keys), lesson.runs);
    return problem ? problem->what_happened : "";
}

TEST(PageView, EveryPanelOfARunCanBeShown) {
    for (const char* panel : {"lanes", "memory", "races", "lineage", "none"})
        EXPECT_EQ(refusal(kNumber, {{"panel", panel}, {"at", "end"}}), "") << panel;
    EXPECT_EQ(refusal(kNumber, {{"panel", "variables"}, {"at", "pass 1"}}), "");
}

TEST(PageView, WhatIsPrintedIsAPanelOfAKernelThatPrints) {
    TypedLesson lesson(
        page_with(kNumber), "en",
        {{"speaks.cl",
          "kernel void f(global int* a) { a[get_global_id(0)] = 1; printf(\"x\"); }"}});
    Page page = lesson.page();
    set_key(page.show, "kernel", "speaks.cl");
    set_key(page.show, "panel", "prints");
    set_key(page.show, "global", "4");
    set_key(page.show, "local", "2");
    set_key(page.show, "arg", "a:int[4]");
    const auto problem = cannot_show(page, lesson.runs);
    EXPECT_FALSE(problem) << problem->what_happened;
}

TEST(PageView, WhatCannotBeShownIsSaid) {
    EXPECT_THAT(refusal(kNumber, {{"panel", "variables"}, {"at", "end"}}), HasSubstr("variables"));
    EXPECT_THAT(refusal(kNumber, {{"panel", "prints"}, {"at", "end"}}),
                HasSubstr("nothing printed"));
    EXPECT_THAT(refusal(kNumber, {{"panel", "chart"}}), HasSubstr("no chart"));
    EXPECT_THAT(refusal(kShare, {{"panel", "chart"}}), HasSubstr("no chart"));
    EXPECT_THAT(refusal(kNumber, {{"view", "measure"}}), HasSubstr("no chart"));
    EXPECT_THAT(refusal(kRatio, {{"view", "measure"}, {"panel", "chart"}}), HasSubstr("twice"));
    EXPECT_THAT(refusal(kSchedule, {{"view", "lattice"}}), HasSubstr("race view"));
    EXPECT_THAT(refusal(kSchedule, {{"view", "race"}, {"panel", "lanes"}}),
                HasSubstr("beside a schedule"));
    EXPECT_THAT(refusal(kNumber, {{"view", "lattice"}, {"hide", "later"}}), HasSubstr("nothing"));
    EXPECT_THAT(refusal(kNumber, {{"view", "race"}, {"n", "2048"}}), HasSubstr("too many"));
    EXPECT_EQ(refusal(kRatio, {{"panel", "chart"}}), "");
    EXPECT_EQ(refusal(kRatio, {{"view", "measure"}}), "");
    EXPECT_EQ(refusal(kSchedule, {{"view", "race"}}), "");
    EXPECT_EQ(refusal(kNumber, {{"view", "race"}}), "");
    EXPECT_EQ(refusal(kNumber, {{"view", "lattice"}}), "");
}

TEST(PageView, AScheduleIsChosenInTheRaceView) {
    TypedLesson lesson(page_with(kSchedule));
    EXPECT_EQ(view_of(lesson.page()), PageView::schedule);
}

TEST(PageView, APanelThatWouldTellTheAnswerWaitsForIt) {
    const auto waits = [](const char* ask,
                          std::initializer_list<std::pair<const char*, const char*>> keys) {
        TypedLesson lesson(page_with(ask));
        return panel_waits(page_of(lesson, keys));
    };
    EXPECT_TRUE(waits(kNumber, {{"panel", "races"}}));
    EXPECT_TRUE(waits(kNumber, {{"panel", "memory"}, {"hide", "later"}, {"at", "pass 1"}}));
    EXPECT_TRUE(waits(kNumber, {{"panel", "lanes"}, {"hide", "later"}, {"at", "start"}}));
    EXPECT_TRUE(waits(kRatio, {{"panel", "chart"}}));
    EXPECT_FALSE(waits(kNumber, {{"panel", "lanes"}, {"hide", "later"}, {"at", "pass 1"}}));
    EXPECT_FALSE(waits(kNumber, {{"panel", "memory"}}));
    EXPECT_FALSE(waits("```ask reflect\n```\n", {{"panel", "races"}}));
    EXPECT_FALSE(waits("", {{"panel", "races"}, {"hide", "later"}}));
}

TEST(PageView, MemoryIsThatOfAMarkedLine) {
    TypedLesson lesson(page_with(""));
    Facts& facts = lesson.runs.facts(lesson.page().show);
    const machine::Run& run = *facts.run().run;
    EXPECT_FALSE(memory_line(lesson.page().show, run));
    Show show = lesson.page().show;
    show.lines = {{1, 1000}};
    const auto line = memory_line(show, run);
    ASSERT_TRUE(line);
    show.lines = {{*line, *line}};
    EXPECT_EQ(memory_line(show, run), line);
    show.lines = {{1, *line - 1}};
    EXPECT_FALSE(memory_line(show, run));
}

}  // namespace
}  // namespace lab::lessons
