#include "gui/files/export_picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/paths.h"
#include "figures/charts/measure_charts.h"
#include "figures/figures/moment_figure.h"
#include "figures/figures/pass_figure.h"
#include "figures/figures/schedule_figure.h"
#include "figures/painters/cairo.h"
#include "figures/painters/save.h"
#include "figures/plot/beside.h"
#include "gui/lattice/lattice_sight.h"
#include "gui/shell/panel_list.h"
#include "results/results_file.h"
#include "session/files/export_file.h"
#include "session/measure/shown_results.h"
#include "session/race/race.h"
#include "session/step/machine_run.h"

namespace lab::gui {
namespace {

struct Export {
    Ui& ui;
    PanelState& state;
    const session::Session& session;
    const figures::Palette& palette;
    const figures::Fonts& fonts;
    const fs::path& file;
};

std::string suffix_of(const fs::path& file) {
    std::string suffix = file.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return suffix;
}

void save_scene(const Export& in, const figures::Scene& scene) {
    figures::save(scene, in.palette, in.fonts, in.file);
}

// Memory and work-items as they are now, under the title of the run.
figures::Scene moment_scene(const Export& in, const session::MachineRun& run) {
    const figures::MomentFigureOptions options{
        {figures::PassFigureOptions().width * in.palette.text_scale, in.palette.text_scale, true}};
    figures::Scene scene =
        figures::moment_figure(analysis::moment_of(*run.run, in.session.step().time), options,
                               in.fonts, in.session.words());
    const bool line = in.session.step().grain == session::Grain::line;
    const std::string when = in.session.words()(line ? "transport.line" : "transport.action",
                                                fmt::arg("k", in.session.position()),
                                                fmt::arg("n", in.session.last_position()));
    return figures::under_heading(std::move(scene), chosen_title(in.ui), when,
                                  in.palette.text_scale);
}

// The rows up to where one is, as on screen, with a heading, since a file stands alone.
figures::Scene rows_scene(const Export& in, const analysis::Passes& passes) {
    figures::PassFigureOptions options;
    options.shown = in.session.step().cursor + 1;
    options.heading = true;
    options.text_scale = in.palette.text_scale;
    options.width *= in.palette.text_scale;
    return figures::pass_figure(passes, options, in.fonts, in.session.words());
}

// The broken kernel at the left, as on screen.
figures::Scene both_scenes(const Export& in, const analysis::Passes& passes,
                           const analysis::Passes& other) {
    const bool broken = in.session.broken();
    return figures::side_by_side(rows_scene(in, broken ? passes : other),
                                 rows_scene(in, broken ? other : passes),
                                 24 * in.palette.text_scale);
}

void export_step(const Export& in) {
    const analysis::Passes& passes = *in.session.step().passes.answer;
    if (suffix_of(in.file) == ".json") {
        const nlohmann::json json = passes;
        write_file(in.file,
                   json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
        return;
    }
    const session::MachineState& machine = in.session.machine();
    const session::MachineState& other = in.session.other();
    const bool moment = in.session.step().grain != session::Grain::pass;
    if (moment && machine.run && machine.run->run != nullptr)
        save_scene(in, moment_scene(in, *machine.run));
    else if (in.session.beside() && other.run && !in.session.settings().choice.own)
        save_scene(in, both_scenes(in, passes, other.run->passes));
    else
        save_scene(in, rows_scene(in, passes));
}

// The whole schedule: the turns that were chosen, and what follows them.
void export_race(const Export& in) {
    const session::Race& race = *in.session.race().race();
    const session::Choice& choice = in.session.settings().choice;
    figures::RunSubject subject;
    subject.variant = choice.own ? choice.own->file : choice.variant;
    if (race.subject().variant) subject.title = race.subject().variant->title;
    const auto& passes = in.session.step().passes.answer;
    if (passes) subject.n = passes->n;
    subject.group = race.moment().group_items;
    if (!choice.own) {
        subject.op = name_of(choice.shape.op);
        subject.type = info(choice.shape.type).name;
    }
    subject.machine = choice.machine;
    constexpr std::size_t kMostTurns = 60;  // characters
    std::string turns = session::text_of_turns(race.all_turns());
    if (turns.size() > kMostTurns) turns = turns.substr(0, kMostTurns) + " …";
    subject.machine.order = turns;
    figures::FigureOptions options;
    options.text_scale = in.palette.text_scale;
    options.width *= in.palette.text_scale;
    figures::save(
        figures::schedule_figure(race.timeline(), subject, options, in.fonts, in.session.words()),
        in.palette, in.fonts, in.file);
}

// The rows of all results that are shown, under one line of headings.
std::string csv_of_all(const std::vector<results::Measurements>& all) {
    std::string text;
    for (const results::Measurements& results : all) {
        const std::string csv = csv_of(results);
        text += text.empty() ? csv : csv.substr(csv.find('\n') + 1);
    }
    return text;
}

void export_measure(const Export& in) {
    const session::MeasureState& measure = in.session.measure();
    const std::vector<results::Measurements> all = session::results_to_draw(measure);
    const std::string suffix = suffix_of(in.file);
    if (suffix == ".csv") {
        write_file(in.file, csv_of_all(all));
        return;
    }
    if (suffix == ".json") {
        if (!measure.results.answer || measure.results.answer->rows.empty())
            throw Problem("Nothing was measured here", "What is shown are the results of others",
                          "Run a measurement, or export a .csv, which has the rows of all");
        write_results(*measure.results.answer, in.file);
        return;
    }
    const std::vector<results::Datasheet> sheets = results::datasheets();
    const std::vector<results::DocumentFigure> figures =
        without_defaults(in.session.document_figures(), in.session.catalogue());
    figures::MeasureChartOptions options;
    options.chart = in.session.settings().measure.shown;
    options.figures = figures;
    options.datasheets = sheets;
    const std::vector<catalogue::GainStep> steps = gain_steps(in.session.catalogue());
    options.steps = steps;
    options.size.text_scale = in.palette.text_scale;
    options.size.width *= in.palette.text_scale;
    figures::save(figures::measure_chart(all, options, in.fonts, in.session.words()), in.palette,
                  in.fonts, in.file);
}

// The cells as they are seen now.
void export_lattice(const Export& in) {
    const figures::Pixels pixels = lattice_pixels(in.ui, in.state);
    write_file(in.file, figures::png_of_pixels(pixels.width, pixels.height, pixels.rgba));
}

struct ViewExport {
    const char* view;
    void (*write)(const Export& in);
};
constexpr std::array kViews{ViewExport{"step", export_step}, ViewExport{"race", export_race},
                            ViewExport{"lattice", export_lattice},
                            ViewExport{"measure", export_measure}};

}  // namespace

void export_shown(Ui& ui, PanelState& state, const fs::path& file) {
    const session::Session& session = ui.session;
    const auto known = session::export_suffixes(session);
    if (known.empty())
        throw Problem("There is nothing here to export", "",
                      "Step a kernel, or measure, and export what is shown then");
    if (const std::string suffix = suffix_of(file);
        std::find(known.begin(), known.end(), suffix) == known.end())
        throw Problem(fmt::format("'{}' is no format that this can be exported in",
                                  suffix.empty() ? file.filename().string() : suffix),
                      "", fmt::format("End the name in one of: {}", fmt::join(known, ", ")),
                      file.string());
    for (const ViewExport& entry : kViews)
        if (session.settings().view == entry.view)
            entry.write({ui, state, session, ui.palette, ui.metrics, file});
}

}  // namespace lab::gui
