#include "figures/schedule_figure.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/links.h"
#include "base/ranges.h"
#include "figures/chart.h"
#include "figures/scene.h"

namespace lab::figures {
namespace {

using fmt::arg;
using machine::ActionKind;
using machine::Status;

std::size_t index_of(ActionKind kind) {
    return static_cast<std::size_t>(kind);
}

std::string kind_text(ActionKind kind, const Translations& tr) {
    constexpr std::array<const char*, 5> kKeys{"schedule.load", "schedule.store", "schedule.atomic",
                                               "schedule.barrier", "schedule.collective"};
    return tr(kKeys.at(index_of(kind)));
}

// The cells that an action's lanes touch, and the values that they find or leave there.
std::pair<std::vector<std::uint64_t>, std::vector<std::string>> touched_by(
    const analysis::ActionView& action) {
    std::pair<std::vector<std::uint64_t>, std::vector<std::string>> touched;
    for (const analysis::LaneTouch& touch : action.touches) {
        touched.first.push_back(touch.index);
        touched.second.push_back(touch.value);
    }
    return touched;
}

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

// The text in a box, line by line.
struct BoxText {
    std::string kind, cells, value;
};
constexpr TextStyle kBoxKind{11, Face::sans, Role::muted, Anchor::middle};
constexpr TextStyle kBoxCells{11, Face::mono, Role::text, Anchor::middle};
constexpr TextStyle kBoxValue{12, Face::mono, Role::text, Anchor::middle};

// The words of one that touches memory. `values`: empty if they are too many.
BoxText box_text(ActionKind kind, std::string cells, const std::string& values, std::size_t lanes,
                 const Translations& tr) {
    return {kind_text(kind, tr), std::move(cells),
            values.empty() ? tr("schedule.lanes", arg("count", lanes))
                           : (kind == ActionKind::load ? "→ " : "← ") + values};
}

BoxText box_text(const analysis::Timeline& timeline, std::uint64_t time, const Translations& tr) {
    const analysis::TimelineAction& action = timeline.actions[time];
    if (!action.name) return {kind_text(action.kind, tr), {}, {}};
    const bool named = timeline.arrays.size() > 1 || action.cells.empty();
    const std::string name = named ? timeline.arrays[*action.name] : "";
    return box_text(action.kind, name + action.cells, action.values, action.lanes, tr);
}

// Returns the text of an action that has not been taken.
BoxText box_text(const analysis::Timeline& timeline, const analysis::ActionView& action,
                 const Translations& tr) {
    if (action.touches.empty()) return {kind_text(action.kind, tr), {}, {}};
    auto [cells, values] = touched_by(action);
    const bool named = timeline.arrays.size() > 1 || action.shape.scalar;
    return box_text(
        action.kind,
        (named ? action.array : "") + analysis::cells_text(std::move(cells), action.shape),
        analysis::values_text(values), action.touches.size(), tr);
}

float box_width(const BoxText& words, const Page& page) {
    const float widest =
        std::max({page.width(words.kind, kBoxKind), page.width(words.cells, kBoxCells),
                  page.width(words.value, kBoxValue)});
    return std::clamp(widest + page.s(10), page.s(kLeastBox), page.s(kWidestBox));
}

float width_of_box(const analysis::Timeline& timeline, std::uint64_t time, const Page& page) {
    if (timeline.actions[time].kind == ActionKind::barrier) return page.s(kBarrierBox);
    // A sign beside the words of a stale read.
    const float sign = timeline.actions[time].stale ? page.s(22) : 0;
    return std::clamp(box_width(box_text(timeline, time, page.tr()), page),
                      page.s(kLeastBox) + sign, page.s(kWidestBox));
}

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

std::size_t ScheduleLayout::lane_of(const analysis::TimelineAction& action) const {
    const auto position = std::find_if(lanes.begin(), lanes.end(), [&](const SwimLane& lane) {
        return action.group >= lane.group && action.group <= lane.last_group &&
               (!lane.of_warp || lane.warp == action.warp);
    });
    return static_cast<std::size_t>(position - lanes.begin());
}

bool ScheduleLayout::lanes_left_out() const {
    return any_of(band_lanes, [&](const auto& of) { return of.size() < lanes.size(); });
}

ScheduleLayout lay_out_schedule(const analysis::Timeline& timeline, const Page& page, float left) {
    return ScheduleLayouter(timeline, page, left).make();
}

namespace {

// How wide the actions before `end` are, one beside the other.
float width_of_actions(const analysis::Timeline& timeline, std::uint64_t end, const Page& page) {
    float all = 0;
    for (std::uint64_t time = 0; time < end; ++time) {
        const bool launch =
            time > 0 && timeline.actions[time].launch != timeline.actions[time - 1].launch;
        all += width_of_box(timeline, time, page) + page.s(kBoxGap) +
               (launch ? page.s(kBeforeLaunch) : 0);
    }
    return all;
}

// The time of the first of the launch's last actions that fit into `room`.
std::uint64_t first_that_fits(const analysis::Timeline& timeline, const analysis::StateView& state,
                              const Page& page, float room) {
    std::uint64_t first = state.time;
    for (float all = 0; first > 0 && timeline.actions[first - 1].launch == state.launch; --first) {
        all += width_of_box(timeline, first - 1, page) + page.s(kBoxGap);
        if (all > room) break;
    }
    return first;
}

// The actions before state.time in one band between `left` and, if not all are asked for, `right`.
// `lanes`: by warp. `closer`: see ScheduleNowOptions.
ScheduleLayout lay_out_actions_so_far(const analysis::Timeline& timeline,
                                      const analysis::StateView& state, std::vector<SwimLane> lanes,
                                      const Page& page, float left, float right, bool whole,
                                      float& closer) {
    ScheduleLayout out;
    out.left = left;
    out.lanes = std::move(lanes);
    out.lane_height = page.s(kHeights[0].lane);
    out.lane_gap = page.s(kNowGap);
    out.band_lanes.emplace_back();
    for (std::size_t lane = 0; lane < out.lanes.size(); ++lane)
        out.band_lanes[0].push_back(lane);
    const float room = right - left - page.s(8);
    if (whole) {
        const float all = width_of_actions(timeline, state.time, page);
        closer = std::clamp(closer, std::min(room / std::max(all, 1.0F), 1.0F), 1.0F);
    } else {
        closer = 1;
        out.first = first_that_fits(timeline, state, page, room);
    }
    if (closer < 1) out.level = ScheduleLevel::marks;
    out.actions.resize(state.time);
    float x = left + page.s(4);
    for (std::uint64_t time = out.first; time < state.time; ++time) {
        if (time > out.first && timeline.actions[time].launch != timeline.actions[time - 1].launch)
            x += page.s(kBeforeLaunch) * closer;
        const float width = width_of_box(timeline, time, page);
        out.actions[time] = {0, out.lane_of(timeline.actions[time]), x, width * closer};
        x += (width + page.s(kBoxGap)) * closer;
    }
    out.band_right.push_back(x);
    return out;
}

// Reads are light blue, writes green, a stale read vermilion with an exclamation mark; barriers are
// orange bars. Marks tell reads from writes by the half of the lane that they stand in.
struct ActionLook {
    Role fill, edge;
};
// In the order of ActionKind; the last but one is a bar.
constexpr std::array<ActionLook, 5> kActionLooks{{{Role::read_fill, Role::read},
                                                  {Role::wrote_fill, Role::wrote},
                                                  {Role::act_fill, Role::act},
                                                  {Role::barrier, Role::none},
                                                  {Role::act_fill, Role::act}}};
constexpr ActionLook kStaleAction{Role::race_fill, Role::race};

ActionLook action_look(const analysis::TimelineAction& action) {
    return action.stale ? kStaleAction : kActionLooks.at(index_of(action.kind));
}

// The part of a lane that a mark fills.
Box part_of(const Box& at, ActionKind kind) {
    const float middle = at.middle().y;
    if (kind == ActionKind::load) return {at.left, at.top, at.right, middle};
    if (kind == ActionKind::store) return {at.left, middle, at.right, at.bottom};
    return at;
}

// `sign`: the room for a badge in the corner.
void add_words(Page& page, const Box& at, const BoxText& words, float sign,
               const std::string& tip) {
    const auto [x, y] = at.middle();
    const float room = at.width() - page.s(4);
    const bool bare = words.cells.empty();
    page.fitted({x - sign / 2, bare ? y : y - page.s(16)}, words.kind, kBoxKind, room - sign, tip);
    page.fitted({x, y}, words.cells, kBoxCells, room, tip);
    page.fitted({x, y + page.s(16)}, words.value, kBoxValue, room, tip);
}

void add_action_box(Page& page, const Box& at, const analysis::TimelineAction& action,
                    const BoxText& words, const std::string& tip, const std::string& name) {
    const ActionLook look = action_look(action);
    page.scene.add(box(at, look.fill, {look.edge, action.stale ? 2.5F : 1.25F}, page.s(4)), tip,
                   name);
    if (action.kind == ActionKind::barrier) return;
    add_words(page, at, words, action.stale ? page.s(20) : 0, tip);
    if (action.stale)
        add_badge(page.scene, {at.right - page.s(10), at.top + page.s(10)}, page.s(7), false);
}

// An action that can come next: a dashed frame, vermilion where another one stands before the same
// cell.
void add_next_box(Page& page, const Box& at, ActionKind kind, const BoxText& words, bool picked,
                  bool contended, const std::string& tip, const std::string& name) {
    const Role edge = contended ? Role::race : picked ? Role::act : Role::muted;
    const Role fill = contended                               ? kStaleAction.fill
                      : picked && kind != ActionKind::barrier ? kActionLooks.at(index_of(kind)).fill
                                                              : Role::panel;
    page.scene.add(box(at, fill, {edge, picked ? 2.5F : 1.5F, Dash::dashed}, page.s(4)), tip, name);
    add_words(page, at, words, 0, tip);
}

void add_action_mark(Page& page, const Box& at, const analysis::TimelineAction& action,
                     const std::string& tip, const std::string& name = {}) {
    const float x = at.middle().x;
    if (action.kind == ActionKind::barrier) {
        const float half = page.s(1.5F);
        page.scene.add(box({x - half, at.top, x + half, at.bottom}, Role::barrier), tip, name);
        return;
    }
    const Box part = part_of(at, action.kind);
    page.scene.add(
        box({part.left + 0.5F, part.top, part.right - 0.5F, part.bottom}, action_look(action).edge),
        tip, name);
    if (action.stale) add_badge(page.scene, {x, at.top - page.s(4)}, page.s(4), false);
}

// For a column of several actions: how many there are of each.
struct ColumnCounts {
    std::uint64_t loads = 0, writes = 0, barriers = 0;
    bool stale = false;
};

// `most`: in any column of the lane.
void add_action_column(Page& page, const Box& at, const ColumnCounts& counts, std::uint64_t most,
                       const std::string& tip) {
    const auto [x, y] = at.middle();
    const float half = at.height() / 2 - page.s(3), right = at.right - 0.5F;
    const auto share = [&](std::uint64_t count) {
        return static_cast<float>(count) / static_cast<float>(most);
    };
    if (counts.loads > 0)
        page.scene.add(box({at.left, y - half * share(counts.loads), right, y}, Role::read), tip);
    if (counts.writes > 0)
        page.scene.add(box({at.left, y, right, y + half * share(counts.writes)}, Role::wrote), tip);
    if (counts.barriers > 0)
        page.scene.add(box({at.left, at.bottom - page.s(3), right, at.bottom}, Role::barrier), tip);
    if (counts.stale) add_badge(page.scene, {x, at.top - page.s(4)}, page.s(4), false);
}

// A disc with a number, for two ends of what no line can join.
void add_number(Page& page, Point middle, std::size_t number) {
    page.scene.add(disc(middle, page.s(8), Role::race));
    page.text(middle, std::to_string(number),
              TextStyle{11, Face::bold, Role::on_act, Anchor::middle});
}

// A sample of one kind, as it looks at that level; marks stand in a bit of a lane.
void add_swatch(Page& page, const Box& at, ScheduleLevel level, ActionKind kind) {
    analysis::TimelineAction action;
    action.kind = kind;
    const bool boxes = level == ScheduleLevel::boxes;
    const auto part = [&](float half) {  // of the swatch, around its middle
        const float x = at.middle().x;
        return Box{x - page.s(half), at.top, x + page.s(half), at.bottom};
    };
    if (kind == ActionKind::barrier && level != ScheduleLevel::columns) {
        page.scene.add(box(part(boxes ? 4 : 2), Role::barrier, {}, page.s(boxes ? 3 : 0)));
        return;
    }
    if (boxes) {
        const ActionLook look = action_look(action);
        page.scene.add(box(at, look.fill, {look.edge, 1.25F}, page.s(3)));
        return;
    }
    page.scene.add(box(part(8), Role::panel, {Role::border, 1}));
    if (level == ScheduleLevel::marks)
        add_action_mark(page, part(3.5F), action, {});
    else
        add_action_column(
            page, part(4),
            {kind == ActionKind::load, kind == ActionKind::store, kind == ActionKind::barrier}, 1,
            {});
}

// The parts that a figure has beside its actions.
struct ScheduleParts {
    bool arcs = false, numbers = false;
};

// Returns what occurs in the timeline at that level. The entries draw on `page`.
std::vector<LegendEntry> schedule_legend(const analysis::Timeline& timeline, ScheduleLevel level,
                                         const ScheduleParts& parts, Page& page) {
    // By level; in the order of ActionKind. Columns show atomics as writes, and nothing of others.
    constexpr std::array<std::array<const char*, 5>, 3> kWords{
        {{"schedule.legend_load", "schedule.legend_store", "schedule.legend_atomic",
          "schedule.legend_barrier", "schedule.legend_collective"},
         {"schedule.legend_load_mark", "schedule.legend_store_mark", "schedule.legend_atomic_mark",
          "schedule.legend_barrier", "schedule.legend_collective"},
         {"schedule.legend_load_bin", "schedule.legend_store_bin", "", "schedule.legend_barrier",
          ""}}};
    std::array<bool, 5> has{};
    for (const analysis::TimelineAction& action : timeline.actions)
        has.at(index_of(action.kind)) = true;
    if (level == ScheduleLevel::columns && has[2]) has[1] = true;
    const Translations& tr = page.tr();
    std::vector<LegendEntry> entries;
    for (std::size_t kind = 0; kind < has.size(); ++kind) {
        const char* key = kWords.at(static_cast<std::size_t>(level)).at(kind);
        if (!has.at(kind) || *key == '\0') continue;
        entries.push_back({tr(key), [&page, level, kind](Scene&, const Box& at) {
                               add_swatch(page, at, level, static_cast<ActionKind>(kind));
                           }});
    }
    if (timeline.stale_reads > 0)
        entries.push_back(
            {tr("schedule.legend_stale"), [&page, level](Scene& scene, const Box& at) {
                 if (level == ScheduleLevel::boxes)
                     scene.add(box(at, kStaleAction.fill, {kStaleAction.edge, 2}, page.s(3)));
                 add_badge(scene, at.middle(), page.s(6), false);
             }});
    if (parts.arcs)
        entries.push_back(
            {tr("schedule.legend_late"), [](Scene& scene, const Box& at) {
                 const float y = at.middle().y;
                 scene.add(line({at.left, y}, {at.right, y}, {Role::race, 2.5F, Dash::dotted}));
             }});
    if (parts.numbers)
        entries.push_back({tr("schedule.legend_pair"),
                           [&page](Scene&, const Box& at) { add_number(page, at.middle(), 1); }});
    if (timeline.launches.size() > 1)
        entries.push_back({tr("schedule.legend_launch"), [](Scene& scene, const Box& at) {
                               const float x = at.middle().x;
                               scene.add(line({x, at.top}, {x, at.bottom}, {Role::barrier, 3}));
                           }});
    return entries;
}

// The lanes, actions, arcs and axis of a schedule, for the figures that show one.
class ScheduleDrawing {
  public:
    ScheduleDrawing(const analysis::Timeline& timeline, const FigureOptions& options,
                    const Fonts& fonts, const Translations& tr)
        : timeline_(timeline), tr_(tr), page_(options, fonts, tr) {}

