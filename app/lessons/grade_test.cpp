#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "lessons/grade.h"
#include "support/temporary_folder.h"
#include "support/typed_lesson.h"

namespace lab::lessons {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Graded : public testing::Test {
  protected:
    Graded()
        : lesson_(
              "---\ntitle: T\n---\n## Sum\n```show\nkernel: span-modulo\nset: BARRIER=group\n"
              "input: 7,1,6,8,5,6,7,1\ngroup: 4\n```\n```ask number\nvalue: passes\n```\n"
              "## Words\nOnly words.\n"
              "## Results\n```ask results\n```\n"
              "## Speed\n```ask measure\nkernels: relaunch, span-modulo\nn: 1024\npredict: "
              "ratio\n```\n"
              "## Why\n```ask reflect\n```\n") {
        EXPECT_THAT(lesson_.problems(), testing::IsEmpty());
    }

    fs::path hand_in(const std::string& name, const Progress& progress) {
        const fs::path file = lesson_.folder().parent_path() / (name + ".json");
        write_hand_in({name, {progress}}, file);
        return file;
    }
    static Progress answered(const std::string& page, PageProgress here) {
        Progress progress;
        progress.lesson = "typed";
        progress.pages[page] = std::move(here);
        return progress;
    }
    ClassGrade graded(const std::vector<fs::path>& files) {
        return grade(files, {lesson_.folder()}, catalogue::shipped());
    }

