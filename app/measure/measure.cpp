#include "measure/measure.h"

#include <fmt/format.h>

#include <set>

#include "catalogue/kernel.h"
#include "device/needs.h"
#include "measure/benchmark_cases.h"
#include "measure/rounds.h"
#include "measure/shape_search.h"

namespace lab::measure {
namespace {

constexpr double kSearchSeconds = 3;  // for a launch shape, a variant and size

class Measurer {
  public:
    Measurer(const device::Device& device, const std::vector<const catalogue::Kernel*>& kernels,
             const results::MeasureRequest& request, const OnMeasureProgress& on_progress)
        : device_(device),
          request_(request),
          rounds_(started(device.info, request), request, on_progress),
          programs_(device),
          kept_(kept_shapes_file()) {
        groups_ = request.groups;
        if (groups_.empty()) groups_.push_back(0);
        for (const catalogue::Kernel* variant : kernels)
            build(*variant);
        if (!request.references) return;
        try {
            ceiling_ = build_ceiling(device);
        } catch (const Problem& problem) {
            rounds_.problem(problem);
        }
    }

    results::Measurements run() {
        const std::size_t references = request_.references ? 1 + host_loops().size() : 0;
        return rounds_.run(variants_.size() * groups_.size() + references,
                           [this](std::optional<std::uint64_t> n) { size(n); });
    }

  private:
    // A variant that this device cannot build is left out, and said so.
    void build(const catalogue::Kernel& variant) {
        const catalogue::Shape shape = shape_for(variant, request_.shape);
        if (const auto problem = device::lacking(device_.info, variant, shape)) {
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
            (void)programs_.of(variant, filled(shape, table_shape(variant), 0));
            variants_.push_back(&variant);
        } catch (const Problem& problem) {
            rounds_.problem(problem);
        }
    }

    catalogue::LaunchShape table_shape(const catalogue::Kernel& variant) const {
        return launch_shape(variant, device::kinds_of(device_.info, request_.shape.type));
    }

    // The shape in which a variant runs at the ground's n, as far as nobody asked for one.
    LaunchChoice launch_choice(const BenchmarkContext& context, const catalogue::Kernel& variant) {
        LaunchChoice choice{table_shape(variant), "table", request_.batch};
        if (variant.plan.shapes.empty()) {
            choice.by.clear();
            return choice;
        }
        const std::uint64_t n = catalogue::count_of(context.input);
        if (request_.shapes == results::LaunchShapes::table || n == 0) return choice;
        if (request_.shapes == results::LaunchShapes::search && request_.groups.empty()) {
            KeptShape found =
                search_shape(context, variant, programs_, choice.shape, kSearchSeconds);
            choice.shape = found.shape;
            choice.by = "search";
            if (request_.warm) return choice;  // of other runs than those that it would be kept for
            try {
                kept_.keep(std::move(found));
            } catch (const Problem& problem) {
                tell_once("The launch shape that was found is used, and not kept. " +
                          problem.text());
            }
            return choice;
        }
        if (kept_.problem()) tell_once(kept_.problem()->text());
        const KeptShape* kept = kept_.find(shape_key(device_.info, variant, context.shape, n));
        if (kept == nullptr) return choice;
        if (const auto why = unfit(device_.info, variant, context.shape, kept->shape, n)) {
            tell_once(*why);
            return choice;
        }
        return {layered(choice.shape, kept->shape), "kept", request_.batch};
    }

    void tell_once(const std::string& note) {
        if (reported_.insert(note).second) rounds_.note(note);
    }

    // Why the variant's header rules that n and group out; nothing if it does not.
    std::optional<Problem> illegal(const catalogue::Kernel& variant, std::uint64_t n,
                                   std::uint64_t group) const {
        catalogue::Shape shape = shape_for(variant, request_.shape);
        shape.group = group;
        try {
            (void)plan_job(variant, shape, n, device::target_of(device_.info));
        } catch (const Problem& problem) {
            if (problem.exit == Exit::usage) return problem;
        }
        return {};
    }

