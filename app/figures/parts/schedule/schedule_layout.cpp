#include "figures/parts/schedule/schedule_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lab::figures {
namespace {

using machine::ActionKind;

constexpr std::uint32_t kMostWarpLanes = 8, kMostLanes = 24;
constexpr std::size_t kMostBoxLanes = 8;
// Points at scale 1.
constexpr float kLeastBox = 42, kWidestBox = 120, kBarrierBox = 12, kBoxGap = 3, kBeforeLaunch = 14;
constexpr float kMark = 7, kColumn = 4;
constexpr float kNowGap = 12;        // between the lanes of a run that is still being made
constexpr float kTallest = 1600;     // of a page of boxes; a taller one has marks
constexpr float kWiderAlone = 1.3F;  // than a page, where one band is enough then
struct Heights {
    float lane, gap;
};
constexpr std::array<Heights, 3> kHeights{{{54, 18}, {22, 9}, {36, 9}}};  // by level
// In the order of ActionKind.
constexpr std::array<const char*, 5> kLayoutKinds{"schedule.load", "schedule.store",
                                                  "schedule.atomic", "schedule.barrier",
                                                  "schedule.collective"};

float width_of_box(const analysis::Timeline& timeline, std::uint64_t time, const Page& page) {
    if (timeline.actions[time].kind == ActionKind::barrier) return page.s(kBarrierBox);
    // A sign beside the words of a stale read.
    const float sign = timeline.actions[time].stale ? page.s(22) : 0;
    return std::clamp(box_width(box_text(timeline, time, page.tr()), page),
                      page.s(kLeastBox) + sign, page.s(kWidestBox));
}

// The words of one that touches memory. `values`: empty if they are too many.
BoxText box_text(ActionKind kind, std::string cells, const std::string& values, std::size_t lanes,
                 const Translations& tr) {
    BoxText words;
    words.kind = tr(kLayoutKinds.at(static_cast<std::size_t>(kind)));
    words.cells = std::move(cells);
    words.value = values.empty() ? tr("schedule.lanes", fmt::arg("count", lanes))
                                 : (kind == ActionKind::load ? "→ " : "← ") + values;
    return words;
}

class ScheduleLayouter {
  public:
    ScheduleLayouter(const analysis::Timeline& timeline, const Page& page, float left)
        : timeline_(timeline), page_(page) {
        out_.left = left;
        out_.lanes = swim_lanes(timeline);
    }

    ScheduleLayout make() {
        const std::size_t actions = timeline_.actions.size();
        if (actions > kMostMarks || out_.lanes.size() > kMostLanes)
            out_.level = ScheduleLevel::columns;
        else if (actions > kMostBoxes || out_.lanes.size() > kMostBoxLanes)
            out_.level = ScheduleLevel::marks;
        if (out_.level == ScheduleLevel::boxes && boxes_height() > page_.s(kTallest))
            out_.level = ScheduleLevel::marks;
        const Heights heights = kHeights.at(static_cast<std::size_t>(out_.level));
        out_.lane_height = page_.s(heights.lane);
        out_.lane_gap = page_.s(heights.gap);
        if (out_.level == ScheduleLevel::columns)
            place_columns();
        else
            place_actions();
        choose_lanes();
        return std::move(out_);
    }

  private:
    // How tall a page of boxes would be, about.
    float boxes_height() const {
        float all = 0;
        for (std::uint64_t time = 0; time < timeline_.actions.size(); ++time)
            all += width_of_box(timeline_, time, page_) + page_.s(kBoxGap);
        const float bands = std::ceil(all / (page_.right() - out_.left));
        const Heights heights = kHeights[0];
        return bands *
               (static_cast<float>(out_.lanes.size()) * page_.s(heights.lane + heights.gap) +
                page_.s(52));
    }