    TypedLesson lesson_;
};

TEST_F(Graded, EachAnswerIsCheckedAgain) {
    PageProgress right, lied, given_up, skipped, learnt;
    right.answer = {{"3"}, {}};
    lied.answer = {{"4"}, {}};
    lied.right = true;  // says the file
    given_up = right;
    given_up.given_up = true;
    skipped.skipped = true;
    learnt = right;
    learnt.wrong = {{{"8"}, {}}, {{"4"}, {}}, {{"4"}, {}}};
    const ClassGrade table = graded(
        {hand_in("Ada", answered("sum", right)), hand_in("Bob", answered("sum", lied)),
         hand_in("Cyd", answered("sum", given_up)), hand_in("Dan", answered("sum", skipped)),
         hand_in("Eve", answered("sum", learnt)), hand_in("Fay", answered("results", right))});
    EXPECT_THAT(table.problems, testing::IsEmpty());
    ASSERT_EQ(table.pages.size(), 4U);  // that ask
    std::vector<Mark> first;
    for (const StudentMarks& student : table.students)
        first.push_back(student.marks[0]);
    EXPECT_THAT(first, ElementsAre(Mark::right, Mark::wrong, Mark::given_up, Mark::skipped,
                                   Mark::right, Mark::not_reached));
    EXPECT_EQ(table.students[5].marks[1], Mark::wrong);
    // The most common first, each student once.
    ASSERT_EQ(table.pages[0].wrong.size(), 2U);
    EXPECT_EQ(table.pages[0].wrong[0].text, "4");
    EXPECT_EQ(table.pages[0].wrong[0].students, 2U);
    EXPECT_EQ(table.pages[0].wrong[1].students, 1U);
}

const std::string kVaried =
    "---\ntitle: T\n---\n## Sum\n```show\nkernel: span-modulo\nset: BARRIER=group\n"
    "input: 7,1,6,8\ngroup: 4\nvary: input=1..9\n```\n```ask number\nvalue: result\n```\n";

// An answer is judged by the numbers that the student had, and those of an exam are the student's.
TEST(GradedDraws, EachAnswerIsJudgedWithItsSeed) {
    TypedLesson lesson(kVaried);
    const auto right = [&](std::uint64_t seed) {
        const Page page = drawn(lesson.page(), seed, lesson.runs);
        return right_answer(page, question_of(page, lesson.runs), lesson.runs);
    };
    std::vector<fs::path> files;
    const auto hand_in = [&](const std::string& name, std::uint64_t exam, const Answer& answer,
                             const std::vector<Answer>& wrong = {}) {
        Progress progress;
        progress.lesson = "typed";
        progress.seed = exam;
        progress.pages["sum"].answer = answer;
        progress.pages["sum"].wrong = wrong;
        files.push_back(lesson.folder().parent_path() / (name + ".json"));
        write_hand_in({name, {progress}}, files.back());
    };
    Answer stolen = right(3);
    stolen.seed = 4;
    const std::uint64_t ada = seed_of("Ada");
    hand_in("written", 0, {{"22"}, {}});
    hand_in("drawn", 0, right(3));
    hand_in("stolen", 0, stolen);
    hand_in("learnt", 0, right(2), {{{"1"}, {}, "", 1}});
    hand_in("Ada", ada, right(ada + 1), {{{"1"}, {}, "", ada}});
    hand_in("Bob", ada, right(ada));
    hand_in("Cyd", seed_of("Cyd"), {{"22"}, {}});
    const ClassGrade table = grade(files, {lesson.folder()}, catalogue::shipped());
    EXPECT_THAT(table.problems, testing::IsEmpty());
    std::vector<Mark> marks;
    std::vector<std::size_t> first_tries;
    for (const StudentMarks& student : table.students) {
        marks.push_back(student.marks.at(0));
        first_tries.push_back(student.first_tries);
    }
    EXPECT_THAT(marks, ElementsAre(Mark::right, Mark::right, Mark::wrong, Mark::right, Mark::right,
                                   Mark::right, Mark::wrong));
    EXPECT_THAT(first_tries, ElementsAre(1, 1, 0, 0, 0, 1, 0));
    std::vector<std::string> doubts;
    for (const Problem& doubt : table.doubts)
        doubts.push_back(fs::path(doubt.where).stem().string() + ": " + doubt.what_happened);
    const std::string none = ": Others took an exam, and these answers are of none, or not all of";
    EXPECT_THAT(doubts, ElementsAre(HasSubstr("written" + none), HasSubstr("drawn" + none),
                                    HasSubstr("stolen" + none), HasSubstr("learnt" + none),
                                    HasSubstr("Bob: The numbers of this exam are those of another"),
                                    "Cyd: Answers to numbers that this student did not get: sum"));
    EXPECT_THAT(text_of(table), HasSubstr("1 tries, no exam  drawn.json"));
    EXPECT_THAT(text_of(table), HasSubstr("2 tries, exam  Ada.json"));
    EXPECT_THAT(csv_of(table), HasSubstr("tries,reasons right,reasons asked,exam,hints\n"));
    EXPECT_THAT(csv_of(table), HasSubstr("learnt,learnt.json,right,1,1,0,0,2,0,0,no,0\n"));
    EXPECT_THAT(csv_of(table), HasSubstr("Ada,Ada.json,right,1,1,0,0,2,0,0,yes,0\n"));
}

// Numbers of an exam in answers that were given in none, as from a friend's file.
TEST_F(Graded, AnswersToNumbersOfOthersArePointedOut) {
    PageProgress taken;
    taken.answer = {{"3"}, {}, "", seed_of("Ada") + 1};
    const ClassGrade table = graded({hand_in("Bob", answered("sum", taken))});
    ASSERT_EQ(table.doubts.size(), 1U);
    EXPECT_THAT(table.doubts[0].what_happened, HasSubstr("did not get: sum"));
}

// Whatever a student wrote into the file.
TEST(GradedDraws, NumbersThatAreNoCountsAreRefused) {
    for (const char* bad : {"-3", "1e30", "1.5"}) {
        TemporaryFolder folder;
        const fs::path file = folder.path() / "a.json";
        write_file(file, fmt::format(R"({{"reduction-lab": "answers", "version": 1, "name": "A",
            "lessons": [{{"lesson": "typed", "page": "sum", "seed": {}, "pages": {{}}}}]}})",
                                     bad));
        const auto problem = thrown_by([&] { (void)read_hand_in(file); });
        ASSERT_TRUE(problem) << bad;
        EXPECT_THAT(problem->why, HasSubstr("/lessons/0/seed is "));
    }
}

