#include "device/resident.h"

#include <fmt/format.h>

#include "device/needs.h"

namespace lab::device {
namespace {

std::uint64_t groups_of(const catalogue::Plan& plan) {
    return plan.launches.empty() ? 0 : plan.launches.front().global / plan.launches.front().local;
}

// Of `n` elements: how many groups, if they all got through.
std::optional<std::uint64_t> groups_through(const Device& device, const Program& program,
                                            const catalogue::Variant& variant,
                                            const catalogue::Shape& shape, std::uint64_t n) {
    const catalogue::Values input = make_values(shape.type, n);
    const catalogue::Values neutral = identity(shape.op, shape.type);
    const catalogue::Plan plan =
        make_plan(variant, shape, n, target_of(device.info, program.group));
    Inputs inputs(device, elements_of(input, neutral));
    Reduction reduction(device, program, plan, inputs);
    if (!try_run(reduction)) return {};
    return groups_of(plan);
}

}  // namespace

std::optional<Times> try_run(Reduction& reduction, const Runs& runs) {
    constexpr int kMostAttempts = 5;
    constexpr double kPatienceMs = 500;
    double waited_ms = 0;
    for (int attempt = 0; attempt < kMostAttempts && waited_ms < kPatienceMs; ++attempt) {
        reduction.prepare();
        const Times times = reduction.run(runs);
        if (!reduction.stuck()) return times;
        waited_ms += times.wall_ms;
    }
    return {};
}

std::uint64_t most_groups(const Device& device, const Program& program,
                          const catalogue::Variant& variant, const catalogue::Shape& shape,
                          std::uint64_t n) {
    const std::uint64_t step =
        make_plan(variant, shape, n, target_of(device.info, program.group)).group;
    std::uint64_t through = 0;
    std::uint64_t low = 0, high = (n + step - 1) / step;  // in groups' worth of elements
    while (low + 1 < high) {  // `high` is known to fail, `low` to get through (or to be none)
        const std::uint64_t middle = low + (high - low) / 2;
        const auto groups = groups_through(device, program, variant, shape, middle * step);
        if (groups) through = *groups;
        (groups ? low : high) = middle;
    }
    return through;
}

Problem not_resident(const catalogue::Variant& variant, const catalogue::Plan& plan,
                     std::uint64_t most_groups) {
    const bool races = plan.expect == catalogue::Expect::races;
    return {fmt::format("{}: {} groups of {} wait for each other, but {}", variant.id,
                        groups_of(plan), plan.group,
                        races ? "they do not run at the same time, or look only once"
                              : "this device does not run them at the same time"),
            fmt::format(
                "{}. {}", races ? "A spin gave up" : "They are not co-resident, so a spin gave up",
                most_groups == 0
                    ? "Not even one group of that size gets through here"
                    : fmt::format("The largest number that got through is {}", most_groups)),
            "Choose a larger group, a smaller n, or a barrier that this device can keep",
            variant.file.filename().string(), Exit::kernel_fault};
}

}  // namespace lab::device
