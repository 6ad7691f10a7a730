#include "simulation/requests.h"

#include <nlohmann/json.hpp>

#include "analysis/outcomes.h"
#include "simulation/shown_run.h"
#include "simulation/simulate.h"

namespace lab::simulation {

catalogue::Catalogue kernels_for(const nlohmann::json& asked) {
    catalogue::Catalogue catalogue = catalogue::load_catalogue();
    if (const auto opened = asked.find("opened"); opened != asked.end())
        for (const nlohmann::json& file : *opened)
            add_opened(catalogue, parse_opened(catalogue, file.at("file").get<std::string>(),
                                               file.at("text").get<std::string>()));
    return catalogue;
}

catalogue::Kernel kernel_for(const nlohmann::json& asked) {
    if (asked.contains("own"))
        return catalogue::kernel_of(asked.at("own").get<catalogue::LaunchForm>());
    return kernels_for(asked).find(asked.at("variant").get<std::string>());
}

namespace {

RunSpec spec_of(const nlohmann::json& asked) {
    RunSpec spec;
    const auto machine = asked.value("machine", analysis::MachineUsed());
    spec.machine.config.lanes = machine.lanes;
    spec.machine.config.resident = machine.resident;
    spec.kernel = kernel_for(asked);
    if (asked.contains("shape")) spec.shape = asked.at("shape").get<catalogue::Shape>();
    return spec;
}

}  // namespace

nlohmann::json wrong_order_asked(const nlohmann::json& asked,
                                 const std::function<void(const nlohmann::json&)>&) {
    RunSpec spec = spec_of(asked);
    spec.machine.order = machine::parse_order(asked.at("machine").at("order").get<std::string>());
    const ShownRun shown = shown_run(spec, true, nullptr);
    if (shown.witness.origin != analysis::Witness::Origin::goes_wrong) return nullptr;
    return {{"lanes", shown.options.config.lanes},
            {"resident", shown.options.config.resident},
            {"turns", machine::text_of(shown.options.order.turns)}};
}

nlohmann::json outcomes_asked(const nlohmann::json& asked,
                              const std::function<void(const nlohmann::json&)>& on_progress) {
    const RunSpec spec = spec_of(asked);
    analysis::OutcomesOptions options;
    options.most_states = asked.value("states", options.most_states);
    if (!asked.contains("states")) options.most_effort = analysis::kSecondOfEffort;
    options.most_bytes = asked.value("bytes", options.most_bytes);
    options.samples = asked.value("samples", options.samples);
    options.on_progress = [&](const analysis::Outcomes& so_far) {
        on_progress({{"states", so_far.states},
                     {"samples", so_far.samples},
                     {"results", so_far.results.size()}});
    };
    const machine::Job job = job_of(spec);
    if (job.launches.empty())
        throw Problem("There is nothing to schedule", "Nothing is launched for no elements",
                      "Choose at least one element", "--n");
    return judged_outcomes(spec, job, options);
}

}  // namespace lab::simulation
