// Every result that the kernel can give, with a schedule each, and how often the device gives it.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/platform.h"
#include "catalogue/number.h"
#include "gui/parts/widgets.h"
#include "gui/race/race_panels.h"
#include "gui/race/trial_bars.h"
#include "session/race/race.h"
#include "session/race/race_view.h"
#include "session/step/device_recorder.h"
#include "session/step/step_view.h"
#include "views/kernels/kernels_panels.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

constexpr std::size_t kMany = 8;  // more results push the buttons out of sight
constexpr std::size_t kMostShown = 200;

struct ResultRow {
    std::string result;
    std::optional<bool> right;
    bool fault = false, never_ends = false, foreseen = true;
    bool gives_up = false;             // only after it has waited for very long
    std::optional<std::size_t> place;  // in the outcomes
    std::vector<machine::Turn> turns;  // what follows them goes in order
    results::TrialResult trials;       // how often the device gave it
    bool hidden = false;               // still to be found
    std::string reached;               // how it was found, by the one who schedules
};

// What was found is seen, and what the device gave.
void hide(const Ui& ui, std::vector<ResultRow>& rows) {
    const session::RaceView& view = ui.view<session::RaceView>();
    for (ResultRow& row : rows) {
        if (!row.place) continue;
        const auto found = view.reached().find(*row.place);
        row.hidden = found == view.reached().end() && !view.shows_all() && row.trials.count == 0 &&
                     row.trials.delayed == 0 && view.found() != row.place;
        if (found != view.reached().end() && found->second.by_hand)
            row.reached = ui.tr()("race.found_by_you", fmt::arg("count", found->second.turns));
    }
}

// `own`: of a user kernel, whose right result is not known.
std::vector<ResultRow> rows_of(const session::RaceView& view, const std::string& never_ends,
                               bool own) {
    std::vector<ResultRow> rows;
    if (view.outcomes().answer) {
        const auto& results = view.outcomes().answer->results;
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
    if (view.trials().answer)
        for (const results::TrialResult& trial : view.trials().answer->results) {
            const auto position = std::find_if(rows.begin(), rows.end(), [&](const ResultRow& row) {
                return row.result == trial.result;
            });
            ResultRow& row = position != rows.end() ? *position : rows.emplace_back();
            row.trials = trial;
            if (!row.result.empty()) continue;
            row.result = trial.result;
            if (!own) row.right = trial.right;
            row.foreseen = false;
        }
    return rows;
}

void verdict_sign(Ui& ui, ImVec2 centre, std::optional<bool> right) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const float r = ui.px(7);
    if (!right) return;
    if (*right) {
        into.AddCircleFilled(centre, r, ui.colour(Role::wrote));
        const ImVec2 points[]{{centre.x - r * 0.45F, centre.y},
                              {centre.x - r * 0.1F, centre.y + r * 0.4F},
                              {centre.x + r * 0.5F, centre.y - r * 0.4F}};
        into.AddPolyline(points, 3, ui.colour(Role::panel), 0, ui.px(1.8F));
    } else {
        into.AddTriangleFilled({centre.x, centre.y - r}, {centre.x + r, centre.y + r * 0.8F},
                               {centre.x - r, centre.y + r * 0.8F}, ui.colour(Role::race));
    }
}

bool knows_all(const Ui& ui) {
    const auto& outcomes = ui.view<session::RaceView>().outcomes().answer;
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
    const machine::Turn& first = row.turns.front();
    if (row.turns.size() == 1 && first.warp == 0)
        return words + ui.tr()(first.count == 1 ? "race.one_turn_one" : "race.one_turn",
                               fmt::arg("group", first.group), fmt::arg("count", first.count));
    return words + ui.tr()("race.turns", fmt::arg("count", row.turns.size()));
}

void result_row(Ui& ui, const ResultRow& row, float width, float value_width) {
    const session::RaceView& view = ui.view<session::RaceView>();
    const ImVec2 point = ImGui::GetCursorScreenPos();
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const auto& trials = view.trials().answer;
    const float height = trials ? ui.px(30) + trial_bars_height(ui, *trials) : ui.px(44);
    const bool found = row.place && view.found() == row.place;
    if (found)
        into.AddRectFilled({point.x - ui.px(6), point.y - ui.px(3)},
                           {point.x + width + ui.px(4), point.y + height - ui.px(3)},
                           ui.colour(Role::act_fill), ui.px(6));
    if (!row.hidden) verdict_sign(ui, {point.x + ui.px(9), point.y + ui.px(18)}, row.right);
    {
        const Role role = row.hidden   ? Role::muted
                          : !row.right ? Role::text
                          : *row.right ? Role::wrote
                                       : Role::race;
        const TextStyle style(ui, Face::mono, 20, role);
        const std::string fits = ui.metrics.shortened_value(row.hidden ? "??" : row.result,
                                                            value_width / ui.scale, 20, Face::mono);
        into.AddText({point.x + ui.px(22), point.y + ui.px(5)}, ui.colour(role), fits.c_str());
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
            ui.change<session::RaceView>().replay(*row.place);
        tip(ui, ui.tr()("race.replay.tip"));
    }
    ImGui::SetCursorScreenPos(point);
    ImGui::Dummy({width, height});
}

