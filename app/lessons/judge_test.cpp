// Every kind of question, answered rightly and wrongly, and what is replied to expected mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/ranges.h"
#include "lessons/grade.h"
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
    // Where one is right, that is not told.
    auto one = lesson("- a\n- b\n```ask choose\noption: n == 8\noption: n == 9\n```\n");
    EXPECT_TRUE(question_of(one.page(), one.runs).several);
    EXPECT_TRUE(judged(one, picks({0})).right);
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
    auto tie = lesson("```ask choose\nkernels: relaunch, span-modulo\nright: max(n)\n```\n");
    EXPECT_TRUE(judged(tie, picks({0})).right);
    EXPECT_TRUE(judged(tie, picks({1})).right);
    EXPECT_FALSE(judged(tie, picks({})).right);
    EXPECT_EQ(right_answer(tie.page(), question_of(tie.page(), tie.runs), tie.runs), picks({0}));
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

// What a work-item does, step after step; one step is as good as another of the same line.
TEST_F(Judged, Orders) {
    auto page = lesson("```ask order\nitem: 2\nof: stores, barriers\n```\n", {""});
    const Question question = question_of(page.page(), page.runs);
    std::vector<std::string> right;
    for (const std::uint64_t pick : question.order)
        right.push_back(question.options[pick].name);
    EXPECT_THAT(right, testing::ElementsAre("24", "28", "28", "28"));
    EXPECT_EQ(question.answer, "24, 28, 28, 28");
    EXPECT_EQ(right_answer(page.page(), question, page.runs), picks(question.order));
    EXPECT_TRUE(judged(page, picks(question.order)).right);
    const auto [store, one, two, three] =
        std::tuple(question.order[0], question.order[1], question.order[2], question.order[3]);
    EXPECT_TRUE(judged(page, picks({store, three, one, two})).right);
    const Feedback early = judged(page, picks({one, store, two, three}));
    EXPECT_FALSE(early.right);
    EXPECT_EQ(early.wrong, std::set{one});  // the first that is out of place
    EXPECT_EQ(early.reply, 0U);
    EXPECT_EQ(reply(page, picks({store, one, two})), 0U);
    EXPECT_EQ(reply(page, picks({store, one, two, three, 999})), 0U);
    auto bare = lesson("```ask order\nlines: 24-28\n```\n");
    Picks reversed = question_of(bare.page(), bare.runs).order;
    std::reverse(reversed.begin(), reversed.end());
    EXPECT_EQ(judged(bare, picks(reversed)).message.key, "learn.wrong.order");
    for (const char* ask : {"item: 99\n", "item: -1\n", "lines: 1\n", "of: barriers\n"}) {
        auto none = lesson(std::string("```ask order\n") + ask + "```\n");
        EXPECT_THROW(question_of(none.page(), none.runs), Problem) << ask;
    }
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

// The fewest turns that do are worked out, and the student's counted without those that go in order
// by themselves.
TEST_F(Judged, SchedulesHaveAPar) {
    auto page =
        lesson("```show\norder: in-order\n```\n```ask schedule\nuntil: right\npar: 1\n```\n");
    EXPECT_EQ(fewest_turns(page.page(), page.runs).value().size(), 1U);
    const Question question = question_of(page.page(), page.runs);
    EXPECT_FALSE(fault_of(page.page(), question, page.runs));
    const auto turns = [&](const std::string& text) {
        const Feedback feedback = judged(page, texts({text}));
        EXPECT_TRUE(feedback.right) << text;
        EXPECT_EQ(feedback.message.key, "learn.turns");
        EXPECT_EQ(feedback.message.arguments.at("par"), "1");
        return feedback.message.arguments.at("turns");
    };
    const std::string best = right_answer(page.page(), question, page.runs).texts.front();
    EXPECT_EQ(turns(best), "1");
    const Show show = answered_show(page.page(), texts({best}));
    const auto whole = machine::turns_of(page.runs.facts(show).run().run->trace());
    EXPECT_EQ(turns(in_a_line(whole)), "1");
    EXPECT_EQ(turns("1.0 0.0 1.0*8"), "3");
    auto two =
        lesson("```show\norder: in-order\n```\n```ask schedule\nuntil: right\npar: 2\n```\n");
    const auto fault = fault_of(two.page(), question_of(two.page(), two.runs), two.runs);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->what_happened, "The page is solved in 1 turn, not 2");
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
    EXPECT_TRUE(judged(order, picks({1, 0}), &measured).right);
    EXPECT_FALSE(judged(order, picks({0, 1}), &measured).right);
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

// Any row will do with which the run is as asked. The page's own kernel races whatever they are.
TEST_F(Judged, RowsOfNumbers) {
    auto page =
        lesson("```ask input\ngoal: result < 20\ngoal: right == 10\nsolution: 1,2,3,4\n```\n",
               {"goal 2", "if result > 30"});
    const Question question = question_of(page.page(), page.runs);
    EXPECT_EQ(question.answer, "1,2,3,4");
    EXPECT_TRUE(judged(page, right_answer(page.page(), question, page.runs)).right);
    EXPECT_TRUE(judged(page, texts({"4, 3,2,1"})).right);
    EXPECT_TRUE(judged(page, texts({"3,0,\xef\xbc\x8d"
                                    "1,8"}))
                    .right);
    EXPECT_EQ(reply(page, texts({"1,2,3,5"})), 0U);
    EXPECT_EQ(reply(page, texts({"10,20,30,40"})), 1U);
    const Feedback bare = judged(page, texts({"9,9,1,2"}));
    EXPECT_FALSE(bare.reply);
    EXPECT_EQ(bare.message.arguments.at("goal"), "result < 20");
    EXPECT_EQ(bare.goals, (std::vector{false, false}));
    for (const char* none : {"", "1,", "a,b", "1;2", "random:7", "@file"})
        EXPECT_TRUE(judged(page, texts({none})).no_try) << none;
    std::string long_row = "1";
    for (int i = 0; i < 64; ++i)
        long_row += ",1";
    EXPECT_TRUE(judged(page, texts({long_row})).no_try);
    // A row that the kernel does not take is wrong, and it is said why.
    auto halves = lesson("```ask input\ngoal: faults > 0\nsolution: 1\n```\n");
    EXPECT_FALSE(judged(halves, texts({"1,2"})).right);
    for (const char* wrong :
         {"```ask input\ngoal: races > 0\n```\n", "```ask input\nsolution: 1\n```\n",
          "```ask input\ngoal: races > 0 for n=4\nsolution: 1\n```\n",
          "```ask input\ngoal: races > 0\nsolution: 1\n```\n```wrong 5\nx\n```\n"})
        EXPECT_EQ(TypedLesson(page_with(wrong)).problems().size(), 1U) << wrong;
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

TEST_F(Judged, AnOptionHasItsWordsFilledIn) {
    auto page = lesson(
        "- {input(0)} first\n- {input(1)} first\n\n"
        "```ask choose\noption: input(0) == 7\noption: input(1) == 7\n```\n");
    const Question question = question_of(page.page(), page.runs);
    ASSERT_EQ(question.options.size(), 2U);
    EXPECT_EQ(question.options[1].text, "1 first");
    EXPECT_EQ(question.answer, "7 first");
}

}  // namespace

// What a student may do to a kernel: right, wrong, and hostile.
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

// Of the lines in order on a page of lesson 9 equal ones may change places, and no others.
TEST(LinesInOrder, AreJudgedAsTheKernelThatTheyMake) {
    const Lesson lesson = std::move(
        *read_lesson(shipped_lessons() / "09-write-your-own", "en", catalogue::shipped()).lesson);
    Runs runs({catalogue::shipped(), lesson.folder});
    const Page& page = lesson.pages.at(1);
    ASSERT_EQ(page.id, "lines-in-order");
    const Question question = question_of(page, runs);
    EXPECT_EQ(question.picked, Picked::order);
    EXPECT_LT(question.order.size(), question.options.size());
    const auto judged = [&](const std::vector<std::uint64_t>& picks) {
        const std::string text = arranged(page, question, picks, runs.library());
        EXPECT_EQ(header_of(text), header_of(arranged(page, question, {}, runs.library())));
        return judge(page, question, {{text}, picks}, runs);
    };
    EXPECT_TRUE(judged(question.order).right);
    EXPECT_TRUE(judge(page, question, right_answer(page, question, runs), runs).right);
    for (std::size_t i = 0; i + 1 < question.order.size(); ++i)
        for (std::size_t k = i + 1; k < question.order.size(); ++k) {
            std::vector<std::uint64_t> swapped = question.order;
            std::swap(swapped[i], swapped[k]);
            const bool same = question.options[question.order[i]].text ==
                              question.options[question.order[k]].text;
            EXPECT_EQ(judged(swapped).right, same) << i << " and " << k;
        }
    for (std::uint64_t option = 0; option < question.options.size(); ++option)
        if (!contains(question.order, option)) {
            std::vector<std::uint64_t> more = question.order;
            more.push_back(option);
            EXPECT_FALSE(judged(more).right) << question.options[option].text;
        }
    EXPECT_FALSE(judged({}).right);
}

TEST(LinesInOrder, HaveAllThatTheSolutionNeeds) {
    const std::string body = read_file(shipped_lessons() / "09-write-your-own/in_order_start.cl");
    std::string other = read_file(shipped_lessons() / "09-write-your-own/in_order_solution.cl");
    other.replace(other.find("lid < 4"), 7, "lid < 3");
    const auto problem = [&](const char* lines) {
        TypedLesson lesson(
            "## P\nW.\n\n```show\nkernel: start.cl\nn: 8\ngroup: 8\n```\n```ask edit\n"
            "start: start.cl\nsolution: solution.cl\ngoal: is_right\nlines: " +
                std::string(lines) + "\n```\n",
            "en", {{"start.cl", body}, {"solution.cl", other}});
        return thrown_by([&] { (void)question_of(lesson.page(), lesson.runs); });
    };
    ASSERT_TRUE(problem("20-28") && problem("20-99"));
    EXPECT_EQ(problem("20-28")->what_happened, "Line 22 of the solution is not offered");
    EXPECT_EQ(problem("20-99")->what_happened, "There are no lines 20-99");
}

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

// Four lanes in lockstep hide what a missing barrier does, and OpenCL promises no lockstep.
TEST_F(Edited, WhatCanComeOutIsJudgedWithIndependentItems) {
    const std::string kernel = catalogue::shipped().find("local-tree").text;
    const auto right = [&](const std::string& goal, const std::string& toggles) {
        TypedLesson lesson(
            page_with("```show\nkernel: s.cl\ninput: 7,1,6,8,5,6,7,1\ngroup: 8\nset: ITEMS=1" +
                      toggles + "\n```\n```ask edit\nstart: s.cl\nsolution: s.cl\ngoal: " + goal +
                      "\n```\n"),
            "en", {{"s.cl", kernel}});
        const Page& page = lesson.page();
        return judge(page, question_of(page, lesson.runs), {{kernel}, {}}, lesson.runs).right;
    };
    const std::string off = ", BARRIER_LOOP=off";
    EXPECT_TRUE(right("results == 1 for n=8", ""));
    EXPECT_FALSE(right("results == 1 for n=8", off));
    EXPECT_FALSE(right("wrong_results == 0 for n=8", off));
    EXPECT_TRUE(right("results == 1 for n=8 lanes=8", off));
}

// A range comes to each of its sizes: n = 5 and 6 are the first that this one gets wrong.
TEST_F(Edited, AGoalMayNameEverySizeOfARange) {
    TypedLesson lesson(page_with("```show\nkernel: span-halving\ninput: random:1\nn: 8\ngroup: 8\n"
                                 "```\n```ask edit\nstart: s.cl\nsolution: s.cl\n"
                                 "goal: n < 7 for n=3..8 group=8\n```\n"),
                       "en", {{"s.cl", catalogue::shipped().find("span-modulo").text}});
    const Page& page = lesson.page();
    const Feedback feedback =
        judge(page, question_of(page, lesson.runs),
              {{catalogue::shipped().find("span-modulo").text}, {}}, lesson.runs);
    EXPECT_FALSE(feedback.right);
    EXPECT_EQ(feedback.message.arguments.at("shape"), "n = 7, group = 8");
    EXPECT_THAT(text_of(page.ask->goals.front(), Translations("en")),
                HasSubstr("n = 3..8; group = 8"));
    EXPECT_THAT(TypedLesson(page_with("```ask edit\nstart: s.cl\nsolution: s.cl\n"
                                      "goal: n > 0 for n=1..1000 group=8\n```\n"))
                    .problems()
                    .front(),
                HasSubstr("too long"));
}

// A barrier that stands twice is needless; one that all need is not.
TEST_F(Edited, NeedlessBarriersAreCounted) {
    const std::string once = catalogue::shipped().find("local-tree").text;
    const std::string line = "        barrier(CLK_LOCAL_MEM_FENCE);\n";
    ASSERT_NE(once.find(line), std::string::npos);
    const std::string twice = std::string(once).insert(once.find(line), line);
    TypedLesson lesson(page_with("```show\nkernel: s.cl\ninput: 7,1,6,8\ngroup: 4\n```\n"
                                 "```ask edit\nstart: s.cl\nsolution: t.cl\n"
                                 "goal: needless_barriers == 0\n```\n"),
                       "en", {{"s.cl", twice}, {"t.cl", once}});
    const Page& page = lesson.page();
    const auto right = [&](const std::string& text) {
        return judge(page, question_of(page, lesson.runs), {{text}, {}}, lesson.runs).right;
    };
    EXPECT_FALSE(right(twice));
    EXPECT_TRUE(right(once));
    // Where it races anyway, nobody knows of the other that stands twice.
    const std::string load = "\n" + line.substr(4);
    std::string racy = std::string(once).replace(once.find(line), line.size(), "");
    ASSERT_NE(racy.find(load), std::string::npos);
    racy.insert(racy.find(load), load);
    EXPECT_FALSE(right(racy));
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

// Kernels that come to the right result by another way than the page asks for, and such as do what
// it asks: each page takes these and refuses those.
namespace {

struct Attempt {
    const char* lesson;
    const char* page;
    bool right;
    const char* what;
    const char* text;  // without its header
};

const Attempt kAttempts[] = {
    {"02-the-loop", "a-second-if", false, "a constant", R"(
kernel void reduce(global T* data, const uint n) {
    const uint id = get_global_id(0);
    if (id % 2 == 0) data[id] = COMBINE(data[id], data[id + 1]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (id == 0) data[0] = 22;
})"},
    {"02-the-loop", "a-second-if", true, "as asked", R"(
kernel void reduce(global T* data, const uint n) {
    const uint id = get_global_id(0);
    if (id % 2 == 0) data[id] = COMBINE(data[id], data[id + 1]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (id % 4 == 0) data[id] = COMBINE(data[id], data[id + 2]);
})"},
    {"02-the-loop", "mend-it", false, "item 0 adds the pairs", R"(
kernel void reduce(global T* data, const uint n) {
    const uint id = get_global_id(0);
    if (id < n / 2) data[2 * id] = COMBINE(data[2 * id], data[2 * id + 1]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (id == 0)
        for (uint i = 2; i < n; i += 2) data[0] = COMBINE(data[0], data[i]);
})"},
    {"03-two-groups", "mend-it", false, "a table behind a pretended tree", R"(
kernel void reduce(global T* data, const uint n, global T* out) {
    const uint id = get_global_id(0);
    local T scratch[64];
    if (id < n) scratch[get_local_id(0)] = COMBINE(data[id], data[id]);
    if (id == 0) out[0] = n == 8 ? 41 : n == 16 ? 880 : 50612;
})"},
    {"03-two-groups", "mend-it", false, "item 0 alone", R"(
kernel void reduce(global T* data, const uint n, global T* out) {
    const uint id = get_global_id(0);
    local T scratch[64];
    if (id < n) scratch[get_local_id(0)] = COMBINE(data[id], data[id]);
    T sum = 0;
    for (uint i = 0; id == 0 && i < n; ++i) sum = COMBINE(sum, data[i]);
    if (id == 0) out[0] = sum;
})"},
    {"03-two-groups", "mend-it", false, "group 0 alone, by a tree", R"(
kernel void reduce(global T* data, const uint n, global T* out) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    local T mine[64];
    mine[lid] = 0;
    if (get_group_id(0) == 0)
        for (uint i = lid; i < n; i += L) mine[lid] = COMBINE(mine[lid], data[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) mine[lid] = COMBINE(mine[lid], mine[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_global_id(0) == 0) out[0] = mine[0];
})"},
    {"03-two-groups", "mend-it", true, "a tree in each group, then an atomic", R"(
kernel void reduce(global T* data, const uint n, global T* out) {
    const uint id = get_global_id(0), lid = get_local_id(0);
    for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
        if (lid < s && id + s < n) data[id] = COMBINE(data[id], data[id + s]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (lid == 0 && id < n) atomic_add(out, data[id]);
})"},
    {"04-many-groups", "write-the-exchange", false, "the formula of a ramp", R"(
kernel void reduce(global const float* in, const uint n, global float* out, local float* buf) {
    const uint lid = get_local_id(0);
    buf[lid] = in[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) atomic_xchg((volatile global uint*)out, as_uint(n * (n + 1) / 2.0f + 0 * buf[0]));
})"},
    {"04-many-groups", "write-the-exchange", false, "group 0 alone, by a tree", R"(
kernel void reduce(global const float* in, const uint n, global float* out, local float* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    float mine = 0;
    for (uint i = lid; get_group_id(0) == 0 && i < n; i += L) mine += in[i];
    buf[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] += buf[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid != 0) return;
    if (get_group_id(0) == 0)
        atomic_xchg((volatile global uint*)out, as_uint(buf[0]));
    else
        atomic_or((volatile global uint*)out, 0);
})"},
    {"06-a-barrier-for-all", "mend-the-second-barrier", false, "nobody waits", R"(
kernel void rounds(volatile global T* cells, const uint n, volatile global uint* come) {
    if (get_local_id(0) == 0) {
        atomic_inc(come);
        atomic_inc(come);
    }
    cells[get_global_id(0)] = 9;
})"},
    {"06-a-barrier-for-all", "mend-the-second-barrier", false, "waits, and writes what is right",
     R"(
kernel void rounds(volatile global T* cells, const uint n, volatile global uint* come) {
    if (get_local_id(0) == 0) {
        atomic_inc(come);
        atomic_inc(come);
        while (atomic_or(come, 0) < 2 * get_num_groups(0)) ;
    }
    cells[get_global_id(0)] = 9;
})"},
    {"07-the-ladder", "mend-step-5", false, "item 0 adds all of its group", R"(
kernel void reduce(global const T* in, const ulong n, global T* out, volatile local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    const ulong i = get_group_id(0) * 2UL * L + lid;
    T sum = i < n ? in[i] : IDENTITY;
    if (i + L < n) sum = COMBINE(sum, in[i + L]);
    buf[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid != 0) return;
    T all = IDENTITY;
    for (uint k = 0; k < L; ++k) all = COMBINE(all, buf[k]);
    out[get_group_id(0)] = all;
})"},
    {"09-write-your-own", "one-group", false, "a formula", R"(
kernel void reduce(global const T* in, const uint n, global T* out, local T* buf) {
    const uint lid = get_local_id(0);
    buf[lid] = lid;
    for (uint k = 0; k < 20; ++k) buf[lid] = COMBINE(buf[lid], 1);
    if (lid == 0) out[0] = n * (n + 1) / 2;
})"},
    {"09-write-your-own", "one-group", false, "every item adds all", R"(
kernel void reduce(global const T* in, const uint n, global T* out, local T* buf) {
    const uint lid = get_local_id(0);
    buf[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    T all = 0;
    for (uint k = 0; k < n; ++k) all = COMBINE(all, buf[k]);
    if (lid == 0) out[0] = all;
})"},
    {"09-write-your-own", "one-group", true, "from the other end", R"(
kernel void reduce(global const T* in, const uint n, global T* out, local T* buf) {
    const uint lid = get_local_id(0);
    buf[lid] = in[n - 1 - lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < n; s *= 2) {
        if (lid % (2 * s) == 0) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[0] = buf[0];
})"},
    {"09-write-your-own", "one-launch", false, "the last group waits", R"(
kernel void reduce(global const T* in, const ulong n, volatile global T* totals,
                   volatile global uint* done, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0), groups = get_num_groups(0);
    const ulong i = get_global_id(0);
    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid != 0) return;
    totals[get_group_id(0)] = buf[0];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    uint come = atomic_inc(done) + 1;
    if (get_group_id(0) != groups - 1) return;
    while (come < groups) come = atomic_or(done, 0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    T sum = IDENTITY;
    for (uint g = 0; g < groups; ++g) sum = COMBINE(sum, totals[g]);
    out[0] = sum;
})"},
    {"09-write-your-own", "one-launch", false, "the last group does all of it", R"(
kernel void reduce(global const T* in, const ulong n, volatile global T* totals,
                   volatile global uint* done, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0), groups = get_num_groups(0);
    local uint ticket;
    if (lid == 0) ticket = atomic_inc(done);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ticket != groups - 1) return;
    T mine = IDENTITY;
    for (ulong i = lid; i < n; i += L) mine = COMBINE(mine, in[i]);
    buf[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[0] = buf[0];
})"},
    {"10-find-the-bug", "kernel-a-second-look", false,
     "item 0 adds all, and uses local memory for show",
     R"(
kernel void reduce(global const T* in, const ulong n, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    const ulong first = get_group_id(0) * (ulong)L;
    if (lid != 0) return;
    T all = IDENTITY;
    for (ulong i = first; i < n && i < first + L; ++i) all = COMBINE(all, in[i]);
    buf[0] = all;
    out[get_group_id(0)] = buf[0];
})"},
    {"10-find-the-bug", "kernel-a-second-look", true, "the upper half to the lower one", R"(
kernel void reduce(global const T* in, const ulong n, global T* out, local T* buf) {
    const ulong i = get_global_id(0);
    const uint lid = get_local_id(0), L = get_local_size(0);
    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[get_group_id(0)] = buf[0];
})"},
    {"10-find-the-bug", "kernel-b-third-look", false, "item 0 adds all", R"(
kernel void reduce(global const T* in, const uint n, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    if (lid != 0) return;
    T all = IDENTITY;
    for (uint i = 0; i < n; ++i) all = COMBINE(all, in[i]);
    buf[0] = all;
    out[0] = buf[0];
})"},
    {"10-find-the-bug", "kernel-b-third-look", true, "as many turns for all", R"(
kernel void reduce(global const T* in, const uint n, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    buf[lid] = IDENTITY;
    for (uint first = 0; first < n; first += L) {
        if (first + lid < n) buf[lid] = COMBINE(buf[lid], in[first + lid]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[0] = buf[0];
})"},
    {"10-find-the-bug", "kernel-b-third-look", true, "a private sum", R"(
kernel void reduce(global const T* in, const uint n, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    T mine = IDENTITY;
    for (uint i = lid; i < n; i += L) mine = COMBINE(mine, in[i]);
    buf[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[0] = buf[0];
})"},
    {"10-find-the-bug", "kernel-c-second-look", true, "no barrier for the last pass", R"(
kernel void reduce(global const T* in, const ulong n, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    const ulong i = get_global_id(0);
    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        if (s > 1) barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[get_group_id(0)] = buf[0];
})"},
    {"10-find-the-bug", "kernel-d-third-look", false, "every item adds all", R"(
kernel void reduce(global const T* in, const ulong n, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    const ulong i = get_global_id(0);
    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    T all = IDENTITY;
    for (uint k = 0; k < L; ++k) all = COMBINE(all, buf[k]);
    if (lid == 0) out[get_group_id(0)] = all;
})"},
    {"10-find-the-bug", "kernel-d-third-look", true, "the power of two first", R"(
kernel void reduce(global const T* in, const ulong n, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    const ulong i = get_global_id(0);
    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint p = 1;
    while (2 * p < L) p *= 2;
    for (uint s = p; s > 0; s /= 2) {
        if (lid < s && lid + s < L) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[get_group_id(0)] = buf[0];
})"},
    {"10-find-the-bug", "kernel-e-second-look", true, "no look", R"(
kernel void reduce(global const T* in, const uint n, volatile global T* out) {
    const uint i = get_global_id(0);
    if (i < n) atomic_max(out, in[i]);
})"},
    {"10-find-the-bug", "kernel-e-second-look", false, "a fence before the look", R"(
kernel void reduce(global const T* in, const uint n, volatile global T* out) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    if (in[i] > *out) atomic_max(out, in[i]);
})"},
    {"10-find-the-bug", "kernel-e-second-look", true, "a maximum with the least", R"(
kernel void reduce(global const T* in, const uint n, volatile global T* out) {
    const uint i = get_global_id(0);
    if (i < n && atomic_max(out, IDENTITY) < in[i]) atomic_max(out, in[i]);
})"},
    {"10-find-the-bug", "kernel-e-second-look", false, "item 0 alone", R"(
kernel void reduce(global const T* in, const uint n, volatile global T* out) {
    if (get_global_id(0) != 0) return;
    T all = in[0];
    for (uint i = 1; i < n; ++i) all = COMBINE(all, in[i]);
    atomic_max(out, all);
})"},
    {"10-find-the-bug", "kernel-e-second-look", false, "item 0 for all, the others only look", R"(
kernel void reduce(global const T* in, const uint n, volatile global T* out) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    if (i == 0) for (uint k = 0; k < n; ++k) atomic_max(out, in[k]);
    else atomic_or(out, 0);
})"},
    {"10-find-the-bug", "kernel-f-second-look", false, "a zero to start from", R"(
kernel void reduce(global const T* in, const ulong n, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    const ulong i = get_global_id(0);
    buf[lid] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[get_group_id(0)] = buf[0];
})"},
    {"10-find-the-bug", "kernel-g-second-look", false, "a barrier more", R"(
kernel void reduce(volatile global T* data, const uint n, const uint span, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0), i = get_global_id(0);
    const uint left = (n + span - 1) / span;
    buf[lid] = i < left ? data[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (lid == 0) data[get_group_id(0)] = buf[0];
})"},
    {"10-find-the-bug", "kernel-g-second-look", false, "item 0 adds all", R"(
kernel void reduce(volatile global T* data, const uint n, const uint span, local T* buf) {
    if (get_global_id(0) != 0 || span != 1) return;
    buf[0] = data[0];
    for (uint i = 1; i < n; ++i) buf[0] = COMBINE(buf[0], data[i]);
    data[0] = buf[0];
})"},
    {"10-find-the-bug", "kernel-i-second-look", false,
     "item 0 adds all, and uses local memory for show",
     R"(
kernel void reduce(global const T* in, const ulong n, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    const ulong first = get_group_id(0) * (ulong)L;
    if (lid != 0) return;
    T all = IDENTITY;
    for (ulong i = first; i < n && i < first + L; ++i) all = COMBINE(all, in[i]);
    buf[0] = all;
    out[get_group_id(0)] = buf[0];
})"},
    {"10-find-the-bug", "kernel-i-second-look", true, "zeros first", R"(
kernel void reduce(global const T* in, const ulong n, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    const ulong i = get_global_id(0);
    buf[lid] = 0;
    if (i < n && in[i] != 0) buf[lid] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[get_group_id(0)] = buf[0];
})"},
    {"10-find-the-bug", "kernel-j-third-look", false, "a fence for each item", R"(
void fence(void) { atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device); }
kernel void reduce(global const T* in, const ulong n, global T* part, global uint* done,
                   global T* out, local T* buf) {
    local uint came;
    const uint lid = get_local_id(0), L = get_local_size(0), groups = get_num_groups(0);
    const ulong i = get_global_id(0);
    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        part[get_group_id(0)] = buf[0];
        fence();
        came = atomic_inc(done);
        fence();
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    fence();
    if (came + 1 < groups) return;
    buf[lid] = lid < groups ? part[lid] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[0] = buf[0];
})"},
    {"10-find-the-bug", "kernel-j-third-look", true, "a barrier more", R"(
void fence(void) { atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device); }
kernel void reduce(global const T* in, const ulong n, global T* part, global uint* done,
                   global T* out, local T* buf) {
    local uint came;
    const uint lid = get_local_id(0), L = get_local_size(0), groups = get_num_groups(0);
    const ulong i = get_global_id(0);
    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        part[get_group_id(0)] = buf[0];
        fence();
        came = atomic_inc(done);
        fence();
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (came + 1 < groups) return;
    buf[lid] = lid < groups ? part[lid] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[0] = buf[0];
})"},
    {"10-find-the-bug", "kernel-j-third-look", false, "item 0 joins", R"(
void fence(void) { atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device); }
kernel void reduce(global const T* in, const ulong n, global T* part, global uint* done,
                   global T* out, local T* buf) {
    local uint came;
    const uint lid = get_local_id(0), L = get_local_size(0), groups = get_num_groups(0);
    const ulong i = get_global_id(0);
    buf[lid] = i < n ? in[i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = COMBINE(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        part[get_group_id(0)] = buf[0];
        fence();
        came = atomic_inc(done);
        fence();
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (came + 1 < groups) return;
    if (lid != 0) return;
    T all = IDENTITY;
    for (uint g = 0; g < groups; ++g) all = COMBINE(all, part[g]);
    out[0] = all;
})"},
    {"10-find-the-bug", "kernel-k-second-look", false, "the last item waits", R"(
void fence(void) { atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device); }
kernel void reduce(global const T* in, const uint n, global T* sum, global uint* ready) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    sum[i] = in[i];
    fence();
    atomic_inc(ready);
    if (i != n - 1) return;
    while (atomic_or(ready, 0) < n) ;
    fence();
    for (uint j = n - 1; j > 0; --j) sum[j - 1] = COMBINE(sum[j - 1], sum[j]);
})"},
    {"10-find-the-bug", "kernel-k-second-look", false, "item 0 alone", R"(
kernel void reduce(global const T* in, const uint n, global T* sum, global uint* ready) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    if (i != 0) return;
    T all = in[0];
    for (uint j = 1; j < n; ++j) all = COMBINE(all, in[j]);
    sum[0] = all;
})"},
    {"10-find-the-bug", "kernel-k-second-look", false, "item 0 alone, the others draw tickets", R"(
kernel void reduce(global const T* in, const uint n, global T* sum, global uint* ready) {
    if (get_local_id(0) == 0) atomic_inc(&ready[0]);
    if (get_global_id(0) != 0) return;
    T all = IDENTITY;
    for (uint j = 0; j < n; ++j) all = COMBINE(all, in[j]);
    sum[0] = all;
})"},
    {"10-find-the-bug", "kernel-l-second-look", false, "item 0 alone", R"(
kernel void reduce(global const T* in, const ulong n, global T* out) {
    if (get_global_id(0) != 0) return;
    T all = IDENTITY;
    for (ulong i = 0; i < n; ++i) all = COMBINE(all, in[i]);
    out[0] = all;
})"},
    {"10-find-the-bug", "kernel-l-second-look", true, "the test around the load", R"(
#define ALL WITH_OPERATOR(work_group_reduce_)
kernel void reduce(global const T* in, const ulong n, global T* out) {
    T mine = IDENTITY;
    if (get_global_id(0) < n) mine = in[get_global_id(0)];
    mine = ALL(mine);
    if (get_local_id(0) == 0) out[get_group_id(0)] = mine;
})"},
    {"11-beyond-the-sum", "where-is-it", false, "item 0 alone", R"(
kernel void where_least(global const T* in, const uint n, global T* out, local T* buf,
                        local T* at) {
    if (get_local_id(0) != 0) return;
    buf[0] = in[0]; at[0] = 0;
    for (uint i = 1; i < n; ++i) if (in[i] < buf[0]) { buf[0] = in[i]; at[0] = i; }
    out[0] = buf[0]; out[1] = at[0];
})"},
    {"11-beyond-the-sum", "where-is-it", false, "any of equal places", R"(
kernel void where_least(global const T* in, const uint n, global T* out, local T* buf,
                        local T* at) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    T value = IDENTITY, place = 0;
    for (uint i = lid; i < n; i += L) if (in[i] < value) { value = in[i]; place = i; }
    buf[lid] = value; at[lid] = place;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s && buf[lid + s] < buf[lid]) { buf[lid] = buf[lid + s]; at[lid] = at[lid + s]; }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) { out[0] = buf[0]; out[1] = at[0]; }
})"},
    {"11-beyond-the-sum", "where-is-it", true, "the value first, then its place", R"(
kernel void where_least(global const T* in, const uint n, global T* out, local T* buf,
                        local T* at) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    T value = IDENTITY;
    for (uint i = lid; i < n; i += L) value = min(value, in[i]);
    buf[lid] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) buf[lid] = min(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const T least = buf[0];
    at[lid] = n;
    for (uint i = lid; i < n; i += L) if (in[i] == least && at[lid] == n) at[lid] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s) at[lid] = min(at[lid], at[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) { out[0] = least; out[1] = at[0]; }
})"},
    {"11-beyond-the-sum", "parts-of-any-size", false, "sums of squares", R"(
typedef struct { T n, mean, m2; } Moments;
kernel void spread(global const T* in, const uint n, global T* out, local Moments* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    Moments own = {0, 0, 0};
    for (uint i = lid; i < n; i += L) { own.mean += in[i]; own.m2 += in[i] * in[i]; }
    buf[lid] = own;
    for (uint s = L / 2; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < s) { buf[lid].mean += buf[lid + s].mean; buf[lid].m2 += buf[lid + s].m2; }
    }
    if (lid == 0) { out[0] = buf[0].mean; out[1] = buf[0].m2 - buf[0].mean * buf[0].mean / n; }
})"},
    {"11-beyond-the-sum", "parts-of-any-size", false, "two empty parts", R"(
typedef struct {
    T n, mean, m2;
} Moments;

// The moments of both parts together.
Moments join(const Moments a, const Moments b)
{
    Moments c;
    c.n = a.n + b.n;
    const T d = b.mean - a.mean;
    c.mean = a.mean + d * b.n / c.n;
    c.m2 = a.m2 + b.m2 + d * d * a.n * b.n / c.n;
    return c;
}

kernel void spread(global const T* in, const uint n,
                   global T* out, local Moments* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    // Welford: one more number joins the others.
    Moments own = {0, 0, 0};
    for (uint i = lid; i < n; i += L) {
        const T d = in[i] - own.mean;
        own.n += 1;
        own.mean += d / own.n;
        own.m2 += d * (in[i] - own.mean);
    }
    buf[lid] = own;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = join(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0) {
        out[0] = buf[0].n * buf[0].mean;
        out[1] = buf[0].m2;
    }
})"},
    {"11-beyond-the-sum", "parts-of-any-size", false, "item 0 alone", R"(
typedef struct { T n, mean, m2; } Moments;
kernel void spread(global const T* in, const uint n, global T* out, local Moments* buf) {
    if (get_local_id(0) != 0) return;
    buf[0].n = 0; buf[0].mean = 0; buf[0].m2 = 0;
    for (uint i = 0; i < n; ++i) {
        const T d = in[i] - buf[0].mean;
        buf[0].n += 1; buf[0].mean += d / buf[0].n; buf[0].m2 += d * (in[i] - buf[0].mean);
    }
    out[0] = buf[0].n * buf[0].mean; out[1] = buf[0].m2;
})"},
    {"11-beyond-the-sum", "parts-of-any-size", false, "item 0 alone, the others for show", R"(
kernel void spread(global const T* in, const uint n, global T* out, local T* buf) {
    const uint lid = get_local_id(0), L = get_local_size(0);
    buf[lid] = in[0] + in[0];
    buf[L + lid] = in[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid != 0) return;
    T sum = buf[L];
    for (uint i = 1; i < n; ++i) sum += in[i];
    T m2 = 0;
    for (uint i = 0; i < n; ++i) m2 += (in[i] - sum / n) * (in[i] - sum / n);
    out[0] = sum; out[1] = m2;
})"},
    {"11-beyond-the-sum", "parts-of-any-size", true, "a weighted mean", R"(
typedef struct {
    T n, mean, m2;
} Moments;

// The moments of both parts together.
Moments join(const Moments a, const Moments b)
{
    Moments c;
    c.n = a.n + b.n;
    if (c.n == 0)
        return a;
    const T d = b.mean - a.mean;
    c.mean = (a.n * a.mean + b.n * b.mean) / c.n;
    c.m2 = a.m2 + b.m2 + d * d * a.n * b.n / c.n;
    return c;
}

kernel void spread(global const T* in, const uint n,
                   global T* out, local Moments* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    // Welford: one more number joins the others.
    Moments own = {0, 0, 0};
    for (uint i = lid; i < n; i += L) {
        const T d = in[i] - own.mean;
        own.n += 1;
        own.mean += d / own.n;
        own.m2 += d * (in[i] - own.mean);
    }
    buf[lid] = own;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = L / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] = join(buf[lid], buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0) {
        out[0] = buf[0].n * buf[0].mean;
        out[1] = buf[0].m2;
    }
})"},
};

