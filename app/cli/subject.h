// What hazards and outcomes look into: a variant, or a kernel of any file, ready for the machine.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/shape_options.h"
#include "cli/machine_options.h"
#include "simulation/simulate.h"

namespace lab::cli {

struct SubjectOptions {
    std::string variant;
    ShapeOptions shape;
    MachineOptions machine;
    std::string kernel, global, local;
    std::vector<std::string> arguments;

    void add_to(CLI::App& app);
};

struct Subject {
    std::string title;     // "span-modulo, 8 elements in groups of 4, add, int"
    nlohmann::json shape;  // the same for JSON
    simulation::Options machine;
    machine::Job job;
    std::string expected;  // of a variant: the right result
    struct Ending {
        std::string result;
        std::optional<bool> right;  // nothing: nobody knows what is right
    };
    // What a state at the job's end holds.
    std::function<Ending(const machine::Machine& machine, const machine::State& state)> ending;
};

// Throws Problem.
Subject subject_of(const SubjectOptions& options);

}  // namespace lab::cli
