#include "measure/checks/watched_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lang/code.h"
#include "machine/run.h"

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
std::uint32_t lanes_of(const std::vector<Snapshots>& launches, const machine::Job& job) {
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
        if (lanes == 0 ||
            launches[k].sub_group != std::min(lanes, job.launches[k].range.group_items()))
            throw Problem("It is not known how wide the device's sub-groups are",
                          lanes == 0 ? "The driver does not say it"
                                     : "They are not as wide in each of the kernel's launches",
                          "Step it on the machine, where you choose that", "--lanes");
    return static_cast<std::uint32_t>(lanes);
}

}  // namespace

WatchedRows::WatchedRows(const results::DeviceInfo& device, WatchedCase watched)
    : device_(device), case_(std::move(watched)) {
    const machine::Job job = case_.job(config_of(device_, 0));
    const lang::Code& code = *job.launches.front().code;
    if (lang::depends_on_lanes(code)) lanes_ = lanes_of(case_.run({}, device::Optimise::yes), job);
    machine::Order in_turn;
    in_turn.kind = machine::Order::Kind::round_robin;
    machine_ = on_machine(in_turn);
    if (!code.has_barrier) return;
    for (const auto& launch : machine_.machine_barriers)
        most_.push_back(*std::max_element(launch.begin(), launch.end()) + 1);
}

DevicePasses WatchedRows::on_machine(const machine::Order& order) const {
    machine::Recording recording;
    recording.most_events = kMostEvents;
    const machine::Run run(case_.job(config_of(device_, lanes_)), order, recording);
    if (run.fault()) throw run.problem(*run.fault());
    DevicePasses passes;
    passes.machine_barriers = analysis::barriers_passed(run);
    passes.machine = trace_rows(run, case_.start, &passes.traces);
    return passes;
}

DevicePasses WatchedRows::on_machine_like(
    const std::vector<std::vector<std::uint32_t>>& barriers) const {
    try {
        return on_machine(order_of(barriers));
    } catch (const Problem&) {
        return machine_;  // groups that wait for each other: the counts themselves are wrong
    }
}

DevicePasses WatchedRows::on_device(const std::vector<std::uint32_t>& most,
                                    device::Optimise optimise) const {
    std::vector<Snapshots> launches = case_.run(most, optimise);
    if (lanes_ > 0 && lanes_of(launches, case_.job(config_of(device_, lanes_))) != lanes_)
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
    passes.after = std::move(launches.back().after);
    return passes;
}

}  // namespace lab::measure