  protected:
    float s(float points) const { return page_.s(points); }
    bool boxes() const { return layout_.level == ScheduleLevel::boxes; }
    // The place of an action, or of the column that it is in.
    const PlacedAction& place_of(std::uint64_t time) const {
        return layout_.actions[time / layout_.per_column];
    }

    float lanes_height(std::size_t band) const {
        const auto lanes = static_cast<float>(layout_.band_lanes[band].size());
        return lanes * layout_.lane_height + (lanes - 1) * layout_.lane_gap;
    }

    float top_of(std::size_t band, std::size_t lane) const {
        const auto& lanes = layout_.band_lanes[band];
        const auto position = std::find(lanes.begin(), lanes.end(), lane) - lanes.begin();
        return tops_[band] +
               static_cast<float>(position) * (layout_.lane_height + layout_.lane_gap);
    }

    void add_strip(std::size_t band, std::size_t lane, const std::string& tip) {
        const SwimLane& of = layout_.lanes[lane];
        page_.scene.add(
            box(layout_.left, top_of(band, lane) - s(2), layout_.band_right[band] - layout_.left,
                layout_.lane_height + s(4), Role::panel, {Role::border, 1}, s(4)),
            tip, of.group == of.last_group ? fmt::format("group {}", of.group) : std::string());
    }

