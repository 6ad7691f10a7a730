#include "figures/parts/schedule/schedule_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "figures/plot/badge.h"
#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

using machine::ActionKind;

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
    return action.stale ? kStaleAction : kActionLooks.at(static_cast<std::size_t>(action.kind));
}

Rect rect_of(const Box& at, Role fill) {
    return box(at.left, at.top, at.right - at.left, at.bottom - at.top, fill);
}

// The part of a lane that a mark fills.
Box part_of(const Box& box, ActionKind kind) {
    const float middle = (box.top + box.bottom) / 2;
    if (kind == ActionKind::load) return {box.left, box.top, box.right, middle};
    if (kind == ActionKind::store) return {box.left, middle, box.right, box.bottom};
    return box;
}

// A bit of a lane, for a mark in the legend to stand in.
void add_frame(Page& page, const Box& box) {
    const float x = (box.left + box.right) / 2;
    Rect frame = rect_of({x - page.s(8), box.top, x + page.s(8), box.bottom}, Role::panel);
    frame.stroke = {Role::border, 1, Dash::solid};
    page.scene.add(frame);
}

// A sample of one kind, as it looks at that level.
void add_swatch(Page& page, const Box& box, ScheduleLevel level, ActionKind kind) {
    analysis::TimelineAction action;
    action.kind = kind;
    const float x = (box.left + box.right) / 2;
    if (kind == ActionKind::barrier && level != ScheduleLevel::columns) {
        const float half = page.s(level == ScheduleLevel::boxes ? 4 : 2);
        Rect rect = rect_of({x - half, box.top, x + half, box.bottom}, Role::barrier);
        rect.radius = page.s(level == ScheduleLevel::boxes ? 3 : 0);
        page.scene.add(rect);
    } else if (level == ScheduleLevel::boxes) {
        const ActionLook look = action_look(action);
        Rect rect = rect_of(box, look.fill);
        rect.stroke = {look.edge, 1.25F, Dash::solid};
        rect.radius = page.s(3);
        page.scene.add(rect);
    } else if (level == ScheduleLevel::marks) {
        add_frame(page, box);
        add_action_mark(page, {x - page.s(3.5F), box.top, x + page.s(3.5F), box.bottom}, action,
                        {});
    } else {
        add_frame(page, box);
        ColumnCounts counts;
        counts.loads = kind == ActionKind::load ? 1.0F : 0.0F;
        counts.writes = kind == ActionKind::store ? 1.0F : 0.0F;
        counts.barrier = kind == ActionKind::barrier;
        add_action_column(page, {x - page.s(4), box.top, x + page.s(4), box.bottom}, counts, {});
    }
}

// `sign`: the room for a badge in the corner.
void add_words(Page& page, const Box& box, const BoxText& words, float sign,
               const std::string& tip) {
    const float x = (box.left + box.right) / 2, room = box.right - box.left - page.s(4);
    const float y = (box.top + box.bottom) / 2;
    const bool bare = words.cells.empty();
    page.fitted({x - sign / 2, bare ? y : y - page.s(16)}, words.kind, kBoxKind, room - sign, tip);
    page.fitted({x, y}, words.cells, kBoxCells, room, tip);
    page.fitted({x, y + page.s(16)}, words.value, kBoxValue, room, tip);
}

}  // namespace

void add_action_box(Page& page, const Box& box, const analysis::TimelineAction& action,
                    const BoxText& words, const std::string& tip, const std::string& name) {
    const ActionLook look = action_look(action);
    Rect rect = rect_of(box, look.fill);
    rect.radius = page.s(4);
    if (look.edge != Role::none)
        rect.stroke = {look.edge, action.stale ? 2.5F : 1.25F, Dash::solid};
    page.scene.add(rect, tip, name);
    if (action.kind == ActionKind::barrier) return;
    add_words(page, box, words, action.stale ? page.s(20) : 0, tip);
    if (action.stale)
        add_badge(page.scene, {box.right - page.s(10), box.top + page.s(10)}, page.s(7), false);
}

void add_next_box(Page& page, const Box& box, ActionKind kind, const BoxText& words, bool picked,
                  bool contended, const std::string& tip, const std::string& name) {
    const Role edge = contended ? Role::race : picked ? Role::act : Role::muted;
    Rect rect = rect_of(box, contended ? kStaleAction.fill
                             : picked  ? kActionLooks.at(static_cast<std::size_t>(kind)).fill
                                       : Role::panel);
    if (kind == ActionKind::barrier && !contended) rect.fill = Role::panel;
    rect.radius = page.s(4);
    rect.stroke = {edge, picked ? 2.5F : 1.5F, Dash::dashed};
    page.scene.add(rect, tip, name);
    add_words(page, box, words, 0, tip);
}

