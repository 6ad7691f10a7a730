// Every variant on the machine and on an OpenCL device, in the same launches: results must agree
// bit for bit, of integers always, of floats where the order of combining is defined; within the
// algorithm's error bound where that depends on how wide the device's sub-groups are.
//   variants_differential [--all] [VARIANT…]
// Without --all each variant runs with a few operators and types; with it, with all of them.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "analysis/simulate.h"
#include "catalogue/plan.h"
#include "catalogue/reference.h"
#include "device/device.h"
#include "device/job_run.h"

namespace {

using namespace lab;

constexpr std::uint64_t kSizes[] = {1, 2, 3, 7, 8, 13, 64, 100, 257, 1000};
constexpr std::uint64_t kGroups[] = {4, 8, 64, 0};

struct Tally {
    std::uint64_t agree = 0, differ = 0, raced = 0, alone = 0, illegal = 0, stuck = 0;
};

struct Case {
    const catalogue::Kernel& variant;
    catalogue::Shape shape;
    std::uint64_t n;
};

std::string name_of(const Case& test_case) {
    std::string set;
    for (const auto& [name, value] : test_case.shape.set)
        set += fmt::format(" --set {}={}", name, value);
    return fmt::format("{} --n {} --group {} --op {} --type {}{}", test_case.variant.id,
                       test_case.n, test_case.shape.group, name_of(test_case.shape.op),
                       info(test_case.shape.type).name, set);
}

// A machine of another kind for each case: none may change what comes out.
analysis::SimulatorOptions machine_for(std::size_t number, const catalogue::Job& plan) {
    constexpr std::uint32_t kLanes[] = {1, 4, 32, 64};
    constexpr machine::SchedulingPolicy::Kind kOrders[] = {
        machine::SchedulingPolicy::Kind::in_order, machine::SchedulingPolicy::Kind::round_robin,
        machine::SchedulingPolicy::Kind::random};
    analysis::SimulatorOptions options;
    options.config.lanes = kLanes[number % 4];
    options.config.resident = number % 5 == 0 && !plan.stuck ? 1 : 0;
    options.order.kind = kOrders[number / 4 % (plan.stuck ? 1 : 3)];
    // Groups that wait for each other must take turns.
    if (plan.stuck) options.order.kind = kOrders[1 + number / 4 % 2];
    options.order.seed = number;
    return options;
}

bool has(const catalogue::Kernel& variant, const catalogue::Shape& shape, catalogue::Need need) {
    const std::vector<catalogue::Need> needs = needs_of(variant, shape);
    return std::find(needs.begin(), needs.end(), need) != needs.end();
}

std::vector<std::byte> on_machine(const Case& test_case, const catalogue::Job& plan,
                                  const catalogue::Values& input, std::size_t number,
                                  std::string& problem) {
    const analysis::SimulatorOptions options = machine_for(number, plan);
    machine::Job job = plan;
    job.config = options.config;
    const auto code = catalogue::compile(test_case.variant, test_case.shape);
    for (machine::Launch& launch : job.launches)
        launch.code = code;
    catalogue::fill(job, input);
    job.budget = 1'000'000'000;  // 64 rounds of 1000 items that wait for each other take their time
    machine::Recording recording;
    recording.trace = false;
    recording.lineage = number % 2 == 0;
    const machine::Run run(std::move(job), options.order, recording);
    if (run.fault()) problem = run.problem(*run.fault()).text();
    for (const machine::Finding& finding : run.findings())
        if (plan.expect != catalogue::Expect::races) problem = run.problem(finding).text();
    return run.machine().bytes(run.end(), *plan.result);
}

class Comparison {
  public:
    explicit Comparison(const device::Device& device) : device_(device) {
        target_.units = device.info.compute_units;
        target_.max_group = 256;
    }

    void run(const catalogue::Kernel& variant, const catalogue::Shape& shape, Tally& tally) {
        const bool lacks = device::lacking(device_.info, variant, shape).has_value();
        std::optional<device::Program> program;
        for (const std::uint64_t n : kSizes)
            for (const std::uint64_t group : kGroups) {
                Case test_case{variant, shape, n};
                test_case.shape.group = group;
                catalogue::Job plan;
                try {
                    plan = plan_job(variant, test_case.shape, n, target_);
                } catch (const Problem& problem) {
                    if (problem.exit != Exit::usage) throw;
                    ++tally.illegal;
                    continue;
                }
                if (plan.launches.empty()) continue;
                if (!lacks && !program) program = device::build(device_, variant, test_case.shape);
                one(test_case, plan, lacks ? nullptr : &*program, tally);
            }
    }

