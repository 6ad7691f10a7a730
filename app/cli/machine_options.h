// The options that describe the machine: --machine, --lanes, --resident, --order, --budget.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "simulation/simulate.h"

namespace lab::cli {

struct MachineOptions {
    std::string preset = "classroom", order, budget;
    std::optional<std::uint32_t> lanes;
    std::string resident;

    void add_to(CLI::App& app);
    bool any() const;                     // whether one of them was given
    simulation::Options options() const;  // throws Problem
};

}  // namespace lab::cli
