#include "measure/check.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <tuple>

#include "device/needs.h"
#include "measure/benchmark_cases.h"
#include "measure/device_run.h"
#include "simulation/simulate.h"

namespace lab::measure {
namespace {

constexpr std::array<std::uint64_t, 14> kSizes{0,   1,   2,   3,    7,     8,       100,
                                               255, 256, 257, 1000, 65537, 1 << 20, (1 << 20) + 1};
constexpr std::array<std::uint64_t, 3> kGroups{8, 64, 0};  // 0: what suits
constexpr std::size_t kExamples = 3;

// What is to be run of a variant: one setting of its toggles.
struct Task {
    const catalogue::Kernel* variant;
    std::map<std::string, std::string> set;  // as asked for, and the one that is varied
    bool standard;                           // no toggle is varied
};

std::vector<Task> tasks_of(const catalogue::Kernel& variant, const catalogue::Shape& shape) {
    std::vector<Task> tasks{{&variant, shape_for(variant, shape).set, true}};
    for (const catalogue::Toggle& toggle : variant.toggles)
        for (std::size_t i = 1; i < toggle.values.size() && !shape.set.contains(toggle.name); ++i) {
            Task task{&variant, tasks.front().set, false};
            task.set[toggle.name] = toggle.values[i];
            tasks.push_back(std::move(task));
        }
    return tasks;
}

// The host's side of one size, worked out once for all variants.
struct SizedInput {
    catalogue::Op op = catalogue::Op::add;
    catalogue::Values input;
    catalogue::Reference right;
    std::unique_ptr<device::Inputs> inputs;
};

class Checker {
  public:
    Checker(const device::Device& device, const results::CheckRequest& request)
        : device_(device), request_(request) {
        sizes_ = request.sizes;
        if (sizes_.empty()) sizes_.assign(kSizes.begin(), kSizes.end());
        groups_ = request.groups;
        if (groups_.empty()) groups_.assign(kGroups.begin(), kGroups.end());
    }

    results::CheckLine line(const Task& task) {
        results::CheckLine line;
        line.variant = task.variant->id;
        line.set = task.set;
        line.expect = task.variant->plan.expect.text;
        stuck_.clear();
        start_ = std::chrono::steady_clock::now();
        passes(line, task);
        for (const catalogue::Op op : ops_of(task))
            for (const catalogue::Type type : types_of(task)) {
                catalogue::Shape shape = request_.shape;
                shape.op = op;
                shape.type = type;
                shape.set = task.set;
                kernel(line, *task.variant, shape);
            }
        return line;
    }

  private:
    void passes(results::CheckLine& line, const Task& task) const {
        try {
            check_passes(line, device_, *task.variant, task.set, request_,
                         [&] { return seconds() <= request_.limit_s; });
        } catch (const Problem& problem) {
            line.problems.push_back(problem);
        }
    }

    std::vector<catalogue::Op> ops_of(const Task& task) const {
        if (!request_.ops.empty()) return request_.ops;
        if (!task.standard) return {catalogue::Op::add};
        std::vector<catalogue::Op> all;
        for (const catalogue::OpInfo& info : catalogue::ops())
            all.push_back(info.op);
        return all;
    }

    std::vector<catalogue::Type> types_of(const Task& task) const {
        if (!request_.types.empty()) return request_.types;
        if (!task.standard) return {catalogue::Type::int_, catalogue::Type::float_};
        std::vector<catalogue::Type> all;
        for (const catalogue::TypeInfo& info : catalogue::types())
            if (info.type != catalogue::Type::double_ || device_.info.doubles)
                all.push_back(info.type);
        return all;
    }

    // One text with one operator and type: all sizes and groups.
    void kernel(results::CheckLine& line, const catalogue::Kernel& variant,
                const catalogue::Shape& shape) {
        if (const auto problem = device::lacking(device_.info, variant, shape)) {
            line.lacks = problem->why;
            line.not_run += sizes_.size() * groups_.size();
            return;
        }
        try {
            std::optional<device::Program> program;  // built for the first case that is legal
            for (const std::uint64_t n : sizes_)
                for (const std::uint64_t group : groups_) {
                    if (!is_legal(variant, shape, n, group)) {
                        ++line.illegal;
                        continue;
                    }
                    if (seconds() > request_.limit_s) {
                        ++line.not_run;
                        continue;
                    }
                    if (!program) program = device::build(device_, variant, shape);
                    one(line, variant, *program, shape, n, group);
                }
        } catch (const Problem& problem) {
            line.problems.push_back(problem);
        } catch (const std::bad_alloc&) {
            line.problems.emplace_back("There is not enough memory", "The input must fit twice",
                                       "Choose smaller sizes", "--n");
        }
    }

    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

    bool is_legal(const catalogue::Kernel& variant, catalogue::Shape shape, std::uint64_t n,
                  std::uint64_t group) const {
        shape.group = group;
        if (group > device_.info.max_group) return false;
        try {
            (void)plan_job(variant, shape, n, device::target_of(device_.info));
        } catch (const Problem& problem) {
            if (problem.exit != Exit::usage) throw;
            return false;
        }
        return true;
    }

