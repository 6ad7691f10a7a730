#include "views/race/race_panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/machine_run.h"
#include "base/platform.h"
#include "base/ranges.h"
#include "figures/bars.h"
#include "figures/figure_page.h"
#include "figures/painters/save.h"
#include "figures/pass_text.h"
#include "figures/schedule_figure.h"
#include "gui/choice_fields.h"
#include "gui/scene_painter.h"
#include "gui/widgets.h"
#include "views/race/race.h"
#include "views/step/step.h"

namespace lab::gui {

using session::Race;
using session::RaceView;
using session::StepView;

// The race view's middle: who can act next, and what memory holds.

namespace {

std::uint32_t groups_not_begun(const analysis::StateView& state) {
    std::uint32_t most = 0;
    for (const analysis::WarpView& warp : state.warps)
        most = std::max(most, warp.group + 1);
    return state.done || most >= state.groups ? 0 : state.groups - most;
}

// Groups that wait for room; without them a class would wonder where they are.
void not_begun(Ui& ui, const Race& race) {
    const std::uint32_t count = groups_not_begun(race.state_view());
    if (count > 0)
        label(ui, race.never_ends() ? ui.tr()("race.not_begun_never", arg("count", count))
                                    : ui.tr().counted("race.not_begun", count));
}

struct RacePanelState {
    bool controls_open = false;
    std::string side;              // as it was last
    bool results_instead = false;  // in a narrow window: what stands beside the lanes elsewhere
    bool task_below = false;       // beside the buttons: there was no room for it in the heading
    CachedScene lanes, usual, memory;   // `usual`: the lanes as large as they are by themselves
    std::vector<figures::Box> buttons;  // see figures::ScheduleNow
    float closer = 1;                   // likewise
    std::uint64_t followed = 0;         // the race's version whose end was scrolled to
};

// "22 + 11", where one lane stores what two values were combined into.
std::string sum_of(const Ui& ui, const analysis::WarpView& warp) {
    if (ui.view<RaceView>().hides(warp) || !warp.next || warp.next->touches.size() != 1 ||
        warp.next->touches[0].left.empty() || warp.next->touches[0].right.empty())
        return {};
    static constexpr std::array<const char*, 4> kSigns{"+", "min", "max", "×"};
    const auto op = static_cast<std::size_t>(ui.choice().shape.op);
    const analysis::LaneTouch& touch = warp.next->touches[0];
    return fmt::format("{} {} {} = {}", touch.left, kSigns.at(op), touch.right, touch.value);
}

// Lets the warp at that place of race.ready() act.
void act_button_of(Ui& ui, const Race& race, std::size_t place, ImVec2 point, ImVec2 size) {
    const analysis::WarpView& warp = *race.ready()[place];
    const bool picked = place == ui.view<RaceView>().picked();
    const std::string id = place < 9 ? fmt::format("race.act_{}", place + 1) : "race.act";
    ImGui::SetCursorScreenPos(point);
    const std::string words = run_text(ui, warp, race.state_view());
    if (platform::kBrowser) platform::describe(words);
    if (act_button(ui, id.c_str(), words, picked, size)) ui.change<RaceView>().act_nth(place);
    const std::string sum = sum_of(ui, warp);
    tip(ui,
        fmt::format("{}{}", ui.tr()(std::string("command.") + id + ".tip"),
                    sum.empty() ? "" : "\n" + sum),
        picked ? fmt::format("{}   Enter", ui.session.command(id).key).c_str()
               : ui.session.command(id).key);
}

// `options.whole`: as one scrolls through it.
figures::ScheduleNow lanes_scene(const Ui& ui, const Race& race, float width,
                                 figures::ScheduleNowOptions options) {
    const RaceView& view = ui.view<RaceView>();
    for (const analysis::WarpView& warp : race.state_view().warps)
        options.hidden.push_back(view.hides(warp));
    return figures::schedule_now(race.timeline(), race.state_view(), race.ready(), view.picked(),
                                 options, {width, ui.palette.text_scale, false}, ui.metrics,
                                 ui.tr());
}

std::string lanes_key(const Ui& ui, const Race& race) {
    const RaceView& view = ui.view<RaceView>();
    std::string key = fmt::format("{} {} {} ", race.version(), view.picked(), view.closer);
    for (const analysis::WarpView& warp : race.state_view().warps)
        key += view.hides(warp) ? '?' : '.';
    return key;
}

// The wheel goes along the schedule, and with Ctrl brings it closer.
void wheel_over_lanes(Ui& ui, float closer) {
    constexpr float kNotch = 1.25F, kAway = 60;
    const ImGuiIO& io = ImGui::GetIO();
    if (!ImGui::IsWindowHovered() || io.MouseWheel == 0) return;
    if (io.KeyCtrl)
        ui.change<RaceView>().closer = std::min(closer * std::pow(kNotch, io.MouseWheel), 1.0F);
    else if (ImGui::GetScrollMaxY() <= 0)
        ImGui::SetScrollX(ImGui::GetScrollX() - io.MouseWheel * ui.px(kAway));
}

// A click on an action that is still to be predicted shows it.
void reveal_clicked(Ui& ui, const Race& race, std::string_view name) {
    for (const analysis::WarpView* warp : race.ready()) {
        if (name != fmt::format("next {} {}", warp->group, warp->warp) ||
            !ui.view<RaceView>().hides(*warp))
            continue;
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) ui.change<RaceView>().reveal(*warp);
    }
}

// The schedule so far, a lane for each warp, in a room of so many pixels, which it fills as far as
// several actions stay in sight. `buttons`: one for each that can act, and all actions, however
// wide; else the last ones that fit.
void lanes(Ui& ui, const Race& race, ImVec2 room, bool buttons) {
    constexpr float kLeast = 440, kMostFit = 2.5F;  // points: of names and a few actions
    RacePanelState& state = ui.state<RacePanelState>();
    const std::string key = lanes_key(ui, race);
    const float line = groups_not_begun(race.state_view()) > 0 ? ui.px(28) : 0;
    const float scrollbar = buttons ? ImGui::GetStyle().ScrollbarSize : 0;
    const float button = buttons ? run_button_width(ui, race) : 0;
    const float usual =
        state.usual
            .get(ui, fmt::format("{} {} {}", key, room.x, button),
                 [&] {
                     return lanes_scene(ui, race, room.x / ui.scale, {button, buttons, 0}).scene;
                 })
            .height;
    const float fit =
        std::clamp(std::min((room.y - line - scrollbar) / ui.px(usual), room.x / ui.px(kLeast)),
                   1.0F, kMostFit);
    Ui large = ui.smaller(fit);
    const bool scrolls = ui.px(usual) * fit + line + scrollbar > room.y;
    const float width =
        (room.x - (scrolls ? ImGui::GetStyle().ScrollbarSize + ui.px(2) : 0)) / large.scale;
    const figures::Scene& scene =
        state.lanes.get(ui, fmt::format("{} {} {} {}", key, width, room.y, button), [&] {
            figures::ScheduleNow now =
                lanes_scene(ui, race, width, {button, buttons, ui.view<RaceView>().closer});
            state.buttons = std::move(now.buttons);
            state.closer = now.closer;
            return std::move(now.scene);
        });
    // A ring around a name at the left has room beside it.
    const float around = ui.px(5);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() - around);
    const Scope child =
        begin_child("actors", {room.x + around, room.y}, ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::Indent(around);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const Hovered hovered = paint_pinned(large, scene, point);
    show_tip(ui, hovered.tip);
    reveal_clicked(ui, race, hovered.name);
    // They stay where they are while the actions scroll.
    const float left = ImGui::GetWindowPos().x + around;
    for (std::size_t place = 0; buttons && place < race.ready().size(); ++place) {
        const TextStyle style(large, Face::sans, kTextSize);
        const auto lane =
            static_cast<std::size_t>(race.ready()[place] - race.state_view().warps.data());
        const figures::Box& at = state.buttons[lane];
        act_button_of(large, race, place, {left, point.y + large.px(at.top)},
                      {large.px(at.width()), large.px(at.height())});
    }
    ImGui::SetCursorScreenPos(point);
    diagram_item("lanes", {large.px(scene.width), std::floor(large.px(scene.height))});
    not_begun(ui, race);
    if (std::exchange(state.followed, race.version()) != race.version())
        ImGui::SetScrollX(std::max(0.0F, large.px(scene.width) - room.x + around));
    wheel_over_lanes(ui, state.closer);
    drag_to_scroll(ui);
}

// As large as all cells of the longest array fit side by side, and all arrays above each other.
void memory_now(Ui& ui, const Race& race, ImVec2 room) {
    const float width = room.x / ui.scale;
    const figures::Scene& scene = ui.state<RacePanelState>().memory.get(
        ui, fmt::format("{} {} {}", race.version(), width, room.y), [&] {
            const auto at = [&](float text_scale) {
                return figures::state_figure(
                    race.state_view(),
                    {.figure = {width, text_scale}, .items = false, .legend = false}, ui.metrics,
                    ui.tr());
            };
            std::size_t longest = 1;
            for (const analysis::StateArray& array : race.state_view().arrays)
                longest = std::max(longest, array.cells.size());
            constexpr float kMost = 3, kLess = 0.9F;  // kLess: where values need wider cells
            constexpr float kCell = 42, kRest = 132;  // points
            const float usual = ui.palette.text_scale;
            float larger = std::min(width / (static_cast<float>(longest) * kCell + kRest), kMost);
            while (larger > usual && ui.px(at(larger).height) > room.y)
                larger *= kLess;
            return at(std::max(larger, usual));
        });
    show_scene(ui, scene, "memory", room, "diagram",
               std::max(0.0F, (room.y - ui.px(scene.height)) / 2));
}

constexpr float kLanesShare = 0.62F;  // of the height; memory has the rest

// What there is no room for beside the lanes, or above them.
void race_switch(Ui& ui, const char* id, const std::string& text, const char* text_tip, bool& on) {
    if (ImGui::Button((text + "###" + id).c_str())) on = !on;
    tip(ui, ui.tr()(text_tip));
    ImGui::SameLine(0, ui.px(8));
}

// "Challenge: make 33"; empty where nothing is asked for.
std::string challenge_text(const Ui& ui) {
    using Kind = session::Challenge::Kind;
    const RaceView& view = ui.view<RaceView>();
    const session::Challenge challenge = view.challenge();
    if (challenge.kind == Kind::none) return {};
    if (challenge.kind == Kind::hang) return ui.tr()("race.challenge_hang");
    if (challenge.kind == Kind::go_wrong) return ui.tr()("race.challenge_wrong");
    return ui.tr()("race.challenge_result",
                   arg("result", view.now.outcomes.answer->results[challenge.place].ending.result));
}

// "recorded on PoCL, run 12"; empty of a schedule that was chosen here.
std::string recorded_text(const Ui& ui) {
    const std::string recorded = ui.view<RaceView>().recorded();
    return recorded.empty() ? recorded : figures::order_text(recorded, ui.tr());
}

std::string race_title(const Ui& ui) {
    const std::string recorded = recorded_text(ui);
    return recorded.empty() ? chosen_title(ui) : chosen_title(ui) + " · " + recorded;
}

enum class Task : std::uint8_t { drawn, dropped, too_long };

// What is asked for, or else that one is the scheduler, beside what was drawn last if it fits into
// `room` pixels there; without a `y`, on a line of its own.
Task task(const Ui& ui, std::optional<float> y, float room) {
    const std::string asked = challenge_text(ui);
    const bool solved = ui.view<RaceView>().solved();
    const std::string recorded = recorded_text(ui);
    std::string text = asked.empty() ? ui.tr()("race.title") : solved ? "✓ " + asked : asked;
    if (!recorded.empty()) text = asked.empty() ? recorded : recorded + " · " + text;
    const TextStyle style(ui, asked.empty() ? Face::sans : Face::bold, kTextSize,
                          asked.empty() ? Role::muted
                          : solved      ? Role::wrote
                                        : Role::barrier_text);
    if (y) {
        if (words_width(text) > room) return asked.empty() ? Task::dropped : Task::too_long;
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
    buttons += words_width(shape) + ui.px(28);
    if (ui.narrow()) buttons += words_width(side) + ui.px(28);
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
    ImGui::NewLine();  // where there is no such switch, the line of the others goes on
    ImGui::SetCursorPos({ImGui::GetCursorStartPos().x, top + ui.px(38)});
}

void buttons(Ui& ui) {
    const float left = ImGui::GetCursorPosX(), end = line_end();
    struct Entry {
        const char *id, *words;
    };
    for (const auto& [id, key] :
         {Entry{"step.first", "race.start_over"}, Entry{"step.back", "race.take_back"},
          Entry{"race.random", "command.race.random"}, Entry{"race.find", "command.race.find"},
          Entry{"race.step", "command.race.step"}, Entry{"race.mend", "command.race.mend"},
          Entry{"race.predict", "command.race.predict"},
          Entry{"race.whole", "command.race.whole"}}) {
        const std::string words = ui.tr()(key);
        const float width = words_width(words) + ui.px(20);
        if (ImGui::GetCursorPosX() > left && ImGui::GetCursorPosX() + width > end) ImGui::NewLine();
        const RaceView& view = ui.view<RaceView>();
        const bool on = (std::string_view(id) == "race.predict" && view.predicts) ||
                        (std::string_view(id) == "race.whole" && view.closer < 1);
        command_button(ui, id, words, on);
        ImGui::SameLine();
    }
    if (!ui.state<RacePanelState>().task_below) return ImGui::NewLine();
    const Task beside = task(ui, ImGui::GetCursorPosY(), ImGui::GetContentRegionAvail().x);
    if (beside != Task::drawn) ImGui::NewLine();
    if (beside == Task::too_long) task(ui, {}, 0);
}

constexpr float kPercentWidth = 56;  // points
constexpr float kPlainHeight = 14, kPairHeight = 12, kPairStep = 17;
constexpr float kStripes = 6;  // points from one to the next

void bar(const Ui& ui, ImVec2 low, ImVec2 high, Role role, bool striped) {
    const Pen pen(ui);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    if (!striped) return pen.fill(low, high, role, ui.px(3));
    const float height = high.y - low.y;
    into.PushClipRect(low, high, true);
    pen.fill(low, high, Role::panel, ui.px(3));
    for (float x = low.x - height; x < high.x; x += ui.px(kStripes))
        pen.line({x, high.y}, {x + height, low.y}, role, ui.px(2.5F));
    into.PopClipRect();
    pen.frame(low, high, role, ui.px(3), ui.px(1.5F));
}

double share_of(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

void bar_with_percent(Ui& ui, ImVec2 point, float length, float height, double share, Role role,
                      bool striped) {
    const Pen pen(ui);
    const float high = ui.px(height);
    pen.fill(point, {point.x + length, point.y + high}, Role::idle_fill, ui.px(3));
    const float filled = length * static_cast<float>(share);
    if (share > 0)
        bar(ui, point, {point.x + std::max(filled, ui.px(2)), point.y + high}, role, striped);
    const std::string percent = share > 0 ? rounded_percent(100 * share) : "0";
    label_at(ui, {point.x + length + ui.px(6), point.y + ui.px(height / 2 - 8)}, percent,
             ui.px(kPercentWidth));
}

// A sample of a bar, and what it is of.
void legend_line(Ui& ui, const std::string& text, bool striped, float width) {
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float sample = ui.px(22), top = point.y + ui.px(2);
    bar(ui, {point.x, top}, {point.x + sample, top + ui.px(11)}, Role::act, striped);
    ImGui::SetCursorScreenPos({point.x + sample + ui.px(8), point.y});
    ImGui::BeginGroup();
    wrapped(text, width - sample - ui.px(8));
    ImGui::EndGroup();
}

float trial_bars_height(const Ui& ui, const results::Trials& trials) {
    return ui.px(trials.delays ? kPairStep + kPairHeight : kPlainHeight);
}

// How often the device gave a result: a plain bar, and where runs with delays were tried, too, a
// striped one below it. `room`: pixels for the bars with their percentages.
void trial_bars(Ui& ui, const results::Trials& trials, const results::TrialResult& result,
                bool foreseen, ImVec2 point, float room) {
    const float length = std::max(room - ui.px(kPercentWidth), ui.px(20));
    const Role role = foreseen ? Role::act : Role::race;
    bar_with_percent(ui, point, length, trials.delays ? kPairHeight : kPlainHeight,
                     share_of(result.count, trials.count), role, false);
    if (!trials.delays) return;
    point.y += ui.px(kPairStep);
    bar_with_percent(ui, point, length, kPairHeight, share_of(result.delayed, trials.delayed), role,
                     true);
}

// Says what the bars are, with the part of the runs that went wrong.
void trial_legend(Ui& ui, const results::Trials& trials, float width) {
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    if (!trials.delays)
        return wrapped(
            ui.tr()("race.bars", arg("device", trials.device), arg("count", trials.count)), width);
    const auto wrong = [](std::uint64_t right, std::uint64_t all) {
        return right == all ? "0 %" : rounded_percent(100 * share_of(all - right, all));
    };
    const bool own = ui.choice().user_kernel.has_value();
    wrapped(ui.tr()("race.bars_both", arg("device", trials.device)), width);
    legend_line(ui,
                ui.tr()(own ? "race.bars_plain_own" : "race.bars_plain", arg("count", trials.count),
                        arg("wrong", wrong(trials.right(), trials.count))),
                false, width);
    legend_line(ui,
                ui.tr()(own ? "race.bars_delayed_own" : "race.bars_delayed",
                        arg("count", trials.delayed), arg("seed", *trials.delays),
                        arg("wrong", wrong(trials.delayed_right(), trials.delayed))),
                true, width);
}

// Every result that the kernel can give, with a schedule each, and how often the device gives it.

constexpr std::size_t kMany = 8;  // more results push the buttons out of sight
constexpr std::size_t kMostShown = 200;

struct ResultRow {
    std::string result;
    std::optional<bool> right;
    bool fault = false, never_ends = false, foreseen = true;
    bool gives_up = false;                      // only after it has waited for very long
    std::optional<std::size_t> place;           // in the outcomes
    std::vector<machine::ScheduleSlice> turns;  // what follows them goes in order
    results::TrialResult trials;                // how often the device gave it
    bool hidden = false;                        // still to be found
    std::string reached;                        // how it was found, by the one who schedules
};

// What was found is seen, and what the device gave.
void hide(const Ui& ui, std::vector<ResultRow>& rows) {
    const RaceView& view = ui.view<RaceView>();
    for (ResultRow& row : rows) {
        if (!row.place) continue;
        const auto found = view.now.reached.find(*row.place);
        row.hidden = found == view.now.reached.end() && !view.now.shows_all &&
                     row.trials.count == 0 && row.trials.delayed == 0 &&
                     view.now.found != row.place;
        if (found != view.now.reached.end() && found->second.by_hand)
            row.reached = ui.tr()("race.found_by_you", arg("count", found->second.turns));
    }
}

// `own`: of a user kernel, whose right result is not known.
std::vector<ResultRow> rows_of(const RaceView& view, const std::string& never_ends, bool own) {
    std::vector<ResultRow> rows;
    if (view.now.outcomes.answer) {
        const auto& results = view.now.outcomes.answer->results;
        for (std::size_t i = 0; i < results.size(); ++i) {
            ResultRow& row = rows.emplace_back();
            row.result = results[i].never_ends ? never_ends : results[i].ending.result;
            row.right = results[i].ending.right;
            row.fault = results[i].fault;
            row.never_ends = results[i].never_ends;
            row.gives_up = results[i].instructions > 0;
            row.place = i;
            row.turns = results[i].turns;
        }
    }
    if (view.now.trials.answer)
        for (const results::TrialResult& trial : view.now.trials.answer->results) {
            ResultRow* known =
                find_if(rows, [&](const auto& each) { return each.result == trial.result; });
            ResultRow& row = known != nullptr ? *known : rows.emplace_back();
            row.trials = trial;
            if (!row.result.empty()) continue;
            row.result = trial.result;
            if (!own) row.right = trial.right;
            row.foreseen = false;
        }
    return rows;
}

void verdict_sign(Ui& ui, ImVec2 centre, std::optional<bool> right) {
    const Pen pen(ui);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const float r = ui.px(7);
    if (!right) return;
    if (*right) {
        pen.disc(centre, r, Role::wrote);
        const ImVec2 points[]{{centre.x - r * 0.45F, centre.y},
                              {centre.x - r * 0.1F, centre.y + r * 0.4F},
                              {centre.x + r * 0.5F, centre.y - r * 0.4F}};
        into.AddPolyline(points, 3, ui.colour(Role::panel), 0, ui.px(1.8F));
    } else {
        pen.triangle({centre.x, centre.y - r}, {centre.x + r, centre.y + r * 0.8F},
                     {centre.x - r, centre.y + r * 0.8F}, Role::race);
    }
}

bool knows_all(const Ui& ui) {
    const auto& outcomes = ui.view<RaceView>().now.outcomes.answer;
    return outcomes && outcomes->complete;
}

std::string row_text(const Ui& ui, const ResultRow& row) {
    if (row.hidden) {
        const char* kind = row.never_ends                    ? "race.hidden_hang"
                           : row.gives_up                    ? "race.hidden_gives_up"
                           : row.fault || row.right == false ? "race.hidden_wrong"
                           : row.right                       ? "race.hidden_right"
                                                             : "race.hidden";
        return ui.tr()(kind);
    }
    if (!row.reached.empty())
        return (row.right == true    ? ui.tr()("race.right") + " · "
                : row.right == false ? ui.tr()("race.wrong") + " · "
                                     : std::string()) +
               row.reached;
    if (!row.foreseen) return ui.tr()(knows_all(ui) ? "race.unforeseen" : "race.not_found");
    std::string words = row.fault        ? ui.tr()("race.fault")
                        : row.never_ends ? std::string()
                        : !row.right     ? std::string()
                        : *row.right     ? ui.tr()("race.right")
                                         : ui.tr()("race.wrong");
    if (!words.empty()) words += " · ";
    if (row.turns.empty()) return words + ui.tr()("race.in_order");
    const machine::ScheduleSlice& first = row.turns.front();
    if (row.turns.size() == 1 && first.warp == 0)
        return words + ui.tr()(first.count == 1 ? "race.one_turn_one" : "race.one_turn",
                               arg("group", first.group), arg("count", first.count));
    return words + ui.tr()("race.turns", arg("count", row.turns.size()));
}

void result_row(Ui& ui, const ResultRow& row, float width, float value_width) {
    const RaceView& view = ui.view<RaceView>();
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const Pen pen(ui);
    const auto& trials = view.now.trials.answer;
    const float height = trials ? ui.px(30) + trial_bars_height(ui, *trials) : ui.px(44);
    const bool found = row.place && view.now.found == row.place;
    if (found)
        pen.fill({point.x - ui.px(6), point.y - ui.px(3)},
                 {point.x + width + ui.px(4), point.y + height - ui.px(3)}, Role::act_fill,
                 ui.px(6));
    if (!row.hidden) verdict_sign(ui, {point.x + ui.px(9), point.y + ui.px(18)}, row.right);
    {
        const Role role = row.hidden   ? Role::muted
                          : !row.right ? Role::text
                          : *row.right ? Role::wrote
                                       : Role::race;
        const TextStyle style(ui, Face::mono, 20, role);
        const std::string fits = ui.metrics.shortened_value(row.hidden ? "??" : row.result,
                                                            value_width / ui.scale, 20, Face::mono);
        pen.text({point.x + ui.px(22), point.y + ui.px(5)}, fits, role);
    }
    const float x = point.x + ui.px(22) + value_width + ui.px(12);
    const bool replays = row.place && !row.hidden;
    const float button = replays ? ui.px(70) : 0;
    const float bar = width - (x - point.x) - button - ui.px(10);
    // In the middle while there is no bar below it.
    const float down = trials ? 0 : ui.px(10);
    label_at(ui, {x, point.y + down}, row_text(ui, row), bar);
    if (trials)
        trial_bars(ui, *trials, row.trials, row.foreseen || !knows_all(ui),
                   {x, point.y + ui.px(20)}, bar);
    if (replays) {
        ImGui::SetCursorScreenPos({point.x + width - button, point.y + ui.px(4)});
        if (act_button(ui, fmt::format("replay{}", *row.place).c_str(), ui.tr()("race.replay"),
                       false, {button, ui.px(30)}))
            ui.change<RaceView>().replay(*row.place);
        tip(ui, ui.tr()("race.replay.tip"));
    }
    ImGui::SetCursorScreenPos(point);
    ImGui::Dummy({width, height});
}

// Says what independent items have, where the machine promises more than OpenCL does.
std::string independent_words(const Ui& ui, const analysis::IndependentOutcomes& other) {
    const auto& machine = ui.choice().machine;
    if (other.lanes > 1) return ui.tr()("race.sub_groups", arg("lanes", other.lanes));
    const std::string key = machine.lanes > 1 ? "race.lockstep" : "race.at_once";
    const char* end = other.same ? "_same" : other.complete ? "" : "_least";
    return ui.tr()(key + end, arg("lanes", machine.lanes), arg("groups", machine.resident),
                   arg("results", other.results));
}

void results_heading(Ui& ui, float width) {
    const RaceView& view = ui.view<RaceView>();
    wrapped(ui, ui.tr()("race.every_result"), width, Face::bold, kTextSize + 2);
    const auto& outcomes = view.now.outcomes;
    if (outcomes.waiting) {
        label(ui, ui.tr()("race.searching", arg("states", view.states)));
        // Only one of these stands here at a time: it ends the trials first.
        if (!view.now.trials.waiting) command_button(ui, "cancel", ui.tr()("command.cancel"));
    } else if (outcomes.answer) {
        const analysis::Outcomes& of = *outcomes.answer;
        const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
        const char* key = !of.complete             ? "race.incomplete"
                          : of.results.size() == 1 ? "race.complete_one"
                                                   : "race.complete";
        wrapped(ui.tr()(key, arg("results", of.results.size()), arg("states", of.states)), width);
        if (of.for_these_numbers) wrapped(ui.tr()("race.these_numbers"), width);
        if (of.weaker_orders) wrapped(ui.tr()("race.weaker_orders"), width);
        if (of.weak_exchanges) wrapped(ui.tr()("race.weak_exchanges"), width);
        if (of.float_collectives) wrapped(ui.tr()("race.float_collectives"), width);
        if (of.independent) wrapped(independent_words(ui, *of.independent), width);
        const bool several = of.results.size() > 1;
        if (of.races == false && several) wrapped(ui.tr()("race.several_no_race"), width);
        if (of.races == true && of.is_one()) wrapped(ui.tr()("race.one_yet_race"), width);
        if (of.bound == analysis::Bound::states) wrapped(ui.tr()("race.bound_states"), width);
        if (of.bound == analysis::Bound::memory) wrapped(ui.tr()("race.bound_memory"), width);
        if (!of.unwritten.empty()) wrapped(ui.tr()("race.unwritten"), width);
        if (!of.copies.empty()) {
            using How = analysis::SeenCopy::How;
            const analysis::SeenCopy& seen = of.copies.front();
            const char* how = seen.how == How::meanwhile   ? "race.copy_meanwhile"
                              : seen.how == How::unordered ? "race.copy_unordered"
                                                           : "race.copy_unknown";
            wrapped(ui.tr()(how, arg("line", seen.line), arg("other", seen.other)), width);
        }
        for (const analysis::LaneChoice& each : of.lanes)
            wrapped(ui.tr()(each.how == analysis::LaneChoice::How::order ? "race.lane_order"
                                                                         : "race.lanes_together",
                            arg("line", each.line)),
                    width);
        if (of.endless) wrapped(ui.tr()("race.endless"), width);
        if (of.needs_progress) wrapped(ui.tr()("race.needs_progress"), width);
    }
    if (outcomes.problem) problem_card(ui, *outcomes.problem, width);
}

void delays_box(Ui& ui) {
    const session::Command& command = ui.session.command("race.delays");
    if (session::is_missing(command)) return;
    bool on = ui.view<RaceView>().delays;
    const float next = words_width(ui.tr()("race.delays"));
    ImGui::SameLine(0, ui.px(12));
    if (ImGui::GetContentRegionAvail().x < next + ImGui::GetFrameHeight() + ui.px(12))
        ImGui::NewLine();
    if (ImGui::Checkbox((ui.tr()("race.delays") + "###race.delays").c_str(), &on)) ui.run(command);
    command_tip(ui, command);
}

void trials_line(Ui& ui, float width) {
    const RaceView& view = ui.view<RaceView>();
    const auto& trials = view.now.trials;
    if (trials.problem) problem_card(ui, *trials.problem, width);
    if (trials.waiting)
        command_button(ui, "cancel", ui.tr()("command.cancel"));
    else
        command_button(ui, "race.trials", ui.tr()("command.race.trials"),
                       view.race() != nullptr && view.race()->at_end());
    delays_box(ui);
    const session::DeviceRecorder& recorder = ui.view<StepView>().recorder;
    if (!trials.waiting && recorder.recorded.waiting)
        command_button(ui, "cancel", ui.tr()("command.cancel"));
    else
        command_button(ui, "step.record", ui.tr()("command.step.record"));
    if (!trials.answer) return;
    trial_legend(ui, *trials.answer, width);
    const std::vector<std::string> news = trials.answer->unforeseen();
    if (!news.empty())
        wrapped(ui, ui.tr()("race.news", arg("result", news.front())), width, Face::bold,
                kSmallSize, Role::race);
}

void race_results(Ui& ui, float width) {
    const RaceView& view = ui.view<RaceView>();
    const bool own = ui.choice().user_kernel.has_value();
    results_heading(ui, width);
    std::vector<ResultRow> rows = rows_of(view, ui.tr()("race.result_never"), own);
    hide(ui, rows);
    if (rows.size() > kMostShown)  // those that came on the device first
        std::stable_partition(rows.begin(), rows.end(), [](const ResultRow& row) {
            return row.trials.count + row.trials.delayed > 0;
        });
    float widest = ui.px(30);
    {
        const TextStyle style(ui, Face::mono, 20);
        for (const ResultRow& row : rows)
            widest = std::max(widest, words_width(row.hidden ? "??" : row.result));
    }
    widest = std::min(widest, width * 0.34F);
    const bool many = rows.size() > kMany;
    if (many) trials_line(ui, width);
    ImGui::Dummy({0, ui.px(2)});
    for (std::size_t i = 0; i < std::min(rows.size(), kMostShown); ++i)
        result_row(ui, rows[i], width, widest);
    if (platform::kBrowser)
        for (const ResultRow& row : rows)
            platform::describe(
                ui.tr()("race.result_read", arg("result", row.hidden ? "?" : row.result)));
    if (rows.size() > kMostShown)
        label(ui, ui.tr()("race.more", arg("count", rows.size() - kMostShown)));
    if (view.now.shows_all || any_of(rows, [](const ResultRow& row) { return row.hidden; })) {
        command_button(ui, "race.show_all",
                       ui.tr()(view.now.shows_all ? "race.hide" : "command.race.show_all"));
        const float next = words_width(ui.tr()("command.race.trials"));
        if (ImGui::GetItemRectSize().x + next + ui.px(34) < width) ImGui::SameLine(0, ui.px(8));
    }
    if (!many) trials_line(ui, width);
}

// What the race view says below its picture.

// That no schedule makes it wrong. The contents of a user kernel can be long.
std::string safe_words(const Ui& ui, const std::string& result) {
    constexpr std::size_t kMost = 60;
    if (!ui.choice().user_kernel) {
        const std::string safe = ui.tr()("race.safe", arg("result", result));
        if (!ui.view<StepView>().counterpart()) return safe;
        return safe + ui.tr()("figure.space") + ui.tr()("race.safe_press_b");
    }
    const bool cut = result.size() > kMost;
    const std::size_t end = cut ? result.rfind(' ', kMost) : result.size();
    return ui.tr()("user_kernel.one_result",
                   arg("result", result.substr(0, end) + (cut ? " …" : "")));
}

// That a person has brought about what no schedule is forbidden to: how, and how it could be done
// in fewer turns.
Moment success(const Ui& ui, std::string text) {
    const RaceView& view = ui.view<RaceView>();
    const auto place = view.ended_in();
    if (!place || !view.now.hand_turns) return {std::move(text), Tone::wrong};
    const analysis::PossibleResult& result = view.now.outcomes.answer->results[*place];
    const std::size_t mine = *view.now.hand_turns;
    if (result.shortest && mine > result.turns.size() && !result.turns.empty())
        text += ui.tr()("figure.space") +
                ui.tr()(result.turns.size() == 1 ? "race.fewer_turns_one" : "race.fewer_turns",
                        arg("mine", mine), arg("least", result.turns.size()));
    const session::Challenge asked = view.challenge();
    if (asked.place != *place)
        text += ui.tr()("figure.space") + challenge_text(ui) + ui.tr()("figure.stop");
    return {std::move(text), Tone::good};
}

// Says what has just happened, or how it ended.
Moment race_moment(const Ui& ui, const Race& race) {
    const auto& tr = ui.tr();
    // What never ends, at its end and, where no order helps, at once.
    const bool at_start = race.cursor() == 0 && ui.view<RaceView>().cannot_end();
    if (race.fault() && (race.at_end() || at_start)) {
        const Problem fault = translated(*race.fault(), tr);
        const std::string words =
            (race.never_ends() ? tr(at_start ? "race.cannot_end" : "race.never_ends")
                               : fault.what_happened + tr("figure.stop")) +
            figures::fault_reasons(race.fault()->phrases, tr);
        if (at_start) return {words};
        return race.never_ends() ? success(ui, words) : Moment{words, Tone::wrong};
    }
    if (race.at_end() && race.ending()) {
        const analysis::Ending& end = *race.ending();
        if (!end.right) return {tr("race.end", arg("result", end.result))};
        if (*end.right && ui.view<RaceView>().kept.has_value())
            return {tr("race.mended", arg("result", end.result)), Tone::good};
        // A float that is not the exact one, rounded.
        if (*end.right)
            return {tr(end.result == race.expected() ? "race.end_right" : "race.end_within",
                       arg("result", end.result), arg("expected", race.expected()))};
        const bool mine = ui.view<RaceView>().now.hand_turns.value_or(0) > 0;
        return success(ui, tr(mine ? "race.end_wrong" : "race.end_wrong_shown",
                              arg("result", end.result), arg("expected", race.expected())));
    }
    if (race.cursor() == 0) {
        const auto& all = ui.view<RaceView>().now.outcomes.answer;
        const bool safe = all && all->complete && all->results.size() == 1 &&
                          !all->results[0].fault && !all->results[0].never_ends &&
                          all->results[0].ending.right != false;
        // The toggle that breaks it is on already; only this machine saves it.
        if (safe && ui.view<StepView>().broken())
            return {tr("race.safe_races", arg("result", all->results[0].ending.result),
                       arg("lanes", ui.choice().machine.lanes)),
                    Tone::plain};
        if (safe && all->independent && !all->independent->same)
            return {tr("race.safe_here", arg("result", all->results[0].ending.result)) +
                        tr("figure.space") + independent_words(ui, *all->independent),
                    Tone::plain};
        if (safe) return {safe_words(ui, all->results[0].ending.result)};
        const bool own = ui.choice().user_kernel.has_value();
        return {tr(own ? "race.goal_own" : "race.goal_text")};
    }
    return acted(ui, race.timeline(), race.state_view()).value_or(Moment{});
}

// The race view's right side: every result, the races, what the toggle changes, the kernel's text.

struct RaceSideState {
    CachedScene toggled;
    std::string_view side = "results", text = "text";  // open tabs
};

figures::ToggledRun toggled(const Ui& ui, const analysis::MachineRun& run) {
    figures::ToggledRun toggled_run;
    toggled_run.timeline = &run.timeline;
    toggled_run.title = run.spec.kernel.by_form() ? run.table.title : title_of(ui, run.spec.kernel);
    toggled_run.result = run.table.result;
    toggled_run.expected = run.table.expected;
    toggled_run.right = run.table.right;
    for (const analysis::Row& row : run.table.rows)
        for (const analysis::RacedCell& raced : row.raced)
            toggled_run.luck |= raced.ordered == analysis::RacedCell::Ordered::by_nothing;
    toggled_run.exactness = run.table.exactness;
    return toggled_run;
}

void toggle_part(Ui& ui, float width) {
    const session::RunState& mine = ui.view<StepView>().simulated;
    const session::RunState& other = ui.view<StepView>().other;
    if (const session::Command& toggle = ui.session.command("toggle.broken");
        !toggle.enabled(ui.session))
        return wrapped(ui.tr()(toggle.why_not(ui.session)), width);
    wrapped(ui, ui.tr()("toggle.title"), width, Face::bold, kTextSize + 2);
    if (other.problem) problem_card(ui, *other.problem, width);
    if (!mine.run || !other.run || mine.run->run == nullptr || other.run->run == nullptr)
        return label(ui, ui.tr()("step.waiting"));
    const float points = width / ui.scale;
    const figures::Scene& scene = ui.state<RaceSideState>().toggled.get(
        ui, fmt::format("{} {} {}", mine.version, other.version, points), [&] {
            std::vector<figures::ToggledRun> runs{toggled(ui, *mine.run), toggled(ui, *other.run)};
            if (!ui.view<StepView>().broken()) std::swap(runs[0], runs[1]);
            return figures::toggle_figure(runs, {points, ui.palette.text_scale}, ui.metrics,
                                          ui.tr());
        });
    show_scene(ui, scene, "toggled",
               {width, std::min(ui.px(scene.height) + ui.px(6), ImGui::GetContentRegionAvail().y)});
}

std::uint32_t scheduled_line(const Ui& ui) {
    const Race* race = ui.view<RaceView>().race();
    return race != nullptr && race->state_view().last ? race->state_view().last->line : 0;
}

// Who goes on in that line: a badge for each group, filled for the one that the keys are on;
// narrow, since the text beside them has the room.
std::vector<LineNote> who_notes(const Ui& ui, std::uint32_t line) {
    const RaceView& view = ui.view<RaceView>();
    if (view.race() == nullptr) return {};
    const analysis::StateView& state = view.race()->state_view();
    const auto& ready = view.race()->ready();
    constexpr std::size_t kMost = 3;
    std::vector<LineNote> notes;
    std::size_t more = 0;
    for (const analysis::WarpView& warp : state.warps) {
        if (warp.line != line || warp.status == machine::Status::done) continue;
        if (notes.size() == kMost) {
            ++more;
            continue;
        }
        const std::string who = figures::warp_text(warp, state, ui.tr());
        const bool picked = view.picked() < ready.size() && ready[view.picked()] == &warp;
        const bool waits = warp.status == machine::Status::waiting;
        notes.push_back(
            {picked ? LineNote::Look::picked : LineNote::Look::badge,
             figures::warp_mark(warp, state),
             who + ": " + ui.tr()(waits ? "race.waits" : "race.next", arg("line", line))});
    }
    if (more > 0)
        notes.push_back({LineNote::Look::badge, fmt::format("+{}", more),
                         ui.tr()("race.more", arg("count", more))});
    return notes;
}

void text_part(Ui& ui, float /*width*/) {
    kernel_inside(ui, ImGui::GetContentRegionAvail(), {scheduled_line(ui), who_notes, false});
}

// Of the warp that the keys are on; at the end of who acted last.
void variables_part(Ui& ui, float /*width*/) {
    const RaceView& view = ui.view<RaceView>();
    if (view.race() == nullptr) return;
    const Race& race = *view.race();
    if (view.picked() >= race.ready().size()) return label(ui, ui.tr()("side.no_variables"));
    const analysis::WarpView& warp = *race.ready()[view.picked()];
    label(ui, figures::warp_text(warp, race.state_view(), ui.tr()));
    variables_table(ui, race.variables(warp), race.state_view().space, warp.first_item,
                    warp.running);
}

void hazards_part(Ui& ui, float width) {
    const RaceView& view = ui.view<RaceView>();
    if (view.race() == nullptr) return;
    hazard_list(ui, view.race()->hazards(), view.race()->cursor(), width, view.race()->caveats());
}

struct RaceTab {
    std::string_view id;
    void (*draw)(Ui& ui, float width);
    bool text = false;  // of the kernel's text: in a card of their own where there is room
};
constexpr std::array kRaceTabs{RaceTab{"results", race_results}, RaceTab{"hazards", hazards_part},
                               RaceTab{"toggle", toggle_part}, RaceTab{"text", text_part, true},
                               RaceTab{"variables", variables_part, true}};

const RaceTab& tab_of(std::string_view id) {
    const RaceTab* found = find_if(kRaceTabs, [&](const RaceTab& tab) { return tab.id == id; });
    return found == nullptr ? kRaceTabs.front() : *found;
}

// The tab that is open in the card of the results, and in the one of the text.
std::string_view& open_tab(Ui& ui, bool text) {
    RaceSideState& state = ui.state<RaceSideState>();
    const RaceTab& asked = tab_of(ui.view<RaceView>().side);
    (asked.text ? state.text : state.side) = asked.id;
    return text ? state.text : state.side;
}

void tabs(Ui& ui, std::string_view open, bool both, bool text) {
    bool first = true;
    for (const RaceTab& tab : kRaceTabs) {
        if (!both && tab.text != text) continue;
        const std::string key = "race.tab_" + std::string(tab.id);
        if (!std::exchange(first, false)) ImGui::SameLine(0, 0);
        if (pill(ui, key.c_str(), ui.tr()(key), open == tab.id))
            ui.change<RaceView>().side = std::string(tab.id);
        tip(ui, ui.tr()(key + ".tip"));
    }
    ImGui::Dummy({0, ui.px(4)});
    const RaceTab& tab = tab_of(open);
    if (tab.text) return tab.draw(ui, 0);
    const Scope child = begin_child("tab");
    tab.draw(ui, ImGui::GetContentRegionAvail().x - ui.px(4));
}

bool has_text_card(const Ui& ui) {
    return !ui.narrow() && !ui.low();
}

// The way through a schedule in the race view.

std::vector<Stop> race_stops(const Ui& ui, const Race& race) {
    std::vector<Stop> stops;
    for (const analysis::StaleArc& arc : race.timeline().stale)
        stops.push_back({part_of(arc.read + 1, race.length()), analysis::Mark::Kind::race,
                         ui.tr()("mark.race")});
    if (race.fault()) stops.push_back({1, analysis::Mark::Kind::fault, ui.tr()("mark.fault")});
    return stops;
}

// What the race view shows, as a file.

namespace fs = std::filesystem;

figures::Scene schedule_scene(const Ui& ui, const analysis::Timeline& timeline) {
    const Race& race = *ui.view<RaceView>().race();
    const session::RunChoice& choice = ui.choice();
    figures::RunSubject subject;
    subject.variant = choice.user_kernel ? choice.user_kernel->file : choice.variant;
    if (!race.spec().kernel.by_form()) subject.title = race.spec().kernel.title;
    const auto& table = ui.view<StepView>().table.answer;
    if (table) subject.n = table->n;
    subject.group = race.state_view().group_items;
    if (!choice.user_kernel) {
        subject.op = name_of(choice.shape.op);
        subject.type = info(choice.shape.type).name;
    }
    subject.machine = choice.machine;
    constexpr std::size_t kMostTurns = 60;  // characters
    std::string turns = in_a_line(race.all_turns());
    if (turns.size() > kMostTurns) turns = turns.substr(0, kMostTurns) + " …";
    subject.machine.order = turns;
    return figures::schedule_figure(timeline, subject, file_options(ui), ui.metrics, ui.tr());
}

}  // namespace

std::string run_text(const Ui& ui, const analysis::WarpView& warp,
                     const analysis::StateView& state) {
    return ui.tr()("race.run", arg("who", figures::warp_text(warp, state, ui.tr())));
}

float run_button_width(const Ui& ui, const Race& race) {
    float widest = 0;
    for (const analysis::WarpView* warp : race.ready())
        widest = std::max(widest, ui.metrics.text_width(run_text(ui, *warp, race.state_view()),
                                                        kTextSize, Face::bold));
    return widest + 20;
}

void present_race(Ui& ui) {
    const RaceView& view = ui.view<RaceView>();
    if (view.problem) problem_card(ui, *view.problem, ImGui::GetContentRegionAvail().x);
    if (!view.race()) return;
    const Race& race = *view.race();
    const Moment moment = race_moment(ui, race);
    const auto picture = [&](ImVec2 room) {
        const float top = ImGui::GetCursorPosY();
        lanes(ui, race, {room.x, room.y * kLanesShare}, false);
        memory_now(ui, race, {room.x, room.y - (ImGui::GetCursorPosY() - top)});
    };
    draw_presented(ui, {.title = race_title(ui),
                        .position = walk_text(ui),
                        .sentence = moment.sentence,
                        .tone = moment.tone,
                        .picture = picture});
}

void race_panel(Ui& ui, const Area& area) {
    const Scope card = begin_card(ui, "race", area);
    const float width = ImGui::GetContentRegionAvail().x;
    race_heading(ui, width);
    RacePanelState& state = ui.state<RacePanelState>();
    if (state.controls_open) step_controls(ui, width);
    const RaceView& view = ui.view<RaceView>();
    // What a command opens comes to the front.
    if (std::exchange(state.side, view.side) != view.side)
        state.results_instead = state.results_instead || view.side == "text";
    if (view.problem) problem_card(ui, *view.problem, width);
    if (ui.narrow() && state.results_instead) {
        race_side(ui, {ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail()});
    } else if (view.race()) {
        const Race& race = *view.race();
        const auto [words, tone] = race_moment(ui, race);
        // Room for two lines of words, so that the usual ones move nothing.
        const float box =
            std::max(message_height(ui, words, width),
                     (ui.low() ? 1.0F : 2.0F) * ImGui::GetTextLineHeight() + ui.px(22));
        const float below = box + ui.px(8);
        buttons(ui);
        begin_picture(ui);
        const float rest = ImGui::GetContentRegionAvail().y - below;
        lanes(ui, race, {width, std::max(rest * kLanesShare, ui.px(84))}, true);
        memory_now(ui, race,
                   {width, std::max(ui.px(60), ImGui::GetContentRegionAvail().y - below)});
        message_box(ui, words, tone, width, box);
    }
}

void race_side(Ui& ui, const Area& area) {
    const Scope card = begin_card(ui, "race_side", area);
    const bool apart = has_text_card(ui);
    const std::string_view results = open_tab(ui, false);
    tabs(ui, apart ? results : tab_of(ui.view<RaceView>().side).id, !apart, false);
}

void race_text(Ui& ui, const Area& area) {
    const Scope card = begin_card(ui, "race_text", area);
    tabs(ui, open_tab(ui, true), false, true);
}

void race_transport(Ui& ui, const Area& area) {
    const Race* race = ui.view<RaceView>().race();
    transport(ui, area, race != nullptr ? race_stops(ui, *race) : std::vector<Stop>());
}

figures::Slide race_slide(Ui& ui) {
    const RaceView& view = ui.view<RaceView>();
    const Race& race = *view.race();
    constexpr float kPoints = 620;  // in which lanes and memory are as large as on screen
    const float scale = ui.palette.text_scale;
    const figures::FigureOptions options{kPoints * scale, scale, false};
    const Moment moment = race_moment(ui, race);
    figures::Slide slide{
        race_title(ui), walk_text(ui), moment.sentence, ground_of(moment.tone), {}};
    slide.picture = figures::one_above_the_other(
        lanes_scene(ui, race, options.width, {}).scene,
        figures::state_figure(race.state_view(),
                              {.figure = options, .items = false, .legend = false}, ui.metrics,
                              ui.tr()),
        12 * scale);
    return slide;
}

// The whole schedule, with what follows the turns that were chosen.
void save_race(Ui& ui, const fs::path& file, const std::string& /*suffix*/) {
    figures::save(schedule_scene(ui, ui.view<RaceView>().race()->timeline()), ui.palette,
                  ui.metrics, file);
}

}  // namespace lab::gui
