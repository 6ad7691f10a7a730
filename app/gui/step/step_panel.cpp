#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "figures/figures/pass_figure.h"
#include "figures/parts/pass_text.h"
#include "gui/kernels/kernel_panels.h"
#include "gui/kernels/user_kernel_panel.h"
#include "gui/parts/cached_scene.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "gui/step/step_panels.h"
#include "session/step/machine_run.h"
#include "session/step/step_view.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

struct StepPanelState {
    bool controls_open = false;   // in a low window
    bool form_open = true;        // the launch of a kernel of the user's own
    bool kernel_instead = false;  // in a narrow window: the kernel's text in the figure's place
    CachedScene figure;
    CachedScene other;  // of what the toggle leads to, side by side
};

// What there is no room for beside the figure, each behind a button.
struct Switch {
    const char *key, *tip;
    bool* on;
};

std::vector<Switch> switches(const Ui& ui) {
    StepPanelState& state = ui.state<StepPanelState>();
    std::vector<Switch> result;
    if (ui.low())
        result.push_back({state.controls_open ? "step.hide_controls" : "step.show_controls",
                          "step.show_controls.tip", &state.controls_open});
    if (ui.session.settings().choice.user_kernel && !ui.low())
        result.push_back({state.form_open ? "user_kernel.hide_form" : "user_kernel.show_form",
                          "user_kernel.show_form.tip", &state.form_open});
    if (ui.narrow())
        result.push_back({state.kernel_instead ? "step.show_figure" : "step.show_text",
                          "step.show_text.tip", &state.kernel_instead});
    return result;
}

constexpr auto kLong = std::chrono::seconds(3);

void step_heading(Ui& ui, float width) {
    const float top = ImGui::GetCursorPosY();
    const std::string title = chosen_title(ui);
    // A user kernel has no other one beside it.
    const bool own = ui.session.settings().choice.user_kernel.has_value();
    const float toggle = own ? 0 : broken_switch_width(ui);
    const float beside =
        ImGui::CalcTextSize(ui.tr()("command.toggle.beside").c_str()).x + ui.px(26);
    // In a narrow window a sign says what there is no room for.
    const float both = own ? 0 : ui.narrow() ? ui.px(40) : beside;
    float buttons = toggle + ui.px(8) + both;
    for (const Switch& entry : switches(ui))
        buttons += ImGui::CalcTextSize(ui.tr()(entry.key).c_str()).x + ui.px(26);
    {
        const TextStyle style(ui, Face::bold, kTitleSize);
        ImGui::TextUnformatted(
            ui.metrics.shortened(title, (width - buttons) / ui.scale, kTitleSize, Face::bold)
                .c_str());
    }
    if (const auto& table = ui.view<session::StepView>().table().answer) {
        const float room = width - ImGui::GetItemRectSize().x - ui.px(16) - buttons;
        const std::string shown = ui.metrics.shortened(figures::subtitle(*table, ui.tr()),
                                                       room / ui.scale, kTextSize, Face::sans);
        const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
        ImGui::SameLine(0, ui.px(12));
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(4));
        ImGui::TextUnformatted(room > ui.px(30) ? shown.c_str() : "");
    }
    ImGui::SameLine();
    ImGui::SetCursorPos({line_end() - buttons + ui.px(8), top});
    for (const Switch& entry : switches(ui)) {
        if (ImGui::Button((ui.tr()(entry.key) + "###" + entry.tip).c_str())) *entry.on = !*entry.on;
        tip(ui, ui.tr()(entry.tip));
        ImGui::SameLine();
    }
    if (own) {
        ImGui::NewLine();  // the buttons leave no baseline behind
        ImGui::SetCursorPos({ImGui::GetCursorStartPos().x, top + ui.px(36)});
        return;
    }
    if (ui.narrow())
        beside_button(ui, {ui.px(32), ui.px(30)});
    else
        command_button(ui, "toggle.beside", ui.tr()("command.toggle.beside"),
                       ui.view<session::StepView>().beside());
    ImGui::SameLine();
    broken_switch(ui);
}

// A run as rows, with the version of its picture.
struct ShownRows {
    const analysis::StepTable& table;
    std::uint64_t version;
    CachedScene& cache;
    bool chosen;  // the run of what is chosen, not the one beside it

