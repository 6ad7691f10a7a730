#include "measure/measure.h"

#include <fmt/format.h>

#include "compute/needs.h"
#include "measure/entries.h"
#include "measure/host.h"
#include "measure/rounds.h"
#include "measure/size.h"

namespace lab {
namespace {

class Measurer {
  public:
    Measurer(const compute::Device& device, const Catalogue& catalogue,
             const MeasureRequest& request, const MeasureTold& tell)
        : device_(device),
          request_(request),
          rounds_(started(device.info, request), request, tell) {
        groups_ = request.groups;
        if (groups_.empty()) groups_.push_back(0);
        for (const Variant* variant : chosen(catalogue, request))
            build(*variant);
        if (!request.references) return;
        try {
            ceiling_ = build_ceiling(device);
        } catch (const Problem& problem) {
            rounds_.problem(problem);
        }
    }

    Measurements run() {
        const std::size_t references = request_.references ? 1 + host_loops().size() : 0;
        return rounds_.run(programs_.size() * groups_.size() + references,
                           [this](std::optional<std::uint64_t> n) { size(n); });
    }

  private:
    struct Built {
        const Variant* variant;
        compute::Program program;
    };

    // A variant that this device cannot build is left out, and said so.
    void build(const Variant& variant) {
        const Shape shape = shape_for(variant, request_.shape);
        if (const auto problem = compute::lacking(device_.info, variant, shape.type)) {
            if (request_.all)
                rounds_.skip(fmt::format("{}: {}", problem->what_happened, problem->why));
            else
                rounds_.problem(*problem);
            return;
        }
        if (const auto problem = illegal_everywhere(variant)) {
            rounds_.leave_out(*problem, request_.sizes.front());
            return;
        }
        try {
            programs_.push_back(
                {&variant, compute::build(device_, variant, kernel_text(variant, shape))});
        } catch (const Problem& problem) {
            rounds_.problem(problem);
            return;
        }
        rounds_.built_with(compute::build_options(device_.info, variant));
    }

    // Why the variant's header rules that n and group out; nothing if it does not.
    std::optional<Problem> illegal(const Variant& variant, std::uint64_t n,
                                   std::uint64_t group) const {
        Shape shape = shape_for(variant, request_.shape);
        shape.group = group;
        try {
            (void)make_plan(variant, shape, n, compute::target_of(device_.info));
        } catch (const Problem& problem) {
            if (problem.exit == Exit::usage) return problem;
        }
        return {};
    }

    // Why no size and group that is asked for will do; nothing if one will, or none is known yet.
    std::optional<Problem> illegal_everywhere(const Variant& variant) const {
        std::optional<Problem> first;
        if (rounds_.has_its_own_n()) return {};
        for (const std::uint64_t n : request_.sizes)
            for (const std::uint64_t group : groups_) {
                const auto problem = illegal(variant, n, group);
                if (!problem) return {};
                if (!first) first = problem;
            }
        return first;
    }

    void size(std::optional<std::uint64_t> n) {
        const Shape& shape = request_.shape;
        const Values input = input_that_fits(device_.info, shape, n);
        const Reference right = reference(input, shape.op);
        const Values neutral = identity(shape.op, shape.type);
        const std::uint64_t pool =
            pool_bytes(cache_bytes(device_.info), compute::bytes_in(input).size(), request_.warm);
        compute::Inputs inputs(device_, compute::elements_of(input, neutral), pool);
        const std::uint64_t host_pool =
            pool_bytes(host_cache_, compute::bytes_in(input).size(), request_.warm);
        HostInputs host_inputs(input, request_.references ? host_pool : 0, host_cache_);
        const Ground ground{device_, shape, input, right, inputs, host_inputs};
        std::vector<Entry> entries = entries_of(ground);
        rounds_.take_turns(entries);
    }

    std::vector<Entry> entries_of(const Ground& ground) {
        std::vector<Entry> entries;
        if (request_.references) add_ceiling(ground, entries);
        for (const Built& built : programs_)
            for (const std::uint64_t group : groups_)
                add_variant(ground, built, group, entries);
        if (request_.references)
            for (const HostLoop& loop : host_loops())
                entries.push_back(host_entry(ground, loop));
        return entries;
    }

    void add_variant(const Ground& ground, const Built& built, std::uint64_t group,
                     std::vector<Entry>& entries) {
        const std::uint64_t n = count_of(ground.input);
        if (rounds_.known_stuck(*built.variant, group, n)) return;
        if (const auto problem = illegal(*built.variant, n, group)) {
            rounds_.leave_out(*problem, n);
            return;
        }
        try {
            entries.push_back(variant_entry(ground, *built.variant, built.program, group));
        } catch (const Problem& problem) {
            rounds_.problem(problem);
        }
    }

    void add_ceiling(const Ground& ground, std::vector<Entry>& entries) {
        try {
            if (auto ceiling = ceiling_entry(ground, ceiling_))
                entries.push_back(std::move(*ceiling));
        } catch (const Problem& problem) {
            rounds_.problem(problem);
        }
    }

    const compute::Device& device_;
    const MeasureRequest& request_;
    Rounds rounds_;
    std::vector<Built> programs_;
    std::vector<compute::Program> ceiling_;
    const std::uint64_t host_cache_ = host_cache_bytes();
    std::vector<std::uint64_t> groups_;
};

}  // namespace

Measurements measure(const compute::Device& device, const Catalogue& catalogue,
                     const MeasureRequest& request,
                     const std::function<void(const MeasureProgress&)>& progress) {
    check_repeat(request);
    if (request.shape.type == Type::double_ && !device.info.doubles)
        throw Problem("The device has no double", device.info.name + " lacks cl_khr_fp64",
                      "Choose the type float, or another device", "--type");
    return Measurer(device, catalogue, request, progress).run();
}

}  // namespace lab
