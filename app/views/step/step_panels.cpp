#include "views/step/step_panels.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <nlohmann/json.hpp>

#include "analysis/warps.h"
#include "base/paths.h"
#include "base/ranges.h"
#include "figures/bars.h"
#include "figures/lane_figure.h"
#include "figures/lineage_figure.h"
#include "figures/painters/save.h"
#include "figures/pass_figure.h"
#include "figures/pass_text.h"
#include "figures/run_text.h"
#include "figures/schedule_figure.h"
#include "gui/choice_fields.h"
#include "gui/glossary.h"
#include "gui/scene_painter.h"
#include "views/step/kernel_panels.h"
#include "views/step/step.h"

namespace lab::gui {

using session::RunChoice;
using session::RunState;
using session::StepUnit;
using session::StepView;
namespace {

enum class Part : std::uint8_t { figure, text, side };  // what takes turns in a narrow window

struct StepPanelState {
    bool controls_open = false;  // where they are folded
    bool form_open = true;       // the launch of a kernel of the user's own
    Part part = Part::figure;
};

// What there is no room for beside the figure, each behind a button.
struct Switch {
    const char *key, *tip;
    bool* on;
};

std::vector<Switch> switches(const Ui& ui) {
    StepPanelState& state = ui.state<StepPanelState>();
    std::vector<Switch> result;
    if (ui.folds_controls())
        result.push_back({state.controls_open ? "step.hide_controls" : "step.show_controls",
                          "step.show_controls.tip", &state.controls_open});
    if (ui.choice().user_kernel && !ui.folds_controls())
        result.push_back({state.form_open ? "user_kernel.hide_form" : "user_kernel.show_form",
                          "user_kernel.show_form.tip", &state.form_open});
    LegendState& legend = ui.state<LegendState>();
    if (!legend.fits)
        result.push_back({legend.open ? "step.hide_legend" : "step.show_legend",
                          "step.show_legend.tip", &legend.open});
    return result;
}

constexpr std::array<std::pair<Part, const char*>, 3> kParts{{{Part::figure, "step.part_figure"},
                                                              {Part::text, "step.part_text"},
                                                              {Part::side, "step.part_side"}}};

float part_tabs_width(const Ui& ui) {
    if (!ui.narrow()) return 0;
    float width = 0;
    for (const auto& [part, key] : kParts)
        width += ui.px(ui.metrics.text_width(ui.tr()(key), kTextSize, Face::bold) + 22);
    return width;
}

// In a narrow window: the diagram, the kernel's text and the side panel take turns.
void part_tabs(Ui& ui) {
    if (!ui.narrow()) return;
    Part& shown = ui.state<StepPanelState>().part;
    for (const auto& [part, key] : kParts) {
        if (pill(ui, key, ui.tr()(key), shown == part, 9)) shown = part;
        tip(ui, ui.tr()(std::string(key) + ".tip"));
        ImGui::SameLine(0, ui.px(2));
    }
}

constexpr auto kLong = std::chrono::seconds(3);

void step_heading(Ui& ui, float width) {
    const float top = ImGui::GetCursorPosY();
    const std::string title = chosen_title(ui);
    const float toggle = broken_switch_width(ui);
    const float beside = words_width(ui.tr()("command.toggle.beside")) + ui.px(26);
    // In a narrow window a sign says what there is no room for.
    const float both = ui.narrow() ? ui.px(40) : beside;
    const float tabs = part_tabs_width(ui);
    float buttons = toggle + ui.px(8) + both + tabs;
    for (const Switch& entry : switches(ui))
        buttons += words_width(ui.tr()(entry.key)) + ui.px(26);
    // Lines of their own: all of them, or all but the tabs where they leave no room for the title.
    const bool two_lines = !ui.phone() && width - buttons < ui.px(ui.low() ? 110 : 150);
    if (ui.phone()) buttons = 0;
    if (two_lines) buttons = tabs + ui.px(8);
    const float used = kernel_title(ui, title, width - buttons);
    if (const auto& table = ui.view<StepView>().table.answer) {
        ImGui::SameLine(0, ui.px(12));
        ImGui::SetCursorPosY(top + ui.px(4));
        beside_title(ui, figures::subtitle(*table, ui.tr()), width - used - ui.px(16) - buttons);
    }
    if (ui.phone()) {
        ImGui::SetCursorPos({ImGui::GetCursorStartPos().x, top + ui.px(36)});
        part_tabs(ui);
        ImGui::NewLine();
    } else {
        ImGui::SameLine();
        ImGui::SetCursorPos({line_end() - buttons + ui.px(8), top});
        part_tabs(ui);
    }
    if (two_lines) {
        ImGui::NewLine();
        ImGui::SetCursorPos({ImGui::GetCursorStartPos().x, top + ui.px(36)});
    }
    const ImVec2 between = ImGui::GetStyle().ItemSpacing;
    const Scope gaps =
        with_style(ImGuiStyleVar_ItemSpacing, {ui.phone() ? ui.px(3) : between.x, between.y});
    for (const Switch& entry : switches(ui)) {
        if (ImGui::Button((ui.tr()(entry.key) + "###" + entry.tip).c_str())) *entry.on = !*entry.on;
        tip(ui, ui.tr()(entry.tip));
        ImGui::SameLine();
    }
    if (ui.narrow())
        beside_button(ui, {ui.px(kTouch), ui.px(kTouch)}, ui.view<StepView>().beside);
    else
        command_button(ui, "toggle.beside", ui.tr()("command.toggle.beside"),
                       ui.view<StepView>().beside);
    if (toggle > 0) {
        ImGui::SameLine();
        return broken_switch(ui);
    }
    const int lines = ui.phone() ? 3 : two_lines ? 2 : 1;
    ImGui::SetCursorPos(
        {ImGui::GetCursorStartPos().x, top + ui.px(static_cast<float>(36 * lines))});
}

// A low window shows so much of what has happened at once, the rest of it scrolls.
float low_sentence(const Ui& ui) {
    return (ui.window().y < 300 ? 1.0F : 2.0F) * ImGui::GetTextLineHeight() + ui.px(22);
}

Tone tone_at(const analysis::StepTable& table, std::size_t row) {
    const bool wrong = !table.right && row + 1 == table.rows.size();
    return tone_of(wrong || !table.rows[row].stale.empty());
}

// Of a broken kernel that gave the right result all the same: what it lacks, and whether a run that
// goes wrong was looked for.
std::string broken_sentence(const Ui& ui, const analysis::StepTable& table) {
    const StepView& view = ui.view<StepView>();
    const auto& missing = view.missing_barrier();
    const auto& run = view.simulated.run;
    if (!view.broken() || !table.right || table.result.empty() || !run) return {};
    const bool races = analysis::races_in(run->hazards) > 0;
    std::string text;
    if (missing && !races)
        text =
            ui.tr()("figure.space") + ui.tr()("step.barrier_idle", arg("n", missing->number + 1));
    if (analysis::is_automatic(ui.choice()))
        text +=
            ui.tr()("figure.space") + ui.tr()(races ? "step.none_wrong_races" : "step.none_wrong");
    else if (missing && races)
        text =
            ui.tr()("figure.space") + ui.tr()("step.barrier_races", arg("n", missing->number + 1));
    return text;
}

// What has just happened; at the start, what to do.
std::string shown_sentence(const Ui& ui, const analysis::StepTable& table, std::size_t row) {
    std::string text = figures::sentence(table, row, ui.tr());
    const bool last = row + 1 >= table.rows.size();
    if (last) text += broken_sentence(ui, table);
    if (!last && ui.view<StepView>().foretells)
        text +=
            ui.tr()("figure.space") +
            ui.tr()("step.foretell_row", arg("pass", figures::pass_title(table, row + 1, ui.tr())));
    else if (!last && row == 0)
        text += ui.tr()("figure.space") + ui.tr()("step.press_right");
    return text;
}

bool shows_both(const Ui& ui) {
    return ui.view<StepView>().beside && ui.view<StepView>().other.run;
}

float sentence_height(Ui& ui, const analysis::StepTable& table, float width) {
    // The tallest of all passes, so that stepping moves nothing; in a low window there is no room
    // to spare.
    float height = 0;
    const std::size_t cursor = std::min(ui.view<StepView>().cursor, table.rows.size() - 1);
    for (std::size_t i = ui.low() ? cursor : 0; i < (ui.low() ? cursor + 1 : table.rows.size());
         ++i)
        height = std::max(height, message_height(ui, shown_sentence(ui, table, i), width));
    return ui.low() ? std::min(height, low_sentence(ui)) : height;
}

void show_figure(Ui& ui, const analysis::StepTable& table) {
    const StepView& view = ui.view<StepView>();
    begin_picture(ui);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const RunState& simulated = view.simulated;
    const RunState& other = view.other;
    const bool own = ui.choice().user_kernel && simulated.run;
    const float buffers = own ? user_kernel_buffers_height(ui, *simulated.run) : 0;
    const bool both = shows_both(ui);
    const float words = both ? 0 : sentence_height(ui, table, room.x) + ui.px(8);
    const float height = std::max(room.y - buffers - words, ui.px(60));
    step_figure(ui, table, {room.x, height});
    if (view.beside && other.problem) problem_card(ui, *other.problem, room.x);
    if (own) user_kernel_buffers(ui, *simulated.run, room.x);
    if (both) return;
    message_box(ui, shown_sentence(ui, table, view.cursor), tone_at(table, view.cursor), room.x,
                words - ui.px(8));
}

// Above the figure of an earlier run, where the one that was asked for gave none.
void last_shown(Ui& ui) {
    const auto& table = ui.view<StepView>().table.answer;
    if (table) label(ui, ui.tr()(table->fault.empty() ? "step.last_good" : "step.last_shown"));
}

// How many there are, and where the first is; all of them are listed in the editor.
std::string mistakes(const Ui& ui, const catalogue::TextFacts& facts) {
    std::size_t count = 0;
    std::uint32_t line = 0;
    for (const catalogue::TextMark& mark : facts.marks) {
        if (mark.kind != catalogue::TextMark::Kind::error) continue;
        if (count++ == 0) line = mark.line;
    }
    return ui.tr()(count == 1 ? "user_kernel.wrong_one" : "user_kernel.wrong", arg("count", count),
                   arg("line", line));
}

}  // namespace

void present_step(Ui& ui) {
    const StepView& view = ui.view<StepView>();
    Presented presented;
    presented.position = walk_text(ui);
    const auto& table = view.table.answer;
    const bool both = shows_both(ui) && view.grain == StepUnit::pass;  // each has its own words
    if (!both) presented.title = chosen_title(ui);
    if (view.grain != StepUnit::pass && view.simulated.run) {
        const Moment moment = moment_of(ui);
        presented.sentence = moment.sentence;
        presented.tone = moment.tone;
        presented.picture = [&](ImVec2 room) { moment_picture(ui, room); };
        draw_presented(ui, presented);
    } else if (table) {
        if (!both) presented.sentence = shown_sentence(ui, *table, view.cursor);
        presented.tone = tone_at(*table, view.cursor);
        for (std::size_t row = 0; !both && row < table->rows.size(); ++row)
            if (std::string text = shown_sentence(ui, *table, row);
                text.size() > presented.longest.size())
                presented.longest = std::move(text);
        presented.picture = [&](ImVec2 room) { step_figure(ui, *table, room); };
        draw_presented(ui, presented);
    } else if (view.table.problem) {
        problem_card(ui, *view.table.problem, ImGui::GetContentRegionAvail().x);
    }
}

void step_panel(Ui& ui, const Area& area) {
    const Scope card = begin_card(ui, "step", area);
    const StepPanelState& state = ui.state<StepPanelState>();
    const float width = ImGui::GetContentRegionAvail().x;
    step_heading(ui, width);
    const bool folded = ui.choice().user_kernel && !state.form_open;
    if (ui.folds_controls() ? state.controls_open : !folded) step_controls(ui, width);
    const session::Asked<analysis::StepTable>& table = ui.view<StepView>().table;
    const session::KernelEditor& own = ui.session.kernels.editor;
    // Where the editor lists the mistakes, they are not all told twice.
    const bool listed = own.is_open() && !own.facts.compiles && !own.facts.marks.empty() &&
                        !(ui.narrow() && state.part != Part::text);
    if (table.problem && listed) {
        message_box(ui, mistakes(ui, own.facts), Tone::wrong, width);
        ImGui::Dummy({0, ui.px(9)});
        last_shown(ui);
    } else if (table.problem) {
        problem_card(ui, *table.problem, ImGui::GetContentRegionAvail().x);
        last_shown(ui);
    } else if (table.waiting && session::Clock::now() > ui.view<StepView>().asked + kLong) {
        label(ui, ui.tr()("step.takes_long"));
    }
    if (ui.narrow() && state.part != Part::figure) {
        const Area inner{ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail()};
        (state.part == Part::text ? kernel_text : step_side)(ui, inner);
    } else if (ui.view<StepView>().grain != StepUnit::pass && ui.view<StepView>().simulated.run) {
        show_state(ui, ImGui::GetContentRegionAvail());
    } else if (table.answer) {
        show_figure(ui, *table.answer);
    } else if (table.waiting) {
        text_line(ui, ui.tr()("step.waiting"), Face::sans, kTextSize, Role::muted);
    }
}

// The step view's lower right: what the machine's run shows, and the host's program.
namespace {

struct Tab {
    const char *id, *word;  // of its words, "side.<id>"; of the glossary
};

// The host's program is not about the run.
std::vector<Tab> step_tabs(const analysis::MachineRun* run) {
    std::vector<Tab> tabs;
    for (const RunPart& part : run_parts())
        if (part.offered == nullptr || (run != nullptr && part.offered(*run)))
            tabs.push_back({part.id, part.word});
    tabs.push_back({"host", "host"});
    return tabs;
}

RunMoment moment_of_step(const Ui& ui, const analysis::MachineRun& run) {
    const StepView& view = ui.view<StepView>();
    RunMoment moment{.run = run,
                     .key = fmt::format("step {}", view.simulated.version),
                     .row = view.row(),
                     .rows = view.hides_next() ? view.cursor + 1 : run.table.rows.size(),
                     .time = view.time,
                     .whole_passes = view.grain == StepUnit::pass,
                     .line = {},
                     .traced = view.traced};
    if (!moment.whole_passes && moment.time > 0 && moment.time <= run.actions()) {
        const analysis::TimelineAction& action = run.timeline.actions[moment.time - 1];
        if (!action.cells.empty()) moment.line = action.line;
    }
    return moment;
}

}  // namespace

void step_side(Ui& ui, const Area& area) {
    const Scope card = begin_card(ui, "side", area, ImGuiWindowFlags_NoScrollbar);
    const std::shared_ptr<analysis::MachineRun>& run = ui.view<StepView>().simulated.run;
    const std::vector<Tab> tabs = step_tabs(run.get());
    // Where another kernel has no such tab, the first one stands in for it.
    std::string open = ui.view<StepView>().side;
    if (none_of(tabs, [&](const Tab& tab) { return open == tab.id; })) open = tabs.front().id;
    // As close together as it takes to stand in one row, where they can.
    float words = 0, used = 0;
    for (const Tab& tab : tabs)
        words += words_width(ui.tr()(std::string("side.") + tab.id));
    const float room = ImGui::GetContentRegionAvail().x;
    const float sides = 2 * static_cast<float>(tabs.size());
    const float spare = (room - words) / sides / ui.scale - 1.5F;
    const float around = spare < 5 ? 12 : std::min(spare, 12.0F);
    for (const Tab& tab : tabs) {
        const std::string key = std::string("side.") + tab.id;
        const float width = words_width(ui.tr()(key)) + ui.px(2 * around + 2);
        if (used > 0 && used + width < room)
            ImGui::SameLine(0, 0);
        else
            used = 0;
        used += width;
        if (pill(ui, key.c_str(), ui.tr()(key), open == tab.id, around))
            ui.change<StepView>().side = tab.id;
        explain_item(ui, tab.word, ui.tr()(key + ".tip"));
    }
    const RunPart* part = find_run_part(open);
    const bool of_run = open != "host";
    if (of_run && run && ui.view<StepView>().table.answer &&
        ui.view<StepView>().table.answer->source != "machine")
        label(ui, ui.tr()("side.of_machine"));
    const Scope child = begin_child("part");
    if (!of_run)
        host_tab(ui);
    else if (!run || run->run == nullptr)
        label(ui, ui.tr()(ui.view<StepView>().simulated.waiting ? "step.waiting" : "side.nothing"));
    else if (part != nullptr)
        part->draw(ui, moment_of_step(ui, *run));
}

namespace {

void count_field(Ui& ui, RunChoice& choice, float width) {
    const auto& answer = ui.view<StepView>().table.answer;
    const bool counted =
        takes_input(ui.session) && (choice.shape.input.kind == catalogue::Input::Kind::values ||
                                    choice.shape.input.kind == catalogue::Input::Kind::file);
    auto n = static_cast<int>(choice.shape.n.value_or(answer ? answer->n : 8));
    ImGui::SetNextItemWidth(width);
    ImGui::BeginDisabled(counted);
    ImGui::InputInt("###n", &n, 0, 0);
    if (ImGui::IsItemDeactivatedAfterEdit()) {
        choice.shape.n = static_cast<std::uint64_t>(std::clamp(n, 1, 4096));
        if (!takes_input(ui.session)) choice.shape.input = {};
    }
    ImGui::EndDisabled();
    key_tip(ui, "n.more", "n.less");
}

struct InputState {
    std::string text;        // as being typed
    std::string shown;       // the input that `text` was taken from
    bool asks_file = false;  // a file is to be named, and is not yet
};

void input_fields(Ui& ui, RunChoice& choice, Flow& flow) {
    InputState& state = ui.state<InputState>();
    catalogue::Input& input = choice.shape.input;
    flow.field(ui.tr()("field.input"), 104, [&](float width) {
        const std::vector<std::string> kinds{ui.tr()("input.values"), ui.tr()("input.file"),
                                             ui.tr()("input.ramp"), ui.tr()("input.random")};
        // `bits` is another kind of random numbers, not offered here.
        const auto shown = std::min(input.kind, catalogue::Input::Kind::random);
        const bool taken = takes_input(ui.session);
        ImGui::BeginDisabled(!taken);
        const auto now = combo(ui, "###kind", kinds, static_cast<std::size_t>(shown), width);
        ImGui::EndDisabled();
        if (!taken) return tip(ui, ui.tr()("field.input.none"));
        key_tip(ui, "input.next");
        if (!now) return;
        const auto& answer = ui.view<StepView>().table.answer;
        const std::uint64_t n = answer ? answer->n : 8;
        const auto kind = static_cast<catalogue::Input::Kind>(*now);
        const bool counted =
            kind == catalogue::Input::Kind::values || kind == catalogue::Input::Kind::file;
        choice.shape.n.reset();
        if (!counted) choice.shape.n = std::max<std::uint64_t>(n, 1);
        if (kind == catalogue::Input::Kind::values) {
            input = {};
            input.kind = kind;
            // Begin with the numbers that are on screen.
            if (answer && !answer->rows.empty())
                for (const analysis::Cell& cell : answer->rows.front().cells)
                    input.text += (input.text.empty() ? "" : ",") + text_of(cell.value);
        } else if (kind == catalogue::Input::Kind::file) {
            state.text.clear();
            state.asks_file = true;
        } else {
            input = {kind, {}, 1};
        }
        if (kind != catalogue::Input::Kind::file) state.asks_file = false;
    });
    if (!takes_input(ui.session)) return;
    const bool file = state.asks_file || input.kind == catalogue::Input::Kind::file;
    if (file || input.kind == catalogue::Input::Kind::values) {
        if (const std::string now = text_of(input); now != state.shown) {
            state.shown = now;
            state.text = input.text;
            state.asks_file = state.asks_file && input.kind != catalogue::Input::Kind::file;
        }
        flow.field(
            ui.tr()(file ? "field.file" : "field.values"), std::clamp(flow.rest(), 90.0F, 320.0F),
            [&](float width) {
                ImGui::SetNextItemWidth(width);
                ImGui::InputTextWithHint(
                    "###text", ui.tr()(file ? "hint.file" : "hint.values").c_str(), &state.text);
                if (ImGui::IsItemDeactivatedAfterEdit() && !state.text.empty()) {
                    input = {file ? catalogue::Input::Kind::file : catalogue::Input::Kind::values,
                             state.text, 0};
                    choice.shape.n.reset();
                    state.asks_file = false;
                }
                tip(ui, ui.tr()(file ? "field.file.tip" : "field.values.tip"), "Enter");
            });
    } else if (input.kind == catalogue::Input::Kind::random) {
        flow.field(ui.tr()("field.seed"), 110, [&](float width) {
            auto seed = static_cast<int>(input.seed);
            ImGui::SetNextItemWidth(width);
            if (ImGui::InputInt("###seed", &seed))
                input.seed = static_cast<std::uint64_t>(std::max(seed, 0));
            key_tip(ui, "input.seed");
        });
    }
}

}  // namespace

void step_controls(Ui& ui, float width) {
    if (ui.choice().user_kernel) return user_kernel_form(ui, width);
    RunChoice choice = ui.choice();
    Flow flow(ui, width);
    const float named = ui.metrics.text_width(ui.tr()("field.n"), kSmallSize, Face::sans) + 1;
    flow.field(ui.tr()("field.n"), std::clamp(named, 64.0F, 80.0F),
               [&](float w) { count_field(ui, choice, w); });
    flow.field(ui.tr()("field.group"), 68, [&](float w) {
        value_combo(ui, "###group", group_sizes(), choice.shape.group, w, number_words);
        key_tip(ui, "group.more", "group.less");
    });
    op_and_type_fields(ui, choice, flow);
    input_fields(ui, choice, flow);
    toggle_fields(ui, choice, flow);
    machine_fields(ui, choice, flow);
    ui.change().choose(std::move(choice));  // nothing happens where nothing changed
}

// The way through a run in the step view: by passes, lines or actions.
namespace {

// In passes: their ends, and those in which a race showed.
std::vector<Stop> pass_stops(const Ui& ui, const analysis::StepTable& table) {
    std::vector<Stop> stops;
    const std::size_t last = table.rows.size() - 1;
    for (std::size_t pass = 0; pass <= last; ++pass) {
        const bool stale = !table.rows[pass].stale.empty();
        const bool fault = pass == last && !table.fault.empty();
        stops.push_back({part_of(pass, last),
                         fault   ? analysis::Mark::Kind::fault
                         : stale ? analysis::Mark::Kind::race
                                 : analysis::Mark::Kind::barrier,
                         figures::pass_title(table, pass, ui.tr())});
    }
    return stops;
}

const char* name_of(analysis::Mark::Kind kind) {
    static constexpr std::array<const char*, 4> kNames{"mark.barrier", "mark.launch", "mark.race",
                                                       "mark.fault"};
    return kNames.at(static_cast<std::size_t>(kind));
}

// In lines and actions: barriers, launches, races and faults.
std::vector<Stop> time_stops(const Ui& ui, const analysis::MachineRun& run) {
    std::vector<Stop> stops;
    for (const analysis::Mark& mark : run.marks)
        stops.push_back(
            {part_of(mark.time, run.actions()), mark.kind, ui.tr()(name_of(mark.kind))});
    return stops;
}

// How far one step goes, as three tabs; where these do not fit, as one that goes round.
void grains(Ui& ui) {
    static constexpr std::array<std::pair<StepUnit, const char*>, 3> kGrains{
        {{StepUnit::pass, "grain.pass"},
         {StepUnit::line, "grain.line"},
         {StepUnit::action, "grain.action"}}};
    float words = 0;
    for (const auto& [grain, key] : kGrains) {
        const Face face = ui.view<StepView>().grain == grain ? Face::bold : Face::sans;
        words += ui.px(ui.metrics.text_width(ui.tr()(key), kTextSize, face));
    }
    const std::string& foretell = ui.tr()("step.foretell");
    const bool foretells = ui.view<StepView>().foretells;
    const float wide =
        words +
        ui.px(10 + ui.metrics.text_width(foretell, kTextSize, foretells ? Face::bold : Face::sans));
    ImGui::SameLine(0, ui.px(4));
    const float room = line_end() - ImGui::GetCursorPosX();
    const bool all = room > words + ui.px(3 * 2 * 6);
    const bool with_foretell = room > wide + ui.px(4 * 2 * 6);
    const float around =
        room > (with_foretell ? wide + ui.px(4 * 2 * 12) : words + ui.px(3 * 2 * 12)) ? 12 : 6;
    bool first = true;
    for (const auto& [grain, key] : kGrains) {
        const bool chosen = ui.view<StepView>().grain == grain;
        if (!all && !chosen) continue;
        const float least = ui.px(ui.metrics.text_width(ui.tr()(key), kTextSize, Face::bold) + 12);
        if (least > room) return;  // its key is there
        if (!first) ImGui::SameLine(0, 0);
        first = false;
        if (pill(ui, key, ui.tr()(key), chosen, around)) {
            if (all)
                ui.change<StepView>().set_grain(grain);
            else
                ui.run("step.grain");
        }
        command_tip(ui, ui.session.command("step.grain"));
    }
    if (!with_foretell) return;  // its key is there at any width
    ImGui::SameLine(0, ui.px(10));
    if (pill(ui, "step.foretell", foretell, foretells, around)) ui.run("step.foretell");
    command_tip(ui, ui.session.command("step.foretell"));
}

std::vector<Stop> stops(const Ui& ui) {
    const StepView& view = ui.view<StepView>();
    if (view.grain == StepUnit::pass)
        return view.table.answer ? pass_stops(ui, *view.table.answer) : std::vector<Stop>();
    return view.simulated.run ? time_stops(ui, *view.simulated.run) : std::vector<Stop>();
}

}  // namespace

void step_transport(Ui& ui, const Area& area) {
    transport(ui, area, stops(ui), grains);
}

static void speed(Ui& ui) {
    const double now = ui.view<StepView>().passes_per_second;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(7)});
    if (ImGui::Button(fmt::format("{:g}x###speed", now).c_str(), {ui.px(56), ui.px(32)}))
        ui.run("step.speed");
    ImGui::PopStyleVar();
    command_tip(ui, ui.session.command("step.speed"));
}