TEST(CheckDraws, EachOfTwentyIsTried) {
    const auto said = [](const std::string& text) {
        const TypedLesson lesson(text);
        std::vector<std::string> texts;
        for (const Problem& problem : check_lesson(lesson.folder(), catalogue::shipped()).problems)
            texts.push_back(problem.what_happened);
        return texts;
    };
    const TypedLesson lesson(kVaried);
    const CheckedLesson checked = check_lesson(lesson.folder(), catalogue::shipped());
    EXPECT_THAT(checked.problems, testing::IsEmpty());
    EXPECT_GT(checked.pages.at(0).draws, 10U);
    EXPECT_THAT(said(kVaried + "```wrong result\nNo.\n```\n"),
                ElementsAre(HasSubstr("Draw 1 of the page has no numbers")));
    EXPECT_THAT(said(kVaried + "```after\n{1 / (input(0) - 9)}\n```\n"),
                ElementsAre(HasSubstr("divide by zero (draw ")));
    const auto varied = [](const std::string& vary) {
        return std::string(kVaried).replace(kVaried.find("input=1..9"), 10, vary);
    };
    EXPECT_THAT(said(varied("input=1..9 BARRIER=group,nonsense")),
                ElementsAre("No draw of the page can have set = BARRIER=nonsense"));
    const std::string by_count = std::string(varied("n=8,100000000 input=1..9"))
                                     .replace(kVaried.find("input: 7,1,6,8"), 14, "n: 8");
    EXPECT_THAT(said(by_count), ElementsAre("No draw of the page can have n = 100000000"));
    const std::string same = "value: passes";
    EXPECT_THAT(said(std::string(kVaried).replace(kVaried.find("value: result"), 13, same)),
                ElementsAre(HasSubstr("the same in all draws")));
}

TEST_F(Graded, WhatCannotBeCheckedIsSaid) {
    PageProgress said;
    said.answer = {{"3"}, {}};
    said.right = true;
    Progress progress = answered("speed", said);
    progress.pages["why"] = said;
    const ClassGrade table = graded({hand_in("Ada", progress)});
    EXPECT_THAT(table.students[0].marks, ElementsAre(Mark::not_reached, Mark::not_reached,
                                                     Mark::unchecked, Mark::unchecked));
    EXPECT_THAT(text_of(table), HasSubstr("Speed: 1 not checked (a prediction"));
    EXPECT_THAT(text_of(table), HasSubstr("0 of 2"));
}

TEST_F(Graded, BadFilesAreNamedAndTheRestIsGraded) {
    PageProgress right;
    right.answer = {{"3"}, {}};
    const fs::path bad = lesson_.folder().parent_path() / "bad.json";
    write_file(bad, "{");
    Progress other = answered("sum", right);
    other.lesson = "../../etc";
    const ClassGrade table = graded({bad, hand_in("Ada", answered("sum", right)),
                                     lesson_.folder() / "missing.json", hand_in("Bob", other)});
    ASSERT_EQ(table.problems.size(), 3U);
    EXPECT_EQ(table.problems[0].where, bad.string());
    EXPECT_THAT(table.problems[2].what_happened, HasSubstr("There is no lesson '../../etc'"));
    ASSERT_EQ(table.students.size(), 2U);
    EXPECT_EQ(table.students[0].marks[0], Mark::right);
    EXPECT_EQ(table.students[1].marks[0], Mark::not_reached);
}

TEST_F(Graded, HostileAnswersAreOnlyWrong) {
    PageProgress mad;
    mad.answer = {std::vector<std::string>(1000, std::string(1000, '9')), {999, ~std::uint64_t{0}}};
    mad.wrong = {{{"\x1b[31mred\n"}, {}}};
    Progress progress = answered("sum", mad);
    progress.pages["results"] = mad;
    progress.pages["no such page"] = mad;
    const ClassGrade table = graded({hand_in("=1+\x1b[2J\"x\",", progress)});
    EXPECT_EQ(table.students[0].marks[0], Mark::wrong);
    EXPECT_EQ(table.students[0].marks[1], Mark::wrong);
    const std::string text = text_of(table);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_LT(text.size(), 2000U);
    EXPECT_THAT(csv_of(table), HasSubstr("\n\"'=1+"));  // no formula
    EXPECT_THAT(csv_of(table), HasSubstr("\"\"x\"\""));
}

TEST_F(Graded, TheTableHasALineAStudent) {
    PageProgress right;
    right.answer = {{"3"}, {}};
    const ClassGrade table = graded({hand_in("Ada", answered("sum", right))});
    EXPECT_EQ(csv_of(table),
              "student,file,typed: Sum,typed: Results,typed: Speed,typed: Why,right,of,right at "
              "first try,answers shown,tries,reasons right,reasons asked,exam,hints\n"
              "Ada,Ada.json,right,not reached,not reached,not reached,1,2,1,0,1,0,0,no,0\n");
}

