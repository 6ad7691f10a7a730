// The picture of a page: the run's diagram with what is still hidden, or a schedule in the making.
#include <fmt/format.h>

#include <algorithm>

#include "figures/figures/pass_figure.h"
#include "figures/figures/schedule_now.h"
#include "figures/figures/state_figure.h"
#include "figures/parts/run_text/pass_text.h"
#include "gui/lattice/lattice_viewport.h"
#include "gui/learn/learn_panels.h"
#include "gui/parts/cached_scene.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "gui/race/race_panels.h"
#include "lessons/answers/page_view.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;
using AskKind = lessons::Kind;

struct LearnPictureState {
    CachedScene figure, lanes, memory;
    std::vector<figures::Box> beside;
};

// The row whose cells or items are asked for, while the question is open.
std::optional<std::size_t> asked_row(const session::LearnView& view) {
    if (view.page() == nullptr || !view.page()->ask) return std::nullopt;
    const AskKind kind = view.page()->ask->kind;
    if (kind == AskKind::cells || kind == AskKind::pick || kind == AskKind::items)
        return view.shown_page().question.row;
    return std::nullopt;
}

// What a click on the shape of that name picks.
std::optional<std::uint64_t> pick_of(const session::LearnView& view, const std::string& name) {
    const auto row = asked_row(view);
    if (!row || view.done() || &view.marked() != &view.draft()) return std::nullopt;
    const bool items = view.page()->ask->kind == AskKind::items;
    const std::string prefix = fmt::format("{} {} ", items ? "worker" : "cell", *row);
    if (!name.starts_with(prefix)) return std::nullopt;
    const std::uint64_t pick = std::strtoull(name.c_str() + prefix.size(), nullptr, 10);
    // Of cells whose values are asked for only those have a field.
    const std::vector<lessons::Field>& fields = view.shown_page().question.fields;
    const auto has = [&](const lessons::Field& field) { return field.cell == pick; };
    if (view.page()->ask->kind == AskKind::cells && std::none_of(fields.begin(), fields.end(), has))
        return std::nullopt;
    return pick;
}

// Rings around what is picked, and a mark at each cell whose value is asked for.
void draw_picks(const Ui& ui, const figures::Scene& scene, const Ui& fitted, ImVec2 point) {
    const session::LearnView& view = ui.view<session::LearnView>();
    const auto row = asked_row(view);
    if (!row) return;
    const AskKind kind = view.page()->ask->kind;
    std::vector<std::string> names;
    if (kind == AskKind::cells)
        for (const lessons::Field& field : view.shown_page().question.fields)
            names.push_back(fmt::format("cell {} {}", *row, field.cell.value_or(0)));
    else
        for (const std::uint64_t pick : view.marked().picks)
            names.push_back(
                fmt::format("{} {} {}", kind == AskKind::items ? "worker" : "cell", *row, pick));
    const auto pointed = view.pointed();
    const std::string pointed_name =
        pointed && !view.done() && !ui.session.presenting()
            ? fmt::format("{} {} {}", kind == AskKind::items ? "worker" : "cell", *row, *pointed)
            : "";
    ImDrawList& into = *ImGui::GetWindowDrawList();
    for (const figures::Shape& shape : scene.shapes) {
        const auto* rect = std::get_if<figures::Rect>(&shape.what);
        if (rect == nullptr) continue;
        const bool is_pointed = shape.name == pointed_name;
        if (!is_pointed && std::find(names.begin(), names.end(), shape.name) == names.end())
            continue;
        const Role role = kind == AskKind::cells || is_pointed ? Role::barrier : Role::act;
        const float gap = fitted.px(3);
        const ImVec2 low{point.x + fitted.px(rect->x) - gap, point.y + fitted.px(rect->y) - gap};
        const ImVec2 high{low.x + fitted.px(rect->width) + 2 * gap,
                          low.y + fitted.px(rect->height) + 2 * gap};
        into.AddRect(low, high, ui.colour(role), fitted.px(rect->radius) + gap, 0, fitted.px(2.4F));
    }
}

