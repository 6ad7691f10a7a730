#include "figures/parts/lane_cells.h"

#include <algorithm>

#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

void add_dots(Scene& scene, const Box& box, float scale) {
    const float y = (box.top + box.bottom) / 2, wide = box.right - box.left;
    const float radius = std::min({1.6F * scale, wide / 4, (box.bottom - box.top) / 3});
    const float x = (box.left + box.right) / 2, apart = wide / 4;
    if (wide < kNarrowLane) {
        scene.add(disc({x, y}, radius, Role::idle));
        return;
    }
    for (const float at : {-apart, 0.0F, apart})
        scene.add(disc({x + at, y}, radius, Role::idle));
}

void add_part(Scene& scene, const Box& box, LaneState state, float scale) {
    const bool narrow = box.right - box.left < kNarrowLane;
    Rect rect = lab::figures::box(box.left, box.top, box.right - box.left, box.bottom - box.top,
                                  Role::none);
    if (state == LaneState::active) {
        rect.fill = Role::act;
        scene.add(rect);
    } else if (state == LaneState::idle) {
        rect.fill = Role::idle_fill;
        if (!narrow) {
            rect.stroke = {Role::idle, 1, Dash::solid};
            rect.x += 0.5F;
            rect.y += 0.5F;
            rect.width -= 1;
            rect.height = std::max(rect.height - 1, 0.5F);
        }
        scene.add(rect);
    } else if (state == LaneState::waiting) {
        add_dots(scene, box, scale);
    }
}

}  // namespace

std::array<float, kLaneStates> shares_of(const analysis::PassActivity& pass, std::uint64_t first,
                                         std::uint64_t end) {
    std::array<float, kLaneStates> shares{};
    end = std::min<std::uint64_t>(end, pass.items.size());
    for (std::uint64_t index = first; index < end; ++index) {
        const analysis::ItemSlots& item = pass.items[index];
        const auto all = static_cast<float>(item.total());
        if (item.total() == 0) {
            ++shares[static_cast<std::size_t>(item.ended ? LaneState::done : LaneState::waiting)];
            continue;
        }
        const std::array<std::uint32_t, kLaneStates> parts{item.active, item.idle, item.waiting,
                                                           item.done};
        for (std::size_t i = 0; i < kLaneStates; ++i)
            shares[i] += static_cast<float>(parts[i]) / all;
    }
    for (float& share : shares)
        share /= static_cast<float>(std::max<std::uint64_t>(end - std::min(first, end), 1));
    return shares;
}

void add_lane_cell(Scene& scene, const Box& box, const std::array<float, kLaneStates>& shares,
                   float scale, std::string tip, std::string name) {
    const bool wide = box.right - box.left >= kNarrowLane;
    Rect outline = lab::figures::box(box.left, box.top, box.right - box.left, box.bottom - box.top,
                                     wide ? Role::panel : Role::none);
    if (wide) outline.stroke = {Role::border, 1, Dash::solid};
    scene.add(outline, std::move(tip), std::move(name));
    float bottom = box.bottom;
    for (std::size_t i = 0; i < kLaneStates; ++i) {
        const float height = shares[i] * (box.bottom - box.top);
        if (height < 0.05F) continue;
        add_part(scene, {box.left, bottom - height, box.right, bottom}, static_cast<LaneState>(i),
                 scale);
        bottom -= height;
    }
}

}  // namespace lab::figures
