#include "device/check.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "analysis/simulate.h"
#include "base/ranges.h"
#include "base/text.h"
#include "device/benchmark_cases.h"
#include "device/device_run.h"

namespace lab::device {
namespace {

constexpr std::array<std::uint64_t, 14> kSizes{0,   1,   2,   3,    7,     8,       100,
                                               255, 256, 257, 1000, 65537, 1 << 20, (1 << 20) + 1};
constexpr std::array<std::uint64_t, 3> kGroups{8, 64, 0};  // 0: what suits
constexpr std::size_t kExamples = 3;

// The seed of a run's waits, another one for each run.
std::uint32_t delay_seed(std::uint32_t seed, std::uint64_t run) {
    return seed * 2654435761U + static_cast<std::uint32_t>(run);
}

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
    std::unique_ptr<Inputs> inputs;
};

// Empty if the header rules it out.
std::optional<catalogue::Job> legal_plan(const catalogue::Kernel& variant,
                                         const catalogue::Shape& shape, std::uint64_t n,
                                         const catalogue::Target& target) {
    try {
        return plan_job(variant, shape, n, target);
    } catch (const Problem& problem) {
        if (problem.exit != Exit::usage) throw;
        return {};
    }
}

class Checker {
  public:
    Checker(const Device& device, const results::CheckRequest& request)
        : device_(device), request_(request), sizes_(request.sizes), groups_(request.groups) {
        if (sizes_.empty()) sizes_.assign(kSizes.begin(), kSizes.end());
        if (groups_.empty()) groups_.assign(kGroups.begin(), kGroups.end());
    }

