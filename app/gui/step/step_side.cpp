// The step view's lower right: lanes, memory, variables, lineage and races of the machine's run,
// and the host's program.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>

#include "analysis/lanes/memory_request.h"
#include "analysis/lanes/warp_variables.h"
#include "analysis/rows/cells.h"
#include "figures/figures/account_figure.h"
#include "figures/figures/bank_figure.h"
#include "figures/figures/lane_figure.h"
#include "figures/parts/run_text/pass_text.h"
#include "gui/glossary/glossary_card.h"
#include "gui/parts/cached_scene.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/variables_table.h"
#include "gui/parts/widgets.h"
#include "gui/step/step_panels.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;
using session::Grain;

struct Tab {
    const char* id;                                     // of its words: "side.<id>"
    void (*draw)(Ui& ui, simulation::MachineRun& run);  // null: it is not about the run
    const char* word;                                   // of the glossary
    void (*draw_alone)(Ui& ui) = nullptr;
};

struct SideState {
    CachedScene scene;
};

// A figure as wide as the panel; `key`: what it is of, beside the run.
void cached_figure(Ui& ui, const std::string& key,
                   const std::function<figures::Scene(const figures::FigureOptions&)>& lay_out) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float inner = room.x - ImGui::GetStyle().ScrollbarSize;
    const float width = inner / ui.scale;
    const std::uint64_t version = ui.view<session::StepView>().simulated().version;
    const figures::Scene& scene =
        ui.state<SideState>().scene.get(ui, fmt::format("{} {} {}", key, version, width), [&] {
            return lay_out({width, ui.palette.text_scale, false});
        });
    // What is wider than the panel is drawn smaller, as far as it stays readable.
    const float fit = std::clamp(inner / ui.px(scene.width), 0.75F / ui.palette.text_scale, 1.0F);
    show_scene(ui.smaller(fit), scene, "side_figure", room);
}

figures::RunSubject subject_of(const Ui& ui, const simulation::MachineRun& run) {
    figures::RunSubject subject;
    subject.variant = run.table.variant;
    subject.title = run.table.title;
    subject.n = run.table.n;
    subject.group = run.table.group;
    subject.op = run.table.op;
    subject.type = run.table.type;
    if (run.table.machine) subject.machine = *run.table.machine;
    subject.stopped = figures::fault_text(run.table, ui.tr());
    return subject;
}

// The pass that the diagram shows, of those with lanes; nothing at the start.
std::optional<std::size_t> shown_pass(const Ui& ui, const simulation::MachineRun& run) {
    const session::StepView& step = ui.view<session::StepView>();
    if (run.activity.size() + 1 != run.table.rows.size()) return {};
    const std::size_t row = step.row();
    return row == 0 ? std::nullopt : std::optional(row - 1);
}

void lanes_tab(Ui& ui, simulation::MachineRun& run) {
    if (run.activity.empty()) return label(ui, ui.tr()("side.nothing"));
    const std::optional<std::size_t> current = shown_pass(ui, run);
    const std::string key = current ? fmt::format("lanes {}", *current) : "lanes";
    cached_figure(ui, key, [&](const figures::FigureOptions& options) {
        const figures::LaneChart chart{run.activity, run.lanes.total, run.lanes.branches, current,
                                       run.activity.size() + 1 == run.table.rows.size()};
        return figures::lane_figure(chart, subject_of(ui, run), options, ui.metrics, ui.tr());
    });
}

void memory_tab(Ui& ui, simulation::MachineRun& run) {
    std::optional<std::uint32_t> line;
    const session::StepView& step = ui.view<session::StepView>();
    if (step.grain() != Grain::pass && step.time() > 0 && step.time() <= run.actions()) {
        const analysis::TimelineAction& action = run.timeline.actions[step.time() - 1];
        if (!action.cells.empty()) line = action.line;
    }
    const auto request = analysis::most_expensive_request(*run.run, line);
    if (!request) return label(ui, ui.tr()("side.nothing"));
    cached_figure(ui, fmt::format("memory {}", line.value_or(0)),
                  [&](const figures::FigureOptions& options) {
                      return figures::bank_figure(*request, subject_of(ui, run), options,
                                                  ui.metrics, ui.tr());
                  });
}

// The warp that acted last, else the first that still runs.
std::pair<std::size_t, std::uint32_t> shown_warp(const simulation::MachineRun& run,
                                                 const machine::State& state, std::uint64_t time) {
    if (time > 0 && time <= run.actions()) {
        const analysis::TimelineAction& action = run.timeline.actions[time - 1];
        if (const auto slot = machine::slot_of(state, action.group); slot)
            return {*slot, action.warp};
    }
    for (std::size_t slot = 0; slot < state.groups.size(); ++slot)
        for (std::uint32_t warp = 0; warp < state.groups[slot]->warps.size(); ++warp)
            if (state.groups[slot]->warps[warp].status != machine::Status::done)
                return {slot, warp};
    return {0, 0};
}

