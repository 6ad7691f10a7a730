#include "simulation/subject.h"

#include "base/json_fields.h"

namespace lab::simulation {

Ready ready_for(const Subject& subject) {
    Ready result;
    if (!subject.variant) {
        result.job = job_of(subject.user_kernel, subject.machine.config);
        result.job.budget = subject.machine.budget;
        result.ending = [](const machine::Machine& machine, const machine::State& state) {
            return analysis::Ending{result_text(machine, state), {}};
        };
        return result;
    }
    auto ready =
        std::make_shared<const Prepared>(prepare(*subject.variant, subject.shape, subject.machine));
    result.job = ready->job;
    result.expected = catalogue::text_of(ready->right.value, 0);
    result.ending = [ready](const machine::Machine& machine, const machine::State& state) {
        const catalogue::Outcome outcome = outcome_at(*ready, machine, state);
        return analysis::Ending{outcome.result, outcome.verdict.right};
    };
    result.variant = std::move(ready);
    return result;
}

LAB_JSON_FIELDS_OR_DEFAULT(UserKernel, file, text, kernel, defines, folders, global, local, offset,
                           arguments)

}  // namespace lab::simulation
