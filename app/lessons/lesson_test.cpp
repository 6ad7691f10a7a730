#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/paths.h"
#include "lessons/grade.h"
#include "lessons/lesson.h"
#include "support/temporary_folder.h"
#include "support/typed_lesson.h"

namespace lab::lessons {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kFront = "---\ntitle: T\n---\n";  // three lines

TEST(ReadLesson, ALessonIsRead) {
    const TypedLesson lesson(
        "---\ntitle: A lesson\ndocument: B\nminutes: 7\nneeds: 01-a-tree\n---\n\n# Ignored\n\n"
        "## Who waits for whom?\nSome *words*.\n\n- one\n- two\n\n"
        "```show\nkernel: relaunch\nn: 16\nat: pass 2\nhide: later\nlines: 3-5, 8\n```\n"
        "```ask number\nvalue: 1\nvalue: passes\nwithin: 5%\nunit: sectors\n```\n"
        "```hint\nA hint.\n```\n```hint\nAnother.\n```\n```wrong 8\nNo.\n```\n```wrong\nAny.\n```\n"
        "```after\nWhy.\n```\n\n## Second\nIt goes on.\n");
    EXPECT_THAT(lesson.problems(), IsEmpty());
    EXPECT_EQ(lesson.read.lesson->title, "A lesson");
    EXPECT_EQ(lesson.read.lesson->document, "B");
    EXPECT_EQ(lesson.read.lesson->minutes, 7U);
    EXPECT_EQ(lesson.read.lesson->needs, "01-a-tree");
    const Page& page = lesson.page();
    EXPECT_EQ(page.id, "who-waits-for-whom");
    EXPECT_EQ(page.line, 10U);
    EXPECT_EQ(plain_text(page.words), "Some words.\n");
    EXPECT_EQ(page.labels.size(), 2U);
    EXPECT_EQ(page.hints.size(), 2U);
    EXPECT_EQ(page.replies.size(), 2U);
    EXPECT_EQ(page.show.at, (Place{Place::Kind::row, 2}));
    EXPECT_TRUE(page.show.hide_later);
    EXPECT_EQ(page.show.lines.size(), 2U);
    EXPECT_EQ(page.ask->within, 0.05);
    EXPECT_EQ(page.ask->unit, "sectors");
    // The second page starts from what the first showed.
    EXPECT_EQ(lesson.page(1).show, page.show);
    EXPECT_FALSE(lesson.page(1).ask);
}

std::string page_that_varies(const std::string& vary, const std::string& ask) {
    return "---\ntitle: T\n---\n\n## P\nWords.\n\n```show\nkernel: span-modulo\n"
           "set: BARRIER=group\ninput: 7,1,6,8\ngroup: 4\nvary: " +
           vary + "\n```\n```ask " + ask + "\n```\n";
}

TEST(ReadLesson, WhatVariesIsReadAndMistakesInItAreSaid) {
    const auto said = [](const std::string& vary, const std::string& ask = "number\nvalue: n") {
        const TypedLesson lesson(page_that_varies(vary, ask));
        return lesson.problems().empty() ? "" : lesson.problems().front();
    };
    const TypedLesson lesson(
        page_that_varies("n=4,8 input=1..9 BARRIER=group,none", "number\nvalue: n"));
    EXPECT_THAT(lesson.problems(), IsEmpty());
    const KeyValues vary{
        {"n", {"4", "8"}}, {"input", {"1..9"}}, {"set", {"BARRIER=group", "BARRIER=none"}}};
    EXPECT_EQ(lesson.page().vary, vary);
    EXPECT_EQ(said("input=7,1,6,8|2,9,4,1"), "");
    EXPECT_THAT(said("colour=red"),
                HasSubstr("lesson.md:13:7 'colour=red' is nothing that varies"));
    EXPECT_THAT(said("input=9..1"), HasSubstr("13:7 '9..1' will not do for 'input'"));
    EXPECT_THAT(said("input=1..x"), HasSubstr("'1..x' will not do for 'input'"));
    EXPECT_THAT(said("group=4,some"), HasSubstr("lesson.md:13:7"));
    EXPECT_THAT(said("group=4 group=8"), HasSubstr("'group' varies twice"));
    EXPECT_THAT(said("kernel=relaunch,no-such"), HasSubstr("no kernel 'no-such'"));
    EXPECT_THAT(said("n=4, 8"), HasSubstr("13:7 A value of 'n' is missing"));
    EXPECT_THAT(said("input=5..5"), HasSubstr("13:7 '5..5' will not do for 'input'"));
    EXPECT_THAT(said("hide=later,nothing"), HasSubstr("13:7 'hide' does not vary"));
    EXPECT_THAT(said("n=4,8"), HasSubstr("13:1 'n' varies, and the numbers are typed"));
    EXPECT_THAT(said("input=1..9", "reflect"), HasSubstr("13:1 Nothing varies with 'reflect'"));
}

// At the line of `vary`, and not for each block and each language.
TEST(CheckLesson, AMistakeInWhatVariesIsSaidOnce) {
    for (const char* vary :
         {"n=4,8", "n=4, 8", "hide=later,nothing", "FOO=1,2", "order=in-order"}) {
        const std::string text = page_that_varies(vary, "number\nvalue: n");
        const TypedLesson lesson(text, "ru", {{"lesson.ru.md", text}, {"lesson.zh.md", text}});
        const CheckedLesson checked = check_lesson(lesson.folder(), catalogue::shipped());
        ASSERT_EQ(checked.problems.size(), 1U) << vary;
        EXPECT_THAT(checked.problems[0].where, HasSubstr("lesson.md:13:")) << vary;
    }
}

const std::string kReasons =
    "```reason zero-goes-first\nItem 0 is first.\n\nThe result is {result}.\n\nSo no.\n```\n"
    "```reason right\nNobody waits.\n```\n";

TEST(ReadLesson, AReasonHasItsWordsAndWhatIsSaidToIt) {
    const TypedLesson lesson(page_with("```ask results\n```\n" + kReasons));
    EXPECT_THAT(lesson.problems(), IsEmpty());
    const std::vector<Reason>& reasons = lesson.page().reasons;
    ASSERT_EQ(reasons.size(), 2U);
    EXPECT_EQ(reasons[0].name, "zero-goes-first");
    EXPECT_EQ(plain_text(reasons[0].words), "Item 0 is first.\n");
    EXPECT_EQ(plain_text(reasons[0].reply), "The result is {result}.\nSo no.\n");
    EXPECT_FALSE(reasons[0].right());
    EXPECT_TRUE(reasons[1].right());
    EXPECT_THAT(reasons[1].reply, IsEmpty());
}

TEST(ReadLesson, AReasonThatCannotBeAskedForIsSaid) {
    const auto says = [](const std::string& blocks) {
        const std::vector<std::string> problems = TypedLesson(page_with(blocks)).problems();
        return problems.empty() ? "" : problems.front();
    };
    const std::string ask = "```ask number\nvalue: passes\n```\n";
    EXPECT_THAT(says(kReasons), HasSubstr("14:1 Nothing was asked yet"));
    EXPECT_THAT(says("```ask schedule\nuntil: wrong\n```\n" + kReasons),
                HasSubstr("No reason is asked for with 'schedule'"));
    EXPECT_THAT(says(ask + kReasons + kReasons), HasSubstr("Two reasons are called"));
    EXPECT_THAT(says(ask + "```reason\nWhy.\n\nNo.\n```\n"), HasSubstr("'' does not name"));
    EXPECT_THAT(says(ask + "```reason A b\nWhy.\n\nNo.\n```\n"), HasSubstr("'A b' does not name"));
    EXPECT_THAT(says(ask + "```reason right\n```\n"), HasSubstr("The reason has no words"));
    EXPECT_THAT(says(ask + "```reason too-few\nWhy.\n```\n"),
                HasSubstr("The reason is not answered"));
}

TEST(ReadLesson, AHeadingMayNameItsPage) {
    const TypedLesson lesson(
        "---\ntitle: T\n---\n## Fix it {#mend-it}\nWords.\n## Fix it\nWords.\n");
    EXPECT_THAT(lesson.problems(), IsEmpty());
    EXPECT_EQ(lesson.page().title, "Fix it");
    EXPECT_EQ(lesson.page().id, "mend-it");
    EXPECT_EQ(lesson.page(1).id, "fix-it");
}

struct Mistake {
    const char* text;  // below the front matter
    const char* says;  // place and beginning
    const char* hint;
};

TEST(ReadLesson, EveryMistakeIsSaidWithItsPlaceAndWhatToDo) {
    const Mistake mistakes[] = {
        {"words\n## P\n", "lesson.md:4:1 Something stands before", "## Its name"},
        {"", "lesson.md:1:1 The lesson has no page", "## Its name"},
        {"## P\n```shwo\n```\n", "lesson.md:5:1 'shwo' is no block", "show, ask, reason, hint"},
        {"## P\n```show\nkernle: a\n```\n", "lesson.md:6:1 'kernle'", "The keys are"},
        {"## P\n```show\nkernel: ../a.cl\n```\n", "lesson.md:6:9 '../a.cl'", "Name a kernel"},
        {"## P\n```show\nkernel: a.txt\n```\n", "lesson.md:6:9 'a.txt'", ".cl"},
        {"## P\n```show\nn:\n```\n", "lesson.md:6:3 'n' has no value", "after the colon"},
        {"## P\n```show\ninput: 7,1,6\nn: 4\n```\n", "lesson.md:7:4 The input holds 3 numbers",
         "Leave n out"},
        {"## P\n```show\nn: 4\ninput: 7,1,6\n```\n", "lesson.md:7:8 The input holds 3 numbers",
         "Leave n out"},
        {"## P\n```show\nset: BARRIER\n```\n", "lesson.md:6:6 'BARRIER'", "NAME=VALUE"},
        {"## P\n```show\ninput: @secret\n```\n", "lesson.md:6:8 '@secret'", "random:7"},
        {"## P\n```show\nat: later\n```\n", "lesson.md:6:5 'later'", "pass 2"},
        {"## P\n```show\nhide: x\n```\n", "lesson.md:6:7 'x'", "nothing"},
        {"## P\n```show\nview: x\n```\n", "lesson.md:6:7 'x'", "race"},
        {"## P\n```show\npanel: x\n```\n", "lesson.md:6:8 'x'", "memory"},
        {"## P\n```show\norder: x\n```\n", "lesson.md:6:8 'x'", "round-robin"},
        {"## P\n```show\nlanes: 65\n```\n", "lesson.md:6:8 A warp cannot have 65 lanes",
         "Choose 1 to 64"},
        {"## P\n```show\nn 8\n```\n", "lesson.md:6:1 'n 8' is no setting", "key: value"},
        {"## P\n```ask cels\n```\n", "lesson.md:5:1 'cels' is no kind", "cells"},
        {"## P\n```ask number\nvalue: 1 +\n```\n", "lesson.md:6:11 The expression ends", ""},
        {"## P\n```ask number\nvlue: 1\n```\n", "lesson.md:6:1 'vlue'", "value"},
        {"## P\n```ask number\nwithin: x\n```\n", "lesson.md:6:9 'x' is no number", "5%"},
        {"## P\n```ask number\n```\n", "lesson.md:5:1 The question has no value", "value: passes"},
        {"## P\n```ask choose\n```\n", "lesson.md:5:1 There is nothing to choose", "option"},
        {"## P\n```ask choose\nkernels: a, b\nright: mox(n)\n```\n", "lesson.md:7:8 'mox(n)'",
         "max(EXPRESSION)"},
        {"## P\n```ask choose\noption: 1\noption: 0\n```\n", "lesson.md:5:1 2 things are asked",
         "one item for each"},
        {"## P\n```ask line\n```\n", "lesson.md:5:1 No line is right", "right: race"},
        {"## P\n```ask schedule\n```\n", "lesson.md:5:1 The schedule has no aim", "until: wrong"},
        {"## P\n```ask schedule\nuntil: wong\n```\n", "lesson.md:6:8 'wong'", "wrong"},
        {"## P\n```ask edit\ngoal: is_right\n```\n", "lesson.md:5:1 An edit has a start",
         "start.cl"},
        {"## P\n```ask edit\nstart: a.cl\nsolution: b.cl\n```\n",
         "lesson.md:5:1 The edit has no goal", "races == 0"},
        {"## P\n```ask edit\ngoal: n == 8 for m=8\n```\n", "lesson.md:6:7 'm=8' is no shape",
         "n=8,16"},
        {"## P\n```ask edit\ngoal: n == 8 for input=1,2,3 n=3,4\n```\n",
         "lesson.md:6:7 The input holds 3 numbers, but n is 4", "Leave n out"},
        {"## P\n```ask number\nvalue: result(n=4, input=\"1,2,3\")\n```\n",
         "lesson.md:6:8 The input holds 3 numbers, but n is 4", "Leave n out"},
        {"## P\n```ask edit\nlimit: x\n```\n", "lesson.md:6:8 'x'", "barriers"},
        {"## P\n```ask measure\n```\n", "lesson.md:5:1 There is nothing to measure",
         "kernels: a, b"},
        {"## P\n```ask cells\nrow: 2\n```\n", "lesson.md:6:6 '2' is no row", "pass 2"},
        {"## P\n```ask cells\npick: mising\n```\n", "lesson.md:6:7 'mising'", "missing"},
        {"## P\n```ask items\nstate: x\n```\n", "lesson.md:6:8 'x'", "diverged"},
        {"## P\n```ask reflect\nvalue: 1\n```\n", "lesson.md:6:1 'value'", "no settings"},
        {"## P\n```ask results\n```\n```ask results\n```\n", "lesson.md:7:1 The page asks twice",
         "another page"},
        {"## P\n```wrong\nx\n```\n", "lesson.md:5:1 Nothing was asked yet", "below"},
        {"## P\n```ask reflect\n```\n```wrong 3\n```\n", "lesson.md:7:1 'wrong 3' fits no answer",
         "docs/lessons.md"},
        {"## P\n## P\n", "lesson.md:5:1 Two pages have the same heading", "Rename"},
        {"##\nwords\n", "lesson.md:4:1 The page has no heading", "behind the ##"},
        {"## P\n```show\nn: 8\n n: 4\n```\n", "lesson.md:7:2 'n' stands here twice", "Take one"},
        {"## P\n```ask number\nvalue: 1\nunit: a\nunit: b\n```\n",
         "lesson.md:8:1 'unit' stands here twice", "Take one"},
        {"## P\n```after\na\n```\n```after\nb\n```\n", "lesson.md:8:1 The page has two blocks",
         "into one"},
        {"## P\n```ask number\nvalue: 1\n\n## Q\nmore\n",
         "lesson.md:5:1 The block that begins here does not end", "a line of ```"},
        {"## P\n- a\n- b\n```ask choose\noption: 1\noption: 0\n```\n```wrong option 3\nx\n```\n",
         "lesson.md:11:1 There is no option 3", "There are 2"},
        {"## P\n```ask edit\nstart: a.cl\nsolution: b.cl\ngoal: is_right\n```\n```wrong goal 2\nx\n"
         "```\n",
         "lesson.md:10:1 There is no goal 2", "There are 1"},
    };
    for (const Mistake& mistake : mistakes) {
        SCOPED_TRACE(mistake.text);
        const TypedLesson lesson(kFront + mistake.text);
        ASSERT_FALSE(lesson.read.problems.empty());
        EXPECT_THAT(lesson.problems()[0], testing::StartsWith(mistake.says));
        EXPECT_THAT(lesson.read.problems[0].hint, HasSubstr(mistake.hint));
    }
}

TEST(ReadLesson, TheFirstLines) {
    EXPECT_THAT(TypedLesson("## P\n").problems(),
                ElementsAre("lesson.md:1:1 The lesson has no title"));
    EXPECT_THAT(TypedLesson("---\ntitle: T\n## P\n").problems(),
                ElementsAre("lesson.md:1:1 The first lines do not end"));
    EXPECT_THAT(TypedLesson("---\ntitle: T\ncolour: red\n---\n## P\n").problems(),
                ElementsAre("lesson.md:3:1 'colour' is no key of a lesson"));
    EXPECT_THAT(TypedLesson("---\ntitle T\n---\n## P\n").problems(),
                ElementsAre("lesson.md:2:1 'title T' is no setting"));
    EXPECT_EQ(TypedLesson("").problems().size(), 2U);
}

TEST(ReadLesson, FilesOfOtherEditors) {
    const std::string text =
        "---\ntitle: T\n---\n\n## One\nWhat?\n\n```ask number\nvalue: 5\n```\n";
    std::string lines;
    for (const char c : text)
        lines += c == '\n' ? "\r\n" : std::string(1, c);
    for (const std::string& each : {lines, "\xef\xbb\xbf" + text, "\xef\xbb\xbf" + lines}) {
        const TypedLesson lesson(each);
        EXPECT_THAT(lesson.problems(), IsEmpty());
        EXPECT_EQ(lesson.read.lesson->title, "T");
        EXPECT_EQ(lesson.page().ask->values.size(), 1U);
    }
    std::string wide = "\xff\xfe";
    for (const char c : text)
        wide += {c, '\0'};
    for (const std::string& each : {wide,
                                    std::string("\0\x01\x7f"
                                                "ELF",
                                                6),
                                    std::string("## \xe9t\xe9\n")})
        EXPECT_THAT(TypedLesson(each).problems(),
                    ElementsAre("lesson.md:1:1 The file is no text in UTF-8"));
}

TEST(ReadLesson, MinutesAreANumber) {
    EXPECT_THAT(TypedLesson("---\ntitle: T\nminutes: ten\n---\n## P\n").problems(),
                ElementsAre(HasSubstr("lesson.md:3:10 ")));
    EXPECT_THAT(TypedLesson("---\ntitle: T\ntitle: U\n---\n## P\n").problems(),
                ElementsAre("lesson.md:3:1 'title' stands here twice"));
}

// The list does not fit the options: said, and the page is there.
TEST(ReadLesson, OptionsWithoutTheirWordsCrashNothing) {
    for (const char* list : {"", "- a\n", "- a\n- b\n- c\n"}) {
        TypedLesson lesson(page_with(std::string(list) +
                                     "\n```ask choose\noption: passes == 2\noption: 1\n```\n"));
        EXPECT_EQ(lesson.problems().size(), 1U);
        const Question question = question_of(lesson.page(), lesson.runs);
        EXPECT_EQ(question.options.size(), 2U);
        EXPECT_FALSE(judge(lesson.page(), question, {{}, {0}}, lesson.runs).right);
        EXPECT_FALSE(check_lesson(lesson.folder(), catalogue::shipped()).problems.empty());
    }
}

TEST(ReadLesson, OneMistakeLeavesTheOtherPages) {
    const TypedLesson lesson(kFront + "## A\n```shwo\n```\n## B\n```ask results\n```\n");
    EXPECT_EQ(lesson.problems().size(), 1U);
    EXPECT_EQ(lesson.read.lesson->pages.size(), 2U);
    EXPECT_TRUE(lesson.page(1).ask);
}

TEST(ReadLesson, OneBadWordOfAQuestionIsOneMistake) {
    for (const char* ask :
         {"aks number\nvalue: n", "ask nmber\nvalue: n", "ask number\nvlaue: n"}) {
        const TypedLesson lesson(kFront + "## A\n```" + ask +
                                 "\n```\n```wrong 4\nNo.\n```\n```reason right\nSo.\n```\n");
        EXPECT_EQ(lesson.problems().size(), 1U) << ask;
    }
    const TypedLesson none(kFront + "## A\n```wrong 4\nNo.\n```\n```reason right\nSo.\n```\n");
    EXPECT_EQ(none.problems().size(), 2U);
}

TEST(ReadLesson, AnotherLanguageHasItsOwnWordsAndTheSameBlocks) {
    const std::string english =
        kFront + "## Two groups\nWords.\n```ask results\n```\n```after\nA.\n```\n";
    const auto in_chinese = [&](const std::string& text) {
        return TypedLesson(english, "zh", {{"lesson.zh.md", text}});
    };
    const std::string front = "---\ntitle: 课\n---\n";
    const auto good =
        in_chinese(front + "## 两组\n文字。\n```ask results\n```\n```after\n因为。\n```\n");
    EXPECT_THAT(good.problems(), IsEmpty());
    EXPECT_EQ(good.page().id, "two-groups");
    EXPECT_EQ(good.page().title, "两组");
    EXPECT_EQ(good.read.lesson->language, "zh");
    EXPECT_EQ(plain_text(good.page().after), "因为。\n");

    const auto other = in_chinese(front + "## 两组\n```ask reflect\n```\n```after\nx\n```\n");
    EXPECT_THAT(
        other.problems(),
        ElementsAre("lesson.zh.md:5:1 The block is another one than in the English lesson"));
    const auto fewer = in_chinese(front + "## 两组\n```ask results\n```\n");
    EXPECT_THAT(fewer.problems(),
                ElementsAre("lesson.zh.md:5:1 A block of the English lesson is missing"));
    EXPECT_EQ(TypedLesson(english, "ru").read.lesson->language, "en");
}

TEST(ReadLesson, FoldersOfLessonsAreFound) {
    const std::vector<fs::path> all = lesson_folders(shipped_lessons());
    EXPECT_GE(all.size(), 6U);
    std::vector<std::string> numbers;
    for (const fs::path& folder : all)
        numbers.push_back(folder.filename().string().substr(0, 2));
    EXPECT_THAT(numbers, ElementsAre("00", "01", "02", "03", "05", "04", "07", "08", "06", "09",
                                     "10", "11", "12", "13"));
    EXPECT_EQ(lesson_folders(all[0]), std::vector{all[0]});
    EXPECT_THAT(lesson_folders("/nowhere"), IsEmpty());
    const TemporaryFolder empty;
    EXPECT_FALSE(is_lesson_folder(empty.path()));
    EXPECT_FALSE(read_lesson(empty.path(), "en", catalogue::shipped()).problems.empty());
}

TEST(ReadLesson, ALessonComesAfterTheOneThatItNeeds) {
    const TemporaryFolder folder;
    const auto add = [&](const char* name, const char* needs) {
        write_file(folder.path() / name / "lesson.md",
                   fmt::format("---\ntitle: T\n{}---\n\n## P\nneeds: z\n", needs));
    };
    const auto names = [&] {
        std::string all;
        for (const fs::path& each : lesson_folders(folder.path()))
            all += each.filename().string();
        return all;
    };
    for (const char* name : {"c", "a", "b"})
        add(name, "");
    EXPECT_EQ(names(), "abc");
    add("a", "needs: c\n");
    EXPECT_EQ(names(), "bca");
    add("b", "needs: a\n");
    EXPECT_EQ(names(), "cab");
    add("c", "needs: elsewhere\n");
    EXPECT_EQ(names(), "cab");
    add("c", "needs: b\n");  // round and round
    EXPECT_EQ(names(), "abc");
}

TEST(CheckLesson, TheCourseIsInOrder) {
    for (const fs::path& folder : lesson_folders(shipped_lessons())) {
        const CheckedLesson checked = check_lesson(folder, catalogue::shipped());
        for (const Problem& problem : checked.problems)
            ADD_FAILURE() << problem.text();
        EXPECT_FALSE(checked.pages.empty());
    }
}

TEST(CheckLesson, WhatCannotBeSolvedIsSaid) {
    const auto problems_of = [](const std::string& blocks,
                                std::vector<std::pair<std::string, std::string>> files = {}) {
        const TypedLesson lesson(page_with(blocks), "en", files);
        std::string text;
        for (const Problem& problem : check_lesson(lesson.folder(), catalogue::shipped()).problems)
            text += problem.where + " " + problem.what_happened + "\n";
        return text;
    };
    EXPECT_EQ(problems_of("```ask results\n```\n"), "");
    EXPECT_THAT(problems_of("- a\n- b\n```ask choose\noption: 1\noption: 1\n```\n"),
                HasSubstr("Every option is right"));
    EXPECT_THAT(problems_of("- a\n- b\n```ask choose\noption: 0\noption: 0\n```\n"),
                HasSubstr("No option is right"));
    EXPECT_THAT(problems_of("```ask items\nrow: pass 1\nstate: stale\n```\n"),
                HasSubstr("nothing to click"));
    EXPECT_THAT(problems_of("```ask schedule\nuntil: result 34\n```\n"),
                HasSubstr("Nothing solves the page"));
    EXPECT_THAT(problems_of("```ask cells\nrow: pass 9\n```\n"), HasSubstr("There is no pass 9"));
    EXPECT_THAT(problems_of("```after\n{pases}\n```\n"), HasSubstr("'pases' is nothing"));
    EXPECT_THAT(
        problems_of("```show\nn: 64\ninput: ramp\n```\n```ask number\nvalue: results\n```\n"),
        HasSubstr("The search for all results did not come to its end"));
    EXPECT_THAT(problems_of("```ask edit\nstart: a.cl\nsolution: b.cl\ngoal: races == 0\n```\n"),
                HasSubstr("There is no a.cl"));
    const std::string kernel = catalogue::shipped().find("relaunch").text;
    EXPECT_THAT(problems_of("```show\nkernel: a.cl\n```\n```ask edit\nstart: a.cl\n"
                            "solution: b.cl\ngoal: races == 0\n```\n",
                            {{"a.cl", kernel}, {"b.cl", kernel}}),
                HasSubstr("The start meets all goals already"));
}

Show broken() {
    Show show;
    set_key(show, "kernel", "span-modulo");
    set_key(show, "set", "BARRIER=group");
    set_key(show, "input", "7,1,6,8,5,6,7,1");
    set_key(show, "group", "4");
    set_key(show, "order", "1.0*3 0.0*2");
    set_key(show, "resident", "all");
    set_key(show, "at", "pass 2");
    return show;
}

TEST(WritePage, WhatIsAddedReadsBackAsItWas) {
    const TemporaryFolder folder;
    const catalogue::Catalogue catalogue = catalogue::load_catalogue(LAB_SHARE_DIR "/kernels");
    add_page(folder.path(), "Too early", broken());
    Show other = broken();
    set_key(other, "type", "float");
    set_key(other, "at", "end");
    add_page(folder.path(), "With floats", other);
    const ReadLesson read = read_lesson(folder.path(), "en", catalogue);
    ASSERT_TRUE(read.problems.empty()) << read.problems.front().text();
    ASSERT_EQ(read.lesson->pages.size(), 2U);
    EXPECT_EQ(read.lesson->pages[0].title, "Too early");
    EXPECT_EQ(read.lesson->pages[0].show, broken());
    EXPECT_EQ(read.lesson->pages[1].show, other);
}

TEST(WritePage, AFileOfItsOwnIsWrittenBesideItButNeverOverAnother) {
    const TemporaryFolder folder;
    Show show;
    set_key(show, "kernel", "mine.cl");
    set_key(show, "global", "8");
    add_page(folder.path(), "One", show, "kernel void k() {}\n");
    EXPECT_EQ(read_file(folder.path() / "mine.cl"), "kernel void k() {}\n");
    const std::string before = read_file(folder.path() / "lesson.md");
    EXPECT_THROW(add_page(folder.path(), "Two", show, "kernel void other() {}\n"), Problem);
    EXPECT_EQ(read_file(folder.path() / "lesson.md"), before);
    EXPECT_THROW(add_page(folder.path(), "One", show), Problem);
    EXPECT_THROW(add_page(folder.path(), "  ", show), Problem);
}

TEST(Markdown, BlocksHaveTheirLines) {
    const std::vector<Block> blocks = read_markdown(
        "## One\n\nWords\nand more.\n\n```show\nn: 8\n```\n\n## Two\n\n~~~~ask  results\n~~~~\n");
    ASSERT_EQ(blocks.size(), 5U);
    EXPECT_EQ(blocks[0].level, 2U);
    EXPECT_EQ(blocks[0].line, 1U);
    EXPECT_EQ(plain_text(blocks[1].paragraph), "Words and more.");
    EXPECT_EQ(blocks[2].kind, Block::Kind::fence);
    EXPECT_EQ(blocks[2].info, "show");
    EXPECT_EQ(blocks[2].body, "n: 8\n");
    EXPECT_EQ(blocks[2].line, 6U);
    EXPECT_EQ(blocks[3].line, 10U);
    EXPECT_EQ(blocks[4].line, 12U);
    EXPECT_EQ(blocks[4].info, "ask  results");
    EXPECT_EQ(blocks[4].body, "");
}

TEST(Markdown, ABlockBelowTheFrontMatterCountsFromTheFile) {
    EXPECT_EQ(read_markdown("\n## One\n", 5)[0].line, 6U);
}

TEST(Markdown, StylesBecomeSpans) {
    const Text text = read_text("a **b** *c* `d {e}` [f](http://g)");
    ASSERT_EQ(text.size(), 1U);
    std::string bold, italic, code, link;
    for (const Span& span : text[0].spans) {
        if (span.bold) bold += span.text;
        if (span.italic) italic += span.text;
        if (span.code) code += span.text;
        if (!span.link.empty()) link += span.text + span.link;
    }
    EXPECT_EQ(bold, "b");
    EXPECT_EQ(italic, "c");
    EXPECT_EQ(code, "d {e}");
    EXPECT_EQ(link, "fhttp://g");
}

TEST(Markdown, ListsAreParagraphsWithASign) {
    const std::vector<Block> blocks = read_markdown("- a\n- b\n\nwords\n\n3. c\n4. d\n");
    ASSERT_EQ(blocks.size(), 5U);
    EXPECT_TRUE(blocks[0].begins_list);
    EXPECT_FALSE(blocks[1].begins_list);
    EXPECT_EQ(blocks[1].paragraph.kind, Paragraph::Kind::bullet);
    EXPECT_EQ(blocks[3].paragraph.kind, Paragraph::Kind::numbered);
    EXPECT_EQ(blocks[3].paragraph.number, 3U);
    EXPECT_EQ(blocks[4].paragraph.number, 4U);
}

TEST(Markdown, WhatLooksLikeHtmlIsText) {
    EXPECT_EQ(plain_text(read_text("if <b>a</b> < 3 && b > 2 &amp; \\*")),
              "if <b>a</b> < 3 && b > 2 &amp; *\n");
}

TEST(Markdown, CornersAreReadAndNothingIsLost) {
    EXPECT_TRUE(read_markdown("").empty());
    EXPECT_TRUE(read_markdown("\n\n  \n").empty());
    // A fence that never ends goes to the end of the file.
    const std::vector<Block> open = read_markdown("```show\nn: 8\n\n## P\n");
    ASSERT_EQ(open.size(), 1U);
    EXPECT_EQ(open[0].body, "n: 8\n\n## P\n");
    // A nested list, a quote and a rule.
    EXPECT_FALSE(read_markdown("- a\n  - b\n    - c\n\n> quoted\n\n---\n\n* * *\n").empty());
    // Bytes that are no UTF-8, and a NUL.
    EXPECT_FALSE(read_markdown(std::string("a\xff\xfe\0b", 5)).empty());
    EXPECT_FALSE(read_markdown(std::string(10000, '[')).empty());
    EXPECT_FALSE(read_markdown(std::string(10000, '>')).empty() && read_markdown("> a").empty());
}

}  // namespace
}  // namespace lab::lessons