// A bar at the line; of a race or a fault a triangle over it, so that it is told by shape too.
static void paint_stop(const Ui& ui, const Pen& pen, const Stop& stop, float x, float y) {
    using Kind = analysis::Mark::Kind;
    const bool wrong = stop.kind == Kind::race || stop.kind == Kind::fault;
    const float half = ui.px(stop.kind == Kind::launch ? 2.5F : 1.5F);
    pen.fill({x - half, y - ui.px(9)}, {x + half, y + ui.px(9)},
             wrong ? Role::race : Role::barrier);
    if (wrong)
        pen.triangle({x - ui.px(6), y - ui.px(15)}, {x + ui.px(6), y - ui.px(15)},
                     {x, y - ui.px(7)}, Role::race);
}

// The way through all that was run, with marks: click or drag it.
static void scrubber(Ui& ui, const std::vector<Stop>& stops, float width) {
    const std::size_t last = ui.session.walk().last_position();
    const std::size_t now = ui.session.walk().position();
    const float height = ui.px(40);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float pad = ui.px(10);
    const float x0 = point.x + pad;
    const float length = width - 2 * pad;
    const float y = point.y + ui.px(14);
    ImGui::InvisibleButton("scrubber", {width, height});
    if (ImGui::IsItemActive() && last > 0) {
        const float part = std::clamp((ImGui::GetIO().MousePos.x - x0) / length, 0.0F, 1.0F);
        ui.change().walk().play(false);
        ui.change().walk().go_to(static_cast<std::size_t>(part * static_cast<float>(last) + 0.5F));
    }
    tip(ui, ui.tr()("scrubber.tip"), "Home  Left  Right  End");
    const float knob_x = x0 + length * part_of(now, last);
    const Pen pen(ui);
    pen.fill({x0, y - ui.px(3)}, {x0 + length, y + ui.px(3)}, Role::idle, ui.px(3));
    pen.fill({x0, y - ui.px(3)}, {knob_x, y + ui.px(3)}, Role::act, ui.px(3));
    const TextStyle style(ui, Face::sans, kSmallSize);
    float free_from = point.x;
    for (const Stop& stop : stops) {
        const float x = x0 + length * stop.part;
        if (stop.part > 0) paint_stop(ui, pen, stop, x, y);
        const float w = words_width(stop.name);
        const float left = std::clamp(x - w / 2, point.x, point.x + width - w);
        if (left < free_from) continue;
        free_from = left + w + ui.px(10);
        const bool here = last > 0 && std::abs(stop.part - part_of(now, last)) < 1e-4F;
        pen.text({left, y + ui.px(13)}, stop.name, here ? Role::text : Role::muted);
    }
    pen.disc({knob_x, y}, ui.px(8), Role::panel);
    pen.circle({knob_x, y}, ui.px(8), Role::act, ui.px(2.5F));
}

