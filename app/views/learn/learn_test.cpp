// The view Learn without a window: what is kept of answers, which run a page shows, and how much.
#include "views/learn/learn.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "analysis/machine_run.h"
#include "lessons/grade.h"
#include "support/example_session.h"
#include "support/session_test.h"

namespace lab::session {
namespace {

// Whether a run went wrong is no secret where a line is asked for; the line of a fault is.
TEST(LearnPages, APictureNeverCallsAWrongResultRight) {
    ExampleSession example;
    auto& learn = example.session.view<LearnView>();
    open_folder(learn, fs::path(LAB_SHARE_DIR) / "assets" / "lessons");
    std::size_t wrong = 0, faults = 0;
    do {
        const lessons::Page* page = learn.page();
        ASSERT_NE(page, nullptr);
        const LearnPage& shown = learn.open;
        if (!page->ask || page->ask->kind != lessons::Kind::line || shown.run == nullptr) continue;
        const analysis::StepTable& run = shown.run->table;
        SCOPED_TRACE(learn.lesson()->title + ": " + page->title);
        EXPECT_EQ(shown.table.fault.empty(), run.fault.empty());
        EXPECT_EQ(shown.table.fault.find("line 1"), std::string::npos) << shown.table.fault;
        EXPECT_EQ(shown.table.fault.find("line 2"), std::string::npos) << shown.table.fault;
        EXPECT_EQ(shown.table.right, run.right);
        wrong += run.fault.empty() && !run.right;
        faults += !run.fault.empty();
    } while (next_page(learn));
    EXPECT_GT(wrong, 0U);
    EXPECT_GT(faults, 0U);
}

using testing::HasSubstr;

const std::string kShow =
    "```show\nkernel: span-modulo\nset: BARRIER=group\ninput: 7,1,6,8,5,6,7,1\ngroup: 4\n```\n";

// Adds one number too many, or leaves all as it is.
std::string kernel(const char* added) {
    return "/* title: Copy\n * chapter: A 1\n * origin: x\n * teaches: x\n * entry: copy\n * plan: "
           "once\n"
           " * args: data: T[n] = input\n * global: n\n * local: group\n * result: data\n"
           " * depth: 1\n * expect: correct\n */\n"
           "kernel void copy(global T* data) {\n    if (get_global_id(0) == 0)\n        data[0] "
           "= " +
           std::string(added) + ";\n}\n";
}

class Learn : public SessionTest {
  protected:
    LearnView& open(Session& session, const std::string& blocks) {
        const fs::path lesson = folder_.path() / "lesson";
        write_file(lesson / "lesson.md", "---\ntitle: T\n---\n\n## P\nWords.\n\n" + blocks);
        session.start();
        settle(session);
        LearnView& view = session.view<LearnView>();
        open_folder(view, lesson);
        EXPECT_TRUE(view.course_problems.empty());
        session.show_view<LearnView>();
        return view;
    }
    static void answer(Session& session, LearnView& view, const std::string& text) {
        set_text(view, 0, text);
        check(view);
        settle(session);
    }
};

TEST_F(Learn, WhatWasRightStaysRight) {
    Session::Options chosen = options();
    chosen.remember = true;
    Session session(chosen, {});
    LearnView& view = open(session, kShow + "```ask number\nvalue: passes\n```\n");
    answer(session, view, "2");
    answer(session, view, "3");
    ASSERT_TRUE(view.done());
    start_again(view);
    EXPECT_FALSE(view.done());
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{""});
    answer(session, view, "4");
    ASSERT_TRUE(view.open.feedback);
    EXPECT_FALSE(view.open.feedback->right);
    const auto is_right = [](const lessons::PageProgress& page) {
        return page.right && !page.given_up && page.answer.texts == std::vector<std::string>{"3"};
    };
    EXPECT_TRUE(is_right(*view.progress()));
    std::optional<Problem> problem;
    EXPECT_TRUE(is_right(lessons::load_progress("lesson", problem).pages.at("p")));
    const fs::path file = folder_.path() / "answers.json";
    EXPECT_EQ(hand_in_file("").filename(), "answers.json");
    EXPECT_EQ(hand_in_file(" Ada O/Neill").filename(), "answers-Ada O-Neill.json");
    hand_in(view, file, "Ada");
    EXPECT_TRUE(is_right(lessons::read_hand_in(file).lessons.at(0).pages.at("p")));
    give_up(view);  // shows what was right
    EXPECT_TRUE(view.done() && view.open.feedback->right && is_right(*view.progress()));
    start_again(view);
    answer(session, view, "3.0");
    EXPECT_TRUE(view.done() && view.open.feedback->right);
    EXPECT_EQ(view.progress()->answer.texts, std::vector<std::string>{"3.0"});
}

const std::string kWhy = kShow +
                         "```ask number\nvalue: passes\n```\n"
                         "```reason zero-goes-first\nGroup 0 is first.\n\nIn order it gives "
                         "{result(order=in-order)}.\n```\n"
                         "```reason right\nNone waits for the other.\n```\n";

TEST_F(Learn, ALessonThatTheCourseLacksIsSaidToBeMissing) {
    Session session(options(), {});
    LearnView& view = open(session, "");
    const std::size_t before = session.notices.log().size();
    go_to_page(view, "lesson", "");
    EXPECT_EQ(session.notices.log().size(), before);
    go_to_page(view, "nowhere", "");
    EXPECT_EQ(view.lesson_place, 0U);
    ASSERT_EQ(session.notices.log().size(), before + 1);
    EXPECT_EQ(session.notices.log().back().problem.what_happened,
              "The course has no lesson 'nowhere'");
}

TEST_F(Learn, WordsAreInTheTermsThatAreChosen) {
    Session session(options(), {});
    LearnView& view = open(session, kWhy);
    set_text(view, 0, "4");
    const auto reason = [&] { return plain_text(view.page()->reasons.at(0).words); };
    for (const auto& [terms, words] :
         {std::pair("cuda", "Block 0 is first.\n"), std::pair("opencl", "Group 0 is first.\n")}) {
        session.set_terms(terms);
        settle(session);
        EXPECT_EQ(reason(), words);
        EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{"4"});
    }
}

