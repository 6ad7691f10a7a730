#include "simulation/simulate.h"

#include <fmt/format.h>

#include "insight/trace_passes.h"
#include "simulation/plan_job.h"

namespace lab::simulation {
namespace {

Values result_of(const Simulation& of) {
    const machine::Run& run = *of.run;
    return values_from(of.shape.type, run.machine().bytes(run.end(), *of.plan.result));
}

}  // namespace

std::string text_of(const Options& options) {
    const machine::Config& config = options.config;
    const std::string groups = config.resident == 0 ? std::string("all groups at once")
                               : config.resident == 1
                                   ? std::string("one group after another")
                                   : fmt::format("{} groups at once", config.resident);
    const std::string lanes = config.lanes == 1 ? std::string("independent items")
                                                : fmt::format("{} lanes", config.lanes);
    using Kind = machine::Order::Kind;
    const std::string order = options.order.kind == Kind::in_order      ? "in order"
                              : options.order.kind == Kind::round_robin ? "round robin"
                              : options.order.kind == Kind::random
                                  ? fmt::format("random order {}", options.order.seed)
                                  : "order of " + options.order.name;
    return fmt::format("machine: {}, {}, {}", lanes, groups, order);
}

Simulation simulate(const Variant& variant, const Shape& asked, const Options& options,
                    const machine::Recording& recording) {
    machine::check(options.config);
    Simulation made;
    made.input = make_values(asked.input, asked.type, asked.n, asked.op);
    const std::uint64_t n = count_of(made.input);
    const Target target = target_of(options.config);
    made.shape = small_shape(variant, asked, n, target);
    made.plan = make_plan(variant, made.shape, n, target);
    made.right = right_for(made.plan, made.shape, made.input);
    if (made.plan.launches.empty()) {
        (void)compile(variant, made.shape);  // its errors are errors all the same
        const Values& last = n > 0 ? made.input : made.right.value;
        made.outcome = outcome_of(last, made.plan, made.shape, made.right);
        return made;
    }
    machine::Job job = job_of(variant, made.shape, made.plan, made.input, options.config);
    job.budget = options.budget;
    made.run = std::make_unique<machine::Run>(std::move(job), options.order, recording);
    if (!made.run->fault() && !made.run->cancelled())
        made.outcome = outcome_of(result_of(made), made.plan, made.shape, made.right);
    return made;
}

Passes passes_of(const Variant& variant, const Simulation& of, const Options& options) {
    if (count_of(of.input) > kMostSteppedElements)
        throw Problem(fmt::format("{} elements are too many to step through", count_of(of.input)),
                      fmt::format("The step view holds up to {}", kMostSteppedElements),
                      "Choose a smaller n; measure takes any size", "--n");
    Passes made;
    made.variant = variant.id;
    made.title = variant.title;
    made.op = name_of(of.shape.op);
    made.type = info(of.shape.type).name;
    made.n = count_of(of.input);
    made.group = of.plan.group;
    made.source = "machine";
    made.device = text_of(options);
    if (of.run) {
        made.passes = trace_passes(*of.run, start_of(of.plan));
    } else {
        made.passes.emplace_back();
        for (std::size_t i = 0; i < count_of(of.input); ++i) {
            made.passes.front().cells.emplace_back();
            made.passes.front().cells.back().value = lab::text_of(of.input, i);
        }
    }
    made.expected = lab::text_of(of.right.value, 0);
    made.parts = of.plan.expect == Expect::partial;
    if (of.outcome) {
        made.result = of.outcome->result;
        made.right = of.outcome->verdict.right;
    } else {
        made.fault = of.run && of.run->fault() ? of.run->fault()->what : "The run was cancelled";
    }
    return made;
}

}  // namespace lab::simulation
