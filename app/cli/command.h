// The table of commands of reduction-lab-cli: each adds its options and returns its action.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>

#include "base/problem.h"

namespace lab::cli {

using Action = std::function<Exit()>;

struct Command {
    const char* name;
    const char* help;
    Action (*define)(CLI::App& app);  // adds options; returns what runs once they are parsed
};

std::span<const Command> commands();

// Those with a file of their own.
Action measure_command(CLI::App& app);
Action plot_command(CLI::App& app);
Action step_command(CLI::App& app);
Action text_command(CLI::App& app);
Action host_command(CLI::App& app);
Action check_command(CLI::App& app);
Action trials_command(CLI::App& app);
Action record_command(CLI::App& app);
Action hazards_command(CLI::App& app);
Action outcomes_command(CLI::App& app);
Action lesson_command(CLI::App& app);

}  // namespace lab::cli
