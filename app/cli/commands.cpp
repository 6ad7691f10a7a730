#include <fmt/format.h>

#include <array>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/ask.h"
#include "cli/command.h"
#include "cli/reports/report.h"
#include "cli/shared.h"
#include "server/server.h"
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
        worker::serve_standard_streams(server::methods());
        return Exit::done;
    };
}

constexpr std::array kCommands{
    Command{"devices", "List the OpenCL devices, and what is missing", devices_command},
    Command{"variants", "List the variants of the reduction", variants_command},
    Command{"step", "Run a small reduction and show its values after each pass", step_command},
    Command{"text", "Print a kernel as it is, or with its macros expanded", text_command},
    Command{"host", "Print or write the C++ program that runs a kernel", host_command},
    Command{"hazards", "Find the accesses that nothing orders, on the machine", hazards_command},
    Command{"outcomes", "Find every result that the schedules can give, on the machine",
            outcomes_command},
    Command{"trials", "Run one small case many times and count the results", trials_command},
    Command{"record", "Record a run of the device, as one that goes wrong, and replay it",
            record_command},
    Command{"check", "Hold variants against the host in many cases", check_command},
    Command{"measure", "Time variants at full size and check their results", measure_command},
    Command{"plot", "Draw charts of results, of one device or of several", plot_command},
    Command{"lesson", "Check, print and grade lessons", lesson_command},
    Command{"serve", "Answer requests, JSON lines, from standard input", serve_command},
};

}  // namespace

std::span<const Command> commands() {
    return kCommands;
}

}  // namespace lab::cli
