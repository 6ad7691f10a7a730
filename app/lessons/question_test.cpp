#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/translations.h"
#include "lessons/grade.h"
#include "lessons/question.h"
#include "support/typed_lesson.h"

namespace lab::lessons {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
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

// A page of a tree over numbers that vary.
std::string drawn_page(const std::string& vary, const std::string& blocks) {
    return "---\ntitle: T\n---\n\n## P\nWords.\n\n```show\nkernel: span-modulo\n"
           "set: BARRIER=group\ninput: 7,1,6,8\ngroup: 4\nvary: " +
           vary + "\n```\n" + blocks;
}

TEST(Draw, ASeedAlwaysGivesTheSameNumbersAndOthersOthers) {
    TypedLesson lesson(
        drawn_page("n=4,8 group=4,8 input=1..9", "```ask number\nvalue: result\n```\n"));
    ASSERT_THAT(lesson.problems(), IsEmpty());
    const Page& page = lesson.page();
    EXPECT_EQ(drawn(page, 0, lesson.runs).show, page.show);
    std::set<std::string> inputs;
    std::set<std::uint64_t> groups;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Page draw = drawn(page, seed, lesson.runs);
        EXPECT_EQ(draw.show, drawn(page, seed, lesson.runs).show);
        EXPECT_EQ(draw.seed, seed);
        const std::string& input = draw.show.shape.input.text;
        const std::set<char> numbers(input.begin(), input.end());
        EXPECT_EQ(input.find_first_not_of("123456789,"), std::string::npos) << input;
        EXPECT_EQ(numbers.size(), (input.size() + 1) / 2 + 1) << input;  // none twice, a comma
        inputs.insert(input);
        groups.insert(draw.show.shape.group);
        EXPECT_EQ(right_answer(draw, question_of(draw, lesson.runs), lesson.runs).seed, seed);
    }
    EXPECT_GT(inputs.size(), 15U);
    EXPECT_EQ(groups.size(), 2U);
    EXPECT_EQ(drawn(page, 3, lesson.runs).show.shape.input.text, "8,5,7,4,9,2,3,1");
}

TEST(Draw, NumbersForWhichAMistakeIsRightGiveWay) {
    TypedLesson lesson(drawn_page("input=1..3",
                                  "```ask number\nvalue: input(0)\n```\n"
                                  "```wrong input(1)\nThat is cell 1.\n```\n"
                                  "```wrong 2\nThat is not in cell 0.\n```\n"));
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Page draw = drawn(lesson.page(), seed, lesson.runs);
        const double first = lesson.page().ask->values.front()(draw.show, lesson.runs);
        EXPECT_NE(first, 2);
        EXPECT_NE(draw.show.shape.input.text[0], draw.show.shape.input.text[2]);
    }
}

TEST(Draw, ADrawWithoutNumbersThatWillDoIsNamed) {
    const auto why = [](const std::string& vary, const std::string& blocks) {
        TypedLesson lesson(drawn_page(vary, blocks));
        EXPECT_THAT(lesson.problems(), IsEmpty());
        const auto problem = thrown_by([&] { (void)drawn(lesson.page(), 7, lesson.runs); });
        EXPECT_TRUE(problem) << blocks;
        if (!problem) return std::string();
        EXPECT_EQ(problem->what_happened, "Draw 7 of the page has no numbers that will do");
        return problem->why;
    };
    EXPECT_THAT(why("input=1,2,3,4", "```ask number\nvalue: n\n```\n```wrong 4\nNo.\n```\n"),
                HasSubstr("input = 1,2,3,4: 'wrong 4' is right"));
    EXPECT_THAT(why("group=4", "- a\n- b\n\n```ask choose\noption: n == 4\noption: n > 3\n```\n"),
                HasSubstr("group = 4: Every option is right"));
    EXPECT_THAT(why("group=4",
                    "- a\n- b\n\n```ask choose\noption: n == 4\noption: n > 4\n```\n"
                    "```wrong option 1\nNo.\n```\n"),
                HasSubstr("A mistake with option 1 is none"));
    EXPECT_THAT(why("group=4", "```ask choose\nvalue: n\nothers: 2, 4\n```\n"),
                HasSubstr("'4' of the others is right"));
    EXPECT_THAT(why("group=4", "```ask schedule\nuntil: hang\n```\n"),
                HasSubstr("Nothing solves the page"));
    EXPECT_THAT(why("group=4", "```ask number\nvalue: cell(9, 0)\n```\n"), HasSubstr("group = 4"));
}