    void add_actions() {
        for (std::uint64_t time = layout_.first; time < layout_.actions.size(); ++time) {
            const analysis::TimelineAction& action = timeline_.actions[time];
            const std::string name = fmt::format("action {}", time);
            if (boxes())
                add_action_box(page_, box_at(time), action, box_text(timeline_, time, tr_),
                               tip(time), name);
            else
                add_action_mark(page_, box_at(time), action, tip(time), name);
        }
    }

    // From a write to the read that should have seen it, or that saw it too early: along the gap
    // beside the write's lane to the column of the read, where nothing else stands, and along that.
    void add_arcs() {
        constexpr std::size_t kMostDrawnArcs = 12;
        if (layout_.level == ScheduleLevel::columns || timeline_.stale.size() > kMostDrawnArcs)
            return;
        std::size_t number = 0;
        for (std::size_t i = 0; i < timeline_.stale.size(); ++i) {
            const analysis::StaleArc& arc = timeline_.stale[i];
            if (!arc.write || !is_placed(arc.read) || !is_placed(*arc.write)) continue;
            const PlacedAction& read = layout_.actions[arc.read];
            const PlacedAction& write = layout_.actions[*arc.write];
            if (read.band != write.band) {
                if (!boxes()) continue;
                ++number;
                parts_.numbers = true;
                for (const std::uint64_t time : {arc.read, *arc.write}) {
                    const Box at = box_at(time);
                    add_number(page_, {at.left + s(2), at.top}, number);
                }
                continue;
            }
            parts_.arcs = true;
            add_arc(arc, read, write, i);
        }
    }

