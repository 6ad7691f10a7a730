#include "cli/machine_options.h"

#include <fmt/format.h>

#include "catalogue/number.h"

namespace lab::cli {

void MachineOptions::add_to(CLI::App& app) {
    std::string presets;
    for (const machine::Preset& each : machine::presets())
        presets += fmt::format("{}{}", presets.empty() ? "" : ", ", each.name);
    app.add_option("--machine", preset,
                   "Shape of the machine: " + presets +
                       " [classroom; for files without a header independent, or classroom with "
                       "--lanes or sub-groups]");
    app.add_option("--lanes", lanes, "Work-items in lockstep, 1 to 64 [as the machine has it]");
    app.add_option("--resident", resident,
                   "Groups that run at once, or all [as the machine has it]");
    app.add_option(
        "--order", order,
        "Who acts next: in-order | reversed | round-robin | random:SEED | a file of turns "
        "[round-robin; random:1 for one lane, in-order for the cpu]");
    app.add_option("--budget", budget, "Instructions after which a run counts as endless");
}

bool MachineOptions::any() const {
    return !preset.empty() || !order.empty() || !budget.empty() || lanes || !resident.empty();
}

simulation::Options MachineOptions::own_options(bool sub_groups) const {
    return options(lanes.value_or(1) > 1 || sub_groups ? "classroom" : "independent");
}

simulation::Options MachineOptions::options(const char* usual) const {
    simulation::Options result;
    result.config = machine::find_preset(preset.empty() ? usual : preset).config;
    if (lanes) result.config.lanes = *lanes;
    if (!resident.empty()) result.config.resident = catalogue::parse_resident(resident);
    machine::check(result.config);
    result.order =
        order.empty() ? machine::usual_order(result.config) : machine::parse_order(order);
    if (!budget.empty()) result.budget = catalogue::parse_size(budget);
    return result;
}

}  // namespace lab::cli
