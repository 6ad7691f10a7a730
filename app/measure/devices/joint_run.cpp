#include "measure/devices/joint_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "device/needs.h"
#include "device/resident.h"

namespace lab::measure {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// One element of each, in their order, as one array.
catalogue::Values side_by_side(const std::vector<catalogue::Values>& each) {
    catalogue::Values all = catalogue::make_values(catalogue::type_of(each.front()), each.size());
    const std::size_t bytes = catalogue::info(catalogue::type_of(all)).bytes;
    auto* into = static_cast<std::byte*>(catalogue::bytes_of(all));
    for (std::size_t i = 0; i < each.size(); ++i)
        std::memcpy(into + i * bytes, catalogue::bytes_of(each[i]), bytes);
    return all;
}

class JointRun {
  public:
    JointRun(std::vector<JointPart> parts, const catalogue::Variant& variant,
             const catalogue::Shape& asked, catalogue::Reference right, unsigned batch)
        : parts_(std::move(parts)),
          variant_(variant),
          op_(asked.op),
          type_(asked.type),
          right_(std::move(right)),
          batch_(batch) {
        for (const JointPart& part : parts_)
            depth_ = std::max(depth_, part.reduction.plan().depth);
        depth_ += parts_.size() - 1;
        in_parts_ = parts_.front().reduction.plan().expect == catalogue::Expect::partial;
    }

    // Once by the devices' clocks and, where a run is so short that these would count, once more
    // without for the wall's.
    Sample run() {
        constexpr double kLongMs = 10;
        Sample timed;
        if (!run_all({batch_, true}, timed)) return given_up();
        got_through_ = true;
        if (!timed.outcome.verdict.right || *timed.device_ms * batch_ > kLongMs) return timed;
        Sample plain;
        if (!run_all({batch_, false}, plain)) return given_up();
        plain.device_ms = timed.device_ms;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            plain.parts[i].device_ms = timed.parts[i].device_ms;
            plain.parts[i].alone_device_ms = timed.parts[i].alone_device_ms;
        }
        return plain;
    }

  private:
    // All together, then each alone; false if a spin gave up each time.
    bool run_all(const device::Runs& runs, Sample& sample) {
        if (!together(runs, sample)) return false;
        const catalogue::Outcome joint = sample.outcome;
        if (!alone(runs, sample)) return false;
        // A part that is wrong on its own is as wrong as one that is so with the others.
        if (!joint.verdict.right) sample.outcome = joint;
        return true;
    }

    bool together(const device::Runs& runs, Sample& sample) {
        constexpr int kMostAttempts = 5;
        for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
            run_once(runs, sample);
            if (std::none_of(parts_.begin(), parts_.end(),
                             [](const JointPart& part) { return part.reduction.stuck(); }))
                return true;
        }
        return false;
    }

    void run_once(const device::Runs& runs, Sample& sample) {
        for (JointPart& part : parts_)
            part.reduction.prepare();
        std::vector<device::Times> times;
        times.reserve(parts_.size());
        const auto start = Clock::now();
        try {
            for (JointPart& part : parts_)
                part.reduction.start(runs);
            for (JointPart& part : parts_)
                times.push_back(part.reduction.finish());
        } catch (const Problem&) {
            settle();
            throw;
        }
        // Where cells are left that are no result yet, their combination is no part of the work.
        catalogue::Values whole;
        if (!in_parts_) whole = combined();
        sample.wall_ms = ms_since(start) / runs.batch;
        sample.outcome = outcome(in_parts_ ? combined() : whole);
        sample.parts.clear();
        double longest = 0;
        for (const device::Times& of : times) {
            sample.parts.push_back({of.device_ms, 0, 0});
            longest = std::max(longest, of.device_ms);
        }
        sample.device_ms = longest;
    }

    // Nothing may be under way that writes to memory of ours.
    void settle() {
        for (JointPart& part : parts_) {
            try {
                (void)part.reduction.finish();
            } catch (const Problem&) {  // the first problem is the one that is told
            }
        }
    }

    // Each after the other.
    bool alone(const device::Runs& runs, Sample& sample) {
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const auto times = device::try_run(parts_[i].reduction, runs);
            if (!times) return false;
            sample.parts[i].alone_device_ms = times->device_ms;
            sample.parts[i].alone_wall_ms = times->wall_ms;
        }
        sample.outcome = outcome(combined());
        return true;
    }

    catalogue::Values combined() const {
        std::vector<catalogue::Values> each;
        each.reserve(parts_.size());
        for (const JointPart& part : parts_)
            each.push_back(value_of(cells_of(part.reduction, type_), part.reduction.plan(), op_));
        return parts_.size() == 1 ? each.front() : reference(side_by_side(each), op_).value;
    }

    catalogue::Outcome outcome(const catalogue::Values& whole) const {
        return {judge(whole, right_, op_, depth_), catalogue::text_of(whole, 0)};
    }

    Sample given_up() const {
        if (got_through_) return {{}, 0, {}, true, {}};
        for (const JointPart& part : parts_)
            if (part.reduction.stuck())
                throw device::not_resident(variant_, part.reduction.plan(),
                                           device::most_groups(part.device, part.program, variant_,
                                                               part.shape, part.cut.count));
        throw device::not_resident(variant_, parts_.front().reduction.plan(), 0);
    }

    std::vector<JointPart> parts_;
    const catalogue::Variant& variant_;
    catalogue::Op op_;
    catalogue::Type type_;
    catalogue::Reference right_;
    unsigned batch_;
    std::uint64_t depth_ = 0;
    bool in_parts_ = false;
    bool got_through_ = false;  // once
};

