#include <array>

#include <gtest/gtest.h>

#include "figures/figure_page.h"
#include "figures/scene.h"

namespace lab::figures {
namespace {

Scene block(float height, float width = 100) {
    Scene scene;
    scene.width = width;
    scene.height = height;
    scene.add(box(0, 0, width, height, Role::act));
    return scene;
}

std::vector<Scene> finished(Sheets& sheets) {
    return sheets.finish([](Scene&, std::size_t, std::size_t) {});
}

TEST(Sheets, NoBlockIsCutByTheEndOfAPage) {
    Sheets sheets;
    for (int i = 0; i < 40; ++i)
        sheets.add(block(90), 10);
    const Fonts fonts;
    std::size_t blocks = 0;
    for (const Scene& page : finished(sheets)) {
        EXPECT_EQ(page.height, kSheetHeight);
        float below = 0;
        for (const Shape& shape : page.shapes) {
            const Box bounds = bounds_of(shape, fonts);
            EXPECT_GE(bounds.top, kSheetMargin - 0.1F);
            EXPECT_LE(bounds.bottom, kSheetHeight - kSheetMargin);
            EXPECT_GE(bounds.top, below);
            below = bounds.bottom;
            ++blocks;
        }
    }
    EXPECT_EQ(blocks, 40U);
}

TEST(Sheets, AHeadingStandsWithWhatFollows) {
    Sheets sheets;
    sheets.add(block(600), 0);
    sheets.add(block(30), 10, WithNext::always);
    sheets.add(block(200), 10);
    const std::vector<Scene> pages = finished(sheets);
    ASSERT_EQ(pages.size(), 2U);
    EXPECT_EQ(pages[0].shapes.size(), 1U);
    EXPECT_EQ(pages[1].shapes.size(), 2U);
}

// As on a lesson's page: words, a tall figure, and the question below it.
TEST(Sheets, ATallFigureLeavesNoHalfOfAPageEmpty) {
    for (const float words : {60.0F, 150.0F, 300.0F})
        for (const float figure : {150.0F, 250.0F, 400.0F}) {
            Sheets sheets;
            for (int i = 0; i < 12; ++i) {
                sheets.add(block(20), 20, WithNext::always);
                sheets.add(block(words), 6, WithNext::rather);
                sheets.add(block(figure), 12, WithNext::always, 0.8F);
                sheets.add(block(60), 10);
            }
            const Fonts fonts;
            const std::vector<Scene> pages = finished(sheets);
            float empty = 0;
            for (const Scene& page : pages)
                empty += kSheetHeight - kSheetMargin - bounds_of(page.shapes.back(), fonts).bottom;
            // A figure with its question may have to wait for the next page.
            EXPECT_LT(empty / static_cast<float>(pages.size()), 0.4F * kSheetHeight)
                << words << " " << figure;
        }
}

// A figure and a kernel to be changed, which no page holds together.
TEST(Sheets, WhatNoPageHoldsTogetherIsParted) {
    Sheets sheets;
    sheets.add(block(30), 20, WithNext::always);
    sheets.add(block(100), 6, WithNext::rather);
    sheets.add(block(300), 12, WithNext::always);
    sheets.add(block(600), 10);
    const std::vector<Scene> pages = finished(sheets);
    ASSERT_EQ(pages.size(), 2U);
    EXPECT_EQ(pages[0].shapes.size(), 3U);
}

TEST(Sheets, WhatIsTooLargeIsMadeSmaller) {
    Sheets sheets;
    sheets.add(block(100, 2 * kSheetRoom), 0);
    sheets.add(block(3 * kSheetHeight), 0);
    const Fonts fonts;
    const std::vector<Scene> pages = finished(sheets);
    ASSERT_EQ(pages.size(), 2U);
    EXPECT_NEAR(bounds_of(pages[0].shapes[0], fonts).right, kSheetWidth - kSheetMargin, 0.1F);
    EXPECT_NEAR(bounds_of(pages[0].shapes[0], fonts).bottom, kSheetMargin + 50, 0.1F);
    EXPECT_LT(bounds_of(pages[1].shapes[0], fonts).bottom, kSheetHeight);
}

TEST(Sheets, APageIsBegunWhereItIsAskedFor) {
    Sheets sheets;
    sheets.begin_page();
    sheets.add(block(10), 0);
    sheets.begin_page();
    sheets.add(block(10), 0);
    std::vector<std::string> feet;
    (void)sheets.finish([&](Scene&, std::size_t number, std::size_t count) {
        feet.push_back(std::to_string(number) + "/" + std::to_string(count));
    });
    EXPECT_EQ(feet, (std::vector<std::string>{"1/2", "2/2"}));
}

Slide slide_of(float width, float height, std::string sentence) {
    Slide slide{"A title", "step 1 of 2", std::move(sentence), Role::act_fill, {}};
    slide.picture.width = width;
    slide.picture.height = height;
    slide.picture.add(box(0, 0, width, height, Role::read), {}, "all");
    return slide;
}

Rect picture_in(const Scene& scene) {
    for (const Shape& shape : scene.shapes)
        if (shape.name == "all") return std::get<Rect>(shape.what);
    return {};
}

TEST(Slides, HaveOneScaleAndThePictureBetweenTitleAndSentence) {
    const Fonts fonts;
    std::string longer;
    for (int i = 0; i < 30; ++i)
        longer += "many words ";
    const std::array all{slide_of(400, 200, "Short."), slide_of(300, 200, longer)};
    const std::vector<Scene> scenes = slides(all, fonts);
    ASSERT_EQ(scenes.size(), 2U);
    const Rect one = picture_in(scenes[0]), other = picture_in(scenes[1]);
    EXPECT_FLOAT_EQ(one.width / 400, other.width / 300);
    EXPECT_EQ(one.x, other.x);
    EXPECT_EQ(one.y, other.y);
    float title = 0, sentence = kSlideHeight;
    for (const Scene& scene : scenes)
        for (const Shape& shape : scene.shapes)
            if (const auto* text = std::get_if<Text>(&shape.what)) {
                EXPECT_LE(fonts.bounds(*text).right, kSlideWidth);
                EXPECT_LE(fonts.bounds(*text).bottom, kSlideHeight);
                if (text->text == "A title") title = fonts.bounds(*text).bottom;
                if (text->text == "Short.") sentence = fonts.bounds(*text).top;
            }
    EXPECT_GT(one.y, title);
    EXPECT_LT(one.y + one.height, sentence);
    EXPECT_GT(one.width, 500);  // large
}

}  // namespace
}  // namespace lab::figures