float part_of(std::uint64_t count, std::uint64_t all) {
    return all == 0 ? 0 : static_cast<float>(count) / static_cast<float>(all);
}

std::string walk_text(const Ui& ui) {
    const session::Walk& walk = ui.session.walk();
    if (walk.last_position() == 0) return {};
    return ui.tr()(std::string("transport.") + walk.unit(), arg("k", walk.position()),
                   arg("n", walk.last_position()));
}

void transport(Ui& ui, const Area& area, const std::vector<Stop>& stops, void (*more)(Ui&)) {
    const Scope card = begin_card(ui, "transport", area, ImGuiWindowFlags_NoScrollbar);
    const float gap = ui.phone() ? ui.px(3) : -1;  // the usual one
    const bool playing = ui.session.walk().playing();
    sign_button(ui, "step.first", Sign::first);
    ImGui::SameLine(0, gap);
    sign_button(ui, "step.back", Sign::back);
    ImGui::SameLine(0, gap);
    sign_button(ui, "step.play", playing ? Sign::pause : Sign::play,
                ui.phone() ? "" : ui.tr()(playing ? "transport.pause" : "transport.play"));
    ImGui::SameLine(0, gap);
    sign_button(ui, "step.forward", Sign::forward);
    ImGui::SameLine(0, gap);
    sign_button(ui, "step.last", Sign::last);
    ImGui::SameLine(0, gap);
    speed(ui);
    if (more != nullptr) more(ui);
    if (const std::string words = walk_text(ui); !words.empty()) {
        ImGui::SameLine();
        const float x = line_end() - words_width(words);
        if (x > ImGui::GetCursorPosX()) {
            ImGui::SetCursorPosX(x);
            ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(7));
            text_line(ui, words, Face::sans, kTextSize, Role::muted);
        } else {
            ImGui::NewLine();
        }
        if (!ui.low()) {
            ImGui::SetCursorPosY(ui.px(14 + 32 + 6));
            scrubber(ui, stops, ImGui::GetContentRegionAvail().x);
        }
    }
}

