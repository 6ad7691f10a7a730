#include "measure/checks/trials.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "device/needs.h"
#include "device/recorder.h"
#include "device/resident.h"
#include "measure/checks/record.h"
#include "measure/checks/record_case.h"
#include "measure/timing/benchmark_cases.h"
#include "measure/timing/prediction.h"
#include "measure/timing/size.h"

namespace lab::measure {
namespace {

constexpr auto kTrialsTellEvery = std::chrono::milliseconds(200);

std::uint64_t total(const results::TrialResult& result) {
    return result.count + result.delayed;
}

void count(std::vector<results::TrialResult>& results, const catalogue::Outcome& outcome,
           bool delayed) {
    auto found =
        std::find_if(results.begin(), results.end(), [&](const results::TrialResult& result) {
            return result.result == outcome.result && result.right == outcome.verdict.right;
        });
    if (found == results.end())
        found = results.insert(found, {outcome.result, 0, outcome.verdict.right});
    ++(delayed ? found->delayed : found->count);
    // A step up past those that are now rarer.
    while (found != results.begin() && total(*(found - 1)) < total(*found)) {
        std::iter_swap(found, found - 1);
        --found;
    }
}

// As many runs as were asked for, and after each one with delays where they were: `delayed` is
// empty where a spin gave up.
template <typename Plain, typename Delayed>
void run_all(results::Trials& result, const results::TrialsRequest& request,
             const std::function<void(const results::Trials&)>& on_progress, const Plain& plain,
             const Delayed& delayed) {
    auto last_told = std::chrono::steady_clock::now();
    while (result.count < request.count) {
        count(result.results, plain(), false);
        ++result.count;
        if (request.delays)
            if (const std::optional<catalogue::Outcome> outcome = delayed()) {
                count(result.results, *outcome, true);
                ++result.delayed;
            }
        if (!on_progress || std::chrono::steady_clock::now() - last_told < kTrialsTellEvery)
            continue;
        last_told = std::chrono::steady_clock::now();
        on_progress(result);
    }
}

}  // namespace

results::Trials trials(const device::Device& device, const catalogue::Catalogue& catalogue,
                       const results::TrialsRequest& request,
                       const std::function<void(const results::Trials&)>& on_progress) {
    const catalogue::Variant& variant = catalogue.find(request.variant);
    const catalogue::Shape& asked = request.shape;
    if (const auto problem = device::lacking(device.info, variant, asked)) throw Problem(*problem);
    const device::Program program = device::build(device, variant, kernel_text(variant, asked));
    const catalogue::Target target = device::target_of(device.info, program.group);
    check_fits(device.info, asked.type, asked.n, "--n");
    const catalogue::Values input = make_values(asked.input, asked.type, asked.n, asked.op);
    const catalogue::Shape shape = small_shape(variant, asked, catalogue::count_of(input), target);
    const catalogue::Values neutral = identity(shape.op, shape.type);
    const catalogue::Plan plan = make_plan(variant, shape, catalogue::count_of(input), target);
    const catalogue::Reference right = right_for(plan, shape, input);
    device::Inputs inputs(device, device::elements_of(input, neutral));
    device::Reduction reduction(device, program, plan, inputs);

    results::Trials result;
    result.variant = variant.id;
    result.device = device.info.name;
    result.driver = device.info.driver;
    result.op = name_of(shape.op);
    result.type = info(shape.type).name;
    result.input = text_of(shape.input);
    result.set = toggle_settings(variant, shape);
    result.expect = name_of(plan.expect);
    result.n = catalogue::count_of(input);
    result.group = plan.group;
    result.groups = plan.launches.empty() ? 0 : plan.launches[0].global / plan.launches[0].local;
    result.expected = catalogue::text_of(right.value, 0);
    result.predicted = predict(variant, shape, plan, input, right);
    std::optional<device::Recorder> waits;
    if (request.delays) {
        result.delays = request.delays;
        waits.emplace(device, variant, shape, plan, input, lang::RecordOptions{false, true});
    }
    run_all(
        result, request, on_progress,
        [&] {
            if (!device::try_run(reduction))
                throw device::not_resident(
                    variant, plan, device::most_groups(device, program, variant, shape, result.n));
            return outcome_of(reduction, shape, right);
        },
        [&]() -> std::optional<catalogue::Outcome> {
            if (plan.launches.empty() || !waits->run(delay_seed(*request.delays, result.count)))
                return std::nullopt;
            const auto cells = waits->launches().contents(*plan.result);
            return outcome_of(values_from(shape.type, cells), plan, shape, right);
        });
    return result;
}

results::Trials trials(const device::Device& device, const simulation::UserKernel& kernel,
                       const results::TrialsRequest& request,
                       const std::function<void(const results::Trials&)>& on_progress) {
    const auto subject = kernel_case(device, kernel);
    results::Recorded described;
    subject->describe(described);
    results::Trials result;
    result.variant = described.variant;
    result.launch = described.launch;
    result.device = device.info.name;
    result.driver = device.info.driver;
    result.expect = described.expect;
    result.n = described.n;
    result.group = described.group;
    result.groups = described.groups;
    result.expected = described.expected;
    result.predicted = predict(kernel);
    std::unique_ptr<device::Recorder> waits;
    if (request.delays) {
        result.delays = request.delays;
        waits = subject->recorder({false, true}, device::Optimise::yes);
    }
    run_all(
        result, request, on_progress,
        [&] {
            std::optional<catalogue::Outcome> outcome = subject->run_plainly();
            if (!outcome) throw subject->not_resident();
            return std::move(*outcome);
        },
        [&]() -> std::optional<catalogue::Outcome> {
            if (!waits->run(delay_seed(*request.delays, result.count))) return std::nullopt;
            return subject->outcome(waits->buffers());
        });
    return result;
}

}  // namespace lab::measure