// The first reason counts, before anything was said to it; that of a shown answer is nobody's.
TEST(GradedReasons, TheFirstIsJudgedApartFromTheAnswer) {
    const TypedLesson lesson(
        page_with("```ask number\nvalue: passes\n```\n```reason zero-goes-first\nA.\n\nNo.\n```\n"
                  "```reason right\nB.\n```\n```reason all-at-once\nC.\n\nNo.\n```\n"));
    std::vector<fs::path> files;
    const auto hand_in = [&](const std::string& name, const PageProgress& page) {
        files.push_back(lesson.folder().parent_path() / (name + ".json"));
        Progress progress;
        progress.lesson = "typed";
        progress.pages["p"] = page;
        write_hand_in({name, {progress}}, files.back());
    };
    PageProgress page;
    page.answer = {{"3"}, {}, "all-at-once"};
    hand_in("right answer, wrong reason", page);
    page.wrong = {{{"4"}, {}, "right"}};
    hand_in("wrong answer, right reason", page);
    page.wrong = {{{"4"}, {}, "all-at-once"}};
    page.answer.reason = "right";
    hand_in("learnt", page);
    page.wrong.clear();
    page.given_up = true;
    hand_in("shown", page);
    page.given_up = false;
    page.answer.reason = "\x1b[31mno reason of the page";
    hand_in("made up", page);
    const ClassGrade table = grade(files, {lesson.folder()}, catalogue::shipped());
    std::vector<std::size_t> right;
    for (const StudentMarks& student : table.students)
        right.push_back(student.right_reasons);
    EXPECT_THAT(right, ElementsAre(0, 1, 0, 0, 0));
    EXPECT_EQ(table.students[0].marks[0], Mark::right);
    EXPECT_EQ(table.students[0].first_tries, 1U);
    const std::string text = text_of(table);
    EXPECT_THAT(text, HasSubstr("2 tries, 1 of 1 reasons  "));
    EXPECT_THAT(text, HasSubstr("    2 × because all-at-once\n"));
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_THAT(csv_of(table), HasSubstr("right,1,1,0,0,2,1,1,no,0\n"));
    EXPECT_THROW(gradescope_of(table), Problem);  // of a whole class
    const ClassGrade one = grade({files.front()}, {lesson.folder()}, catalogue::shipped());
    const nlohmann::json test = gradescope_of(one).at("tests").at(0);
    EXPECT_EQ(test.at("score"), 1);
    EXPECT_EQ(test.at("max_score"), 1);
    EXPECT_EQ(test.at("visibility"), "visible");
    EXPECT_EQ(test.at("output"), "right\nwrong: because all-at-once");
}

TEST_F(Graded, HowOftenWasTriedAndWhatWasShown) {
    PageProgress learnt, shown;
    learnt.answer = {{"3"}, {}};
    learnt.wrong = {{{"8"}, {}}, {{"4"}, {}}};
    learnt.tries = 5;
    learnt.hints = 2;
    shown.answer = {{"3"}, {}};
    shown.right = shown.given_up = true;
    shown.tries = 2;
    const ClassGrade table =
        graded({hand_in("Ada", answered("sum", learnt)), hand_in("Bob", answered("sum", shown))});
    EXPECT_EQ(table.students[0].tries, 5U);
    EXPECT_EQ(table.students[0].hints, 2U);
    EXPECT_THAT(text_of(table), HasSubstr("5 tries, 2 hints  "));
    EXPECT_THAT(csv_of(table), HasSubstr(",no,2\n"));
    EXPECT_EQ(table.students[0].first_tries, 0U);
    EXPECT_EQ(table.students[1].shown, 1U);
    EXPECT_EQ(table.students[1].marks[0], Mark::given_up);
}