namespace {

// A run as rows, with the version of its picture.
struct ShownRows {
    const analysis::StepTable& table;
    std::uint64_t version;
    Cached<StepPicture>& cache;
    bool chosen;  // the run of what is chosen, not the one beside it

    std::size_t cursor(const Ui& ui) const {
        return std::min(ui.view<StepView>().cursor, table.rows.size() - 1);
    }
};

// The cells of a row, in points of the figure.
std::optional<Area> row_area(const figures::Scene& scene, std::size_t row) {
    std::optional<Area> area;
    const std::string prefix = fmt::format("cell {} ", row);
    for (const figures::Shape& shape : scene.shapes) {
        const auto* cell = std::get_if<figures::Rect>(&shape.what);
        if (cell == nullptr || !shape.name.starts_with(prefix)) continue;
        const ImVec2 low{cell->x, cell->y}, high{cell->x + cell->width, cell->y + cell->height};
        if (!area) area = Area{low, {0, 0}};
        const ImVec2 from{std::min(area->at.x, low.x), std::min(area->at.y, low.y)};
        const ImVec2 to{std::max(area->at.x + area->size.x, high.x),
                        std::max(area->at.y + area->size.y, high.y)};
        area = Area{from, {to.x - from.x, to.y - from.y}};
    }
    return area;
}

// Scrolls the row that was stepped to into view, and again when there is more or less room; leaves
// the scroll alone otherwise.
void follow_cursor(const Ui& ui, const ShownRows& rows, const figures::Scene& scene, float point,
                   float room) {
    ImGuiStorage& kept = *ImGui::GetStateStorage();  // of the child window that scrolls
    const ImGuiID pass = ImGui::GetID("followed"), space = ImGui::GetID("followed_room");
    const int cursor = static_cast<int>(rows.cursor(ui));
    if (kept.GetInt(pass, -1) == cursor && kept.GetFloat(space) == room) return;
    kept.SetInt(pass, cursor);
    kept.SetFloat(space, room);
    const std::size_t row = rows.cursor(ui);
    const auto here = row_area(scene, row), above = row_area(scene, row > 0 ? row - 1 : 0);
    if (!here || !above) return;
    const float height = std::floor(scene.height * point);
    float to = (here->at.y + here->end().y) / 2 * point - room / 2;
    // Where both fit, no row that stays in sight covers the one from which the arrows come.
    constexpr float kAbove = 12;  // points
    const float top = (above->at.y - kAbove - scene.pinned.top) * point;
    const float least = (here->end().y + kAbove + scene.pinned.bottom) * point - room;
    if (row > 1 && to > top && least <= top) to = top;
    ImGui::SetScrollY(std::clamp(to, 0.0F, std::max(height - room, 0.0F)));
}

// The room for a picture at a scale of the window, in pixels.
struct PictureRoom {
    Ui ui;  // at that scale
    float scale;
    ImVec2 size;
};

// Of figures: no less readable than this.
float smallest_fit(const PictureRoom& room) {
    const Ui& ui = room.ui;
    // Presenting, all is large already.
    const float scale = ui.session.presenting ? ui.scale : room.scale;
    const float smallest = 0.8F / std::clamp(scale, 1.0F, 1.4F);
    // Two figures have half the room: larger letters do not make them wider.
    return ui.view<StepView>().beside ? smallest / ui.palette.text_scale : smallest;
}

// Pixels that a point of the figure takes at most: as many as it would take at the largest scale of
// the window, so that a larger one never makes it smaller.
float most_fit(const Ui& ui, const figures::Scene& scene) {
    constexpr float kShare = 0.5F;  // of the window's height, which is there at every scale
    if (ui.session.presenting) return std::numeric_limits<float>::max();
    return std::max(1.0F, kShare * ui.window().y / scene.height);
}

// Of a figure that scrolls anyway: no smaller than it would be at the window's smallest scale,
// where it does not; many marks without text are as wide as there is room for.
float scrolling_fit(const Ui& ui, const figures::Scene& scene, const analysis::StepTable& table) {
    constexpr float kShare = 0.6F;  // of the window's height
    constexpr std::uint64_t kMostWithValues = 64;
    return table.n > kMostWithValues ? 1.0F : std::min(kShare * ui.window().y / scene.height, 1.0F);
}

figures::PassFigureOptions figure_options(const Ui& ui, const ShownRows& rows) {
    const StepView& view = ui.view<StepView>();
    figures::PassFigureOptions options;
    options.shown = rows.cursor(ui) + 1;
    options.text_scale = ui.palette.text_scale;
    if (const auto& witness = view.witness.answer; rows.chosen && witness && witness->rows)
        options.device = &*witness->rows;
    options.announce = true;
    options.legend = !ui.session.presenting;
    if (rows.chosen && view.hides_next()) options.uncovered = view.uncovered;
    return options;
}

// As large as there is room for it. The legend gives way where there is no room for it.
StepPicture picture_in(const PictureRoom& room, const ShownRows& rows,
                       figures::PassFigureOptions options) {
    const Ui& ui = room.ui;
    const figures::Point inner{(room.size.x - ui.px(14)) / ui.scale, room.size.y / ui.scale};
    const float smallest = smallest_fit(room);
    options.width = inner.x;
    options.most_width = inner.x / smallest;
    StepPicture picture;
    if (options.legend) {
        LegendState& legend = ui.state<LegendState>();
        picture.scene = figures::pass_figure(rows.table, options, ui.metrics, ui.tr());
        picture.legend = picture.scene.height <= inner.y;
        options.legend = picture.legend || legend.open;
    }
    if (!options.legend) {
        options.height = inner.y;
        picture.scene = figures::pass_figure(rows.table, options, ui.metrics, ui.tr());
        // What is drawn smaller for its width leaves its rows more points of the height.
        const auto fit = [&](const figures::Scene& scene) {
            return std::min(inner.x / scene.width, inner.y / scene.height);
        };
        const float smaller = std::min(picture.scene.width / inner.x, 1 / smallest);
        if (smaller > 1) {
            options.height = inner.y * smaller;
            figures::Scene taller = figures::pass_figure(rows.table, options, ui.metrics, ui.tr());
            if (fit(taller) >= fit(picture.scene)) picture.scene = std::move(taller);
        }
    }
    const figures::Scene& scene = picture.scene;
    const bool scrolls = inner.y / scene.height < smallest;
    const float fit = scrolls ? std::clamp(scrolling_fit(ui, scene, rows.table), smallest,
                                           std::max(smallest, inner.x / scene.width))
                              : std::clamp(std::min(inner.x / scene.width, inner.y / scene.height),
                                           smallest, std::max(most_fit(ui, scene), smallest));
    picture.point = fit * ui.scale;
    return picture;
}

// The smallest of each kind in a picture, in pixels; 0 where there is none.
struct PictureSizes {
    float letters = 0, cell_width = 0, cell_height = 0, values = 0, items = 0;
};

PictureSizes sizes_of(const StepPicture& picture) {
    PictureSizes sizes;
    sizes.letters = picture.point;
    const auto add = [&](float& least, float points) {
        const float pixels = points * picture.point;
        least = least == 0 ? pixels : std::min(least, pixels);
    };
    for (std::size_t i = 0; i < picture.scene.shapes.size(); ++i) {
        const auto& [what, tip, name] = picture.scene.shapes[i];
        const bool cell = name.starts_with("cell ");
        const auto* box = std::get_if<figures::Rect>(&what);
        if (box == nullptr || !(cell || name.starts_with("worker "))) continue;
        if (cell) {
            add(sizes.cell_width, box->width);
            add(sizes.cell_height, box->height);
        }
        if (i + 1 == picture.scene.shapes.size()) continue;
        // Its words come after it.
        if (const auto* words = std::get_if<figures::Text>(&picture.scene.shapes[i + 1].what))
            add(cell ? sizes.values : sizes.items, words->size);
    }
    return sizes;
}

bool smaller_than(const PictureSizes& a, const PictureSizes& b) {
    constexpr std::array kKinds{&PictureSizes::letters, &PictureSizes::cell_width,
                                &PictureSizes::cell_height, &PictureSizes::values,
                                &PictureSizes::items};
    constexpr float kSeen = 0.99F;
    return any_of(kKinds, [&](const auto size) { return a.*size < kSeen * b.*size; });
}

// The room that there is at a smaller scale of the window, as far as that follows from its size
// alone, and rather too large than too small; `room`: the one at this scale.
PictureRoom room_at(const Ui& ui, float scale, ImVec2 room, float parts) {
    // Points: heights of what stands above and below, a text as long as it may be left out.
    constexpr float kAround = 290, kAroundLow = 248, kControls = 110, kMoreWords = 80;
    constexpr float kBeside = 56, kList = 242, kGap = 12;  // widths
    const float part = scale / ui.session.scale();
    const Ui at = ui.smaller(part);
    const auto around = [&](const Ui& of, float share) {
        return (of.low() ? kAroundLow : kAround) + (of.folds_controls(share) ? 0 : kControls);
    };
    const float more = ui.window().y - room.y / ui.scale - around(ui, 1) - kMoreWords;
    float wide = at.window().x - kBeside - (at.folds_list(part) ? 0 : kList);
    if (!at.narrow()) wide -= kGap + std::clamp(at.window().x * 0.335F, 330.0F, 540.0F);
    return {at,
            scale,
            {at.px((wide - (parts - 1) * kGap) / parts),
             at.px(at.window().y - around(at, part) - std::max(more, 0.0F))}};
}

// The picture for a room of so many pixels, which `parts` of them share. It is no smaller than at
// any smaller scale of the window: where it does not fit then, it scrolls.
const StepPicture& picture(const Ui& ui, const ShownRows& rows, ImVec2 room, float parts) {
    figures::PassFigureOptions options = figure_options(ui, rows);
    LegendState& legend = ui.state<LegendState>();
    const StepPicture& found = rows.cache.get(
        ui,
        fmt::format("{} {} {} {} {} {} {} {} {}", rows.version, options.shown, room.x, room.y,
                    ui.scale, options.legend, legend.open, options.uncovered.has_value(),
                    fmt::join(ui.view<StepView>().uncovered, " ")),
        [&] {
            constexpr float kStep = 0.25F;  // from one scale to the next
            const PictureRoom own{ui, ui.session.scale(), room};
            StepPicture best = picture_in(own, rows, options);
            if (ui.session.presenting || own.scale <= 1) return best;
            options.legend = best.legend || legend.open;
            std::vector<StepPicture> pictures;
            for (float scale = 1; scale < own.scale - 0.01F; scale += kStep)
                pictures.push_back(picture_in(room_at(ui, scale, room, parts), rows, options));
            pictures.push_back(best);
            const StepPicture* largest = &pictures.front();
            for (const StepPicture& each : pictures)
                if (!smaller_than(sizes_of(each), sizes_of(*largest))) largest = &each;
            StepPicture chosen = *largest;
            chosen.legend = best.legend;
            return chosen;
        });
    if (rows.chosen && options.legend) legend.fits = found.legend;
    return found;
}

// A figure in a child window: as large as there is room for it. What does not fit is drawn smaller,
// as far as it stays readable, then scrolls. `both`: of two, the same for both, which then begin at
// the same height.
void figure_in(Ui& ui, const char* id, const ShownRows& rows, ImVec2 room,
               std::optional<float> both = {}) {
    const Scope child = begin_child(id, room, ImGuiWindowFlags_HorizontalScrollbar);
    const auto& [scene, alone, legend] = picture(ui, rows, room, both ? 2 : 1);
    const figures::Point inner{(room.x - ui.px(14)) / ui.scale, room.y / ui.scale};
    float& zoom = ui.state<StepFigureState>().zoom;
    const float fit = both.value_or(alone) * zoom / ui.scale;
    const Ui smaller = ui.smaller(fit);
    ImVec2 point = ImGui::GetCursorScreenPos();
    const float left = both ? 0 : std::max(0.0F, (inner.x - scene.width * fit) / 2) * ui.scale;
    if (!both) point.y += std::max(0.0F, (inner.y - scene.height * fit) / 3) * ui.scale;
    const StepView& view = ui.view<StepView>();
    const bool traced = rows.chosen && view.side == "lineage" && !ui.session.presenting;
    const Hovered hovered = paint_pinned(smaller, scene, {point.x + left, point.y},
                                         {rows.chosen, traced ? view.traced : std::string_view()});
    if (rows.chosen && hovered.name.starts_with("cell ") && hovered.name != view.traced)
        ui.change<StepView>().traced = std::string(hovered.name);
    if (unsigned long cell = 0;
        ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
        std::sscanf(std::string(hovered.name).c_str(), "asked %*u %lu", &cell) == 1)
        ui.change<StepView>().uncover(cell);
    follow_cursor(ui, rows, scene, smaller.scale, room.y);
    if (const auto row = row_area(scene, rows.cursor(ui))) {
        ImGui::SetCursorScreenPos(
            {point.x + left + smaller.px(row->at.x), point.y + smaller.px(row->at.y)});
        diagram_item("row", {smaller.px(row->size.x), smaller.px(row->size.y)});
    }
    ImGui::SetCursorScreenPos({point.x + left, point.y});
    // For the empty margin at its right alone nothing scrolls sideways.
    const float wide = smaller.px(scene.width), bare = wide - smaller.px(figures::kMargin);
    const float most = std::clamp(room.x - left - ui.px(14), bare, wide);
    diagram_item("diagram", {most, std::floor(smaller.px(scene.height))});
    show_tip(ui, hovered.tip);
    drag_to_scroll(ui);
    pinch(zoom, {point.x + left, point.y}, {smaller.px(scene.width), smaller.px(scene.height)});
}

// The broken kernel at the left, the mended one at the right; of any other two the chosen one at
// the left. Each stands under its name and above its sentence, and both above what differs.
void both_figures(Ui& ui, const ShownRows& chosen, ImVec2 room) {
    const StepView& view = ui.view<StepView>();
    const RunState &mine = view.simulated, &other = view.other;
    const ShownRows beside{other.run->table, other.version, ui.state<StepFigureState>().other,
                           false};
    const RunChoice& choice = ui.choice();
    const bool swapped = view.is_second_counterpart() && !view.broken();
    const float gap = ui.px(12), half = (room.x - gap) / 2;
    const ImVec2 point = ImGui::GetCursorScreenPos();
    // On the wall the pictures have the room: they are to be read from the back row.
    const bool wall = ui.session.presenting;
    const TextStyle plain(ui, Face::sans, wall ? 0.8F * kTextSize : kTextSize);
    const float words =
        std::max(sentence_height(ui, chosen.table, half), sentence_height(ui, beside.table, half));
    const bool costs = mine.run && mine.run->run && other.run->run && !ui.low();
    const float above = ImGui::GetFrameHeight() + ui.px(6);
    const float below = words + (costs ? differences_height(ui) + ui.px(8) : 0);
    const ImVec2 rest{half, std::max(room.y - above - below, ui.px(60))};
    float fit = std::min(picture(ui, chosen, rest, 2).point, picture(ui, beside, rest, 2).point);
    // A little smaller rather than scrolled sideways.
    for (const ShownRows* rows : {&chosen, &beside}) {
        constexpr float kLittle = 0.95F;
        const float most =
            (rest.x - ui.px(14)) / (picture(ui, *rows, rest, 2).scene.width - figures::kMargin);
        if (most > kLittle * fit) fit = std::min(fit, most);
    }
    const TitledRun first{choice, chosen.table}, second{view.second(), beside.table};
    const std::string title = run_title(ui, first, second);
    const auto part = [&](float x, const ShownRows& rows) {
        ImGui::SetCursorScreenPos({x, point.y});
        ImGui::BeginGroup();
        if (rows.chosen || wall) {
            ImGui::AlignTextToFramePadding();
            const std::string name = rows.chosen ? title : run_title(ui, second, first);
            const float position =
                wall && x > point.x ? ui.metrics.text_width(walk_text(ui), kTitleSize, Face::sans)
                                    : 0;
            const float room_of_name = half - ui.px(position + 4);
            // On the wall a long name is rather small than cut. Widths do not shrink by just as
            // much.
            const float fits =
                0.97F * room_of_name / ui.px(ui.metrics.text_width(name, kTitleSize, Face::bold));
            fitted_line(ui, name, room_of_name, Face::bold,
                        wall ? kTitleSize * std::clamp(fits, 0.6F, 1.0F) : kTextSize);
        } else {
            second_field(ui, half);
        }
        ImGui::SetCursorScreenPos({x, point.y + above});
        figure_in(ui, rows.chosen ? "figure" : "other", rows, rest, fit);
        ImGui::SetCursorScreenPos({x, point.y + above + rest.y});
        const std::size_t row = rows.cursor(ui);
        ImGui::PushID(rows.chosen ? "chosen" : "second");
        message_box(ui, shown_sentence(ui, rows.table, row), tone_at(rows.table, row), half, words);
        ImGui::PopID();
        ImGui::EndGroup();
    };
    part(point.x, swapped ? beside : chosen);
    part(point.x + half + gap, swapped ? chosen : beside);
    if (costs) {
        ImGui::SetCursorScreenPos({point.x, point.y + room.y - differences_height(ui)});
        const ComparedRun one{*mine.run->run, mine.version, title, chosen.table.n};
        const ComparedRun two{*other.run->run, other.version, run_title(ui, second, first),
                              beside.table.n};
        differences(ui, swapped ? two : one, swapped ? one : two, room.x);
    }
    ImGui::SetCursorScreenPos(point);
    ImGui::Dummy(room);
}

}  // namespace