    void add_axis() {
        const TextStyle style = kCodeText.sized(10).in(Role::muted).at(Anchor::middle);
        const bool columns = layout_.level == ScheduleLevel::columns;
        const std::uint64_t count = columns ? timeline_.actions.size() : layout_.actions.size();
        if (count == 0) return;
        const float number = page_.width(std::to_string(count), style) + s(8);
        std::size_t band = ~std::size_t{0};
        float free_from = 0;
        // Round numbers only, where not each action has room for its own.
        std::uint64_t step = 1;
        const float pitch = place_of(layout_.first).width / static_cast<float>(layout_.per_column);
        constexpr std::array<std::uint64_t, 3> kRound{2, 5, 10};
        for (std::uint64_t ten = 1; !boxes() && pitch * static_cast<float>(step) < number;
             ten *= 10)
            for (const std::uint64_t each : kRound)
                if (pitch * static_cast<float>(step) < number) step = each * ten;
        for (std::uint64_t time = layout_.first; time < count; time += step) {
            const PlacedAction& action = place_of(time);
            const float x = action.x + action.width / 2,
                        y = tops_[action.band] + lanes_height(action.band);
            if (action.band != band) {
                band = action.band;
                free_from = 0;
            }
            if (boxes() && timeline_.actions[time].kind == ActionKind::barrier) continue;
            if (x - number / 2 < free_from) continue;
            page_.scene.add(line({x, y + s(4)}, {x, y + s(9)}, {Role::idle, 1}));
            page_.text({x, y + s(17)}, std::to_string(time), style);
            free_from = x + number / 2;
        }
        for (std::size_t i = 0; i < tops_.size(); ++i)
            page_.text({layout_.left - s(10), tops_[i] + lanes_height(i) + s(17)},
                       tr_("schedule.action"), kSmallText.sized(11).at(Anchor::end));
        if (layout_.per_column > 1)
            page_.text({layout_.left, tops_.back() + lanes_height(tops_.size() - 1) + s(33)},
                       tr_("schedule.bin", arg("count", layout_.per_column)), kSmallText.sized(11));
    }

    // A line through all lanes where a launch begins, named as far as there is room.
    void add_launches() {
        if (timeline_.launches.size() < 2) return;
        for (std::size_t i = 0; i < timeline_.launches.size(); ++i) {
            if (!is_placed(timeline_.launches[i].first)) continue;
            const PlacedAction& action = place_of(timeline_.launches[i].first);
            const float x = action.x - s(boxes() ? 8 : 3), top = tops_[action.band];
            const std::string name = tr_("schedule.launch", arg("n", i + 1));
            const std::string& variables = timeline_.launches[i].variables;
            const std::string whole =
                variables.empty() ? name : fmt::format("{} · {}", name, variables);
            const bool first = i == 0;
            if (!first)
                page_.scene.add(
                    line({x, top - layout_.lane_gap / 2 - s(14)},
                         {x, top + lanes_height(action.band) + s(6)}, {Role::barrier, 3}),
                    whole);
            float end = layout_.band_right[action.band];
            if (i + 1 < timeline_.launches.size() && is_placed(timeline_.launches[i + 1].first)) {
                const PlacedAction& next = place_of(timeline_.launches[i + 1].first);
                if (next.band == action.band) end = next.x - s(12);
            }
            const float left = first ? layout_.left : x + s(6);
            const TextStyle style = kCaptionText.in(Role::barrier_text);
            // As many of the words as there is room for.
            for (const std::string& each : {whole, name, std::to_string(i + 1)}) {
                if (page_.width(each, style) > end - left) continue;
                page_.text({left, top - layout_.lane_gap / 2 - s(8)}, each, style, whole);
                break;
            }
        }
    }

    std::string sentence_of(const analysis::StaleArc& arc) const {
        return tr_(arc.too_new ? "schedule.sentence_early" : "schedule.sentence_late",
                   arg("item", timeline_.space.item_name(arc.item)), arg("cell", arc.cell),
                   arg("took", arc.took), arg("read", arc.read), arg("missed", arc.missed),
                   arg("writer", timeline_.space.item_name(arc.writer)),
                   arg("write", arc.write ? *arc.write : 0));
    }

    const analysis::Timeline& timeline_;
    const Translations& tr_;
    Page page_;
    ScheduleLayout layout_;
    ScheduleParts parts_;      // what was drawn
    std::vector<float> tops_;  // of the first lane in each band

  private:
    std::string tip(std::uint64_t time) const {
        const analysis::TimelineAction& action = timeline_.actions[time];
        std::string what = kind_text(action.kind, tr_);
        if (action.name) {
            what += " " + timeline_.arrays[*action.name] + action.cells;
            if (!action.values.empty())
                what += (action.kind == ActionKind::load ? " → " : " ← ") + action.values;
            if (action.lanes > 1)
                what += tr_("figure.comma") + tr_("schedule.lanes", arg("count", action.lanes));
        }
        for (const analysis::StaleArc& arc : timeline_.stale)
            if (arc.read == time) {
                what += "; " +
                        tr_("schedule.tip_stale", arg("took", arc.took), arg("missed", arc.missed));
                break;
            }
        return tr_("schedule.tip", arg("time", time),
                   arg("group", timeline_.space.group_name(action.group)), arg("warp", action.warp),
                   arg("pass", action.pass), arg("line", action.line), arg("what", what));
    }

    bool is_placed(std::uint64_t time) const {
        return time >= layout_.first && time / layout_.per_column < layout_.actions.size();
    }

    Box box_at(std::uint64_t time) const {
        const PlacedAction& place = layout_.actions[time];
        const float top = top_of(place.band, place.lane);
        return {place.x, top, place.x + place.width, top + layout_.lane_height};
    }

    void add_arc(const analysis::StaleArc& arc, const PlacedAction& read, const PlacedAction& write,
                 std::size_t i) {
        const Box from = box_at(*arc.write), to = box_at(arc.read);
        const bool below = write.lane > read.lane;  // the write's lane lies below the read's
        const bool same = write.lane == read.lane;
        const float offset = (static_cast<float>(i % 3) - 1) * s(3);
        const float gap = layout_.lane_gap / 2;
        const float along = (below || same ? from.top - gap : from.bottom + gap) + offset;
        const Point start{from.middle().x, below || same ? from.top : from.bottom};
        const Point end{to.middle().x, same ? to.top : below ? to.bottom : to.top};
        Path path;
        path.points = {start, {start.x, along}, {end.x, along}, end};
        path.stroke = {Role::race, boxes() ? 2.5F : 2.0F, Dash::dotted};
        page_.scene.add(path, sentence_of(arc));
        const float down = below && !same ? -1.0F : 1.0F, size = s(boxes() ? 7 : 4);
        page_.scene.add(polygon({{end.x - size * 0.6F, end.y - down * size},
                                 {end.x + size * 0.6F, end.y - down * size},
                                 end},
                                Role::race));
    }
};

constexpr std::size_t kMostSaid = 2;

class ScheduleFigure : public ScheduleDrawing {
  public:
    using ScheduleDrawing::ScheduleDrawing;

