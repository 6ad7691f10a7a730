// The step view's middle where one goes by lines or actions: memory and work-items as they are now.
#include <fmt/format.h>

#include <algorithm>

#include "figures/figures/state_figure.h"
#include "figures/parts/run_text/pass_text.h"
#include "gui/parts/cached_scene.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "gui/step/step_panels.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

constexpr float kMostFit = 3;

struct StatePictureState {
    CachedScene scene;
    float width = 800;  // points
};

std::string sentence(const Ui& ui, const simulation::MachineRun& run,
                     const analysis::StateView& state) {
    const auto& tr = ui.tr();
    for (const analysis::StaleArc& arc : run.timeline.stale)
        if (arc.read + 1 == state.time)
            return tr(arc.too_new ? "race.stale_new" : "race.stale",
                      fmt::arg("item", run.timeline.space.item_name(arc.item)),
                      fmt::arg("cell", arc.cell), fmt::arg("took", arc.took),
                      fmt::arg("missed", arc.missed),
                      fmt::arg("writer", run.timeline.space.item_name(arc.writer)));
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
        text += tr("figure.stop") + tr("figure.space") +
                translated(run.fault->phrases.what, tr, run.fault->what_happened) +
                tr("figure.stop") + figures::fault_reasons(run.fault->phrases, tr);
    return text;
}

// The moment's picture, its sentence with it.
const figures::Scene& scene_now(Ui& ui) {
    const session::RunState& simulated = ui.view<session::StepView>().simulated();
    simulation::MachineRun& run = *simulated.run;
    const std::uint64_t time = ui.view<session::StepView>().time();
    StatePictureState& state = ui.state<StatePictureState>();
    return state.scene.get(ui, fmt::format("{} {} {}", simulated.version, time, state.width), [&] {
        const analysis::StateView now = analysis::state_view_of(*run.run, time);
        figures::StateFigureOptions options;
        options.figure = {state.width, ui.palette.text_scale, false};
        figures::Scene figure = figures::state_figure(now, options, ui.metrics, ui.tr());
        figure.description = sentence(ui, run, now);
        return figure;
    });
}

}  // namespace

Moment moment_of(Ui& ui) {
    const session::StepView& view = ui.view<session::StepView>();
    if (!view.simulated().run || view.simulated().run->run == nullptr) return {};
    const simulation::MachineRun& run = *view.simulated().run;
    Moment moment{scene_now(ui).description, Tone::plain};
    for (const analysis::StaleArc& arc : run.timeline.stale)
        if (arc.read + 1 == view.time()) moment.tone = Tone::wrong;
    return moment;
}

void moment_picture(Ui& ui, ImVec2 room) {
    const session::RunState& simulated = ui.view<session::StepView>().simulated();
    if (!simulated.run || simulated.run->run == nullptr) return;
    StatePictureState& state = ui.state<StatePictureState>();
    state.width = room.x / ui.scale;
    const figures::Scene& scene = scene_now(ui);
    // As large as there is room for it.
    const float fit = std::clamp(
        std::min(room.y / ui.px(scene.height), room.x / ui.px(scene.width)), 1.0F, kMostFit);
    show_scene(ui.smaller(fit), scene, "state", room);
}

void show_state(Ui& ui, ImVec2 room) {
    ui.state<StatePictureState>().width = room.x / ui.scale;
    const Moment moment = moment_of(ui);
    const float below =
        ImGui::CalcTextSize(moment.sentence.c_str(), nullptr, false, room.x - ui.px(22)).y +
        ui.px(22 + 10);
    moment_picture(ui, {room.x, std::max(room.y - below, ui.px(60))});
    message_box(ui, moment.sentence, moment.tone, room.x);
}

}  // namespace lab::gui