void variables_tab(Ui& ui, simulation::MachineRun& run) {
    const std::uint64_t time = ui.view<session::StepView>().time();
    const machine::State state = run.run->state_at(time);
    const auto [slot, warp] = shown_warp(run, state, time);
    const std::vector<analysis::VariableRow> rows =
        analysis::variables_of(run.run->machine(), state, slot, warp);
    if (rows.empty()) return label(ui, ui.tr()("side.no_variables"));
    const machine::Context& context = run.run->machine().context(state.launch);
    const std::uint64_t first =
        std::uint64_t{state.groups[slot]->id} * context.local + std::uint64_t{warp} * context.lanes;
    const std::uint64_t exec = state.groups[slot]->warps[warp].exec;
    variables_table(ui, rows, first, exec);
}

void lineage_tab(Ui& ui, simulation::MachineRun& run) {
    const analysis::StepTable& table = run.table;
    std::size_t row = table.rows.size() - 1, cell = 0;
    const auto result = result_cell(table);
    if (result) cell = *result;
    unsigned long pointed_row = 0, pointed_cell = 0;
    if (std::sscanf(ui.view<session::StepView>().traced().c_str(), "cell %lu %lu", &pointed_row,
                    &pointed_cell) == 2 &&
        pointed_row < table.rows.size() && pointed_cell < table.rows[pointed_row].cells.size()) {
        row = pointed_row;
        cell = pointed_cell;
    } else {
        label(ui, ui.tr()("side.point"));
    }
    const auto memory = memory_cell(*run.run, table.rows[row], cell);
    const auto account = memory ? cell_account(*run.run, *memory, run.row_ends[row]) : std::nullopt;
    if (!account) return label(ui, ui.tr()("side.nothing"));
    cached_figure(ui, fmt::format("lineage {} {}", row, cell),
                  [&](const figures::FigureOptions& options) {
                      figures::AccountFigureOptions about;
                      about.figure = options;
                      about.whole = row + 1 == table.rows.size() && result == cell && !table.parts;
                      about.row = account->inputs.size() == table.rows[0].cells.size();
                      about.chooses = table.op == "min" || table.op == "max";
                      return figures::account_figure(*account, about, ui.metrics, ui.tr());
                  });
}

void races_tab(Ui& ui, simulation::MachineRun& run) {
    const std::uint64_t time = ui.view<session::StepView>().grain() == Grain::pass
                                   ? run.actions()
                                   : ui.view<session::StepView>().time();
    const auto& variant = run.subject.variant;
    hazard_list(ui, run.hazards, time + 1, ImGui::GetContentRegionAvail().x - ui.px(8),
                variant && variant->expect.co_resident);
}

constexpr std::array kStepTabs{Tab{"lanes", lanes_tab, "lane"},
                               Tab{"memory", memory_tab, "sector"},
                               Tab{"variables", variables_tab, "private-memory"},
                               Tab{"lineage", lineage_tab, "lineage"},
                               Tab{"races", races_tab, "data-race"},
                               Tab{"host", nullptr, "host", host_tab}};

}  // namespace

void step_side(Ui& ui, const Area& area) {
    begin_card(ui, "side", area.at, area.size, ImGuiWindowFlags_NoScrollbar);
    const std::string open = ui.view<session::StepView>().side();
    // As close together as it takes to stand in one row, where they can.
    float words = 0, used = 0;
    for (const Tab& tab : kStepTabs)
        words += ImGui::CalcTextSize(ui.tr()(std::string("side.") + tab.id).c_str()).x;
    const float room = ImGui::GetContentRegionAvail().x;
    const float sides = 2 * static_cast<float>(kStepTabs.size());
    const float spare = (room - words) / sides / ui.scale - 1.5F;
    const float around = spare < 5 ? 12 : std::min(spare, 12.0F);
    for (const Tab& tab : kStepTabs) {
        const std::string key = std::string("side.") + tab.id;
        const float width = ImGui::CalcTextSize(ui.tr()(key).c_str()).x + ui.px(2 * around + 2);
        if (used > 0 && used + width < room)
            ImGui::SameLine(0, 0);
        else
            used = 0;
        used += width;
        if (pill(ui, key.c_str(), ui.tr()(key), open == tab.id, around))
            ui.change<session::StepView>().show_side(tab.id);
        explain_item(ui, tab.word, ui.tr()(key + ".tip"));
    }
    const auto* const tab = std::find_if(kStepTabs.begin(), kStepTabs.end(),
                                         [&](const Tab& each) { return open == each.id; });
    const std::shared_ptr<simulation::MachineRun>& run =
        ui.view<session::StepView>().simulated().run;
    const bool of_run = tab == kStepTabs.end() || tab->draw != nullptr;
    if (of_run && run && ui.view<session::StepView>().table().answer &&
        ui.view<session::StepView>().table().answer->source != "machine")
        label(ui, ui.tr()("side.of_machine"));
    ImGui::BeginChild("part", ImGui::GetContentRegionAvail());
    if (!of_run)
        tab->draw_alone(ui);
    else if (!run || run->run == nullptr)
        label(ui, ui.tr()(ui.view<session::StepView>().simulated().waiting ? "step.waiting"
                                                                           : "side.nothing"));
    else if (tab != kStepTabs.end())
        tab->draw(ui, *run);
    ImGui::EndChild();
    end_card();
}

}  // namespace lab::gui
