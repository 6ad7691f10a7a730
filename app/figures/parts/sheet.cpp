#include "figures/parts/sheet.h"

#include <algorithm>
#include <utility>

#include "figures/parts/figure_page.h"

namespace lab::figures {
namespace {

constexpr float kFoot = 60;  // points below the last block
constexpr float kPageRoom = kSheetHeight - kSheetMargin - kFoot;

struct Scaling {
    float x, y, scale;

    Point operator()(Point point) const { return {x + point.x * scale, y + point.y * scale}; }
    Stroke operator()(Stroke stroke) const {
        stroke.width *= scale;
        return stroke;
    }
    void apply(Rect& rect) const {
        const Point corner = (*this)(Point{rect.x, rect.y});
        rect.x = corner.x;
        rect.y = corner.y;
        rect.width *= scale;
        rect.height *= scale;
        rect.radius *= scale;
        rect.stroke = (*this)(rect.stroke);
    }
    void apply(Path& path) const {
        for (Point& point : path.points)
            point = (*this)(point);
        path.stroke = (*this)(path.stroke);
    }
    void apply(Text& text) const {
        const Point place = (*this)(Point{text.x, text.y});
        text.x = place.x;
        text.y = place.y;
        text.size *= scale;
    }
};

}  // namespace

void add_scene(Scene& to, const Scene& from, float x, float y, float scale) {
    const Scaling scaling{x, y, scale};
    for (const Shape& shape : from.shapes) {
        Shape& added = to.shapes.emplace_back(shape);
        std::visit([&](auto& what) { scaling.apply(what); }, added.what);
    }
}

Scene cropped(Scene scene, const Fonts& fonts) {
    Box box{1e9F, 1e9F, 0, 0};
    for (const Shape& shape : scene.shapes) {
        const Box part = bounds_of(shape, fonts);
        box = {std::min(box.left, part.left), std::min(box.top, part.top),
               std::max(box.right, part.right), std::max(box.bottom, part.bottom)};
    }
    Scene result;
    result.title = std::move(scene.title);
    result.description = std::move(scene.description);
    if (scene.shapes.empty()) return result;
    add_scene(result, scene, -box.left, -box.top);
    result.width = box.right - box.left;
    result.height = box.bottom - box.top;
    return result;
}

void Sheets::add(Scene scene, float gap, bool with_next) {
    held_.push_back({std::move(scene), gap});
    if (!with_next) place();
}

void Sheets::begin_page() {
    place();
    if (!pages_.empty()) y_ = kPageRoom + kSheetMargin;
}

void Sheets::place() {
    if (held_.empty()) return;
    const auto scale_of = [](const Scene& scene) {
        float scale = 1;
        if (scene.width > kSheetRoom) scale = kSheetRoom / scene.width;
        if (scene.height * scale > kPageRoom) scale = kPageRoom / scene.height;
        return scale;
    };
    float height = 0;
    for (const Placed& each : held_)
        height += each.gap + each.scene.height * scale_of(each.scene);
    bool first = true;
    for (const Placed& each : held_) {
        const float scale = scale_of(each.scene), own = each.gap + each.scene.height * scale;
        // Together if a page can hold all of it, else one by one.
        const bool full =
            y_ + (first && height <= kPageRoom ? height : own) > kSheetMargin + kPageRoom + 0.5F;
        if (pages_.empty() || full) {
            Scene& page = pages_.emplace_back();
            page.width = kSheetWidth;
            page.height = kSheetHeight;
            y_ = kSheetMargin;
        } else {
            y_ += each.gap;
        }
        add_scene(pages_.back(), each.scene, kSheetMargin, y_, scale);
        y_ += each.scene.height * scale;
        first = false;
    }
    held_.clear();
}

std::vector<Scene> Sheets::finish(
    const std::function<void(Scene& page, std::size_t number, std::size_t count)>& foot) {
    place();
    for (std::size_t i = 0; i < pages_.size(); ++i)
        foot(pages_[i], i + 1, pages_.size());
    return std::move(pages_);
}

}  // namespace lab::figures