TEST_F(Graded, WhoseAnswersTheyAreIsAsked) {
    PageProgress right, wrong;
    right.answer = {{"3"}, {}};
    wrong.answer = {{"4"}, {}};
    const fs::path copied = lesson_.folder().parent_path() / "copied.json";
    const fs::path nameless = lesson_.folder().parent_path() / "nameless.json";
    write_hand_in({"Bob", {answered("sum", right)}}, copied);
    write_hand_in({" ", {answered("sum", wrong)}}, nameless);
    const ClassGrade table = graded({hand_in("Ada", answered("sum", right)), copied, nameless});
    EXPECT_THAT(table.problems, testing::IsEmpty());
    ASSERT_EQ(table.doubts.size(), 2U);
    EXPECT_THAT(table.doubts[0].what_happened, HasSubstr("Ada.json"));
    EXPECT_EQ(table.doubts[0].where, copied.string());
    EXPECT_THAT(table.doubts[1].what_happened, HasSubstr("no name"));
    write_hand_in({"АННА", {answered("sum", wrong)}}, copied);
    const ClassGrade cases = graded({hand_in("Анна", answered("sum", right)), copied});
    ASSERT_EQ(cases.doubts.size(), 1U);
    EXPECT_THAT(cases.doubts[0].what_happened, HasSubstr("has the same name"));
}

}  // namespace

// What an author is told of a lesson.
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CheckedLesson checked(const std::string& text) {
    const TypedLesson lesson(text);
    return check_lesson(lesson.folder(), catalogue::shipped());
}

std::vector<std::string> texts(const CheckedLesson& lesson) {
    std::vector<std::string> all;
    for (const Problem& problem : lesson.problems)
        all.push_back(problem.where.substr(problem.where.find(':') + 1) + " " +
                      problem.what_happened);
    return all;
}

// 27 comes out when nobody chooses: that is a schedule, too.
TEST(Check, ASchedulePageMaybeSolvedInOrder) {
    for (const char* order : {"round-robin", "in-order", "reversed", "random:3", "1.0*2"})
        for (const char* ask :
             {"until: wrong\n", "until: result 27\n", "until: result 27\nmost: 3\n"}) {
            SCOPED_TRACE(std::string(order) + " " + ask);
            const CheckedLesson lesson =
                checked(page_with("```show\norder: " + std::string(order) +
                                  "\n```\n```ask schedule\n" + ask + "```\n"));
            EXPECT_THAT(texts(lesson), IsEmpty());
            EXPECT_THAT(lesson.pages.at(0).answer, HasSubstr("0.0*"));
        }
}

TEST(Check, WhereNothingSolvesAPageItSaysWhatCanComeOut) {
    const CheckedLesson lesson = checked(page_with("```ask schedule\nuntil: result 28\n```\n"));
    ASSERT_THAT(texts(lesson), ElementsAre("14:1 Nothing solves the page"));
    EXPECT_EQ(lesson.problems[0].hint, "What can come out: 41, 27 (wrong), 33 (wrong)");
    EXPECT_THAT(texts(checked(page_with("```ask schedule\nuntil: hang\n```\n"))),
                ElementsAre("14:1 Nothing solves the page"));
}

TEST(Check, OneMistakeIsSaidOnce) {
    EXPECT_THAT(texts(checked(page_with("- a\n- b\n```ask choose\noption: n == 3\n"
                                        "option: n == 4\n```\n"))),
                ElementsAre("16:1 No option is right"));
    for (const char* order : {"inorder", "1.0*x", "1-0*4"}) {
        const CheckedLesson lesson =
            checked(page_with("```show\norder: " + std::string(order) + "\n```\n"));
        ASSERT_EQ(lesson.problems.size(), 1U) << order;
        EXPECT_EQ(lesson.problems[0].where, "typed/lesson.md:15:8");
        EXPECT_THAT(lesson.problems[0].hint, HasSubstr("turns as 1.0*4 0.0*9"));
    }
}

TEST(Check, AnUnknownWordIsNamedByItsOwnLine) {
    EXPECT_THAT(texts(checked(page_with("One {n} and\ntwo `{code}`\n*three* {foo}.\n\n"
                                        "- an\n- {bar}\n\n"
                                        "```ask number\nvalue: n\n```\n"
                                        "```hint\na {sum}\n```\n"
                                        "```after\nb\n\nc\nd {baz}\n```\n"))),
                ElementsAre(HasSubstr("16:1 'foo'"), HasSubstr("19:1 'bar'"), HasSubstr("25:1"),
                            HasSubstr("31:1 'baz'")));
}