// Where the start row is scrolled out of sight it stays at the top: those are the numbers that all
// is about. What is under the mouse there, if that is in it.
std::optional<Hovered> keep_start(const Ui& ui, const figures::Scene& scene, const Ui& fitted,
                                  ImVec2 point) {
    float bottom = 0;
    for (const figures::Shape& shape : scene.shapes)
        if (const auto* rect = std::get_if<figures::Rect>(&shape.what);
            rect != nullptr && shape.name.starts_with("cell 0 "))
            bottom = std::max(bottom, rect->y + rect->height);
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const ImVec2 high{low.x + size.x, low.y + fitted.px(bottom) + ui.px(6)};
    if (bottom == 0 || point.y >= low.y || high.y - low.y > size.y / 2) return std::nullopt;
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.AddRectFilled(low, high, ui.colour(Role::panel));
    // Without the arrows that begin below it.
    into.PushClipRect(low, {high.x, high.y - ui.px(5)}, true);
    const Hovered hovered = paint(fitted, scene, into, {point.x, low.y}, {false, {}});
    draw_picks(ui, scene, fitted, {point.x, low.y});
    into.PopClipRect();
    into.AddLine({low.x, high.y}, high, ui.colour(Role::border), ui.px(1));
    ImGui::SetCursorScreenPos({point.x, low.y});
    diagram_item("start_row", {fitted.px(scene.width), high.y - low.y});
    if (!ImGui::IsMouseHoveringRect(low, high)) return std::nullopt;
    return hovered;
}

