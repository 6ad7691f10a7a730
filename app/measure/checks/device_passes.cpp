#include "measure/checks/device_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "catalogue/outcome.h"
#include "device/snapshots.h"
#include "machine/config.h"
#include "simulation/plan_job.h"

namespace lab::measure {
namespace {

using device::Snapshots;

constexpr std::uint64_t kMostEvents = 1'000'000;  // of the machine's trace

// All groups at once, as kernels need it whose groups wait for each other.
machine::Config config_of(const results::DeviceInfo& device, std::uint32_t lanes) {
    machine::Config config;
    if (lanes > 0) config.lanes = lanes;
    config.resident = 0;
    config.cpu = device.kind == "CPU";
    config.max_group =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(device.max_group, UINT32_MAX));
    return config;
}

// The device's values in the place of the machine's.
class RowValues {
  public:
    RowValues(const Snapshots& snapshots, const analysis::RowTrace& row, const std::string& array)
        : of_(snapshots), row_(row) {
        const auto found = std::find_if(
            snapshots.arrays.begin(), snapshots.arrays.end(), [&](const Snapshots::Array& each) {
                return each.local == row.local &&
                       (row.local ? each.name == array : each.buffer == row.buffer);
            });
        if (found != snapshots.arrays.end())
            array_ = static_cast<std::size_t>(found - snapshots.arrays.begin());
    }

    analysis::CellValue value(std::size_t cell) const {
        return row_.local
                   ? analysis::value_in(of_local(cell), cell % row_.group_cells, row_.element)
                   : analysis::value_in(of_global(cell), cell, row_.element);
    }

  private:
    using Bytes = std::span<const std::byte>;

    // The group's state after the pass, or at the launch's end if that came before it. Nothing
    // where that is older than the cell's value.
    Bytes at_barrier(std::size_t group, std::uint32_t pass, const analysis::CellTrace& cell) const {
        if (!array_ || of_.kept(group) == 0) return {};
        const std::uint32_t number = std::min(pass, of_.kept(group) - 1);
        if (cell.written && number < cell.pass) return {};
        return of_.of(group, number, *array_);
    }

    Bytes of_local(std::size_t cell) const {
        return at_barrier(cell / row_.group_cells, row_.pass, row_.cells[cell]);
    }

    // What another group wrote, and when it did, a group's snapshot does not tell.
    Bytes of_global(std::size_t cell) const {
        const analysis::CellTrace& trace = row_.cells[cell];
        if (row_.last && !trace.later) return of_.after[row_.buffer];
        if (of_.taken.size() == 1) return at_barrier(0, row_.pass, trace);
        if (!trace.written) return of_.before[row_.buffer];
        if (trace.atomic) return {};
        return at_barrier(trace.group, trace.shared ? trace.pass : row_.pass, trace);
    }

    const Snapshots& of_;
    const analysis::RowTrace& row_;
    std::optional<std::size_t> array_;  // of the snapshots
};

std::vector<std::uint32_t> barriers_of(const Snapshots& snapshots) {
    std::vector<std::uint32_t> all = snapshots.taken;
    for (std::uint32_t& count : all)
        if (snapshots.at_end && count > 0) --count;
    return all;
}

catalogue::Values end_of(const std::vector<Snapshots>& launches, const catalogue::Shape& shape,
                         const catalogue::Plan& plan) {
    const catalogue::Launch& end = plan.launches.back();
    std::vector<std::byte> bytes = launches.back().after[end.shows];
    bytes.resize(end.shows_count * info(shape.type).bytes);
    return catalogue::values_from(shape.type, bytes);
}

using Counts = std::vector<std::vector<std::uint32_t>>;  // a launch, a group

// The groups that pass more barriers than others go last: where the group that comes last does
// more, as in single-pass, that is how it went on the device.
machine::Order order_of(const Counts& barriers) {
    machine::Order order;
    order.kind = machine::Order::Kind::in_order;
    for (const std::vector<std::uint32_t>& launch : barriers) {
        std::vector<std::uint32_t> groups(launch.size());
        std::iota(groups.begin(), groups.end(), 0U);
        std::stable_sort(groups.begin(), groups.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return launch[a] < launch[b]; });
        order.groups.push_back(std::move(groups));
    }
    return order;
}

// How wide warps must be to be the device's sub-groups; PoCL's are whole groups. Throws Problem
// where they cannot be.
std::uint32_t lanes_of(const std::vector<Snapshots>& launches, const catalogue::Plan& plan) {
    std::uint64_t lanes = 0;
    for (const Snapshots& launch : launches)
        lanes = std::max(lanes, launch.sub_group);
    if (lanes > machine::kMostLanes)
        throw Problem("The machine has no warps as wide as the device's sub-groups",
                      fmt::format("A sub-group of this kernel has {} work-items there, a warp at "
                                  "most {}",
                                  lanes, machine::kMostLanes),
                      fmt::format("Choose a group of at most {}", machine::kMostLanes), "--group");
    for (std::size_t k = 0; k < launches.size(); ++k)
        if (lanes == 0 || launches[k].sub_group != std::min(lanes, plan.launches[k].local))
            throw Problem("It is not known how wide the device's sub-groups are",
                          lanes == 0 ? "The driver does not say it"
                                     : "They are not as wide in each of the kernel's launches",
                          "Step it on the machine, where you choose that", "--lanes");
    return static_cast<std::uint32_t>(lanes);
}