    void one(results::CheckLine& line, const catalogue::Kernel& variant,
             const device::Program& program, catalogue::Shape shape, std::uint64_t n,
             std::uint64_t group) {
        shape.group = group;
        const catalogue::Job plan =
            plan_job(variant, shape, n, device::target_of(device_.info, program.group));
        const std::uint64_t groups = plan.launches.empty() ? 0 : plan.launches[0].range.groups();
        const auto waited = stuck_.find(plan.group);
        // As many as there are compute units may have met a busy machine; more wait in vain.
        if (groups > device_.info.compute_units && waited != stuck_.end() &&
            waited->second <= groups) {
            ++line.stuck;
            return;
        }
        if (n > device_.info.largest_buffer / info(shape.type).bytes) {
            ++line.not_run;  // it does not fit
            return;
        }
        const SizedInput& ready = prepared(shape, n);
        const catalogue::Reference right =
            plan.rounds == 0 ? ready.right : right_for(plan, ready.input);
        device::JobRun run(device_, program, plan, &*ready.inputs);
        if (!device::try_run(run)) {
            ++line.stuck;
            stuck_[plan.group] = groups;
            return;
        }
        const catalogue::Outcome outcome = outcome_of(run.result_cells(), plan, right);
        ++line.cases;
        if (outcome.verdict.right) {
            ++line.right;
            return;
        }
        const bool expected = plan.expect == catalogue::Expect::races;
        if (!expected && line.wrong == 0) line.examples.clear();
        ++(expected ? line.races : line.wrong);
        if (line.examples.size() < kExamples && (!expected || line.wrong == 0))
            line.examples.push_back({name_of(shape.op), info(shape.type).name, n, plan.group,
                                     outcome.result, catalogue::text_of(right.value, 0),
                                     expected ? std::string() : on_machine(variant, shape, n)});
    }

    // The same text, run by the book: whether it is the device that is wrong.
    static std::string on_machine(const catalogue::Kernel& variant, catalogue::Shape shape,
                                  std::uint64_t n) {
        if (n > simulation::kMostSteppedElements) return {};
        shape.n = n;
        try {
            machine::Recording recording;
            recording.trace = recording.lineage = false;
            simulation::RunSpec spec;
            spec.kernel = variant;
            spec.shape = shape;
            spec.machine.order = machine::usual_order(spec.machine.config);
            const simulation::Simulation simulation = simulation::simulate(spec, recording);
            return simulation.outcome ? simulation.outcome->result : std::string();
        } catch (const Problem&) {
            return {};  // what the machine cannot run tells nothing of the device
        }
    }

    const SizedInput& prepared(const catalogue::Shape& shape, std::uint64_t n) {
        // Large ones are made again for each kernel: together they would fill the memory.
        constexpr std::uint64_t kLarge = 1 << 17;
        auto& of = n < kLarge ? prepared_[{shape.op, shape.type, n}] : large_;
        if (of && catalogue::count_of(of->input) == n && of->op == shape.op &&
            catalogue::type_of(of->input) == shape.type)
            return *of;
        of = std::make_unique<SizedInput>();
        of->op = shape.op;
        of->input = make_values(shape.input, shape.type, n, shape.op);
        of->right = reference(of->input, shape.op);
        of->inputs = std::make_unique<device::Inputs>(device_, of->input);
        return *of;
    }

