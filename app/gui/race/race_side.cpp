// The race view's right side: every result, the races, what the toggle changes, the kernel's text.
#include <array>

#include "figures/figures/toggle_figure.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "gui/shell/panel_list.h"
#include "session/step/machine_run.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

constexpr std::array kRaceTabs{"results", "hazards", "toggle", "text"};

figures::ToggledRun toggled(const Ui& ui, const session::MachineRun& run) {
    figures::ToggledRun made;
    made.timeline = &run.timeline;
    made.title = run.subject.variant ? title_of(ui, *run.subject.variant) : run.passes.title;
    made.result = run.passes.result;
    made.expected = run.passes.expected;
    made.right = run.passes.right;
    made.races = races_in(run.hazards) > 0;
    return made;
}

void toggle_part(Ui& ui, PanelState& state, float width) {
    const session::MachineState& mine = ui.session.machine();
    const session::MachineState& other = ui.session.other();
    {
        const TextStyle style(ui, Face::bold, kTextSize + 2);
        wrapped(ui.tr()("toggle.title"), width);
    }
    if (other.problem) problem_card(ui, *other.problem, width);
    if (!mine.run || !other.run || mine.run->run == nullptr || other.run->run == nullptr) {
        label(ui, ui.tr()("step.waiting"));
        return;
    }
    PanelState::MomentPicture& kept = state.toggle_picture;
    PanelState::MomentPicture now;
    now.version = mine.version * 1'000'003 + other.version;
    now.width = width / ui.scale;
    now.language = ui.tr().language();
    now.theme = ui.palette.name;
    if (!kept.same_as(now)) {
        std::vector<figures::ToggledRun> runs{toggled(ui, *mine.run), toggled(ui, *other.run)};
        if (!ui.session.broken()) std::swap(runs[0], runs[1]);
        now.scene =
            figures::toggle_figure(runs, {now.width, ui.palette.text_scale}, ui.metrics, ui.tr());
        now.made = true;
        kept = std::move(now);
    }
    show_scene(
        ui, kept.scene, "toggled",
        {width, std::min(ui.px(kept.scene.height) + ui.px(6), ImGui::GetContentRegionAvail().y)});
}

}  // namespace

void race_side(Ui& ui, PanelState& state, const Area& area) {
    begin_card(ui, "race_side", area.at, area.size);
    for (const char* tab : kRaceTabs) {
        const std::string key = std::string("race.tab_") + tab;
        if (tab != kRaceTabs.front()) ImGui::SameLine(0, 0);
        if (pill(ui, key.c_str(), ui.tr()(key), state.race_tab == tab)) state.race_tab = tab;
        tip(ui, ui.tr()(key + ".tip"));
    }
    ImGui::Dummy({0, ui.px(4)});
    if (state.race_tab == "text") {
        kernel_inside(ui, state, ImGui::GetContentRegionAvail());
    } else {
        ImGui::BeginChild("tab", ImGui::GetContentRegionAvail());
        const float width = ImGui::GetContentRegionAvail().x - ui.px(4);
        const session::RaceDesk& desk = ui.session.race();
        if (state.race_tab == "results")
            race_results(ui, state, width);
        else if (state.race_tab == "toggle")
            toggle_part(ui, state, width);
        else if (desk.race())
            hazard_list(ui, desk.race()->hazards(), desk.race()->cursor(), width,
                        desk.race()->subject().variant &&
                            desk.race()->subject().variant->expect.co_resident);
        ImGui::EndChild();
    }
    end_card();
}

}  // namespace lab::gui
