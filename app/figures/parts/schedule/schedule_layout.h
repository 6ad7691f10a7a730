// Where the actions of a schedule stand: in which swim lane, in which band of the page, how wide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/lanes/state_view.h"
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
    // By time; of `columns` one for each column, lane 0. Those before `first` have no place.
    std::vector<PlacedAction> actions;
    std::uint64_t first = 0;        // time of the first action that is shown
    std::uint64_t per_column = 1;   // actions
    std::vector<float> band_right;  // where each band ends
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
// Of an action that has not been taken.
BoxText box_text(const analysis::Timeline& timeline, const analysis::ActionView& action,
                 const Translations& tr);
float box_width(const BoxText& words, const Page& page);

ScheduleLayout lay_out_schedule(const analysis::Timeline& timeline, const Page& page, float left);
// A lane for each warp of `state`, and of the launch's actions before state.time as many of the
// last ones as fit between `left` and `right`, as boxes in one band.
ScheduleLayout lay_out_last_actions(const analysis::Timeline& timeline,
                                    const analysis::StateView& state, const Page& page, float left,
                                    float right);
std::vector<SwimLane> swim_lanes(const analysis::Timeline& timeline);

inline constexpr TextStyle kBoxKind{11, Face::sans, Role::muted, Anchor::middle};
inline constexpr TextStyle kBoxCells{11, Face::mono, Role::text, Anchor::middle};
inline constexpr TextStyle kBoxValue{12, Face::mono, Role::text, Anchor::middle};

}  // namespace lab::figures