// An answer is judged once its reason is given, and the reason apart from it.
TEST_F(Learn, AnAnswerIsJudgedWithItsReason) {
    Session session(options(), {});
    LearnView& view = open(session, kWhy);
    answer(session, view, "4");
    EXPECT_TRUE(view.open.asks_why);
    EXPECT_FALSE(view.open.feedback);
    EXPECT_FALSE(can_check(view));
    EXPECT_EQ(view.progress(), nullptr);
    EXPECT_TRUE(session.shown().takes_digits());
    set_text(view, 0, "3");  // as the reasons suggest
    EXPECT_TRUE(view.open.asks_why);
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{"4"});
    choose_reason(view, 1);
    ASSERT_TRUE(view.open.feedback);
    EXPECT_FALSE(view.open.feedback->right);
    EXPECT_TRUE(view.open.reason_reply.empty());
    EXPECT_EQ(view.progress()->wrong.at(0).reason, "right");
    // Another answer is said why anew.
    set_text(view, 0, "3");
    EXPECT_FALSE(shows_reasons(view));
    check(view);
    EXPECT_TRUE(view.open.asks_why);
    point_next(view, -1);
    EXPECT_EQ(view.open.pointed_reason, 1U);
    point_next(view, 1);
    EXPECT_EQ(view.open.pointed_reason, 0U);
    choose_reason(view, 0);
    EXPECT_TRUE(view.done());
    EXPECT_TRUE(view.progress()->right);
    EXPECT_EQ(view.progress()->answer.reason, "zero-goes-first");
    EXPECT_EQ(lessons::plain_text(view.open.reason_reply), "In order it gives 27.\n");
    open_page(view, 0);
    EXPECT_TRUE(shows_reasons(view));
    EXPECT_EQ(lessons::plain_text(view.open.reason_reply), "In order it gives 27.\n");
    start_again(view);
    EXPECT_FALSE(shows_reasons(view));
}

// The reasons may tell the right answer, so whoever has seen them cannot change it any more.
TEST_F(Learn, LeavingThePageDoesNotUnlockTheAnswer) {
    Session::Options chosen = options();
    chosen.remember = true;
    Session session(chosen, {});
    LearnView& view = open(session, kWhy + "\n## Q\nWords.\n");
    answer(session, view, "4");
    open_page(view, 1);
    EXPECT_FALSE(view.open.asks_why);
    open_page(view, 0);
    EXPECT_TRUE(view.open.asks_why);
    set_text(view, 0, "3");
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{"4"});
    EXPECT_FALSE(can_start_again(view));
    std::optional<Problem> problem;
    EXPECT_EQ(lessons::load_progress("lesson", problem).drafts.size(), 1U);
    choose_reason(view, 0);
    EXPECT_EQ(view.progress()->wrong.at(0).texts, std::vector<std::string>{"4"});
    EXPECT_EQ(view.progress()->wrong.at(0).reason, "zero-goes-first");
    open_page(view, 1);
    open_page(view, 0);
    EXPECT_FALSE(view.open.asks_why);
}

TEST_F(Learn, TheSameAnswerIsNotJudgedAgain) {
    Session session(options(), {});
    LearnView& view = open(session, kWhy);
    answer(session, view, "4");
    choose_reason(view, 0);
    EXPECT_FALSE(can_check(view));
    check(view);
    EXPECT_FALSE(view.open.asks_why);
    EXPECT_TRUE(view.open.feedback && shows_reasons(view));
    EXPECT_EQ(view.progress()->tries, 1U);
    set_text(view, 0, "5");
    EXPECT_TRUE(can_check(view));
    give_up(view);
    EXPECT_EQ(view.open.draft.reason, lessons::kRightReason);
    choose_reason(view, 1);  // none is asked for any more
    EXPECT_FALSE(view.open.asks_why);
    EXPECT_FALSE(view.progress()->right);
    EXPECT_TRUE(view.open.reason_reply.empty());
}

// Leaving the page does not forget them.
TEST_F(Learn, HintsAreCountedUntilTheAnswerIsRight) {
    Session session(options(), {});
    LearnView& view = open(session, kShow +
                                        "```ask number\nvalue: passes\n```\n```hint\nA.\n```\n"
                                        "```hint\nB.\n```\n\n## Q\nWords.\n");
    show_hint(view);
    answer(session, view, "4");
    EXPECT_EQ(view.progress()->hints, 1U);
    open_page(view, 1);
    open_page(view, 0);
    show_hint(view);
    show_hint(view);
    open_page(view, 1);
    open_page(view, 0);
    answer(session, view, "3");
    ASSERT_TRUE(view.done());
    EXPECT_EQ(view.progress()->hints, 2U);
}

