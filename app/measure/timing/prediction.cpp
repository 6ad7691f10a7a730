#include "measure/timing/prediction.h"

#include <fmt/format.h>

#include "analysis/outcomes.h"
#include "catalogue/outcome.h"
#include "simulation/plan_job.h"

namespace lab::measure {
namespace {

constexpr std::uint64_t kMostStates = 30'000, kSamples = 100;
constexpr std::uint64_t kMostItems = 1024;  // of all launches together
constexpr std::uint64_t kMostPredicted = 4096;

machine::Config independent() {
    machine::Config config;
    config.lanes = 1;
    config.resident = 0;
    return config;
}

void search(results::Prediction& prediction, const machine::Job& job,
            const analysis::EndingOf& ending) {
    analysis::OutcomesOptions options;
    options.most_states = kMostStates;
    options.samples = kSamples;
    options.shortest = false;
    const analysis::Outcomes found = outcomes_of(job, ending, options);
    prediction.complete = found.complete;
    prediction.states = found.states;
    prediction.samples = found.samples;
    prediction.unwritten = found.unwritten;
    for (const analysis::PossibleResult& each : found.results)
        (each.fault || each.never_ends ? prediction.faults : prediction.results)
            .push_back(each.ending.result);
}

}  // namespace

results::Prediction predict(const catalogue::Variant& variant, const catalogue::Shape& shape,
                            const catalogue::Plan& plan, const catalogue::Values& input,
                            const catalogue::Reference& right) {
    results::Prediction prediction;
    std::uint64_t items = 0;
    for (const catalogue::Launch& launch : plan.launches)
        items += launch.global;
    if (items > kMostItems || catalogue::count_of(input) > kMostPredicted) {
        prediction.why_not =
            fmt::format("{} elements and {} work-items are too many to try all orders of",
                        catalogue::count_of(input), items);
        return prediction;
    }
    try {
        if (plan.launches.empty()) {
            prediction.results = {
                catalogue::text_of(catalogue::count_of(input) > 0 ? input : right.value, 0)};
            prediction.complete = true;
            return prediction;
        }
        search(prediction, simulation::job_of(variant, shape, plan, input, independent()),
               [&](const machine::Machine& machine, const machine::State& state) {
                   const catalogue::Values cells =
                       catalogue::values_from(shape.type, machine.bytes(state, *plan.result));
                   const catalogue::Outcome outcome = outcome_of(cells, plan, shape, right);
                   return analysis::Ending{outcome.result, outcome.verdict.right};
               });
    } catch (const Problem& problem) {
        prediction.why_not = problem.what_happened;
    }
    return prediction;
}

results::Prediction predict(const simulation::UserKernel& kernel) {
    results::Prediction prediction;
    const machine::Job job = simulation::job_of(kernel, independent());
    const std::uint64_t items = job.launches.front().range.items();
    if (items > kMostItems) {
        prediction.why_not = fmt::format("{} work-items are too many to try all orders of", items);
        return prediction;
    }
    try {
        search(prediction, job, [](const machine::Machine& machine, const machine::State& state) {
            return analysis::Ending{simulation::contents_of(machine, state), {}};
        });
    } catch (const Problem& problem) {
        prediction.why_not = problem.what_happened;
    }
    return prediction;
}

}  // namespace lab::measure
