#include "lessons/page_view.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/lineage.h"
#include "analysis/memory_traffic.h"
#include "analysis/step_table.h"
#include "analysis/warps.h"
#include "lessons/question.h"
#include "simulation/lattice_run.h"

namespace lab::lessons {
namespace {

bool asks_graded(const Page& page) {
    return page.ask && page.ask->kind != Kind::reflect;
}

// Only of kernels side by side is there a chart.
bool has_chart(const Page& page) {
    return page.ask && page.ask->kind == Kind::measure && page.ask->predict != Predict::share;
}

using Refusal = std::optional<Problem>;

Refusal no_chart(const Page& page) {
    if (has_chart(page)) return {};
    return Problem("There is no chart for this page", "It asks for no measurement of kernels",
                   "Ask measure with kernels, or show something else");
}

Refusal race_refusal(const Page& page, Runs& runs) {
    const machine::Job job = simulation::job_of(spec_of(page.show, runs.library()));
    for (const machine::Launch& launch : job.launches)
        if (launch.range.items() > simulation::kMostRaceItems)
            return Problem(
                fmt::format("{} work-items are too many for the race view", launch.range.items()),
                fmt::format("It takes up to {}", simulation::kMostRaceItems), "Show fewer numbers");
    return {};
}

Refusal lattice_refusal(const Page& page, Runs& runs) {
    if (page.show.hide_later && asks_graded(page))
        return Problem("The lattice hides nothing", "It is of the whole run",
                       "Leave out 'hide: later', or write 'view: step'");
    (void)simulation::lattice_of(spec_of(page.show, runs.library()));
    return {};
}

Refusal no_refusal(const Page& /*page*/, Runs& /*runs*/) {
    return {};
}

struct ViewEntry {
    const char* name;
    PageView view;
    Refusal (*refuses)(const Page& page, Runs& runs);
};
constexpr std::array kPageViews{
    ViewEntry{"step", PageView::rows, no_refusal},
    ViewEntry{"race", PageView::schedule, race_refusal},
    ViewEntry{"lattice", PageView::lattice, lattice_refusal},
    ViewEntry{"measure", PageView::chart, [](const Page& page, Runs&) { return no_chart(page); }}};

Refusal lanes_refusal(const simulation::MachineRun& run, std::size_t /*row*/) {
    if (!run.activity.empty()) return {};
    return Problem("There are no lanes to show", "No work-item did anything",
                   "Show another kernel");
}

Refusal memory_refusal(const simulation::MachineRun& run, std::size_t /*row*/) {
    if (analysis::most_expensive_request(*run.run)) return {};
    return Problem("There is no memory request to show", "The run ends before the first",
                   "Show another kernel");
}

Refusal lineage_refusal(const simulation::MachineRun& run, std::size_t /*row*/) {
    const std::size_t last = run.table.rows.size() - 1;
    const auto cell =
        memory_cell(*run.run, run.table.rows[last], result_cell(run.table).value_or(0));
    if (cell && cell_account(*run.run, *cell, run.row_ends[last])) return {};
    return Problem("There is no lineage to show", "It is not known which numbers are in the result",
                   "Show a kernel that sums them up");
}

Refusal variables_refusal(const simulation::MachineRun& run, std::size_t row) {
    const std::uint64_t time = run.row_ends[row];
    const machine::State state = run.run->state_at(time);
    const auto [slot, warp] = analysis::warp_at(state, run.timeline, time);
    if (!analysis::variables_of(run.run->machine(), state, slot, warp).empty()) return {};
    return Problem("There are no variables to show", "None is alive where the page stands",
                   "Stand at a pass before the last");
}

Refusal prints_refusal(const simulation::MachineRun& run, std::size_t /*row*/) {
    if (!run.prints.empty()) return {};
    return Problem("There is nothing printed to show",
                   analysis::calls_printf(*run.run) ? "No call of printf is reached"
                                                    : "The kernel does not call printf",
                   "Show a kernel that prints, or another panel");
}

struct PanelEntry {
    const char* name;
    Refusal (*refuses)(const simulation::MachineRun& run, std::size_t row);
};
constexpr std::array kPagePanels{
    PanelEntry{"lanes", lanes_refusal},
    PanelEntry{"memory", memory_refusal},
    PanelEntry{"lineage", lineage_refusal},
    PanelEntry{"variables", variables_refusal},
    PanelEntry{"prints", prints_refusal},
    PanelEntry{"races", [](const simulation::MachineRun&, std::size_t) { return Refusal(); }}};

Refusal panel_refusal(const Page& page, Runs& runs) {
    const std::string& panel = page.show.panel;
    const PageView view = view_of(page);
    if (panel.empty()) return {};
    if (panel == "chart" && view == PageView::chart)
        return Problem("The chart is there twice", "'view: measure' shows it",
                       "Write 'panel: none'");
    if (panel == "chart") return no_chart(page);
    if (view == PageView::schedule)
        return Problem(fmt::format("There is no panel '{}' beside a schedule", panel),
                       "It is about a whole run, and this one is still to be chosen",
                       "Write 'panel: none'");
    Facts& facts = runs.facts(page.show);
    const simulation::MachineRun& run = facts.run();
    if (run.run == nullptr)
        return Problem("There is no run to show", "Nothing is launched", "Show another kernel");
    const std::size_t row = std::min(row_of(page.show.at, facts), run.table.rows.size() - 1);
    for (const PanelEntry& entry : kPagePanels)
        if (panel == entry.name) return entry.refuses(run, row);
    return {};
}

}  // namespace

PageView view_of(const Page& page) {
    if (page.ask && page.ask->kind == Kind::schedule) return PageView::schedule;
    for (const ViewEntry& entry : kPageViews)
        if (page.show.view == entry.name) return entry.view;
    return PageView::rows;
}

std::optional<Problem> cannot_show(const Page& page, Runs& runs) {
    const bool schedule = page.ask && page.ask->kind == Kind::schedule;
    if (schedule && page.show.view != "step" && page.show.view != "race")
        return Problem("A schedule is chosen in the race view",
                       fmt::format("The page names '{}'", page.show.view), "Write 'view: race'");
    const PageView view = view_of(page);
    for (const ViewEntry& entry : kPageViews)
        if (view == entry.view)
            if (Refusal refusal = entry.refuses(page, runs)) return refusal;
    return panel_refusal(page, runs);
}

bool panel_waits(const Page& page) {
    const std::string& panel = page.show.panel;
    if (!asks_graded(page)) return false;
    if (panel == "chart") return true;
    if (page.ask->kind == Kind::edit || page.ask->kind == Kind::measure) return false;
    if (panel == "races") return true;
    // The others are cut off where the rows are, and so is the beginning left of them.
    return page.show.hide_later && (panel == "memory" || page.show.at.kind == Place::Kind::start);
}

std::optional<std::uint32_t> memory_line(const Show& show, const machine::Run& run) {
    for (const std::uint32_t line : analysis::lines_with_requests(run))
        for (const auto& [first, last] : show.lines)
            if (first <= line && line <= last) return line;
    return {};
}

}  // namespace lab::lessons