    // Why no size and group that is asked for will do; nothing if one will, or none is known yet.
    std::optional<Problem> illegal_everywhere(const catalogue::Kernel& variant) const {
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
        const catalogue::Shape& shape = request_.shape;
        const catalogue::Values input = input_that_fits(device_.info, shape, n);
        const catalogue::Reference right = reference(input, shape.op);
        const std::uint64_t pool =
            pool_bytes(cache_bytes(device_.info), device::span_of(input).size(), request_.warm);
        device::Inputs inputs(device_, input, pool);
        const std::uint64_t host_pool =
            pool_bytes(host_cache_, device::span_of(input).size(), request_.warm);
        HostInputs host_inputs(input, request_.references ? host_pool : 0, host_cache_);
        const BenchmarkContext context{device_, shape, input, right, inputs, host_inputs};
        std::vector<BenchmarkCase> entries = entries_of(context);
        rounds_.take_turns(entries);
    }

    std::vector<BenchmarkCase> entries_of(const BenchmarkContext& context) {
        std::vector<BenchmarkCase> entries;
        if (request_.references) add_ceiling(context, entries);
        for (const catalogue::Kernel* variant : variants_)
            for (const std::uint64_t group : groups_)
                add_variant(context, *variant, group, entries);
        rounds_.built_with(programs_.options());
        if (request_.references)
            for (const HostLoop& loop : host_loops())
                entries.push_back(host_case(context, loop));
        return entries;
    }

    void add_variant(const BenchmarkContext& context, const catalogue::Kernel& variant,
                     std::uint64_t group, std::vector<BenchmarkCase>& entries) {
        const std::uint64_t n = catalogue::count_of(context.input);
        if (rounds_.known_stuck(variant, group, n)) return;
        if (const auto problem = illegal(variant, n, group)) {
            rounds_.leave_out(*problem, n);
            return;
        }
        try {
            entries.push_back(
                variant_case(context, variant, programs_, group, launch_choice(context, variant)));
        } catch (const Problem& problem) {
            rounds_.problem(problem);
        }
    }

    void add_ceiling(const BenchmarkContext& context, std::vector<BenchmarkCase>& entries) {
        try {
            if (auto ceiling = ceiling_case(context, ceiling_))
                entries.push_back(std::move(*ceiling));
        } catch (const Problem& problem) {
            rounds_.problem(problem);
        }
    }

    const device::Device& device_;
    const results::MeasureRequest& request_;
    Rounds rounds_;
    Programs programs_;
    KeptShapes kept_;
    std::set<std::string> reported_;
    std::vector<const catalogue::Kernel*> variants_;  // that build here
    std::vector<CeilingForm> ceiling_;
    const std::uint64_t host_cache_ = host_cache_bytes();
    std::vector<std::uint64_t> groups_;
};

// Of the request the runs count, not the sizes or the input: its form has what fills its buffers.
results::Measurements measure_form(const device::Device& device, const catalogue::Kernel& kernel,
                                   results::MeasureRequest request,
                                   const OnMeasureProgress& on_progress) {
    const catalogue::Job job = plan_job(kernel, {}, 0, device::target_of(device.info));
    request.sizes = {job.n};
    request.shape.input = {};
    BenchmarkCase only = form_case(device, kernel, job);
    results::Measurements measurements = started(device.info, request);
    measurements.op = measurements.input = "";
    measurements.type = job.buffers.empty() ? "" : lang::info(job.buffers[job.start].element).name;
    Rounds rounds(std::move(measurements), request, on_progress);
    rounds.built_with(device::build_options(device, kernel.text, needs_of(kernel, {})));
    return rounds.run(1, [&](std::optional<std::uint64_t>) {
        std::vector<BenchmarkCase> cases;
        cases.push_back(std::move(only));
        rounds.take_turns(cases);
    });
}

}  // namespace

results::Measurements measure(const device::Device& device,
                              const std::vector<const catalogue::Kernel*>& kernels,
                              const results::MeasureRequest& request,
                              const std::function<void(const MeasureProgress&)>& progress) {
    check_repeat(request);
    if (kernels.size() == 1 && kernels.front()->by_form())
        return measure_form(device, *kernels.front(), request, progress);
    if (request.shape.type == catalogue::Type::double_ && !device.info.doubles)
        throw Problem("The device has no double", device.info.name + " lacks cl_khr_fp64",
                      "Choose the type float, or another device", "--type");
    return Measurer(device, kernels, request, progress).run();
}

}  // namespace lab::measure
