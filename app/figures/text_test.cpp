#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/text.h"

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

std::string text_of(const RichLine& line) {
    std::string text;
    for (const RichPart& part : line)
        text += part.span.text;
    return text;
}

class RichText : public testing::Test {
  protected:
    std::vector<std::string> lines(const std::vector<StyledSpan>& spans, float width) {
        std::vector<std::string> texts;
        for (const RichLine& line : rich_lines(spans, width, 10, fonts_)) {
            texts.push_back(text_of(line));
            EXPECT_LE(line.back().x + line.back().width, width + 0.5F) << texts.back();
        }
        return texts;
    }
    const Fonts fonts_;
};

TEST_F(RichText, IsBrokenBetweenWordsWhateverTheirStyles) {
    const std::vector<StyledSpan> spans{{"one ", Face::sans, Role::text, false},
                                        {"two", Face::mono, Role::text, true},
                                        {", three\nfour", Face::sans, Role::text, false}};
    EXPECT_EQ(lines(spans, 1000), (std::vector<std::string>{"one two, three four"}));
    // The comma stays with the word that it follows, though its style is another one.
    EXPECT_EQ(lines(spans, 48), (std::vector<std::string>{"one two,", "three four"}));
    EXPECT_TRUE(lines({}, 100).empty());
    EXPECT_TRUE(lines({{" ", Face::sans, Role::text, false}}, 100).empty());
}

TEST_F(RichText, ChineseIsBrokenBetweenSigns) {
    const auto all = lines({{"每个工作组在自己的屏障处等待。", Face::sans, Role::text, false}}, 60);
    ASSERT_GT(all.size(), 2U);
    for (const std::string& line : all)
        EXPECT_FALSE(line.starts_with("。")) << line;
}

TEST_F(RichText, AWordThatIsTooLongIsShortened) {
    EXPECT_EQ(lines({{std::string(300, 'x'), Face::mono, Role::text, true}}, 80).size(), 1U);
}

}  // namespace
}  // namespace lab::figures
