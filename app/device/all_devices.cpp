#include "device/all_devices.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/platform.h"
#include "base/ranges.h"
#include "catalogue/kernel.h"
#include "device/benchmark_cases.h"
#include "device/device.h"
#include "results/request.h"

namespace lab::device {
namespace {

// The elements of one size in the memories of several devices, each with its part.

class PartInputs {
  public:
    // The values must outlive it and the parts it returns. `warm` as in MeasureRequest.
    PartInputs(const catalogue::Values& input, bool warm)
        : elements_(span_of(input)), each_(info(catalogue::type_of(input)).bytes), warm_(warm) {}

    // Each cut's elements on its device, copied concurrently if they are not there yet; a part
    // lives as long as it is used. Throws Problem if a device lacks the memory.
    std::vector<std::shared_ptr<Inputs>> of(const std::vector<const Device*>& devices,
                                            const std::vector<Cut>& cuts) {
        std::vector<std::shared_ptr<Inputs>> result(cuts.size());
        const auto key = [&](const Cut& cut) {
            return Key{devices[cut.device], cut.first, cut.count};
        };
        std::vector<std::size_t> missing;
        for (std::size_t i = 0; i < cuts.size(); ++i) {
            result[i] = there_[key(cuts[i])].lock();
            if (!result[i]) missing.push_back(i);
        }
        in_parallel(missing.size(), 1, [&](std::size_t first, std::size_t end) {
            for (std::size_t k = first; k < end; ++k) {
                const Cut& cut = cuts[missing[k]];
                result[missing[k]] = brought(*devices[cut.device], cut);
            }
        });
        for (const std::size_t i : missing)
            there_[key(cuts[i])] = result[i];
        return result;
    }

  private:
    std::shared_ptr<Inputs> brought(const Device& device, const Cut& cut) const {
        const auto part = elements_.subspan(cut.first * each_, cut.count * each_);
        return std::make_shared<Inputs>(device, part,
                                        pool_bytes(cache_bytes(device.info), part.size(), warm_));
    }

    using Key = std::tuple<const Device*, std::uint64_t, std::uint64_t>;
    std::span<const std::byte> elements_;
    std::size_t each_;  // bytes of an element
    bool warm_;
    std::map<Key, std::weak_ptr<Inputs>> there_;
};

// Runs one reduction on several devices at once, each on its part of the elements; and each part
// alone, for comparison.

// A device's part and all that is needed to run it, in that device's context, queue and memory.
struct JointPart {
    const Device& device;
    const Program& program;
    catalogue::Shape shape;          // chosen for this device
    std::shared_ptr<Inputs> inputs;  // of these elements only
    Cut cut;
    JobRun job_run;
    std::string by = {};  // as Row::chosen_by
};

using Clock = std::chrono::steady_clock;

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
    JointRun(std::vector<JointPart> parts, const catalogue::Kernel& variant,
             const catalogue::Shape& asked, catalogue::Reference right)
        : parts_(std::move(parts)), variant_(variant), op_(asked.op), right_(std::move(right)) {
        for (const JointPart& part : parts_)
            depth_ = std::max(depth_, part.job_run.job().depth);
        depth_ += parts_.size() - 1;
        in_parts_ = parts_.front().job_run.job().expect == catalogue::Expect::partial;
    }

    // All together, then each alone; given up if a spin gave up each time.
    Sample run(const Runs& runs) {
        Sample sample;
        if (!together(runs, sample)) return given_up();
        const catalogue::Outcome joint = sample.outcome;
        if (!alone(runs, sample)) return given_up();
        // A part that is wrong on its own is as wrong as one that is so with the others.
        if (!joint.verdict.right) sample.outcome = joint;
        got_through_ = true;
        return sample;
    }

  private:
    bool together(const Runs& runs, Sample& sample) {
        constexpr int kMostAttempts = 5;  // at a run that gets stuck; then that is said
        for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
            run_once(runs, sample);
            if (none_of(parts_, [](const auto& part) { return part.job_run.stuck(); })) return true;
        }
        return false;
    }

