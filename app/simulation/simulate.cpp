#include "simulation/simulate.h"

#include <fmt/format.h>

#include "analysis/rows.h"
#include "analysis/witness.h"
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
        : !analysis::recorded_in(options.order.name).empty()
            ? analysis::recorded_in(options.order.name)
            : "order of " + options.order.name;
    return fmt::format("{}, {}", text_of(options.config), order);
}

Prepared prepare(const catalogue::Variant& variant, const catalogue::Shape& asked,
                 const Options& options) {
    machine::check(options.config);
    Prepared prepared;
    if (asked.n.value_or(0) <= kMostElements)
        prepared.input = make_values(asked.input, asked.type, asked.n, asked.op);
    const auto n =
        std::max<std::uint64_t>(asked.n.value_or(0), catalogue::count_of(prepared.input));
    if (n > kMostElements)
        throw Problem(fmt::format("{} elements are too many for the machine", n),
                      fmt::format("It takes up to {}, one work-item after another", kMostElements),
                      "Choose a smaller n: what races with thousands races with dozens", "--n");
    const catalogue::Target target = options.target.value_or(target_of(options.config));
    prepared.shape = small_shape(variant, asked, n, target);
    prepared.plan = make_plan(variant, prepared.shape, n, target);
    prepared.right = right_for(prepared.plan, prepared.shape, prepared.input);
    prepared.job.config = options.config;
    if (prepared.plan.launches.empty())
        (void)compile(variant, prepared.shape);  // its errors are errors all the same
    else
        prepared.job =
            job_of(variant, prepared.shape, prepared.plan, prepared.input, options.config);
    prepared.job.budget = options.budget;
    return prepared;
}

catalogue::Outcome outcome_at(const Prepared& prepared, const machine::Machine& machine,
                              const machine::State& state) {
    if (prepared.plan.launches.empty())
        return outcome_of(
            catalogue::count_of(prepared.input) > 0 ? prepared.input : prepared.right.value,
            prepared.plan, prepared.shape, prepared.right);
    return outcome_of(values_from(prepared.shape.type, machine.bytes(state, *prepared.plan.result)),
                      prepared.plan, prepared.shape, prepared.right);
}

Simulation begun_simulation(Prepared ready, const Options& options,
                            const machine::Recording& recording) {
    Simulation simulation;
    if (ready.plan.launches.empty())
        simulation.outcome = outcome_at(ready, machine::Machine(machine::Job()), {});
    else
        simulation.run = machine::Run::begun(std::move(ready.job), options.order, recording);
    simulation.shape = std::move(ready.shape);
    simulation.plan = std::move(ready.plan);
    simulation.input = std::move(ready.input);
    simulation.right = std::move(ready.right);
    return simulation;
}

void finish(Simulation& simulation) {
    const machine::Run* run = simulation.run.get();
    if (run == nullptr || run->fault() || run->cancelled()) return;
    const std::vector<std::byte> bytes = run->machine().bytes(run->end(), *simulation.plan.result);
    simulation.outcome = outcome_of(values_from(simulation.shape.type, bytes), simulation.plan,
                                    simulation.shape, simulation.right);
}

Simulation simulate(const catalogue::Variant& variant, const catalogue::Shape& asked,
                    const Options& options, const machine::Recording& recording) {
    Simulation simulation = begun_simulation(prepare(variant, asked, options), options, recording);
    if (simulation.run) simulation.run->go_on(UINT64_MAX);
    finish(simulation);
    return simulation;
}

void check_steppable(std::uint64_t elements) {
    if (elements > kMostSteppedElements)
        throw Problem(fmt::format("{} elements are too many to step through", elements),
                      fmt::format("The step view holds up to {}", kMostSteppedElements),
                      "Choose a smaller n; measure takes any size", "--n");
}

void note_fault(analysis::StepTable& table, const machine::Fault& fault) {
    table.fault = fault.what;
    table.fault_phrases = fault.phrases;
    table.never_ends =
        fault.kind == machine::Fault::Kind::budget || fault.kind == machine::Fault::Kind::deadlock;
}

analysis::StepTable head_of(const catalogue::Variant& variant, const Simulation& simulation,
                            const Options& options) {
    analysis::StepTable table;
    table.variant = variant.id;
    table.title = variant.title;
    table.op = name_of(simulation.shape.op);
    table.type = info(simulation.shape.type).name;
    table.settings = catalogue::settings_text(simulation.shape.set);
    table.n = catalogue::count_of(simulation.input);
    table.group = simulation.plan.group;
    table.source = "machine";
    table.device = text_of(options);
    table.machine = analysis::machine_used(options.config, options.order);
    table.expected = catalogue::text_of(simulation.right.value, 0);
    table.parts = simulation.plan.expect == catalogue::Expect::partial;
    if (simulation.outcome) {
        table.result = simulation.outcome->result;
        table.right = simulation.outcome->verdict.right;
        table.exactness = exactness_of(*simulation.outcome, simulation.right);
    } else {
        const bool stopped = simulation.run && simulation.run->fault();
        table.fault = "The run was cancelled";
        if (stopped)
            note_fault(table, *simulation.run->fault());
        else
            table.fault_phrases.what = {"problem.run_cancelled", {}, {}};
    }
    return table;
}

analysis::StepTable table_of(const catalogue::Variant& variant, const Simulation& simulation,
                             const Options& options) {
    check_steppable(catalogue::count_of(simulation.input));
    analysis::StepTable table = head_of(variant, simulation, options);
    if (simulation.run) {
        table.rows =
            analysis::stale_rows(*simulation.run, start_of(simulation.plan), &table.stale_known);
    } else {
        table.rows.emplace_back().cells = cells_of(simulation.input);
    }
    return table;
}

}  // namespace lab::simulation