TEST_F(Learn, WhatIsNoNumberIsSaidUntilItChanges) {
    Session session(options(), {});
    LearnView& view = open(session, kShow + "```ask number\nvalue: passes\n```\n");
    answer(session, view, "six");
    ASSERT_TRUE(view.open.feedback);
    EXPECT_TRUE(view.open.feedback->wrong.contains(0));
    EXPECT_EQ(view.progress(), nullptr);
    set_text(view, 0, "6");
    EXPECT_FALSE(view.open.feedback);
}

// Those who are wrong about why see the run again; those who are right do not.
TEST_F(Learn, AWrongReasonReplaysTheRun) {
    Session session(options(), {});
    LearnView& view = open(session, kWhy);
    answer(session, view, "3");
    choose_reason(view, 1);
    EXPECT_FALSE(view.playing());
    start_again(view);
    answer(session, view, "3");
    choose_reason(view, 0);
    EXPECT_TRUE(view.playing());
    EXPECT_EQ(view.position(), 0U);
    EXPECT_EQ(view.last_position(), 3U);
}

const std::string kVaried =
    "```show\nkernel: span-modulo\nset: BARRIER=group\ninput: 7,1,6,8\ngroup: 4\n"
    "vary: input=1..9\n```\n```ask number\nvalue: result\n```\n";

std::string right_text(const LearnView& view) {
    return view.open.question.fields.at(0).expected;
}

// No answer by elimination: the next try is with other numbers, and the first one counts.
TEST_F(Learn, AfterAWrongAnswerOtherNumbersCome) {
    Session::Options chosen = options();
    chosen.remember = true;
    Session session(chosen, {});
    LearnView& view = open(session, kVaried);
    EXPECT_EQ(right_text(view), "22");
    answer(session, view, "21");
    EXPECT_TRUE(view.spent());
    EXPECT_TRUE(session.shown().takes_digits());  // who types on is not led away
    EXPECT_FALSE(can_check(view));
    set_text(view, 0, "22");
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{"21"});
    open_page(view, 0);  // nor is it open after going away
    EXPECT_TRUE(view.spent());
    EXPECT_TRUE(session.run("learn.check"));  // Enter goes on
    EXPECT_FALSE(view.spent());
    EXPECT_EQ(view.page()->seed, 1U);
    EXPECT_NE(view.page()->show, view.lesson()->pages[0].show);
    const std::string second = right_text(view);
    answer(session, view, second);
    EXPECT_TRUE(view.done() && view.progress()->right);
    EXPECT_EQ(view.progress()->tries, 2U);
    EXPECT_EQ(view.progress()->wrong.at(0).seed, 0U);
    EXPECT_EQ(view.progress()->answer.seed, 1U);
    open_page(view, 0);  // as it was answered
    EXPECT_EQ(right_text(view), second);
    EXPECT_TRUE(view.open.feedback->right);
    // Another one for practice: the right one is kept.
    EXPECT_TRUE(session.run("learn.another"));
    EXPECT_FALSE(view.done());
    EXPECT_EQ(view.page()->seed, 2U);
    give_up(view);
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{second});
    EXPECT_EQ(view.page()->seed, 1U);
    start_again(view);
    EXPECT_EQ(view.page()->seed, 1U);
}

TEST_F(Learn, AGivenUpDrawIsKeptWithItsNumbers) {
    Session session(options(), {});
    LearnView& view = open(session, kVaried);
    draw_another(view);
    const std::string right = right_text(view);
    give_up(view);
    open_page(view, 0);
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{right});
    EXPECT_EQ(right_text(view), right);
    EXPECT_TRUE(view.open.feedback->given_up);
}

TEST_F(Learn, AMomentKeepsTheNumbers) {
    Session session(options(), {});
    LearnView& view = open(session, kVaried);
    const nlohmann::json written = kLearnView.save(session);
    draw_another(view);
    draw_another(view);
    const nlohmann::json part = kLearnView.save(session);
    const std::string right = right_text(view);
    kLearnView.read(written)(session);
    EXPECT_EQ(right_text(view), "22");
    kLearnView.read(part)(session);
    EXPECT_EQ(view.page()->seed, 2U);
    EXPECT_EQ(right_text(view), right);
}

// In front of a class another draw leaves the teacher's own answer alone.
TEST_F(Learn, AnotherDrawIsPresented) {
    Session session(options(), {});
    LearnView& view = open(session, kVaried);
    answer(session, view, "22");
    session.presenting = true;
    settle(session);
    reveal(view, 1);
    ASSERT_EQ(view.open.stage, Stage::question);
    EXPECT_TRUE(session.run("learn.another"));
    EXPECT_EQ(view.open.stage, Stage::question);
    EXPECT_TRUE(view.open.poll);
    EXPECT_EQ(view.page()->seed, 1U);
    reveal(view, 1);
    EXPECT_EQ(view.open.right.texts, std::vector<std::string>{right_text(view)});
    EXPECT_EQ(view.progress()->answer.texts, std::vector<std::string>{"22"});
    EXPECT_TRUE(view.progress()->right);
}

