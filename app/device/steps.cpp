#include "device/steps.h"

#include <fmt/format.h>

#include "device/resident.h"

namespace lab::device {
namespace {

std::vector<catalogue::Values> launch_by_launch(Reduction& reduction,
                                                const catalogue::Shape& shape) {
    std::vector<catalogue::Values> steps;
    reduction.reset();
    for (std::size_t k = 0; k < reduction.plan().launches.size(); ++k) {
        reduction.launch(k);
        const catalogue::Launch& launch = reduction.plan().launches[k];
        steps.push_back(values_from(shape.type, reduction.read(launch.shows, launch.shows_count)));
    }
    return steps;
}

}  // namespace

std::vector<catalogue::Values> run_steps(const Device& device, const catalogue::Variant& variant,
                                         const catalogue::Shape& shape, const catalogue::Plan& plan,
                                         const catalogue::Values& input) {
    if (catalogue::count_of(input) > kMostSteppedElements)
        throw Problem(
            fmt::format("{} elements are too many to step through", catalogue::count_of(input)),
            fmt::format("The step view holds up to {}", kMostSteppedElements),
            "Choose a smaller n; measure takes any size", "--n");
    if (plan.launches.empty()) return {};

    const Program program = build(device, variant, kernel_text(variant, shape));
    const catalogue::Values neutral = identity(shape.op, shape.type);
    Inputs inputs(device, elements_of(input, neutral));
    Reduction reduction(device, program, plan, inputs);

    std::vector<catalogue::Values> steps = launch_by_launch(reduction, shape);
    // A busy machine may have kept a group waiting once.
    for (int again = 0; again < 2 && reduction.stuck(); ++again)
        steps = launch_by_launch(reduction, shape);
    if (reduction.stuck())
        throw not_resident(
            variant, plan,
            most_groups(device, program, variant, shape, catalogue::count_of(input)));
    return steps;
}

}  // namespace lab::device
