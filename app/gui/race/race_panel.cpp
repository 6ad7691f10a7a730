// The race view's middle: who can act next, what memory holds, and what came of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
using machine::ActionKind;
using machine::Status;

constexpr float kRowHeight = 58, kNameWidth = 104, kNextWidth = 330, kChipWidth = 62;

const analysis::TimelineAction* last_stale(const session::Race& race,
                                           const analysis::WarpView& warp) {
    if (race.cursor() == 0) return nullptr;
    const analysis::TimelineAction& last = race.timeline().actions[race.cursor() - 1];
    return last.stale && last.group == warp.group && last.warp == warp.warp ? &last : nullptr;
}

// What a warp has done, the newest at the right: as many chips as there is room for.
void history(Ui& ui, const session::Race& race, const analysis::WarpView& warp, ImVec2 point,
             float width) {
    const float chip = ui.px(kChipWidth), gap = ui.px(5), bar = ui.px(8), height = ui.px(46);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    float x = point.x + width;
    for (std::uint64_t time = race.cursor(); time-- > 0;) {
        const analysis::TimelineAction& action = race.timeline().actions[time];
        if (action.launch != race.state_view().launch) break;
        if (action.group != warp.group || action.warp != warp.warp) continue;
        const bool barrier = action.kind == ActionKind::barrier;
        const float w = barrier ? bar : chip;
        x -= w;
        if (x < point.x) break;
        const ImVec2 low{x, point.y}, high{x + w, point.y + height};
        const Role fill = barrier                           ? Role::barrier
                          : action.stale                    ? Role::race_fill
                          : action.kind == ActionKind::load ? Role::read_fill
                                                            : Role::wrote_fill;
        into.AddRectFilled(low, high, ui.colour(fill), ui.px(5));
        if (action.stale) into.AddRect(low, high, ui.colour(Role::race), ui.px(5), 0, ui.px(2));
        if (!barrier) {
            const auto text = [&](const std::string& words, float size, float y, Role role) {
                const TextStyle style(ui, Face::mono, size, role);
                const std::string fits =
                    ui.metrics.shortened(words, (w - ui.px(4)) / ui.scale, size, Face::mono);
                const float wide = ImGui::CalcTextSize(fits.c_str()).x;
                into.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {x + (w - wide) / 2, y},
                             ui.colour(role), fits.c_str());
            };
            const char* key = action.kind == ActionKind::load    ? "chip.load"
                              : action.kind == ActionKind::store ? "chip.store"
                                                                 : "chip.atomic";
            text(fmt::format("{} {}", ui.tr()(key), action.cells), 10, point.y + ui.px(6),
                 Role::text);
            text(action.values, 13, point.y + ui.px(21), action.stale ? Role::race : Role::text);
        }
        x -= gap;
    }
}

// "22 + 11", where one lane stores what two values were combined into.
std::string sum_of(const Ui& ui, const analysis::ActionView& action) {
    if (action.touches.size() != 1 || action.touches[0].left.empty() ||
        action.touches[0].right.empty())
        return {};
    static constexpr std::array<const char*, 4> kSigns{"+", "min", "max", "×"};
    const auto op = static_cast<std::size_t>(ui.session.settings().choice.shape.op);
    return fmt::format("{} {} {}", action.touches[0].left, kSigns.at(op), action.touches[0].right);
}

// Whether another warp's next action meets this one's in a cell.
bool meets(const session::Race& race, const analysis::WarpView& warp) {
    if (!warp.next) return false;
    for (const analysis::WarpView* other : race.ready()) {
        if (other == &warp || !other->next || other->next->array != warp.next->array) continue;
        if (other->next->local && other->group != warp.group) continue;
        if (other->next->kind == ActionKind::load && warp.next->kind == ActionKind::load) continue;
        for (const analysis::LaneTouch& mine : warp.next->touches)
            for (const analysis::LaneTouch& theirs : other->next->touches)
                if (mine.index == theirs.index) return true;
    }
    return false;
}