    void run_once(const Runs& runs, Sample& sample) {
        for (JointPart& part : parts_)
            part.job_run.prepare();
        std::vector<Times> times;
        times.reserve(parts_.size());
        const auto start = Clock::now();
        try {
            for (JointPart& part : parts_)
                part.job_run.start(runs);
            for (JointPart& part : parts_)
                times.push_back(part.job_run.finish());
        } catch (const Problem&) {
            settle();
            throw;
        }
        // Where cells are left that are no result yet, their combination is no part of the work.
        catalogue::Values whole;
        if (!in_parts_) whole = combined();
        const std::chrono::duration<double, std::milli> wall = Clock::now() - start;
        sample.wall_ms = wall.count() / runs.batch;
        sample.outcome = outcome(in_parts_ ? combined() : whole);
        sample.parts.clear();
        double longest = 0;
        for (const Times& of : times) {
            sample.parts.push_back({of.device_ms, 0, 0});
            longest = std::max(longest, of.device_ms);
        }
        sample.device_ms = longest;
    }

    // Nothing may be under way that writes to memory of ours.
    void settle() {
        for (JointPart& part : parts_)  // the first problem is the one that is told
            (void)thrown_by([&] { (void)part.job_run.finish(); });
    }

    // Each after the other.
    bool alone(const Runs& runs, Sample& sample) {
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const auto times = try_run(parts_[i].job_run, runs);
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
            each.push_back(value_of(part.job_run.result_cells(), part.job_run.job()));
        return parts_.size() == 1 ? each.front() : reference(side_by_side(each), op_).value;
    }

    catalogue::Outcome outcome(const catalogue::Values& whole) const {
        return {judge(whole, right_, op_, depth_), catalogue::text_of(whole, 0)};
    }

    Sample given_up() const {
        if (got_through_) return {{}, 0, {}, true, {}};
        for (const JointPart& part : parts_)
            if (part.job_run.stuck())
                throw not_resident(
                    variant_, part.job_run.job(),
                    most_groups(part.device, part.program, variant_, part.shape, part.cut.count));
        throw not_resident(variant_, parts_.front().job_run.job(), 0);
    }

    std::vector<JointPart> parts_;
    const catalogue::Kernel& variant_;
    catalogue::Op op_;
    catalogue::Reference right_;
    std::uint64_t depth_ = 0;
    bool in_parts_ = false;
    bool got_through_ = false;  // once
};

// Throws Problem if the plan is no reduction of its input.
void check_split(const catalogue::Kernel& variant, const catalogue::Job& plan) {
    if (plan.rounds > 0)
        throw Problem(fmt::format("{} cannot be split over several devices", variant.id),
                      "It does not reduce its input", "Measure it on one device",
                      variant.file.filename().string());
}

// A device's part of the elements as a launch of its own; `asked` has the requested toggles and
// group. Throws Problem if the variant does not allow that n or group, or the device lacks
// something.
JointPart joint_part(const Device& device, Programs& programs, std::shared_ptr<Inputs> inputs,
                     const Cut& cut, const catalogue::Kernel& variant,
                     const catalogue::Shape& asked, const catalogue::LaunchShape& suits) {
    BuiltLaunch built = built_launch(device, programs, variant, asked, suits, cut.count);
    check_split(variant, built.job);
    Inputs& elements = *inputs;
    return {device,
            built.program,
            std::move(built.shape),
            std::move(inputs),
            cut,
            JobRun(device, built.program, std::move(built.job), &elements)};
}

