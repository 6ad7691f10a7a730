// The race view's middle: who can act next, what memory holds, and what came of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "figures/figures/schedule_now.h"
#include "figures/figures/state_figure.h"
#include "gui/kernels/kernel_panels.h"
#include "gui/parts/cached_scene.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "gui/race/race_panels.h"
#include "gui/step/step_panels.h"
#include "session/race/race.h"
#include "session/race/race_view.h"
#include "session/step/step_view.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

constexpr float kButtonWidth = 92;

std::uint32_t groups_not_begun(const analysis::StateView& state) {
    std::uint32_t most = 0;
    for (const analysis::WarpView& warp : state.warps)
        most = std::max(most, warp.group + 1);
    return state.done || most >= state.groups ? 0 : state.groups - most;
}

// Groups that wait for room; without them a class would wonder where they are.
void not_begun(Ui& ui, const analysis::StateView& state) {
    const std::uint32_t count = groups_not_begun(state);
    if (count > 0) label(ui, ui.tr()("race.not_begun", fmt::arg("count", count)));
}

struct RacePanelState {
    bool controls_open = false;
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
void act_button_of(Ui& ui, const analysis::WarpView& warp, std::size_t place, ImVec2 point) {
    const bool picked = place == ui.view<session::RaceView>().picked();
    const std::string id = place < 9 ? fmt::format("race.act_{}", place + 1) : "race.act";
    const std::string text =
        place < 9 ? fmt::format("{} {}", ui.tr()("race.act"), place + 1) : ui.tr()("race.act");
    ImGui::SetCursorScreenPos(point);
    if (act_button(ui, id.c_str(), text, picked, {ui.px(kButtonWidth), ui.px(32)}))
        ui.change<session::RaceView>().act_nth(place);
    const std::string sum = sum_of(ui, warp);
    tip(ui,
        fmt::format("{}{}", ui.tr()(std::string("command.") + id + ".tip"),
                    sum.empty() ? "" : "\n" + sum),
        picked ? fmt::format("{}   Enter", ui.session.command(id).key).c_str()
               : ui.session.command(id).key);
}

const figures::Scene& lanes_scene(Ui& ui, const session::Race& race, float width) {
    auto& state = ui.state<RacePanelState>();
    const std::size_t picked = ui.view<session::RaceView>().picked();
    return state.lanes.get(ui, fmt::format("{} {} {}", race.version(), width, picked), [&] {
        figures::FigureOptions options{width, ui.palette.text_scale, false};
        figures::ScheduleNow now =
            figures::schedule_now(race.timeline(), race.state_view(), race.ready(), picked,
                                  kButtonWidth, options, ui.metrics, ui.tr());
        state.beside = std::move(now.beside);
        return std::move(now.scene);
    });
}

// The schedule so far, a lane for each warp, with a button beside each next action.
void lanes(Ui& ui, const session::Race& race, const figures::Scene& scene, ImVec2 size) {
    ImGui::BeginChild("actors", size);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    show_tip(ui, paint(ui, scene, *ImGui::GetWindowDrawList(), point));
    const analysis::StateView& state = race.state_view();
    for (std::size_t place = 0; place < race.ready().size(); ++place) {
        const auto lane = static_cast<std::size_t>(race.ready()[place] - state.warps.data());
        const figures::Box& at = ui.state<RacePanelState>().beside[lane];
        act_button_of(
            ui, *race.ready()[place], place,
            {point.x + ui.px(at.left), point.y + ui.px((at.top + at.bottom) / 2) - ui.px(16)});
    }
    ImGui::SetCursorScreenPos(point);
    ImGui::Dummy({ui.px(scene.width), std::floor(ui.px(scene.height))});
    not_begun(ui, state);
    ImGui::EndChild();
}

void memory_now(Ui& ui, const session::Race& race, ImVec2 room) {
    const float width = room.x / ui.scale;
    const bool roomy = room.y > ui.px(300);
    const figures::Scene& scene = ui.state<RacePanelState>().memory.get(
        ui, fmt::format("{} {} {}", race.version(), width, roomy), [&] {
            // As large as all cells of the longest array fit side by side.
            std::size_t longest = 1;
            for (const analysis::StateArray& array : race.state_view().arrays)
                longest = std::max(longest, array.cells.size());
            const float larger = std::clamp(width / (static_cast<float>(longest) * 46 + 150), 1.0F,
                                            roomy ? 2.2F : 1.5F);
            figures::StateFigureOptions options;
            options.figure = {width, std::max(ui.palette.text_scale, larger)};
            options.items = false;
            options.legend = false;
            return figures::state_figure(race.state_view(), options, ui.metrics, ui.tr());
        });
    show_scene(ui, scene, "memory", room);
}

// That no schedule makes it wrong. The contents of a user kernel can be long.
std::string safe_words(const Ui& ui, const std::string& result) {
    constexpr std::size_t kMost = 60;
    if (!ui.session.settings().choice.user_kernel)
        return ui.tr()("race.safe", fmt::arg("result", result));
    const bool cut = result.size() > kMost;
    const std::size_t end = cut ? result.rfind(' ', kMost) : result.size();
    return ui.tr()("user_kernel.one_result",
                   fmt::arg("result", result.substr(0, end) + (cut ? " …" : "")));
}

// What has just happened, or how it ended.
std::pair<std::string, bool> sentence(const Ui& ui, const session::Race& race) {
    const auto& tr = ui.tr();
    // Given up while somebody could still act: they ask in a loop for what cannot come.
    if (race.at_end() && race.never_ends() && !race.ready().empty()) {
        const std::uint32_t waiting = groups_not_begun(race.state_view());
        return {
            tr(waiting > 0 ? "race.never_ends_room" : "race.never_ends", fmt::arg("count", waiting),
               fmt::arg("resident", race.state_view().groups - waiting)),
            true};
    }
    if (race.at_end() && race.fault()) {
        const Problem fault = translated(*race.fault(), tr);
        return {fault.what_happened + tr("figure.stop") + tr("figure.space") + fault.hint, true};
    }
    if (race.at_end() && race.ending()) {
        const analysis::Ending& end = *race.ending();
        if (!end.right) return {tr("race.end", fmt::arg("result", end.result)), false};
        if (*end.right) return {tr("race.end_right", fmt::arg("result", end.result)), false};
        return {tr("race.end_wrong", fmt::arg("result", end.result),
                   fmt::arg("expected", race.expected())),
                true};
    }
    if (race.cursor() == 0) {
        const auto& all = ui.view<session::RaceView>().outcomes().answer;
        const bool safe = all && all->complete && all->results.size() == 1 &&
                          !all->results[0].fault && all->results[0].ending.right != false;
        // A toggle that breaks it is on already; what saves it is the machine, for now.
        if (safe && ui.view<session::StepView>().broken())
            return {tr("race.safe_races", fmt::arg("result", all->results[0].ending.result),
                       fmt::arg("lanes", ui.session.settings().choice.machine.lanes)),
                    false};
        if (safe) return {safe_words(ui, all->results[0].ending.result), false};
        return {tr("race.goal_text"), false};
    }
    for (const analysis::StaleArc& arc : race.timeline().stale)
        if (arc.read + 1 == race.cursor())
            return {tr(arc.too_new ? "race.stale_new" : "race.stale", fmt::arg("item", arc.item),
                       fmt::arg("cell", arc.cell), fmt::arg("took", arc.took),
                       fmt::arg("missed", arc.missed), fmt::arg("writer", arc.writer)),
                    true};
    const analysis::StateView& state = race.state_view();
    if (!state.last) return {"", false};
    analysis::WarpView who;
    who.group = state.last->group;
    who.warp = state.last->warp;
    who.first_item = state.last->touches.empty() ? 0 : state.last->touches[0].item;
    return {fmt::format("{}: {}", figures::warp_text(who, state, tr),
                        figures::action_text(*state.last, tr)),
            false};
}

void race_heading(Ui& ui, float width) {
    bool& controls_open = ui.state<RacePanelState>().controls_open;
    const float top = ImGui::GetCursorPosY(), right = ImGui::GetCursorPosX() + width;
    // A user kernel has no mended one to go to.
    const bool own = ui.session.settings().choice.user_kernel.has_value();
    const float toggle = own ? 0 : broken_switch_width(ui);
    float used = 0;
    {
        const TextStyle style(ui, Face::bold, kTitleSize);
        const std::string title = ui.metrics.shortened(
            ui.tr()("race.title"), (width - toggle - ui.px(10)) / ui.scale, kTitleSize, Face::bold);
        ImGui::TextUnformatted(title.c_str());
        used = ImGui::GetItemRectSize().x + ui.px(12);
    }
    const float room = width - toggle - used - ui.px(120);
    if (room > ui.px(60)) {
        const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
        ImGui::SameLine(0, ui.px(12));
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(4));
        ImGui::TextUnformatted(
            ui.metrics.shortened(chosen_title(ui), room / ui.scale, kTextSize, Face::sans).c_str());
    }
    const std::string shape = ui.tr()(controls_open ? "step.hide_controls" : "step.show_controls");
    const float button = ImGui::CalcTextSize(shape.c_str()).x + ui.px(20);
    ImGui::SetCursorPos({right - toggle, top});
    if (!own) broken_switch(ui);
    if (width < used + toggle + button + ui.px(20)) return;
    ImGui::SetCursorPos({right - toggle - button - ui.px(10), top});
    if (ImGui::Button((shape + "###race_controls").c_str())) controls_open = !controls_open;
    tip(ui, ui.tr()("step.show_controls.tip"));
    ImGui::SetCursorPosY(top + ui.px(36));
}

