// The picture of a run that `step` and `record` draw: -o, --theme and --lang.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/rows/step_table.h"
#include "base/translations.h"
#include "cli/figure_option.h"

namespace lab::cli {

struct DrawingOptions {
    std::string theme = "light", language = "en";
    std::vector<std::string> files;

    void add_to(CLI::App& app);
    void check() const;  // throws Problem for a file that is no picture
};

// What was asked for, and what it needs to be painted.
struct Drawing {
    figures::Fonts fonts;
    figures::Palette palette;
    Translations words;
    figures::Scene scene;

    explicit Drawing(const DrawingOptions& options);
};

// Made before anything is printed, so that what cannot be drawn is said first. Nothing where no
// file was named.
std::optional<Drawing> drawn(const DrawingOptions& options, const FigureOption& figure,
                             const std::string& cell, const analysis::StepTable& steps,
                             machine::Run* run, const simulation::Simulation* variant,
                             const figures::RunSubject& subject);

void save(const DrawingOptions& options, const std::optional<Drawing>& drawing);

}  // namespace lab::cli