void add_action_mark(Page& page, const Box& box, const analysis::TimelineAction& action,
                     const std::string& tip, const std::string& name) {
    if (action.kind == ActionKind::barrier) {
        const float x = (box.left + box.right) / 2, half = page.s(1.5F);
        page.scene.add(rect_of({x - half, box.top, x + half, box.bottom}, Role::barrier), tip,
                       name);
        return;
    }
    const ActionLook look = action_look(action);
    const Box part = part_of(box, action.kind);
    page.scene.add(rect_of({part.left + 0.5F, part.top, part.right - 0.5F, part.bottom}, look.edge),
                   tip, name);
    if (action.stale)
        add_badge(page.scene, {(box.left + box.right) / 2, box.top - page.s(4)}, page.s(4), false);
}

void add_action_column(Page& page, const Box& box, const ColumnCounts& counts,
                       const std::string& tip) {
    const float middle = (box.top + box.bottom) / 2, half = (box.bottom - box.top) / 2 - page.s(3);
    const float right = box.right - 0.5F;
    if (counts.loads > 0)
        page.scene.add(rect_of({box.left, middle - half * counts.loads, right, middle}, Role::read),
                       tip);
    if (counts.writes > 0)
        page.scene.add(
            rect_of({box.left, middle, right, middle + half * counts.writes}, Role::wrote), tip);
    if (counts.barrier)
        page.scene.add(
            rect_of({box.left, box.bottom - page.s(3), right, box.bottom}, Role::barrier), tip);
    if (counts.stale)
        add_badge(page.scene, {(box.left + box.right) / 2, box.top - page.s(4)}, page.s(4), false);
}

void add_number(Page& page, Point middle, std::size_t number) {
    page.scene.add(disc(middle, page.s(8), Role::race));
    page.text(middle, std::to_string(number),
              TextStyle{11, Face::bold, Role::on_act, Anchor::middle});
}

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
        has.at(static_cast<std::size_t>(action.kind)) = true;
    const bool columns = level == ScheduleLevel::columns;
    if (columns && has[2]) has[1] = true;
    const bool boxes = level == ScheduleLevel::boxes;
    const Translations& tr = page.tr();
    std::vector<LegendEntry> entries;
    for (std::size_t kind = 0; kind < has.size(); ++kind) {
        const char* key = kWords.at(static_cast<std::size_t>(level)).at(kind);
        if (!has.at(kind) || *key == '\0') continue;
        entries.push_back({tr(key), [&page, level, kind](Scene&, const Box& box) {
                               add_swatch(page, box, level, static_cast<ActionKind>(kind));
                           }});
    }
    if (timeline.stale_reads > 0)
        entries.push_back(
            {tr("schedule.legend_stale"), [&page, boxes](Scene& scene, const Box& at) {
                 const float x = (at.left + at.right) / 2;
                 if (boxes) {
                     Rect rect = rect_of(at, kStaleAction.fill);
                     rect.stroke = {kStaleAction.edge, 2, Dash::solid};
                     rect.radius = page.s(3);
                     scene.add(rect);
                 }
                 add_badge(scene, {x, (at.top + at.bottom) / 2}, page.s(6), false);
             }});
    if (parts.arcs)
        entries.push_back(
            {tr("schedule.legend_late"), [](Scene& scene, const Box& at) {
                 const float y = (at.top + at.bottom) / 2;
                 scene.add(line({at.left, y}, {at.right, y}, {Role::race, 2.5F, Dash::dotted}));
             }});
    if (parts.numbers)
        entries.push_back(
            {tr("schedule.legend_pair"), [&page](Scene&, const Box& at) {
                 add_number(page, {(at.left + at.right) / 2, (at.top + at.bottom) / 2}, 1);
             }});
    if (timeline.launches.size() > 1)
        entries.push_back(
            {tr("schedule.legend_launch"), [](Scene& scene, const Box& at) {
                 const float x = (at.left + at.right) / 2;
                 scene.add(line({x, at.top}, {x, at.bottom}, {Role::barrier, 3, Dash::solid}));
             }});
    return entries;
}

}  // namespace lab::figures