    Scene make(const RunSubject& subject) {
        float y = page_.heading(subject, kPageMargin);
        // Boxes are high enough for two lines of words before them.
        layout_ = lay_out_schedule(timeline_, page_, page_.left() + labels_width(false) + s(14));
        if (boxes())
            layout_ = lay_out_schedule(timeline_, page_, page_.left() + labels_width(true) + s(14));
        captions_ = timeline_.launches.size() > 1 ? s(20) : 0;
        for (std::size_t band = 0; band < layout_.band_right.size(); ++band) {
            tops_.push_back(y + captions_ + layout_.lane_gap);
            y = tops_.back() + lanes_height(band) + layout_.lane_gap + s(34);
        }
        for (std::size_t band = 0; band < tops_.size(); ++band)
            add_lanes(band);
        add_launches();
        if (layout_.level == ScheduleLevel::columns)
            add_columns();
        else
            add_actions();
        add_arcs();
        add_axis();
        if (layout_.per_column > 1) y += s(14);
        y = page_.legend(schedule_legend(timeline_, layout_.level, parts_, page_), y) + s(10);
        const std::string words = sentence();
        page_.paragraph(words, kSentenceText, y);
        return page_.finish(title_of(subject, tr_) + ": " + tr_("schedule.name"), words);
    }

  private:
    std::string group_words(const SwimLane& lane) const {
        if (lane.group == lane.last_group)
            return tr_("figure.group", arg("n", timeline_.space.group_name(lane.group)));
        return tr_("schedule.groups", arg("first", timeline_.space.group_name(lane.group)),
                   arg("last", timeline_.space.group_name(lane.last_group)));
    }
    float labels_width(bool two_lines) const {
        const std::vector<SwimLane> lanes = swim_lanes(timeline_);
        float groups = 0, warps = 0;
        for (const SwimLane& lane : lanes) {
            groups = std::max(groups, page_.width(group_words(lane), kCaptionText));
            if (lane.of_warp)
                warps = std::max(warps,
                                 page_.width(tr_("lanes.warp", arg("n", lane.warp)), kSmallText));
        }
        if (two_lines || warps == 0) return std::max(groups, warps);
        return groups + s(8) + warps;
    }

    void add_lanes(std::size_t band) {
        std::uint32_t before = ~0U;
        for (const std::size_t i : layout_.band_lanes[band]) {
            const SwimLane& lane = layout_.lanes[i];
            add_strip(band, i, group_words(lane));
            add_lane_words(lane, lane.group != before, top_of(band, i));
            before = lane.group;
        }
    }
    // The group's name stands at its first lane only, where lanes are warps.
    void add_lane_words(const SwimLane& lane, bool first, float top) {
        const float x = layout_.left - s(10), middle = top + layout_.lane_height / 2;
        const TextStyle group = kCaptionText.in(Role::text).at(Anchor::end);
        const TextStyle warp = kSmallText.at(Anchor::end);
        if (!lane.of_warp) {
            page_.text({x, middle}, group_words(lane), group);
            return;
        }
        const std::string words = tr_("lanes.warp", arg("n", lane.warp));
        if (boxes()) {
            if (first) page_.text({x, middle - s(9)}, group_words(lane), group);
            page_.text({x, first ? middle + s(9) : middle}, words, warp);
        } else {
            page_.text({x, middle}, words, warp);
            const float beside = x - page_.width(words, warp) - s(8);
            if (first) page_.text({beside, middle}, group_words(lane), group);
        }
    }

    void add_columns() {
        const std::size_t columns = layout_.actions.size(), lanes = layout_.lanes.size();
        std::vector<ColumnCounts> counts(columns * lanes);
        std::vector<std::uint64_t> most(lanes, 1);  // in a column
        for (std::uint64_t time = 0; time < timeline_.actions.size(); ++time) {
            const analysis::TimelineAction& action = timeline_.actions[time];
            const std::size_t lane = layout_.lane_of(action);
            ColumnCounts& to = counts[lane * columns + time / layout_.per_column];
            ++(action.kind == ActionKind::load      ? to.loads
               : action.kind == ActionKind::barrier ? to.barriers
                                                    : to.writes);
            to.stale = to.stale || action.stale;
            most[lane] = std::max({most[lane], to.loads, to.writes});
        }
        for (std::size_t lane = 0; lane < lanes; ++lane)
            for (std::size_t i = 0; i < columns; ++i) {
                const ColumnCounts& counted = counts[lane * columns + i];
                if (counted.loads + counted.writes + counted.barriers == 0) continue;
                const PlacedAction& place = layout_.actions[i];
                const float top = top_of(0, lane);
                const std::uint64_t first = i * layout_.per_column;
                const std::uint64_t last =
                    std::min<std::uint64_t>(first + layout_.per_column, timeline_.actions.size()) -
                    1;
                add_action_column(page_,
                                  {place.x, top, place.x + place.width, top + layout_.lane_height},
                                  counted, most[lane],
                                  tr_("schedule.tip_bin", arg("first", first), arg("last", last),
                                      arg("loads", counted.loads), arg("stores", counted.writes),
                                      arg("barriers", counted.barriers)));
            }
    }

    std::string sentence() const {
        std::string text =
            tr_("schedule.sentence_actions", arg("actions", timeline_.actions.size()));
        const auto add = [&](const std::string& words) { text += tr_("figure.space") + words; };
        if (layout_.lanes_left_out()) add(tr_("schedule.sentence_left_out"));
        if (!timeline_.stale_known) add(tr_("schedule.sentence_not_looked"));
        if (timeline_.stale_known && timeline_.stale_reads == 0) add(tr_("schedule.sentence_none"));
        std::size_t told = 0;
        for (const analysis::StaleArc& arc : timeline_.stale)
            if (arc.write && told < kMostSaid) {
                add(sentence_of(arc));
                ++told;
            }
        if (timeline_.stale_reads > told)
            add(tr_("schedule.sentence_more", arg("count", timeline_.stale_reads)));
        return text;
    }

