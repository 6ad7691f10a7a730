// The race view's middle: who can act next, and what memory holds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "figures/figures/schedule_now.h"
#include "figures/figures/state_figure.h"
#include "gui/parts/cached_scene.h"
#include "gui/parts/presented.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "gui/race/race_panels.h"
#include "gui/step/step_panels.h"
#include "gui/step/transport.h"
#include "session/race/race.h"
#include "session/race/race_view.h"
#include "session/step/step_view.h"
#include "views/kernels/kernels_panels.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

std::uint32_t groups_not_begun(const analysis::StateView& state) {
    std::uint32_t most = 0;
    for (const analysis::WarpView& warp : state.warps)
        most = std::max(most, warp.group + 1);
    return state.done || most >= state.groups ? 0 : state.groups - most;
}

// Groups that wait for room; without them a class would wonder where they are.
void not_begun(Ui& ui, const session::Race& race) {
    const std::uint32_t count = groups_not_begun(race.state_view());
    if (count > 0)
        label(ui, race.never_ends() ? ui.tr()("race.not_begun_never", fmt::arg("count", count))
                                    : ui.tr().counted("race.not_begun", count));
}

struct RacePanelState {
    bool controls_open = false;
    std::string side;              // as it was last
    bool results_instead = false;  // in a narrow window: what stands beside the lanes elsewhere
    bool task_below = false;       // beside the buttons: there was no room for it in the heading
    CachedScene lanes, memory;
    std::vector<figures::Box> beside;  // see figures::ScheduleNow
};

// "22 + 11", where one lane stores what two values were combined into.
std::string sum_of(const Ui& ui, const analysis::WarpView& warp) {
    if (!warp.next || warp.next->touches.size() != 1 || warp.next->touches[0].left.empty() ||
        warp.next->touches[0].right.empty())
        return {};
    static constexpr std::array<const char*, 4> kSigns{"+", "min", "max", "×"};
    const auto op = static_cast<std::size_t>(ui.session.settings().choice.shape.op);
    const analysis::LaneTouch& touch = warp.next->touches[0];
    return fmt::format("{} {} {} = {}", touch.left, kSigns.at(op), touch.right, touch.value);
}

// Lets the warp at that place of race.ready() act.
void act_button_of(Ui& ui, const session::Race& race, std::size_t place, ImVec2 point) {
    const analysis::WarpView& warp = *race.ready()[place];
    const bool picked = place == ui.view<session::RaceView>().picked();
    const std::string id = place < 9 ? fmt::format("race.act_{}", place + 1) : "race.act";
    ImGui::SetCursorScreenPos(point);
    if (act_button(ui, id.c_str(), run_text(ui, warp, race.state_view()), picked,
                   {ui.px(run_button_width(ui, race)), ui.px(32)}))
        ui.change<session::RaceView>().act_nth(place);
    const std::string sum = sum_of(ui, warp);
    tip(ui,
        fmt::format("{}{}", ui.tr()(std::string("command.") + id + ".tip"),
                    sum.empty() ? "" : "\n" + sum),
        picked ? fmt::format("{}   Enter", ui.session.command(id).key).c_str()
               : ui.session.command(id).key);
}

// Lanes are drawn so much larger that about ten actions are still in sight.
float lanes_fit(const Ui& ui, float width) {
    constexpr float kNames = 90, kButton = 110, kAction = 80, kActions = 6;  // points
    return std::clamp(width / ui.px(kNames + kButton + kActions * kAction), 1.0F, 2.5F);
}

// `button`: points beside the next actions.
const figures::Scene& lanes_scene(const Ui& ui, const session::Race& race, float width,
                                  float button) {
    auto& state = ui.state<RacePanelState>();
    const std::size_t picked = ui.view<session::RaceView>().picked();
    const std::string key = fmt::format("{} {} {} {}", race.version(), width, picked, button);
    return state.lanes.get(ui, key, [&] {
        figures::FigureOptions options{width, ui.palette.text_scale, false};
        figures::ScheduleNow now =
            figures::schedule_now(race.timeline(), race.state_view(), race.ready(), picked, button,
                                  options, ui.metrics, ui.tr());
        state.beside = std::move(now.beside);
        return std::move(now.scene);
    });
}

