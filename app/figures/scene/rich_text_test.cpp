#include "figures/scene/rich_text.h"

#include <gtest/gtest.h>

namespace lab::figures {
namespace {

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