    float captions_ = 0;
};

constexpr float kLeastNext = 72, kMostName = 150;  // points at scale 1
constexpr float kBelowButton = 18;                 // the line's number, below a button
constexpr float kMostShare = 0.5F;                 // of the width, for words

class ScheduleNowFigure : public ScheduleDrawing {
  public:
    using ScheduleDrawing::ScheduleDrawing;

    ScheduleNow make(const analysis::StateView& state,
                     const std::vector<const analysis::WarpView*>& ready, std::size_t picked,
                     const ScheduleNowOptions& options, float width) {
        const std::vector<analysis::WarpView> earlier = earlier_warps(state, options.whole);
        std::vector<const analysis::WarpView*> shown;
        for (const auto* warps : {&state.warps, &earlier})
            for (const analysis::WarpView& warp : *warps)
                shown.push_back(&warp);
        const auto acts = [&](const analysis::WarpView* warp) { return contains(ready, warp); };
        // The next actions stand one below the other, as wide as the widest; so do words instead.
        float names = 0, next = s(kLeastNext), status = 0;
        for (const analysis::WarpView* warp : shown) {
            for (const auto& [words, style] : now_words(*warp, state))
                names = std::max(names, page_.width(words, style));
            if (warp->next)
                next = std::max(next, box_width(box_text(timeline_, *warp->next, tr_), page_));
            else if (acts(warp))
                next = std::max(next, words_width(*warp, width));
            else
                status = std::max(status, words_width(*warp, width));
        }
        const float left =
            std::max(options.button, std::min({names, s(kMostName), kMostShare / 2 * width})) +
            s(14);
        const float beside = std::max(ready.empty() ? 0.0F : next, status) + s(12);
        ScheduleNow now;
        now.closer = options.closer;
        layout_ = lay_out_actions_so_far(timeline_, state, lanes_of(state, shown), page_, left,
                                         width - beside, options.whole, now.closer);
        const float x = layout_.band_right[0];
        layout_.band_right[0] = std::max(x + beside, width - s(4));
        tops_.push_back(s(timeline_.launches.size() > 1 ? 24 : 4));

        for (std::size_t lane = 0; lane < shown.size(); ++lane) {
            const analysis::WarpView& warp = *shown[lane];
            const float top = top_of(0, lane);
            const bool with_button = options.button > 0 && acts(&warp);
            add_strip(0, lane, {});
            add_now_words(warp, state, top, with_button);
            if (lane < state.warps.size())
                now.buttons.push_back(
                    {0, top, options.button, top + layout_.lane_height - s(kBelowButton)});
            const Box at{x, top, x + next, top + layout_.lane_height};
            if (acts(&warp) && warp.next)
                add_next(warp, ready, position_of(ready, &warp) == picked,
                         lane < options.hidden.size() && options.hidden[lane], at);
            else
                page_.fitted({x + s(4), top + layout_.lane_height / 2}, status_words(warp),
                             kSmallText, acts(&warp) ? next - s(4) : beside - s(12));
        }
        add_launches();
        add_actions();
        add_arcs();
        if (state.time > layout_.first) add_axis();
        now.scene = page_.finish(tr_("schedule.name"),
                                 state.last ? action_text(*state.last, tr_) : std::string());
        now.scene.height -= kPageMargin - s(2);
        now.scene.width = layout_.band_right[0] + s(2);
        now.scene.pinned.left = left - s(3);
        return now;
    }

  private:
    // A warp's name, and where it is.
    std::array<std::pair<std::string, TextStyle>, 2> now_words(
        const analysis::WarpView& warp, const analysis::StateView& state) const {
        const bool warps = state.warp_lanes > 1 && state.group_items > state.warp_lanes;
        std::string name = warps ? tr_("figure.group", arg("n", state.space.group_name(warp.group)))
                                 : warp_text(warp, state, tr_);
        std::string below = warps ? tr_("lanes.warp", arg("n", warp.warp)) : std::string();
        if (warp.line != 0) {
            if (!below.empty()) below += " · ";
            below += tr_("state.line", arg("line", warp.line));
        }
        return {{{std::move(name), kCaptionText.sized(14).in(Role::text)},
                 {std::move(below), kSmallText}}};
    }

    // Those of earlier launches that the present one does not have.
    std::vector<analysis::WarpView> earlier_warps(const analysis::StateView& state,
                                                  bool whole) const {
        std::vector<analysis::WarpView> earlier;
        const auto is = [](const analysis::TimelineAction& action) {
            return [&action](const analysis::WarpView& warp) {
                return warp.group == action.group && warp.warp == action.warp;
            };
        };
        for (std::uint64_t time = 0; whole && time < state.time; ++time) {
            const analysis::TimelineAction& action = timeline_.actions[time];
            if (action.launch == state.launch || any_of(state.warps, is(action)) ||
                any_of(earlier, is(action)))
                continue;
            analysis::WarpView& warp = earlier.emplace_back();
            warp.group = action.group;
            warp.warp = action.warp;
            warp.first_item = std::uint64_t{action.group} * state.group_items +
                              std::uint64_t{action.warp} * state.warp_lanes;
            warp.status = Status::done;
        }
        return earlier;
    }

    static std::vector<SwimLane> lanes_of(const analysis::StateView& state,
                                          const std::vector<const analysis::WarpView*>& warps) {
        std::vector<SwimLane> lanes;
        const bool of_warps = state.warp_lanes > 0 && state.group_items > state.warp_lanes;
        for (const analysis::WarpView* warp : warps)
            lanes.push_back({warp->group, warp->group, warp->warp, of_warps});
        return lanes;
    }

    // A button stands in place of the name.
    void add_now_words(const analysis::WarpView& warp, const analysis::StateView& state, float top,
                       bool with_button) {
        const float middle = top + layout_.lane_height / 2;
        const auto add = [&](const std::pair<std::string, TextStyle>& words, float y) {
            if (words.first.empty()) return;
            page_.fitted({0, y}, words.first, words.second, layout_.left - s(10));
            page_.scene.shapes.back().name = fmt::format("group {}", warp.group);
        };
        const auto [name, below] = now_words(warp, state);
        if (!with_button) add(name, middle - s(10));
        add(below, with_button ? top + layout_.lane_height - s(kBelowButton / 2) : middle + s(10));
    }

    // Of a warp without a next action.
    std::string status_words(const analysis::WarpView& warp) const {
        if (!warp.fault.empty()) return tr_("race.fault");
        if (warp.status == Status::done) return tr_("race.ended");
        // One that could go on when the run was given up.
        return tr_(warp.status == Status::waiting ? "race.waits" : "race.asks",
                   arg("line", warp.line));
    }