TEST_F(Learn, AnExamHasTheNumbersOfAName) {
    Session::Options chosen = options();
    chosen.remember = true;
    Session session(chosen, {});
    LearnView& view = open(session, kVaried);
    answer(session, view, "22");
    EXPECT_THROW(take_exam(view, " "), Problem);
    take_exam(view, " Ada ");
    EXPECT_EQ(view.progress(), nullptr);
    EXPECT_EQ(view.page()->seed, lessons::seed_of("Ada"));
    draw_another(view);  // not in an exam
    EXPECT_EQ(view.page()->seed, lessons::seed_of("Ada"));
    const std::string right = right_text(view);
    answer(session, view, right);
    EXPECT_TRUE(view.noted());
    const fs::path file = folder_.path() / "answers.json";
    hand_in(view, file, "Bob");
    const lessons::HandIn handed = lessons::read_hand_in(file);
    EXPECT_EQ(handed.name, "Ada");
    EXPECT_EQ(handed.lessons.at(0).seed, lessons::seed_of("Ada"));
    EXPECT_EQ(handed.lessons.at(0).pages.at("p").answer.texts, std::vector<std::string>{right});
    take_exam(view, "Bob");
    EXPECT_EQ(view.progress(), nullptr);
    EXPECT_EQ(view.page()->seed, lessons::seed_of("Bob"));
    take_exam(view, "");
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{"22"});
    take_exam(view, "Ada");  // it goes on
    EXPECT_TRUE(view.noted());
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{right});
}

// Whether an answer is right is not said in an exam, nor by anything that is seen, and it may
// change until it is handed in; also after another start.
TEST_F(Learn, InAnExamAnAnswerIsOnlyNoted) {
    Session::Options chosen = options();
    chosen.remember = true;
    const std::string page = kWhy + "```hint\nNo hint.\n```\n```after\nBecause.\n```\n";
    const auto is_silent = [](const LearnView& view) {
        return !view.done() && !view.told() && !view.spent() && view.open.reply.empty() &&
               view.open.reason_reply.empty() &&
               (!view.open.feedback || view.open.feedback->message.key == "learn.noted");
    };
    {
        Session session(chosen, {});
        LearnView& view = open(session, page);
        take_exam(view, "Ada");
        EXPECT_FALSE(session.run("learn.hint"));
        EXPECT_FALSE(session.run("learn.give_up"));
        for (const char* text : {"4", "3"}) {
            answer(session, view, text);
            EXPECT_FALSE(view.noted());
            choose_reason(view, 0);
            EXPECT_TRUE(view.noted());
            EXPECT_TRUE(view.open.feedback && is_silent(view)) << text;
            EXPECT_EQ(view.progress()->answer.texts, std::vector<std::string>{text});
            EXPECT_TRUE(view.progress()->wrong.empty());
        }
        EXPECT_EQ(view.course[0].answered(), 1U);
        set_text(view, 0, "");
        answer(session, view, "no number");
        EXPECT_EQ(view.open.feedback->message.key, "learn.wrong.no_number");
        set_text(view, 0, "3");
        EXPECT_FALSE(view.noted());  // its reason is asked for anew
    }
    Session session(chosen, {});
    LearnView& view = open(session, page);
    ASSERT_EQ(view.exam, "Ada");
    EXPECT_TRUE(is_silent(view));
    EXPECT_EQ(view.progress()->answer.texts, std::vector<std::string>{"3"});
    EXPECT_EQ(view.progress()->answer.reason, "zero-goes-first");
    take_exam(view, "");
    Session after(chosen, {});
    EXPECT_EQ(open(after, page).exam, "");
}

const std::string kTwoPages =
    kShow + "```ask number\nvalue: passes\n```\n\n## Q\n" + "```ask number\nvalue: 5\n```\n";

TEST_F(Learn, WhatIsTypedIsKeptWithoutACheck) {
    Session::Options chosen = options();
    chosen.remember = true;
    {
        Session session(chosen, {});
        LearnView& view = open(session, kTwoPages);
        set_text(view, 0, "1");
        next_page(view);
        set_text(view, 0, "77");
        previous_page(view);
        EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{"1"});
        EXPECT_EQ(view.progress(), nullptr);  // it was no try
        answer(session, view, "3");
        start_again(view);
        set_text(view, 0, "2");
        next_page(view);
        previous_page(view);
        EXPECT_FALSE(view.done());
        EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{"2"});
        EXPECT_TRUE(view.progress()->right);
    }
    Session session(chosen, {});
    LearnView& view = open(session, kTwoPages);
    open_page(view, 1);
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{"77"});
    open_page(view, 0);
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{"2"});
    const fs::path file = folder_.path() / "answers.json";
    hand_in(view, file, "Ada");
    EXPECT_TRUE(lessons::read_hand_in(file).lessons.at(0).drafts.empty());
}

TEST_F(Learn, WhatGaveWayIsBroughtBack) {
    Session session(options(), {});
    LearnView& view = open(session, kShow + "```ask number\nvalue: passes\n```\n");
    EXPECT_FALSE(session.shown().undoable());
    set_text(view, 0, "17");
    start_again(view);
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{""});
    ASSERT_TRUE(session.shown().undoable());
    EXPECT_TRUE(just_replaced(view));
    session.shown().undo();
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{"17"});
    session.shown().redo();
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{""});
    session.shown().undo();
    give_up(view);
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{"3"});
    session.shown().undo();
    EXPECT_EQ(view.open.draft.texts, std::vector<std::string>{"17"});
    EXPECT_FALSE(view.done());
    EXPECT_TRUE(view.progress()->given_up);
}

