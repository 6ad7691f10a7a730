// reduction-lab-cli: everything that the app can compute and export, without a window.
#include <fmt/format.h>

#include <array>
#include <csignal>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/help.h"
#include "base/platform.h"
#include "base/problem.h"
#include "cli/command.h"
#include "cli/report.h"
#include "device/device.h"
#include "device/server.h"
#include "worker/protocol.h"

namespace lab::cli {
namespace {

Action devices_command(CLI::App& app) {
    auto json = make<bool>();
    add_json(app, *json);
    return [json] {
        const auto found = ask("devices", nlohmann::json::object()).get<results::Devices>();
        if (*json) {
            nlohmann::json result = found;
            result["schema"] = 1;
            print_json(result);
        } else {
            std::cout << text_of(found);
        }
        for (const Problem& problem : found.problems)
            warn(problem);
        return found.devices.empty() ? Exit::no_device : Exit::done;
    };
}

Action variants_command(CLI::App& app) {
    auto json = make<bool>();
    add_json(app, *json);
    return [json] {
        const catalogue::Catalogue all = catalogue();
        if (*json)
            print_json(json_of(all));
        else
            std::cout << text_of(all);
        return all.problems.empty() ? Exit::done : Exit::usage;
    };
}

Action serve_command(CLI::App&) {
    return [] {
        worker::end_with_parent();
        worker::serve_standard_streams(device::methods());
        return Exit::done;
    };
}

struct Command {
    const char* name;
    const char* help;
    Action (*define)(CLI::App& app);  // adds options; returns what runs once they are parsed
};
constexpr std::array kCommands{
    Command{"devices", "List the OpenCL devices, and what is missing", devices_command},
    Command{"variants", "List the variants of the reduction", variants_command},
    Command{"step", "Run a small reduction and show its values after each pass", step_command},
    Command{"text", "Print a kernel as it is, or with its macros expanded", text_command},
    Command{"host", "Print or write the C++ program that runs a kernel", host_command},
    Command{"hazards", "Find the accesses that nothing orders, on the machine", hazards_command},
    Command{"outcomes", "Find every result that the schedules can give, on the machine",
            outcomes_command},
    Command{"sizes", "Show in which sizes a kernel works, as a map, on the machine", sizes_command},
    Command{"inputs", "Look for numbers with which a kernel goes wrong, on the machine",
            inputs_command},
    Command{"barriers", "Say which barriers a kernel needs, on the machine", barriers_command},
    Command{"prove", "Prove kernels free of races for all sizes, by the solver z3", prove_command},
    Command{"trials", "Run one small case many times and count the results", trials_command},
    Command{"record", "Record a run of the device, as one that goes wrong, and replay it",
            record_command},
    Command{"check", "Hold variants against the host in many cases", check_command},
    Command{"measure", "Time variants at full size and check their results", measure_command},
    Command{"plot", "Draw charts of results, of one device or of several", plot_command},
    Command{"lesson", "Check, print and grade lessons", lesson_command},
    Command{"serve", "Answer requests, JSON lines, from standard input", serve_command},
};

const lab::manual::ArgumentWords kKernelWords{
    "a kernel", "{} relaunch, for one; reduction-lab-cli variants lists all kernels"};

// CLI11 would only say that some command is required.
void known_command(int argc, char** argv) {
    if (argc < 2) throw Problem("No command was given", "", "reduction-lab-cli --help lists them");
    if (argv[1][0] == '-') return;
    std::vector<std::string> names;
    for (const Command& command : kCommands) {
        if (std::string_view(argv[1]) == command.name) return;
        names.emplace_back(command.name);
    }
    throw Problem(fmt::format("There is no command '{}'", argv[1]), "",
                  choices_hint(argv[1], names));
}

constexpr std::array<std::pair<Exit, const char*>, 6> kStatuses{{
    {Exit::done, "Done, and nothing was found."},
    {Exit::found,
     "Something was found: a wrong result, a race, more results than one, one that comes\n"
     "       only if everyone gets a turn, a search that did not end, or no proof."},
    {Exit::usage, "An argument is wrong, or a file could not be read or written."},
    {Exit::no_device, "There is no OpenCL device, or not the one asked for."},
    {Exit::kernel_fault, "The kernel did what no kernel may, or does not compile."},
    {Exit::interrupted, "Interrupted by Ctrl+C; what was measured is kept."},
}};

std::string exit_statuses() {
    std::string lines;
    for (const auto& [exit, when] : kStatuses)
        lines += fmt::format("  {:<5}{}\n", static_cast<int>(exit), when);
    return lines;
}

}  // namespace
}  // namespace lab::cli

int main(int argc, char** argv) {
    lab::device::set_driver_defaults();
    std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is a Problem of who writes it
    CLI::App app("Reduction Lab: parallel reduction on OpenCL, stepped and timed",
                 "reduction-lab-cli");
    lab::manual::prepare(app, [] { return "*Exit status*\n\n" + lab::cli::exit_statuses(); });
    app.require_subcommand(1);
    std::vector<std::pair<CLI::App*, lab::cli::Action>> actions;
    for (const lab::cli::Command& command : lab::cli::kCommands) {
        CLI::App* sub = app.add_subcommand(command.name, command.help);
        sub->group("Commands");
        actions.emplace_back(sub, command.define(*sub));
    }
    app.footer("Exit status:\n" + lab::cli::exit_statuses() +  // a command would take it over
               "\nThe options of a command: reduction-lab-cli COMMAND --help");
    return lab::run_main([&] {
        lab::cli::known_command(argc, argv);
        const std::map<std::string, lab::manual::ArgumentWords> words{
            {"variant", lab::cli::kKernelWords}, {"variants", lab::cli::kKernelWords}};
        if (const auto status = lab::manual::parse(app, argc, argv, words)) return *status;
        for (const auto& [sub, action] : actions)
            if (sub->parsed()) return static_cast<int>(action());
        return 0;
    });
}