    std::size_t cursor(const Ui& ui) const {
        return std::min(ui.view<session::StepView>().cursor(), table.rows.size() - 1);
    }
};

// The figure for a room of `size` points, at most `most` wide. The legend gives way where there is
// no room for it.
const figures::Scene& figure(const Ui& ui, const ShownRows& rows, figures::Point size, float most) {
    const auto& witness = ui.view<session::StepView>().witness().answer;
    const bool witnessed = rows.chosen && witness && witness->rows;
    figures::PassFigureOptions options;
    options.shown = rows.cursor(ui) + 1;
    options.width = size.x;
    options.most_width = most;
    options.text_scale = ui.palette.text_scale;
    options.device = witnessed ? &*witness->rows : nullptr;
    return rows.cache.get(
        ui, fmt::format("{} {} {} {}", rows.version, options.shown, size.x, size.y), [&] {
            figures::Scene scene = figures::pass_figure(rows.table, options, ui.metrics, ui.tr());
            if (scene.height <= size.y) return scene;
            options.legend = false;
            return figures::pass_figure(rows.table, options, ui.metrics, ui.tr());
        });
}

// A low window shows so much of what has happened at once, the rest of it scrolls.
float low_sentence(const Ui& ui) {
    return (ui.window().y < 300 ? 1.0F : 2.0F) * ImGui::GetTextLineHeight() + ui.px(22);
}

void sentence_box(Ui& ui, const analysis::StepTable& table, float width) {
    const std::size_t cursor = ui.view<session::StepView>().cursor();
    const bool wrong =
        (!table.right && cursor + 1 == table.rows.size()) || !table.rows[cursor].stale.empty();
    const std::string text =
        figures::sentence(table, ui.view<session::StepView>().cursor(), ui.tr());
    message_box(ui, text, wrong, width, ui.low() ? low_sentence(ui) : 0);
}

float sentence_height(Ui& ui, const analysis::StepTable& table, float width) {
    // The tallest of all passes, so that stepping moves nothing; in a low window there is no room
    // to spare.
    float height = 0;
    const std::size_t cursor = ui.view<session::StepView>().cursor();
    for (std::size_t i = ui.low() ? cursor : 0; i < (ui.low() ? cursor + 1 : table.rows.size());
         ++i)
        height = std::max(height, ImGui::CalcTextSize(figures::sentence(table, i, ui.tr()).c_str(),
                                                      nullptr, false, width - ui.px(22))
                                      .y);
    return ui.low() ? std::min(height + ui.px(22), low_sentence(ui)) : height + ui.px(22);
}

// Scrolls the row that was stepped to into view, and again when there is more or less room; leaves
// the scroll alone otherwise.
void follow_cursor(const Ui& ui, const ShownRows& rows, float height, float room) {
    ImGuiStorage& kept = *ImGui::GetStateStorage();  // of the child window that scrolls
    const ImGuiID pass = ImGui::GetID("followed"), space = ImGui::GetID("followed_room");
    const int cursor = static_cast<int>(rows.cursor(ui));
    if (kept.GetInt(pass, -1) == cursor && kept.GetFloat(space) == room) return;
    kept.SetInt(pass, cursor);
    kept.SetFloat(space, room);
    const auto count = static_cast<float>(rows.table.rows.size());
    const float middle = height * (static_cast<float>(cursor) + 0.5F) / count;
    ImGui::SetScrollY(std::clamp(middle - room / 2, 0.0F, std::max(height - room, 0.0F)));
}