void results_heading(Ui& ui, float width) {
    const session::RaceView& view = ui.view<session::RaceView>();
    {
        const TextStyle style(ui, Face::bold, kTextSize + 2);
        wrapped(ui.tr()("race.every_result"), width);
    }
    const auto& outcomes = view.outcomes();
    if (outcomes.waiting) {
        label(ui, ui.tr()("race.searching", fmt::arg("states", view.states())));
        // Only one of these stands here at a time: it ends the trials first.
        if (!view.trials().waiting) command_button(ui, "cancel", ui.tr()("command.cancel"));
    } else if (outcomes.answer) {
        const analysis::Outcomes& of = *outcomes.answer;
        const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
        const char* key = !of.complete             ? "race.incomplete"
                          : of.results.size() == 1 ? "race.complete_one"
                                                   : "race.complete";
        wrapped(ui.tr()(key, fmt::arg("results", of.results.size()), fmt::arg("states", of.states)),
                width);
        if (of.for_these_numbers) wrapped(ui.tr()("race.these_numbers"), width);
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
            wrapped(ui.tr()(how, fmt::arg("line", seen.line), fmt::arg("other", seen.other)),
                    width);
        }
        if (of.endless) wrapped(ui.tr()("race.endless"), width);
        if (of.needs_progress) wrapped(ui.tr()("race.needs_progress"), width);
    }
    if (outcomes.problem) problem_card(ui, *outcomes.problem, width);
}

void delays_box(Ui& ui) {
    const session::Command& command = ui.session.command("race.delays");
    if (session::is_missing(command)) return;
    bool on = ui.view<session::RaceView>().delays();
    const float next = ImGui::CalcTextSize(ui.tr()("race.delays").c_str()).x;
    ImGui::SameLine(0, ui.px(12));
    if (ImGui::GetContentRegionAvail().x < next + ImGui::GetFrameHeight() + ui.px(12))
        ImGui::NewLine();
    if (ImGui::Checkbox((ui.tr()("race.delays") + "###race.delays").c_str(), &on)) ui.run(command);
    command_tip(ui, command);
}

void trials_line(Ui& ui, float width) {
    const session::RaceView& view = ui.view<session::RaceView>();
    const auto& trials = view.trials();
    if (trials.problem) problem_card(ui, *trials.problem, width);
    if (trials.waiting)
        command_button(ui, "cancel", ui.tr()("command.cancel"));
    else
        command_button(ui, "race.trials", ui.tr()("command.race.trials"),
                       view.race() != nullptr && view.race()->at_end());
    delays_box(ui);
    const session::DeviceRecorder& recorder = ui.view<session::StepView>().recorder();
    if (!trials.waiting && recorder.recorded().waiting)
        command_button(ui, "cancel", ui.tr()("command.cancel"));
    else
        command_button(ui, "step.record", ui.tr()("command.step.record"));
    if (!trials.answer) return;
    trial_legend(ui, *trials.answer, width);
    const std::vector<std::string> news = trials.answer->unforeseen();
    if (!news.empty()) {
        const TextStyle loud(ui, Face::bold, kSmallSize, Role::race);
        wrapped(ui.tr()("race.news", fmt::arg("result", news.front())), width);
    }
}

}  // namespace

std::string independent_words(const Ui& ui, const analysis::IndependentOutcomes& other) {
    const auto& machine = ui.session.settings().choice.machine;
    if (other.lanes > 1) return ui.tr()("race.sub_groups", fmt::arg("lanes", other.lanes));
    const std::string key = machine.lanes > 1 ? "race.lockstep" : "race.at_once";
    const char* end = other.same && other.complete ? "_same" : other.complete ? "" : "_least";
    return ui.tr()(key + end, fmt::arg("lanes", machine.lanes),
                   fmt::arg("groups", machine.resident), fmt::arg("results", other.results));
}

void race_results(Ui& ui, float width) {
    const session::RaceView& view = ui.view<session::RaceView>();
    const bool own = ui.session.settings().choice.user_kernel.has_value();
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
            widest =
                std::max(widest, ImGui::CalcTextSize(row.hidden ? "??" : row.result.c_str()).x);
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
                ui.tr()("race.result_read", fmt::arg("result", row.hidden ? "?" : row.result)));
    if (rows.size() > kMostShown)
        label(ui, ui.tr()("race.more", fmt::arg("count", rows.size() - kMostShown)));
    if (std::any_of(rows.begin(), rows.end(), [](const ResultRow& row) { return row.hidden; }) ||
        view.shows_all()) {
        command_button(ui, "race.show_all",
                       ui.tr()(view.shows_all() ? "race.hide" : "command.race.show_all"));
        const float next = ImGui::CalcTextSize(ui.tr()("command.race.trials").c_str()).x;
        if (ImGui::GetItemRectSize().x + next + ui.px(34) < width) ImGui::SameLine(0, ui.px(8));
    }
    if (!many) trials_line(ui, width);
}

}  // namespace lab::gui