// The row of all parts, and their runs. The right result is that of the whole input; its bound is
// that of the deepest part plus the combinations after it.
BenchmarkCase joint_case(std::vector<JointPart> parts, const catalogue::Kernel& variant,
                         const catalogue::Shape& asked, const catalogue::Reference& right,
                         unsigned batch) {
    BenchmarkCase entry;
    entry.waits = !variant.plan.stuck.empty();
    entry.on_host = any_of(parts, [](const auto& part) { return part.device.info.kind == "CPU"; });
    results::Row& row = entry.row;
    row.variant = variant.id;
    row.title = variant.title;
    const bool races = any_of(parts, [](const JointPart& part) {
        return part.job_run.job().expect == catalogue::Expect::races;
    });
    row.expect = name_of(races ? catalogue::Expect::races : parts.front().job_run.job().expect);
    row.set = asked.set;
    row.batch = batch;
    row.n = right.n;
    row.group = parts.front().job_run.job().group;
    row.bytes = row.n * info(asked.type).bytes;
    row.expected = catalogue::text_of(right.value, 0);
    row.exact = unwrapped(right);
    const bool cold = all_of(parts, [](const JointPart& part) {
        return is_cold(part.device, *part.inputs, part.job_run.works_in_place());
    });
    row.cache = cold ? "cold" : "warm";
    for (const JointPart& part : parts) {
        const catalogue::Job& plan = part.job_run.job();
        row.launches += plan.launches.size();
        if (!plan.launches.empty()) row.groups += plan.launches.front().range.groups();
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
    const auto joint = std::make_shared<JointRun>(std::move(parts), variant, asked, right);
    entry.run = [joint, batch] {
        return timed_twice(batch, [&](const Runs& runs) { return joint->run(runs); });
    };
    return entry;
}

std::vector<results::DeviceInfo> infos(const std::vector<Device>& devices) {
    return mapped<results::DeviceInfo>(devices, &Device::info);
}

// A device, and what has been built and found out for it.
struct Member {
    const Device& device;
    Programs programs;
};

// A variant on the members that can run it.
struct OnSome {
    const catalogue::Kernel* variant;
    std::vector<Member*> members;

    std::vector<double> equal_weights() const { return std::vector<double>(members.size(), 1); }
    bool all_alike() const {
        return all_of(members, [&](const Member* member) {
            return member->device.info.name == members.front()->device.info.name;
        });
    }
};

// Elements a millisecond, by the device's clock; 0 where that cannot be told.
double speed_of(JointPart& part) {
    constexpr int kRuns = 5;
    part.job_run.prepare();
    part.job_run.run();  // warms up
    std::vector<double> ms;
    for (int run = 0; run < kRuns; ++run) {
        part.job_run.prepare();
        ms.push_back(part.job_run.run().device_ms);
    }
    const double middle = results::median(ms);
    return middle > 0 ? static_cast<double>(part.cut.count) / middle : 0;
}

class TeamMeasurer {
  public:
    TeamMeasurer(const std::vector<Device>& devices,
                 const std::vector<const catalogue::Kernel*>& kernels,
                 const results::MeasureRequest& request, const OnMeasureProgress& on_progress)
        : request_(request),
          team_(together(infos(devices), request.shape.device)),
          rounds_(started(team_, request), request, on_progress) {
        for (const Device& device : devices)
            members_.push_back({device, Programs(device)});
        tell_doubts(infos(devices));
        for (const catalogue::Kernel* variant : kernels)
            build(*variant);
    }

    results::Measurements run() {
        const std::size_t references = request_.references ? host_loops().size() : 0;
        return rounds_.run(built_.size() * rounds_.groups().size() + references,
                           [this](std::optional<std::uint64_t> n) { size(n); });
    }

  private:
    void tell_doubts(const std::vector<results::DeviceInfo>& devices) {
        for (const std::string& doubt : doubts_about(devices))
            rounds_.note(doubt);
        if (devices.size() == 1)
            rounds_.note(
                fmt::format("There is one device only, {}: nothing is split, and the "
                            "run together is the one alone",
                            devices.front().name));
    }

    // On each device that can; the others are left out, and said so.
    void build(const catalogue::Kernel& variant) {
        const catalogue::Shape shape = shape_for(variant, request_.shape);
        OnSome built{&variant, {}};
        std::optional<Problem> lacks;
        for (Member& member : members_) {
            const results::DeviceInfo& info = member.device.info;
            if (const auto problem = lacking(info, variant, shape)) {
                lacks = problem;
                rounds_.skip(fmt::format("{} on {}: {}: {}", variant.id, info.id,
                                         problem->what_happened, problem->why));
                continue;
            }
            rounds_.attempt([&] {
                const catalogue::LaunchShape suits =
                    launch_shape(variant, kinds_of(info, shape.type));
                (void)member.programs.of(variant, filled(shape, suits, 0));
                built.members.push_back(&member);
            });
        }
        if (!built.members.empty())
            built_.push_back(std::move(built));
        else if (lacks && !request_.all)
            rounds_.problem(*lacks);
    }

    void size(std::optional<std::uint64_t> n) {
        const catalogue::Shape& shape = request_.shape;
        const catalogue::Values input = input_that_fits(team_, shape, n);
        const catalogue::Reference right = reference(input, shape.op);
        PartInputs inputs(input, request_.warm);
        HostInputs host_inputs(input, request_);
        const Device& any = members_.front().device;
        Inputs of_no_device(any, std::span<const std::byte>());
        const BenchmarkContext context{any, shape, input, right, of_no_device, host_inputs};
        std::vector<BenchmarkCase> entries;
        for (const OnSome& built : built_)
            for (const std::uint64_t group : rounds_.groups())
                add_variant(built, group, right, inputs, entries);
        tell_options();
        if (request_.references) add_host_cases(context, entries);
        rounds_.take_turns(entries);
    }

    void add_variant(const OnSome& built, std::uint64_t group, const catalogue::Reference& right,
                     PartInputs& inputs, std::vector<BenchmarkCase>& entries) {
        if (rounds_.known_stuck(*built.variant, group, right.n)) return;
        catalogue::Shape asked = shape_for(*built.variant, request_.shape);
        asked.group = group;
        std::vector<Cut> cuts = cut(right.n, built.equal_weights());
        if (const auto problem = illegal(built, asked, cuts)) {
            rounds_.leave_out(*problem, right.n);
            return;
        }
        rounds_.attempt([&] {
            if (!built.all_alike()) {
                const auto tried = cut(right.n, tried_weights(built, asked, right.n, inputs));
                if (!illegal(built, asked, tried)) cuts = tried;  // else they stay equal
            }
            entries.push_back(joint_case(parts_of(built, asked, cuts, inputs), *built.variant,
                                         asked, right, request_.batch));
        });
    }

    // Why the variant's header, or its plan, rules out one of these parts; nothing if none is.
    static std::optional<Problem> illegal(const OnSome& built, const catalogue::Shape& asked,
                                          const std::vector<Cut>& cuts) {
        for (const Cut& part : cuts) {
            const results::DeviceInfo& info = built.members[part.device]->device.info;
            auto problem = thrown_by([&] {
                check_split(*built.variant,
                            plan_job(*built.variant, asked, part.count, target_of(info)));
            });
            if (problem && problem->exit == Exit::usage) return problem;
        }
        return {};
    }

    std::vector<JointPart> parts_of(const OnSome& built, const catalogue::Shape& asked,
                                    const std::vector<Cut>& cuts, PartInputs& inputs) {
        std::vector<const Device*> devices;
        for (const Member* member : built.members)
            devices.push_back(&member->device);
        const auto brought = inputs.of(devices, cuts);
        std::vector<JointPart> parts;
        for (std::size_t i = 0; i < cuts.size(); ++i) {
            Member& member = *built.members[cuts[i].device];
            const LaunchChoice suits =
                rounds_.launch_choice(member.device.info, *built.variant, asked, cuts[i].count);
            parts.push_back(joint_part(member.device, member.programs, brought[i], cuts[i],
                                       *built.variant, asked, suits.shape));
            // A search has just kept it.
            const bool found =
                suits.by == "kept" && request_.shapes == results::LaunchShapes::search;
            parts.back().by = found ? "search" : suits.by;
        }
        return parts;
    }

    // How fast each device is, alone, with an equal part; devices of one name are taken to be
    // alike.
    std::vector<double> tried_weights(const OnSome& built, const catalogue::Shape& asked,
                                      std::uint64_t n, PartInputs& inputs) {
        const std::vector<Cut> cuts = cut(n, built.equal_weights());
        if (cuts.size() < built.members.size()) return built.equal_weights();
        std::map<std::string, std::vector<double>> by_name;
        for (JointPart& part : parts_of(built, asked, cuts, inputs))
            by_name[part.device.info.name].push_back(speed_of(part));
        std::vector<double> weights;
        for (const Member* member : built.members)
            weights.push_back(results::median(by_name[member->device.info.name]));
        const bool known = all_of(weights, [](double of) { return of > 0; });
        return known ? weights : built.equal_weights();
    }

    void tell_options() {
        std::set<std::string> all;
        for (const Member& member : members_)
            all.insert(member.programs.options());
        rounds_.built_with(fmt::format("{}", fmt::join(all, " | ")));
    }

    const results::MeasureRequest& request_;
    results::DeviceInfo team_;
    Rounds rounds_;
    std::deque<Member> members_;
    std::vector<OnSome> built_;
};

// Launch shapes for equal parts, on one device of each name: what is found is kept for all of that
// name. What it met: problems and notes.
results::Measurements search_alone(const std::vector<Device>& devices,
                                   const std::vector<const catalogue::Kernel*>& kernels,
                                   const results::MeasureRequest& request) {
    results::MeasureRequest alone = request;
    alone.sizes.clear();
    for (const std::uint64_t n : request.sizes)
        alone.sizes.push_back(std::max<std::uint64_t>(n / devices.size(), 1));
    alone.repeat = 1;
    alone.batch = 1;
    alone.references = false;
    results::Measurements met;
    std::set<std::string> searched;
    for (const Device& device : devices) {
        if (!searched.insert(device.info.name).second) continue;
        const results::Measurements measurements = measure(device, kernels, alone);
        met.problems.insert(met.problems.end(), measurements.problems.begin(),
                            measurements.problems.end());
        met.notes.insert(met.notes.end(), measurements.notes.begin(), measurements.notes.end());
    }
    return met;
}

}  // namespace

