// Every kind of question, answered rightly and wrongly, and what is replied to expected mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lessons/grading/check.h"
#include "support/typed_lesson.h"

namespace lab::lessons {
namespace {

using Picks = std::vector<std::uint64_t>;

class Judged : public testing::Test {
  protected:
    // The page, with replies "r0", "r1", … in this order.
    TypedLesson lesson(const std::string& ask, const std::vector<std::string>& wrong = {}) {
        std::string text = ask;
        for (const std::string& what : wrong)
            text += "```wrong " + what + "\nx\n```\n";
        TypedLesson result(page_with(text));
        EXPECT_TRUE(result.problems().empty()) << result.problems().front();
        return result;
    }
    static std::optional<std::size_t> reply(TypedLesson& lesson, const Answer& answer) {
        const Feedback feedback = judged(lesson, answer);
        EXPECT_FALSE(feedback.right);
        return feedback.reply;
    }
    static Answer texts(std::vector<std::string> all) { return {std::move(all), {}}; }
    static Answer picks(Picks all) { return {{}, std::move(all)}; }
};

TEST_F(Judged, Cells) {
    auto page = lesson("```ask cells\nrow: pass 2\ncells: 0, 4\n```\n",
                       {"cell(1, 0) + cell(1, 1)", "19", ""});
    EXPECT_TRUE(judged(page, texts({"22", " 19 "})).right);
    EXPECT_TRUE(judged(page, texts({"22.0", "19"})).right);
    const Feedback one = judged(page, texts({"22", "18"}));
    EXPECT_FALSE(one.right);
    EXPECT_EQ(one.right_fields, (std::vector{true, false}));
    EXPECT_EQ(one.reply, 2U);
    EXPECT_EQ(reply(page, texts({"9", "19"})), 0U);   // 8 + 1
    EXPECT_EQ(reply(page, texts({"19", "19"})), 1U);  // 19, but in the other cell
    for (const Answer& none : {texts({"", "x"}), texts({}), texts({"22", "sum"})}) {
        EXPECT_FALSE(reply(page, none));
        EXPECT_TRUE(judged(page, none).no_try);
        EXPECT_EQ(judged(page, none).message.key, "learn.wrong.no_number");
    }
    auto all = lesson("```ask cells\nrow: pass 1\n```\n");
    EXPECT_TRUE(judged(all, texts({"8", "1", "14", "8", "11", "6", "8", "1"})).right);
    const Feedback bare = judged(all, texts({"8", "0", "14", "8", "11", "6", "8", "1"}));
    EXPECT_EQ(bare.message.key, "learn.wrong.cell");
    EXPECT_FALSE(bare.reply);
}

TEST_F(Judged, CellsThatAreClicked) {
    auto page = lesson("```show\norder: in-order\n```\n```ask cells\npick: missing\n```\n",
                       {"subset", "superset", "some"});
    EXPECT_TRUE(judged(page, picks({7, 5, 6})).right);
    EXPECT_EQ(reply(page, picks({5})), 0U);
    EXPECT_EQ(reply(page, picks({4, 5, 6, 7})), 1U);
    EXPECT_EQ(reply(page, picks({4, 5})), 2U);
    EXPECT_EQ(reply(page, picks({})), 0U);
}

TEST_F(Judged, Items) {
    auto page = lesson("```ask items\nrow: pass 2\nstate: active\n```\n", {"subset", "superset"});
    EXPECT_TRUE(judged(page, picks({0, 4})).right);
    EXPECT_EQ(reply(page, picks({0})), 0U);
    EXPECT_EQ(reply(page, picks({0, 2, 4})), 1U);
    const Feedback other = judged(page, picks({1, 99}));
    EXPECT_FALSE(other.reply);
    EXPECT_EQ(other.wrong, (std::set<std::uint64_t>{1, 99}));
    EXPECT_EQ(other.missing, (std::set<std::uint64_t>{0, 4}));
    EXPECT_EQ(other.message.key, "learn.wrong.item");
}

TEST_F(Judged, Numbers) {
    auto page = lesson("- a\n- b\n```ask number\nvalue: passes\nvalue: 1 / 3\n```\n", {"4", "n"});
    EXPECT_TRUE(judged(page, texts({"3", "0.333"})).right);
    EXPECT_TRUE(judged(page, texts({"3", "0,3334"})).right);  // a comma, and within 1 %
    EXPECT_EQ(reply(page, texts({"4", "0.333"})), 0U);
    EXPECT_EQ(reply(page, texts({"3", "8"})), 1U);
    EXPECT_FALSE(reply(page, texts({"3.01", "0.333"})));
    EXPECT_FALSE(reply(page, texts({"inf", "nan"})));
    EXPECT_FALSE(reply(page, texts({"0x3z", "3 3"})));
    EXPECT_EQ(judged(page, texts({"three", "0.333"})).message.key, "learn.wrong.no_number");
    EXPECT_TRUE(judged(page, texts({"6/2", "1/3"})).right);
    // A foreseen mistake fits as exactly as the answer has to.
    auto foreseen = lesson("```ask number\nvalue: 111.848\nwithin: 3%\n```\n", {"2^28 / 4800000"});
    for (const char* text : {"55.9", "55.92", "55.9240533", "56", "55,9"})
        EXPECT_EQ(reply(foreseen, texts({text})), 0U) << text;
    EXPECT_FALSE(reply(foreseen, texts({"60"})));
    auto thousands = lesson("```ask number\nvalue: 2048\n```\n");
    for (const char* text : {"2,048", "2 048", "2^11", "2*1024", "2Ki", "0x800", "2048,0"})
        EXPECT_TRUE(judged(thousands, texts({text})).right) << text;
    auto within = lesson("```ask number\nvalue: 100\nwithin: 5%\n```\n");
    EXPECT_TRUE(judged(within, texts({"104"})).right);
    EXPECT_FALSE(judged(within, texts({"106"})).right);
}

TEST_F(Judged, Options) {
    auto page = lesson(
        "- a\n- b\n- c\n```ask choose\noption: n == 8\noption: n == 9\noption: passes == 3\n```\n",
        {"option 2", "missing 1"});
    EXPECT_TRUE(question_of(page.page(), page.runs).several);
    EXPECT_TRUE(judged(page, picks({0, 2})).right);
    EXPECT_EQ(reply(page, picks({0, 1, 2})), 0U);
    EXPECT_EQ(reply(page, picks({2})), 1U);
    EXPECT_FALSE(reply(page, picks({0})));
    auto value = lesson("```ask choose\nvalue: result\nothers: 33, 27\n```\n", {"33", "27"});
    const Question question = question_of(value.page(), value.runs);
    EXPECT_FALSE(question.several);
    for (std::size_t i = 0; i < question.options.size(); ++i) {
        const std::string& text = question.options[i].text;
        EXPECT_EQ(judged(value, picks({i})).right, text == "41") << text;
        if (text == "33") {
            EXPECT_EQ(reply(value, picks({i})), 0U);
        }
        if (text == "27") {
            EXPECT_EQ(reply(value, picks({i})), 1U);
        }
    }
    auto kernels =
        lesson("```ask choose\nkernels: relaunch, span-modulo\nright: max(launches)\n```\n");
    EXPECT_TRUE(judged(kernels, picks({0})).right);
    EXPECT_FALSE(judged(kernels, picks({1})).right);
}

TEST_F(Judged, Results) {
    auto page = lesson("```ask results\n```\n", {"all offered", "subset", "superset", "some"});
    const Question question = question_of(page.page(), page.runs);
    Picks right, all, wrong;
    for (std::size_t i = 0; i < question.options.size(); ++i) {
        all.push_back(i);
        (question.options[i].right ? right : wrong).push_back(i);
    }
    ASSERT_EQ(right.size(), 3U);
    ASSERT_GE(wrong.size(), 2U);
    EXPECT_TRUE(judged(page, picks(right)).right);
    EXPECT_EQ(reply(page, picks(all)), 0U);
    EXPECT_EQ(reply(page, picks({right[0]})), 1U);
    EXPECT_EQ(reply(page, picks({right[0], right[1], right[2], wrong[0]})), 2U);
    EXPECT_EQ(reply(page, picks({right[0], wrong[0]})), 3U);
    // Picks that were never offered, as in a damaged file.
    auto bare = lesson("```ask results\n```\n");
    EXPECT_FALSE(judged(bare, picks({999})).right);
    EXPECT_FALSE(judged(bare, picks({~std::uint64_t{0}})).right);
}

TEST_F(Judged, Lines) {
    auto page =
        lesson("```show\norder: in-order\n```\n```ask line\nright: stale\n```\n", {"1", ""});
    const Question question = question_of(page.page(), page.runs);
    ASSERT_EQ(question.picks.size(), 1U);
    EXPECT_TRUE(judged(page, picks({*question.picks.begin()})).right);
    EXPECT_EQ(reply(page, picks({1})), 0U);
    EXPECT_EQ(reply(page, picks({2})), 1U);
    EXPECT_EQ(reply(page, {}), 1U);
    // By an expression of the line, and by where one barrier more ends the races.
    auto loads = lesson("```ask line\nright: loads(line) > 0\n```\n");
    EXPECT_FALSE(question_of(loads.page(), loads.runs).picks.empty());
    auto race = lesson("```ask line\nright: race\n```\n");
    const std::set<std::uint64_t> lines = question_of(race.page(), race.runs).picks;
    EXPECT_TRUE(lines.contains(*question.picks.begin()));
}

TEST_F(Judged, Schedules) {
    auto page = lesson("```ask schedule\nuntil: result 33\n```\n", {"41", ""});
    const Question question = question_of(page.page(), page.runs);
    const Answer right = right_answer(page.page(), question, page.runs);
    const Feedback feedback = judged(page, right);
    EXPECT_TRUE(feedback.right);
    EXPECT_EQ(feedback.result, "33");
    std::map<std::string, std::string> turns_to;  // each result
    for (const analysis::PossibleResult& each :
         page.runs.facts(page.page().show).shortest_outcomes().results)
        turns_to[each.ending.result] = machine::text_of(each.turns);
    ASSERT_EQ(turns_to.size(), 3U);
    EXPECT_TRUE(judged(page, texts({turns_to["33"]})).right);
    EXPECT_EQ(reply(page, texts({turns_to["41"]})), 0U);
    EXPECT_EQ(reply(page, texts({turns_to["27"]})), 1U);
    for (const char* turns : {"", "9.9", "x", "0.0*99999999999999999999", "0.0*-1", "0.0*1e9"})
        EXPECT_FALSE(judged(page, texts({turns})).right) << turns;
    auto few = lesson("```ask schedule\nuntil: result 33\nmost: 2\n```\n");
    EXPECT_FALSE(judged(few, texts({turns_to["33"]})).right);
    EXPECT_EQ(judged(few, texts({turns_to["33"]})).message.key, "learn.wrong.too_many_actions");
    // What goes in order by itself nobody has to choose, though the turns name it.
    auto none =
        lesson("```show\norder: reversed\n```\n```ask schedule\nuntil: wrong\nmost: 0\n```\n");
    EXPECT_TRUE(judged(none, texts({""})).right);
    EXPECT_TRUE(judged(none, texts({"0.0*12 1.0*9"})).right);
    EXPECT_FALSE(judged(none, texts({turns_to["33"]})).right);
    auto ends = lesson("```ask schedule\nuntil: right\n```\n");
    EXPECT_TRUE(judged(ends, texts({turns_to["41"]})).right);
    EXPECT_FALSE(judged(ends, texts({turns_to["27"]})).right);
}

TEST_F(Judged, Measurements) {
    Measured measured;
    measured.seconds = {{"relaunch", 3e-3}, {"span-modulo", 1e-3}};
    auto ratio =
        lesson("```ask measure\nkernels: relaunch, span-modulo\nn: 2^20\npredict: ratio\n```\n");
    EXPECT_TRUE(judged(ratio, texts({"3"}), &measured).right);
    EXPECT_TRUE(judged(ratio, texts({"2.1"}), &measured).right);
    EXPECT_FALSE(judged(ratio, texts({"1.9"}), &measured).right);
    EXPECT_FALSE(judged(ratio, texts({"0"}), &measured).right);
    EXPECT_FALSE(judged(ratio, texts({"-3"}), &measured).right);
    EXPECT_FALSE(judged(ratio, texts({"3"})).right);  // not measured
    auto order =
        lesson("```ask measure\nkernels: relaunch, span-modulo\nn: 2^20\npredict: order\n```\n");
    EXPECT_TRUE(judged(order, texts({"span-modulo", "relaunch"}), &measured).right);
    EXPECT_FALSE(judged(order, texts({"relaunch", "span-modulo"}), &measured).right);
    auto share = lesson("```ask measure\ntrials: 1000\npredict: share\n```\n");
    const auto choice = [&](std::uint64_t right) {
        measured.right = right;
        measured.runs = 1000;
        for (std::uint64_t i = 0; i < 4; ++i)
            if (judged(share, picks({i}), &measured).right) return static_cast<int>(i);
        return -1;
    };
    EXPECT_EQ(choice(1000), 0);
    EXPECT_EQ(choice(999), 1);
    EXPECT_EQ(choice(500), 2);
    EXPECT_EQ(choice(0), 3);
}

TEST_F(Judged, SentencesAreNotGraded) {
    auto page = lesson("```ask reflect\n```\n");
    EXPECT_FALSE(question_of(page.page(), page.runs).graded);
    EXPECT_TRUE(judged(page, texts({"anything"})).right);
}

TEST_F(Judged, WordsAreFilledIn) {
    auto page = lesson(
        "```ask results\n```\n```after\n{answer}; {the results}; {the wrong results}; "
        "{passes} `{passes}` {line 24} {device} {pases} {n\n```\n");
    const Question question = question_of(page.page(), page.runs);
    std::vector<Problem> problems;
    const std::string text = plain_text(filled(
        page.page().after, {page.page().show, page.runs, &question, nullptr, nullptr}, &problems));
    EXPECT_THAT(text, testing::HasSubstr("27, 33, 41; 41, "));
    EXPECT_THAT(text, testing::HasSubstr("; 3 {passes} "));  // in code braces stay braces
    EXPECT_THAT(text, testing::HasSubstr(" – {pases} {n"));
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].hint, "Is it passes?");
}

}  // namespace
}  // namespace lab::lessons
