#include "cli/drawing.h"

#include <fmt/format.h>

#include <iostream>

#include "cli/shared.h"
#include "figures/figures/pass_figure.h"
#include "figures/painters/save.h"
#include "manual/help.h"

namespace lab::cli {

void DrawingOptions::add_to(CLI::App& app) {
    app.add_option("-o,--output", files, "Draw the figure to a file: svg, png or pdf")
        ->type_name("FILE");
    manual::add_choice(app, "--theme", theme, figures::kThemes, "Colours of the drawing")
        ->capture_default_str();
    manual::add_choice(app, "--lang", language, kLanguages, "Language of the drawing")
        ->capture_default_str();
}

void DrawingOptions::check() const {
    for (const std::string& file : files)
        figures::check_suffix(file);
}

Drawing::Drawing(const DrawingOptions& options)
    : palette(figures::load_palette(options.theme)), words(options.language) {}

std::optional<Drawing> drawn(const DrawingOptions& options, const FigureOption& figure,
                             const std::string& cell, const analysis::StepTable& steps,
                             machine::Run* run, const simulation::Simulation* variant,
                             const figures::RunSubject& subject) {
    if (options.files.empty() && !figure.of_run()) return std::nullopt;
    std::optional<Drawing> drawing(options);
    if (figure.of_run()) {
        drawing->scene = figure_of(figure, cell, run, variant, subject, drawing->palette,
                                   drawing->fonts, drawing->words);
        return drawing;
    }
    figures::PassFigureOptions passes;
    passes.heading = true;
    passes.text_scale = drawing->palette.text_scale;
    passes.width *= drawing->palette.text_scale;  // as much beside each other, whatever the theme
    drawing->scene = figures::pass_figure(steps, passes, drawing->fonts, drawing->words);
    return drawing;
}

void save(const DrawingOptions& options, const std::optional<Drawing>& drawing) {
    for (const std::string& file : options.files) {
        figures::save(drawing->scene, drawing->palette, drawing->fonts, file);
        std::cerr << fmt::format("wrote {}\n", file);
    }
}

}  // namespace lab::cli