TEST(Check, ALessonThatItNeedsIsNamedByItsLine) {
    const CheckedLesson lesson =
        checked("---\ntitle: T\nminutes: 3\nneeds: nowhere\n---\n\n## P\nW.\n");
    EXPECT_THAT(texts(lesson),
                ElementsAre("4:1 There is no lesson 'nowhere' that this one could need"));
}

TEST(Check, ATableIsAMistake) {
    EXPECT_THAT(texts(checked(page_with("| a | b |\n|---|:-:|\n| 1 | 2 |\n\n"
                                        "a | b - c\n\n"
                                        "```after\nx\n\na | b\n--|--\n1 | 2\n```\n"))),
                ElementsAre("14:1 A page shows no table", "23:1 A page shows no table"));
}

// From that line on, as far as it is indented, and without that.
std::string indented(const std::string& text, const std::string& first) {
    std::string block;
    for (std::size_t at = text.find("    " + first); at != std::string::npos && at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        if (!line.empty() && !line.starts_with("    ")) break;
        block += line.substr(std::min<std::size_t>(4, line.size())) + "\n";
        at = end + 1;
    }
    return block;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

TEST(Check, ReasonsAreThreeAndOneIsRight) {
    const std::string ask = "```ask number\nvalue: passes\n```\n";
    const std::string wrong = "```reason zero-goes-first\nFirst {pass}.\n\nNo.\n```\n";
    const TypedLesson lesson(page_with(ask + wrong));
    EXPECT_THAT(texts(check_lesson(lesson.folder(), catalogue::shipped())),
                ElementsAre(HasSubstr("No reason is right"), HasSubstr("too few reasons"),
                            HasSubstr("'pass'")));
    const TypedLesson full(page_with(ask + "```reason a\nA.\n\nNo.\n```\n```reason b\nB.\n\nNo.\n"
                                           "```\n```reason right\nC.\n```\n"));
    const CheckedLesson result = check_lesson(full.folder(), catalogue::shipped());
    EXPECT_THAT(texts(result), IsEmpty());
    EXPECT_THAT(result.pages.at(0).reasons, ElementsAre("a", "b", "right"));
}

TEST(Check, TheEditOfTheDocumentationCanBeSolved) {
    const std::string docs = read_file(fs::path(LAB_SOURCE_DIR) / "docs" / "lessons.md");
    const std::string start = indented(docs, "/* title:    Two into one");
    const std::string mended =
        replaced(replaced(start, "races", "correct"), "    data[0] = COMBINE(data[0], data[1]);\n",
                 indented(docs, "    if (get_global_id(0) == 0)"));
    const TypedLesson lesson("---\ntitle: T\n---\n\n" + indented(docs, "## One item is enough"),
                             "en", {{"start.cl", start}, {"solution.cl", mended}});
    const CheckedLesson result = check_lesson(lesson.folder(), catalogue::shipped());
    EXPECT_THAT(texts(result), IsEmpty());
    EXPECT_EQ(result.pages.at(0).answer, "solution.cl");
}

using testing::HasSubstr;

class ProgressFiles : public testing::Test {
  protected:
    ProgressFiles() { ::setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1); }
    ~ProgressFiles() override { ::unsetenv("XDG_CONFIG_HOME"); }

    static Progress some() {
        Progress progress;
        progress.lesson = "03-two-groups";
        progress.page = "mend-it";
        PageProgress& page = progress.pages["mend-it"];
        page.answer = {{"kernel \"text\"\n\t\xc3\xa9"}, {3, 1}};
        page.right = true;
        page.tries = 3;
        page.answer.seed = 5;
        page.wrong = {{{"27"}, {}, "zero-goes-first"}, {{}, {0, ~std::uint64_t{0}}}};
        progress.pages["before"].skipped = true;
        progress.pages["given-up"].given_up = true;
        return progress;
    }

    TemporaryFolder folder_;
};

TEST_F(ProgressFiles, WhatIsSavedIsLoaded) {
    save_progress(some());
    std::optional<Problem> problem;
    EXPECT_EQ(load_progress("03-two-groups", problem), some());
    EXPECT_FALSE(problem);
    EXPECT_TRUE(some().done("mend-it"));
    EXPECT_TRUE(some().done("given-up"));
    EXPECT_FALSE(some().done("before"));
    EXPECT_FALSE(some().done("nowhere"));
    // Whole or not at all: nothing else lies beside it.
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(progress_file("x").parent_path()))
        files += entry.is_regular_file() ? 1 : 0;
    EXPECT_EQ(files, 1U);
}