    float words_width(const analysis::WarpView& warp, float width) const {
        return std::min(page_.width(status_words(warp), kSmallText) + s(8), kMostShare * width);
    }

    void add_next(const analysis::WarpView& warp,
                  const std::vector<const analysis::WarpView*>& ready, bool picked, bool hidden,
                  Box at) {
        analysis::ActionView next = *warp.next;
        for (analysis::LaneTouch& touch : next.touches)
            if (hidden) touch.value = "?";
        const bool contended = any_of(ready, [&](const analysis::WarpView* other) {
            return other != &warp && analysis::contend(warp, *other);
        });
        std::string tip =
            tr_("race.next", arg("line", warp.line)) + tr_("figure.colon") + action_text(next, tr_);
        if (contended) tip += "\n" + tr_("race.contested");
        if (hidden && !next.touches.empty()) tip += "\n" + tr_("race.predict_click");
        add_next_box(page_, at, next.kind, box_text(timeline_, next, tr_), picked, contended, tip,
                     fmt::format("next {} {}", warp.group, warp.warp));
    }
};

constexpr float kStateCellHeight = 34, kCellGap = 6, kLeastStateCell = 36, kMostCell = 96;
constexpr float kStateLabels = 92, kLineGap = 8, kArrayGap = 16, kDisc = 10;
constexpr std::size_t kMostDiscs = 64, kMostValues = 4;
constexpr TextStyle kValueText{15, Face::mono, Role::text, Anchor::middle};
constexpr TextStyle kIndexText{10, Face::mono, Role::muted, Anchor::middle};
constexpr Stroke kMeeting{Role::race, 2.5F, Dash::dashed};  // around a cell where groups collide

class StateFigure {
  public:
    StateFigure(const analysis::StateView& state, const StateFigureOptions& options,
                const Fonts& fonts, const Translations& tr)
        : state_view_(state), options_(options), tr_(tr), page_(options.figure, fonts, tr) {}

    Scene make() {
        float y = s(6);
        if (options_.items) y = add_items(y);
        for (const analysis::StateArray& array : state_view_.arrays)
            if (!array.cells.empty()) y = add_array(array, y);
        if (options_.legend) page_.legend(legend(), y + s(4));
        const std::string last =
            state_view_.last ? action_text(*state_view_.last, tr_) : std::string();
        return page_.finish(tr_("state.title", arg("time", state_view_.time)), last);
    }

  private:
    float s(float points) const { return page_.s(points); }
    float left() const { return page_.left() + s(kStateLabels); }

    // Work-items of the resident groups, a line a group.
    float add_items(float y) {
        std::uint32_t group = ~0U;
        float x = 0;
        for (const analysis::WarpView& warp : state_view_.warps) {
            if (warp.group != group) {
                if (group != ~0U) y += s(2 * kDisc + 8);
                group = warp.group;
                x = left();
                page_.text({left() - s(12), y + s(kDisc)},
                           tr_("figure.group", arg("n", state_view_.space.group_name(group))),
                           kCaptionText.at(Anchor::end));
            }
            x = add_warp(warp, x, y) + s(10);
        }
        return group == ~0U ? y : y + s(2 * kDisc + 18);
    }

    bool just_acted(const analysis::WarpView& warp, std::uint32_t lane) const {
        return state_view_.last && state_view_.last->launch == state_view_.launch &&
               state_view_.last->group == warp.group && state_view_.last->warp == warp.warp &&
               (state_view_.last->mask >> lane & 1U) != 0;
    }

    float add_warp(const analysis::WarpView& warp, float x, float y) {
        const float radius = s(kDisc), step = s(2 * kDisc + 4);
        if (state_view_.group_items > kMostDiscs) return add_warp_box(warp, x, y);
        for (std::uint32_t lane = 0; lane < warp.lanes; ++lane, x += step) {
            const bool acted = just_acted(warp, lane);
            const bool waits = warp.status == Status::waiting;
            const bool idle = warp.status == Status::done || (warp.running >> lane & 1U) == 0;
            const bool pale = idle && !acted && !waits;
            const Rect circle = disc({x + radius, y + radius}, radius,
                                     acted  ? Role::act
                                     : pale ? Role::idle_fill
                                            : Role::panel,
                                     {waits && !acted ? Role::barrier
                                      : pale          ? Role::idle
                                                      : Role::act,
                                      waits ? 2.5F : 1.25F, waits ? Dash::dashed : Dash::solid});
            const char* key = acted                         ? "state.item_acted"
                              : warp.status == Status::done ? "state.item_done"
                              : waits                       ? "state.item_waits"
                              : idle                        ? "state.item_idle"
                                                            : "state.item_ready";
            const std::uint64_t item = warp.first_item + lane;
            const std::string name = state_view_.space.item_name(item);
            page_.scene.add(circle, tr_(key, arg("item", name), arg("line", warp.line)),
                            fmt::format("item {}", item));
            page_.fitted({x + radius, y + radius}, name,
                         TextStyle{11, Face::mono,
                                   acted  ? Role::on_act
                                   : idle ? Role::muted
                                          : Role::text,
                                   Anchor::middle},
                         2 * radius);
        }
        if (warp.status != Status::done && warp.line > 0) {
            const std::string words = tr_("state.line", arg("line", warp.line));
            page_.text({x + s(4), y + radius}, words, kSmallText);
            x += s(4) + page_.width(words, kSmallText);
        }
        return x;
    }

    // Of large groups a box a warp.
    float add_warp_box(const analysis::WarpView& warp, float x, float y) {
        const float size = s(2 * kDisc);
        const bool acted =
            just_acted(warp, 0) ||
            (state_view_.last && state_view_.last->mask != 0 &&
             state_view_.last->group == warp.group && state_view_.last->warp == warp.warp);
        const Role fill = acted                            ? Role::act
                          : warp.status == Status::done    ? Role::idle_fill
                          : warp.status == Status::waiting ? Role::barrier
                                                           : Role::act_fill;
        page_.scene.add(box(x, y, size * 0.7F, size, fill, {}, s(3)),
                        fmt::format("{}: {}", warp_text(warp, state_view_, tr_),
                                    tr_("state.line", arg("line", warp.line))));
        return x + size * 0.7F - s(6);
    }

    float cell_width(const analysis::StateArray& array) const {
        float widest = 0;
        for (const analysis::StateCell& cell : array.cells)
            widest = std::max(widest, page_.width(cell.value, kValueText));
        return std::clamp(widest + s(14), s(kLeastStateCell), s(kMostCell));
    }