void step_figure(Ui& ui, const analysis::StepTable& table, ImVec2 room) {
    const StepView& view = ui.view<StepView>();
    const ShownRows chosen{table, view.version, ui.state<StepFigureState>().figure, true};
    if (!shows_both(ui)) return figure_in(ui, "figure", chosen, room);
    // Two pictures with their words and what differs; in a lower room they scroll.
    const float least = ui.px(340);
    if (ui.session.presenting || room.y >= least) return both_figures(ui, chosen, room);
    const Scope child = begin_child("both", room);
    both_figures(ui, chosen, {ImGui::GetContentRegionAvail().x, least});
}

bool step_wants_width(const Ui& ui) {
    return ui.view<StepView>().beside;
}

// What the step view shows, as a file.
namespace {

// Memory and work-items as they are now.
figures::Scene moment_figure(const Ui& ui, const analysis::MachineRun& run, bool legend) {
    const float scale = ui.palette.text_scale;
    return figures::state_figure(
        analysis::state_view_of(*run.run, ui.view<StepView>().time),
        {.figure = {figures::PassFigureOptions().width * scale, scale, true}, .legend = legend},
        ui.metrics, ui.tr());
}

// The same under the title of the run.
figures::Scene moment_scene(const Ui& ui, const analysis::MachineRun& run) {
    const bool line = ui.view<StepView>().grain == StepUnit::line;
    const std::string when = ui.tr()(line ? "transport.line" : "transport.action",
                                     arg("k", ui.session.walk().position()),
                                     arg("n", ui.session.walk().last_position()));
    return figures::under_heading(moment_figure(ui, run, true), chosen_title(ui), when,
                                  ui.palette.text_scale);
}

// The rows up to where one is, as on screen. In a file that stands alone with a heading; on a
// slide, which has one, with the next row announced.
figures::Scene rows_scene(const Ui& ui, const analysis::StepTable& table, bool alone) {
    figures::PassFigureOptions options;
    options.shown = std::min(ui.view<StepView>().cursor + 1, table.rows.size());
    options.heading = options.legend = alone;
    options.announce = !alone;
    options.text_scale = ui.palette.text_scale;
    options.width *= ui.palette.text_scale;
    return figures::pass_figure(table, options, ui.metrics, ui.tr());
}

// In the order that they have on screen.
figures::Scene both_scenes(const Ui& ui, const analysis::StepTable& table,
                           const analysis::StepTable& other) {
    const StepView& view = ui.view<StepView>();
    const bool swapped = view.is_second_counterpart() && !view.broken();
    return figures::side_by_side(rows_scene(ui, swapped ? other : table, true),
                                 rows_scene(ui, swapped ? table : other, true),
                                 24 * ui.palette.text_scale);
}

// The run whose moments are shown, where one goes by lines or actions.
const analysis::MachineRun* moments_run(const Ui& ui) {
    const RunState& machine = ui.view<StepView>().simulated;
    const bool moments = ui.view<StepView>().grain != StepUnit::pass;
    return moments && machine.run && machine.run->run != nullptr ? machine.run.get() : nullptr;
}

figures::Scene step_scene(const Ui& ui) {
    const analysis::StepTable& table = *ui.view<StepView>().table.answer;
    if (const analysis::MachineRun* run = moments_run(ui)) return moment_scene(ui, *run);
    if (shows_both(ui)) return both_scenes(ui, table, ui.view<StepView>().other.run->table);
    return rows_scene(ui, table, true);
}

}  // namespace

