#include "session/glossary/glossary_book.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/shipped_kernels.h"

namespace lab::session {
namespace {

using namespace std::chrono_literals;
using Clock = GlossaryBook::Clock;

struct GlossaryBookTest : testing::Test {
    GlossaryBookTest() { setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1); }
};

TEST_F(GlossaryBookTest, GoesThroughARunOnceInAWhileThenRests) {
    GlossaryBook book;
    EXPECT_TRUE(book.follow("en", catalogue::shipped()).empty());
    book.show(book.glossary().find("reduction"));
    ASSERT_NE(book.run(), nullptr);
    ASSERT_EQ(book.moments().size(), 4U);  // the start and three passes
    EXPECT_EQ(book.step(), 0U);
    ASSERT_TRUE(book.next_move());
    const auto start = *book.next_move();
    book.poll(start - 1ms);
    EXPECT_EQ(book.step(), 0U);
    book.poll(start);
    EXPECT_EQ(book.step(), 1U);
    book.poll(start + 4s);  // the last stays twice as long, then it begins again
    EXPECT_EQ(book.step(), 0U);
    book.poll(start + 60s);
    EXPECT_EQ(book.step(), 3U);
    EXPECT_FALSE(book.next_move());  // nothing is drawn any more
}

TEST_F(GlossaryBookTest, ALongRunTakesTenSecondsToo) {
    GlossaryBook book;
    (void)book.follow("en", catalogue::shipped());
    book.show(book.glossary().find("spin-lock"));
    ASSERT_GT(book.moments().size(), 20U);
    book.poll(Clock::now() + 10500ms);
    EXPECT_EQ(book.step() + 1, book.moments().size());
    EXPECT_FALSE(book.next_move());
}

TEST_F(GlossaryBookTest, FollowsTheLanguageAndKeepsTheWord) {
    GlossaryBook book;
    (void)book.follow("en", catalogue::shipped());
    book.show(book.glossary().find("barrier"));
    (void)book.follow("zh", catalogue::shipped());
    ASSERT_TRUE(book.shown());
    EXPECT_EQ(book.glossary().words[*book.shown()].title, "屏障");
    book.show(std::nullopt);
    EXPECT_FALSE(book.next_move());
    EXPECT_EQ(book.run(), nullptr);
}

TEST_F(GlossaryBookTest, TheKeyboardGoesThroughTheWordsInSight) {
    GlossaryBook book;
    (void)book.follow("en", catalogue::shipped());
    book.focus_next();
    EXPECT_FALSE(book.focus());  // there is none
    book.set_in_sight({5, 2});
    book.focus_next();
    EXPECT_EQ(book.focus(), 5U);
    book.focus_next();
    EXPECT_EQ(book.focus(), 2U);
    book.set_in_sight({5});  // another page
    EXPECT_FALSE(book.focus());
    book.focus_next();
    book.focus_next();
    EXPECT_FALSE(book.focus());  // that was the last
}

}  // namespace
}  // namespace lab::session
