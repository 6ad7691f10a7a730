// What a student may do to a kernel: right, wrong, and hostile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/typed_lesson.h"

namespace lab::lessons {
namespace {

using testing::HasSubstr;

// The page "Mend it" of lesson 3, whose files are real ones.
class Edited : public testing::Test {
  protected:
    Edited() {
        lesson_ = std::move(
            *read_lesson(shipped_lessons() / "03-two-groups", "en", catalogue::shipped()).lesson);
        runs_.emplace(Library{catalogue::shipped(), lesson_.folder});
        for (const Page& page : lesson_.pages)
            if (page.ask && page.ask->kind == Kind::edit) page_ = &page;
        start_ = read_file(lesson_.folder / "start.cl");
        solution_ = read_file(lesson_.folder / "solution.cl");
    }
    Feedback judged(const std::string& text) {
        return judge(*page_, question_of(*page_, *runs_), {{text}, {}}, *runs_);
    }
    // The student's text with this as its body.
    std::string with_body(const std::string& body) {
        const std::string header(header_of(start_));
        const auto open = start_.find('{', header.size());
        return start_.substr(0, open + 1) + "\n" + body + "\n}\n";
    }

    Lesson lesson_;
    std::optional<Runs> runs_;
    const Page* page_ = nullptr;
    std::string start_, solution_;
};

TEST_F(Edited, TheSolutionMeetsAllGoalsAndTheStartDoesNot) {
    EXPECT_TRUE(judged(solution_).right);
    EXPECT_EQ(judged(solution_).goals.size(), page_->ask->goals.size());
    const Feedback start = judged(start_);
    EXPECT_FALSE(start.right);
    EXPECT_EQ(start.goals, std::vector{false});
    // Which shape, and what came out: of the run that is shown beside it.
    EXPECT_EQ(start.message.key, "learn.wrong.result_shape");
    ASSERT_TRUE(start.failed);
    Facts& failed = runs_->facts(*start.failed);
    EXPECT_EQ(start.message.arguments.at("result"), failed.table().result);
    EXPECT_EQ(start.message.arguments.at("right"), failed.table().expected);
    EXPECT_NE(failed.table().result, failed.table().expected);
    EXPECT_TRUE(start.reply);
}

// What is right and which shapes are legal is not the student's to say.
TEST_F(Edited, AnotherHeaderChangesNothing) {
    const std::string body = start_.substr(header_of(start_).size());
    for (const std::string& header :
         {std::string("/* title: mine\nresult: data[1]\n*/\n"), std::string(), std::string("/**/"),
          std::string("/*\nbound: 1e9\n*/\n")}) {
        EXPECT_FALSE(judged(header + body).right) << header;
        EXPECT_TRUE(judged(header + solution_.substr(header_of(solution_).size())).right) << header;
    }
}

TEST_F(Edited, TextThatIsNoKernelHasAProblem) {
    for (const std::string& text :
         {std::string(), std::string("kernel"), std::string("kernel void f("), std::string("}"),
          std::string("/*"), std::string("\0\xff", 2), std::string(100000, '('),
          std::string(100000, '{'), std::string("#include \"/etc/passwd\"\n"),
          std::string("kernel void a() {}\nkernel void b() {}\n")}) {
        const Feedback feedback = judged(text);
        EXPECT_FALSE(feedback.right);
        EXPECT_TRUE(feedback.problem) << text.substr(0, 30);
    }
}

// The lines are those of the text with its header, which the window numbers likewise.
TEST_F(Edited, ErrorsHaveTheirPlaceAndSilenceWhatThePageSays) {
    std::string text = solution_;
    const auto at = text.rfind(';');
    text.erase(at, 1);
    const Feedback feedback = judged(text);
    ASSERT_FALSE(feedback.errors.empty());
    const auto line = static_cast<std::uint32_t>(
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    EXPECT_EQ(feedback.errors.front().line, line);
    EXPECT_FALSE(feedback.reply);
    EXPECT_FALSE(judged(with_body("data[n + 5] = 1;")).reply);
    EXPECT_FALSE(judged(with_body("while (true) { data[0] = data[0] + 1; }")).reply);
    EXPECT_FALSE(judged("").reply);
}

TEST_F(Edited, EachCheckHasNumbersOfItsOwn) {
    const Question question = question_of(*page_, *runs_);
    const Answer answer{{start_}, {}};
    std::set<std::string> results;
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
        EditInParts parts(*page_, question, answer, *runs_, seed);
        std::optional<Feedback> feedback;
        while (!feedback)
            feedback = parts.go_on();
        results.insert(feedback->message.arguments.at("right"));
    }
    EXPECT_EQ(results.size(), 4U);
}

TEST_F(Edited, WhatNeverEndsIsStopped) {
    for (const char* body : {"while (true) { }", "while (true) { data[0] = data[0] + 1; }",
                             "for (int i = 0; i < 2000000000; ++i) data[get_global_id(0)] += i;",
                             "while (data[0] != 12345) { barrier(CLK_GLOBAL_MEM_FENCE); }",
                             "if (get_local_id(0) == 0) barrier(CLK_GLOBAL_MEM_FENCE);"}) {
        const Feedback feedback = judged(with_body(body));
        EXPECT_FALSE(feedback.right) << body;
    }
}

TEST_F(Edited, HugeMemoryIsRefused) {
    for (const char* body : {"local int big[1000000000]; big[0] = 1; data[0] = big[0];",
                             "int big[100000000]; big[5] = 1; data[0] = big[5];"}) {
        const Feedback feedback = judged(with_body(body));
        EXPECT_FALSE(feedback.right) << body;
        EXPECT_TRUE(feedback.problem) << body;
    }
}

TEST_F(Edited, TheFirstGoalThatFailsIsNamed) {
    TypedLesson lesson(
        page_with("```show\nkernel: s.cl\ninput: 7,1,6,8,5,6,7,1\ngroup: 4\n```\n"
                  "```ask edit\nstart: s.cl\nsolution: s.cl\ngoal: faults == 0 for n=8 group=8\n"
                  "goal: barriers == 1 for n=8 group=8\n```\n```wrong goal 1\nx\n```\n"
                  "```wrong goal 2\nx\n```\n```wrong uses secret\nx\n```\n```wrong if stores > "
                  "9\nx\n```\n"),
        "en", {{"s.cl", start_}});
    const Page& page = lesson.page();
    const auto reply = [&](const std::string& body) {
        return judge(page, question_of(page, lesson.runs), {{with_body(body)}, {}}, lesson.runs)
            .reply;
    };
    EXPECT_EQ(reply("data[100000] = 1;"), std::nullopt);  // it breaks off, which is said
    EXPECT_EQ(reply("data[0] = 1;"), 1U);
    // Comments count as text: the word stands there.
    EXPECT_EQ(reply("data[0] = 1; // secret"), 1U);
}

TEST_F(Edited, OnlyBarriersMeansOnlyBarriers) {
    const std::string kernel = catalogue::shipped().find("local-tree").text;
    TypedLesson lesson(
        page_with("```show\nkernel: s.cl\ninput: 7,1,6,8,5,6,7,1\ngroup: 4\n```\n"
                  "```ask edit\nstart: s.cl\nsolution: s.cl\ngoal: n > 0 for n=8 group=4\n"
                  "limit: barriers\n```\n"),
        "en", {{"s.cl", kernel}});
    const Page& page = lesson.page();
    const auto judged_text = [&](std::string text) {
        return judge(page, question_of(page, lesson.runs), {{std::move(text)}, {}}, lesson.runs);
    };
    EXPECT_TRUE(judged_text(kernel).right);
    const auto brace = kernel.rfind('}');
    std::string more = kernel, other = kernel;
    more.insert(brace, "  barrier(CLK_LOCAL_MEM_FENCE); // one more\n");
    EXPECT_TRUE(judged_text(more).right);
    other.insert(brace, "  ; ;\n");
    EXPECT_FALSE(judged_text(other).right);
    EXPECT_EQ(judged_text(other).message.key, "learn.wrong.only_barriers");
}

}  // namespace
}  // namespace lab::lessons
