// The way through a run in the step view: by passes, lines or actions.
#include <array>
#include <utility>

#include "figures/parts/run_text/pass_text.h"
#include "gui/parts/widgets.h"
#include "gui/step/step_panels.h"
#include "gui/step/transport.h"
#include "session/step/step_view.h"

namespace lab::gui {
namespace {

using figures::Face;

// In passes: their ends, and those in which a race showed.
std::vector<Stop> pass_stops(const Ui& ui, const analysis::StepTable& table) {
    std::vector<Stop> stops;
    const std::size_t last = table.rows.size() - 1;
    for (std::size_t pass = 0; pass <= last; ++pass) {
        const bool stale = !table.rows[pass].stale.empty();
        const bool fault = pass == last && !table.fault.empty();
        stops.push_back({part_of(pass, last),
                         fault   ? simulation::Mark::Kind::fault
                         : stale ? simulation::Mark::Kind::race
                                 : simulation::Mark::Kind::barrier,
                         figures::pass_title(table, pass, ui.tr())});
    }
    return stops;
}

const char* name_of(simulation::Mark::Kind kind) {
    static constexpr std::array<const char*, 4> kNames{"mark.barrier", "mark.launch", "mark.race",
                                                       "mark.fault"};
    return kNames.at(static_cast<std::size_t>(kind));
}

// In lines and actions: barriers, launches, races and faults.
std::vector<Stop> time_stops(const Ui& ui, const simulation::MachineRun& run) {
    std::vector<Stop> stops;
    for (const simulation::Mark& mark : run.marks)
        stops.push_back(
            {part_of(mark.time, run.actions()), mark.kind, ui.tr()(name_of(mark.kind))});
    return stops;
}

// How far one step goes, as three tabs; where these do not fit, as one that goes round.
void grains(Ui& ui) {
    static constexpr std::array<std::pair<session::Grain, const char*>, 3> kGrains{
        {{session::Grain::pass, "grain.pass"},
         {session::Grain::line, "grain.line"},
         {session::Grain::action, "grain.action"}}};
    float words = 0;
    for (const auto& [grain, key] : kGrains) {
        const Face face = ui.view<session::StepView>().grain() == grain ? Face::bold : Face::sans;
        words += ui.px(ui.metrics.text_width(ui.tr()(key), kTextSize, face));
    }
    ImGui::SameLine(0, ui.px(4));
    const float room = line_end() - ImGui::GetCursorPosX();
    const bool all = room > words + ui.px(3 * 2 * 6);
    const float around = room > words + ui.px(3 * 2 * 12) ? 12 : 6;
    bool first = true;
    for (const auto& [grain, key] : kGrains) {
        const bool chosen = ui.view<session::StepView>().grain() == grain;
        if (!all && !chosen) continue;
        if (!first) ImGui::SameLine(0, 0);
        first = false;
        if (pill(ui, key, ui.tr()(key), chosen, around)) {
            if (all)
                ui.change<session::StepView>().set_grain(grain);
            else
                ui.run("step.grain");
        }
        command_tip(ui, ui.session.command("step.grain"));
    }
}

std::vector<Stop> stops(const Ui& ui) {
    const session::StepView& view = ui.view<session::StepView>();
    if (view.grain() == session::Grain::pass)
        return view.table().answer ? pass_stops(ui, *view.table().answer) : std::vector<Stop>();
    return view.simulated().run ? time_stops(ui, *view.simulated().run) : std::vector<Stop>();
}

}  // namespace

void step_transport(Ui& ui, const Area& area) {
    transport(ui, area, stops(ui), grains);
}

}  // namespace lab::gui
