#include "simulation/subject.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "analysis/hazards.h"
#include "base/json_fields.h"
#include "lang/code.h"
#include "simulation/plan_job.h"

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

namespace {

// Of the second search. Once it has a result that the machine lacks, it only counts how many.
constexpr std::uint64_t kMoreStates = 300'000, kMoreSamples = 500;
constexpr std::uint64_t kMoreEffort = analysis::kSecondOfEffort / 4;
constexpr std::uint64_t kCountEffort = analysis::kSecondOfEffort / 50;
constexpr std::uint64_t kRaceSteps = 4'000'000;

using ResultKey = std::tuple<std::string, bool, bool>;

std::set<ResultKey> keys_of(const std::vector<analysis::PossibleResult>& results) {
    std::set<ResultKey> keys;
    for (const analysis::PossibleResult& each : results)
        keys.emplace(each.ending.result, each.fault, each.never_ends);
    return keys;
}

// What independent items do, all groups at once, where the machine hides some of it.
std::optional<analysis::IndependentOutcomes> independent_of(
    const Subject& subject, const machine::Job& job, const analysis::Outcomes& found,
    const analysis::OutcomesOptions& options) {
    const machine::Config& config = job.config;
    bool lockstep = false, waits = false;
    for (const machine::Launch& launch : job.launches) {
        lockstep = lockstep || (config.lanes > 1 && launch.range.group_items() > 1);
        waits = waits || (config.resident != 0 && config.resident < launch.range.groups());
    }
    if (!lockstep && !waits) return std::nullopt;
    analysis::IndependentOutcomes result;
    if (has_sub_groups(job)) result.lanes = config.lanes;
    if (!waits && result.lanes == config.lanes) {
        result.results = found.results.size();
        result.complete = found.complete;
        result.same = true;
        return result;
    }
    Subject other = subject;
    if (!other.machine.target) other.machine.target = target_of(config);
    other.machine.config.lanes = result.lanes;
    other.machine.config.resident = 0;
    Ready ready;
    try {
        ready = ready_for(other);
    } catch (const Problem&) {  // all groups at once take more memory than there is
        return std::nullopt;
    }
    analysis::OutcomesOptions less = options;
    less.most_states = std::min(options.most_states, kMoreStates);
    less.most_effort = found.complete ? kMoreEffort : kCountEffort;
    const std::set<ResultKey> known = keys_of(found.results);
    less.enough = [&](const std::vector<analysis::PossibleResult>& results) {
        const std::set<ResultKey> keys = keys_of(results);
        return !std::includes(known.begin(), known.end(), keys.begin(), keys.end());
    };
    less.enough_after = kCountEffort;
    less.samples = std::min(options.samples, kMoreSamples);
    less.shortest = false;
    less.on_progress = nullptr;
    const analysis::Outcomes all = outcomes_of(ready.job, ready.ending, less);
    result.results = all.results.size();
    result.complete = all.complete;
    result.same = keys_of(all.results) == known;
    return result;
}

// Whether an atomic's value is made use of, or is a float, whose sum depends on the order.
bool atomics_tell(const lang::Code& code) {
    std::set<std::uint32_t> read;
    for (const lang::Instruction& each : code.instructions)
        lang::for_inputs(each, [&](std::uint32_t reg) { read.insert(reg); });
    return std::any_of(code.instructions.begin(), code.instructions.end(),
                       [&](const lang::Instruction& each) {
                           return each.op == lang::Op::atomic &&
                                  (lang::info(each.type).floating || read.contains(each.to));
                       });
}

}  // namespace

bool has_sub_groups(const machine::Job& job) {
    return std::any_of(job.launches.begin(), job.launches.end(), [](const machine::Launch& launch) {
        return lang::depends_on_lanes(*launch.code);
    });
}

analysis::Outcomes judged_outcomes(const Subject& subject, const Ready& ready,
                                   const analysis::OutcomesOptions& options) {
    analysis::Outcomes found = outcomes_of(ready.job, ready.ending, options);
    if (found.cancelled) return found;
    found.independent = independent_of(subject, ready.job, found, options);
    analysis::HazardSearchOptions some;
    some.most_steps = kRaceSteps;
    some.first_race = true;
    some.cancel = options.cancel;
    const analysis::HazardSearch races =
        search_hazards(ready.job, machine::usual_order(ready.job.config), some);
    const bool racy = races_in(races.hazards) > 0;
    if (racy || (!races.fault && !races.cancelled)) found.races = racy;
    found.for_these_numbers =
        racy || races.for_these_numbers ||
        std::any_of(ready.job.launches.begin(), ready.job.launches.end(),
                    [](const machine::Launch& launch) { return atomics_tell(*launch.code); });
    return found;
}

LAB_JSON_FIELDS_OR_DEFAULT(UserKernel, file, text, kernel, defines, folders, global, local, offset,
                           arguments)

}  // namespace lab::simulation