// One case, and what the machine makes of it.
class Watched {
  public:
    Watched(const device::Device& device, const catalogue::Variant& variant,
            const catalogue::Shape& shape, const catalogue::Plan& plan,
            const catalogue::Values& input)
        : device_(device), variant_(variant), shape_(shape), plan_(plan), input_(input) {
        const lang::Code code = simulation::compile(variant, shape);
        if (lang::depends_on_lanes(code))
            lanes_ = lanes_of(device::run_watched(device, variant, shape, plan, input, {}), plan);
        machine::Order in_turn;
        in_turn.kind = machine::Order::Kind::round_robin;
        machine_ = on_machine(in_turn);
        if (!code.has_barrier) return;
        for (const auto& launch : machine_.machine_barriers)
            most_.push_back(*std::max_element(launch.begin(), launch.end()) + 1);
    }

    DevicePasses run(device::Optimise optimise) const { return on_device(most_, optimise); }
    // Nobody watches: what launches leave is all that is known.
    DevicePasses plain() const { return on_device({}, device::Optimise::yes); }

  private:
    // Its half.
    DevicePasses on_machine(const machine::Order& order) const {
        machine::Recording recording;
        recording.most_events = kMostEvents;
        const machine::Run run(
            simulation::job_of(variant_, shape_, plan_, input_, config_of(device_.info, lanes_)),
            order, recording);
        if (run.fault()) throw run.problem(*run.fault());
        DevicePasses passes;
        passes.machine_barriers = analysis::barriers_passed(run);
        passes.machine = trace_rows(run, simulation::start_of(plan_), &passes.traces);
        return passes;
    }

    DevicePasses on_machine_like(const Counts& barriers) const {
        try {
            return on_machine(order_of(barriers));
        } catch (const Problem&) {
            return machine_;  // groups that wait for each other: the counts themselves are wrong
        }
    }

    DevicePasses on_device(const std::vector<std::uint32_t>& most,
                           device::Optimise optimise) const {
        const std::vector<Snapshots> launches =
            device::run_watched(device_, variant_, shape_, plan_, input_, most, optimise);
        if (lanes_ > 0 && lanes_of(launches, plan_) != lanes_)
            throw Problem("The copies change how wide the device's sub-groups are", "",
                          "Step it on the machine", "--source");
        DevicePasses passes = machine_;
        if (!most.empty()) {
            Counts barriers;
            for (const Snapshots& launch : launches)
                barriers.push_back(barriers_of(launch));
            if (barriers != machine_.machine_barriers) passes = on_machine_like(barriers);
            passes.barriers = std::move(barriers);
        }
        passes.lanes = lanes_;
        passes.optimised = optimise == device::Optimise::yes;
        passes.rows = passes.machine;
        for (std::size_t i = 0; i < passes.traces.size(); ++i) {
            analysis::Row& pass = passes.rows[i + 1];
            const RowValues values(launches[passes.traces[i].launch], passes.traces[i], pass.array);
            for (std::size_t cell = 0; cell < pass.cells.size(); ++cell)
                if (pass.cells[cell].value.bits) pass.cells[cell].value = values.value(cell);
        }
        passes.last = end_of(launches, shape_, plan_);
        return passes;
    }

    const device::Device& device_;
    const catalogue::Variant& variant_;
    const catalogue::Shape& shape_;
    const catalogue::Plan& plan_;
    const catalogue::Values& input_;
    std::uint32_t lanes_ = 0;          // of a warp; 0: it does not matter
    DevicePasses machine_;             // its half
    std::vector<std::uint32_t> most_;  // snapshots a group, a launch each; empty: no barriers
};

// Not more than the distance apart.
bool alike(const analysis::CellValue& a, const analysis::CellValue& b, machine::Scalar element,
           long double distance) {
    if (a == b) return true;
    if (!lang::info(element).floating) return false;
    const double x = number_of(a), y = number_of(b);
    return x == y ||
           std::abs(static_cast<long double>(x) - static_cast<long double>(y)) <= distance;
}

}  // namespace

bool has_passes(const catalogue::Variant& variant, const catalogue::Shape& shape) {
    return simulation::compile(variant, shape).has_barrier;
}

DevicePasses device_passes(const device::Device& device, const catalogue::Variant& variant,
                           const catalogue::Shape& shape, const catalogue::Plan& plan,
                           const catalogue::Values& input) {
    const Watched watched(device, variant, shape, plan, input);
    // What races may differ at any time.
    if (plan.expect == catalogue::Expect::races) return watched.run(device::Optimise::yes);
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
    if (result && (!differs(*result) || differs(watched.plain()))) return std::move(*result);
    DevicePasses again = watched.run(device::Optimise::no);
    return result && differs(again) ? std::move(*result) : std::move(again);
}

catalogue::Values plain_end(const device::Device& device, const catalogue::Variant& variant,
                            const catalogue::Shape& shape, const catalogue::Plan& plan,
                            const catalogue::Values& input) {
    return end_of(device::run_watched(device, variant, shape, plan, input, {}), shape, plan);
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
