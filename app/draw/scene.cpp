#include "draw/scene.h"

#include <utility>

namespace lab::draw {

void Scene::add(Rect rect, std::string tip, std::string name) {
    shapes.push_back({rect, std::move(tip), std::move(name)});
}
void Scene::add(Path path, std::string tip) {
    shapes.push_back({std::move(path), std::move(tip)});
}
void Scene::add(Text text, std::string tip) {
    shapes.push_back({std::move(text), std::move(tip)});
}

}  // namespace lab::draw
