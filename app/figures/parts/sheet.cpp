#include "figures/parts/sheet.h"

#include <algorithm>
#include <utility>

#include "figures/parts/figure_page.h"

namespace lab::figures {
namespace {

constexpr float kFoot = 60;  // points below the last block
constexpr float kPageRoom = kSheetHeight - kSheetMargin - kFoot;
constexpr float kMostEmpty = kPageRoom / 4;  // at the end of a page, for what stands together

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

void Sheets::add(Scene scene, float gap, WithNext with_next, float least) {
    float scale = 1;
    if (scene.width > kSheetRoom) scale = kSheetRoom / scene.width;
    if (scene.height * scale > kPageRoom) scale = kPageRoom / scene.height;
    held_.push_back({std::move(scene), gap, with_next, scale, least});
    if (with_next == WithNext::no) place();
}

void Sheets::begin_page() {
    place();
    if (!pages_.empty()) y_ = kPageRoom + kSheetMargin;
}

float Sheets::room() const {
    return pages_.empty() ? 0 : kSheetMargin + kPageRoom + 0.5F - y_;
}

float Sheets::part_within(Blocks blocks, float room) {
    constexpr float kStep = 0.05F;
    for (float part = 1; part > 0; part -= kStep) {
        float height = 0;
        for (const Held& each : blocks)
            height += each.gap + each.height(part);
        if (height <= room) return part;
    }
    return 0;
}

bool Sheets::may_part(Blocks blocks, std::size_t block) {
    const auto tied = [&](std::size_t at) { return blocks[at].with_next == WithNext::always; };
    if (block + 1 == blocks.size() || !tied(block)) return true;
    std::size_t first = block, end = block + 1;
    while (first > 0 && tied(first - 1))
        --first;
    while (end < blocks.size() && tied(end - 1))
        ++end;
    return part_within(blocks.subspan(first, end - first), kPageRoom) == 0;
}

void Sheets::begin_next() {
    Scene& page = pages_.emplace_back();
    page.width = kSheetWidth;
    page.height = kSheetHeight;
    y_ = kSheetMargin;
}

void Sheets::add_to_page(Blocks blocks, float part) {
    for (const Held& each : blocks) {
        if (y_ > kSheetMargin) y_ += each.gap;
        add_scene(pages_.back(), each.scene, kSheetMargin, y_,
                  each.scale * std::max(part, each.least));
        y_ += each.height(part);
    }
}

void Sheets::place() {
    for (Blocks left = held_; !left.empty();) {
        // As many as there is room for, parted where they may be.
        std::size_t fits = 0;
        float part = 0;
        for (std::size_t end = 1; end <= left.size(); ++end) {
            if (!may_part(left, end - 1)) continue;
            const float of_these = part_within(left.first(end), room());
            if (of_these == 0) break;
            fits = end;
            part = of_these;
        }
        const bool fresh = !pages_.empty() && y_ == kSheetMargin;
        const bool together = part_within(left, kPageRoom) > 0;
        if (fits < left.size() && !fresh && (fits == 0 || (together && room() <= kMostEmpty))) {
            begin_next();
            continue;
        }
        if (fits == 0) fits = 1;
        add_to_page(left.first(fits), part);
        left = left.subspan(fits);
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