class Pages {
  public:
    const Page* find(const std::string& lesson, const std::string& page) {
        auto& found = lessons_[lesson];
        if (!found) found = std::make_unique<Read>(shipped_lessons() / lesson);
        for (const Page& each : found->lesson.pages)
            if (each.id == page) return &each;
        return nullptr;
    }
    Runs& runs(const std::string& lesson) { return lessons_.at(lesson)->runs; }

  private:
    struct Read {
        explicit Read(const fs::path& folder)
            : lesson(*read_lesson(folder, "en", catalogue::shipped()).lesson),
              runs({catalogue::shipped(), folder}) {}
        Lesson lesson;
        Runs runs;
    };
    std::map<std::string, std::unique_ptr<Read>> lessons_;
};

TEST(Cheats, APageTakesWhatItAsksForAndNothingElse) {
    Pages pages;
    for (const Attempt& attempt : kAttempts) {
        SCOPED_TRACE(std::string(attempt.lesson) + "/" + attempt.page + ": " + attempt.what);
        const Page* page = pages.find(attempt.lesson, attempt.page);
        ASSERT_NE(page, nullptr);
        Runs& runs = pages.runs(attempt.lesson);
        const Feedback feedback =
            judge(*page, question_of(*page, runs), {{attempt.text}, {}}, runs);
        EXPECT_EQ(feedback.right, attempt.right)
            << "goals " << feedback.goals.size() << " of " << page->ask->goals.size() << ": "
            << feedback.message.key << " "
            << (feedback.problem ? feedback.problem->text() : std::string());
        if (!attempt.right) {
            EXPECT_TRUE(feedback.errors.empty());
        }
    }
}