    float add_array(const analysis::StateArray& array, float y) {
        const std::string name =
            array.local ? fmt::format("{} · {}", array.name,
                                      tr_("figure.group",
                                          arg("n", state_view_.space.group_name(array.group))))
                        : array.name;
        const float width = cell_width(array), step = width + s(kCellGap);
        auto columns = std::max<std::size_t>(
            1, static_cast<std::size_t>((page_.right() - left() + s(kCellGap)) / step));
        if (columns < array.cells.size()) columns = std::bit_floor(columns);
        page_.fitted({left() - s(12), y + s(kStateCellHeight) / 2}, name,
                     kCaptionText.at(Anchor::end), s(kStateLabels - 8), name);
        for (std::size_t index = 0; index < array.cells.size(); ++index) {
            if (index > 0 && index % columns == 0) y += s(kStateCellHeight + 12 + kLineGap);
            add_cell(array, index, {left() + static_cast<float>(index % columns) * step, y}, width);
        }
        y += s(kStateCellHeight + 12);
        if (array.left_out > 0)
            y = page_.paragraph(tr_("state.left_out", arg("count", array.left_out)), kSmallText,
                                y + s(4));
        return y + s(kArrayGap);
    }

    static Look look_of(const analysis::StateCell& cell) {
        if (cell.wrote)
            return {Role::wrote_fill, Role::text, {Role::wrote, cell.changed ? 3.0F : 2.0F}};
        if (cell.read) return {Role::read_fill, Role::text, {Role::read, 2, Dash::dashed}};
        return {Role::panel, Role::text, {Role::border, 1.25F}};
    }

    void add_cell(const analysis::StateArray& array, std::size_t index, Point point, float width) {
        const analysis::StateCell& cell = array.cells[index];
        const Look look = look_of(cell);
        const std::string subscript = array.shape.at(index);
        const std::string name = fmt::format("{}{} = {}", array.name, subscript, cell.value);
        page_.scene.add(
            box(point.x, point.y, width, s(kStateCellHeight), look.fill, look.stroke, s(5)), name,
            name_of(analysis::memory_of(array.name, array.local, array.group, index)));
        const bool nobody = cell.value == "?";
        page_.fitted_value({point.x + width / 2, point.y + s(kStateCellHeight) / 2}, cell.value,
                           kValueText.in(nobody ? Role::muted : look.text), width - s(6), name);
        if (!subscript.empty())
            page_.text({point.x + width / 2, point.y + s(kStateCellHeight + 7)},
                       array.shape.is_plain() ? std::to_string(index) : subscript, kIndexText);
        if (!options_.next || !cell.next_write || !cell.next_read ||
            *cell.next_write == *cell.next_read)
            return;
        page_.scene.add(
            box(point.x - s(3), point.y - s(3), width + s(6), s(kStateCellHeight + 6), Role::none,
                kMeeting, s(7)),
            tr_("state.meet", arg("reader", state_view_.space.group_name(*cell.next_read)),
                arg("writer", state_view_.space.group_name(*cell.next_write))));
        add_badge(page_.scene, {point.x + width - s(2), point.y + s(2)}, s(8), false);
        any_meets_ = true;
    }

    std::vector<LegendEntry> legend() {
        const auto sample = [this](const Look& look) {
            return [this, look](Scene& scene, const Box& at) { scene.add(box(at, look, s(3))); };
        };
        std::vector<LegendEntry> entries;
        analysis::StateCell wrote, read;
        wrote.wrote = wrote.changed = true;
        read.read = true;
        entries.push_back({tr_("state.legend_read"), sample(look_of(read))});
        entries.push_back({tr_("state.legend_wrote"), sample(look_of(wrote))});
        if (any_meets_)
            entries.push_back(
                {tr_("state.legend_meet"), sample({Role::panel, Role::text, kMeeting})});
        return entries;
    }

    const analysis::StateView& state_view_;
    const StateFigureOptions& options_;
    const Translations& tr_;
    Page page_;
    bool any_meets_ = false;
};

}  // namespace

Scene schedule_figure(const analysis::Timeline& timeline, const RunSubject& subject,
                      const FigureOptions& options, const Fonts& fonts, const Translations& tr) {
    return ScheduleFigure(timeline, options, fonts, tr).make(subject);
}

ScheduleNow schedule_now(const analysis::Timeline& timeline, const analysis::StateView& state,
                         const std::vector<const analysis::WarpView*>& ready, std::size_t picked,
                         const ScheduleNowOptions& now, const FigureOptions& options,
                         const Fonts& fonts, const Translations& tr) {
    return ScheduleNowFigure(timeline, options, fonts, tr)
        .make(state, ready, picked, now, options.width);
}

Scene state_figure(const analysis::StateView& state, const StateFigureOptions& options,
                   const Fonts& fonts, const Translations& tr) {
    return StateFigure(state, options, fonts, tr).make();
}

std::string action_text(const analysis::ActionView& action, const Translations& tr) {
    if (action.array.empty())
        return tr(action.kind == ActionKind::barrier ? "action.barrier" : "action.collective");
    auto [cells, values] = touched_by(action);
    const char* key = action.kind == ActionKind::load    ? "action.load"
                      : action.kind == ActionKind::store ? "action.store"
                                                         : "action.atomic";
    const bool many = values.size() > kMostValues;
    if (many) values.resize(kMostValues);
    return tr(key,
              arg("cells", action.array + analysis::cells_text(std::move(cells), action.shape)),
              arg("values", fmt::format("{}{}", fmt::join(values, " "), many ? " …" : "")));
}

std::string warp_text(const analysis::WarpView& warp, const analysis::StateView& state,
                      const Translations& tr) {
    const std::string group = state.space.group_name(warp.group);
    if (state.warp_lanes == 1 && state.group_items > 1)
        return tr("warp.item", arg("item", state.space.item_name(warp.first_item)),
                  arg("group", group));
    if (state.group_items <= state.warp_lanes) return tr("figure.group", arg("n", group));
    return tr("warp.warp", arg("group", group), arg("warp", warp.warp));
}

std::string warp_mark(const analysis::WarpView& warp, const analysis::StateView& state) {
    if (state.warp_lanes == 1 && state.group_items > 1)
        return state.space.item_name(warp.first_item);
    const std::string group = state.space.group_name(warp.group);
    return state.group_items <= state.warp_lanes ? group : fmt::format("{}.{}", group, warp.warp);
}

}  // namespace lab::figures
