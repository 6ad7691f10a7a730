// The lane chart: a row per pass, a column per work-item, and how much of each lane was used.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/memory_traffic.h"
#include "analysis/warps.h"
#include "figures/figure_page.h"
#include "figures/font.h"
#include "figures/scene.h"
namespace lab::figures {

struct LaneChart {
    std::vector<analysis::PassActivity> passes;
    analysis::LaneCount total;
    std::vector<analysis::DivergentBranch> branches;
    std::optional<std::size_t> current = {};  // of `passes`: the one that is shown elsewhere
    bool rows = false;  // each pass makes the row after it in the step view's diagram
};

// A mark stands for an item; where there are more than can be distinguished for those of a warp, or
// of several. Of many passes the first ones and the last are shown, with the number of the others.
Scene lane_figure(const LaneChart& chart, const RunSubject& subject, const FigureOptions& options,
                  const Fonts& fonts, const Translations& tr);

// The look of a lane in a pass: how much of its group's steps it was active, idle, waiting or done.
enum class LaneState : std::uint8_t { active, idle, waiting, done };
inline constexpr std::size_t kLaneStates = 4;

// Shares of a mark's time, which sum to 1; in the order of LaneState. Items of a group that takes
// no step wait for the others, or are done.
std::array<float, kLaneStates> shares_of(const analysis::PassActivity& pass, std::uint64_t first,
                                         std::uint64_t end);

// The columns of the lane chart: which items share a mark, and where it stands.

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

// The bank grid: one request of a warp to local memory, with a column per bank; or to global
// memory, with a row per cache line, and which bytes of the fetched sectors were needed.
// Orange marks what a request waits for beyond what was needed, as barriers are orange: it costs
// time and is no mistake, so it is not vermilion. A hatch and the number of the bank cycle say the
// same.
Scene bank_figure(const analysis::RequestDetail& request, const RunSubject& subject,
                  const FigureOptions& options, const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