// Showing the answer stays on record, and so do the tries before it.
TEST_F(Learn, TriesAndShownAnswersStayOnRecord) {
    Session session(options(), {});
    LearnView& view = open(session, kShow + "```ask number\nvalue: passes\n```\n");
    answer(session, view, "1");
    answer(session, view, "2");
    give_up(view);
    start_again(view);
    EXPECT_FALSE(view.done());
    answer(session, view, "9");
    ASSERT_TRUE(view.open.feedback);
    EXPECT_FALSE(view.open.feedback->given_up);
    answer(session, view, "3");
    EXPECT_TRUE(view.open.feedback->right);
    EXPECT_TRUE(view.progress()->given_up);
    EXPECT_TRUE(view.progress()->right);
    EXPECT_EQ(view.progress()->tries, 4U);
    EXPECT_EQ(view.progress()->wrong.size(), 3U);
}

TEST_F(Learn, WhatIsNoNumberIsNoTry) {
    Session session(options(), {});
    LearnView& view =
        open(session, kShow + "```ask number\nvalue: passes\n```\n```wrong\nNo.\n```\n");
    answer(session, view, "abc");
    ASSERT_TRUE(view.open.feedback);
    EXPECT_EQ(view.open.feedback->message.key, "learn.wrong.no_number");
    EXPECT_TRUE(view.open.reply.empty());
    EXPECT_EQ(view.progress(), nullptr);
    answer(session, view, "1+2");
    EXPECT_TRUE(view.done());
    EXPECT_EQ(view.progress()->tries, 1U);
}

TEST_F(Learn, ADigitStaysOnAPageThatAsks) {
    Session session(options(), {});
    LearnView& view = open(session, kShow + "```ask number\nvalue: passes\n```\n");
    EXPECT_TRUE(session.shown().takes_digits());
    answer(session, view, "3");
    EXPECT_TRUE(session.shown().takes_digits());
}

TEST_F(Learn, AnAnsweredScheduleStaysTheOneThatIsShown) {
    Session session(options(), {});
    LearnView& view = open(session, kShow + "```ask schedule\nuntil: wrong\n```\n");
    act(view, 1);
    act(view, 0);
    view.go_to(view.last_position());
    const auto turns = view.open.race->all_turns();
    const std::size_t end = view.position();
    check(view);
    ASSERT_TRUE(view.done());
    view.go_to(view.position() - 1);
    EXPECT_EQ(view.position(), end - 1);
    view.go_to(1);
    EXPECT_FALSE(can_act(view));
    for (std::size_t place = 0; place < view.open.race->ready().size(); ++place)
        act(view, place);
    EXPECT_EQ(view.position(), 1U);
    EXPECT_EQ(view.open.race->all_turns(), turns);
    start_again(view);
    EXPECT_TRUE(can_act(view));
}

TEST_F(Learn, TheTurnsOfAScheduleAreToldAgain) {
    Session session(options(), {});
    LearnView& view = open(session, kShow + "```ask schedule\nuntil: wrong\npar: 1\n```\n");
    act(view, 1);
    act(view, 0);
    view.go_to(view.last_position());
    check(view);
    ASSERT_TRUE(view.done());
    const Phrase said = view.open.feedback->message;
    EXPECT_EQ(said.key, "learn.turns");
    open_page(view, 0);
    EXPECT_EQ(view.open.feedback->message.key, said.key);
    EXPECT_EQ(view.open.feedback->message.arguments, said.arguments);
}

TEST_F(Learn, AScheduleThatIsRightIsPlayed) {
    Session session(options(), {});
    LearnView& view = open(session, kShow + "```ask schedule\nuntil: wrong\n```\n");
    give_up(view);
    EXPECT_TRUE(view.playing());
    EXPECT_EQ(view.position(), 0U);
    view.go_to(view.last_position());
    EXPECT_TRUE(view.open.race->at_end());
}

