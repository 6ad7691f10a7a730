#include "measure/all_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compute/device_team.h"
#include "compute/needs.h"
#include "measure/host.h"
#include "measure/joint_run.h"
#include "measure/part_inputs.h"
#include "measure/rounds.h"
#include "measure/size.h"

namespace lab {
namespace {

std::vector<DeviceInfo> infos(const std::vector<compute::Device>& devices) {
    std::vector<DeviceInfo> all;
    for (const compute::Device& device : devices)
        all.push_back(device.info);
    return all;
}

// A variant on the devices that can run it.
struct BuiltOnSome {
    const Variant* variant;
    std::vector<const compute::Device*> devices;
    std::vector<compute::Program> programs;

    std::vector<double> equal_weights() const { return std::vector<double>(devices.size(), 1); }
    bool all_alike() const {
        return std::all_of(devices.begin(), devices.end(), [&](const compute::Device* of) {
            return of->info.name == devices.front()->info.name;
        });
    }
};

std::vector<JointPart> parts_of(const BuiltOnSome& built, const Shape& shape,
                                const std::vector<Cut>& cuts, PartInputs& inputs) {
    const auto brought = inputs.of(built.devices, cuts);
    std::vector<JointPart> parts;
    for (std::size_t i = 0; i < cuts.size(); ++i)
        parts.push_back(joint_part(*built.devices[cuts[i].device], built.programs[cuts[i].device],
                                   brought[i], cuts[i], *built.variant, shape));
    return parts;
}

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
    const double middle = median(ms);
    return middle > 0 ? static_cast<double>(part.cut.count) / middle : 0;
}

// How fast each device is, alone, with an equal part; devices of one name are taken to be alike.
std::vector<double> tried_weights(const BuiltOnSome& built, const Shape& shape, std::uint64_t n,
                                  PartInputs& inputs) {
    const std::vector<Cut> cuts = cut(n, built.equal_weights());
    if (cuts.size() < built.devices.size()) return built.equal_weights();
    std::map<std::string, std::vector<double>> by_name;
    for (JointPart& part : parts_of(built, shape, cuts, inputs))
        by_name[part.device.info.name].push_back(speed_of(part));
    std::vector<double> weights;
    for (const compute::Device* device : built.devices)
        weights.push_back(median(by_name[device->info.name]));
    const bool known =
        std::all_of(weights.begin(), weights.end(), [](double of) { return of > 0; });
    return known ? weights : built.equal_weights();
}

class TeamMeasurer {
  public:
    TeamMeasurer(const std::vector<compute::Device>& devices, const Catalogue& catalogue,
                 const MeasureRequest& request, const MeasureTold& tell)
        : devices_(devices),
          request_(request),
          team_(together(infos(devices), request.shape.device)),
          rounds_(started(team_, request), request, tell) {
        for (const std::string& doubt : doubts_about(infos(devices)))
            rounds_.note(doubt);
        if (devices.size() == 1)
            rounds_.note(
                fmt::format("There is one device only, {}: nothing is split, and the "
                            "run together is the one alone",
                            devices.front().info.name));
        groups_ = request.groups;
        if (groups_.empty()) groups_.push_back(0);
        for (const Variant* variant : chosen(catalogue, request))
            build(*variant);
    }

    Measurements run() {
        const std::size_t references = request_.references ? host_loops().size() : 0;
        return rounds_.run(built_.size() * groups_.size() + references,
                           [this](std::optional<std::uint64_t> n) { size(n); });
    }

  private:
    // On each device that can; the others are left out, and said so.
    void build(const Variant& variant) {
        const Shape shape = shape_for(variant, request_.shape);
        BuiltOnSome built{&variant, {}, {}};
        std::optional<Problem> lacks;
        for (const compute::Device& device : devices_) {
            if (const auto problem = compute::lacking(device.info, variant, shape.type)) {
                lacks = problem;
                rounds_.skip(fmt::format("{} on {}: {}: {}", variant.id, device.info.id,
                                         problem->what_happened, problem->why));
                continue;
            }
            try {
                built.programs.push_back(
                    compute::build(device, variant, kernel_text(variant, shape)));
                built.devices.push_back(&device);
                rounds_.built_with(compute::build_options(device.info, variant));
            } catch (const Problem& problem) {
                rounds_.problem(problem);
            }
        }
        if (!built.devices.empty())
            built_.push_back(std::move(built));
        else if (lacks && !request_.all)
            rounds_.problem(*lacks);
    }

