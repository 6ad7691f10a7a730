#include <array>

#include <gtest/gtest.h>

#include "figures/scene.h"
#include "figures/slide.h"

namespace lab::figures {
namespace {

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
