// What stands beside a page's picture: a part of its run, as beside the steps, or the chart of what
// it measures.
#include "gui/glossary/glossary_card.h"
#include "gui/learn/learn_panels.h"
#include "gui/parts/widgets.h"
#include "gui/step/run_parts.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

using figures::Face;
using session::LearnView;

RunMoment moment_of_page(const LearnView& view) {
    const session::LearnPage& page = view.shown_page();
    const simulation::MachineRun& run = *page.run;
    const std::size_t rows = run.table.rows.size();
    const std::size_t row = std::min(view.position(), rows - 1);
    return {.run = run,
            .key = fmt::format("page {}", page.version),
            .row = row,
            .rows = page.hidden_from > 0 ? std::min(page.hidden_from, rows) : rows,
            .time = run.row_ends[row],
            .whole_passes = true,
            .line = page.memory_line,
            .traced = view.traced()};
}

}  // namespace

std::string learn_side_title(const Ui& ui) {
    const std::string panel = ui.view<LearnView>().panel();
    return ui.tr()(panel == "chart" ? "learn.chart" : "side." + panel);
}

void learn_side(Ui& ui, ImVec2 room, bool heading) {
    const LearnView& view = ui.view<LearnView>();
    const std::string panel = view.panel();
    const RunPart* part = find_run_part(panel);
    const float top = ImGui::GetCursorPosY();
    if (heading) {
        {
            const TextStyle style(ui, Face::bold, kTextSize);
            ImGui::TextUnformatted(learn_side_title(ui).c_str());
        }
        if (part != nullptr) explain_item(ui, part->word, ui.tr()("side." + panel + ".tip"));
        if (part == nullptr) tip(ui, ui.tr()("learn.chart.tip"));
    }
    const float used = ImGui::GetCursorPosY() - top;
    const ImVec2 rest{room.x, std::max(room.y - used, 1.0F)};
    if (panel == "chart") return learn_chart(ui, rest);
    ImGui::BeginChild("learn.part", rest);
    if (part != nullptr && view.shown_page().run != nullptr) part->draw(ui, moment_of_page(view));
    ImGui::EndChild();
}

}  // namespace lab::gui