    void size(std::optional<std::uint64_t> n) {
        const Shape& shape = request_.shape;
        const Values input = input_that_fits(team_, shape, n);
        const Reference right = reference(input, shape.op);
        const Values neutral = identity(shape.op, shape.type);
        PartInputs inputs(input, neutral, request_.warm);
        const std::uint64_t host_pool =
            pool_bytes(host_cache_, compute::bytes_in(input).size(), request_.warm);
        HostInputs host_inputs(input, request_.references ? host_pool : 0, host_cache_);
        compute::Inputs of_no_device(devices_.front(),
                                     {shape.type, {}, compute::bytes_in(neutral)});
        const Ground ground{devices_.front(), shape, input, right, of_no_device, host_inputs};
        std::vector<Entry> entries;
        for (const BuiltOnSome& built : built_)
            for (const std::uint64_t group : groups_)
                add_variant(built, group, right, inputs, entries);
        if (request_.references)
            for (const HostLoop& loop : host_loops())
                entries.push_back(host_entry(ground, loop));
        rounds_.take_turns(entries);
    }

    void add_variant(const BuiltOnSome& built, std::uint64_t group, const Reference& right,
                     PartInputs& inputs, std::vector<Entry>& entries) {
        if (rounds_.known_stuck(*built.variant, group, right.n)) return;
        Shape shape = shape_for(*built.variant, request_.shape);
        shape.group = group;
        std::vector<Cut> cuts = cut(right.n, built.equal_weights());
        if (const auto problem = illegal(built, shape, cuts)) {
            rounds_.leave_out(*problem, right.n);
            return;
        }
        try {
            if (!built.all_alike()) {
                const auto tried = cut(right.n, tried_weights(built, shape, right.n, inputs));
                if (!illegal(built, shape, tried)) cuts = tried;  // else they stay equal
            }
            entries.push_back(
                joint_entry(parts_of(built, shape, cuts, inputs), *built.variant, shape, right));
        } catch (const Problem& problem) {
            rounds_.problem(problem);
        }
    }

    // Why the variant's header, or its plan, rules out one of these parts; nothing if none is.
    std::optional<Problem> illegal(const BuiltOnSome& built, const Shape& shape,
                                   const std::vector<Cut>& cuts) const {
        for (const Cut& part : cuts) {
            try {
                check_split(*built.variant,
                            make_plan(*built.variant, shape, part.count,
                                      compute::target_of(built.devices[part.device]->info)));
            } catch (const Problem& problem) {
                if (problem.exit == Exit::usage) return problem;
            }
        }
        return {};
    }

    const std::vector<compute::Device>& devices_;
    const MeasureRequest& request_;
    DeviceInfo team_;
    Rounds rounds_;
    std::vector<BuiltOnSome> built_;
    std::vector<std::uint64_t> groups_;
    const std::uint64_t host_cache_ = host_cache_bytes();
};

}  // namespace

Measurements measure_together(const std::vector<compute::Device>& devices,
                              const Catalogue& catalogue, const MeasureRequest& request,
                              const std::function<void(const MeasureProgress&)>& progress) {
    check_repeat(request);
    return TeamMeasurer(devices, catalogue, request, progress).run();
}

Measurements measure_together(const Catalogue& catalogue, const MeasureRequest& request,
                              const std::function<void(const MeasureProgress&)>& progress) {
    std::vector<Problem> not_opened;
    const std::vector<compute::Device> devices =
        compute::open_devices(request.shape.device, not_opened);
    Measurements made = measure_together(devices, catalogue, request, progress);
    for (const Problem& problem : not_opened)
        made.skipped.push_back(fmt::format("{}: {}", problem.what_happened, problem.why));
    return made;
}

}  // namespace lab
