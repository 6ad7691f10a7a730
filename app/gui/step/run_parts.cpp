#include "gui/step/run_parts.h"

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
#include "gui/parts/cached_scene.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/variables_table.h"
#include "gui/parts/widgets.h"
#include "gui/step/printed_list.h"
#include "gui/step/step_panels.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

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

figures::RunSubject subject_of(const Ui& ui, const simulation::MachineRun& run) {
    figures::RunSubject subject;
    subject.variant = run.table.variant;
    subject.title = run.table.title;
    subject.n = run.table.n;
    subject.group = run.table.group;
    subject.range = run.table.space.range();
    subject.op = run.table.op;
    subject.type = run.table.type;
    if (run.table.machine) subject.machine = *run.table.machine;
    subject.stopped = figures::fault_text(run.table, ui.tr());
    return subject;
}

// The pass that the diagram shows, of those with lanes; nothing at the start.
std::optional<std::size_t> shown_pass(const RunMoment& moment) {
    const simulation::MachineRun& run = moment.run;
    if (run.activity.size() + 1 != run.table.rows.size()) return {};
    const std::size_t row = moment.row;
    return row == 0 ? std::nullopt : std::optional(row - 1);
}

// Of the rows that may be seen.
figures::LaneChart lanes_of(const RunMoment& moment) {
    const simulation::MachineRun& run = moment.run;
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
                      return figures::lane_figure(lanes_of(moment), subject_of(ui, moment.run),
                                                  options, ui.metrics, ui.tr());
                  });
}

void memory_part(Ui& ui, const RunMoment& moment) {
    const auto request = analysis::most_expensive_request(*moment.run.run, moment.line);
    if (!request) return label(ui, ui.tr()("side.nothing"));
    cached_figure(ui, fmt::format("memory {} {}", moment.key, moment.line.value_or(0)),
                  [&](const figures::FigureOptions& options) {
                      return figures::bank_figure(*request, subject_of(ui, moment.run), options,
                                                  ui.metrics, ui.tr());
                  });
}

void variables_part(Ui& ui, const RunMoment& moment) {
    const simulation::MachineRun& run = moment.run;
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
    const simulation::MachineRun& run = moment.run;
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
    const simulation::MachineRun& run = moment.run;
    const std::uint64_t time = moment.whole_passes ? run.actions() : moment.time;
    hazard_list(ui, run.hazards, time + 1, ImGui::GetContentRegionAvail().x - ui.px(8),
                run.for_these_numbers);
}

void prints_part(Ui& ui, const RunMoment& moment) {
    const simulation::MachineRun& run = moment.run;
    printed_list(ui, run.prints, moment.time,
                 moment.hides_rows() ? run.row_ends[moment.rows - 1] : run.actions());
}

bool has_printf(const simulation::MachineRun& run) {
    return run.run != nullptr && analysis::calls_printf(*run.run);
}

constexpr std::array kRunParts{RunPart{"lanes", lanes_part, "lane"},
                               RunPart{"memory", memory_part, "sector"},
                               RunPart{"variables", variables_part, "private-memory"},
                               RunPart{"lineage", lineage_part, "lineage"},
                               RunPart{"races", races_part, "data-race"},
                               RunPart{"prints", prints_part, "schedule", has_printf}};

}  // namespace

bool RunMoment::hides_rows() const {
    return rows < run.table.rows.size();
}

std::span<const RunPart> run_parts() {
    return kRunParts;
}

const RunPart* find_run_part(std::string_view id) {
    const auto* const found = std::find_if(kRunParts.begin(), kRunParts.end(),
                                           [&](const RunPart& part) { return id == part.id; });
    return found == kRunParts.end() ? nullptr : found;
}

}  // namespace lab::gui
