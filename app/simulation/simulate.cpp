#include "simulation/simulate.h"

#include <fmt/format.h>

#include "analysis/outcomes/witness.h"
#include "analysis/rows/trace_rows.h"
#include "simulation/plan_job.h"

namespace lab::simulation {

std::string text_of(const machine::Config& config) {
    const std::string groups = config.resident == 0 ? std::string("all groups at once")
                               : config.resident == 1
                                   ? std::string("one group after another")
                                   : fmt::format("{} groups at once", config.resident);
    const std::string lanes = config.lanes == 1 ? std::string("independent items")
                                                : fmt::format("{} lanes", config.lanes);
    return fmt::format("machine: {}, {}", lanes, groups);
}

std::string text_of(const Options& options) {
    using Kind = machine::Order::Kind;
    const std::string order =
        options.order.kind == Kind::in_order      ? "in order"
        : options.order.kind == Kind::reversed    ? "reversed order"
        : options.order.kind == Kind::round_robin ? "round robin"
        : options.order.kind == Kind::random ? fmt::format("random order {}", options.order.seed)
        : options.order.name == analysis::kAsOnDevice ? "as on the device"
        : options.order.name == analysis::kGoesWrong  ? "an order that goes wrong"
                                                      : "order of " + options.order.name;
    return fmt::format("{}, {}", text_of(options.config), order);
}

Prepared prepare(const catalogue::Variant& variant, const catalogue::Shape& asked,
                 const Options& options) {
    machine::check(options.config);
    Prepared made;
    if (asked.n.value_or(0) <= kMostElements)
        made.input = make_values(asked.input, asked.type, asked.n, asked.op);
    const std::uint64_t n = std::max(asked.n.value_or(0), catalogue::count_of(made.input));
    if (n > kMostElements)
        throw Problem(fmt::format("{} elements are too many for the machine", n),
                      fmt::format("It takes up to {}, one work-item after another", kMostElements),
                      "Choose a smaller n: what races with thousands races with dozens", "--n");
    const catalogue::Target target = options.target.value_or(target_of(options.config));
    made.shape = small_shape(variant, asked, n, target);
    made.plan = make_plan(variant, made.shape, n, target);
    made.right = right_for(made.plan, made.shape, made.input);
    made.job.config = options.config;
    if (made.plan.launches.empty())
        (void)compile(variant, made.shape);  // its errors are errors all the same
    else
        made.job = job_of(variant, made.shape, made.plan, made.input, options.config);
    made.job.budget = options.budget;
    return made;
}

catalogue::Outcome outcome_at(const Prepared& of, const machine::Machine& machine,
                              const machine::State& state) {
    if (of.plan.launches.empty())
        return outcome_of(catalogue::count_of(of.input) > 0 ? of.input : of.right.value, of.plan,
                          of.shape, of.right);
    return outcome_of(values_from(of.shape.type, machine.bytes(state, *of.plan.result)), of.plan,
                      of.shape, of.right);
}

Simulation simulate(const catalogue::Variant& variant, const catalogue::Shape& asked,
                    const Options& options, const machine::Recording& recording) {
    Prepared ready = prepare(variant, asked, options);
    Simulation made;
    if (ready.plan.launches.empty()) {
        made.outcome = outcome_at(ready, machine::Machine(machine::Job()), {});
    } else {
        made.run = std::make_unique<machine::Run>(std::move(ready.job), options.order, recording);
        if (!made.run->fault() && !made.run->cancelled())
            made.outcome = outcome_at(ready, made.run->machine(), made.run->end());
    }
    made.shape = std::move(ready.shape);
    made.plan = std::move(ready.plan);
    made.input = std::move(ready.input);
    made.right = std::move(ready.right);
    return made;
}

void check_steppable(std::uint64_t elements) {
    if (elements > kMostSteppedElements)
        throw Problem(fmt::format("{} elements are too many to step through", elements),
                      fmt::format("The step view holds up to {}", kMostSteppedElements),
                      "Choose a smaller n; measure takes any size", "--n");
}

analysis::StepTable head_of(const catalogue::Variant& variant, const Simulation& of,
                            const Options& options) {
    analysis::StepTable made;
    made.variant = variant.id;
    made.title = variant.title;
    made.op = name_of(of.shape.op);
    made.type = info(of.shape.type).name;
    made.settings = catalogue::settings_text(of.shape.set);
    made.n = catalogue::count_of(of.input);
    made.group = of.plan.group;
    made.source = "machine";
    made.device = text_of(options);
    made.machine = analysis::machine_used(options.config, options.order);
    made.expected = catalogue::text_of(of.right.value, 0);
    made.parts = of.plan.expect == catalogue::Expect::partial;
    if (of.outcome) {
        made.result = of.outcome->result;
        made.right = of.outcome->verdict.right;
    } else {
        const bool stopped = of.run && of.run->fault();
        made.fault = stopped ? of.run->fault()->what : "The run was cancelled";
        made.fault_said =
            stopped ? of.run->fault()->said.what : Phrase{"problem.run_cancelled", {}, {}};
    }
    return made;
}

analysis::StepTable table_of(const catalogue::Variant& variant, const Simulation& of,
                             const Options& options) {
    check_steppable(catalogue::count_of(of.input));
    analysis::StepTable made = head_of(variant, of, options);
    if (of.run) {
        made.rows = analysis::stale_rows(*of.run, start_of(of.plan), &made.stale_known);
    } else {
        made.rows.emplace_back().cells = cells_of(of.input);
    }
    return made;
}

}  // namespace lab::simulation
