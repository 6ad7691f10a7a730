// reduction-lab-cli: everything that the app can compute and export, without a window.
#include <fmt/format.h>

#include <array>
#include <csignal>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/nearest.h"
#include "base/run_main.h"
#include "cli/command.h"
#include "device/drivers.h"
#include "manual/help.h"

namespace {

// CLI11 would only say that some command is required.
void known_command(int argc, char** argv) {
    if (argc < 2)
        throw lab::Problem("No command was given", "", "reduction-lab-cli --help lists them");
    if (argv[1][0] == '-') return;
    std::vector<std::string> names;
    for (const lab::cli::Command& command : lab::cli::commands()) {
        if (std::string_view(argv[1]) == command.name) return;
        names.emplace_back(command.name);
    }
    throw lab::Problem(fmt::format("There is no command '{}'", argv[1]), "",
                       lab::choices_hint(argv[1], names));
}

constexpr std::array<std::pair<lab::Exit, const char*>, 6> kStatuses{{
    {lab::Exit::done, "Done, and nothing was found."},
    {lab::Exit::found,
     "Something was found: a wrong result, a race, more results than one, one that comes\n"
     "       only if everyone gets a turn, or a search that did not end."},
    {lab::Exit::usage, "An argument is wrong, or a file could not be read or written."},
    {lab::Exit::no_device, "There is no OpenCL device, or not the one asked for."},
    {lab::Exit::kernel_fault, "The kernel did what no kernel may, or does not compile."},
    {lab::Exit::interrupted, "Interrupted by Ctrl+C; what was measured is kept."},
}};

std::string exit_statuses() {
    std::string lines;
    for (const auto& [exit, when] : kStatuses)
        lines += fmt::format("  {:<5}{}\n", static_cast<int>(exit), when);
    return lines;
}

}  // namespace

int main(int argc, char** argv) {
    lab::device::suit_drivers();
    std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is a Problem of who writes it
    CLI::App app("Reduction Lab: parallel reduction on OpenCL, stepped and timed",
                 "reduction-lab-cli");
    lab::manual::prepare(app, [] { return "*Exit status*\n\n" + exit_statuses(); });
    app.require_subcommand(1);
    std::vector<std::pair<CLI::App*, lab::cli::Action>> actions;
    for (const lab::cli::Command& command : lab::cli::commands()) {
        CLI::App* sub = app.add_subcommand(command.name, command.help);
        sub->group("Commands");
        actions.emplace_back(sub, command.define(*sub));
    }
    app.footer("Exit status:\n" + exit_statuses() +  // a command would take it over
               "\nThe options of a command: reduction-lab-cli COMMAND --help");
    return lab::run_main([&] {
        known_command(argc, argv);
        if (const auto status = lab::manual::parse(app, argc, argv)) return *status;
        for (const auto& [sub, action] : actions)
            if (sub->parsed()) return static_cast<int>(action());
        return 0;
    });
}
