// The options --figure and --line of `step`, and the pictures of a run that they ask for.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/reports/insight_report.h"
#include "figures/parts/run_subject.h"
#include "figures/scene/font.h"
#include "figures/scene/palette.h"
#include "figures/scene/scene.h"
#include "simulation/user_kernel.h"

namespace lab::cli {

struct FigureOption {
    std::string figure = "passes";
    std::optional<std::uint32_t> line;

    void add_to(CLI::App& app);
    bool of_run() const { return figure != "passes"; }  // only the machine has what it shows
    // Throws Problem for what does not go together; `files`: where the picture is to go.
    void check(const std::string& cell, const std::vector<std::string>& files) const;
    void add_to(machine::Recording& recording) const;
};

// For a variant on the machine, and of a user kernel.
figures::RunSubject run_subject(const catalogue::Variant& variant,
                                const simulation::Simulation& simulation,
                                const simulation::Options& machine);
figures::RunSubject run_subject(const simulation::UserKernel& kernel,
                                const simulation::Options& machine);

// Throws Problem where the run has nothing of the kind. `run`: nothing where nothing was launched.
figures::Scene figure_of(const FigureOption& option, const std::string& cell, machine::Run* run,
                         const simulation::Simulation* variant, const figures::RunSubject& subject,
                         const figures::Palette& palette, const figures::Fonts& fonts,
                         const Translations& words);

}  // namespace lab::cli