void buttons(Ui& ui) {
    command_button(ui, "race.random", ui.tr()("command.race.random"));
    ImGui::SameLine();
    command_button(ui, "race.find", ui.tr()("command.race.find"));
    ImGui::SameLine();
    command_button(ui, "race.step", ui.tr()("command.race.step"));
}

}  // namespace

void race_panel(Ui& ui, const Area& area) {
    begin_card(ui, "race", area.at, area.size);
    const float width = ImGui::GetContentRegionAvail().x;
    race_heading(ui, width);
    if (ui.state<RacePanelState>().controls_open) step_controls(ui, width);
    const session::RaceView& view = ui.view<session::RaceView>();
    if (view.problem()) problem_card(ui, *view.problem(), width);
    if (view.race()) {
        const session::Race& race = *view.race();
        const auto [words, wrong] = sentence(ui, race);
        const float below =
            ImGui::CalcTextSize(words.c_str(), nullptr, false, width - ui.px(22)).y + ui.px(22 + 8);
        const float rest = ImGui::GetContentRegionAvail().y - below - ui.px(44);
        const figures::Scene& scene = lanes_scene(ui, race, width / ui.scale);
        const float line = groups_not_begun(race.state_view()) > 0 ? ui.px(28) : ui.px(4);
        lanes(ui, race, scene,
              {width, std::max(std::min(ui.px(scene.height) + line, rest * 0.66F), ui.px(84))});
        buttons(ui);
        memory_now(ui, race,
                   {width, std::max(ui.px(60), ImGui::GetContentRegionAvail().y - below)});
        message_box(ui, words, wrong, width);
    }
    end_card();
}

}  // namespace lab::gui