    void place_actions() {
        const bool boxes = out_.level == ScheduleLevel::boxes;
        const float gap = boxes ? page_.s(kBoxGap) : 0;
        const float right = even_right(boxes, gap);
        float x = out_.left + page_.s(4);
        std::size_t band = 0;
        for (std::uint64_t time = 0; time < timeline_.actions.size(); ++time) {
            const analysis::TimelineAction& action = timeline_.actions[time];
            const float width = boxes ? width_of_box(timeline_, time, page_) : page_.s(kMark);
            const bool launch = time > 0 && action.launch != timeline_.actions[time - 1].launch;
            if (launch) x += page_.s(boxes ? kBeforeLaunch : 6);
            if (x + width > right - page_.s(4) && x > out_.left + page_.s(40)) {
                out_.band_right.push_back(right);
                x = out_.left + page_.s(launch ? 12 : 4);
                ++band;
            }
            out_.actions.push_back({band, out_.lane_of(action), x, width});
            x += width + gap;
        }
        out_.band_right.push_back(band == 0 ? x + page_.s(4) : right);
    }

    // Where bands end, so that all are about as long: of several, the last is no stump.
    float even_right(bool boxes, float gap) const {
        float all = 0, widest = 0;
        for (std::uint64_t time = 0; time < timeline_.actions.size(); ++time) {
            const float width = boxes ? width_of_box(timeline_, time, page_) : page_.s(kMark);
            widest = std::max(widest, width);
            all += width + gap;
        }
        all += static_cast<float>(timeline_.launches.size()) * page_.s(boxes ? kBeforeLaunch : 6);
        const float room = page_.right() - out_.left - page_.s(8);
        // A little more than fits stays together: a line tells more than a number at two places.
        if (all <= room * kWiderAlone) return std::max(page_.right(), out_.left + all + page_.s(8));
        const float bands = std::ceil(all / (room - widest));
        return std::min(page_.right(), out_.left + all / bands + widest + page_.s(16));
    }

    void choose_lanes() {
        const std::size_t bands = out_.band_right.size();
        std::vector<std::vector<bool>> acts(bands,
                                            std::vector<bool>(out_.lanes.size(), bands == 1));
        if (bands > 1)
            for (const PlacedAction& action : out_.actions)
                acts[action.band][action.lane] = true;
        for (std::size_t band = 0; band < bands; ++band) {
            out_.band_lanes.emplace_back();
            for (std::size_t lane = 0; lane < out_.lanes.size(); ++lane)
                if (acts[band][lane]) out_.band_lanes.back().push_back(lane);
        }
    }

    void place_columns() {
        const float width = page_.s(kColumn), room = page_.right() - out_.left - page_.s(8);
        const auto fitting = std::max<std::uint64_t>(static_cast<std::uint64_t>(room / width), 1);
        out_.per_column = (timeline_.actions.size() + fitting - 1) / fitting;
        const std::uint64_t count =
            (timeline_.actions.size() + out_.per_column - 1) / out_.per_column;
        for (std::uint64_t i = 0; i < count; ++i)
            out_.actions.push_back(
                {0, 0, out_.left + page_.s(4) + static_cast<float>(i) * width, width});
        out_.band_right.push_back(out_.actions.back().x + width + page_.s(4));
    }

    const analysis::Timeline& timeline_;
    const Page& page_;
    ScheduleLayout out_;
};

}  // namespace

std::vector<SwimLane> swim_lanes(const analysis::Timeline& timeline) {
    std::vector<SwimLane> lanes;
    const std::uint32_t groups = timeline.groups, warps = timeline.warps;
    if (warps > 1 && std::uint64_t{groups} * warps <= kMostWarpLanes) {
        for (std::uint32_t group = 0; group < groups; ++group)
            for (std::uint32_t warp = 0; warp < warps; ++warp)
                lanes.push_back({group, group, warp, true});
        return lanes;
    }
    const std::uint32_t bundle = (groups + kMostLanes - 1) / kMostLanes;
    for (std::uint32_t group = 0; group < groups; group += bundle)
        lanes.push_back({group, std::min(group + bundle, groups) - 1, 0, false});
    return lanes;
}