void diagram(Ui& ui, ImVec2 room) {
    const session::LearnView& view = ui.view<session::LearnView>();
    const session::LearnPage& page = view.shown_page();
    const analysis::StepTable& table = page.table;
    figures::PassFigureOptions options;
    options.shown = std::min(view.position(), table.rows.size() - 1) + 1;
    options.width = room.x / ui.scale;
    options.text_scale = ui.palette.text_scale;
    options.legend = false;
    options.announce = true;
    const figures::Scene& scene = ui.state<LearnPictureState>().figure.get(
        ui, fmt::format("{} {} {}", page.version, options.shown, options.width),
        [&] { return figures::pass_figure(table, options, ui.metrics, ui.tr()); });
    // Larger letters do not make the room larger: the picture is no smaller than at a smaller
    // scale.
    const float smallest = 0.72F / std::clamp(ui.session.settings().scale, 1.0F, 1.4F);
    const float fit = std::clamp(
        std::min(room.x / ui.px(scene.width), room.y / ui.px(scene.height)), smallest, 2.4F);
    const Ui fitted = ui.smaller(fit);
    ImGui::BeginChild("learn.figure", room, 0, ImGuiWindowFlags_HorizontalScrollbar);
    // The row where one stands is in sight, with the one that comes next.
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID followed = ImGui::GetID("followed");
    const int now = static_cast<int>(ImHashStr(view.page_id().c_str()) + options.shown);
    if (kept.GetInt(followed, -1) != now) {
        kept.SetInt(followed, now);
        const float end =
            fitted.px(scene.height) * std::min(1.0F, static_cast<float>(options.shown + 1) /
                                                         static_cast<float>(table.rows.size()));
        ImGui::SetScrollY(std::max(0.0F, end - room.y));
    }
    ImVec2 point = ImGui::GetCursorScreenPos();
    point.x += std::max(0.0F, (room.x - fitted.px(scene.width)) / 2);
    point.y += std::max(0.0F, (room.y - fitted.px(scene.height)) / 3);
    const bool traces = view.panel() == "lineage";
    Hovered hovered = paint(fitted, scene, *ImGui::GetWindowDrawList(), point,
                            {false, traces ? std::string_view(view.traced()) : std::string_view()});
    draw_picks(ui, scene, fitted, point);
    if (const auto start = keep_start(ui, scene, fitted, point)) hovered = *start;
    const std::string name(hovered.name);
    if (traces && name.starts_with("cell ") && name != view.traced())
        ui.change<session::LearnView>().trace_cell(name);
    ImGui::SetCursorScreenPos(point);
    diagram_item("diagram", {fitted.px(scene.width), std::floor(fitted.px(scene.height))});
    const auto pick = pick_of(view, name);
    const bool cells = view.page()->ask && view.page()->ask->kind == AskKind::cells;
    // A click gives its window the keys, and only then can a field have them.
    if (pick && ImGui::IsWindowHovered() && cells && ImGui::IsMouseReleased(ImGuiMouseButton_Left))
        focus_field_of(ui, *pick);
    if (pick && ImGui::IsWindowHovered() && !cells && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        ui.change<session::LearnView>().choose(*pick);
    if (pick && ImGui::IsWindowHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    // A tip names a cell's value, whose it is and the line, which may be what is asked.
    if (view.told()) show_tip(ui, hovered.tip);
    ImGui::EndChild();
}

void lattice(Ui& ui, session::LatticePicture& picture, ImVec2 room) {
    const float marks = lattice_legend(ui, *picture.lattice(), nullptr, {}, room.x) + ui.px(6);
    ImGui::BeginChild("learn.lattice", room, 0, ImGuiWindowFlags_NoScrollWithMouse);
    lattice_canvas(ui, picture, {room.x, room.y - marks});
    lattice_legend(ui, *picture.lattice(), ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(),
                   room.x);
    ImGui::EndChild();
}

struct ScheduleScenes {
    const figures::Scene& lanes;
    const figures::Scene& memory;
};

// Laid out for `width` points, with so many left free beside the next actions.
ScheduleScenes schedule_scenes(const Ui& ui, const session::Race& race, float width, float button) {
    LearnPictureState& state = ui.state<LearnPictureState>();
    const session::LearnView& view = ui.view<session::LearnView>();
    const std::size_t picked = view.schedules() ? view.picked() : race.ready().size();
    const figures::FigureOptions options{width, ui.palette.text_scale, false};
    const figures::Scene& lanes =
        state.lanes.get(ui, fmt::format("{} {} {} {}", race.version(), picked, width, button), [&] {
            figures::ScheduleNow now =
                figures::schedule_now(race.timeline(), race.state_view(), race.ready(), picked,
                                      button, options, ui.metrics, ui.tr());
            state.beside = std::move(now.beside);
            return std::move(now.scene);
        });
    const figures::Scene& memory =
        state.memory.get(ui, fmt::format("{} {}", race.version(), width), [&] {
            figures::StateFigureOptions memory_options;
            memory_options.figure = options;
            memory_options.items = memory_options.legend = false;
            return figures::state_figure(race.state_view(), memory_options, ui.metrics, ui.tr());
        });
    return {lanes, memory};
}

// The schedule so far, a button for each warp that can act, and memory below: as large as fits.
void schedule(Ui& ui, const session::Race& race, ImVec2 room) {
    constexpr float kGap = 14, kMostFit = 2;
    const session::LearnView& view = ui.view<session::LearnView>();
    const float button = view.schedules() ? run_button_width(ui, race) : 0;
    const auto at = [&](float size) {
        return schedule_scenes(ui, race, room.x / ui.px(size), button / size);
    };
    // The largest at which all of it is in sight: larger cells may need another line.
    float fit = kMostFit;
    const auto fits = [&] {
        const ScheduleScenes scenes = at(fit);
        return ui.px(scenes.lanes.height + scenes.memory.height + kGap) * fit <= room.y;
    };
    while (fit > 1 && !fits())
        fit = std::max(1.0F, fit - 0.2F);
    const ScheduleScenes scenes = at(fit);
    const Ui large = ui.smaller(fit);
    ImGui::BeginChild("learn.schedule", room);
    ImVec2 point = ImGui::GetCursorScreenPos();
    show_tip(ui, paint(large, scenes.lanes, *ImGui::GetWindowDrawList(), point, {false, {}}).tip);
    const bool acts = view.schedules() && view.can_act();
    for (std::size_t place = 0; acts && place < race.ready().size(); ++place) {
        const auto lane =
            static_cast<std::size_t>(race.ready()[place] - race.state_view().warps.data());
        const figures::Box& box = ui.state<LearnPictureState>().beside[lane];
        ImGui::SetCursorScreenPos({point.x + large.px(box.left),
                                   point.y + large.px((box.top + box.bottom) / 2) - ui.px(16)});
        const bool picked = place == view.picked();
        if (act_button(ui, fmt::format("learn.act_{}", place + 1).c_str(),
                       run_text(ui, *race.ready()[place], race.state_view()), picked,
                       {ui.px(run_button_width(ui, race)), ui.px(32)}))
            ui.change<session::LearnView>().act(place);
        tip(ui, ui.tr()("learn.act.tip"), picked ? "Enter" : "Tab, Enter");
    }
    point.y += large.px(scenes.lanes.height + kGap);
    ImGui::SetCursorScreenPos(point);
    show_tip(ui, paint(large, scenes.memory, *ImGui::GetWindowDrawList(), point, {false, {}}).tip);
    diagram_item("diagram",
                 {large.px(scenes.memory.width), std::floor(large.px(scenes.memory.height))});
    ImGui::EndChild();
}

}  // namespace

std::string picture_title(const Ui& ui) {
    const session::LearnView& view = ui.view<session::LearnView>();
    const session::LearnPage& page = view.shown_page();
    if (page.run != nullptr) return figures::subtitle(page.run->table, ui.tr());
    // A schedule in the making has no order yet.
    if (view.race() != nullptr) return figures::settings_text(page.table, ui.tr());
    return {};
}

void learn_picture(Ui& ui, ImVec2 room) {
    const session::LearnView& view = ui.view<session::LearnView>();
    if (view.shown_page().problem) {
        problem_card(ui, *view.shown_page().problem, room.x);
        return;
    }
    if (lessons::view_of(*view.page()) == lessons::PageView::chart)
        learn_chart(ui, room);
    else if (view.lattice() != nullptr)
        lattice(ui, *ui.change<session::LearnView>().lattice(), room);
    else if (view.race() != nullptr)
        schedule(ui, *view.race(), room);
    else if (view.shown_page().run != nullptr)
        diagram(ui, room);
}

}  // namespace lab::gui
