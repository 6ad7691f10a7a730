// What of a page is seen: its panel, and what is revealed of it in front of a class.
#include <algorithm>

#include "session/learn/learn_view.h"
#include "simulation/machine_run.h"
#include "support/session_test.h"

namespace lab::session {
namespace {

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
        learn().open_folder(folder_.path() / "typed");
    }

    LearnView& learn() { return session_.view<LearnView>(); }
    void present(bool on) {
        session_.present(on);
        session_.poll();
    }
    std::size_t rows() { return learn().shown_page().table.rows.size(); }

    Session session_;
};

TEST_F(LearnShown, APanelIsCutOffWhereTheRowsAre) {
    EXPECT_FALSE(learn().shown_page().problem);
    EXPECT_EQ(learn().panel(), "lanes");
    EXPECT_EQ(learn().shown_page().hidden_from, 2U);
    learn().give_up();
    EXPECT_EQ(learn().shown_page().hidden_from, 0U);
}

TEST_F(LearnShown, APanelThatTellsTheAnswerComesWithIt) {
    learn().open_page(1);
    EXPECT_EQ(learn().panel(), "");
    EXPECT_FALSE(session_.command("learn.panel").enabled(session_));
    learn().give_up();
    EXPECT_EQ(learn().panel(), "races");
    session_.run("learn.panel");
    EXPECT_FALSE(learn().panel_wanted(true));
}

TEST_F(LearnShown, AClassSeesWordsThenQuestionThenAnswer) {
    const std::size_t hidden = rows();
    present(true);
    EXPECT_EQ(learn().stage(), Stage::words);
    session_.run("learn.reveal");
    EXPECT_EQ(learn().stage(), Stage::question);
    EXPECT_FALSE(learn().told());
    EXPECT_EQ(rows(), hidden);
    EXPECT_TRUE(learn().marked().empty());
    session_.run("learn.reveal");
    EXPECT_TRUE(learn().told());
    EXPECT_GT(rows(), hidden);
    EXPECT_FALSE(learn().marked().picks.empty());
    EXPECT_FALSE(learn().right_words().empty());
    session_.run("learn.take_back");
    EXPECT_EQ(rows(), hidden);
    session_.run("learn.reveal");
    session_.run("learn.reveal");
    EXPECT_EQ(learn().page_place(), 1U);
    EXPECT_EQ(learn().stage(), Stage::words);
    session_.run("learn.take_back");
    EXPECT_EQ(learn().page_place(), 0U);
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
    learn().give_up();
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
    EXPECT_FALSE(learn().poll_of_hands());
    learn().reveal(1);
    ASSERT_TRUE(learn().poll_of_hands());
    const std::size_t choices = learn().shown_page().question.options.size();
    EXPECT_EQ(learn().poll_of_hands()->places(), choices);
    learn().count_hands(12);
    learn().point_poll(1);
    learn().count_hands(5000);
    learn().point_poll(choices);  // there is none
    EXPECT_EQ(learn().poll_of_hands()->choices[0].hands, 12U);
    EXPECT_EQ(learn().poll_of_hands()->choices[1].hands, kMostHands);
    EXPECT_EQ(learn().poll_of_hands()->place, 1U);
    EXPECT_EQ(learn().poll_of_hands()->most(), kMostHands);
    learn().reveal(1);
    learn().reveal(-1);
    EXPECT_EQ(learn().poll_of_hands()->choices[0].hands, 12U);
    learn().open_page(1);
    EXPECT_FALSE(learn().poll_of_hands());
}

TEST_F(LearnShown, ValuesThatAreSaidBecomeChoices) {
    learn().open_page(1);
    present(true);
    learn().reveal(1);
    ASSERT_TRUE(learn().poll_of_hands());
    EXPECT_TRUE(learn().poll_of_hands()->by_value);
    learn().count_hands(4);  // of a value that is still to come
    learn().count_value("7");
    learn().count_hands(4);
    learn().count_value("3");
    learn().count_value("7");
    EXPECT_EQ(learn().poll_of_hands()->place, 0U);
    ASSERT_EQ(learn().poll_of_hands()->choices.size(), 2U);
    EXPECT_EQ(learn().poll_of_hands()->choices[0].hands, 4U);
    EXPECT_FALSE(learn().poll_of_hands()->choices[0].right);
    EXPECT_TRUE(learn().poll_of_hands()->choices[1].right);
}

TEST_F(LearnShown, APageWithoutAQuestionGoesOnToTheNext) {
    learn().open_page(2);
    present(true);
    session_.run("learn.reveal");
    EXPECT_EQ(learn().page_place(), 3U);
}

TEST_F(LearnShown, ALatticeIsLookedAtByTheKeysOfTheLatticeView) {
    EXPECT_FALSE(session_.command("lattice.closer").enabled(session_));
    learn().open_page(2);
    ASSERT_NE(learn().lattice(), nullptr);
    EXPECT_EQ(learn().lattice()->lattice()->rows.size(), rows());
    learn().lattice()->set_frame(200, 400);  // not all of it is readable
    session_.run("lattice.closer");
    EXPECT_TRUE(learn().moving());
    EXPECT_FALSE(session_.command("lattice.step").enabled(session_));
    present(true);  // its keys reveal the page
    EXPECT_FALSE(session_.command("lattice.closer").enabled(session_));
}

TEST_F(LearnShown, OnlyAScheduleThatIsAskedForCanBeChosen) {
    learn().open_page(3);
    ASSERT_NE(learn().race(), nullptr);
    EXPECT_TRUE(learn().schedules());
    learn().open_page(4);
    ASSERT_NE(learn().race(), nullptr);
    EXPECT_FALSE(learn().schedules());
    const std::size_t stands = learn().position();
    EXPECT_GT(stands, 0U);
    EXPECT_EQ(learn().last_position(), stands);  // what comes later is hidden
    learn().go_to(stands + 1);
    EXPECT_EQ(learn().position(), stands);
    learn().give_up();
    EXPECT_GT(learn().last_position(), stands);
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
