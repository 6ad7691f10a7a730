// The options that describe the machine: --machine, --lanes, --resident, --order, --budget.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "simulation/simulate.h"

namespace lab::cli {

struct MachineOptions {
    std::string preset, order, budget;  // preset: empty for the usual one
    std::optional<std::uint32_t> lanes;
    std::string resident;

    void add_to(CLI::App& app);
    bool any() const;  // whether one of them was given
    // Of a shipped variant: the classroom's lanes, which its pictures show. Throws Problem.
    simulation::Options options() const { return options("classroom"); }
    // Of a kernel from a file: independent items, for OpenCL promises no lockstep, unless lanes are
    // asked for or the kernel asks for sub-groups. Throws Problem.
    simulation::Options own_options(bool sub_groups) const;

  private:
    simulation::Options options(const char* usual) const;
};

}  // namespace lab::cli
