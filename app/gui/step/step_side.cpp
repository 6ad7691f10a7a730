// The step view's lower right: what the machine's run shows, and the host's program.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "gui/parts/widgets.h"
#include "gui/step/run_parts.h"
#include "gui/step/step_panels.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"
#include "views/glossary/glossary_panels.h"

namespace lab::gui {
namespace {

struct Tab {
    const char *id, *word;  // of its words, "side.<id>"; of the glossary
};

// The host's program is not about the run.
std::vector<Tab> step_tabs(const simulation::MachineRun* run) {
    std::vector<Tab> tabs;
    for (const RunPart& part : run_parts())
        if (part.offered == nullptr || (run != nullptr && part.offered(*run)))
            tabs.push_back({part.id, part.word});
    tabs.push_back({"host", "host"});
    return tabs;
}

RunMoment moment_of_step(const Ui& ui, const simulation::MachineRun& run) {
    const session::StepView& view = ui.view<session::StepView>();
    RunMoment moment{.run = run,
                     .key = fmt::format("step {}", view.simulated().version),
                     .row = view.row(),
                     .rows = run.table.rows.size(),
                     .time = view.time(),
                     .whole_passes = view.grain() == session::Grain::pass,
                     .line = {},
                     .traced = view.traced()};
    if (!moment.whole_passes && moment.time > 0 && moment.time <= run.actions()) {
        const analysis::TimelineAction& action = run.timeline.actions[moment.time - 1];
        if (!action.cells.empty()) moment.line = action.line;
    }
    return moment;
}

}  // namespace

void step_side(Ui& ui, const Area& area) {
    begin_card(ui, "side", area.at, area.size, ImGuiWindowFlags_NoScrollbar);
    const std::shared_ptr<simulation::MachineRun>& run =
        ui.view<session::StepView>().simulated().run;
    const std::vector<Tab> tabs = step_tabs(run.get());
    // Where another kernel has no such tab, the first one stands in for it.
    std::string open = ui.view<session::StepView>().side();
    if (std::none_of(tabs.begin(), tabs.end(), [&](const Tab& tab) { return open == tab.id; }))
        open = tabs.front().id;
    // As close together as it takes to stand in one row, where they can.
    float words = 0, used = 0;
    for (const Tab& tab : tabs)
        words += ImGui::CalcTextSize(ui.tr()(std::string("side.") + tab.id).c_str()).x;
    const float room = ImGui::GetContentRegionAvail().x;
    const float sides = 2 * static_cast<float>(tabs.size());
    const float spare = (room - words) / sides / ui.scale - 1.5F;
    const float around = spare < 5 ? 12 : std::min(spare, 12.0F);
    for (const Tab& tab : tabs) {
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
    const RunPart* part = find_run_part(open);
    const bool of_run = open != "host";
    if (of_run && run && ui.view<session::StepView>().table().answer &&
        ui.view<session::StepView>().table().answer->source != "machine")
        label(ui, ui.tr()("side.of_machine"));
    ImGui::BeginChild("part", ImGui::GetContentRegionAvail());
    if (!of_run)
        host_tab(ui);
    else if (!run || run->run == nullptr)
        label(ui, ui.tr()(ui.view<session::StepView>().simulated().waiting ? "step.waiting"
                                                                           : "side.nothing"));
    else if (part != nullptr)
        part->draw(ui, moment_of_step(ui, *run));
    ImGui::EndChild();
    end_card();
}

}  // namespace lab::gui
