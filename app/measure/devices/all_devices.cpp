#include "measure/devices/all_devices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "catalogue/launch_shape.h"
#include "device/needs.h"
#include "measure/devices/joint_run.h"
#include "measure/devices/part_inputs.h"
#include "measure/timing/host.h"
#include "measure/timing/kept_shapes.h"
#include "measure/timing/measure.h"
#include "measure/timing/rounds.h"
#include "measure/timing/size.h"
#include "results/device_team.h"

namespace lab::measure {
namespace {

std::vector<results::DeviceInfo> infos(const std::vector<device::Device>& devices) {
    std::vector<results::DeviceInfo> all;
    for (const device::Device& device : devices)
        all.push_back(device.info);
    return all;
}

// A device, and what has been built and found out for it.
struct Member {
    const device::Device& device;
    Programs programs;
};

// A variant on the members that can run it.
struct OnSome {
    const catalogue::Variant* variant;
    std::vector<Member*> members;

    std::vector<double> equal_weights() const { return std::vector<double>(members.size(), 1); }
    bool all_alike() const {
        return std::all_of(members.begin(), members.end(), [&](const Member* member) {
            return member->device.info.name == members.front()->device.info.name;
        });
    }
};

// Elements a millisecond, by the device's clock; 0 where that cannot be told.
double speed_of(JointPart& part) {
    constexpr int kRuns = 5;
    part.reduction.prepare();
    part.reduction.run();  // warms up
    std::vector<double> ms;
    for (int run = 0; run < kRuns; ++run) {
        part.reduction.prepare();
        ms.push_back(part.reduction.run().device_ms);
    }
    const double middle = results::median(ms);
    return middle > 0 ? static_cast<double>(part.cut.count) / middle : 0;
}

class TeamMeasurer {
  public:
    TeamMeasurer(const std::vector<device::Device>& devices, const catalogue::Catalogue& catalogue,
                 const results::MeasureRequest& request, const OnMeasureProgress& on_progress)
        : request_(request),
          team_(together(infos(devices), request.shape.device)),
          rounds_(started(team_, request), request, on_progress),
          kept_(kept_shapes_file()) {
        for (const device::Device& device : devices)
            members_.push_back({device, Programs(device)});
        tell_doubts(infos(devices));
        if (kept_.problem() && request.shapes != results::LaunchShapes::table)
            rounds_.note(kept_.problem()->text());
        groups_ = request.groups;
        if (groups_.empty()) groups_.push_back(0);
        for (const catalogue::Variant* variant : chosen(catalogue, request))
            build(*variant);
    }