    results::CheckLine line(const Task& task) {
        results::CheckLine line;
        line.variant = task.variant->id;
        line.set = task.set;
        line.expect = task.variant->plan.expect.text;
        stuck_.clear();
        start_ = std::chrono::steady_clock::now();
        if (auto problem = thrown_by([&] {
                check_passes(line, device_, *task.variant, task.set, request_,
                             [&] { return seconds() <= request_.limit_s; });
            }))
            line.problems.push_back(std::move(*problem));
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
    std::vector<catalogue::Op> ops_of(const Task& task) const {
        if (!request_.ops.empty()) return request_.ops;
        if (!task.standard) return {catalogue::Op::add};
        return mapped<catalogue::Op>(catalogue::ops(), &catalogue::OpInfo::op);
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
        if (const auto problem = lacking(device_.info, variant, shape)) {
            line.lacks = problem->why;
            line.not_run += sizes_.size() * groups_.size();
            return;
        }
        try {
            std::optional<Program> program;  // built for the first case that is legal
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
                    if (!program) program = build(device_, variant, shape);
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
        return group <= device_.info.max_group &&
               legal_plan(variant, shape, n, target_of(device_.info)).has_value();
    }

    void one(results::CheckLine& line, const catalogue::Kernel& variant, const Program& program,
             catalogue::Shape shape, std::uint64_t n, std::uint64_t group) {
        shape.group = group;
        const catalogue::Job plan =
            plan_job(variant, shape, n, target_of(device_.info, program.group));
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
        JobRun run(device_, program, plan, &*ready.inputs);
        if (!try_run(run)) {
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
        if (n > analysis::kMostSteppedElements) return {};
        shape.n = n;
        try {
            machine::Recording recording;
            recording.trace = recording.lineage = false;
            analysis::RunSpec spec;
            spec.kernel = variant;
            spec.shape = shape;
            spec.machine.order = machine::usual_order(spec.machine.config);
            const analysis::Simulation simulation = analysis::simulate(spec, recording);
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
        of->inputs = std::make_unique<Inputs>(device_, of->input);
        return *of;
    }

    const Device& device_;
    const results::CheckRequest& request_;
    std::vector<std::uint64_t> sizes_, groups_;
    std::map<std::tuple<catalogue::Op, catalogue::Type, std::uint64_t>, std::unique_ptr<SizedInput>>
        prepared_;
    std::unique_ptr<SizedInput> large_;
    std::chrono::steady_clock::time_point start_;   // of the line
    std::map<std::uint64_t, std::uint64_t> stuck_;  // group -> the fewest groups that were
};

}  // namespace

results::CheckReport check(const Device& device, const catalogue::Catalogue& catalogue,
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
constexpr std::uint64_t kMostElements = 4096;  // of a size to check; larger ones are left out

template <typename T>
bool asked_for(const std::vector<T>& of, T value) {
    return of.empty() || contains(of, value);
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

void leave(results::CheckLine& line, const std::string& why) {
    ++line.passes_left;
    if (line.why_left.empty()) line.why_left = why;
}

results::PassDifference difference_of(const analysis::Replay::Value& value,
                                      const catalogue::Job& job) {
    const std::string& shown = job.buffers[job.launches[value.launch].shows].name;
    return {name_of(job.op),
            info(job.type).name,
            job.n,
            job.group,
            value.launch + 1,
            0,
            value.array.empty() ? shown : value.array,
            value.in_group,
            value.cell,
            value.device,
            value.simulator};
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
    const analysis::RunSpec spec = device_case.spec();
    const analysis::StepTable here = analysis::table_of(spec, analysis::simulate(spec, {}));
    if (const auto value = difference_of_launches(run, here))
        line.differences.push_back(difference_of(*value, device_case.job()));
}

void check_case(results::CheckLine& line, const Device& device, const catalogue::Kernel& variant,
                const catalogue::Shape& shape, const catalogue::Job& plan) {
    if (plan.expect == catalogue::Expect::races) {
        ++line.passes_raced;
        return;
    }
    if (plan.stuck && plan.launches[0].range.groups() > device.info.compute_units)
        return leave(line, "the groups are not co-resident");
    try {
        DeviceCase device_case(device, variant, shape, {UINT64_MAX, target_of(device.info)});
        compare(line, device_case);
    } catch (const Problem& problem) {
        if (problem.exit == Exit::no_device) throw;
        leave(line, problem.what_happened);
    }
}

}  // namespace

void check_passes(results::CheckLine& line, const Device& device, const catalogue::Kernel& variant,
                  const std::map<std::string, std::string>& set,
                  const results::CheckRequest& request, const std::function<bool()>& in_time) {
    for (const Case& test_case : kCases) {
        std::optional<catalogue::Shape> shape = shape_of(test_case, request, set);
        if (!shape || lacking(device.info, variant, *shape)) continue;
        const catalogue::Target target = target_of(device.info);
        if (test_case.small) shape = small_shape(variant, *shape, *shape->n, target);
        const std::optional<catalogue::Job> plan = legal_plan(variant, *shape, *shape->n, target);
        if (!plan || plan->launches.empty()) continue;
        if (!in_time())
            leave(line, "the time was used up");
        else
            check_case(line, device, variant, *shape, *plan);
    }
}

constexpr auto kTellEvery = std::chrono::milliseconds(200);

static void count(std::vector<results::TrialResult>& results, const catalogue::Outcome& outcome,
                  bool delayed) {
    auto found =
        std::find_if(results.begin(), results.end(), [&](const results::TrialResult& result) {
            return result.result == outcome.result && result.right == outcome.verdict.right;
        });
    if (found == results.end())
        found = results.insert(found, {outcome.result, 0, outcome.verdict.right});
    ++(delayed ? found->delayed : found->count);
    const auto total = [](const auto& result) { return result->count + result->delayed; };
    // A step up past those that are now rarer.
    while (found != results.begin() && total(found - 1) < total(found)) {
        std::iter_swap(found, found - 1);
        --found;
    }
}

static void describe(results::DeviceRuns& runs, const DeviceCase& device_case) {
    const catalogue::Kernel& kernel = device_case.kernel();
    const catalogue::Job& job = device_case.job();
    runs.variant = kernel.id;
    runs.device = device_case.device().info.name;
    runs.driver = device_case.device().info.driver;
    runs.expect = name_of(job.expect);
    runs.n = job.n;
    runs.group = job.group;
    runs.groups = groups_of(job);
    runs.expected = device_case.expected();
    if (kernel.by_form()) {
        runs.launch = lab::text_of(job.launches.front().range);
        return;
    }
    runs.op = name_of(job.op);
    runs.type = info(job.type).name;
    runs.input = text_of(device_case.shape().input);
    runs.set = toggle_settings(kernel, device_case.shape());
}

results::Trials trials(const Device& device, const catalogue::Kernel& kernel,
                       const results::TrialsRequest& request,
                       const std::function<void(const results::Trials&)>& on_progress) {
    DeviceCase device_case(device, kernel, request.shape);
    const catalogue::Job& job = device_case.job();
    results::Trials result;
    describe(result, device_case);
    result.predicted = predict(device_case);
    std::unique_ptr<Recorder> waits;
    if (request.delays) result.delays = request.delays;
    if (request.delays && !job.launches.empty())
        waits = device_case.recorder({false, true}, Optimise::yes);
    auto last_told = std::chrono::steady_clock::now();
    while (result.count < request.count) {
        const std::optional<catalogue::Outcome> outcome = device_case.run_plainly();
        if (!outcome) throw device_case.not_resident();
        count(result.results, *outcome, false);
        ++result.count;
        if (waits && waits->run(delay_seed(*request.delays, result.count))) {
            count(result.results, device_case.outcome(waits->buffers()), true);
            ++result.delayed;
        }
        if (!on_progress || std::chrono::steady_clock::now() - last_told < kTellEvery) continue;
        last_told = std::chrono::steady_clock::now();
        on_progress(result);
    }
    return result;
}

namespace {

constexpr std::uint64_t kRateRuns = 1000;  // that rates are taken from, with recording and without
constexpr auto kRateTime = std::chrono::seconds(3);  // for those, but the search may need more
// Runs in which a wait gave up before any was recorded; then the search is refused.
constexpr std::uint64_t kMostGivenUp = 2;
// Runs that were too long, be it by spins alone, before any was recorded; then it is refused.
constexpr std::uint64_t kMostTooLong = 3;
// Elements of a run to record; more are refused.
constexpr std::uint64_t kMostRecordedElements = 65'536;

// Numbers alone, as a result is written.
bool could_be_result(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    bool any = false;
    while (words >> word) {
        char* end = nullptr;
        (void)std::strtod(word.c_str(), &end);
        if (*end != '\0' && !(*end == ',' && end[1] == '\0')) return false;
        any = true;
    }
    return any;
}

// What ends the search.
class Until {
  public:
    Until(const std::string& text, bool of_kernel) : text_(text) {
        constexpr std::string_view kRun = "run:";
        if (!text.starts_with(kRun)) {
            if (text == "wrong" || text == "right" || could_be_result(text)) return;
            if (of_kernel && text.find(": ") != std::string::npos) return;  // "out: 4 5 6"
            throw Problem(fmt::format("No run can end in '{}'", text),
                          of_kernel ? "A result is what the buffers hold, as trials prints it"
                                    : "A result is a number",
                          of_kernel
                              ? "Write wrong, right, a result such as \"out: 4 5 6\", or run:100"
                              : "Write wrong, right, a result such as 33, or run:100",
                          "--until");
        }
        run_ = parse_number<decltype(run_)>(std::string_view(text).substr(kRun.size())).value_or(0);
        if (run_ == 0)
            throw Problem(fmt::format("'{}' is no number of a run", text), "They count from 1",
                          "Write run:100; or wrong, right, or a result", "--until");
    }

    bool is_met(std::uint64_t run, const catalogue::Outcome& outcome) const {
        if (run_ > 0) return run == run_;
        if (text_ == "wrong") return !outcome.verdict.right;
        if (text_ == "right") return outcome.verdict.right;
        return outcome.result == text_;
    }
    std::uint64_t run() const { return run_; }

  private:
    std::string text_;
    std::uint64_t run_ = 0;
};

class Session {
  public:
    Session(DeviceCase& device_case, const results::RecordRequest& request,
            const std::function<void(const results::Recorded&)>& on_progress)
        : device_(device_case.device()),
          case_(device_case),
          request_(request),
          until_(request.until, device_case.kernel().by_form()),
          on_progress_(on_progress) {}

    results::Recorded make() {
        describe(made_, case_);
        made_.units = case_.target().units;
        made_.max_group = case_.target().max_group;
        made_.kernel_group = case_.target().kernel_group;
        made_.cpu = case_.target().cpu;
        made_.until = request_.until;
        made_.count = until_.run() > 0 ? until_.run() : request_.count;
        made_.delays = request_.delays;
        const Optimise first = first_choice(device_);
        record(first);
        if (found_) replay();
        if (!made_.difference.empty() && first == Optimise::yes) try_plainly();
        plain();
        return std::move(made_);
    }

  private:
    using Clock = std::chrono::steady_clock;

    void tell() {
        if (!on_progress_ || Clock::now() - told_ < kTellEvery) return;
        told_ = Clock::now();
        on_progress_(made_);
    }

    // A compiler may translate a text correctly, but not with recording in it: PoCL 3.1 does that.
    // So where the simulator differs, a run is looked for once more, without optimisation.
    void try_plainly() {
        const results::Recorded first = made_;
        found_.reset();
        made_.recorded = {};
        made_.run = made_.gave_up = made_.too_long = 0;
        record(Optimise::no);
        if (found_) replay();
        if (found_ && made_.difference.empty())
            made_.optimised = false;
        else
            made_ = first;
    }

    // Until one is found, and then as many as tell how often runs go wrong.
    void record(Optimise optimise) {
        const auto owned = case_.recorder({true, request_.delays.has_value()}, optimise);
        Recorder& recorder = *owned;
        const auto start = Clock::now();
        for (std::uint64_t run = 1; run <= made_.count; ++run) {
            const bool enough =
                made_.recorded.runs >= kRateRuns || Clock::now() - start > kRateTime;
            if (found_ && enough) return;
            try {
                if (!recorder.run(delay_seed(request_.delays.value_or(0), run))) {
                    if (++made_.gave_up >= kMostGivenUp && made_.recorded.runs == 0)
                        throw case_.not_resident();
                    continue;
                }
            } catch (const TooLong&) {
                if (++made_.too_long >= kMostTooLong && made_.recorded.runs == 0) throw;
                continue;
            }
            const catalogue::Outcome result = case_.outcome(recorder.buffers());
            ++made_.recorded.runs;
            if (!result.verdict.right) ++made_.recorded.wrong;
            if (!found_ && until_.is_met(run, result)) keep(recorder, run, result);
            tell();
        }
    }

    void keep(const Recorder& recorder, std::uint64_t run, const catalogue::Outcome& outcome) {
        analysis::RecordedRun kept = recorded_by(recorder);
        if (kept.launches.empty()) {
            ++made_.too_long;
            return;
        }
        kept.result = outcome.result;
        found_ = std::move(kept);
        made_.run = run;
        made_.result = outcome.result;
        made_.right = outcome.verdict.right;
        made_.order = analysis::recorded_name(device_.info.name, run);
    }

    void replay() {
        const analysis::Replay replay = analysis::replay(case_.simulator_job(), *found_);
        made_.accesses = replay.accesses;
        made_.barriers = replay.barriers;
        made_.exchanged = replay.exchanged;
        made_.slack = replay.slack;
        made_.turns = machine::text_of(replay.turns);
        made_.difference = replay.difference;
        made_.tried_all = replay.tried_all;
    }

    // As many runs of the kernel as it is.
    void plain() {
        const auto start = Clock::now();
        while (made_.plain.runs < made_.recorded.runs &&
               (made_.plain.runs < kRateRuns || Clock::now() - start < kRateTime)) {
            const std::optional<catalogue::Outcome> outcome = case_.run_plainly();
            if (!outcome) return;
            ++made_.plain.runs;
            if (!outcome->verdict.right) ++made_.plain.wrong;
            tell();
        }
    }

    const Device& device_;
    DeviceCase& case_;
    const results::RecordRequest& request_;
    const Until until_;
    const std::function<void(const results::Recorded&)>& on_progress_;
    std::optional<analysis::RecordedRun> found_;
    Clock::time_point told_ = Clock::now();
    results::Recorded made_;
};

}  // namespace

results::Recorded record(const Device& device, const catalogue::Kernel& kernel,
                         const results::RecordRequest& request,
                         const std::function<void(const results::Recorded&)>& on_progress) {
    DeviceCase device_case(device, kernel, request.shape, {kMostRecordedElements, {}});
    if (device_case.job().launches.empty())
        throw Problem("There is nothing to record", "Nothing is launched for no elements",
                      "Choose at least one element", "--n");
    return Session(device_case, request, on_progress).make();
}

}  // namespace lab::device
