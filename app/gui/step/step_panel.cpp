#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "figures/parts/run_text/pass_text.h"
#include "gui/parts/presented.h"
#include "gui/parts/widgets.h"
#include "gui/step/step_figure.h"
#include "gui/step/step_panels.h"
#include "gui/step/transport.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"
#include "views/kernels/kernels_panels.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

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
    if (ui.session.settings().choice.user_kernel && !ui.folds_controls())
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
    const bool alone = !ui.view<session::StepView>().counterpart();
    const float toggle = broken_switch_width(ui);
    const float beside =
        ImGui::CalcTextSize(ui.tr()("command.toggle.beside").c_str()).x + ui.px(26);
    // In a narrow window a sign says what there is no room for.
    const float both = alone ? 0 : ui.narrow() ? ui.px(40) : beside;
    float buttons = toggle + ui.px(8) + both + part_tabs_width(ui);
    for (const Switch& entry : switches(ui))
        buttons += ImGui::CalcTextSize(ui.tr()(entry.key).c_str()).x + ui.px(26);
    if (ui.phone()) buttons = 0;  // lines of their own
    const float used = kernel_title(ui, title, width - buttons);
    if (const auto& table = ui.view<session::StepView>().table().answer) {
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
    for (const Switch& entry : switches(ui)) {
        if (ImGui::Button((ui.tr()(entry.key) + "###" + entry.tip).c_str())) *entry.on = !*entry.on;
        tip(ui, ui.tr()(entry.tip));
        ImGui::SameLine();
    }
    if (alone) {
        ImGui::NewLine();  // the buttons leave no baseline behind
        ImGui::SetCursorPos({ImGui::GetCursorStartPos().x, top + ui.px(ui.phone() ? 108 : 36)});
        return;
    }
    if (ui.narrow())
        beside_button(ui, {ui.px(kTouch), ui.px(kTouch)});
    else
        command_button(ui, "toggle.beside", ui.tr()("command.toggle.beside"),
                       ui.view<session::StepView>().beside());
    ImGui::SameLine();
    broken_switch(ui);
}

// A low window shows so much of what has happened at once, the rest of it scrolls.
float low_sentence(const Ui& ui) {
    return (ui.window().y < 300 ? 1.0F : 2.0F) * ImGui::GetTextLineHeight() + ui.px(22);
}

Tone tone_at(const analysis::StepTable& table, std::size_t row) {
    const bool wrong = !table.right && row + 1 == table.rows.size();
    return tone_of(wrong || !table.rows[row].stale.empty());
}

// What has just happened; at the start, what to do.
std::string shown_sentence(const Ui& ui, const analysis::StepTable& table, std::size_t row) {
    if (row > 0 || table.rows.size() < 2) return figures::sentence(table, row, ui.tr());
    return figures::sentence(table, row, ui.tr()) + ui.tr()("figure.space") +
           ui.tr()("step.press_right");
}

void sentence_box(Ui& ui, const analysis::StepTable& table, float width, float height) {
    const std::size_t cursor = ui.view<session::StepView>().cursor();
    message_box(ui, shown_sentence(ui, table, cursor), tone_at(table, cursor), width, height);
}

float sentence_height(Ui& ui, const analysis::StepTable& table, float width) {
    // The tallest of all passes, so that stepping moves nothing; in a low window there is no room
    // to spare.
    float height = 0;
    const std::size_t cursor = ui.view<session::StepView>().cursor();
    for (std::size_t i = ui.low() ? cursor : 0; i < (ui.low() ? cursor + 1 : table.rows.size());
         ++i)
        height = std::max(height, ImGui::CalcTextSize(shown_sentence(ui, table, i).c_str(), nullptr,
                                                      false, width - ui.px(22))
                                      .y);
    return ui.low() ? std::min(height + ui.px(22), low_sentence(ui)) : height + ui.px(22);
}

