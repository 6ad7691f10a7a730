#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "figures/figures/pass_figure.h"
#include "figures/parts/pass_text.h"
#include "gui/kernels/kernel_panels.h"
#include "gui/kernels/user_kernel_panel.h"
#include "gui/parts/cached_scene.h"
#include "gui/parts/presented.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "gui/step/step_panels.h"
#include "gui/step/transport.h"
#include "session/step/machine_run.h"
#include "session/step/step_view.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

enum class Part : std::uint8_t { figure, text, side };  // what takes turns in a narrow window

struct StepPanelState {
    bool controls_open = false;  // where they are folded
    bool form_open = true;       // the launch of a kernel of the user's own
    bool legend_fits = true;     // beside the diagram as it is
    bool legend_open = false;    // where it does not fit
    Part part = Part::figure;
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
    if (ui.folds_controls())
        result.push_back({state.controls_open ? "step.hide_controls" : "step.show_controls",
                          "step.show_controls.tip", &state.controls_open});
    if (ui.session.settings().choice.user_kernel && !ui.folds_controls())
        result.push_back({state.form_open ? "user_kernel.hide_form" : "user_kernel.show_form",
                          "user_kernel.show_form.tip", &state.form_open});
    if (!state.legend_fits)
        result.push_back({state.legend_open ? "step.hide_legend" : "step.show_legend",
                          "step.show_legend.tip", &state.legend_open});
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
    // A user kernel has no other one beside it.
    const bool own = ui.session.settings().choice.user_kernel.has_value();
    const float toggle = own ? 0 : broken_switch_width(ui);
    const float beside =
        ImGui::CalcTextSize(ui.tr()("command.toggle.beside").c_str()).x + ui.px(26);
    // In a narrow window a sign says what there is no room for.
    const float both = own ? 0 : ui.narrow() ? ui.px(40) : beside;
    float buttons = toggle + ui.px(8) + both + part_tabs_width(ui);
    for (const Switch& entry : switches(ui))
        buttons += ImGui::CalcTextSize(ui.tr()(entry.key).c_str()).x + ui.px(26);
    const float used = kernel_title(ui, title, width - buttons);
    if (const auto& table = ui.view<session::StepView>().table().answer) {
        ImGui::SameLine(0, ui.px(12));
        ImGui::SetCursorPosY(top + ui.px(4));
        beside_title(ui, figures::subtitle(*table, ui.tr()), width - used - ui.px(16) - buttons);
    }
    ImGui::SameLine();
    ImGui::SetCursorPos({line_end() - buttons + ui.px(8), top});
    part_tabs(ui);
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
    const bool alone = ui.session.presenting();
    const auto& witness = ui.view<session::StepView>().witness().answer;
    const bool witnessed = rows.chosen && witness && witness->rows;
    figures::PassFigureOptions options;
    options.shown = rows.cursor(ui) + 1;
    options.width = size.x;
    options.most_width = most;
    options.text_scale = ui.palette.text_scale;
    options.device = witnessed ? &*witness->rows : nullptr;
    options.legend = !alone;
    options.announce = true;
    StepPanelState& state = ui.state<StepPanelState>();
    return rows.cache.get(ui,
                          fmt::format("{} {} {} {} {} {}", rows.version, options.shown, size.x,
                                      size.y, alone, state.legend_open),
                          [&] {
                              figures::Scene scene =
                                  figures::pass_figure(rows.table, options, ui.metrics, ui.tr());
                              if (alone) return scene;
                              if (rows.chosen) state.legend_fits = scene.height <= size.y;
                              if (scene.height <= size.y || state.legend_open) return scene;
                              options.legend = false;
                              return figures::pass_figure(rows.table, options, ui.metrics, ui.tr());
                          });
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

// Pixels that a point of the figure takes at most: as many as it would take at the largest scale of
// the window, so that a larger one never makes it smaller.
float most_fit(const Ui& ui, const figures::Scene& scene) {
    constexpr float kShare = 0.5F;  // of the window's height, which is there at every scale
    if (ui.session.presenting()) return std::numeric_limits<float>::max();
    return std::max(1.0F, kShare * ui.window().y / scene.height);
}

// Of a figure that scrolls anyway: no smaller than it would be at the window's smallest scale,
// where it does not; many marks without text are as wide as there is room for.
float scrolling_fit(const Ui& ui, const figures::Scene& scene, const analysis::StepTable& table) {
    constexpr float kShare = 0.6F;  // of the window's height
    return table.n > figures::kMostFullCells
               ? 1.0F
               : std::min(kShare * ui.window().y / scene.height, 1.0F);
}

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

// Of figures: no less readable than this.
float smallest_fit(const Ui& ui) {
    const float smallest = 0.7F / std::clamp(ui.session.settings().scale, 1.0F, 1.4F);
    // Two figures have half the room: larger letters do not make them wider.
    return ui.view<session::StepView>().beside() ? smallest / ui.palette.text_scale : smallest;
}

// A run's figure for a room of so many pixels, and how large it is drawn.
struct Fitted {
    const figures::Scene& scene;
    figures::Point inner;  // points
    float fit;
};

Fitted fitted(const Ui& ui, const ShownRows& rows, ImVec2 room) {
    const float smallest = smallest_fit(ui);
    const figures::Point inner{(room.x - ui.px(14)) / ui.scale, room.y / ui.scale};
    const figures::Scene& scene = figure(ui, rows, inner, inner.x / smallest);
    const bool scrolls = inner.y / scene.height < smallest;
    const float fit = scrolls ? std::clamp(scrolling_fit(ui, scene, rows.table), smallest,
                                           std::max(smallest, inner.x / scene.width))
                              : std::clamp(std::min(inner.x / scene.width, inner.y / scene.height),
                                           smallest, std::max(most_fit(ui, scene), smallest));
    return {scene, inner, fit};
}

// A figure in a child window: as large as there is room for it. What does not fit is drawn smaller,
// as far as it stays readable, then scrolls. `both`: of two, the same for both, which then begin at
// the same height.
void figure_in(Ui& ui, const char* id, const ShownRows& rows, ImVec2 room,
               std::optional<float> both = {}) {
    ImGui::BeginChild(id, room, 0, ImGuiWindowFlags_HorizontalScrollbar);
    const auto [scene, inner, alone] = fitted(ui, rows, room);
    const float fit = both.value_or(alone);
    const Ui smaller = ui.smaller(fit);
    ImVec2 point = ImGui::GetCursorScreenPos();
    const float left = both ? 0 : std::max(0.0F, (inner.x - scene.width * fit) / 2) * ui.scale;
    if (!both) point.y += std::max(0.0F, (inner.y - scene.height * fit) / 3) * ui.scale;
    const session::StepView& view = ui.view<session::StepView>();
    std::string cell = view.pointed();
    const bool traced = view.side() == "lineage" && !ui.session.presenting();
    const std::string_view pointed =
        paint(smaller, scene, *ImGui::GetWindowDrawList(), {point.x + left, point.y},
              rows.chosen ? &cell : nullptr, traced);
    if (cell != view.pointed()) ui.change<session::StepView>().point_at(cell);
    follow_cursor(ui, rows, std::floor(smaller.px(scene.height)), room.y);
    if (const auto row = row_area(scene, rows.cursor(ui))) {
        ImGui::SetCursorScreenPos(
            {point.x + left + smaller.px(row->at.x), point.y + smaller.px(row->at.y)});
        diagram_item("row", {smaller.px(row->size.x), smaller.px(row->size.y)});
    }
    ImGui::SetCursorScreenPos({point.x + left, point.y});
    diagram_item("diagram", {smaller.px(scene.width), std::floor(smaller.px(scene.height))});
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
    const ImVec2 rest{half, room.y - ImGui::GetTextLineHeightWithSpacing() - ui.px(4)};
    const float fit = std::min(fitted(ui, chosen, rest).fit, fitted(ui, beside, rest).fit);
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
        figure_in(ui, rows.chosen ? "figure" : "other", rows, rest, fit);
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

}  // namespace

bool step_wants_width(const Ui& ui) {
    return ui.view<session::StepView>().beside() && !ui.session.settings().choice.user_kernel;
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
        const ShownRows chosen{*table, view.version(), ui.state<StepPanelState>().figure, true};
        const session::RunState& other = view.other();
        presented.picture = [&](ImVec2 room) {
            if (view.beside() && other.run)
                both_figures(ui, chosen, room);
            else
                figure_in(ui, "figure", chosen, room);
        };
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
    const session::KernelEditor& own = ui.session.kernels().editor();
    // Where the editor lists the mistakes, they are not all told twice.
    const bool listed = own.is_open() && !own.facts().compiles && !own.facts().marks.empty() &&
                        !(ui.narrow() && state.part != Part::text);
    if (table.problem && listed) {
        message_box(ui, ui.tr()("user_kernel.wrong", fmt::arg("count", own.facts().marks.size())),
                    Tone::wrong, width);
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
