// Where the actions of a schedule stand: in which swim lane, in which band of the page, how wide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/lanes/timeline.h"
#include "figures/parts/figure_page.h"

namespace lab::figures {

// Few actions are boxes with words; more are marks; of very many a column stands for several.
enum class ScheduleLevel : std::uint8_t { boxes, marks, columns };
inline constexpr std::size_t kMostBoxes = 120, kMostMarks = 1500;

struct SwimLane {
    std::uint32_t group = 0, last_group = 0;
    std::uint32_t warp = 0;
    bool of_warp = false;  // else of whole groups
};

struct PlacedAction {
    std::size_t band = 0, lane = 0;
    float x = 0, width = 0;
};

struct ScheduleLayout {
    ScheduleLevel level = ScheduleLevel::boxes;
    std::vector<SwimLane> lanes;
    std::vector<PlacedAction> actions;  // by time; of `columns` one for each column, lane 0
    std::uint64_t per_column = 1;       // actions
    std::vector<float> band_right;      // where each band ends
    // For each band, the lanes in it: where there are several bands, those that act in it.
    std::vector<std::vector<std::size_t>> band_lanes;
    float left = 0;  // of all bands
    float lane_height = 0, lane_gap = 0;

    std::size_t lane_of(const analysis::TimelineAction& action) const;
    bool lanes_left_out() const;
};

// What stands in a box, line by line.
struct BoxText {
    std::string kind, cells, value;
};
BoxText box_text(const analysis::Timeline& timeline, std::uint64_t time, const Translations& tr);

ScheduleLayout lay_out_schedule(const analysis::Timeline& timeline, const Page& page, float left);
std::vector<SwimLane> swim_lanes(const analysis::Timeline& timeline);

inline constexpr TextStyle kBoxKind{11, Face::sans, Role::muted, Anchor::middle};
inline constexpr TextStyle kBoxCells{11, Face::mono, Role::text, Anchor::middle};
inline constexpr TextStyle kBoxValue{12, Face::mono, Role::text, Anchor::middle};

}  // namespace lab::figures
