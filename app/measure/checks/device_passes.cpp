#include "measure/checks/device_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/step_table.h"
#include "catalogue/outcome.h"
#include "measure/checks/watched_rows.h"
#include "measure/timing/kernel_launch.h"
#include "simulation/plan_job.h"
#include "simulation/user_kernel_code.h"

namespace lab::measure {
namespace {

// `after`: what the last launch left.
catalogue::Values end_of(const std::vector<std::vector<std::byte>>& after,
                         const catalogue::Shape& shape, const catalogue::Plan& plan) {
    const catalogue::Launch& end = plan.launches.back();
    std::vector<std::byte> bytes = after[end.shows];
    bytes.resize(end.shows_count * info(shape.type).bytes);
    return catalogue::values_from(shape.type, bytes);
}

// Not more than the distance apart.
bool alike(const analysis::CellValue& a, const analysis::CellValue& b, machine::Scalar element,
           long double distance) {
    if (a == b) return true;
    if (!lang::info(element).floating) return false;
    const double x = number_of(a), y = number_of(b);
    return x == y ||
           std::abs(static_cast<long double>(x) - static_cast<long double>(y)) <= distance;
}

WatchedCase watched_case(const device::Device& device, const catalogue::Variant& variant,
                         const catalogue::Shape& shape, const catalogue::Plan& plan,
                         const catalogue::Values& input) {
    return {[&](const machine::Config& config) {
                return simulation::job_of(variant, shape, plan, input, config);
            },
            simulation::start_of(plan),
            [&](const std::vector<std::uint32_t>& most, device::Optimise optimise) {
                return device::run_watched(device, variant, shape, plan, input, most, optimise);
            }};
}

}  // namespace

bool has_passes(const catalogue::Variant& variant, const catalogue::Shape& shape) {
    return simulation::compile(variant, shape).has_barrier;
}

DevicePasses device_passes(const device::Device& device, const catalogue::Variant& variant,
                           const catalogue::Shape& shape, const catalogue::Plan& plan,
                           const catalogue::Values& input) {
    const WatchedRows watched(device.info, watched_case(device, variant, shape, plan, input));
    const auto with_end = [&](DevicePasses passes) {
        passes.last = end_of(passes.after, shape, plan);
        return passes;
    };
    // What races may differ at any time.
    if (plan.expect == catalogue::Expect::races)
        return with_end(watched.run(device::Optimise::yes));
    const catalogue::Reference right = right_for(plan, shape, input);
    const auto differs = [&](const DevicePasses& passes) {
        return compare(passes, shape, plan, right).first.has_value();
    };
    std::optional<DevicePasses> result;
    try {
        result = watched.run(device::Optimise::yes);
    } catch (const Problem&) {
        if (!plan.stuck) throw;  // else it may have waited in vain, for want of what was left out
    }
    if (result && (!differs(*result) || differs(watched.plain())))
        return with_end(std::move(*result));
    DevicePasses again = watched.run(device::Optimise::no);
    return with_end(result && differs(again) ? std::move(*result) : std::move(again));
}

DevicePasses device_passes(const device::Device& device, const simulation::UserKernel& kernel) {
    const machine::Job job = simulation::job_of(kernel, {});
    const catalogue::KernelText plain = kernel_text_of(kernel);
    check_needs(device.info, plain);
    const device::KernelLaunch launch = launch_of(job);
    const std::string& entry = job.launches.front().code->kernel;
    const WatchedRows watched(
        device.info,
        {[&](const machine::Config& config) { return simulation::job_of(kernel, config); },
         simulation::start_of(job),
         [&](const std::vector<std::uint32_t>& most, device::Optimise optimise) {
             return device::run_watched(device, simulation::text_of(kernel), plain, entry, launch,
                                        most, optimise);
         }});
    const auto differs = [](const DevicePasses& passes) {
        analysis::StepTable there, here;
        there.rows = passes.rows;
        here.rows = passes.machine;
        return agreement_of(there, here).kind == analysis::Agreement::Kind::differs;
    };
    std::optional<DevicePasses> result;
    try {
        result = watched.run(device::Optimise::yes);
    } catch (const Problem& problem) {
        if (problem.exit == Exit::no_device) throw;
        DevicePasses passes = watched.plain();
        passes.note = fmt::format("Only its end is compared: {}. {}", problem.what_happened,
                                  problem.why.substr(0, problem.why.find('\n')));
        return passes;
    }
    if (!differs(*result) || differs(watched.plain())) return std::move(*result);
    DevicePasses again = watched.run(device::Optimise::no);
    return differs(again) ? std::move(*result) : std::move(again);
}

catalogue::Values plain_end(const device::Device& device, const catalogue::Variant& variant,
                            const catalogue::Shape& shape, const catalogue::Plan& plan,
                            const catalogue::Values& input) {
    return end_of(device::run_watched(device, variant, shape, plan, input, {}).back().after, shape,
                  plan);
}

Comparison compare(const DevicePasses& passes, const catalogue::Shape& shape,
                   const catalogue::Plan& plan, const catalogue::Reference& right) {
    Comparison comparison;
    results::PassDifference difference;
    difference.op = name_of(shape.op);
    difference.type = info(shape.type).name;
    difference.n = right.n;
    difference.group = plan.group;
    for (std::size_t i = 0; i < passes.traces.size(); ++i) {
        const analysis::RowTrace& row = passes.traces[i];
        const analysis::Row& device = passes.rows[i + 1];
        const analysis::Row& machine = passes.machine[i + 1];
        const long double distance =
            row.any_order ? spread(right, shape.type, shape.op, plan.depth) : 0;
        bool any = false;
        for (std::size_t cell = 0; cell < device.cells.size(); ++cell) {
            const analysis::CellValue& value = device.cells[cell].value;
            if (!value.bits) continue;
            any = true;
            if (comparison.first || alike(value, machine.cells[cell].value, row.element, distance))
                continue;
            difference.launch = row.launch + 1;
            difference.pass = device.number;
            difference.array = device.array;
            if (row.local) difference.in_group = static_cast<std::int64_t>(cell / row.group_cells);
            difference.cell = row.local ? cell % row.group_cells : cell;
            difference.device = text_of(value);
            difference.machine = text_of(machine.cells[cell].value);
            comparison.first = difference;
        }
        if (any) ++comparison.passes;
    }
    for (std::size_t launch = 0; launch < passes.barriers.size() && !comparison.first; ++launch)
        for (std::size_t group = 0; group < passes.barriers[launch].size() && !comparison.first;
             ++group) {
            if (passes.barriers[launch][group] == passes.machine_barriers[launch][group]) continue;
            difference.launch = launch + 1;
            difference.in_group = static_cast<std::int64_t>(group);
            difference.device = std::to_string(passes.barriers[launch][group]);
            difference.machine = std::to_string(passes.machine_barriers[launch][group]);
            comparison.first = difference;
        }
    return comparison;
}

}  // namespace lab::measure
