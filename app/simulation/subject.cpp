#include "simulation/subject.h"

#include "base/json_fields.h"

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

LAB_JSON_FIELDS_OR_DEFAULT(OwnKernel, file, text, kernel, defines, global, local, arguments)

}  // namespace lab::simulation