// All combinations come before one comes again, and none twice in turn.
TEST(Draw, GoesRoundTheValues) {
    TypedLesson lesson(
        drawn_page("group=4,8,16 BARRIER=group,none", "```ask number\nvalue: group\n```\n"));
    ASSERT_THAT(lesson.problems(), IsEmpty());
    std::vector<std::string> draws;
    for (std::uint64_t seed = 0; seed <= 11; ++seed) {
        const Page draw = drawn(lesson.page(), seed, lesson.runs);
        draws.push_back(fmt::format("{} {}", draw.show.shape.group,
                                    has_value(draw.show, "set", "BARRIER=none")));
        EXPECT_EQ(draws.back(), draws[seed % 6]);
    }
    EXPECT_EQ(draws.front(), "4 false");
    EXPECT_EQ(std::set<std::string>(draws.begin(), draws.end()).size(), 6U);
}

// Two pages do not show each other's answers.
TEST(Draw, PagesHaveNumbersOfTheirOwn) {
    TypedLesson lesson(drawn_page("input=1..9", "```ask number\nvalue: result\n```\n"));
    Page other = lesson.page();
    other.id += "-again";
    for (std::uint64_t seed = 1; seed <= 9; ++seed)
        EXPECT_NE(drawn(lesson.page(), seed, lesson.runs).show.shape.input.text,
                  drawn(other, seed, lesson.runs).show.shape.input.text);
}

// A kernel without a header has its numbers in its first array that has typed ones.
TEST(Draw, NumbersOfArgumentsVary) {
    const auto page = [](const std::string& vary) {
        return "---\ntitle: T\n---\n\n## P\nWords.\n\n```show\nkernel: copy.cl\nglobal: 4\n"
               "local: 2\narg: out:int[4]\narg: in:int[4]=7,1,6,8\narg: pair=1,2\nvary: " +
               vary + "\n```\n```ask cells\nrow: last\n```\n";
    };
    const std::vector<std::pair<std::string, std::string>> files{
        {"copy.cl",
         "kernel void copy(global int* out, global const int* in, int2 pair)\n{\n"
         "    const int i = get_global_id(0);\n    out[i] = in[i] + pair.x;\n}\n"}};
    TypedLesson lesson(page("input=1..4 local=1,2"), "en", files);
    ASSERT_THAT(lesson.problems(), IsEmpty());
    std::set<std::string> numbers, answers;
    std::set<std::uint64_t> groups;
    for (std::uint64_t seed = 1; seed <= 9; ++seed) {
        const Page draw = drawn(lesson.page(), seed, lesson.runs);
        ASSERT_EQ(draw.show.user_kernel->arguments.size(), 3U);
        EXPECT_EQ(draw.show.user_kernel->arguments[2], "pair=1,2");
        numbers.insert(draw.show.user_kernel->arguments[1]);
        groups.insert(draw.show.user_kernel->local.items());
        answers.insert(question_of(draw, lesson.runs).answer);
    }
    EXPECT_GT(numbers.size(), 5U);
    EXPECT_EQ(answers.size(), numbers.size());
    EXPECT_EQ(groups.size(), 2U);
    TypedLesson few(page("input=1,2,3"), "en", files);
    EXPECT_THROW((void)drawn(few.page(), 1, few.runs), Problem);
}

