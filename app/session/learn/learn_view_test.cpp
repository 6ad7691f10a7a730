// The view Learn without a window: what is kept of answers, and which run a page shows.
#include "session/learn/learn_view.h"

#include <gmock/gmock.h>

#include "lessons/grading/progress.h"
#include "session/learn/moment_page.h"
#include "simulation/machine_run.h"
#include "support/example_session.h"
#include "support/session_test.h"

namespace lab::session {
namespace {

// Whether a run went wrong is no secret where a line is asked for; the line of a fault is.
TEST(LearnPages, APictureNeverCallsAWrongResultRight) {
    ExampleSession example;
    auto& learn = example.session.view<LearnView>();
    learn.open_folder(fs::path(LAB_SHARE_DIR) / "assets" / "lessons");
    std::size_t wrong = 0, faults = 0;
    do {
        const lessons::Page* page = learn.page();
        ASSERT_NE(page, nullptr);
        const LearnPage& shown = learn.shown_page();
        if (!page->ask || page->ask->kind != lessons::Kind::line || shown.run == nullptr) continue;
        const analysis::StepTable& run = shown.run->table;
        SCOPED_TRACE(learn.lesson()->title + ": " + page->title);
        EXPECT_EQ(shown.table.fault.empty(), run.fault.empty());
        EXPECT_EQ(shown.table.fault.find("line 1"), std::string::npos) << shown.table.fault;
        EXPECT_EQ(shown.table.fault.find("line 2"), std::string::npos) << shown.table.fault;
        EXPECT_EQ(shown.table.right, run.right);
        wrong += run.fault.empty() && !run.right;
        faults += !run.fault.empty();
    } while (learn.next_page());
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
        view.open_folder(lesson);
        EXPECT_TRUE(view.course_problems().empty());
        session.show_view<LearnView>();
        return view;
    }
    static void answer(Session& session, LearnView& view, const std::string& text) {
        view.set_text(0, text);
        view.check();
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
    view.start_again();
    EXPECT_FALSE(view.done());
    EXPECT_EQ(view.draft().texts, std::vector<std::string>{""});
    answer(session, view, "4");
    ASSERT_TRUE(view.feedback());
    EXPECT_FALSE(view.feedback()->right);
    const auto is_right = [](const lessons::PageProgress& page) {
        return page.right && !page.given_up && page.answer.texts == std::vector<std::string>{"3"};
    };
    EXPECT_TRUE(is_right(*view.progress()));
    std::optional<Problem> problem;
    EXPECT_TRUE(is_right(lessons::load_progress("lesson", problem).pages.at("p")));
    const fs::path file = folder_.path() / "answers.json";
    view.hand_in(file, "Ada");
    EXPECT_TRUE(is_right(lessons::read_hand_in(file).lessons.at(0).pages.at("p")));
    view.give_up();  // shows what was right
    EXPECT_TRUE(view.done() && view.feedback()->right && is_right(*view.progress()));
    view.start_again();
    answer(session, view, "3.0");
    EXPECT_TRUE(view.done() && view.feedback()->right);
    EXPECT_EQ(view.progress()->answer.texts, std::vector<std::string>{"3.0"});
}

const std::string kTwoPages =
    kShow + "```ask number\nvalue: passes\n```\n\n## Q\n" + "```ask number\nvalue: 5\n```\n";

TEST_F(Learn, WhatIsTypedIsKeptWithoutACheck) {
    Session::Options chosen = options();
    chosen.remember = true;
    {
        Session session(chosen, {});
        LearnView& view = open(session, kTwoPages);
        view.set_text(0, "1");
        view.next_page();
        view.set_text(0, "77");
        view.previous_page();
        EXPECT_EQ(view.draft().texts, std::vector<std::string>{"1"});
        EXPECT_EQ(view.progress(), nullptr);  // it was no try
        answer(session, view, "3");
        view.start_again();
        view.set_text(0, "2");
        view.next_page();
        view.previous_page();
        EXPECT_FALSE(view.done());
        EXPECT_EQ(view.draft().texts, std::vector<std::string>{"2"});
        EXPECT_TRUE(view.progress()->right);
    }
    Session session(chosen, {});
    LearnView& view = open(session, kTwoPages);
    view.open_page(1);
    EXPECT_EQ(view.draft().texts, std::vector<std::string>{"77"});
    view.open_page(0);
    EXPECT_EQ(view.draft().texts, std::vector<std::string>{"2"});
    const fs::path file = folder_.path() / "answers.json";
    view.hand_in(file, "Ada");
    EXPECT_TRUE(lessons::read_hand_in(file).lessons.at(0).drafts.empty());
}

TEST_F(Learn, WhatGaveWayIsBroughtBack) {
    Session session(options(), {});
    LearnView& view = open(session, kShow + "```ask number\nvalue: passes\n```\n");
    EXPECT_FALSE(view.undoable());
    view.set_text(0, "17");
    view.start_again();
    EXPECT_EQ(view.draft().texts, std::vector<std::string>{""});
    ASSERT_TRUE(view.undoable());
    EXPECT_TRUE(view.just_replaced());
    view.undo();
    EXPECT_EQ(view.draft().texts, std::vector<std::string>{"17"});
    view.redo();
    EXPECT_EQ(view.draft().texts, std::vector<std::string>{""});
    view.undo();
    view.give_up();
    EXPECT_EQ(view.draft().texts, std::vector<std::string>{"3"});
    view.undo();
    EXPECT_EQ(view.draft().texts, std::vector<std::string>{"17"});
    EXPECT_FALSE(view.done());
    EXPECT_TRUE(view.progress()->given_up);
}

// Showing the answer stays on record, and so do the tries before it.
TEST_F(Learn, TriesAndShownAnswersStayOnRecord) {
    Session session(options(), {});
    LearnView& view = open(session, kShow + "```ask number\nvalue: passes\n```\n");
    answer(session, view, "1");
    answer(session, view, "2");
    view.give_up();
    view.start_again();
    EXPECT_FALSE(view.done());
    answer(session, view, "9");
    ASSERT_TRUE(view.feedback());
    EXPECT_FALSE(view.feedback()->given_up);
    answer(session, view, "3");
    EXPECT_TRUE(view.feedback()->right);
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
    ASSERT_TRUE(view.feedback());
    EXPECT_EQ(view.feedback()->message.key, "learn.wrong.no_number");
    EXPECT_TRUE(view.reply().empty());
    EXPECT_EQ(view.progress(), nullptr);
    answer(session, view, "1+2");
    EXPECT_TRUE(view.done());
    EXPECT_EQ(view.progress()->tries, 1U);
}

TEST_F(Learn, ADigitStaysOnAPageThatAsks) {
    Session session(options(), {});
    LearnView& view = open(session, kShow + "```ask number\nvalue: passes\n```\n");
    EXPECT_TRUE(view.takes_digits());
    answer(session, view, "3");
    EXPECT_FALSE(view.takes_digits());
}

TEST_F(Learn, AnAnsweredScheduleStaysTheOneThatIsShown) {
    Session session(options(), {});
    LearnView& view = open(session, kShow + "```ask schedule\nuntil: wrong\n```\n");
    view.act(1);
    view.act(0);
    view.go_to(view.last_position());
    const auto turns = view.race()->all_turns();
    const std::size_t end = view.position();
    view.check();
    ASSERT_TRUE(view.done());
    view.go_to(view.position() - 1);
    EXPECT_EQ(view.position(), end - 1);
    view.go_to(1);
    EXPECT_FALSE(view.can_act());
    for (std::size_t place = 0; place < view.race()->ready().size(); ++place)
        view.act(place);
    EXPECT_EQ(view.position(), 1U);
    EXPECT_EQ(view.race()->all_turns(), turns);
    view.start_again();
    EXPECT_TRUE(view.can_act());
}

TEST_F(Learn, AnEditedKernelIsTheOneThatIsShown) {
    write_file(folder_.path() / "lesson" / "start.cl", kernel("data[0] + 1"));
    write_file(folder_.path() / "lesson" / "solution.cl", kernel("data[0] + 0"));
    Session session(options(), {});
    LearnView& view = open(session,
                           "```show\nkernel: start.cl\ninput: 7\nn: 1\ngroup: 1\nat: start\n```\n"
                           "```ask edit\nstart: start.cl\nsolution: solution.cl\n"
                           "goal: is_right for n=1\n```\n");
    ASSERT_FALSE(view.shown_page().problem) << view.shown_page().problem->text();
    const auto result = [&] { return view.shown_page().table.result; };
    EXPECT_EQ(result(), "8");
    const std::uint64_t opened = view.shown_page().opened;
    answer(session, view, kernel("data[0] + 2"));
    EXPECT_FALSE(view.feedback()->right);
    const std::string failed = view.feedback()->message.arguments.at("result");
    EXPECT_NE(failed, "8");
    EXPECT_EQ(result(), failed);     // with the numbers that it failed with
    EXPECT_EQ(view.position(), 0U);  // where one stood
    answer(session, view, kernel("data[0] +"));
    EXPECT_EQ(result(), failed);                  // the last that ran
    EXPECT_EQ(view.shown_page().opened, opened);  // one goes on typing
    answer(session, view, kernel("data[0] + 0"));
    EXPECT_TRUE(view.feedback()->right);
    EXPECT_EQ(result(), "7");
    EXPECT_EQ(view.position(), 0U);
    view.open_page(0);
    EXPECT_EQ(result(), "7");
    view.start_again();
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

}  // namespace
}  // namespace lab::session
