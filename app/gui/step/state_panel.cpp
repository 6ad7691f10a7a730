// The step view's middle where one goes by lines or actions: memory and work-items as they are now.
#include <fmt/format.h>

#include "figures/figures/state_figure.h"
#include "gui/parts/cached_scene.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "gui/step/step_panels.h"
#include "session/step/machine_run.h"
#include "session/step/step_view.h"

namespace lab::gui {
namespace {

struct StatePictureState {
    CachedScene scene;
};

std::string sentence(const Ui& ui, const session::MachineRun& run,
                     const analysis::StateView& state) {
    const auto& tr = ui.tr();
    for (const analysis::StaleArc& arc : run.timeline.stale)
        if (arc.read + 1 == state.time)
            return tr(arc.too_new ? "race.stale_new" : "race.stale", fmt::arg("item", arc.item),
                      fmt::arg("cell", arc.cell), fmt::arg("took", arc.took),
                      fmt::arg("missed", arc.missed), fmt::arg("writer", arc.writer));
    if (!state.last) return tr("state.start");
    analysis::WarpView who;
    who.group = state.last->group;
    who.warp = state.last->warp;
    who.first_item = state.last->touches.empty() ? 0 : state.last->touches[0].item;
    std::string text = fmt::format("{}: {}", figures::warp_text(who, state, tr),
                                   figures::action_text(*state.last, tr));
    // For the launch that it was in: after its last action the next one is about to begin.
    const std::string& variables = run.run->machine().job().launches[state.last->launch].variables;
    if (!variables.empty()) text += " · " + variables;
    if (state.time == run.actions() && run.fault)
        text += ". " + translated(run.fault->phrases.what, tr, run.fault->what_happened);
    return text;
}

}  // namespace

void show_state(Ui& ui, ImVec2 room) {
    const session::RunState& simulated = ui.view<session::StepView>().simulated();
    if (!simulated.run || simulated.run->run == nullptr) return;
    session::MachineRun& run = *simulated.run;
    const std::uint64_t time = ui.view<session::StepView>().time();
    const float width = room.x / ui.scale;
    const figures::Scene& scene = ui.state<StatePictureState>().scene.get(
        ui, fmt::format("{} {} {}", simulated.version, time, width), [&] {
            const analysis::StateView state = analysis::state_view_of(*run.run, time);
            figures::StateFigureOptions options;
            options.figure = {width, ui.palette.text_scale, false};
            figures::Scene figure = figures::state_figure(state, options, ui.metrics, ui.tr());
            figure.description = sentence(ui, run, state);
            return figure;
        });
    bool stale = false;
    for (const analysis::StaleArc& arc : run.timeline.stale)
        stale = stale || arc.read + 1 == time;
    const std::string& words = scene.description;
    const float below =
        ImGui::CalcTextSize(words.c_str(), nullptr, false, room.x - ui.px(22)).y + ui.px(22 + 10);
    show_scene(ui, scene, "state",
               {room.x, std::max(ImGui::GetContentRegionAvail().y - below, ui.px(60))});
    message_box(ui, words, stale, room.x);
}

}  // namespace lab::gui