    results::Measurements run() {
        const std::size_t references = request_.references ? host_loops().size() : 0;
        return rounds_.run(built_.size() * groups_.size() + references,
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
    void build(const catalogue::Variant& variant) {
        const catalogue::Shape shape = shape_for(variant, request_.shape);
        OnSome built{&variant, {}};
        std::optional<Problem> lacks;
        for (Member& member : members_) {
            const results::DeviceInfo& info = member.device.info;
            if (const auto problem = device::lacking(info, variant, shape)) {
                lacks = problem;
                rounds_.skip(fmt::format("{} on {}: {}: {}", variant.id, info.id,
                                         problem->what_happened, problem->why));
                continue;
            }
            try {
                const catalogue::LaunchShape suits =
                    launch_shape(variant, device::kinds_of(info, shape.type));
                (void)member.programs.of(variant, filled(shape, suits, 0));
                built.members.push_back(&member);
            } catch (const Problem& problem) {
                rounds_.problem(problem);
            }
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
        const catalogue::Values neutral = identity(shape.op, shape.type);
        PartInputs inputs(input, neutral, request_.warm);
        const std::uint64_t host_pool =
            pool_bytes(host_cache_, device::bytes_in(input).size(), request_.warm);
        HostInputs host_inputs(input, request_.references ? host_pool : 0, host_cache_);
        const device::Device& any = members_.front().device;
        device::Inputs of_no_device(any, {shape.type, {}, device::bytes_in(neutral)});
        const BenchmarkContext context{any, shape, input, right, of_no_device, host_inputs};
        std::vector<BenchmarkCase> entries;
        for (const OnSome& built : built_)
            for (const std::uint64_t group : groups_)
                add_variant(built, group, right, inputs, entries);
        tell_options();
        if (request_.references)
            for (const HostLoop& loop : host_loops())
                entries.push_back(host_case(context, loop));
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
        try {
            if (!built.all_alike()) {
                const auto tried = cut(right.n, tried_weights(built, asked, right.n, inputs));
                if (!illegal(built, asked, tried)) cuts = tried;  // else they stay equal
            }
            entries.push_back(joint_case(parts_of(built, asked, cuts, inputs), *built.variant,
                                         asked, right, request_.batch));
        } catch (const Problem& problem) {
            rounds_.problem(problem);
        }
    }

    // Why the variant's header, or its plan, rules out one of these parts; nothing if none is.
    static std::optional<Problem> illegal(const OnSome& built, const catalogue::Shape& asked,
                                          const std::vector<Cut>& cuts) {
        for (const Cut& part : cuts) {
            try {
                const results::DeviceInfo& info = built.members[part.device]->device.info;
                check_split(*built.variant,
                            make_plan(*built.variant, asked, part.count, device::target_of(info)));
            } catch (const Problem& problem) {
                if (problem.exit == Exit::usage) return problem;
            }
        }
        return {};
    }

    std::vector<JointPart> parts_of(const OnSome& built, const catalogue::Shape& asked,
                                    const std::vector<Cut>& cuts, PartInputs& inputs) {
        std::vector<const device::Device*> devices;
        for (const Member* member : built.members)
            devices.push_back(&member->device);
        const auto brought = inputs.of(devices, cuts);
        std::vector<JointPart> parts;
        for (std::size_t i = 0; i < cuts.size(); ++i) {
            Member& member = *built.members[cuts[i].device];
            const LaunchChoice suits = suiting(member, *built.variant, asked, cuts[i].count);
            parts.push_back(joint_part(member.device, member.programs, brought[i], cuts[i],
                                       *built.variant, asked, suits.shape));
            parts.back().by = suits.by;
        }
        return parts;
    }

    // How the variant runs best there, as far as the header says or a search has found.
    LaunchChoice suiting(const Member& member, const catalogue::Variant& variant,
                         const catalogue::Shape& asked, std::uint64_t n) {
        const results::DeviceInfo& info = member.device.info;
        LaunchChoice suits{launch_shape(variant, device::kinds_of(info, asked.type)), "table"};
        if (variant.shapes.empty()) return {suits.shape, ""};
        if (request_.shapes == results::LaunchShapes::table || n == 0) return suits;
        const KeptShape* kept = kept_.find(shape_key(info, variant, asked, n));
        if (kept == nullptr) return suits;
        if (const auto why = unfit(info, variant, asked, kept->shape, n)) {
            rounds_.note(*why);
            return suits;
        }
        return {layered(std::move(suits.shape), kept->shape),
                request_.shapes == results::LaunchShapes::search ? "search" : "kept"};
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
        const bool known =
            std::all_of(weights.begin(), weights.end(), [](double of) { return of > 0; });
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
    KeptShapes kept_;
    std::deque<Member> members_;
    std::vector<OnSome> built_;
    std::vector<std::uint64_t> groups_;
    const std::uint64_t host_cache_ = host_cache_bytes();
};

// Launch shapes for equal parts, on one device of each name: what is found is kept for all of that
// name. What it met: problems and notes.
results::Measurements search_alone(const std::vector<device::Device>& devices,
                                   const catalogue::Catalogue& catalogue,
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
    for (const device::Device& device : devices) {
        if (!searched.insert(device.info.name).second) continue;
        const results::Measurements measurements = measure(device, catalogue, alone);
        met.problems.insert(met.problems.end(), measurements.problems.begin(),
                            measurements.problems.end());
        met.notes.insert(met.notes.end(), measurements.notes.begin(), measurements.notes.end());
    }
    return met;
}

}  // namespace

results::Measurements measure_together(
    const std::vector<device::Device>& devices, const catalogue::Catalogue& catalogue,
    const results::MeasureRequest& request,
    const std::function<void(const MeasureProgress&)>& progress) {
    check_repeat(request);
    results::Measurements met;
    if (request.shapes == results::LaunchShapes::search && request.warm)
        met.notes.emplace_back(
            "Of warm runs no launch shape is kept, so none was searched for: each device has the "
            "one that was kept before, or the table's");
    else if (request.shapes == results::LaunchShapes::search)
        met = search_alone(devices, catalogue, request);
    results::Measurements measurements = TeamMeasurer(devices, catalogue, request, progress).run();
    for (const Problem& problem : measurements.problems)  // most of them meet it again
        std::erase_if(met.problems, [&](const Problem& of) { return of.text() == problem.text(); });
    measurements.problems.insert(measurements.problems.begin(), met.problems.begin(),
                                 met.problems.end());
    measurements.notes.insert(measurements.notes.begin(), met.notes.begin(), met.notes.end());
    return measurements;
}

results::Measurements measure_together(
    const catalogue::Catalogue& catalogue, const results::MeasureRequest& request,
    const std::function<void(const MeasureProgress&)>& progress) {
    std::vector<Problem> not_opened;
    const std::vector<device::Device> devices =
        device::open_devices(request.shape.device, not_opened);
    results::Measurements measurements = measure_together(devices, catalogue, request, progress);
    for (const Problem& problem : not_opened)
        measurements.skipped.push_back(fmt::format("{}: {}", problem.what_happened, problem.why));
    return measurements;
}

}  // namespace lab::measure
