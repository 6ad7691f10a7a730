#include "figures/parts/schedule/schedule_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

using fmt::arg;
using machine::ActionKind;

constexpr std::size_t kMostDrawnArcs = 12;
constexpr std::array<const char*, 5> kScheduleKinds{"schedule.load", "schedule.store",
                                                    "schedule.atomic", "schedule.barrier",
                                                    "schedule.collective"};

}  // namespace

float ScheduleDrawing::lanes_height(std::size_t band) const {
    const auto lanes = static_cast<float>(layout_.band_lanes[band].size());
    return lanes * layout_.lane_height + (lanes - 1) * layout_.lane_gap;
}

float ScheduleDrawing::top_of(std::size_t band, std::size_t lane) const {
    const auto& lanes = layout_.band_lanes[band];
    const auto position = std::find(lanes.begin(), lanes.end(), lane) - lanes.begin();
    return tops_[band] + static_cast<float>(position) * (layout_.lane_height + layout_.lane_gap);
}

void ScheduleDrawing::add_strip(std::size_t band, std::size_t lane, const std::string& tip) {
    Rect strip =
        box(layout_.left, top_of(band, lane) - s(2), layout_.band_right[band] - layout_.left,
            layout_.lane_height + s(4), Role::panel);
    strip.stroke = {Role::border, 1, Dash::solid};
    strip.radius = s(4);
    const SwimLane& of = layout_.lanes[lane];
    page_.scene.add(strip, tip,
                    of.group == of.last_group ? fmt::format("group {}", of.group) : std::string());
}

std::string ScheduleDrawing::tip(std::uint64_t time) const {
    const analysis::TimelineAction& action = timeline_.actions[time];
    std::string what = tr_(kScheduleKinds.at(static_cast<std::size_t>(action.kind)));
    if (!action.cells.empty()) {
        what += " " + timeline_.arrays[action.name] + action.cells;
        if (!action.values.empty())
            what += (action.kind == ActionKind::load ? " → " : " ← ") + action.values;
        if (action.lanes > 1)
            what += tr_("figure.comma") + tr_("schedule.lanes", arg("count", action.lanes));
    }
    for (const analysis::StaleArc& arc : timeline_.stale)
        if (arc.read == time) {
            what +=
                "; " + tr_("schedule.tip_stale", arg("took", arc.took), arg("missed", arc.missed));
            break;
        }
    return tr_("schedule.tip", arg("time", time),
               arg("group", timeline_.space.group_name(action.group)), arg("warp", action.warp),
               arg("pass", action.pass), arg("line", action.line), arg("what", what));
}

bool ScheduleDrawing::is_placed(std::uint64_t time) const {
    return time >= layout_.first && time < layout_.actions.size();
}

Box ScheduleDrawing::box_at(std::uint64_t time) const {
    const PlacedAction& place = layout_.actions[time];
    const float top = top_of(place.band, place.lane);
    return {place.x, top, place.x + place.width, top + layout_.lane_height};
}

void ScheduleDrawing::add_actions() {
    for (std::uint64_t time = layout_.first; time < layout_.actions.size(); ++time) {
        const analysis::TimelineAction& action = timeline_.actions[time];
        const std::string name = fmt::format("action {}", time);
        if (boxes())
            add_action_box(page_, box_at(time), action, box_text(timeline_, time, tr_), tip(time),
                           name);
        else
            add_action_mark(page_, box_at(time), action, tip(time), name);
    }
}

// From a write to the read that should have seen it, or that saw it too early: along the gap
// beside the write's lane to the column of the read, where nothing else stands, and along that.
void ScheduleDrawing::add_arcs() {
    if (layout_.level == ScheduleLevel::columns || timeline_.stale.size() > kMostDrawnArcs) return;
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
                const Box box = box_at(time);
                add_number(page_, {box.left + s(2), box.top}, number);
            }
            continue;
        }
        parts_.arcs = true;
        add_arc(arc, read, write, i);
    }
}

void ScheduleDrawing::add_arc(const analysis::StaleArc& arc, const PlacedAction& read,
                              const PlacedAction& write, std::size_t i) {
    const Box from = box_at(*arc.write), to = box_at(arc.read);
    const bool below = write.lane > read.lane;  // the write's lane lies below the read's
    const bool same = write.lane == read.lane;
    const float offset = (static_cast<float>(i % 3) - 1) * s(3);
    const float gap = layout_.lane_gap / 2;
    const float along = (below || same ? from.top - gap : from.bottom + gap) + offset;
    const Point start{(from.left + from.right) / 2, below || same ? from.top : from.bottom};
    const Point end{(to.left + to.right) / 2, same ? to.top : below ? to.bottom : to.top};
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

void ScheduleDrawing::add_axis() {
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
    for (std::uint64_t ten = 1; !boxes() && pitch * static_cast<float>(step) < number; ten *= 10)
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
        page_.scene.add(line({x, y + s(4)}, {x, y + s(9)}, {Role::idle, 1, Dash::solid}));
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

std::string ScheduleDrawing::sentence_of(const analysis::StaleArc& arc) const {
    return tr_(arc.too_new ? "schedule.sentence_early" : "schedule.sentence_late",
               arg("item", timeline_.space.item_name(arc.item)), arg("cell", arc.cell),
               arg("took", arc.took), arg("read", arc.read), arg("missed", arc.missed),
               arg("writer", timeline_.space.item_name(arc.writer)),
               arg("write", arc.write ? *arc.write : 0));
}

}  // namespace lab::figures