    const device::Device& device_;
    const results::CheckRequest& request_;
    std::vector<std::uint64_t> sizes_, groups_;
    std::map<std::tuple<catalogue::Op, catalogue::Type, std::uint64_t>, std::unique_ptr<SizedInput>>
        prepared_;
    std::unique_ptr<SizedInput> large_;
    std::chrono::steady_clock::time_point start_;   // of the line
    std::map<std::uint64_t, std::uint64_t> stuck_;  // group -> the fewest groups that were
};

}  // namespace

results::CheckReport check(const device::Device& device, const catalogue::Catalogue& catalogue,
                           const results::CheckRequest& request, const CheckProgress& on_progress) {
    std::vector<Task> tasks;
    check_toggles(catalogue, request.variants, request.shape);
    for (const std::string& id : request.variants)
        for (Task& task : tasks_of(catalogue.find(id), request.shape))
            tasks.push_back(std::move(task));
    results::CheckReport report{device.info.name, device.info.driver, {}, false};
    Checker checker(device, request);
    for (const Task& task : tasks) {
        report.lines.push_back(checker.line(task));
        if (on_progress) on_progress(report, tasks.size());
    }
    report.complete = true;
    return report;
}

namespace {

// What is asked for where the request leaves it open: each costs a text of its own or two.
struct Case {
    catalogue::Op op;
    catalogue::Type type;
    std::uint64_t n;
    bool small;  // groups of 4, several of them; else what suits
};
constexpr std::array kCases{
    Case{catalogue::Op::add, catalogue::Type::int_, 23, true},
    Case{catalogue::Op::add, catalogue::Type::int_, 64, false},
    Case{catalogue::Op::max, catalogue::Type::int_, 8, true},
    Case{catalogue::Op::add, catalogue::Type::float_, 23, true},
};
constexpr std::uint64_t kMostElements = 4096;  // of sizes that are asked for

template <typename T>
bool asked_for(const std::vector<T>& of, T value) {
    return of.empty() || std::find(of.begin(), of.end(), value) != of.end();
}

// The case with what the request does say: a size and a group instead of ours.
std::optional<catalogue::Shape> shape_of(const Case& test_case,
                                         const results::CheckRequest& request,
                                         const std::map<std::string, std::string>& set) {
    if (!asked_for(request.ops, test_case.op) || !asked_for(request.types, test_case.type))
        return {};
    catalogue::Shape shape = request.shape;
    shape.op = test_case.op;
    shape.type = test_case.type;
    shape.set = set;
    shape.n = test_case.n;
    shape.group = 0;
    if (!request.sizes.empty())
        shape.n = test_case.small ? request.sizes.front() : request.sizes.back();
    if (!request.groups.empty())
        shape.group = test_case.small ? request.groups.front() : request.groups.back();
    if (*shape.n == 0 || *shape.n > kMostElements) return {};
    return shape;
}

// Empty if the header rules the case out.
std::optional<catalogue::Job> plan_of(const device::Device& device,
                                      const catalogue::Kernel& variant, catalogue::Shape& shape,
                                      bool small) {
    const catalogue::Target target = device::target_of(device.info);
    try {
        if (small) shape = small_shape(variant, shape, *shape.n, target);
        return plan_job(variant, shape, *shape.n, target);
    } catch (const Problem& problem) {
        if (problem.exit != Exit::usage) throw;
        return {};
    }
}

void leave(results::CheckLine& line, const std::string& why) {
    ++line.passes_left;
    if (line.why_left.empty()) line.why_left = why;
}

results::PassDifference difference_of(const simulation::Replay::Value& value,
                                      const catalogue::Job& job) {
    results::PassDifference difference;
    difference.op = name_of(job.op);
    difference.type = info(job.type).name;
    difference.n = job.n;
    difference.group = job.group;
    difference.launch = value.launch + 1;
    difference.array =
        value.array.empty() ? job.buffers[job.launches[value.launch].shows].name : value.array;
    difference.in_group = value.in_group;
    difference.cell = value.cell;
    difference.device = value.device;
    difference.machine = value.simulator;
    return difference;
}

void compare(results::CheckLine& line, DeviceCase& device_case) {
    const DeviceRun run = device_run(device_case);
    line.passes += run.rows.size() - 1;
    if (!run.optimised) ++line.passes_plain;
    if (!run.turns.empty()) return;  // the simulator has gone the same way, access by access
    if (run.differs) {
        line.differences.push_back(difference_of(*run.differs, device_case.job()));
        return;
    }
    if (!run.difference.empty()) {
        line.problems.emplace_back("The simulator does not go the way of a recorded run",
                                   run.difference, "");
        return;
    }
    const simulation::RunSpec spec = device_case.spec();
    const analysis::StepTable here = simulation::table_of(spec, simulation::simulate(spec, {}));
    if (const auto value = difference_of_launches(run, here))
        line.differences.push_back(difference_of(*value, device_case.job()));
}

void check_case(results::CheckLine& line, const device::Device& device,
                const catalogue::Kernel& variant, const catalogue::Shape& shape,
                const catalogue::Job& plan) {
    if (plan.expect == catalogue::Expect::races) {
        ++line.passes_raced;
        return;
    }
    if (plan.stuck && plan.launches[0].range.groups() > device.info.compute_units)
        return leave(line, "the groups are not co-resident");
    try {
        DeviceCase device_case(device, variant, shape,
                               {UINT64_MAX, device::target_of(device.info)});
        compare(line, device_case);
    } catch (const Problem& problem) {
        if (problem.exit == Exit::no_device) throw;
        leave(line, problem.what_happened);
    }
}

}  // namespace

void check_passes(results::CheckLine& line, const device::Device& device,
                  const catalogue::Kernel& variant, const std::map<std::string, std::string>& set,
                  const results::CheckRequest& request, const std::function<bool()>& in_time) {
    for (const Case& test_case : kCases) {
        std::optional<catalogue::Shape> shape = shape_of(test_case, request, set);
        if (!shape || device::lacking(device.info, variant, *shape)) continue;
        const std::optional<catalogue::Job> plan =
            plan_of(device, variant, *shape, test_case.small);
        if (!plan || plan->launches.empty()) continue;
        if (!in_time())
            leave(line, "the time was used up");
        else
            check_case(line, device, variant, *shape, *plan);
    }
}

}  // namespace lab::measure
