// What `step` shows besides rows: --show lanes,traffic,lineage and --cell.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "simulation/simulate.h"

namespace lab::cli {

struct InsightOptions {
    std::vector<std::string> show;
    std::string cell;

    void add_to(CLI::App& app);
    bool any() const { return !show.empty() || !cell.empty(); }
    // What a run must record for it. Throws Problem for sections that there are not.
    machine::Recording recording() const;
};

// The sections, each after an empty line. `run`: nothing where nothing was launched. `variant`:
// whose run it is; empty: a user kernel, of which nobody knows the result. Throws Problem
// for a cell that there is not.
std::string insight_text(const InsightOptions& options, machine::Run* run,
                         const simulation::Simulation* variant);
// The same as objects "lanes", "traffic", "lineage" of `out`; null where nothing was launched.
void add_insight(nlohmann::json& out, const InsightOptions& options, machine::Run* run,
                 const simulation::Simulation* variant);

}  // namespace lab::cli
