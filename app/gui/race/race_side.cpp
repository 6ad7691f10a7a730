// The race view's right side: every result, the races, what the toggle changes, the kernel's text.
#include <array>

#include "figures/figures/toggle_figure.h"
#include "gui/kernels/kernel_panels.h"
#include "gui/parts/cached_scene.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "gui/race/race_panels.h"
#include "gui/step/step_panels.h"
#include "session/race/race.h"
#include "session/race/race_view.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

struct RaceSideState {
    CachedScene toggled;
};

constexpr std::array kRaceTabs{"results", "hazards", "toggle", "text"};

figures::ToggledRun toggled(const Ui& ui, const simulation::MachineRun& run) {
    figures::ToggledRun toggled_run;
    toggled_run.timeline = &run.timeline;
    toggled_run.title = run.subject.variant ? title_of(ui, *run.subject.variant) : run.table.title;
    toggled_run.result = run.table.result;
    toggled_run.expected = run.table.expected;
    toggled_run.right = run.table.right;
    toggled_run.races = races_in(run.hazards) > 0;
    return toggled_run;
}

void toggle_part(Ui& ui, float width) {
    const session::RunState& mine = ui.view<session::StepView>().simulated();
    const session::RunState& other = ui.view<session::StepView>().other();
    {
        const TextStyle style(ui, Face::bold, kTextSize + 2);
        wrapped(ui.tr()("toggle.title"), width);
    }
    if (other.problem) problem_card(ui, *other.problem, width);
    if (!mine.run || !other.run || mine.run->run == nullptr || other.run->run == nullptr) {
        label(ui, ui.tr()("step.waiting"));
        return;
    }
    const float points = width / ui.scale;
    const figures::Scene& scene = ui.state<RaceSideState>().toggled.get(
        ui, fmt::format("{} {} {}", mine.version, other.version, points), [&] {
            std::vector<figures::ToggledRun> runs{toggled(ui, *mine.run), toggled(ui, *other.run)};
            if (!ui.view<session::StepView>().broken()) std::swap(runs[0], runs[1]);
            return figures::toggle_figure(runs, {points, ui.palette.text_scale}, ui.metrics,
                                          ui.tr());
        });
    show_scene(ui, scene, "toggled",
               {width, std::min(ui.px(scene.height) + ui.px(6), ImGui::GetContentRegionAvail().y)});
}

std::uint32_t scheduled_line(const Ui& ui) {
    const session::Race* race = ui.view<session::RaceView>().race();
    return race != nullptr && race->state_view().last ? race->state_view().last->line : 0;
}

}  // namespace

void race_side(Ui& ui, const Area& area) {
    begin_card(ui, "race_side", area.at, area.size);
    const std::string open = ui.view<session::RaceView>().side();
    for (const char* tab : kRaceTabs) {
        const std::string key = std::string("race.tab_") + tab;
        if (tab != kRaceTabs.front()) ImGui::SameLine(0, 0);
        if (pill(ui, key.c_str(), ui.tr()(key), open == tab))
            ui.change<session::RaceView>().show_side(tab);
        tip(ui, ui.tr()(key + ".tip"));
    }
    ImGui::Dummy({0, ui.px(4)});
    if (open == "text") {
        kernel_inside(ui, ImGui::GetContentRegionAvail(), scheduled_line(ui));
    } else {
        ImGui::BeginChild("tab", ImGui::GetContentRegionAvail());
        const float width = ImGui::GetContentRegionAvail().x - ui.px(4);
        const session::RaceView& view = ui.view<session::RaceView>();
        if (open == "results")
            race_results(ui, width);
        else if (open == "toggle")
            toggle_part(ui, width);
        else if (view.race())
            hazard_list(ui, view.race()->hazards(), view.race()->cursor(), width,
                        view.race()->subject().variant &&
                            view.race()->subject().variant->expect.co_resident);
        ImGui::EndChild();
    }
    end_card();
}

}  // namespace lab::gui