// The schedule so far, a lane for each warp, at most `most` pixels high; `buttons`: one beside each
// next action.
void lanes(Ui& ui, const session::Race& race, float width, float most, bool buttons) {
    const analysis::StateView& now = race.state_view();
    const float line = groups_not_begun(now) > 0 ? ui.px(28) : ui.px(4);
    const float button = buttons ? run_button_width(ui, race) : 0;
    const auto drawn = [&](float fit, float room) {
        return &lanes_scene(ui, race, room / ui.px(fit), button / fit);
    };
    float fit = lanes_fit(ui, width);
    const figures::Scene* scene = drawn(fit, width);
    if (ui.px(scene->height) * fit + line > most) {
        fit = std::clamp((most - line) / ui.px(scene->height), 1.0F, fit);
        scene = drawn(fit, width);
    }
    const float height = ui.px(scene->height) * fit + line;
    if (height > most)  // it scrolls
        scene = drawn(fit, width - ImGui::GetStyle().ScrollbarSize - ui.px(2));
    const Ui large = ui.smaller(fit);
    // A ring around a name at the left has room beside it.
    const float around = ui.px(5);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() - around);
    ImGui::BeginChild("actors", {width + around, std::min(height, std::max(most, ui.px(84)))});
    ImGui::Indent(around);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    show_tip(ui, paint(large, *scene, *ImGui::GetWindowDrawList(), point).tip);
    for (std::size_t place = 0; buttons && place < race.ready().size(); ++place) {
        const auto lane = static_cast<std::size_t>(race.ready()[place] - now.warps.data());
        const figures::Box& at = ui.state<RacePanelState>().beside[lane];
        act_button_of(ui, race, place,
                      {point.x + large.px(at.left),
                       point.y + large.px((at.top + at.bottom) / 2) - ui.px(16)});
    }
    ImGui::SetCursorScreenPos(point);
    diagram_item("lanes", {large.px(scene->width), std::floor(large.px(scene->height))});
    not_begun(ui, race);
    drag_to_scroll(ui);
    ImGui::EndChild();
}

// As large as all cells of the longest array fit side by side, and all arrays above each other.
void memory_now(Ui& ui, const session::Race& race, ImVec2 room) {
    const float width = room.x / ui.scale;
    const figures::Scene& scene = ui.state<RacePanelState>().memory.get(
        ui, fmt::format("{} {} {}", race.version(), width, room.y), [&] {
            const auto at = [&](float text_scale) {
                figures::StateFigureOptions options;
                options.figure = {width, text_scale};
                options.items = false;
                options.legend = false;
                return figures::state_figure(race.state_view(), options, ui.metrics, ui.tr());
            };
            std::size_t longest = 1;
            for (const analysis::StateArray& array : race.state_view().arrays)
                longest = std::max(longest, array.cells.size());
            constexpr float kMost = 3;
            const float wide = width / (static_cast<float>(longest) * 46 + 150);
            figures::Scene usual = at(ui.palette.text_scale);
            const float high = room.y / ui.px(usual.height) * ui.palette.text_scale;
            const float larger = std::min({wide, high, kMost});
            return larger > ui.palette.text_scale ? at(larger) : usual;
        });
    ImGui::BeginChild("memory", room, 0, ImGuiWindowFlags_HorizontalScrollbar);
    ImVec2 point = ImGui::GetCursorScreenPos();
    point.y += std::max(0.0F, (room.y - ui.px(scene.height)) / 2);
    const Hovered hovered = paint(ui, scene, *ImGui::GetWindowDrawList(), point);
    ImGui::SetCursorScreenPos(point);
    diagram_item("diagram", {ui.px(scene.width), std::floor(ui.px(scene.height))});
    show_tip(ui, hovered.tip);
    drag_to_scroll(ui);
    ImGui::EndChild();
}

// What there is no room for beside the lanes, or above them.
void race_switch(Ui& ui, const char* id, const std::string& text, const char* text_tip, bool& on) {
    if (ImGui::Button((text + "###" + id).c_str())) on = !on;
    tip(ui, ui.tr()(text_tip));
    ImGui::SameLine(0, ui.px(8));
}

enum class Task : std::uint8_t { drawn, dropped, too_long };

// What is asked for, or else that one is the scheduler, beside what was drawn last if it fits into
// `room` pixels there; without a `y`, on a line of its own.
Task task(const Ui& ui, std::optional<float> y, float room) {
    const std::string asked = challenge_text(ui);
    const bool solved = ui.view<session::RaceView>().solved();
    const std::string text = asked.empty() ? ui.tr()("race.title") : solved ? "✓ " + asked : asked;
    const TextStyle style(ui, asked.empty() ? Face::sans : Face::bold, kTextSize,
                          asked.empty() ? Role::muted
                          : solved      ? Role::wrote
                                        : Role::barrier_text);
    if (y) {
        if (ImGui::CalcTextSize(text.c_str()).x > room)
            return asked.empty() ? Task::dropped : Task::too_long;
        ImGui::SameLine(0, ui.px(12));
        ImGui::SetCursorPosY(*y);
    }
    ImGui::TextUnformatted(text.c_str());
    return Task::drawn;
}

