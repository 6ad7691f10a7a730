// The columns of the lane chart: which items share a mark, and where it stands.
#pragma once

#include <cstdint>
#include <vector>

#include "figures/parts/figure_page.h"

namespace lab::figures {

struct LaneMark {
    std::uint64_t first = 0, end = 0;  // items
    float x = 0;                       // its left edge
};

struct LaneColumns {
    std::vector<LaneMark> marks;
    float mark_width = 0;
    std::uint64_t per_mark = 1;       // items, at most
    std::vector<Span> warps, groups;  // empty where a mark is of several of them
    float left = 0, right = 0;
};

// For `items` in groups of `local` and warps of `lanes`, from `left` on in `room` points.
LaneColumns place_lanes(std::uint64_t items, std::uint32_t local, std::uint32_t lanes, float left,
                        float room, float scale);

}  // namespace lab::figures
