// Small searches of every result, for tests.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/outcomes.h"
#include "support/example_job.h"

namespace lab::analysis {

// The ints of the first buffer.
inline Ending plain_ending(const machine::Machine& machine, const machine::State& state) {
    std::string text;
    for (const std::int32_t each : machine::ints_of(machine, state, 0))
        text += (text.empty() ? "" : " ") + std::to_string(each);
    return {text, {}};
}
// The first of them.
inline Ending first_of(const machine::Machine& machine, const machine::State& state) {
    return {std::to_string(machine::ints_of(machine, state, 0)[0]), {}};
}

inline Outcomes outcomes_in(const machine::Example& example, std::uint32_t lanes = 1,
                            std::uint32_t resident = 0, const OutcomesOptions& options = {},
                            const EndingOf& ending = plain_ending) {
    return outcomes_of(machine::job_of(example, lanes, resident), ending, options);
}
inline OutcomesOptions with(Reduction reduction) {
    OutcomesOptions options;
    options.reduction = reduction;
    return options;
}

inline std::set<std::string> results_of(const Outcomes& outcomes) {
    std::set<std::string> results;
    for (const PossibleResult& each : outcomes.results)
        results.insert(each.ending.result);
    return results;
}

inline std::string replayed(const machine::Example& example,
                            const std::vector<machine::ScheduleSlice>& turns,
                            std::uint32_t lanes = 1, std::uint32_t resident = 0) {
    machine::SchedulingPolicy order = machine::order_of(machine::SchedulingPolicy::Kind::list);
    order.turns = turns;
    const auto run = play(machine::job_of(example, lanes, resident), std::move(order));
    return run.fault() ? run.fault()->what : plain_ending(run.machine(), run.end()).result;
}

}  // namespace lab::analysis
