// What the step view shows, as a file.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "figures/figures/pass_figure.h"
#include "figures/figures/state_figure.h"
#include "figures/painters/save.h"
#include "figures/plot/beside.h"
#include "gui/kernels/kernel_panels.h"
#include "gui/step/step_panels.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

// Memory and work-items as they are now, under the title of the run.
figures::Scene moment_scene(const Ui& ui, const simulation::MachineRun& run) {
    const figures::StateFigureOptions options{
        {figures::PassFigureOptions().width * ui.palette.text_scale, ui.palette.text_scale, true}};
    figures::Scene scene = figures::state_figure(
        analysis::state_view_of(*run.run, ui.view<session::StepView>().time()), options, ui.metrics,
        ui.tr());
    const bool line = ui.view<session::StepView>().grain() == session::Grain::line;
    const std::string when = ui.tr()(line ? "transport.line" : "transport.action",
                                     fmt::arg("k", ui.session.walk().position()),
                                     fmt::arg("n", ui.session.walk().last_position()));
    return figures::under_heading(std::move(scene), chosen_title(ui), when, ui.palette.text_scale);
}

// The rows up to where one is, as on screen, with a heading, since a file stands alone.
figures::Scene rows_scene(const Ui& ui, const analysis::StepTable& table) {
    figures::PassFigureOptions options;
    options.shown = ui.view<session::StepView>().cursor() + 1;
    options.heading = true;
    options.text_scale = ui.palette.text_scale;
    options.width *= ui.palette.text_scale;
    return figures::pass_figure(table, options, ui.metrics, ui.tr());
}

// The broken kernel at the left, as on screen.
figures::Scene both_scenes(const Ui& ui, const analysis::StepTable& table,
                           const analysis::StepTable& other) {
    const bool broken = ui.view<session::StepView>().broken();
    return figures::side_by_side(rows_scene(ui, broken ? table : other),
                                 rows_scene(ui, broken ? other : table),
                                 24 * ui.palette.text_scale);
}

}  // namespace

figures::Scene step_scene(const Ui& ui) {
    const analysis::StepTable& table = *ui.view<session::StepView>().table().answer;
    const session::RunState& machine = ui.view<session::StepView>().simulated();
    const session::RunState& other = ui.view<session::StepView>().other();
    const bool state = ui.view<session::StepView>().grain() != session::Grain::pass;
    if (state && machine.run && machine.run->run != nullptr) return moment_scene(ui, *machine.run);
    if (ui.view<session::StepView>().beside() && other.run &&
        !ui.session.settings().choice.user_kernel)
        return both_scenes(ui, table, other.run->table);
    return rows_scene(ui, table);
}

void save_step(Ui& ui, const fs::path& file, const std::string& suffix) {
    if (suffix == ".json") {
        const nlohmann::json json = *ui.view<session::StepView>().table().answer;
        write_file(file, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
        return;
    }
    figures::save(step_scene(ui), ui.palette, ui.metrics, file);
}

}  // namespace lab::gui
