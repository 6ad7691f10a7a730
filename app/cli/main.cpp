// reduction-lab-cli: everything that the app can compute and export, without a window.
#include <fmt/format.h>

#include <exception>
#include <iostream>

#include "cli/command.h"

int main(int argc, char** argv) {
    CLI::App app("Reduction Lab: parallel reduction on OpenCL, stepped and timed");
    app.require_subcommand(1);
    app.set_version_flag("--version", LAB_VERSION);
    std::vector<std::pair<CLI::App*, lab::cli::Action>> actions;
    for (const lab::cli::Command& command : lab::cli::commands()) {
        CLI::App* sub = app.add_subcommand(command.name, command.help);
        actions.emplace_back(sub, command.define(*sub));
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : static_cast<int>(lab::Exit::usage);
    }
    try {
        for (const auto& [sub, action] : actions)
            if (sub->parsed()) return static_cast<int>(action());
    } catch (const lab::Problem& problem) {
        std::cerr << "error: " << problem.text() << '\n';
        return static_cast<int>(problem.exit);
    } catch (const std::exception& error) {
        std::cerr << fmt::format("error: {}\n  hint: please report this\n", error.what());
        return static_cast<int>(lab::Exit::usage);
    }
    return 0;
}
