#include "figures/parts/schedule_layout.h"

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

float box_width(const analysis::Timeline& timeline, std::uint64_t time, const Page& page) {
    if (timeline.actions[time].kind == ActionKind::barrier) return page.s(kBarrierBox);
    const BoxText words = box_text(timeline, time, page.tr());
    const float widest =
        std::max({page.width(words.kind, kBoxKind), page.width(words.cells, kBoxCells),
                  page.width(words.value, kBoxValue)});
    // A sign beside the words of a stale read.
    const float sign = timeline.actions[time].stale ? page.s(22) : 0;
    return std::clamp(widest + page.s(10), page.s(kLeastBox) + sign, page.s(kWidestBox));
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
            all += box_width(timeline_, time, page_) + page_.s(kBoxGap);
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
            const float width = boxes ? box_width(timeline_, time, page_) : page_.s(kMark);
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
            const float width = boxes ? box_width(timeline_, time, page_) : page_.s(kMark);
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
    BoxText words;
    words.kind = tr(kLayoutKinds.at(static_cast<std::size_t>(action.kind)));
    if (action.cells.empty()) return words;
    words.cells =
        (timeline.arrays.size() > 1 ? timeline.arrays[action.name] : std::string()) + action.cells;
    words.value = action.values.empty()
                      ? tr("schedule.lanes", fmt::arg("count", action.lanes))
                      : (action.kind == ActionKind::load ? "→ " : "← ") + action.values;
    return words;
}

ScheduleLayout lay_out_schedule(const analysis::Timeline& timeline, const Page& page, float left) {
    return ScheduleLayouter(timeline, page, left).make();
}

}  // namespace lab::figures