// The text grows with each line, is judged as a kernel, and is kept with the order that made it.
TEST_F(Learn, LinesArePutInOrder) {
    const std::string whole = kernel("data[0] + 1"), first = "    if (get_global_id(0) == 0)";
    std::string right = whole;
    right.replace(right.find("data[0] + 1"), 11, "data[0] + 0");
    // The solution leaves out the line that adds.
    const std::string start = whole.substr(0, whole.find("        data")) +
                              "        data[0] = data[0] + 1;\n        data[0] = data[0] + 0;\n}\n";
    write_file(folder_.path() / "lesson" / "start.cl", start);
    write_file(folder_.path() / "lesson" / "solution.cl", right);
    Session session(options(), {});
    LearnView& view = open(session,
                           "```show\nkernel: start.cl\ninput: 7\nn: 1\ngroup: 1\nat: start\n```\n"
                           "```ask edit\nstart: start.cl\nsolution: solution.cl\nlines: 15-17\n"
                           "goal: is_right for n=1\n```\n");
    ASSERT_FALSE(view.open.problem) << view.open.problem->text();
    EXPECT_TRUE(arranges_lines(view));
    EXPECT_FALSE(session.shown().edits_text());
    EXPECT_TRUE(session.shown().takes_digits());
    EXPECT_FALSE(can_check(view));
    const auto text = [&] { return view.open.draft.texts.at(0); };
    EXPECT_EQ(text().find("data[0] ="), std::string::npos);
    EXPECT_EQ(choices(view).size(), 3U);
    choose(view, 1);  // in the order of their words: + 0, + 1, if
    EXPECT_NE(text().find("data[0] + 1"), std::string::npos);
    EXPECT_TRUE(can_check(view));
    check(view);
    settle(session);
    EXPECT_FALSE(view.open.feedback->right);
    open_page(view, 0);
    EXPECT_EQ(view.open.draft.picks, std::vector<std::uint64_t>{1});
    EXPECT_NE(text().find("data[0] + 1"), std::string::npos);
    choose(view, 1);
    EXPECT_EQ(text(), view.open.kernel);
    choose(view, 2);
    choose(view, 0);
    EXPECT_LT(text().find(first), text().find("data[0] + 0"));
    check(view);
    settle(session);
    EXPECT_TRUE(view.done());
    EXPECT_EQ(view.progress()->answer.picks, (std::vector<std::uint64_t>{2, 0}));
    start_again(view);
    EXPECT_EQ(text(), view.open.kernel);
    give_up(view);
    EXPECT_EQ(text(), right);
}

TEST_F(Learn, AnEditedKernelIsTheOneThatIsShown) {
    write_file(folder_.path() / "lesson" / "start.cl", kernel("data[0] + 1"));
    write_file(folder_.path() / "lesson" / "solution.cl", kernel("data[0] + 0"));
    Session session(options(), {});
    LearnView& view = open(session,
                           "```show\nkernel: start.cl\ninput: 7\nn: 1\ngroup: 1\nat: start\n```\n"
                           "```ask edit\nstart: start.cl\nsolution: solution.cl\n"
                           "goal: is_right for n=1\n```\n");
    ASSERT_FALSE(view.open.problem) << view.open.problem->text();
    const auto result = [&] { return view.open.table.result; };
    EXPECT_EQ(result(), "8");
    const std::uint64_t opened = view.open.opened;
    answer(session, view, kernel("data[0] + 1000"));
    EXPECT_FALSE(view.open.feedback->right);
    const std::string failed = view.open.feedback->message.arguments.at("result");
    EXPECT_NE(failed, "8");
    EXPECT_EQ(result(), failed);     // with the numbers that it failed with
    EXPECT_EQ(view.position(), 0U);  // where one stood
    answer(session, view, kernel("data[0] +"));
    EXPECT_EQ(result(), failed);          // the last that ran
    EXPECT_EQ(view.open.opened, opened);  // one goes on typing
    answer(session, view, kernel("data[0] + 0"));
    EXPECT_TRUE(view.open.feedback->right);
    EXPECT_EQ(result(), "7");
    EXPECT_EQ(view.position(), 0U);
    open_page(view, 0);
    EXPECT_EQ(result(), "7");
    start_again(view);
    EXPECT_EQ(result(), "8");
}

TEST_F(Learn, APageIsMadeOfTheMomentThatTheRaceViewShows) {
    Session session(options(), {});
    session.start();
    settle(session);
    choose_broken(session, "round-robin");
    const fs::path lesson = folder_.path() / "made";
    const auto page = [&](const char* heading) {
        add_moment(session, lesson, heading);
        const std::string text = read_file(lesson / "lesson.md");
        return text.substr(text.rfind("## "));
    };
    EXPECT_THAT(page("Steps"), HasSubstr("order: round-robin\nat: end\n```"));
    session.show_view<RaceView>();
    settle(session);
    session.view<RaceView>().go_to(0);
    EXPECT_THAT(page("Start"), HasSubstr("order: round-robin\nat: start\nview: race\n```"));
    session.view<RaceView>().act(1, 0);
    session.view<RaceView>().act(1, 0);
    const std::string acted = page("Acted");
    EXPECT_THAT(acted, HasSubstr("order: 1.0*2 0.0*"));
    EXPECT_THAT(acted, HasSubstr("at: action 2\nview: race\n```"));
    const lessons::ReadLesson read = lessons::read_lesson(lesson, "en", session.catalogue());
    ASSERT_TRUE(read.problems.empty());
    EXPECT_EQ(read.lesson->pages.at(2).show.at, (lessons::Place{lessons::Place::Kind::action, 2}));
    lessons::Runs runs({session.catalogue(), lesson});
    EXPECT_EQ(row_of(read.lesson->pages.at(2).show.at, runs.facts(read.lesson->pages.at(2).show)),
              0U);
}

// What of a page is seen: its panel, and what is revealed of it in front of a class.
constexpr const char* kLesson =
    "---\ntitle: T\n---\n\n"
    "## Which?\nFirst words.\n\nWhich results are possible?\n\n"
    "```show\nkernel: span-modulo\nset: BARRIER=group\ninput: 7,1,6,8,5,6,7,1\ngroup: 4\n"
    "at: pass 1\nhide: later\npanel: lanes\n```\n```ask results\n```\n```after\nThese.\n```\n\n"
    "## How many?\nHow many passes?\n\n"
    "```show\npanel: races\n```\n```ask number\nvalue: passes\n```\n```after\nSo many.\n```\n\n"
    "## All of it\nNothing is asked.\n\n"
    "```show\nhide: nothing\npanel: none\nview: lattice\n```\n\n"
    "## The scheduler\nMake it wrong.\n\n"
    "```show\nview: race\n```\n```ask schedule\nuntil: wrong\n```\n\n"
    "## By actions\nHow many?\n\n"
    "```show\nat: pass 1\nhide: later\n```\n```ask number\nvalue: passes\n```\n";