figures::Slide step_slide(Ui& ui) {
    const StepView& view = ui.view<StepView>();
    const analysis::StepTable& table = *view.table.answer;
    const analysis::MachineRun* run = moments_run(ui);
    const Moment moment = run != nullptr ? moment_of(ui)
                                         : Moment{shown_sentence(ui, table, view.cursor),
                                                  tone_at(table, view.cursor)};
    return {chosen_title(ui), walk_text(ui), moment.sentence, ground_of(moment.tone),
            run != nullptr   ? moment_figure(ui, *run, false)
            : shows_both(ui) ? both_scenes(ui, table, view.other.run->table)
                             : rows_scene(ui, table, false)};
}

void save_step(Ui& ui, const fs::path& file, const std::string& suffix) {
    if (suffix != ".json") return figures::save(step_scene(ui), ui.palette, ui.metrics, file);
    const nlohmann::json json = *ui.view<StepView>().table.answer;
    write_file(file, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

namespace {

struct RunPartState {
    CachedScene scene;
};

// A figure as wide as the panel; `key`: what it is of, beside the run.
void cached_figure(Ui& ui, const std::string& key,
                   const std::function<figures::Scene(const figures::FigureOptions&)>& lay_out) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float inner = room.x - ImGui::GetStyle().ScrollbarSize;
    const float width = inner / ui.scale;
    const figures::Scene& scene =
        ui.state<RunPartState>().scene.get(ui, fmt::format("{} {}", key, width), [&] {
            return lay_out({width, ui.palette.text_scale, false});
        });
    // What is wider than the panel is drawn smaller, as far as it stays readable.
    const float fit = std::clamp(inner / ui.px(scene.width), 0.75F / ui.palette.text_scale, 1.0F);
    show_scene(ui.smaller(fit), scene, "side_figure", room);
}

// The pass that the diagram shows, of those with lanes; nothing at the start.
std::optional<std::size_t> shown_pass(const RunMoment& moment) {
    const analysis::MachineRun& run = moment.run;
    if (run.activity.size() + 1 != run.table.rows.size()) return {};
    const std::size_t row = moment.row;
    return row == 0 ? std::nullopt : std::optional(row - 1);
}

// Of the rows that may be seen.
figures::LaneChart lanes_of(const RunMoment& moment) {
    const analysis::MachineRun& run = moment.run;
    const bool row_each = run.activity.size() + 1 == run.table.rows.size();
    if (!moment.hides_rows())
        return {run.activity, run.lanes.total, run.lanes.branches, shown_pass(moment), row_each};
    figures::LaneChart chart{{}, {}, {}, shown_pass(moment), row_each};
    if (!row_each || moment.rows < 2) return chart;
    chart.passes.assign(run.activity.begin(),
                        run.activity.begin() + static_cast<std::ptrdiff_t>(moment.rows - 1));
    for (std::size_t i = 0; i + 1 < moment.rows && i < run.lanes.passes.size(); ++i) {
        chart.total.offered += run.lanes.passes[i].count.offered;
        chart.total.active += run.lanes.passes[i].count.active;
    }
    return chart;
}

void lanes_part(Ui& ui, const RunMoment& moment) {
    const bool nothing =
        moment.hides_rows() ? lanes_of(moment).passes.empty() : moment.run.activity.empty();
    if (nothing) return label(ui, ui.tr()("side.nothing"));
    const auto current = shown_pass(moment);
    const std::string pass = current ? fmt::format("{}", *current) : "";
    cached_figure(ui, fmt::format("lanes {} {} {}", moment.key, moment.rows, pass),
                  [&](const figures::FigureOptions& options) {
                      return figures::lane_figure(lanes_of(moment),
                                                  subject_of(ui, moment.run.table), options,
                                                  ui.metrics, ui.tr());
                  });
}

void memory_part(Ui& ui, const RunMoment& moment) {
    const auto request = analysis::most_expensive_request(*moment.run.run, moment.line);
    if (!request) return label(ui, ui.tr()("side.nothing"));
    cached_figure(ui, fmt::format("memory {} {}", moment.key, moment.line.value_or(0)),
                  [&](const figures::FigureOptions& options) {
                      return figures::bank_figure(*request, subject_of(ui, moment.run.table),
                                                  options, ui.metrics, ui.tr());
                  });
}

void variables_part(Ui& ui, const RunMoment& moment) {
    const analysis::MachineRun& run = moment.run;
    const std::uint64_t time = moment.time;
    const machine::State state = run.run->state_at(time);
    const auto [slot, warp] = analysis::warp_at(state, run.timeline, time);
    const std::vector<analysis::VariableRow> rows =
        analysis::variables_of(run.run->machine(), state, slot, warp);
    if (rows.empty()) return label(ui, ui.tr()("side.no_variables"));
    const machine::Context& context = run.run->machine().context(state.launch);
    const std::uint64_t first =
        std::uint64_t{state.groups[slot]->id} * context.local + std::uint64_t{warp} * context.lanes;
    const std::uint64_t exec = state.groups[slot]->warps[warp].exec;
    variables_table(ui, rows, context.space, first, exec);
}

void lineage_part(Ui& ui, const RunMoment& moment) {
    const analysis::MachineRun& run = moment.run;
    const analysis::StepTable& table = run.table;
    std::size_t row = std::min(table.rows.size(), moment.rows) - 1, cell = 0;
    const auto result = result_cell(table);
    if (result && !moment.hides_rows()) cell = *result;
    unsigned long pointed_row = 0, pointed_cell = 0;
    if (std::sscanf(std::string(moment.traced).c_str(), "cell %lu %lu", &pointed_row,
                    &pointed_cell) == 2 &&
        pointed_row < moment.rows && pointed_cell < table.rows[pointed_row].cells.size()) {
        row = pointed_row;
        cell = pointed_cell;
    } else {
        label(ui, ui.tr()("side.point"));
    }
    const auto memory = memory_cell(*run.run, table.rows[row], cell);
    const auto account = memory ? cell_account(*run.run, *memory, run.row_ends[row]) : std::nullopt;
    if (!account) return label(ui, ui.tr()("side.nothing"));
    cached_figure(ui, fmt::format("lineage {} {} {}", moment.key, row, cell),
                  [&](const figures::FigureOptions& options) {
                      figures::AccountFigureOptions about;
                      about.figure = options;
                      about.whole = row + 1 == table.rows.size() && result == cell && !table.parts;
                      about.row = account->inputs.size() == table.rows[0].cells.size();
                      about.chooses = table.op == "min" || table.op == "max";
                      return figures::account_figure(*account, about, ui.metrics, ui.tr());
                  });
}

void races_part(Ui& ui, const RunMoment& moment) {
    const analysis::MachineRun& run = moment.run;
    const bool all = moment.whole_passes && !moment.hides_rows();
    const std::uint64_t time = (all ? run.actions() : moment.time) + 1;
    std::vector<analysis::Hazard> told = run.hazards;
    if (moment.hides_rows())  // those to come would tell what is hidden
        std::erase_if(
            told, [&](const analysis::Hazard& each) { return !each.here || each.time >= time; });
    if (moment.hides_rows() && told.empty()) return label(ui, ui.tr()("side.nothing"));
    hazard_list(ui, told, time, ImGui::GetContentRegionAvail().x - ui.px(8), run.caveats);
}

void prints_part(Ui& ui, const RunMoment& moment) {
    const analysis::MachineRun& run = moment.run;
    printed_list(ui, run.prints, moment.time,
                 moment.hides_rows() ? run.row_ends[moment.rows - 1] : run.actions());
}

bool has_printf(const analysis::MachineRun& run) {
    return run.run != nullptr && analysis::calls_printf(*run.run);
}

constexpr std::array kRunParts{RunPart{"lanes", lanes_part, "lane"},
                               RunPart{"memory", memory_part, "sector"},
                               RunPart{"variables", variables_part, "private-memory"},
                               RunPart{"lineage", lineage_part, "lineage"},
                               RunPart{"races", races_part, "data-race"},
                               RunPart{"prints", prints_part, "schedule", has_printf},
                               RunPart{"opencl", opencl_part, "kernel", has_opencl_text}};

}  // namespace

std::span<const RunPart> run_parts() {
    return kRunParts;
}

const RunPart* find_run_part(std::string_view id) {
    return find_if(kRunParts, [&](const RunPart& part) { return id == part.id; });
}

static std::string automatic_words(const Ui& ui, const analysis::MachineUsed& shown) {
    return ui.tr()("order.auto_now", arg("order", figures::order_text(shown.order, ui.tr())));
}

// As the list of schedules names one that was chosen.
static std::string order_words(const Ui& ui, const std::string& order) {
    if (order == session::kAutomatic) return ui.tr()("order.auto");
    if (order == "in-order") return ui.tr()("order.in_order");
    if (order == "round-robin") return ui.tr()("order.round_robin");
    if (const auto seed = session::random_seed(order))
        return ui.tr()("order.random", arg("seed", *seed));
    return order.starts_with(machine::kTurnsPrefix) ? figures::order_text(order, ui.tr()) : order;
}

// Automatic, in order, round robin, or one of some random ones; and what else is set, such as a
// file of turns.
static void order_field(Ui& ui, RunChoice& choice, bool named, float width) {
    std::vector<std::string> orders{session::kAutomatic, "in-order", "round-robin"};
    for (std::uint64_t seed = 1; seed <= session::kRandomOrders; ++seed)
        orders.push_back(fmt::format("random:{}", seed));
    const auto& shown = ui.view<StepView>().table.answer;
    value_combo(ui, "###order", std::move(orders), choice.machine.order, width,
                [&](const auto& order) {
                    // What was left to us is named as it came out.
                    return order == session::kAutomatic && named && shown && shown->machine
                               ? automatic_words(ui, *shown->machine)
                               : order_words(ui, order);
                });
    key_tip(ui, "order.next");
}

void machine_fields(Ui& ui, RunChoice& choice, Flow& flow, bool of_shown) {
    // A search may have found the shown run on another machine than the chosen one.
    const bool automatic = of_shown && session::is_automatic(choice);
    const auto& shown = ui.view<StepView>().table.answer;
    const analysis::MachineUsed used =
        automatic && shown && shown->machine ? *shown->machine : choice.machine;
    for (const catalogue::MachineOption& option : catalogue::machine_options()) {
        if (option.offered.empty()) continue;
        const std::string id = option.id;
        const bool other = used.*option.field != choice.machine.*option.field;
        const float room = option.zero_is_all ? (other ? 128 : 96) : (other ? 92 : 66);
        flow.field(ui.tr()("field." + id), room, [&](float width) {
            const auto words = [&](std::uint32_t count) {
                return option.zero_is_all && count == 0 ? ui.tr()(id + ".all")
                                                        : std::to_string(count);
            };
            // Where the run that is shown has another one, the chosen one says so: "4 → 1".
            std::uint32_t& chosen = choice.machine.*option.field;
            value_combo(ui, ("###" + id).c_str(),
                        std::vector<std::uint32_t>(option.offered.begin(), option.offered.end()),
                        chosen, width, [&](std::uint32_t count) {
                            const bool both = other && count == chosen;
                            return words(count) + (both ? " → " + words(used.*option.field) : "");
                        });
            const std::string command = id + ".next";
            if (other)
                tip(ui, ui.tr()("field.used.tip"), ui.session.command(command).key);
            else
                key_tip(ui, command.c_str());
        });
    }
    const std::string words = automatic && shown && shown->machine
                                  ? automatic_words(ui, *shown->machine)
                                  : order_words(ui, choice.machine.order);
    const float width =
        std::max(122.0F, 44 + ui.metrics.text_width(words, kTextSize, figures::Face::sans));
    flow.field(ui.tr()("field.order"), width,
               [&](float room) { order_field(ui, choice, automatic, room); });
}

// A toggle within one kernel breaks it within a group, as a rule; another kernel, across groups.
std::string broken_words(const Ui& ui) {
    // In a small window the knob tells it, and the tip.
    if (ui.window().x < 700 || ui.low()) return {};
    if (const auto& missing = ui.view<StepView>().missing_barrier())
        return ui.tr()("toggle.without_barrier", arg("n", missing->number + 1));
    const auto& other = ui.view<StepView>().counterpart();
    const bool itself = other && other->variant == ui.choice().variant;
    return ui.tr()(itself ? "toggle.broken_itself" : "command.toggle.broken");
}

// Which barrier of how many is missing; empty where no other one could be.
std::string barrier_words(const Ui& ui) {
    if (!ui.session.command("toggle.barrier").enabled(ui.session)) return {};
    const session::MissingBarrier& missing = *ui.view<StepView>().missing_barrier();
    return fmt::format("{}/{}", missing.number + 1, missing.all);
}

float barrier_width(const Ui& ui) {
    const std::string words = barrier_words(ui);
    return words.empty() ? 0 : ui.px(ui.metrics.text_width(words, kTextSize, Face::sans) + 30);
}

float switch_width(const Ui& ui) {
    return ui.px(ui.metrics.text_width(broken_words(ui), kTextSize, Face::bold) + 64);
}

float broken_switch_width(const Ui& ui) {
    if (!ui.view<StepView>().counterpart()) return 0;
    return switch_width(ui) + barrier_width(ui);
}

void broken_switch(Ui& ui) {
    const session::Command& command = ui.session.command("toggle.broken");
    if (!command.enabled(ui.session)) return;
    const bool on = ui.view<StepView>().broken();
    if (const std::string words = barrier_words(ui); !words.empty()) {
        command_button(ui, "toggle.barrier", words);
        ImGui::SameLine(0, ui.px(8));
    }
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const ImVec2 size{switch_width(ui), ui.px(kTouch)};
    if (ImGui::InvisibleButton(command.id, size)) ui.run(command);
    command_tip(ui, command);
    const Pen pen(ui);
    const Role edge = on ? Role::race : Role::idle;
    pen.fill(point, {point.x + size.x, point.y + size.y}, on ? Role::race_fill : Role::background,
             size.y / 2);
    pen.frame(point, {point.x + size.x, point.y + size.y}, edge, size.y / 2, ui.px(1.5F));
    const float knob = ui.px(10);
    const float x = on ? point.x + size.x - knob - ui.px(6) : point.x + knob + ui.px(6);
    pen.disc({x, point.y + size.y / 2}, knob, edge);
    if (on)  // doubled by a stroke on the knob: on
        pen.line({x, point.y + size.y / 2 - ui.px(4)}, {x, point.y + size.y / 2 + ui.px(4)},
                 Role::panel, ui.px(2));
    const TextStyle style(ui, Face::bold, kTextSize);
    pen.text(
        {point.x + (on ? ui.px(16) : ui.px(38)), point.y + (size.y - ImGui::GetFontSize()) / 2},
        broken_words(ui), on ? Role::race : Role::muted);
}

}  // namespace lab::gui
