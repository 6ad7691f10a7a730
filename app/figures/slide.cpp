#include "figures/slide.h"

#include <algorithm>

#include "figures/bars.h"
#include "figures/scene.h"
#include "figures/text.h"

namespace lab::figures {
namespace {

constexpr float kSlideMargin = 28, kSlideHeading = 58, kSlideTitle = 24, kSlidePosition = 17;
constexpr float kSlideSentence = 20, kSlideLine = 27, kSlideInside = 13;  // of the box below
constexpr float kSlideRoom = kSlideWidth - 2 * kSlideMargin;
constexpr float kLargestPicture = 3;

std::vector<std::string> slide_lines(const Slide& slide, const Fonts& fonts) {
    if (slide.sentence.empty()) return {};
    return lines_of(slide.sentence, kSlideRoom - 2 * kSlideInside, kSlideSentence, Face::bold,
                    fonts);
}

float sentence_height(std::size_t lines) {
    return lines == 0 ? 0 : static_cast<float>(lines) * kSlideLine + 2 * kSlideInside - 4;
}

void add_slide_words(Scene& scene, const Slide& slide, const Fonts& fonts, float box_top) {
    const float position = fonts.text_width(slide.position, kSlidePosition, Face::sans);
    scene.add(
        Text{kSlideMargin, 40,
             fonts.shortened(slide.title, kSlideRoom - position - 20, kSlideTitle, Face::bold),
             kSlideTitle, Face::bold});
    scene.add(Text{kSlideMargin + kSlideRoom, 40, slide.position, kSlidePosition, Face::sans,
                   Role::muted, Anchor::end});
    const std::vector<std::string> lines = slide_lines(slide, fonts);
    if (lines.empty()) return;
    Rect ground = box(kSlideMargin, box_top, kSlideRoom, kSlideHeight - kSlideMargin / 2 - box_top,
                      slide.ground);
    ground.radius = 6;
    scene.add(ground);
    for (std::size_t i = 0; i < lines.size(); ++i)
        scene.add(Text{kSlideMargin + kSlideInside,
                       box_top + kSlideInside + 18 + static_cast<float>(i) * kSlideLine, lines[i],
                       kSlideSentence, Face::bold});
}

}  // namespace

std::vector<Scene> slides(std::span<const Slide> all, const Fonts& fonts) {
    std::size_t lines = 0;
    float wide = 1, high = 1;
    for (const Slide& slide : all) {
        lines = std::max(lines, slide_lines(slide, fonts).size());
        wide = std::max(wide, slide.picture.width);
        high = std::max(high, slide.picture.height);
    }
    const float box_top = kSlideHeight - kSlideMargin / 2 - sentence_height(lines);
    const float room = box_top - kSlideHeading - 8;
    const float scale = std::min({kSlideRoom / wide, room / high, kLargestPicture});
    const Point corner{kSlideMargin + (kSlideRoom - wide * scale) / 2,
                       kSlideHeading + (room - high * scale) / 3};
    std::vector<Scene> scenes;
    for (const Slide& slide : all) {
        Scene& scene = scenes.emplace_back();
        scene.width = kSlideWidth;
        scene.height = kSlideHeight;
        scene.title = slide.title;
        scene.description = slide.sentence;
        add_placed(scene, slide.picture, corner, scale);
        add_slide_words(scene, slide, fonts, box_top);
    }
    return scenes;
}

}  // namespace lab::figures