class LearnShown : public SessionTest {
  protected:
    LearnShown() : session_(options(), {}) {
        write_file(folder_.path() / "typed" / "lesson.md", kLesson);
        session_.show_view<LearnView>();
        open_folder(learn(), folder_.path() / "typed");
    }

    LearnView& learn() { return session_.view<LearnView>(); }
    void present(bool on) {
        session_.presenting = on;
        session_.poll();
    }
    std::size_t rows() { return learn().open.table.rows.size(); }

    Session session_;
};

TEST_F(LearnShown, NoDigitLeadsAClassAway) {
    for (std::size_t place = 0; place < 5; ++place) {
        open_page(learn(), place);
        for (int by = 0; by < 3; ++by) {
            present(true);
            EXPECT_TRUE(session_.shown().takes_digits()) << place;
            if (learn().page()->ask && learn().open.stage != Stage::answer) reveal(learn(), 1);
        }
        present(false);
    }
    open_page(learn(), 3);  // the race of a student has keys of its own
    EXPECT_FALSE(session_.shown().takes_digits());
}

TEST_F(LearnShown, APanelIsCutOffWhereTheRowsAre) {
    EXPECT_FALSE(learn().open.problem);
    EXPECT_EQ(panel_of(learn()), "lanes");
    EXPECT_EQ(learn().open.hidden_from, 2U);
    give_up(learn());
    EXPECT_EQ(learn().open.hidden_from, 0U);
}

TEST_F(LearnShown, APanelThatTellsTheAnswerComesWithIt) {
    open_page(learn(), 1);
    EXPECT_EQ(panel_of(learn()), "");
    EXPECT_FALSE(session_.command("learn.panel").enabled(session_));
    give_up(learn());
    EXPECT_EQ(panel_of(learn()), "races");
    session_.run("learn.panel");
    EXPECT_FALSE(learn().open.panel_wanted.value_or(true));
}

TEST_F(LearnShown, AClassSeesWordsThenQuestionThenAnswer) {
    const std::size_t hidden = rows();
    present(true);
    EXPECT_EQ(learn().open.stage, Stage::words);
    session_.run("learn.reveal");
    EXPECT_EQ(learn().open.stage, Stage::question);
    EXPECT_FALSE(learn().told());
    EXPECT_EQ(rows(), hidden);
    EXPECT_TRUE(marked(learn()).empty());
    session_.run("learn.reveal");
    EXPECT_TRUE(learn().told());
    EXPECT_GT(rows(), hidden);
    EXPECT_FALSE(marked(learn()).picks.empty());
    EXPECT_FALSE(learn().open.right_words.empty());
    session_.run("learn.take_back");
    EXPECT_EQ(rows(), hidden);
    session_.run("learn.reveal");
    session_.run("learn.reveal");
    EXPECT_EQ(learn().page_place, 1U);
    EXPECT_EQ(learn().open.stage, Stage::words);
    session_.run("learn.take_back");
    EXPECT_EQ(learn().page_place, 0U);
    // Nothing of it is an answer of the teacher's own.
    EXPECT_EQ(learn().progress(), nullptr);
    session_.run("learn.reveal");
    session_.run("learn.reveal");
    present(false);
    EXPECT_FALSE(learn().told());
    EXPECT_EQ(rows(), hidden);
}

TEST_F(LearnShown, ATeachersOwnAnswerIsNotShownToTheClass) {
    const std::size_t hidden = rows();
    give_up(learn());
    EXPECT_GT(rows(), hidden);
    present(true);
    EXPECT_EQ(rows(), hidden);
    EXPECT_FALSE(learn().told());
    present(false);
    EXPECT_TRUE(learn().told());
    EXPECT_GT(rows(), hidden);
}

TEST_F(LearnShown, HandsAreCountedByChoiceUntilThePageIsLeft) {
    present(true);
    EXPECT_FALSE(learn().open.poll);
    reveal(learn(), 1);
    ASSERT_TRUE(learn().open.poll);
    const std::size_t choices = learn().open.question.options.size();
    EXPECT_EQ(learn().open.poll->places(), choices);
    count_hands(learn(), 12);
    point_poll(learn(), 1);
    count_hands(learn(), 5000);
    point_poll(learn(), choices);  // there is none
    EXPECT_EQ(learn().open.poll->choices[0].hands, 12U);
    EXPECT_EQ(learn().open.poll->choices[1].hands, kMostHands);
    EXPECT_EQ(learn().open.poll->place, 1U);
    EXPECT_EQ(learn().open.poll->all(), 12U + kMostHands);
    reveal(learn(), 1);
    reveal(learn(), -1);
    EXPECT_EQ(learn().open.poll->choices[0].hands, 12U);
    open_page(learn(), 1);
    EXPECT_FALSE(learn().open.poll);
}