TEST_F(ProgressFiles, WithoutAFileNothingIsAnswered) {
    std::optional<Problem> problem;
    const Progress none = load_progress("01-a-tree", problem);
    EXPECT_FALSE(problem);
    EXPECT_EQ(none.lesson, "01-a-tree");
    EXPECT_TRUE(none.pages.empty());
}

TEST_F(ProgressFiles, ADamagedFileIsKeptAndSaid) {
    for (const char* text :
         {"", "{", "[]", "{\"pages\": 3}", "{\"pages\": {\"a\": {\"tries\": []}}}", "\xff\xfe"}) {
        SCOPED_TRACE(text);
        const fs::path file = progress_file("damaged");
        write_file(file, text);
        std::optional<Problem> problem;
        const Progress progress = load_progress("damaged", problem);
        EXPECT_TRUE(progress.pages.empty());
        EXPECT_EQ(progress.lesson, "damaged");
        ASSERT_TRUE(problem);
        EXPECT_EQ(problem->where, file.string());
        EXPECT_FALSE(fs::exists(file));
        EXPECT_EQ(read_file(file.string() + ".damaged"), text);
        fs::remove(file.string() + ".damaged");
    }
}

TEST_F(ProgressFiles, AnOlderOrNewerVersionIsReadAsFarAsItIsKnown) {
    write_file(progress_file("old"),
               "{\"page\": \"a\", \"pages\": {\"a\": {\"right\": true, "
               "\"of tomorrow\": [1, 2]}}, \"more\": {}}");
    std::optional<Problem> problem;
    const Progress progress = load_progress("old", problem);
    EXPECT_FALSE(problem);
    EXPECT_TRUE(progress.done("a"));
    EXPECT_EQ(progress.pages.at("a").tries, 0U);
}

TEST_F(ProgressFiles, AHandInIsReadAsItWasWritten) {
    const fs::path file = folder_.path() / "mine.json";
    write_hand_in({"Zoë Müller", {some(), {}}}, file);
    const HandIn read = read_hand_in(file);
    EXPECT_EQ(read.name, "Zoë Müller");
    ASSERT_EQ(read.lessons.size(), 2U);
    EXPECT_EQ(read.lessons[0], some());
}

TEST_F(ProgressFiles, WhatIsNoHandInIsSaid) {
    const auto problem_of = [&](const std::string& text) {
        const fs::path file = folder_.path() / "x.json";
        write_file(file, text);
        try {
            (void)read_hand_in(file);
        } catch (const Problem& problem) {
            EXPECT_EQ(problem.where, file.string());
            EXPECT_FALSE(problem.hint.empty());
            return problem.what_happened;
        }
        return std::string("read");
    };
    EXPECT_EQ(problem_of("{}"), "This is no file of answers");
    EXPECT_EQ(problem_of("{\"reduction-lab\": \"moment\"}"), "This is no file of answers");
    EXPECT_EQ(problem_of("{\"reduction-lab\": \"answers\", \"version\": 2, \"lessons\": []}"),
              "The answers are of a newer version of Reduction Lab");
    EXPECT_EQ(problem_of("{\"reduction-lab\": \"answers\", \"version\": 1}"),
              "The answers cannot be read");
    EXPECT_EQ(problem_of("{\"reduction-lab\": \"answers\", \"lessons\": [{\"pages\": 7}]}"),
              "The answers cannot be read");
    EXPECT_EQ(problem_of("{\"reduction-lab\": 7}"), "The answers cannot be read");
    EXPECT_EQ(problem_of("[1, 2]"), "The answers cannot be read");
    EXPECT_EQ(problem_of("PK\x03\x04"), "The answers cannot be read");
    EXPECT_EQ(problem_of(std::string("\x7f"
                                     "ELF\0",
                                     5)),
              "This is no file of answers");
    EXPECT_EQ(problem_of(std::string(100000, '[')), "The answers cannot be read");
    EXPECT_EQ(problem_of("{\"reduction-lab\": \"answers\", \"lessons\": []}"), "read");
    EXPECT_THROW(read_hand_in(folder_.path() / "missing.json"), Problem);
}

}  // namespace
}  // namespace lab::lessons
