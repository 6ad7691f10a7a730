#include "figures/scene/paragraph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lab::figures {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ParagraphTest : public testing::Test {
  protected:
    std::vector<std::string> lines(const std::string& text, const std::string& as_wide_as) const {
        return lines_of(text, fonts_.text_width(as_wide_as, 12, Face::sans) + 0.1F, 12, Face::sans,
                        fonts_);
    }
    const Fonts fonts_;
};

TEST_F(ParagraphTest, BreaksBetweenWords) {
    EXPECT_THAT(lines("one two three", "one two"), ElementsAre("one two", "three"));
    EXPECT_THAT(lines("one two", "one two three"), ElementsAre("one two"));
    EXPECT_THAT(lines("", "one"), IsEmpty());
}

TEST_F(ParagraphTest, BreaksChineseAnywhereButNotBeforeAStop) {
    EXPECT_THAT(lines("点为中位数。", "点为中位"), ElementsAre("点为中位", "数。"));
    EXPECT_THAT(lines("点为中位数。", "点为中位数"), ElementsAre("点为中位", "数。"));
    EXPECT_THAT(lines("用 kernel 读", "用 kern"), ElementsAre("用", "kernel", "读"));
}

TEST_F(ParagraphTest, AWordThatIsTooWideIsShortened) {
    EXPECT_THAT(lines("incomprehensibilities", "incompr…"), ElementsAre("incompr…"));
}

}  // namespace
}  // namespace lab::figures