std::size_t ScheduleLayout::lane_of(const analysis::TimelineAction& action) const {
    const auto position = std::find_if(lanes.begin(), lanes.end(), [&](const SwimLane& lane) {
        return action.group >= lane.group && action.group <= lane.last_group &&
               (!lane.of_warp || lane.warp == action.warp);
    });
    return static_cast<std::size_t>(position - lanes.begin());
}

bool ScheduleLayout::lanes_left_out() const {
    return std::any_of(band_lanes.begin(), band_lanes.end(),
                       [&](const auto& of) { return of.size() < lanes.size(); });
}

BoxText box_text(const analysis::Timeline& timeline, std::uint64_t time, const Translations& tr) {
    const analysis::TimelineAction& action = timeline.actions[time];
    if (action.cells.empty())
        return {tr(kLayoutKinds.at(static_cast<std::size_t>(action.kind))), {}, {}};
    const std::string name = timeline.arrays.size() > 1 ? timeline.arrays[action.name] : "";
    return box_text(action.kind, name + action.cells, action.values, action.lanes, tr);
}

BoxText box_text(const analysis::Timeline& timeline, const analysis::ActionView& action,
                 const Translations& tr) {
    if (action.touches.empty())
        return {tr(kLayoutKinds.at(static_cast<std::size_t>(action.kind))), {}, {}};
    std::vector<std::uint64_t> cells;
    std::vector<std::string> values;
    for (const analysis::LaneTouch& touch : action.touches) {
        cells.push_back(touch.index);
        values.push_back(touch.value);
    }
    const std::string name = timeline.arrays.size() > 1 ? action.array : "";
    return box_text(action.kind, name + analysis::cells_text(std::move(cells)),
                    analysis::values_text(values), action.touches.size(), tr);
}

float box_width(const BoxText& words, const Page& page) {
    const float widest =
        std::max({page.width(words.kind, kBoxKind), page.width(words.cells, kBoxCells),
                  page.width(words.value, kBoxValue)});
    return std::clamp(widest + page.s(10), page.s(kLeastBox), page.s(kWidestBox));
}

ScheduleLayout lay_out_schedule(const analysis::Timeline& timeline, const Page& page, float left) {
    return ScheduleLayouter(timeline, page, left).make();
}

ScheduleLayout lay_out_last_actions(const analysis::Timeline& timeline,
                                    const analysis::StateView& state, const Page& page, float left,
                                    float right) {
    ScheduleLayout out;
    out.left = left;
    const bool of_warps = state.warp_lanes > 0 && state.group_items > state.warp_lanes;
    for (const analysis::WarpView& warp : state.warps)
        out.lanes.push_back({warp.group, warp.group, warp.warp, of_warps});
    out.lane_height = page.s(kHeights[0].lane);
    out.lane_gap = page.s(kNowGap);
    out.band_lanes.emplace_back();
    for (std::size_t lane = 0; lane < out.lanes.size(); ++lane)
        out.band_lanes[0].push_back(lane);

    float all = page.s(8);
    for (out.first = state.time; out.first > 0; --out.first) {
        const std::uint64_t time = out.first - 1;
        if (timeline.actions[time].launch != state.launch) break;
        all += width_of_box(timeline, time, page) + page.s(kBoxGap);
        if (all > right - left) break;
    }
    out.actions.resize(state.time);
    float x = left + page.s(4);
    for (std::uint64_t time = out.first; time < state.time; ++time) {
        const float width = width_of_box(timeline, time, page);
        out.actions[time] = {0, out.lane_of(timeline.actions[time]), x, width};
        x += width + page.s(kBoxGap);
    }
    out.band_right.push_back(x);
    return out;
}

}  // namespace lab::figures