void next_card(Ui& ui, session::Race const& race, const analysis::WarpView& warp, ImVec2 point,
               float width) {
    const session::RaceView& view = ui.view<session::RaceView>();
    const float height = ui.px(48);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const auto& ready = race.ready();
    const auto found = std::find(ready.begin(), ready.end(), &warp);
    const auto place = static_cast<std::size_t>(found - ready.begin());
    const bool can = found != ready.end();
    const bool picked = can && place == view.picked();
    const bool contested = can && meets(race, warp);
    into.AddRectFilled(point, {point.x + width, point.y + height},
                       ui.colour(contested ? Role::race_fill : Role::panel), ui.px(7));
    into.AddRect(point, {point.x + width, point.y + height},
                 ui.colour(!can        ? Role::border
                           : contested ? Role::race
                           : picked    ? Role::act
                                       : Role::border),
                 ui.px(7), 0, ui.px(picked ? 2.5F : 1.25F));
    std::string words;
    if (warp.next)
        words = figures::action_text(*warp.next, ui.tr());
    else if (!warp.fault.empty())
        words = ui.tr()("race.fault");
    else if (can)  // the run was given up while this one still went on
        words = ui.tr()("race.asks", fmt::arg("line", warp.line));
    else
        words = ui.tr()(warp.status == Status::waiting ? "race.waits" : "race.ended",
                        fmt::arg("line", warp.line));
    const std::string sum = warp.next ? sum_of(ui, *warp.next) : std::string();
    const float button = can ? ui.px(92) : 0;
    {
        const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
        std::string above = can ? ui.tr()("race.next", fmt::arg("line", warp.line)) : std::string();
        if (!sum.empty()) above += " · " + sum;
        above = ui.metrics.shortened(above, (width - button - ui.px(20)) / ui.scale, kSmallSize,
                                     Face::sans);
        into.AddText({point.x + ui.px(12), point.y + ui.px(7)}, ui.colour(Role::muted),
                     above.c_str());
    }
    {
        const TextStyle style(ui, can ? Face::mono : Face::sans, kTextSize);
        const std::string fits =
            ui.metrics.shortened(words, (width - button - ui.px(20)) / ui.scale, kTextSize,
                                 can ? Face::mono : Face::sans);
        into.AddText({point.x + ui.px(12), point.y + ui.px(can ? 24 : 15)},
                     ui.colour(can ? Role::text : Role::muted), fits.c_str());
    }
    if (!can) return;
    const std::string id = place < 9 ? fmt::format("race.act_{}", place + 1) : "race.act";
    ImGui::SetCursorScreenPos({point.x + width - button - ui.px(6), point.y + ui.px(8)});
    const std::string text =
        place < 9 ? fmt::format("{} {}", ui.tr()("race.act"), place + 1) : ui.tr()("race.act");
    if (act_button(ui, id.c_str(), text, picked, {button, ui.px(32)}))
        ui.change<session::RaceView>().act_nth(place);
    tip(ui,
        fmt::format("{}{}", ui.tr()(std::string("command.") + id + ".tip"),
                    contested ? "\n" + ui.tr()("race.contested") : std::string()),
        picked ? fmt::format("{}   Enter", ui.session.command(id).key).c_str()
               : ui.session.command(id).key);
}

void actor_row(Ui& ui, const session::Race& race, const analysis::WarpView& warp, float width) {
    const ImVec2 point = ImGui::GetCursorScreenPos();
    ImDrawList& into = *ImGui::GetWindowDrawList();
    // For a group of several warps the group above, the warp below.
    const analysis::StateView& state = race.state_view();
    const bool warps = state.warp_lanes > 1 && state.group_items > state.warp_lanes;
    const std::string name = warps ? ui.tr()("figure.group", fmt::arg("n", warp.group))
                                   : figures::warp_text(warp, state, ui.tr());
    {
        const TextStyle style(ui, Face::bold, kTextSize);
        const std::string fits = ui.metrics.shortened(name, kNameWidth - 6, kTextSize, Face::bold);
        into.AddText({point.x, point.y + ui.px(6)}, ui.colour(Role::text), fits.c_str());
    }
    {
        const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
        const auto pass = warp.next ? warp.next->pass + 1 : 0;
        std::string below = pass > 0 ? ui.tr()("race.pass", fmt::arg("pass", pass)) : std::string();
        if (warps)
            below = ui.tr()("lanes.warp", fmt::arg("n", warp.warp)) + (below.empty() ? "" : " · ") +
                    below;
        below = ui.metrics.shortened(below, kNameWidth - 4, kSmallSize, Face::sans);
        into.AddText({point.x, point.y + ui.px(26)}, ui.colour(Role::muted), below.c_str());
    }
    const float next = std::min(ui.px(kNextWidth), width * 0.55F);
    const float chips = width - ui.px(kNameWidth) - next - ui.px(12);
    if (chips > ui.px(kChipWidth))
        history(ui, race, warp, {point.x + ui.px(kNameWidth), point.y + ui.px(2)}, chips);
    next_card(ui, race, warp, {point.x + width - next, point.y}, next);
    if (last_stale(race, warp) != nullptr)
        into.AddRectFilled({point.x - ui.px(8), point.y + ui.px(4)},
                           {point.x - ui.px(4), point.y + ui.px(44)}, ui.colour(Role::race),
                           ui.px(2));
    ImGui::SetCursorScreenPos(point);
    ImGui::Dummy({width, ui.px(kRowHeight) - ImGui::GetStyle().ItemSpacing.y});
}

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
    CachedScene memory;
};

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
    if (race.at_end() && race.deadlocked() && !race.ready().empty()) {
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
        const auto rows = static_cast<float>(race.state_view().warps.size());
        const float actors = std::min(rows * ui.px(kRowHeight) + ui.px(24), rest * 0.62F);
        ImGui::BeginChild("actors", {width, std::max(actors, ui.px(70))});
        for (const analysis::WarpView& warp : race.state_view().warps)
            actor_row(ui, race, warp, ImGui::GetContentRegionAvail().x);
        not_begun(ui, race.state_view());
        ImGui::EndChild();
        buttons(ui);
        memory_now(ui, race,
                   {width, std::max(ui.px(60), ImGui::GetContentRegionAvail().y - below)});
        message_box(ui, words, wrong, width);
    }
    end_card();
}

}  // namespace lab::gui
