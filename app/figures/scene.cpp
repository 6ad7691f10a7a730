#include "figures/scene.h"

#include <utility>

namespace lab::figures {

// Each is made in its place: GCC 14 takes a temporary Shape's other alternatives for read.
void Scene::add(Rect rect, std::string tip, std::string name) {
    Shape& shape = shapes.emplace_back();
    shape.what = rect;
    shape.tip = std::move(tip);
    shape.name = std::move(name);
}
void Scene::add(Path path, std::string tip) {
    Shape& shape = shapes.emplace_back();
    shape.what = std::move(path);
    shape.tip = std::move(tip);
}
void Scene::add(Text text, std::string tip, std::string name) {
    Shape& shape = shapes.emplace_back();
    shape.what = std::move(text);
    shape.tip = std::move(tip);
    shape.name = std::move(name);
}

Rect box(float x, float y, float width, float height, Role fill) {
    Rect rect;
    rect.x = x;
    rect.y = y;
    rect.width = width;
    rect.height = height;
    rect.fill = fill;
    return rect;
}

Rect disc(Point middle, float radius, Role fill) {
    Rect rect = box(middle.x - radius, middle.y - radius, 2 * radius, 2 * radius, fill);
    rect.radius = radius;
    return rect;
}

Path line(Point from, Point to, Stroke stroke) {
    Path path;
    path.points = {from, to};
    path.stroke = stroke;
    return path;
}

Path polygon(std::vector<Point> points, Role fill) {
    Path path;
    path.points = std::move(points);
    path.closed = true;
    path.fill = fill;
    return path;
}

Path arc(Point from, Point to, Stroke stroke) {
    if (from.x == to.x) return line(from, to, stroke);
    const float reach = (to.y - from.y) * 0.62F;
    Path path;
    path.points = {from, {from.x, from.y + reach}, {to.x, to.y - reach}, to};
    path.curved = true;
    path.stroke = stroke;
    return path;
}

Path arrow_head(Point tip, float size, Role fill) {
    const float half = size * 0.7F;
    return polygon({{tip.x - half, tip.y - size}, {tip.x + half, tip.y - size}, tip}, fill);
}

}  // namespace lab::figures