void show_figure(Ui& ui, const analysis::StepTable& table) {
    const session::StepView& view = ui.view<session::StepView>();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const session::RunState& simulated = view.simulated();
    const session::RunState& other = view.other();
    const bool own = ui.session.settings().choice.user_kernel && simulated.run;
    const float buffers = own ? user_kernel_buffers_height(ui, *simulated.run) : 0;
    const float words = sentence_height(ui, table, room.x);
    const float height = std::max(room.y - buffers - words - ui.px(8), ui.px(60));
    step_figure(ui, table, {room.x, height});
    if (view.beside() && other.problem) problem_card(ui, *other.problem, room.x);
    if (own) user_kernel_buffers(ui, *simulated.run, room.x);
    sentence_box(ui, table, room.x, words);
}

void waiting(Ui& ui) {
    const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
    ImGui::TextUnformatted(ui.tr()("step.waiting").c_str());
}

// Above the figure of an earlier run, where the one that was asked for gave none.
void last_shown(Ui& ui) {
    const auto& table = ui.view<session::StepView>().table().answer;
    if (table) label(ui, ui.tr()(table->fault.empty() ? "step.last_good" : "step.last_shown"));
}

// How many there are, and where the first is; all of them are listed in the editor.
std::string mistakes(const Ui& ui, const session::TextFacts& facts) {
    std::size_t count = 0;
    std::uint32_t line = 0;
    for (const session::TextMark& mark : facts.marks) {
        if (mark.kind != session::TextMark::Kind::error) continue;
        if (count++ == 0) line = mark.line;
    }
    return ui.tr()(count == 1 ? "user_kernel.wrong_one" : "user_kernel.wrong",
                   fmt::arg("count", count), fmt::arg("line", line));
}

}  // namespace

Moment row_moment(const Ui& ui, const analysis::StepTable& table, std::size_t row) {
    return {shown_sentence(ui, table, row), tone_at(table, row)};
}

void present_step(Ui& ui) {
    const session::StepView& view = ui.view<session::StepView>();
    Presented presented;
    presented.title = chosen_title(ui);
    presented.position = walk_text(ui);
    const auto& table = view.table().answer;
    if (view.grain() != session::Grain::pass && view.simulated().run) {
        const Moment moment = moment_of(ui);
        presented.sentence = moment.sentence;
        presented.tone = moment.tone;
        presented.picture = [&](ImVec2 room) { moment_picture(ui, room); };
        draw_presented(ui, presented);
    } else if (table) {
        presented.sentence = shown_sentence(ui, *table, view.cursor());
        presented.tone = tone_at(*table, view.cursor());
        for (std::size_t row = 0; row < table->rows.size(); ++row)
            if (std::string text = shown_sentence(ui, *table, row);
                text.size() > presented.longest.size())
                presented.longest = std::move(text);
        presented.picture = [&](ImVec2 room) { step_figure(ui, *table, room); };
        draw_presented(ui, presented);
    } else if (view.table().problem) {
        problem_card(ui, *view.table().problem, ImGui::GetContentRegionAvail().x);
    }
}

void step_panel(Ui& ui, const Area& area) {
    begin_card(ui, "step", area.at, area.size);
    const StepPanelState& state = ui.state<StepPanelState>();
    const float width = ImGui::GetContentRegionAvail().x;
    step_heading(ui, width);
    const bool folded = ui.session.settings().choice.user_kernel && !state.form_open;
    if (ui.folds_controls() ? state.controls_open : !folded) step_controls(ui, width);
    const session::Asked<analysis::StepTable>& table = ui.view<session::StepView>().table();
    const session::KernelEditor& own = ui.session.kernels().editor;
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
    } else if (table.waiting &&
               session::Clock::now() > ui.view<session::StepView>().asked() + kLong) {
        label(ui, ui.tr()("step.takes_long"));
    }
    if (ui.narrow() && state.part != Part::figure) {
        const Area inner{ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail()};
        (state.part == Part::text ? kernel_text : step_side)(ui, inner);
    } else if (ui.view<session::StepView>().grain() != session::Grain::pass &&
               ui.view<session::StepView>().simulated().run) {
        show_state(ui, ImGui::GetContentRegionAvail());
    } else if (table.answer) {
        show_figure(ui, *table.answer);
    } else if (table.waiting) {
        waiting(ui);
    }
    end_card();
}

}  // namespace lab::gui