TEST_F(Learn, AClassIsAskedForItsReasonsToo) {
    Session session(options(), {});
    LearnView& view = open(session, kShow +
                                        "```ask choose\nvalue: passes\nothers: 1, 2\n```\n"
                                        "```reason few\nFew.\n\nNo.\n```\n"
                                        "```reason right\nSo many.\n```\n"
                                        "```reason many\nMany.\n\nNo.\n```\n");
    session.presenting = true;
    session.poll();
    reveal(view, 1);
    ASSERT_TRUE(view.open.poll);
    EXPECT_FALSE(view.open.poll->why);
    count_hands(view, 3);
    reveal(view, 1);
    EXPECT_EQ(view.open.stage, Stage::reasons);
    EXPECT_FALSE(view.told());
    ASSERT_TRUE(view.open.poll);
    EXPECT_TRUE(view.open.poll->why);
    ASSERT_EQ(view.open.poll->choices.size(), 3U);
    EXPECT_TRUE(view.open.poll->choices[1].right);
    EXPECT_FALSE(view.open.poll->common_mistake());
    point_poll(view, 1);
    count_hands(view, 20);
    EXPECT_FALSE(view.open.poll->common_mistake());
    count_hands(view, 2);
    point_poll(view, 2);
    count_hands(view, 5);
    reveal(view, 1);
    EXPECT_TRUE(view.told());
    EXPECT_FALSE(view.open.poll->why);
    EXPECT_EQ(view.open.poll->choices[0].hands, 3U);
    ASSERT_TRUE(view.open.why_poll);
    EXPECT_EQ(view.open.why_poll->common_mistake(), 2U);
    reveal(view, -1);
    EXPECT_EQ(view.open.poll->choices[2].hands, 5U);
    reveal(view, -1);
    EXPECT_EQ(view.open.stage, Stage::question);
    EXPECT_EQ(view.open.poll->choices[0].hands, 3U);
}

TEST_F(LearnShown, ValuesThatAreSaidBecomeChoices) {
    open_page(learn(), 1);
    present(true);
    reveal(learn(), 1);
    ASSERT_TRUE(learn().open.poll);
    EXPECT_TRUE(learn().open.poll->by_value);
    count_hands(learn(), 4);  // of a value that is still to come
    count_value(learn(), "7");
    count_hands(learn(), 4);
    count_value(learn(), "3");
    count_value(learn(), "7");
    EXPECT_EQ(learn().open.poll->place, 0U);
    ASSERT_EQ(learn().open.poll->choices.size(), 2U);
    EXPECT_EQ(learn().open.poll->choices[0].hands, 4U);
    EXPECT_FALSE(learn().open.poll->choices[0].right);
    EXPECT_TRUE(learn().open.poll->choices[1].right);
}

TEST_F(LearnShown, APageWithoutAQuestionGoesOnToTheNext) {
    open_page(learn(), 2);
    present(true);
    session_.run("learn.reveal");
    EXPECT_EQ(learn().page_place, 3U);
}

TEST_F(LearnShown, ALatticeIsLookedAtByTheKeysOfTheLatticeView) {
    EXPECT_FALSE(session_.command("lattice.closer").enabled(session_));
    open_page(learn(), 2);
    ASSERT_NE(learn().shown_lattice(), nullptr);
    EXPECT_EQ(learn().lattice.lattice->rows.size(), rows());
    set_frame(learn().lattice, 200, 400);  // not all of it is readable
    session_.run("lattice.closer");
    EXPECT_TRUE(session_.shown().moving());
    EXPECT_FALSE(session_.command("lattice.step").enabled(session_));
    present(true);  // its keys reveal the page
    EXPECT_FALSE(session_.command("lattice.closer").enabled(session_));
}

TEST_F(LearnShown, OnlyAScheduleThatIsAskedForCanBeChosen) {
    open_page(learn(), 3);
    ASSERT_NE(learn().open.race, nullptr);
    EXPECT_TRUE(learn().asks(lessons::Kind::schedule));
    open_page(learn(), 4);
    ASSERT_NE(learn().open.race, nullptr);
    EXPECT_FALSE(learn().asks(lessons::Kind::schedule));
    const std::size_t stands = learn().position();
    EXPECT_GT(stands, 0U);
    EXPECT_EQ(learn().last_position(), stands);  // what comes later is hidden
    learn().go_to(stands + 1);
    EXPECT_EQ(learn().position(), stands);
    give_up(learn());
    EXPECT_GT(learn().last_position(), stands);
}

TEST(HandPoll, AWholeNumberIsACountOfHands) {
    EXPECT_EQ(hands_of("12"), 12U);
    EXPECT_EQ(hands_of("999"), kMostHands);
    for (const char* text : {"", "1273", "0.2.4", "-1", "1/2"})
        EXPECT_FALSE(hands_of(text)) << text;
}

TEST(HandPoll, AValueOfSeveralNumbersAnswersAllFieldsOrPicks) {
    lessons::Question fields;
    fields.fields.resize(2);
    EXPECT_EQ(answer_of_value(fields, "8, 14").texts, (std::vector<std::string>{"8", "14"}));
    const lessons::Question picks;
    EXPECT_EQ(answer_of_value(picks, "4 0,2").picks, (std::vector<std::uint64_t>{0, 2, 4}));
}

}  // namespace
}  // namespace lab::session