void race_heading(Ui& ui, float width) {
    RacePanelState& state = ui.state<RacePanelState>();
    const auto& tr = ui.tr();
    float top = ImGui::GetCursorPosY();
    const float right = ImGui::GetCursorPosX() + width;
    const std::string shape = tr(state.controls_open ? "step.hide_controls" : "step.show_controls");
    const std::string side = tr(state.results_instead ? "race.show_lanes" : "race.show_results");
    float buttons = broken_switch_width(ui);
    buttons += ImGui::CalcTextSize(shape.c_str()).x + ui.px(28);
    if (ui.narrow()) buttons += ImGui::CalcTextSize(side.c_str()).x + ui.px(28);
    if (ui.phone()) {  // the buttons have a line of their own
        kernel_title(ui, chosen_title(ui), width);
        state.task_below = true;
        top += ui.px(36);
        ImGui::SetCursorPos({right - width, top});
    } else {
        const float used = kernel_title(ui, chosen_title(ui), width - buttons - ui.px(10));
        state.task_below =
            task(ui, top + ui.px(6), width - buttons - used - ui.px(24)) == Task::too_long;
        ImGui::SetCursorPos({std::max(right - buttons, used), top});
    }
    if (ui.narrow())
        race_switch(ui, "race_side", side, "race.show_results.tip", state.results_instead);
    race_switch(ui, "race_controls", shape, "step.show_controls.tip", state.controls_open);
    broken_switch(ui);
    ImGui::SetCursorPos({ImGui::GetCursorStartPos().x, top + ui.px(38)});
}

void buttons(Ui& ui) {
    const float left = ImGui::GetCursorPosX(), end = line_end();
    for (const char* id : {"race.random", "race.find", "race.step", "race.mend"}) {
        const std::string words = ui.tr()(fmt::format("command.{}", id));
        const float width = ImGui::CalcTextSize(words.c_str()).x + ui.px(20);
        if (ImGui::GetCursorPosX() > left && ImGui::GetCursorPosX() + width > end) ImGui::NewLine();
        command_button(ui, id, words);
        ImGui::SameLine();
    }
    if (!ui.state<RacePanelState>().task_below) return ImGui::NewLine();
    const Task beside = task(ui, ImGui::GetCursorPosY(), ImGui::GetContentRegionAvail().x);
    if (beside != Task::drawn) ImGui::NewLine();
    if (beside == Task::too_long) task(ui, {}, 0);
}

}  // namespace

std::string run_text(const Ui& ui, const analysis::WarpView& warp,
                     const analysis::StateView& state) {
    return ui.tr()("race.run", fmt::arg("who", figures::warp_text(warp, state, ui.tr())));
}

float run_button_width(const Ui& ui, const session::Race& race) {
    float widest = 0;
    for (const analysis::WarpView* warp : race.ready())
        widest = std::max(widest, ui.metrics.text_width(run_text(ui, *warp, race.state_view()),
                                                        kTextSize, Face::bold));
    return widest + 20;
}

void present_race(Ui& ui) {
    const session::RaceView& view = ui.view<session::RaceView>();
    if (view.problem()) problem_card(ui, *view.problem(), ImGui::GetContentRegionAvail().x);
    if (!view.race()) return;
    const session::Race& race = *view.race();
    Presented presented;
    presented.title = chosen_title(ui);
    presented.position = walk_text(ui);
    const Moment moment = race_moment(ui, race);
    presented.sentence = moment.sentence;
    presented.tone = moment.tone;
    presented.picture = [&](ImVec2 room) {
        const float top = ImGui::GetCursorPosY();
        lanes(ui, race, room.x, room.y * 0.62F, false);
        memory_now(ui, race, {room.x, room.y - (ImGui::GetCursorPosY() - top)});
    };
    draw_presented(ui, presented);
}

void race_panel(Ui& ui, const Area& area) {
    begin_card(ui, "race", area.at, area.size);
    const float width = ImGui::GetContentRegionAvail().x;
    race_heading(ui, width);
    RacePanelState& state = ui.state<RacePanelState>();
    if (state.controls_open) step_controls(ui, width);
    const session::RaceView& view = ui.view<session::RaceView>();
    // What a command opens comes to the front.
    if (std::exchange(state.side, view.side()) != view.side())
        state.results_instead = state.results_instead || view.side() == "text";
    if (view.problem()) problem_card(ui, *view.problem(), width);
    if (ui.narrow() && state.results_instead) {
        race_side(ui, {ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail()});
    } else if (view.race()) {
        const session::Race& race = *view.race();
        const auto [words, tone] = race_moment(ui, race);
        const float below =
            ImGui::CalcTextSize(words.c_str(), nullptr, false, width - ui.px(22)).y + ui.px(22 + 8);
        const float rest = ImGui::GetContentRegionAvail().y - below - ui.px(44);
        lanes(ui, race, width, std::max(rest * 0.62F, ui.px(84)), true);
        buttons(ui);
        memory_now(ui, race,
                   {width, std::max(ui.px(60), ImGui::GetContentRegionAvail().y - below)});
        message_box(ui, words, tone, width);
    }
    end_card();
}

}  // namespace lab::gui
