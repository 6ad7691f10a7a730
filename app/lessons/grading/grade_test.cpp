#include "lessons/grading/grade.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lessons/grading/check.h"
#include "lessons/grading/progress.h"
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
              "first try,answers shown,tries\n"
              "Ada,Ada.json,right,not reached,not reached,not reached,1,2,1,0,1\n");
}

TEST_F(Graded, HowOftenWasTriedAndWhatWasShown) {
    PageProgress learnt, shown;
    learnt.answer = {{"3"}, {}};
    learnt.wrong = {{{"8"}, {}}, {{"4"}, {}}};
    learnt.tries = 5;
    shown.answer = {{"3"}, {}};
    shown.right = shown.given_up = true;
    shown.tries = 2;
    const ClassGrade table =
        graded({hand_in("Ada", answered("sum", learnt)), hand_in("Bob", answered("sum", shown))});
    EXPECT_EQ(table.students[0].tries, 5U);
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
}

}  // namespace
}  // namespace lab::lessons
