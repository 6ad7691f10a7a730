#include "measure/checks/trials.h"

#include <algorithm>
#include <chrono>

#include "device/needs.h"
#include "device/resident.h"
#include "measure/timing/entries.h"
#include "measure/timing/prediction.h"
#include "measure/timing/size.h"

namespace lab {
namespace {

constexpr auto kTrialsTellEvery = std::chrono::milliseconds(200);

void count(std::vector<TrialResult>& results, const Outcome& outcome) {
    auto found = std::find_if(results.begin(), results.end(), [&](const TrialResult& of) {
        return of.result == outcome.result && of.right == outcome.verdict.right;
    });
    if (found == results.end())
        found = results.insert(found, {outcome.result, 0, outcome.verdict.right});
    ++found->count;
    // A step up past those that are now rarer.
    while (found != results.begin() && (found - 1)->count < found->count) {
        std::iter_swap(found, found - 1);
        --found;
    }
}

}  // namespace

Trials trials(const compute::Device& device, const Catalogue& catalogue,
              const TrialsRequest& request, const std::function<void(const Trials&)>& told) {
    const Variant& variant = catalogue.find(request.variant);
    const Shape& asked = request.shape;
    if (const auto problem = compute::lacking(device.info, variant, asked)) throw Problem(*problem);
    const compute::Program program = compute::build(device, variant, kernel_text(variant, asked));
    const Target target = compute::target_of(device.info, program.group);
    check_fits(device.info, asked.type, asked.n, "--n");
    const Values input = make_values(asked.input, asked.type, asked.n, asked.op);
    const Shape shape = small_shape(variant, asked, count_of(input), target);
    const Values neutral = identity(shape.op, shape.type);
    const Plan plan = make_plan(variant, shape, count_of(input), target);
    const Reference right = right_for(plan, shape, input);
    compute::Inputs inputs(device, compute::elements_of(input, neutral));
    compute::Reduction reduction(device, program, plan, inputs);

    Trials made;
    made.variant = variant.id;
    made.device = device.info.name;
    made.driver = device.info.driver;
    made.op = name_of(shape.op);
    made.type = info(shape.type).name;
    made.input = text_of(shape.input);
    made.set = toggle_settings(variant, shape);
    made.expect = name_of(plan.expect);
    made.n = count_of(input);
    made.group = plan.group;
    made.groups = plan.launches.empty() ? 0 : plan.launches[0].global / plan.launches[0].local;
    made.expected = text_of(right.value, 0);
    made.predicted = predict(variant, shape, plan, input, right);
    auto last_told = std::chrono::steady_clock::now();
    while (made.count < request.count) {
        if (!compute::try_run(reduction))
            throw compute::not_resident(
                variant, plan, compute::most_groups(device, program, variant, shape, made.n));
        count(made.results, outcome_of(reduction, shape, right));
        ++made.count;
        if (!told || std::chrono::steady_clock::now() - last_told < kTrialsTellEvery) continue;
        last_told = std::chrono::steady_clock::now();
        told(made);
    }
    return made;
}

}  // namespace lab
