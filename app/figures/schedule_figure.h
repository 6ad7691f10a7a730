// The schedule of a run as swim lanes: a lane per group or warp, actions from left to right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/timeline.h"
#include "figures/figure_page.h"
namespace lab::figures {

// Few actions are boxes with cells and values, in several bands if one would be too wide; more
// actions are marks; with very many, a column stands for several.
Scene schedule_figure(const analysis::Timeline& timeline, const RunSubject& subject,
                      const FigureOptions& options, const Fonts& fonts, const Translations& tr);

// A schedule that is still being made: the actions so far in the lanes of their warps, and, dashed,
// the next ones of those that can act, with the values that they would find or store.
struct ScheduleNow {
    Scene scene;
    std::vector<Box> buttons;  // by warp of `state`: room for a button in place of its name
    float closer = 1;          // as it came out
};
struct ScheduleNowOptions {
    float button = 0;    // points: the width of the buttons at the left
    bool whole = false;  // all actions so far, however wide; else the last ones that fit
    // Scales the width of actions where all are there. Below 1 they are marks without words, and
    // never so narrow that there is more room than they need.
    float closer = 1;
    std::vector<bool> hidden = {};  // by warp of `state`: the values of its next action
};
// `ready`: the warps that can act, in the order of state.warps; `picked`: an index into it.
ScheduleNow schedule_now(const analysis::Timeline& timeline, const analysis::StateView& state,
                         const std::vector<const analysis::WarpView*>& ready, std::size_t picked,
                         const ScheduleNowOptions& now, const FigureOptions& options,
                         const Fonts& fonts, const Translations& tr);

// Where the actions of a schedule stand: in which swim lane, in which band of the page, how wide.

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

ScheduleLayout lay_out_schedule(const analysis::Timeline& timeline, const Page& page, float left);

// One moment of a run: memory, who has just touched which cell, and what the work-items are doing.

struct StateFigureOptions {
    FigureOptions figure;
    bool items = true;  // a disc for each work-item, by group
    bool next = true;   // mark cells that would be touched next, and where groups collide
    bool legend = true;
};

// Cells stand in lines of a power of two, as wide as their values need. A cell that one group would
// write next and another one touch next has a vermilion frame: their order matters.
Scene state_figure(const analysis::StateView& state, const StateFigureOptions& options,
                   const Fonts& fonts, const Translations& tr);

// "load data[4] → 11", "store data[0] ← 33", "barrier", "end": an action on one line. With several
// lanes, their cells and values: "load data[0,2…6] → 7 6 5 7".
std::string action_text(const analysis::ActionView& action, const Translations& tr);
// "group 0", "group 0, warp 1", "item 5": a warp's name, depending on how groups consist of warps.
std::string warp_text(const analysis::WarpView& warp, const analysis::StateView& state,
                      const Translations& tr);
// Its number alone: "0", "0.1", "5".
std::string warp_mark(const analysis::WarpView& warp, const analysis::StateView& state);

}  // namespace lab::figures
