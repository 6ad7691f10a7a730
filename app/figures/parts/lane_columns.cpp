#include "figures/parts/lane_columns.h"

#include <algorithm>

namespace lab::figures {
namespace {

// Parts of a mark's pitch that lie between warps and between groups.
constexpr float kWarpGap = 0.3F, kGroupGap = 0.9F;
constexpr float kWidest = 56, kNarrowest = 3.5F, kLeastWhole = 12;  // pitches, points at scale 1
constexpr std::uint64_t kWholeItems = 64;  // so many stand one by one, however wide that is

struct Division {
    std::uint64_t items, local, lanes, per_mark;

    std::vector<LaneMark> marks() const {
        std::vector<LaneMark> lane_marks;
        const std::uint64_t block = per_mark <= local ? local : items;
        for (std::uint64_t from = 0; from < items; from += block)
            for (std::uint64_t index = from; index < std::min(from + block, items);
                 index += per_mark)
                lane_marks.push_back({index, std::min({index + per_mark, from + block, items}), 0});
        return lane_marks;
    }
    // The gap before a mark, in pitches.
    float gap(const LaneMark& mark) const {
        if (mark.first == 0) return 0;
        if (mark.first % local == 0) return per_mark <= local ? kGroupGap : 0;
        const bool warp = lanes > 1 && per_mark < lanes && mark.first % local % lanes == 0;
        return warp ? kWarpGap : 0;
    }
    float pitches(const std::vector<LaneMark>& all) const {
        auto sum = static_cast<float>(all.size());
        for (const LaneMark& mark : all)
            sum += gap(mark);
        return sum;
    }
    Division coarser() const {
        Division division = *this;
        if (per_mark == 1 && lanes > 1 && lanes <= local)
            division.per_mark = lanes;
        else
            division.per_mark = per_mark * 2 <= local ? per_mark * 2
                                : per_mark < local    ? local
                                                      : (per_mark / local * 2) * local;
        return division;
    }
};

// The spans of every `size` items of each group.
std::vector<Span> spans_of(const LaneColumns& columns, std::uint64_t local, std::uint64_t size) {
    std::vector<Span> spans;
    std::uint64_t before = ~std::uint64_t{0};
    for (const LaneMark& mark : columns.marks) {
        const std::uint64_t group = mark.first / local, part = mark.first % local / size;
        const std::uint64_t key = group << 32U | part;
        const float right = mark.x + columns.mark_width;
        if (key != before)
            spans.push_back({mark.x, right, size == local ? group : part});
        else
            spans.back().right = right;
        before = key;
    }
    return spans;
}

}  // namespace

LaneColumns place_lanes(std::uint64_t items, std::uint32_t local, std::uint32_t lanes, float left,
                        float room, float scale) {
    Division division{items, std::max<std::uint64_t>(local, 1), std::max<std::uint64_t>(lanes, 1),
                      1};
    LaneColumns columns;
    columns.left = columns.right = left;
    if (items == 0) return columns;
    columns.marks = division.marks();
    float pitch = room / division.pitches(columns.marks);
    if (items <= kWholeItems) pitch = std::max(pitch, kLeastWhole * scale);
    while (pitch < kNarrowest && columns.marks.size() > 1) {
        division = division.coarser();
        columns.marks = division.marks();
        pitch = room / division.pitches(columns.marks);
    }
    pitch = std::min(pitch, kWidest * scale);
    columns.per_mark = division.per_mark;
    columns.mark_width = pitch > 8 ? pitch * 0.86F : pitch - 1;
    float x = left;
    for (LaneMark& mark : columns.marks) {
        x += division.gap(mark) * pitch;
        mark.x = x;
        x += pitch;
    }
    columns.right = x - pitch + columns.mark_width;
    const bool whole_groups = columns.per_mark <= local;
    if (whole_groups) columns.groups = spans_of(columns, local, local);
    if (whole_groups && lanes > 1 && columns.per_mark <= lanes && lanes < local)
        columns.warps = spans_of(columns, local, lanes);
    return columns;
}

}  // namespace lab::figures
