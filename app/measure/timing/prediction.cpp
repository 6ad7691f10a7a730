#include "measure/timing/prediction.h"

#include <fmt/format.h>

#include "analysis/outcomes/outcomes.h"
#include "catalogue/outcome.h"
#include "simulation/plan_job.h"

namespace lab::measure {
namespace {

constexpr std::uint64_t kMostStates = 30'000, kSamples = 100;
constexpr std::uint64_t kMostItems = 1024;  // of all launches together
constexpr std::uint64_t kMostPredicted = 4096;

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
    machine::Config config;
    config.lanes = 1;
    config.resident = 0;
    analysis::OutcomesOptions options;
    options.most_states = kMostStates;
    options.samples = kSamples;
    options.shortest = false;
    try {
        if (plan.launches.empty()) {
            prediction.results = {
                catalogue::text_of(catalogue::count_of(input) > 0 ? input : right.value, 0)};
            prediction.complete = true;
            return prediction;
        }
        const analysis::Outcomes found = outcomes_of(
            simulation::job_of(variant, shape, plan, input, config),
            [&](const machine::Machine& machine, const machine::State& state) {
                const catalogue::Values cells =
                    catalogue::values_from(shape.type, machine.bytes(state, *plan.result));
                const catalogue::Outcome outcome = outcome_of(cells, plan, shape, right);
                return analysis::Ending{outcome.result, outcome.verdict.right};
            },
            options);
        prediction.complete = found.complete;
        prediction.states = found.states;
        prediction.samples = found.samples;
        prediction.unwritten = found.unwritten;
        for (const analysis::PossibleResult& each : found.results)
            (each.fault || each.never_ends ? prediction.faults : prediction.results)
                .push_back(each.ending.result);
    } catch (const Problem& problem) {
        prediction.why_not = problem.what_happened;
    }
    return prediction;
}

}  // namespace lab::measure