// A figure in a child window: what does not fit is drawn smaller, as far as it stays readable, then
// scrolls.
void figure_in(Ui& ui, const char* id, const ShownRows& rows, ImVec2 room) {
    float smallest = 0.7F / std::clamp(ui.session.settings().scale, 1.0F, 1.4F);
    // Two figures have half the room: larger letters do not make them wider.
    if (ui.view<session::StepView>().beside()) smallest /= ui.palette.text_scale;
    ImGui::BeginChild(id, room, 0, ImGuiWindowFlags_HorizontalScrollbar);
    const figures::Point inner{(room.x - ui.px(14)) / ui.scale, room.y / ui.scale};
    const figures::Scene& scene = figure(ui, rows, inner, inner.x / smallest);
    const float fit =
        std::clamp(std::min(inner.x / scene.width, inner.y / scene.height), smallest, 1.0F);
    const Ui smaller = ui.smaller(fit);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float left = std::max(0.0F, (inner.x - scene.width * fit) / 2) * ui.scale;
    std::string* pointed_id = rows.chosen ? &ui.state<PointedCell>().id : nullptr;
    const std::string_view pointed =
        paint(smaller, scene, *ImGui::GetWindowDrawList(), {point.x + left, point.y}, pointed_id);
    follow_cursor(ui, rows, std::floor(smaller.px(scene.height)), room.y);
    ImGui::Dummy({smaller.px(scene.width), std::floor(smaller.px(scene.height))});
    show_tip(ui, pointed);
    ImGui::EndChild();
}

// The broken kernel at the left, the mended one at the right, each under its name.
void both_figures(Ui& ui, const ShownRows& chosen, ImVec2 room) {
    const session::StepView& view = ui.view<session::StepView>();
    const session::RunState& other = view.other();
    const ShownRows beside{other.run->table, other.version, ui.state<StepPanelState>().other,
                           false};
    const float gap = ui.px(12), half = (room.x - gap) / 2;
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const auto part = [&](float x, const ShownRows& rows) {
        ImGui::SetCursorScreenPos({x, point.y});
        ImGui::BeginGroup();
        {
            const TextStyle style(ui, Face::bold, kTextSize);
            const std::string title =
                ui.tr().get("variant." + rows.table.variant + ".title", rows.table.title);
            ImGui::TextUnformatted(
                ui.metrics.shortened(title, half / ui.scale, kTextSize, Face::bold).c_str());
        }
        const ImVec2 rest{half, room.y - ImGui::GetTextLineHeightWithSpacing() - ui.px(4)};
        figure_in(ui, rows.chosen ? "figure" : "other", rows, rest);
        ImGui::EndGroup();
    };
    part(point.x, view.broken() ? chosen : beside);
    part(point.x + half + gap, view.broken() ? beside : chosen);
    ImGui::SetCursorScreenPos(point);
    ImGui::Dummy(room);
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
    const ShownRows chosen{table, view.version(), ui.state<StepPanelState>().figure, true};
    if (view.beside() && other.run && !own)
        both_figures(ui, chosen, {room.x, height});
    else
        figure_in(ui, "figure", chosen, {room.x, height});
    if (view.beside() && other.problem) problem_card(ui, *other.problem, room.x);
    if (own) user_kernel_buffers(ui, *simulated.run, room.x);
    sentence_box(ui, table, room.x);
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

}  // namespace

void step_panel(Ui& ui, const Area& area) {
    begin_card(ui, "step", area.at, area.size);
    const StepPanelState& state = ui.state<StepPanelState>();
    const float width = ImGui::GetContentRegionAvail().x;
    step_heading(ui, width);
    const bool folded = ui.session.settings().choice.user_kernel && !state.form_open;
    if (ui.low() ? state.controls_open : !folded) step_controls(ui, width);
    const session::Asked<analysis::StepTable>& table = ui.view<session::StepView>().table();
    const session::KernelEditor& own = ui.session.kernels().editor();
    // Where the editor lists the mistakes, they are not all told twice.
    const bool listed = own.is_open() && !own.facts().compiles && !own.facts().marks.empty() &&
                        !(ui.narrow() && !state.kernel_instead);
    if (table.problem && listed) {
        message_box(ui, ui.tr()("user_kernel.wrong", fmt::arg("count", own.facts().marks.size())),
                    true, width);
        ImGui::Dummy({0, ui.px(9)});
        last_shown(ui);
    } else if (table.problem) {
        problem_card(ui, *table.problem, ImGui::GetContentRegionAvail().x);
        last_shown(ui);
    } else if (table.waiting &&
               session::Clock::now() > ui.view<session::StepView>().asked() + kLong) {
        label(ui, ui.tr()("step.takes_long"));
    }
    if (ui.narrow() && state.kernel_instead) {
        const Area inner{ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail()};
        kernel_text(ui, inner);
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
