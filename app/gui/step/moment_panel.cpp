// The step view's middle where one goes by lines or actions: memory and work-items as they are now.
#include <fmt/format.h>

#include "figures/figures/moment_figure.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "gui/shell/panel_list.h"
#include "session/step/machine_run.h"

namespace lab::gui {
namespace {

std::string sentence(const Ui& ui, const session::MachineRun& run, const analysis::Moment& moment) {
    const auto& tr = ui.tr();
    for (const analysis::StaleArc& arc : run.timeline.stale)
        if (arc.read + 1 == moment.time)
            return tr(arc.too_new ? "race.stale_new" : "race.stale", fmt::arg("item", arc.item),
                      fmt::arg("cell", arc.cell), fmt::arg("took", arc.took),
                      fmt::arg("missed", arc.missed), fmt::arg("writer", arc.writer));
    if (!moment.last) return tr("moment.start");
    analysis::WarpView who;
    who.group = moment.last->group;
    who.warp = moment.last->warp;
    who.first_item = moment.last->touches.empty() ? 0 : moment.last->touches[0].item;
    std::string text = fmt::format("{}: {}", figures::warp_words(who, moment, tr),
                                   figures::action_words(*moment.last, tr));
    // Of the launch that it was in: after its last action the next one is about to begin.
    const std::string& variables = run.run->machine().job().launches[moment.last->launch].variables;
    if (!variables.empty()) text += " · " + variables;
    if (moment.time == run.actions() && run.fault)
        text += ". " + words_of(run.fault->said.what, tr, run.fault->what_happened);
    return text;
}

}  // namespace

void show_moment(Ui& ui, PanelState& state, ImVec2 room) {
    const session::MachineState& machine = ui.session.machine();
    if (!machine.run || machine.run->run == nullptr) return;
    session::MachineRun& run = *machine.run;
    const std::uint64_t time = ui.session.step().time;
    PanelState::MomentPicture& kept = state.moment;
    PanelState::MomentPicture now;
    now.version = machine.version << 32U | time;
    now.width = room.x / ui.scale;
    now.language = ui.tr().language();
    now.theme = ui.palette.name;
    if (!kept.same_as(now)) {
        const analysis::Moment moment = analysis::moment_of(*run.run, time);
        figures::MomentFigureOptions options;
        options.figure = {now.width, ui.palette.text_scale, false};
        now.scene = figures::moment_figure(moment, options, ui.metrics, ui.tr());
        now.scene.description = sentence(ui, run, moment);
        now.made = true;
        kept = std::move(now);
    }
    bool stale = false;
    for (const analysis::StaleArc& arc : run.timeline.stale)
        stale = stale || arc.read + 1 == time;
    const std::string& words = kept.scene.description;
    const float below =
        ImGui::CalcTextSize(words.c_str(), nullptr, false, room.x - ui.px(22)).y + ui.px(22 + 10);
    show_scene(ui, kept.scene, "moment",
               {room.x, std::max(ImGui::GetContentRegionAvail().y - below, ui.px(60))});
    said_box(ui, words, stale, room.x);
}

}  // namespace lab::gui
