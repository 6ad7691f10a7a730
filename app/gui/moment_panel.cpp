// The step view's middle where one goes by lines or actions: memory and work-items as they are now.
#include <fmt/format.h>

#include "draw/moment_figure.h"
#include "gui/panel_list.h"
#include "gui/scene_painter.h"
#include "gui/widgets.h"
#include "session/machine_run.h"

namespace lab::gui {
namespace {

std::string sentence(const Ui& ui, const session::MachineRun& run, const Moment& moment) {
    const auto& tr = ui.tr();
    for (const StaleArc& arc : run.timeline.stale)
        if (arc.read + 1 == moment.time)
            return tr(arc.too_new ? "race.stale_new" : "race.stale", fmt::arg("item", arc.item),
                      fmt::arg("cell", arc.cell), fmt::arg("took", arc.took),
                      fmt::arg("missed", arc.missed), fmt::arg("writer", arc.writer));
    if (!moment.last) return tr("moment.start");
    WarpView who;
    who.group = moment.last->group;
    who.warp = moment.last->warp;
    who.first_item = moment.last->touches.empty() ? 0 : moment.last->touches[0].item;
    std::string text = fmt::format("{}: {}", draw::warp_words(who, moment, tr),
                                   draw::action_words(*moment.last, tr));
    if (!moment.variables.empty()) text += " · " + moment.variables;
    if (moment.time == run.actions() && run.fault)
        text += ". " + words_of(run.fault->said.what, tr, run.fault->what_happened);
    return text;
}

// Whose states these are, and where they lead elsewhere than the device's did.
void of_machine(const Ui& ui, const session::MachineRun& run, const Passes& device, float width) {
    const bool other = !run.fault && run.passes.result != device.result;
    const TextStyle style(ui, draw::Face::sans, kSmallSize, draw::Role::muted);
    wrapped(ui.tr()(other ? "moment.of_machine_other" : "moment.of_machine",
                    fmt::arg("machine", run.passes.result), fmt::arg("device", device.result)),
            width);
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
        const Moment moment = moment_of(*run.run, time);
        draw::MomentFigureOptions options;
        options.figure = {now.width, ui.palette.text_scale, false};
        now.scene = draw::moment_figure(moment, options, ui.metrics, ui.tr());
        now.scene.description = sentence(ui, run, moment);
        now.made = true;
        kept = std::move(now);
    }
    bool stale = false;
    for (const StaleArc& arc : run.timeline.stale)
        stale = stale || arc.read + 1 == time;
    const std::string& words = kept.scene.description;
    const float below =
        ImGui::CalcTextSize(words.c_str(), nullptr, false, room.x - ui.px(22)).y + ui.px(22 + 10);
    if (const auto& passes = ui.session.step().passes.answer; passes && passes->source != "machine")
        of_machine(ui, run, *passes, room.x);
    show_scene(ui, kept.scene, "moment",
               {room.x, std::max(ImGui::GetContentRegionAvail().y - below, ui.px(60))});
    said_box(ui, words, stale, room.x);
}

}  // namespace lab::gui