results::Measurements measure_together(const std::vector<Device>& devices,
                                       const std::vector<const catalogue::Kernel*>& kernels,
                                       const results::MeasureRequest& request,
                                       const OnMeasureProgress& progress) {
    check_repeat(request);
    results::Measurements met;
    if (request.shapes == results::LaunchShapes::search && request.warm)
        met.notes.emplace_back(
            "Of warm runs no launch shape is kept, so none was searched for: each device has the "
            "one that was kept before, or the table's");
    else if (request.shapes == results::LaunchShapes::search)
        met = search_alone(devices, kernels, request);
    results::Measurements measurements = TeamMeasurer(devices, kernels, request, progress).run();
    for (const Problem& problem : measurements.problems)  // most of them meet it again
        std::erase_if(met.problems, [&](const Problem& of) { return of.text() == problem.text(); });
    measurements.problems.insert(measurements.problems.begin(), met.problems.begin(),
                                 met.problems.end());
    measurements.notes.insert(measurements.notes.begin(), met.notes.begin(), met.notes.end());
    return measurements;
}

results::Measurements measure_together(const std::vector<const catalogue::Kernel*>& kernels,
                                       const results::MeasureRequest& request,
                                       const OnMeasureProgress& progress) {
    std::vector<Problem> not_opened;
    const std::vector<Device> devices = open_devices(request.shape.device, not_opened);
    results::Measurements measurements = measure_together(devices, kernels, request, progress);
    for (const Problem& problem : not_opened)
        measurements.skipped.push_back(fmt::format("{}: {}", problem.what_happened, problem.why));
    return measurements;
}

std::vector<Cut> cut(std::uint64_t n, const std::vector<double>& weights) {
    constexpr std::uint64_t kStep = 65536, kStepsEach = 8;  // else a step is too much of a part
    const std::uint64_t step = n / kStep >= kStepsEach * weights.size() ? kStep : 1;
    const long double all = std::accumulate(weights.begin(), weights.end(), 0.0L);
    std::vector<Cut> parts;
    std::uint64_t first = 0;
    long double before = 0;  // the weights so far
    for (std::size_t i = 0; i < weights.size(); ++i) {
        before += weights[i];
        const long double steps = before / all * static_cast<long double>(n / step);
        const std::uint64_t end =
            i + 1 == weights.size()
                ? n
                : std::clamp(static_cast<std::uint64_t>(std::llround(steps)) * step, first, n);
        if (end > first) parts.push_back({i, first, end - first});
        first = end;
    }
    if (parts.empty()) parts.push_back({0, 0, 0});
    return parts;
}

}  // namespace lab::device