  private:
    void one(const Case& test_case, const catalogue::Job& plan, const device::Program* program,
             Tally& tally) {
        const catalogue::Values input = make_values(test_case.shape.input, test_case.shape.type,
                                                    test_case.n, test_case.shape.op);
        const std::size_t number = number_++;
        std::string problem;
        const std::vector<std::byte> ours = on_machine(test_case, plan, input, number, problem);
        if (!problem.empty()) {
            ++tally.differ;
            std::cout << "machine fails: " << name_of(test_case) << "\n" << problem << "\n";
            return;
        }
        const catalogue::Reference right = right_for(plan, input);
        const bool judged =
            outcome_of(catalogue::values_from(test_case.shape.type, ours), plan, right)
                .verdict.right;
        if (plan.expect == catalogue::Expect::races) {
            ++tally.raced;
            return;
        }
        if (!judged) {
            ++tally.differ;
            std::cout << "machine is wrong: " << name_of(test_case) << '\n';
            return;
        }
        // Groups that join by atomics come in any order, which rounding shows.
        const bool any_order = has(test_case.variant, test_case.shape, catalogue::Need::atomics) &&
                               info(test_case.shape.type).floating &&
                               (test_case.shape.op == catalogue::Op::add ||
                                test_case.shape.op == catalogue::Op::product);
        if (program == nullptr || any_order) {
            ++tally.alone;
            return;
        }
        device::Inputs inputs(device_, input);
        device::JobRun run(device_, *program, plan, &inputs);
        if (!device::try_run(run)) {
            ++tally.stuck;
            return;
        }
        const std::vector<std::byte> theirs =
            run.read(*plan.result, plan.buffers[*plan.result].bytes);
        // What nobody wrote is no result.
        const bool whole = plan.rounds > 0 || plan.expect == catalogue::Expect::partial ||
                           plan.buffers[*plan.result].takes_elements;
        const std::size_t bytes = whole ? ours.size() : info(test_case.shape.type).bytes;
        if (std::equal(ours.begin(), ours.begin() + static_cast<std::ptrdiff_t>(bytes),
                       theirs.begin())) {
            ++tally.agree;
            return;
        }
        // The width of sub-groups, which is the device's own affair, is the order of a float's sum.
        const bool rounds =
            info(test_case.shape.type).floating &&
            (test_case.shape.op == catalogue::Op::add ||
             test_case.shape.op == catalogue::Op::product) &&
            lang::depends_on_lanes(*catalogue::compile(test_case.variant, test_case.shape));
        if (rounds && outcome_of(catalogue::values_from(test_case.shape.type, theirs), plan, right)
                          .verdict.right) {
            ++tally.agree;
            return;
        }
        ++tally.differ;
        std::cout << fmt::format(
            "differs: {}\n  machine {}, device {}\n", name_of(test_case),
            catalogue::text_of(catalogue::values_from(test_case.shape.type, ours), 0),
            catalogue::text_of(catalogue::values_from(test_case.shape.type, theirs), 0));
    }

    const device::Device& device_;
    catalogue::Target target_;
    std::size_t number_ = 0;
};

std::vector<std::map<std::string, std::string>> settings_of(const catalogue::Kernel& variant) {
    std::vector<std::map<std::string, std::string>> result{{}};
    for (const catalogue::Toggle& toggle : variant.toggles)
        for (std::size_t i = 1; i < toggle.values.size(); ++i)
            // Rounds by the hundred thousand teach nothing about one.
            if (toggle.values[i].size() < 4) result.push_back({{toggle.name, toggle.values[i]}});
    return result;
}

int run(bool all, const std::vector<std::string>& asked) {
    const catalogue::Catalogue catalogue = catalogue::load_catalogue();
    const device::Device device = device::open_device("");
    Comparison comparison(device);
    Tally total;
    for (const catalogue::Kernel& variant : catalogue.variants) {
        if (!asked.empty() && std::find(asked.begin(), asked.end(), variant.id) == asked.end())
            continue;
        Tally tally;
        for (const auto& set : settings_of(variant))
            for (const catalogue::OpInfo& op : catalogue::ops())
                for (const catalogue::TypeInfo& type : catalogue::types()) {
                    const bool usual =
                        (op.op == catalogue::Op::add && type.type == catalogue::Type::int_) ||
                        (op.op == catalogue::Op::add && type.type == catalogue::Type::float_ &&
                         set.empty()) ||
                        (op.op == catalogue::Op::max && type.type == catalogue::Type::ulong_ &&
                         set.empty());
                    if (!all && !usual) continue;
                    if (!set.empty() && !(type.type == catalogue::Type::int_ ||
                                          type.type == catalogue::Type::float_))
                        continue;
                    catalogue::Shape shape;
                    shape.op = op.op;
                    shape.type = type.type;
                    shape.set = set;
                    shape.input = catalogue::parse_input("bits:7");
                    // One maker's instructions are nothing that the machine knows.
                    if (!has(variant, shape, catalogue::Need::ptx))
                        comparison.run(variant, shape, tally);
                }
        std::cout << fmt::format(
                         "{:<18} {:>6} agree {:>3} differ {:>5} race {:>5} without the device "
                         "{:>4} not resident\n",
                         variant.id, tally.agree, tally.differ, tally.raced, tally.alone,
                         tally.stuck)
                  << std::flush;
        total.agree += tally.agree;
        total.differ += tally.differ;
    }
    std::cout << fmt::format("{} agree, {} differ\n", total.agree, total.differ);
    return total.differ == 0 && total.agree > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    bool all = false;
    std::vector<std::string> asked;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--all")
            all = true;
        else
            asked.emplace_back(argv[i]);
    }
    try {
        return run(all, asked);
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << '\n';
        return 3;
    }
}