TEST(Draw, ANameHasASeedOfItsOwn) {
    EXPECT_EQ(seed_of("Ada"), seed_of(" Ada "));
    EXPECT_EQ(seed_of("Ada"), seed_of("ADA"));
    EXPECT_EQ(seed_of("Анна Ω"), seed_of("АННА ω"));
    EXPECT_EQ(compared_name(" Ada ÉCOLE Ёж 安娜 9"), "ada école ёж 安娜 9");
    EXPECT_NE(seed_of("Ada"), seed_of("Adam"));
    EXPECT_GE(seed_of(""), 100'000'000U);
    EXPECT_LT(seed_of("Ada"), 1'000'000'000U);
}

// The wrong choices of a question, each with the mistake that it comes from.
std::map<std::string, std::string> wrong_choices(TypedLesson& lesson) {
    std::map<std::string, std::string> wrong;
    for (const Option& option : question_of(lesson.page(), lesson.runs).options)
        if (!option.right)
            wrong[option.text] = translated(option.mistake, Translations("en"), "near");
    return wrong;
}

TEST(Mistake, WrongResultsAreWhatMistakenRunsGive) {
    // 7 1 6 8 | 5 6 7 1: 22 and 19, and data[4] is 5, 11 or 19 when item 0 reads it.
    TypedLesson lesson(page_with("```ask results\n```\n"));
    const std::map<std::string, std::string> wrong = wrong_choices(lesson);
    EXPECT_EQ(wrong.at("22"), "With 22 one pass is missing.");
    EXPECT_EQ(wrong.at("36"), "36 comes out if the number in cell 4 is left out.");
    EXPECT_EQ(wrong.at("40"), "40 comes out if the number in cell 7 is left out.");
    for (const char* right : {"27", "33", "41"})
        EXPECT_FALSE(wrong.contains(right));
    const Question question = question_of(lesson.page(), lesson.runs);
    for (std::uint64_t i = 0; i < question.options.size(); ++i) {
        if (question.options[i].text != "36") continue;
        const Feedback feedback = judged(lesson, {{}, {i}});
        EXPECT_TRUE(feedback.names_mistake);
        EXPECT_EQ(feedback.message, question.options[i].mistake);
    }
}

TEST(Mistake, WhatIsNoOutcomeOfOneIsNearby) {
    TypedLesson lesson(
        page_with("```show\ninput: 3,3,3,3,3,3,3,3\nop: max\n```\n"
                  "```ask results\n```\n"));
    const std::map<std::string, std::string> wrong = wrong_choices(lesson);
    EXPECT_EQ(wrong.size(), 2U);
    for (const auto& [number, mistake] : wrong)
        EXPECT_EQ(mistake, "near") << number;
}

// What is said of an answer to a page with these blocks.
std::string said(const std::string& blocks, const std::vector<std::string>& texts,
                 const std::vector<std::pair<std::string, std::string>>& files = {}) {
    TypedLesson lesson(page_with(blocks), "en", files);
    const Feedback feedback = judged(lesson, {texts, {}});
    EXPECT_FALSE(feedback.right);
    return feedback.names_mistake ? translated(feedback.message, Translations("en")) : "";
}

TEST(Mistake, ATypedAnswerIsTracedToIt) {
    const std::string one_group = "```show\ngroup: 8\n```\n```ask number\nvalue: result\n```\n";
    // Alone and in order, item 0 takes 7, 1, 6 and 5: nothing has been added to these yet.
    EXPECT_EQ(said(one_group, {"19"}), "19 comes out without the barrier in line 28.");
    // One cell before the partner: 7 + 7, then 1, then 8.
    EXPECT_EQ(said(one_group, {"23"}), "23 comes out if the index in line 25 is off by one.");
    EXPECT_EQ(said(one_group, {"40"}), "40 comes out if the number in cell 7 is left out.");
    EXPECT_EQ(said(one_group, {"48"}), "48 comes out if the number in cell 0 is added twice.");
    EXPECT_EQ(said(one_group, {"1234"}), "");
    const std::string cells = "```ask cells\nrow: pass 2\ncells: 0, 4\n```\n";
    EXPECT_EQ(said(cells, {"22", "11"}), "With 11 one pass is missing.");
    EXPECT_EQ(said(cells, {"41", "19"}), "With 41 there is one pass too many.");
    EXPECT_EQ(said("```show\nkernel: groups-atomic\ninput: 7,1,6,8,5,6,7,1\ngroup: 2\n```\n"
                   "```ask number\nvalue: result\n```\n",
                   {"22"}),
              "22 is what group 0 alone gives.");
    // Before a launch of one group's items, whoever has no partner adds, too.
    EXPECT_EQ(said("```show\nkernel: all.cl\nglobal: 4\nlocal: 4\narg: a:int[4]=1,2,3,4\n```\n"
                   "```ask cells\nrow: last\ncells: 1\n```\n",
                   {"12"},
                   {{"all.cl",
                     "kernel void f(global int* a)\n{\n"
                     "    const int i = get_global_id(0);\n"
                     "    if (i % 2 == 0)\n        a[i] += 10;\n}\n"}}),
              "12 comes out if line 4 lets everyone through.");
}

TEST(Mistake, FactsAreMistakenForOthers) {
    const auto of = [](const std::string& value, const char* given) {
        return said("```show\ngroup: 8\n```\n```ask number\nvalue: " + value + "\n```\n", {given});
    };
    EXPECT_EQ(of("passes", "4"), "4 counts the start as a pass.");
    EXPECT_EQ(of("passes(n=100, group=128)", "6"), "With 6 one pass is missing.");
    EXPECT_EQ(of("active(1)", "8"), "8 also counts work-items that have nothing to do.");
    EXPECT_EQ(of("active(2)", "6"), "6 counts the work-items that add nothing.");
    EXPECT_EQ(of("depth", "7"), "7 is what a line takes, one number after another.");
    EXPECT_EQ(of("launches(relaunch, n=1024, group=256)", "4"), "4 is one launch per group.");
    EXPECT_EQ(of("2 * passes", "8"), "8 counts the start as a pass.");
}

TEST(Mistake, ThePagesOwnReplyToThatNumberIsEnough) {
    const std::string asked = "```ask number\nvalue: passes\n```\n";
    EXPECT_EQ(said(asked + "```wrong passes + 1\nNo.\n```\n", {"4"}), "");
    EXPECT_EQ(said(asked + "```wrong\nNo.\n```\n", {"4"}), "4 counts the start as a pass.");
}

TEST(Mistake, NoSearchIsMadeForOne) {
    EXPECT_EQ(said("```ask number\nvalue: results + passes\n```\n", {"7"}), "");
}

}  // namespace
}  // namespace lab::lessons