// Of what is expected of the parts the least.
catalogue::Expect expect_of(const std::vector<JointPart>& parts) {
    catalogue::Expect expect = parts.front().reduction.plan().expect;
    for (const JointPart& part : parts)
        if (part.reduction.plan().expect == catalogue::Expect::races)
            expect = catalogue::Expect::races;
    return expect;
}

bool part_is_cold(const JointPart& part) {
    const bool in_place = part.reduction.works_in_place();
    const std::uint64_t bytes = part.inputs->elements().input.size();
    return bytes > 4 * cache_bytes(part.device.info) || (!in_place && part.inputs->copies() > 1);
}

}  // namespace

void check_split(const catalogue::Variant& variant, const catalogue::Plan& plan) {
    if (plan.rounds > 0)
        throw Problem(fmt::format("{} cannot be split over several devices", variant.id),
                      "It does not reduce its input", "Measure it on one device",
                      variant.file.filename().string());
}

JointPart joint_part(const device::Device& device, Programs& programs,
                     std::shared_ptr<device::Inputs> inputs, const Cut& cut,
                     const catalogue::Variant& variant, const catalogue::Shape& asked,
                     const catalogue::LaunchShape& suits) {
    catalogue::Shape shape = filled(asked, suits, 0);
    if (const auto problem = device::lacking(device.info, variant, shape)) throw Problem(*problem);
    const device::Program& program = programs.of(variant, shape);
    shape = filled(asked, suits, program.most_group);
    catalogue::Plan plan =
        make_plan(variant, shape, cut.count, device::target_of(device.info, program.group));
    check_split(variant, plan);
    device::Inputs& elements = *inputs;
    return {device,
            program,
            std::move(shape),
            std::move(inputs),
            cut,
            device::Reduction(device, program, std::move(plan), elements)};
}

BenchmarkCase joint_case(std::vector<JointPart> parts, const catalogue::Variant& variant,
                         const catalogue::Shape& asked, const catalogue::Reference& right,
                         unsigned batch) {
    BenchmarkCase entry;
    entry.waits = !variant.stuck.empty();
    entry.on_host = std::any_of(parts.begin(), parts.end(), [](const JointPart& part) {
        return part.device.info.kind == "CPU";
    });
    results::Row& row = entry.row;
    row.variant = variant.id;
    row.title = variant.title;
    row.expect = name_of(expect_of(parts));
    row.set = asked.set;
    row.batch = batch;
    row.n = right.n;
    row.group = parts.front().reduction.plan().group;
    row.bytes = row.n * info(asked.type).bytes;
    row.expected = catalogue::text_of(right.value, 0);
    row.exact = unwrapped(right);
    row.cache = std::all_of(parts.begin(), parts.end(), part_is_cold) ? "cold" : "warm";
    for (const JointPart& part : parts) {
        const catalogue::Plan& plan = part.reduction.plan();
        row.launches += plan.launches.size();
        if (!plan.launches.empty())
            row.groups += plan.launches.front().global / plan.launches.front().local;
        results::RowPart row_part;
        row_part.device = part.device.info.id;
        row_part.name = part.device.info.name;
        row_part.n = part.cut.count;
        row_part.group = plan.group;
        for (const auto& [name, value] : part.shape.set)
            if (!asked.set.contains(name)) row_part.chosen[name] = value;
        const std::string by = row_part.chosen.empty() && asked.group != 0 ? "" : part.by;
        row.parts.push_back(std::move(row_part));
        row.chosen_by = row.parts.size() > 1 && row.chosen_by != by ? "mixed" : by;
    }
    const auto joint = std::make_shared<JointRun>(std::move(parts), variant, asked, right, batch);
    entry.run = [joint] { return joint->run(); };
    return entry;
}

}  // namespace lab::measure
