#include "simulation/subject.h"

#include <nlohmann/json.hpp>

namespace lab::simulation {

Ready ready_for(const Subject& subject) {
    Ready made;
    if (!subject.variant) {
        made.job = job_of(subject.own, subject.machine.config);
        made.job.budget = subject.machine.budget;
        made.ending = [](const machine::Machine& machine, const machine::State& state) {
            return analysis::Ending{contents_of(machine, state), {}};
        };
        return made;
    }
    auto ready =
        std::make_shared<const Prepared>(prepare(*subject.variant, subject.shape, subject.machine));
    made.job = ready->job;
    made.expected = catalogue::text_of(ready->right.value, 0);
    made.ending = [ready](const machine::Machine& machine, const machine::State& state) {
        const catalogue::Outcome outcome = outcome_at(*ready, machine, state);
        return analysis::Ending{outcome.result, outcome.verdict.right};
    };
    made.variant = std::move(ready);
    return made;
}

void to_json(nlohmann::json& json, const OwnKernel& own) {
    json = {{"file", own.file},          {"text", own.text},     {"kernel", own.kernel},
            {"defines", own.defines},    {"global", own.global}, {"local", own.local},
            {"arguments", own.arguments}};
}

void from_json(const nlohmann::json& json, OwnKernel& own) {
    own.file = json.value("file", own.file);
    own.text = json.value("text", own.text);
    own.kernel = json.value("kernel", own.kernel);
    own.defines = json.value("defines", own.defines);
    own.global = json.value("global", own.global);
    own.local = json.value("local", own.local);
    own.arguments = json.value("arguments", own.arguments);
}

}  // namespace lab::simulation
