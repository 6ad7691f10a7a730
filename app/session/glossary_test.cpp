#include "session/glossary.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/shipped_kernels.h"

namespace lab::session {
namespace {

using namespace std::chrono_literals;

struct GlossaryBookTest : testing::Test {
    GlossaryBookTest() { setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1); }
};

TEST_F(GlossaryBookTest, GoesThroughARunOnceInAWhileThenRests) {
    GlossaryBook book;
    EXPECT_TRUE(follow(book, "en", catalogue::shipped()).empty());
    show_word(book, book.glossary.find("reduction"));
    ASSERT_NE(book.run, nullptr);
    ASSERT_EQ(book.moments.size(), 4U);  // the start and three passes
    EXPECT_EQ(book.step, 0U);
    ASSERT_TRUE(book.next_tick);
    const auto start = *book.next_tick;
    go_on(book, start - 1ms);
    EXPECT_EQ(book.step, 0U);
    go_on(book, start);
    EXPECT_EQ(book.step, 1U);
    go_on(book, start + 4s);  // the last stays twice as long, then it begins again
    EXPECT_EQ(book.step, 0U);
    go_on(book, start + 60s);
    EXPECT_EQ(book.step, 3U);
    EXPECT_FALSE(book.next_tick);  // nothing is drawn any more
}

TEST_F(GlossaryBookTest, ALongRunTakesTenSecondsToo) {
    GlossaryBook book;
    (void)follow(book, "en", catalogue::shipped());
    show_word(book, book.glossary.find("spin-lock"));
    ASSERT_GT(book.moments.size(), 20U);
    go_on(book, Clock::now() + 10500ms);
    EXPECT_EQ(book.step + 1, book.moments.size());
    EXPECT_FALSE(book.next_tick);
}

TEST_F(GlossaryBookTest, FollowsTheLanguageAndKeepsTheWord) {
    GlossaryBook book;
    (void)follow(book, "en", catalogue::shipped());
    show_word(book, book.glossary.find("barrier"));
    (void)follow(book, "zh", catalogue::shipped());
    ASSERT_TRUE(book.shown);
    EXPECT_EQ(book.glossary.words[*book.shown].title, "屏障");
    show_word(book, std::nullopt);
    EXPECT_FALSE(book.next_tick);
    EXPECT_EQ(book.run, nullptr);
}

TEST_F(GlossaryBookTest, TheKeyboardGoesThroughTheWordsInSight) {
    GlossaryBook book;
    (void)follow(book, "en", catalogue::shipped());
    focus_next(book);
    EXPECT_FALSE(book.focus);  // there is none
    set_in_sight(book, {5, 2});
    focus_next(book);
    EXPECT_EQ(book.focus, 5U);
    focus_next(book);
    EXPECT_EQ(book.focus, 2U);
    set_in_sight(book, {5});  // another page
    EXPECT_FALSE(book.focus);
    focus_next(book);
    focus_next(book);
    EXPECT_FALSE(book.focus);  // that was the last
}

}  // namespace
}  // namespace lab::session
