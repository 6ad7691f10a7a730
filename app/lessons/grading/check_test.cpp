// What an author is told of a lesson.
#include "lessons/grading/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/typed_lesson.h"

namespace lab::lessons {
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

}  // namespace
}  // namespace lab::lessons
