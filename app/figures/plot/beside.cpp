#include "figures/plot/beside.h"

#include <algorithm>

namespace lab::figures {
namespace {

void place(Rect& rect, Point by, float scale) {
    rect.x = rect.x * scale + by.x;
    rect.y = rect.y * scale + by.y;
    for (float* each : {&rect.width, &rect.height, &rect.radius, &rect.stroke.width})
        *each *= scale;
}
void place(Text& text, Point by, float scale) {
    text.x = text.x * scale + by.x;
    text.y = text.y * scale + by.y;
    text.size *= scale;
}
void place(Path& path, Point by, float scale) {
    for (Point& point : path.points)
        point = {point.x * scale + by.x, point.y * scale + by.y};
    path.stroke.width *= scale;
}

void move(Shape& shape, Point by) {
    std::visit([&](auto& what) { place(what, by, 1); }, shape.what);
}

}  // namespace

void add_placed(Scene& to, const Scene& scene, Point by, float scale) {
    for (Shape shape : scene.shapes) {
        std::visit([&](auto& what) { place(what, by, scale); }, shape.what);
        to.shapes.push_back(std::move(shape));
    }
}

Scene side_by_side(Scene left, const Scene& right, float gap) {
    const float x = left.width + gap;
    add_placed(left, right, {x, 0}, 1);
    left.width = x + right.width;
    left.height = std::max(left.height, right.height);
    const auto join = [](std::string& to, const std::string& more) {
        if (!more.empty()) to += (to.empty() ? "" : " | ") + more;
    };
    join(left.title, right.title);
    join(left.description, right.description);
    return left;
}

Scene one_above_the_other(Scene upper, const Scene& lower, float gap) {
    const float y = upper.height + gap;
    add_placed(upper, lower, {0, y}, 1);
    upper.height = y + lower.height;
    upper.width = std::max(upper.width, lower.width);
    return upper;
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
