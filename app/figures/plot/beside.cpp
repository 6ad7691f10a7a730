#include "figures/plot/beside.h"

#include <algorithm>

namespace lab::figures {
namespace {

void move(Rect& rect, Point point) {
    rect.x += point.x;
    rect.y += point.y;
}
void move(Text& text, Point point) {
    text.x += point.x;
    text.y += point.y;
}
void move(Path& path, Point by) {
    for (Point& point : path.points) {
        point.x += by.x;
        point.y += by.y;
    }
}

void move(Shape& shape, Point point) {
    std::visit([&](auto& what) { move(what, point); }, shape.what);
}

}  // namespace

Scene side_by_side(Scene left, const Scene& right, float gap) {
    const float x = left.width + gap;
    for (Shape shape : right.shapes) {
        move(shape, {x, 0});
        left.shapes.push_back(std::move(shape));
    }
    left.width = x + right.width;
    left.height = std::max(left.height, right.height);
    const auto join = [](std::string& to, const std::string& more) {
        if (!more.empty()) to += (to.empty() ? "" : " | ") + more;
    };
    join(left.title, right.title);
    join(left.description, right.description);
    return left;
}

Scene under_heading(Scene scene, const std::string& title, const std::string& words, float scale) {
    constexpr float kLeft = 20, kHeight = 52;  // points at scale 1
    for (Shape& shape : scene.shapes)
        move(shape, {0, kHeight * scale});
    scene.height += kHeight * scale;
    scene.add(Text{kLeft, 30 * scale, title, 17 * scale, Face::bold, Role::text, Anchor::start});
    scene.add(Text{kLeft, 50 * scale, words, 13 * scale, Face::sans, Role::muted, Anchor::start});
    scene.title = title;
    return scene;
}

}  // namespace lab::figures
