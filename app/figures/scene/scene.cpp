#include "figures/scene/scene.h"

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

}  // namespace lab::figures
