// What the step view shows, as a file.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "figures/figures/pass_figure.h"
#include "figures/figures/state_figure.h"
#include "figures/painters/save.h"
#include "figures/plot/beside.h"
#include "gui/step/step_panels.h"
#include "gui/step/transport.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"
#include "views/kernels/kernels_panels.h"

namespace lab::gui {
namespace {

using session::Grain;
using session::StepView;

// Memory and work-items as they are now.
figures::Scene moment_figure(const Ui& ui, const simulation::MachineRun& run, bool legend) {
    figures::StateFigureOptions options{
        {figures::PassFigureOptions().width * ui.palette.text_scale, ui.palette.text_scale, true}};
    options.legend = legend;
    return figures::state_figure(analysis::state_view_of(*run.run, ui.view<StepView>().time()),
                                 options, ui.metrics, ui.tr());
}

// The same under the title of the run.
figures::Scene moment_scene(const Ui& ui, const simulation::MachineRun& run) {
    const bool line = ui.view<StepView>().grain() == Grain::line;
    const std::string when = ui.tr()(line ? "transport.line" : "transport.action",
                                     fmt::arg("k", ui.session.walk().position()),
                                     fmt::arg("n", ui.session.walk().last_position()));
    return figures::under_heading(moment_figure(ui, run, true), chosen_title(ui), when,
                                  ui.palette.text_scale);
}

// The rows up to where one is, as on screen. In a file that stands alone with a heading; on a
// slide, which has one, with the next row announced.
figures::Scene rows_scene(const Ui& ui, const analysis::StepTable& table, bool alone) {
    figures::PassFigureOptions options;
    options.shown = std::min(ui.view<StepView>().cursor() + 1, table.rows.size());
    options.heading = options.legend = alone;
    options.announce = !alone;
    options.text_scale = ui.palette.text_scale;
    options.width *= ui.palette.text_scale;
    return figures::pass_figure(table, options, ui.metrics, ui.tr());
}

// The broken kernel at the left, as on screen.
figures::Scene both_scenes(const Ui& ui, const analysis::StepTable& table,
                           const analysis::StepTable& other) {
    const bool broken = ui.view<StepView>().broken();
    return figures::side_by_side(rows_scene(ui, broken ? table : other, true),
                                 rows_scene(ui, broken ? other : table, true),
                                 24 * ui.palette.text_scale);
}

// The run whose moments are shown, where one goes by lines or actions.
const simulation::MachineRun* moments_run(const Ui& ui) {
    const session::RunState& machine = ui.view<StepView>().simulated();
    const bool moments = ui.view<StepView>().grain() != Grain::pass;
    return moments && machine.run && machine.run->run != nullptr ? machine.run.get() : nullptr;
}

bool shows_both(const Ui& ui) {
    return ui.view<StepView>().beside() && ui.view<StepView>().other().run;
}

figures::Scene step_scene(const Ui& ui) {
    const analysis::StepTable& table = *ui.view<StepView>().table().answer;
    if (const simulation::MachineRun* run = moments_run(ui)) return moment_scene(ui, *run);
    if (shows_both(ui)) return both_scenes(ui, table, ui.view<StepView>().other().run->table);
    return rows_scene(ui, table, true);
}

}  // namespace

figures::Slide step_slide(Ui& ui) {
    const StepView& view = ui.view<StepView>();
    const analysis::StepTable& table = *view.table().answer;
    const simulation::MachineRun* run = moments_run(ui);
    const Moment moment = run != nullptr ? moment_of(ui) : row_moment(ui, table, view.cursor());
    return {chosen_title(ui), walk_text(ui), moment.sentence, ground_of(moment.tone),
            run != nullptr   ? moment_figure(ui, *run, false)
            : shows_both(ui) ? both_scenes(ui, table, view.other().run->table)
                             : rows_scene(ui, table, false)};
}

void save_step(Ui& ui, const fs::path& file, const std::string& suffix) {
    if (suffix == ".json") {
        const nlohmann::json json = *ui.view<StepView>().table().answer;
        write_file(file, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
        return;
    }
    figures::save(step_scene(ui), ui.palette, ui.metrics, file);
}

}  // namespace lab::gui