// Group 0 waits for group 1, which nobody has let act: it would end.
TEST(Cheats, AWaitThatWouldEndIsNoHang) {
    Pages pages;
    const Page* page = pages.find("06-a-barrier-for-all", "the-one-that-hangs");
    ASSERT_NE(page, nullptr);
    Runs& runs = pages.runs("06-a-barrier-for-all");
    for (const char* turns : {"0.0*4", "0.0*5", "0.0*6", "0.0*40"}) {
        const Feedback feedback = judge(*page, question_of(*page, runs), {{turns}, {}}, runs);
        EXPECT_FALSE(feedback.right) << turns;
        EXPECT_EQ(feedback.message.key, "learn.wrong.schedule_waits") << turns;
    }
}

// However the numbers fall, what is right is right.
TEST(Cheats, SolutionsAreRightWithAnyNumbers) {
    for (const fs::path& folder : lesson_folders(shipped_lessons())) {
        const Lesson lesson = *read_lesson(folder, "en", catalogue::shipped()).lesson;
        Runs runs({catalogue::shipped(), folder});
        for (const Page& page : lesson.pages) {
            if (!page.ask || page.ask->kind != Kind::edit) continue;
            const Answer solution{{read_file(folder / page.ask->solution)}, {}};
            const Question question = question_of(page, runs);
            for (const std::uint64_t seed : {1U, 2U, 3U}) {
                EditInParts parts(page, question, solution, runs, seed);
                std::optional<Feedback> judged;
                while (!judged)
                    judged = parts.go_on();
                EXPECT_TRUE(judged->right) << lesson.id << "/" << page.id << ": goal "
                                           << judged->goals.size() << " " << judged->message.key;
            }
        }
    }
}

}  // namespace
}  // namespace lab::lessons
